/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges three slow nights in a row. By rank, (R13) needs one night that is worse than nineteen of
 * twenty. So a single loaded night hides a lasting step for weeks. But loaded nights do not make
 * three nights in a row that are all slow. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_STREAK_H
#define NETBENCH_ANALYSE_HISTORY_STREAK_H

#include <stddef.h>

#include "analyse/runs/groups.h"

/*
 * Number of nights in a row, of the week before them that they are compared with, and the fewest
 * earlier nights.
 */
enum { STREAK_NIGHTS = 3, STREAK_WEEK = 7, STREAK_BEFORE = 28 };

/*
 * Judges the last night and the two before it; the parameters are those of night_judge(). The value
 * of a night is the smallest excess of these three nights over the median of the week before them.
 * It is scaled by the deviation over all nights. With fewer than STREAK_BEFORE nights p is NaN.
 */
void streak_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
