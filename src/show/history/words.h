/* SPDX-License-Identifier: Apache-2.0 */
/* What a history says: of a night, and of what has changed. */
#ifndef NETBENCH_SHOW_HISTORY_WORDS_H
#define NETBENCH_SHOW_HISTORY_WORDS_H

#include "analyse/finding.h"
#include "analyse/history/curves.h"
#include "result/report.h"
#include "show/finding.h"

/* Of the findings of a history and of its gate. */
extern const struct sentence history_sentences[];

/* The sentences of all findings, a line each, for free(); NULL without memory. */
char *history_words(const struct findings *found);

/* What history_write needs beside the findings. It takes over the environment. */
struct history_record {
	const char *definition, *title, *footer;
	bool computed, emulated;
	json_t *options, *environment;
	const struct findings *found;
	const struct curves *curves; /* NULL: of a gate */
};

/*
 * Writes a result whose rows are the nights of its curves; without curves they are the sentences
 * of its findings. ST_OK or ST_* (reported).
 */
int history_write(const struct output_options *o, const struct history_record *r);

#endif
