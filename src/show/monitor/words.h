/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the findings about a run over time as sentences. */
#ifndef NETBENCH_SHOW_MONITOR_WORDS_H
#define NETBENCH_SHOW_MONITOR_WORDS_H

#include "analyse/finding.h"
#include "show/finding.h"

/* The sentences of single findings (analyse/monitor/judge.h). */
extern const struct sentence monitor_sentences[];

/*
 * Returns the sentences of all findings, a new array of texts. The changes of a series are one
 * sentence: "bandwidth fell by 32 % at 14:03:20, rose by 47 % at 14:07:50".
 */
json_t *monitor_words(const struct findings *found);

/* True if a result is from a run over time. */
bool monitor_is_result(const json_t *doc);

/*
 * Judges all intervals of a result by the options in it. Returns the sentences as monitor_words()
 * does; without rows, those that the run itself has written. Returns NULL if the result is not from
 * a run over time.
 */
json_t *monitor_words_of_result(const json_t *doc);

#endif
