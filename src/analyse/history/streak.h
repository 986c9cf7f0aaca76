/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges whether three nights in a row are slow. The rule by rank (R13) needs a night that is worse
 * than nineteen of twenty nights. So one earlier night with other load hides a lasting step for
 * weeks. Three such nights in a row are very rare. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_STREAK_H
#define NETBENCH_ANALYSE_HISTORY_STREAK_H

#include <stddef.h>

#include "analyse/runs/groups.h"

/*
 * STREAK_NIGHTS: nights in a row. STREAK_WEEK: nights before them that they are compared with.
 * STREAK_BEFORE: fewest earlier nights.
 */
enum { STREAK_NIGHTS = 3, STREAK_WEEK = 7, STREAK_BEFORE = 28 };

/*
 * Judges the final night in y and the two before it. The parameters are the same as for
 * night_judge(). The value of a night is the smallest excess of three nights: this night and the
 * two before it. The excess is over the median of the week before the three nights. Values are
 * scaled by their deviation over all nights. With fewer than STREAK_BEFORE nights p is NaN.
 */
void streak_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
