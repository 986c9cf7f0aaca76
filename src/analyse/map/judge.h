/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges a study. Judging asks for rounds of meetings, which measure suspects again, until it is
 * finished:
 *
 *	judge_open(&j, &all);
 *	while (judge_next_round(&j, &meetings)) {
 *		measure the meetings, and store their values in them;
 *		judge_continue(&j);
 *	}
 *	judge_close(&j);
 *
 * If all->again is false, it asks for no round, and judge_open() does everything. Judging runs in a
 * coroutine, which pauses while a round is measured.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/* ---- the verdicts on a study ---- */

/* The judgement of one quantity of one class of hosts. */
struct found {
	enum quantity quantity;
	uint32_t class;
	struct map_judged j;		/* numbers of hosts are those of the study */
};

/* Statistics of a quantity over all pairs of a study; NaN if it was not measured. */
struct overview {
	double median, low, high; /* median and quartiles: half of the pairs are from low to high */
	double slowest;
	uint32_t from, to;		/* the slowest pair */
	size_t pairs, missing;		/* number of pairs with a value, and without */
};

struct verdicts {
	const struct study *s;
	struct rules rules;
	bool again;			/* true: suspects are measured again */
	struct found *at;		/* judgements, those of bandwidth first */
	size_t n;
	struct overview over[NQUANTITIES];
	json_t *differences;		/* differences between hosts; NULL: not searched for */
};

/* Frees the verdicts; the study and the rules stay. */
void verdicts_free(struct verdicts *all);

/* How much slower a host is than most hosts: relative, or for latency in s. */
double host_slowdown(const struct verdicts *all, const struct found *f, uint32_t host);

/* ---- judging ---- */

struct judging {
	struct verdicts *all;
	struct asking asking;
	struct scratch room;
	int err;
};

/*
 * Starts judging each measured quantity of each class, and runs until it needs a round. Results go
 * to all->at and all->over. judge_close() returns the error, if any.
 */
void judge_open(struct judging *j, struct verdicts *all);

/*
 * Gets the next round, whose values the caller stores at meetings->at. False: judging is finished.
 */
bool judge_next_round(const struct judging *j, struct meetings *meetings);

/* Continues with the values of that round. */
void judge_continue(struct judging *j);

/*
 * Ends judging, even if unfinished, and frees everything except the verdicts. A second call, or a
 * call before judge_open(), does nothing. Returns ST_OK, or ST_FAILED if a round was not answered
 * or memory is lacking (reported). After ST_FAILED some verdicts are missing.
 */
int judge_close(struct judging *j);

#endif
