/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether most hosts are alike. Medians follow the majority: where half of the hosts or more are
 * slow, the slow ones look normal, and what can be seen is that the others are faster.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_NORMAL_H
#define NETBENCH_ANALYSE_MAP_JUDGE_NORMAL_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

/*
 * Looks for a third of the hosts to half of them (at least two) that are faster than the rest, by
 * sending, by receiving, or only among themselves, and puts them into j->faster, by the numbers
 * that they have elsewhere: then there is no normal. Hosts that all have fast pairs, as those of
 * racks, are none. f: as fit_polish leaves it, of 5 hosts or more.
 */
void normal_check(struct peers *f, struct map_judged *j);

#endif
