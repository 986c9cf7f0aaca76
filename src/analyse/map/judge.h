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
 * If all->again is false, judging asks for no round, and judge_open() does everything. Judging runs
 * in a coroutine, which pauses while a round is measured.
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
	/* the judgement; its hosts have their numbers in the study */
	struct map_judged j;
};

/* Statistics of a quantity over all pairs of a study. They are NaN if it was not measured. */
struct overview {
	double median, low, high; /* median, and the quartiles `low` and `high` */
	double slowest;
	uint32_t from, to;		/* the slowest pair */
	size_t pairs, missing;		/* number of pairs with a value, and without one */
};

struct verdicts {
	const struct study *s;
	struct rules rules;
	bool again;			/* true: suspects are measured again */
	struct found *at;		/* the judgements; the ones on bandwidth are first */
	size_t n;
	struct overview over[NQUANTITIES];
	json_t *differences; /* differences between the hosts' machines; NULL: not searched for */
};

/* Frees the verdicts; the study and the rules stay. */
void verdicts_free(struct verdicts *all);

/* Returns how much slower a host is than most hosts: a relative number, or for latency s. */
double host_slowdown(const struct verdicts *all, const struct found *f, uint32_t host);

/* ---- judging ---- */

struct judging {
	struct verdicts *all;
	struct asking asking;
	struct scratch room;
	int err;
};

/*
 * Starts to judge each measured quantity of each class, and returns when a round of measurements is
 * needed. Stores the judgements in all->at and the statistics in all->over. judge_close() returns
 * the error, if any.
 */
void judge_open(struct judging *j, struct verdicts *all);

/*
 * Sets *meetings to the next round. The caller measures it and stores the values at meetings->at.
 * False: judging is finished.
 */
bool judge_next_round(const struct judging *j, struct meetings *meetings);

/* Continues with the values of that round. */
void judge_continue(struct judging *j);

/*
 * Ends judging, even if it is unfinished, and frees everything except the verdicts. A second call,
 * or a call before judge_open(), does nothing. Returns ST_OK, or ST_FAILED if the caller did not
 * measure a round or memory is lacking (reported). After ST_FAILED some verdicts are missing.
 */
int judge_close(struct judging *j);

#endif
