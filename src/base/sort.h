/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts numbers, and finds their median. */
#ifndef NETBENCH_BASE_SORT_H
#define NETBENCH_BASE_SORT_H

#include <stddef.h>

#include "base/export.h"

/*
 * Compares two numbers for qsort: returns a value below, equal to or above 0 if x is less than,
 * equal to or more than y.
 */
static inline int order_doubles(double x, double y)
{
	return (x > y) - (x < y);
}

/*
 * Returns the number in the middle between two numbers. Does not add them, because the sum may
 * overflow.
 */
static inline double midpoint(double low, double high)
{
	return low / 2 + high / 2;
}

/* Sorts n numbers in rising order. None may be NaN. */
void sort_doubles(double *x, size_t n);

/*
 * Returns the k-th smallest of n numbers, with k from 0. None may be NaN. Moves it to x[k]: the
 * numbers before x[k] are then smaller or equal, and those after it larger or equal. Takes time
 * proportional to n.
 */
double select_double(double *x, size_t n, size_t k);

/*
 * Returns the median of n numbers, NaN if n is 0. None may be NaN. Reorders x like select_double
 * with k = n / 2. Takes time proportional to n.
 */
double select_median(double *x, size_t n);

/*
 * Returns 1.4826 times the median distance of the numbers from `centre`. Overwrites x. No number
 * may be NaN.
 */
double spread(double *x, size_t n, double centre);

/*
 * Returns the median of x[0..n) without its NaNs: the middle number, or the midpoint of the two in
 * the middle. Moves the numbers that are not NaN to the front of x, sorted. Returns NaN if all are
 * NaN or n is 0.
 */
NETBENCH_EXPORT double median(double *x, size_t n);

#endif
