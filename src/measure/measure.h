/* SPDX-License-Identifier: Apache-2.0 */
/* Measures one spec, from pilot to summary. Every benchmark uses these functions. */
#ifndef NETBENCH_MEASURE_MEASURE_H
#define NETBENCH_MEASURE_MEASURE_H

#include "measure/result.h"
#include "measure/session.h"

/*
 * Measures a spec: builds this rank's part, finds the number of loops by a pilot if the spec does
 * not give it, warms up, repeats until the stopping rule is met, and verifies. Collective. Aborts
 * the job if a transfer fails.
 * If the run is over (session_is_over), res->stop says why. STOP_TIME_LIMIT: res holds what was
 * measured until then. STOP_SIGNAL: res holds the repetitions until then, perhaps none; they are
 * not verified message by message. The caller frees res with result_free. The spec must outlive the
 * result.
 */
void measure(struct session *s, const struct spec *spec, struct result *res);

/*
 * Measures one visit of a spec and adds its samples to `res`, without a summary. The caller zeroes
 * `res` before the first visit. The samples of all visits count together.
 * The first visit finds the loops for all visits, and only the first verifies message by message.
 * res->stop says why the first visit ended. Each later visit stores its own reason there, unless
 * that reason is STOP_CI. A visit that a signal ends keeps its samples so far. Collective.
 */
void measure_visit(struct session *s, const struct spec *spec, struct result *res);

/* Rank 0: returns whether there is time for one more visit of a point. */
bool measure_has_time(const struct session *s, const struct result *res);

/*
 * Rank 0: computes the result's summaries from the samples of all visits so far, which the sink
 * holds.
 */
void measure_summarise(const struct session *s, struct result *res);

/*
 * Runs a pilot. Returns the loops with which a repetition lasts its target time, or LOOPS_BY_PILOT
 * if all timed ranks have lost their peers. Collective.
 */
uint64_t measure_pilot(struct session *s, const struct spec *spec);

/*
 * Returns why a spec cannot be measured in this job, or NULL if it can. The text belongs to the
 * spec, or is written to `why`. The same on all ranks.
 */
const char *measure_refusal(const struct session *s, const struct spec *spec,
			    char why[CANNOT_TEXT]);

#endif
