/* SPDX-License-Identifier: Apache-2.0 */
/* From which effects on something is suspect, or named. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_RULES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_RULES_H

#include <stdint.h>

/* From which effects on hosts and pairs are suspects, pass a second time, are named; logs. */
struct thresholds {
	double host_suspect, host_again, host_other, host;
	double pair_suspect, pair_quick, pair_again, pair;
};

/* For hosts that are slower by the share `effect`, and pairs by 1.6 of that. */
#define PAIR_TO_HOST 1.6
struct thresholds thresholds_of(double effect);

/* All of them in proportion, so that hosts are slower by the effect `host`, if that is more. */
void thresholds_raise(struct thresholds *t, double host);

/* Hosts whose residuals tell the noise of one visit, as of mode quick. */
#define QUICK_HOSTS 8

/* How to judge. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* of partners when suspects are measured again */
	struct asking *again;		/* NULL: first visits only; then nothing is PERSISTENT */
	struct scratch *room;		/* of the computation; set by who begins it */
};

#endif
