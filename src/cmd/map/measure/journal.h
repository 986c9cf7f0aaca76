/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of a pair needs all its visits, so it is written late. Until then FILE.visits.csv, beside
 * the first file of results, has the measurements of each round. `map --from` reads it. It is
 * removed once the rows are written.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_JOURNAL_H
#define NETBENCH_CMD_MAP_MEASURE_JOURNAL_H

#include "analyse/map/study/study.h"
#include "result/out.h"
#include "result/report.h"

struct journal {
	struct out out;
	bool open;
};

/*
 * Begins a journal if results go to a file, and not to a pipe or device. ST_OK; or ST_USAGE
 * (reported) if the journal of an interrupted run exists; or ST_FAILED (reported).
 */
int journal_open(struct journal *j, const struct output_options *o);

/* Adds the values of a pair in a visit; without values: it did not answer. */
void journal_add(struct journal *j, const struct study *s, const struct measurement *o);

/* Writes all that was added to disk, after each round. */
void journal_commit(struct journal *j);

/* Removes it: all rows are written. */
void journal_close(struct journal *j);

#endif
