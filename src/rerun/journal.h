/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result needs all runs, so it is written late. Until then FILE.runs, beside the first file of
 * results, has each run as a line of JSON. It is removed once the result is written. --resume reads
 * it, or a result.
 */
#ifndef NETBENCH_RERUN_JOURNAL_H
#define NETBENCH_RERUN_JOURNAL_H

#include "rerun/lines.h"
#include "result/out.h"
#include "result/report.h"

struct runs_journal {
	struct out out;
	bool open;
	char *path;
};

/*
 * Begins it if results go to a regular file. ST_OK; or ST_USAGE (reported) if one is there that is
 * not what --resume names (NULL: none); or ST_FAILED.
 */
int runs_journal_open(struct runs_journal *j, const struct output_options *o, const char *resumed);

/* Adds a line and writes it to disk. */
void runs_journal_add(struct runs_journal *j, const json_t *line);

/* Removes it if `remove`, as the result is written. Else it stays, and a message has its name. */
void runs_journal_close(struct runs_journal *j, bool remove);

/*
 * What is known of the command lines: a member of a result's summary, the first line of a
 * journal. New reference.
 */
json_t *runs_journal_head(const struct run_lines *lines, uint64_t seed);

/*
 * Reads a result of runs, or a journal: its head and its runs (new references). ST_OK, or ST_USAGE
 * (reported).
 */
int runs_journal_read(const char *path, json_t **head, json_t **runs);

#endif
