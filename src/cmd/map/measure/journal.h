/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of measurements. A row needs all visits of its pair, so rows are written late. Until
 * then FILE.visits.csv keeps the measurements of each round, where FILE is the first file of
 * results. `map --from` can read FILE.visits.csv. The journal is removed once all rows are written.
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
 * Begins a journal if results go to a regular file. Returns ST_OK, ST_USAGE if the journal of an
 * interrupted run exists, or ST_FAILED after another error (reported).
 */
int journal_open(struct journal *j, const struct output_options *o);

/* Adds the values of a pair in a visit. All values are NaN if the pair did not answer. */
void journal_add(struct journal *j, const struct study *s, const struct measurement *o);

/* Writes everything added so far to the file. Call it after each round. */
void journal_commit(struct journal *j);

/* Removes the journal. Call it once all rows are written. */
void journal_close(struct journal *j);

#endif
