/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result needs all runs, so it is written at the end. Until then a journal contains each run as a
 * line of JSON. It is the file FILE.runs beside the first file of results. It is removed when the
 * result is written. --resume reads a journal or a result.
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
 * Begins a journal if results go to a regular file. Returns ST_OK; ST_USAGE (reported) if a journal
 * exists that --resume does not name (`resumed`; NULL: none); or ST_FAILED.
 */
int runs_journal_open(struct runs_journal *j, const struct output_options *o, const char *resumed);

/* Adds a line and writes it to disk. */
void runs_journal_add(struct runs_journal *j, const json_t *line);

/*
 * Closes a journal. Removes it if `remove`, because the result is written. Otherwise the journal
 * remains, and a message names it.
 */
void runs_journal_close(struct runs_journal *j, bool remove);

/*
 * Describes the command lines. A result has it in its summary, and a journal as its first line. New
 * reference.
 */
json_t *runs_journal_head(const struct run_lines *lines, uint64_t seed);

/*
 * Reads a result of runs, or a journal: its head and its runs, both new references. Returns ST_OK
 * or ST_USAGE (reported).
 */
int runs_journal_read(const char *path, json_t **head, json_t **runs);

#endif
