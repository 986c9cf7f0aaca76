/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a history as sentences: what a night shows, and what has changed. */
#ifndef NETBENCH_SHOW_HISTORY_WORDS_H
#define NETBENCH_SHOW_HISTORY_WORDS_H

#include "analyse/finding.h"
#include "analyse/history/curves.h"
#include "result/report.h"
#include "show/finding.h"

/* The sentences for the findings of a history and of its gate. */
extern const struct sentence history_sentences[];

/*
 * Returns the sentences of all findings, one a line. The caller frees the text. NULL without
 * memory.
 */
char *history_words(const struct findings *found);

/* The data for history_write, which takes over the reference to `environment`. */
struct history_record {
	const char *definition, *title, *footer;
	bool computed, emulated;
	json_t *options, *environment;
	const struct findings *found;
	const struct curves *curves; /* NULL for a gate, which has no curves */
};

/*
 * Writes a history as a result. Its rows are the nights of all curves; without curves, the
 * sentences of all findings. Returns ST_OK, or ST_* (reported).
 */
int history_write(const struct output_options *o, const struct history_record *r);

#endif
