/* SPDX-License-Identifier: Apache-2.0 */
/* One spec, from pilot to summary: the heart of every benchmark. */
#ifndef NETBENCH_MEASURE_MEASURE_H
#define NETBENCH_MEASURE_MEASURE_H

#include "measure/result.h"
#include "measure/session.h"

/*
 * Builds this rank's part of a spec, and finds the loops by a pilot if they are not given. Then
 * warms up, repeats until the rule says stop, and verifies. Collective; aborts the job if a
 * transfer fails. A run that is over (session_is_over) has STOP_TIME_LIMIT with what was measured
 * until then. Or it has STOP_SIGNAL with the repetitions until then, perhaps none, not verified
 * message by message. The caller frees res with result_free. The spec must outlive the result.
 */
void measure(struct session *s, const struct spec *spec, struct result *res);

/*
 * Visits a spec once more and adds the samples to `res`, zeroed before the first visit, without a
 * summary. Samples of all visits count together. Loops are those of the first visit, which alone
 * has the checks message by message. `stop` is that of the last visit that the interval did not
 * end. A visit that a signal ends keeps the samples so far. Collective.
 */
void measure_visit(struct session *s, const struct spec *spec, struct result *res);

/* Rank 0: whether a point that was visited may take the time of one more visit. */
bool measure_has_time(const struct session *s, const struct result *res);

/* Rank 0: from the samples of all visits so far, which are those of the sink, to the result. */
void measure_summarise(const struct session *s, struct result *res);

/*
 * The loops that a pilot finds for a spec: such that a repetition lasts as long as it should;
 * LOOPS_BY_PILOT if all ranks that are timed have lost their peers. Collective.
 */
uint64_t measure_pilot(struct session *s, const struct spec *spec);

/*
 * Why a spec cannot be measured in this job, written to `why` if it is not the spec's own text;
 * NULL: it can. The same on all ranks.
 */
const char *measure_cannot(const struct session *s, const struct spec *spec, char why[CANNOT_TEXT]);

#endif
