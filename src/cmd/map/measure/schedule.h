/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the numbers of visits and rounds. */
#ifndef NETBENCH_CMD_MAP_MEASURE_SCHEDULE_H
#define NETBENCH_CMD_MAP_MEASURE_SCHEDULE_H

#include "cmd/map/options.h"
#include "measure/plan/plan.h"

#define SCHEDULE_REPETITIONS 5
/*
 * target length of a repetition of round trips, s; few repetitions of this length are interrupted
 */
#define SCHEDULE_LATENCY_S 1e-3

struct map_schedule {
	uint32_t n, visits, rounds;	/* number of hosts, of visits, and of rounds per visit */
	enum map_mode mode;
};

/*
 * Returns the mode for n hosts: the mode of --mode or, for auto, a mode chosen by n. Never returns
 * MODE_AUTO.
 */
enum map_mode schedule_mode(const struct settings *st, uint32_t n);

struct map_schedule schedule_for(const struct settings *st, uint32_t n);

/*
 * Writes a schedule for people, such as "3 visits of 11 rounds with up to 6 pairs at once: at least
 * 3 s, plus time for suspects".
 */
void schedule_describe(const struct plan *p, const struct map_schedule *c, char *text, size_t len);

#endif
