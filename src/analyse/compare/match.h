/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_MATCH_H
#define NETBENCH_ANALYSE_COMPARE_MATCH_H

#include "analyse/compare/two.h"
#include "result/row.h"

/*
 * Pairs the rows of the same point of A and each B. Such rows are equal in all ROLE_POINT columns
 * that both results have. If several rows are of one point, they are paired in their order. Also
 * finds the points in the later results (two->next), by the key columns of the first. Returns
 * ST_OK, or ST_FAILED without memory (reported). Call points_free() in either case.
 */
int points_match(const struct compared *all, struct row_pairs *p);
void points_free(struct row_pairs *p);

/*
 * A row of a point, or NULL. `side` is A or B; k = 0 is the first two results, k = 1 the next two
 * (two->next), and so on.
 */
json_t *row_of_point(const struct row_pairs *p, size_t point, size_t k, int side);

/* The row of `doc` that has the point of a pair, or NULL. */
const json_t *find_row_of_point(const json_t *doc, const struct row_pair *pair);

/* The cell in A's row of a pair, or in B's if A has no row. A text lives as long as the rows. */
struct value pair_cell(const struct row_pair *pair, enum column_id id);

/* True if the pair is b_eff. */
bool pair_is_score(const struct row_pairs *p, const struct row_pair *pair);

/*
 * Writes the values of the columns that differ between points, such as "size_B 64, window 16"; or
 * "b_eff". Returns buf.
 */
char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len);

/*
 * Refuses results with another command or definition than the first. Returns ST_OK or ST_USAGE
 * (reported).
 */
int check_comparable(const struct compared *all);

/*
 * Chooses the measure: the column `name`, or with NULL the first ROLE_MAIN or ROLE_SCORE column
 * that all results have. With `with_bounds`, the results must also have intervals of it. Returns
 * ST_OK or ST_USAGE (reported).
 */
int measure_choose(const struct compared *all, const char *name, bool with_bounds,
		   struct measure *m);

#endif
