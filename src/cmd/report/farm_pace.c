/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/farm_pace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/values.h"
#include "rerun/child.h"
#include "result/document.h"

/* The shorter of two runs has FEWEST_EVENTS events plus TURNS events per credit. */
#define FEWEST_EVENTS 40
#define TURNS 4

/*
 * Returns the simulated time of `events` events, s, or NaN. A signal that arrives meanwhile takes
 * effect after the simulation.
 */
static double simulate_events(const struct farm_question *q, uint64_t events)
{
	char command[16], text[6][32];
	char *argv[] = { "netbench", command, "-b", "sim", "--like", (char *)q->result,
			 "--sources", text[0], "--destinations", text[1], "--credits", text[2],
			 "--sizes", text[3], "--occupation", text[4], "--loops", text[5],
			 "--quiet", "--format", "json", NULL };
	uint64_t whole[] = { q->sources, q->destinations, q->credits, q->size };
	struct child_end end = { 0 };
	double time = NAN;
	sigset_t watched;

	snprintf(command, sizeof(command), "atlas-%s", q->benchmark);
	for (size_t i = 0; i < LENGTH(whole); i++)
		snprintf(text[i], sizeof(text[i]), "%" PRIu64, whole[i]);
	snprintf(text[4], sizeof(text[4]), "%.17g", q->occupation * 1e6);
	snprintf(text[5], sizeof(text[5]), "%" PRIu64, events);
	child_block_signals(&watched);
	if (child_run("/proc/self/exe", argv, 0, &watched, &end) == ST_OK && !end.status)
		time = (double)events * row_number(json_array_get(document_rows(end.doc), 0),
						   COL_EVENT);
	json_decref(end.doc);
	sigprocmask(SIG_UNBLOCK, &watched, NULL);
	if (end.signal)
		raise(end.signal);
	return time;
}

double simulated_farm_pace(const struct farm_question *q)
{
	uint64_t few = FEWEST_EVENTS + TURNS * q->credits, many = 2 * few;

	return (double)(many - few) / (simulate_events(q, many) - simulate_events(q, few));
}
