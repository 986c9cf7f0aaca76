/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the runs of `netbench runs` until the result can be written. The result can be written only
 * once all runs have ended. The journal is a file named FILE.runs, where FILE is the first file of
 * results. It has one line of JSON for each run. When the result is written, the journal is
 * removed. --resume reads a journal or a result.
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
 * Begins a journal if results go to a regular file. `resumed` is the file that --resume names, or
 * NULL. Returns ST_OK or ST_FAILED; or ST_USAGE (reported) if the journal already exists and
 * --resume does not name it.
 */
int runs_journal_open(struct runs_journal *j, const struct output_options *o, const char *resumed);

/* Adds a line and writes it to disk. Does nothing if no journal was begun. */
void runs_journal_add(struct runs_journal *j, const json_t *line);

/*
 * Closes a journal. If `remove` is true, because the result is written, removes the file. Otherwise
 * the file stays, and a message names it.
 */
void runs_journal_close(struct runs_journal *j, bool remove);

/*
 * Returns an object that describes the command lines and the seed, a new reference. This object is
 * part of a result's summary, and is the first line of a journal.
 */
json_t *runs_journal_head(const struct run_lines *lines, uint64_t seed);

/*
 * Reads a result of `netbench runs`, or a journal. Sets *head to the description of
 * runs_journal_head and *runs to the list of runs, both new references. Returns ST_OK or ST_USAGE
 * (reported).
 */
int runs_journal_read(const char *path, json_t **head, json_t **runs);

#endif
