/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/quantile.h"

#include <math.h>
#include <stdlib.h>

#include "base/values.h"

/*
 * The regularised lower incomplete gamma function P(a, x), by its series. The series is accurate
 * for all x that the bisection for chi-squared uses.
 */
static double lower_gamma(double a, double x)
{
	double term = 1 / a, sum = term;

	if (x <= 0)
		return 0;
	for (int i = 1; term > sum * 1e-16 && i < 100000; i++)
		sum += term *= x / (a + i);
	return sum * exp(-x + a * log(x) - lgamma(a));
}

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		for (int i = 0; i < 2; i++) {
			double k = i ? odd : even;

			d = 1 / (fabs(1 + k * d) > tiny ? 1 + k * d : tiny);
			c = fabs(1 + k / c) > tiny ? 1 + k / c : tiny;
			h *= c * d;
		}
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return h;
}

/* The regularised incomplete beta function I_x(a, b). */
static double lower_beta(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x));

	if (x <= 0 || x >= 1)
		return x > 0;
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Probability that Student's t is below t. */
static double student_below(double t, double nu)
{
	double tail = lower_beta(nu / 2, 0.5, nu / (nu + t * t)) / 2;

	return t < 0 ? tail : 1 - tail;
}

/* Probability that chi-squared is below x. */
static double chi_squared_below(double x, double nu)
{
	return lower_gamma(nu / 2, x / 2);
}

/*
 * Finds the x at which a distribution function reaches p. Searches from `low` to an upper bound,
 * which is doubled until it is high enough.
 */
static double find_quantile(double below(double x, double nu), double p, double nu, double low)
{
	double high = 1;

	while (below(high, nu) < p && high < 1e9)
		high *= 2;
	for (int i = 0; i < 200; i++) {
		double mid = low / 2 + high / 2;

		*(below(mid, nu) < p ? &low : &high) = mid;
	}
	return low / 2 + high / 2;
}

double student_quantile(double p, double nu)
{
	return p < 0.5 ? -find_quantile(student_below, 1 - p, nu, 0)
		       : find_quantile(student_below, p, nu, 0);
}

double chi_squared_quantile(double p, double nu)
{
	return find_quantile(chi_squared_below, p, nu, 0);
}

/*
 * Returns the largest number of first probabilities of a distribution whose sum is at most alpha/2.
 */
static size_t count_lowest_values(const double *probability, size_t n, double alpha)
{
	double sum = 0;
	size_t k = 0;

	while (k < n && (sum += probability[k]) <= alpha / 2)
		k++;
	return k;
}

size_t signed_rank_bound(size_t n, double alpha)
{
	size_t sums = n * (n + 1) / 2 + 1, k;
	double *p = memory_new(sums, sizeof(*p));

	p[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t w = sums; w-- > 0;)
			p[w] = (p[w] + (w >= rank ? p[w - rank] : 0)) / 2;
	k = count_lowest_values(p, sums, alpha);
	free(p);
	return k;
}

size_t mann_whitney_bound(size_t n, size_t m, double alpha)
{
	size_t sums = n * m + 1, k;
	/*
	 * p[i][u]: probability that the statistic is u, with i values of the first group and j of
	 * the second; each pass increases j
	 */
	double *p = memory_new((n + 1) * sums, sizeof(*p));

	for (size_t i = 0; i <= n; i++)
		p[i * sums] = 1;
	for (size_t j = 1; j <= m; j++)
		/*
		 * The largest value is of the second group, or of the first. In the latter case it
		 * exceeds the j values of the second group.
		 */
		for (size_t i = 1; i <= n; i++)
			for (size_t u = sums; u-- > 0;)
				p[i * sums + u] = (p[i * sums + u] * j +
						   (u >= j ? p[(i - 1) * sums + u - j] * i : 0)) /
						  (i + j);
	k = count_lowest_values(p + n * sums, sums, alpha);
	free(p);
	return k;
}
