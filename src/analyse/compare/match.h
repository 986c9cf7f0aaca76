/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_MATCH_H
#define NETBENCH_ANALYSE_COMPARE_MATCH_H

#include "analyse/compare/two.h"
#include "result/row.h"

/*
 * Pairs the rows of the same point of A and each B: those that agree in all ROLE_POINT columns that
 * both results have. If a file has several of one point, they are paired in their order. ST_OK, or
 * ST_FAILED without memory (reported); free with points_free in either case. Finds the same points
 * in the results that were taken later (two->next), by the keys of the first.
 */
int points_match(const struct compared *all, struct row_pairs *p);
void points_free(struct row_pairs *p);

/* A column's cell of the pair's first row that is there; a text lives as long as the rows. */
struct value pair_cell(const struct row_pair *pair, enum column_id id);

/* "size_B 64, window 16": the columns in which points differ. Returns buf. */
char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len);

#endif
