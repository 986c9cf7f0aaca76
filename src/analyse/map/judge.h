/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a study to verdicts. Judging asks for rounds of meetings, which measure suspects again,
 * until it is finished:
 *
 *	judge_open(&j, &all);
 *	while (judge_wants(&j, &meetings)) {
 *		measure what the meetings say, and put it into them;
 *		judge_take(&j);
 *	}
 *	judge_close(&j);
 *
 * Without all->again it asks for no round, and judge_open does all. Judging runs in a coroutine,
 * which stops while a round is measured.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/* ---- the verdicts on a study ---- */

/* One quantity of one class of hosts, judged. */
struct found {
	enum quantity quantity;
	uint32_t class;
	struct map_judged j;		/* by the study's numbers of hosts */
};

/* A quantity over all pairs of a study: NaN if it was not measured. */
struct overview {
	double median, low, high;	/* half of the pairs are from low to high */
	double slowest;
	uint32_t from, to;		/* the slowest pair */
	size_t pairs, missing;		/* with a value; without one */
};

struct verdicts {
	const struct study *s;
	struct rules rules;
	bool again;			/* suspects are measured again */
	struct found *at;		/* bandwidth first */
	size_t n;
	struct overview over[NQUANTITIES];
	json_t *differences;		/* between hosts; NULL: none were looked for */
};

/* Frees the verdicts; the study and the rules stay. */
void verdicts_free(struct verdicts *all);

/* How much slower a host is than most: relative, or for latency in s. */
double verdicts_slower(const struct verdicts *all, const struct found *f, uint32_t host);

/* ---- judging ---- */

struct judging {
	struct verdicts *all;
	struct asking asking;
	struct scratch room;
	int err;
};

/*
 * Judges each quantity that was measured, of each class, into all->at and all->over, until it needs
 * a round. judge_close yields the error, if any.
 */
void judge_open(struct judging *j, struct verdicts *all);

/* The next round, to be filled in at meetings->at. False: judging is finished. */
bool judge_wants(const struct judging *j, struct meetings *meetings);

/* Goes on with the values of that round. */
void judge_take(struct judging *j);

/*
 * Ends judging, also in the middle, and frees all but the verdicts; nothing to do after that, or
 * before judge_open. ST_OK; or ST_FAILED if a round was not answered, or without memory (reported):
 * then verdicts are missing.
 */
int judge_close(struct judging *j);

#endif
