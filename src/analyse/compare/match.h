/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_MATCH_H
#define NETBENCH_ANALYSE_COMPARE_MATCH_H

#include "analyse/compare/two.h"
#include "result/row.h"

/*
 * For each result B, pairs every row of A with B's row for the same point. Rows are for the same
 * point if they are equal in all ROLE_POINT columns that both results have. Several rows for one
 * point are paired in their order. Also finds the rows of the points in the later results
 * (two->next), by the key columns of the first two results. p->pair has room for one more pair.
 * The caller frees the pairs with points_free().
 */
void points_match(const struct compared *all, struct row_pairs *p);
void points_free(struct row_pairs *p);

/*
 * Returns the row for a point in one result, or NULL. `side` is A or B. k = 0 means the first two
 * results, k = 1 the next two (two->next), and so on.
 */
json_t *row_of_point(const struct row_pairs *p, size_t point, size_t k, int side);

/* Returns the row of `doc` for the same point as the pair, or NULL. */
const json_t *find_row_of_point(const json_t *doc, const struct row_pair *pair);

/*
 * Returns a cell of the pair's row in A, or in B if A has no row. A text lives as long as the rows.
 */
struct value pair_cell(const struct row_pair *pair, enum column_id id);

/* True if the pair is the score b_eff. */
bool pair_is_score(const struct row_pairs *p, const struct row_pair *pair);

/*
 * Writes the name of a pair's point: "b_eff", or the values of those columns that differ between
 * points, such as "size_B 64, window 16". Returns buf.
 */
char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len);

/*
 * Refuses results whose command or definition differs from that of the first result. Returns ST_OK
 * or ST_USAGE (reported).
 */
int check_comparable(const struct compared *all);

/*
 * Chooses the measure: the column `name`, or if that is NULL the first ROLE_MAIN or ROLE_SCORE
 * column that all results have, or else the bandwidth of the best repetition. If `with_bounds` is
 * true, all results must also have intervals of that column. Returns ST_OK or ST_USAGE (reported).
 */
int measure_choose(const struct compared *all, const char *name, bool with_bounds,
		   struct measure *m);

#endif
