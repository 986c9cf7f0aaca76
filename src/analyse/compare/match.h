/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_MATCH_H
#define NETBENCH_ANALYSE_COMPARE_MATCH_H

#include "analyse/compare/two.h"
#include "result/row.h"

/*
 * Pairs the rows of the same point of A and each B. Such rows agree in all ROLE_POINT columns that
 * both results have. Several rows of one point are paired in their order. Finds the same points in
 * the later results (two->next), by the keys of the first. ST_OK, or ST_FAILED without memory
 * (reported); free with points_free in either case.
 */
int points_match(const struct compared *all, struct row_pairs *p);
void points_free(struct row_pairs *p);

/* The row of a point in result A or B of the k-th two, which is the k-th next one; or NULL. */
json_t *points_row(const struct row_pairs *p, size_t point, size_t k, int side);

/* The row of a result that is of the point of a pair, or NULL. */
const json_t *points_find(const json_t *doc, const struct row_pair *pair);

/* The cell of A's row, or of B's if A has none. A text lives as long as the rows. */
struct value pair_cell(const struct row_pair *pair, enum column_id id);

/* Whether it is b_eff. */
bool pair_is_score(const struct row_pairs *p, const struct row_pair *pair);

/* "size_B 64, window 16": the columns that differ between points; or "b_eff". Returns buf. */
char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len);

/* Refuses results of another command or definition than the first. ST_OK or ST_USAGE (reported). */
int compared_check(const struct compared *all);

/*
 * Sets the measure to a column by its name, or with NULL to the first ROLE_MAIN or ROLE_SCORE
 * column that all results have; `with_bounds`: with an interval of each value. ST_OK or ST_USAGE
 * (reported).
 */
int measure_choose(const struct compared *all, const char *name, bool with_bounds,
		   struct measure *m);

#endif
