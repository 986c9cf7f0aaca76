/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the rows of `load` and its last line. Rank 0. */
#ifndef NETBENCH_CMD_LOAD_ROWS_H
#define NETBENCH_CMD_LOAD_ROWS_H

#include "cmd/load/measure.h"
#include "measure/plan/benchmark.h"

/* State kept over all rows: how ranks got their roles, and the worst row so far. */
struct load_stage {
	/* named: lists of ranks gave the roles; shares: a victim and an aggressor share a host */
	bool named, shares;
	uint64_t place, seed;	/* placement (enum load_place), seed of the run */
	const struct load_point *worst;
	struct bounded factor;	/* factor of the worst row */
	int rank;		/* rank of its worst victim */
	bool by_tail;		/* true: the factor compares p99; false: the median */
	uint64_t failed;	/* number of rows without a factor */
};

/* Implements hook `label`: sets the cells that identify the point of a row. */
void load_label(const struct session *s, const struct spec *spec, struct row *row);

/*
 * Puts the lists of victims and aggressors into the summary, in the order of their roles. Call it
 * before the first row.
 */
void load_record_roles(struct session *s, const struct cast *c);

/* Writes the row of a point. *p must live as long as the plan. */
void load_write_row(struct session *s, const struct load_point *p, struct load_stage *stage,
		    const struct load_result *res);

/* Prints the line under the table that names the worst row. */
void load_conclude(struct session *s, const struct load_stage *stage);

#endif
