/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting numbers, and the median. */
#ifndef NETBENCH_BASE_SORT_H
#define NETBENCH_BASE_SORT_H

#include <stddef.h>

#include "base/export.h"

/*
 * For comparators of qsort: below, equal to or above 0 as x is less than, equal to or more than y.
 */
static inline int order_doubles(double x, double y)
{
	return (x > y) - (x < y);
}

/* Half way between two numbers; their sum may be more than a double holds. */
static inline double midpoint(double low, double high)
{
	return low / 2 + high / 2;
}

/* Sorts n numbers, none of them NaN, in rising order. */
void sort_doubles(double *x, size_t n);

/*
 * The number of rank k, from 0, among n numbers, none of them NaN. Puts it at x[k], the larger ones
 * behind it and the smaller ones before it. Takes time like n.
 */
double select_double(double *x, size_t n, size_t k);

/*
 * The median of n numbers, none of them NaN; NaN if n is 0. Reorders x as select_double with rank
 * n / 2 does, and takes time like n.
 */
double select_median(double *x, size_t n);

/* 1.4826 times the median distance from `centre`; overwrites x, which has no NaN. */
double spread(double *x, size_t n, double centre);

/*
 * The median of the numbers among x[0..n): the middle one, or the midpoint of the two in the
 * middle. Leaves out NaN and sorts the others to the front of x. NaN without a number.
 */
NETBENCH_EXPORT double median(double *x, size_t n);

#endif
