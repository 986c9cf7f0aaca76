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

#include "analyse/map/verdicts.h"

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
