/* SPDX-License-Identifier: Apache-2.0 */
/* How often hosts meet, and in how many rounds. */
#ifndef NETBENCH_CMD_MAP_MEASURE_SCHEDULE_H
#define NETBENCH_CMD_MAP_MEASURE_SCHEDULE_H

#include "cmd/map/options.h"
#include "measure/plan/plan.h"

#define SCHEDULE_REPETITIONS 5
#define SCHEDULE_LATENCY_S 1e-3	/* of a repetition: short enough to miss most interruptions */

struct map_schedule {
	uint32_t n, visits, rounds;	/* hosts; rounds of a visit */
	enum map_mode mode;
};

/* The mode for n hosts: the user's, or by the number of hosts; never MODE_AUTO. */
enum map_mode schedule_mode(const struct settings *st, uint32_t n);

struct map_schedule schedule_for(const struct settings *st, uint32_t n);

/* "3 visits of 11 rounds with up to 6 pairs at once: at least 3 s, and what suspects take". */
void schedule_word(const struct plan *p, const struct map_schedule *c, char *text, size_t len);

#endif
