/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* The comparison function of qsort for doubles. */
static int compare_doubles(const void *a, const void *b)
{
	return order_doubles(*(const double *)a, *(const double *)b);
}

void sort_doubles(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare_doubles);
}

double select_double(double *x, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, rank = (ptrdiff_t)k;

	while (low < high) {
		double pivot = x[rank], other;
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (x[i] < pivot)
				i++;
			while (x[j] > pivot)
				j--;
			if (i > j)
				break;
			other = x[i];
			x[i++] = x[j];
			x[j--] = other;
		}
		if (j < rank)
			low = i;
		if (rank < i)
			high = j;
	}
	return x[k];
}

double select_median(double *x, size_t n)
{
	double high, low;

	if (!n)
		return NAN;
	high = select_double(x, n, n / 2);
	if (n % 2)
		return high;
	low = x[0];
	for (size_t i = 1; i < n / 2; i++)
		low = x[i] > low ? x[i] : low;
	return midpoint(low, high);
}

double spread(double *x, size_t n, double centre)
{
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - centre);
	return 1.4826 * select_median(x, n);
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
