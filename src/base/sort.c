/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
	return order_doubles(*(const double *)a, *(const double *)b);
}

void sort_doubles(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare_doubles);
}

double median(double *x, size_t n)
{
	size_t numbers = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			x[numbers++] = x[i];
	if (!numbers)
		return NAN;
	sort_doubles(x, numbers);
	return numbers % 2 ? x[numbers / 2] : midpoint(x[numbers / 2 - 1], x[numbers / 2]);
}
