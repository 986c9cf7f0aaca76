/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three slow nights in a row. By rank, (R13) needs one night that is worse than nineteen in twenty,
 * so a single loaded night hides a lasting step for weeks. Three nights in a row that are all slow
 * are not made by loaded nights. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_STREAK_H
#define NETBENCH_ANALYSE_HISTORY_STREAK_H

#include <stddef.h>

#include "analyse/runs/groups.h"

/* Nights in a row, and the week before them that they are judged against. */
enum { STREAK_NIGHTS = 3, STREAK_WEEK = 7, STREAK_BEFORE = 28 };

/*
 * Tonight and the two nights before, as night_judge (y, nights, points, margin, out): a night
 * counts by the least of three nights' excesses over the median of the week before these three, in
 * deviations of all nights. Below STREAK_BEFORE nights p is NaN.
 */
void streak_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
