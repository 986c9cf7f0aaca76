/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a study to verdicts. Judging asks for rounds of meetings in which suspects are measured
 * again, until it has no more to ask:
 *
 *	judge_open(&j, &all);
 *	while (judge_wants(&j, &meetings)) {
 *		measure what the meetings say, and put it into them;
 *		judge_take(&j);
 *	}
 *	judge_close(&j);
 *
 * Unless all->again there is nothing to ask, and judge_open does all. Judging runs in a coroutine,
 * which stops in the middle of its rounds.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_H

#include "analyse/map/judge/ask.h"
#include "analyse/map/verdicts.h"

struct judging {
	struct verdicts *all;
	struct asking asking;
	struct scratch room;
	int err;
};

/*
 * Judges each quantity that was measured, of each class, into all->at and all->over, as far as that
 * goes without an answer. What is wrong judge_close yields.
 */
void judge_open(struct judging *j, struct verdicts *all);

/* The next round, whose values belong into meetings->at. False: there is none. */
bool judge_wants(const struct judging *j, struct meetings *meetings);

/* Goes on with the values of that round. */
void judge_take(struct judging *j);

/*
 * Ends judging, also in the middle, and frees all but the verdicts; nothing to do after that, or
 * before judge_open. ST_OK; or ST_FAILED if a round stayed without an answer, or without memory
 * (reported): then the verdicts are not whole.
 */
int judge_close(struct judging *j);

#endif
