/* SPDX-License-Identifier: Apache-2.0 */
/* The rules by which a run over time is judged. Only types. */
#ifndef NETBENCH_ANALYSE_MONITOR_RULES_H
#define NETBENCH_ANALYSE_MONITOR_RULES_H

struct timeline_rules {
	double interval_s;	/* time from start to start of intervals */
	double change;		/* only larger changes are kept: 0.05 for 5 % */
	double flap_s;		/* a time that is not up is a flap only if it is shorter */
	/*
	 * Limits of --fail-if; NaN: none. fail_change: a change for the worse by this share.
	 * fail_flaps: a number of flaps. fail_up: smallest share of the intervals that are up.
	 */
	double fail_change, fail_flaps, fail_up;
};

#endif
