/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a history as sentences: the verdict on a night, and the changes over all nights. */
#ifndef NETBENCH_SHOW_HISTORY_WORDS_H
#define NETBENCH_SHOW_HISTORY_WORDS_H

#include "analyse/finding.h"
#include "analyse/history/curves.h"
#include "result/report.h"
#include "show/finding.h"

/* The sentences for the findings of a history and of its gate. */
extern const struct sentence history_sentences[];

/*
 * Returns the sentences of all findings, one per line, or NULL without memory. The caller frees the
 * text.
 */
char *history_words(const struct findings *found);

/* The data for history_write. That function takes over the reference `environment`. */
struct history_record {
	const char *definition, *title, *footer;
	bool computed, emulated;
	json_t *options, *environment;
	const struct findings *found;
	const struct curves *curves; /* curves of the series; NULL for a gate */
};

/*
 * Writes a history as a result. Its rows are the nights of all curves or, without curves, the
 * sentences of all findings. Returns ST_OK, or ST_* (reported).
 */
int history_write(const struct output_options *o, const struct history_record *r);

#endif
