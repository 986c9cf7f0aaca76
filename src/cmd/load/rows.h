/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of `load`, and its last line. Rank 0. */
#ifndef NETBENCH_CMD_LOAD_ROWS_H
#define NETBENCH_CMD_LOAD_ROWS_H

#include "cmd/load/measure.h"
#include "measure/plan/benchmark.h"

/* How ranks got their roles, and the worst row so far. */
struct load_stage {
	bool named, shares;	/* by their numbers; a victim and an aggressor share a host */
	uint64_t place, seed;	/* enum load_place */
	const struct load_point *worst;
	struct bounded factor;	/* its largest */
	bool by_tail;		/* of its 99 % point, not of its median */
	uint64_t failed;	/* rows without a factor */
};

/* Sets the cells that say which point a row is of. */
void load_label(const struct session *s, const struct spec *spec, struct row *row);

/* Writes the row of a point, which lives as long as the plan. */
void load_row(struct session *s, const struct load_point *p, struct load_stage *stage,
	      const struct load_result *res);

/* The last line names the worst row. */
void load_conclude(struct session *s, const struct load_stage *stage);

#endif
