/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of a pair says what all its visits came to, so it is known late. Until then what each round
 * has measured is kept beside the first file of results, as `map --from` reads it: in
 * FILE.visits.csv, which is removed once the rows are written.
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
 * Begins one if there is a file of results, and it is no pipe or device. ST_OK; or ST_USAGE
 * (reported): there is one already, of a run that did not end; or ST_FAILED (reported).
 */
int journal_open(struct journal *j, const struct output_options *o);

/* Adds what a pair measured in a visit, or, without values, that it did not answer. */
void journal_add(struct journal *j, const struct study *s, const struct measurement *o);

/* Brings what was added to disk, after each round. */
void journal_commit(struct journal *j);

/* Removes it: all rows are written. */
void journal_close(struct journal *j);

#endif
