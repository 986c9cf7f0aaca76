/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/random.h"
#include "base/sort.h"
#include "model/nonnegative.h"

#define K 3.0			/* in sigma; residuals larger than K count as K (truncated loss) */
#define FLOOR 0.004		/* this part of a value is added to its error */
#define LEAST_SIGMA 1e-12	/* smallest error of a value, s */
/* errors are pooled over a size and this many sizes on either side */
#define NEIGHBOURS 4
#define L1_STEPS 8
#define TRIM_STEPS 4
#define BISQUARE 4.685
#define BISQUARE_STEPS 20
/*
 * a message interval counts as equal to the processor's time if their relative difference is at
 * most this
 */
#define CENSOR 0.03
/* values of two rounds in virtual time count as equal up to this relative difference */
#define SAME 1e-6
/*
 * A parameter is not determined if the width of its interval, divided by its value, is above this.
 */
#define WIDEST 1.0		/* a time or a length */
#define WIDEST_SLOPE 0.5	/* a cost per byte or a rate */
#define ROUNDING 1e-9		/* times below this part of half a round trip count as 0 */
/* a line is contradicted if this many successive values are off the line */
#define IN_A_ROW 3
#define FLAT 0.01 /* a line has a rate only if it rises over its segment by more than this part */

const char *const fit_series_names[] = { "latency", "gap", "send", "receive", NULL };

/* For each series: one value and the value's error at each size. */
struct points {
	size_t n;
	const double *x;
	double *y[FIT_SERIES], *sigma[FIT_SERIES];
	double *w[FIT_SERIES];		/* weight of each size in the latest fit of a line */
};

/* Returns the median distance of the n values x from `centre` (MAD). Overwrites x. */
static double median_distance(double *x, size_t n, double centre)
{
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - centre);
	return median(x, n);
}

/*
 * Sets the errors from the pooled relative errors of neighbouring sizes, because the MAD of ten
 * rounds is noisy.
 */
static void pool_errors(const double *relative, size_t n, const double *y, double *sigma)
{
	double near[2 * NEIGHBOURS + 1];

	for (size_t i = 0; i < n; i++) {
		size_t m = 0;

		for (size_t j = i < NEIGHBOURS ? 0 : i - NEIGHBOURS; j < n && j <= i + NEIGHBOURS;)
			near[m++] = relative[j++];
		sigma[i] = fmax(fabs(y[i]) * (median(near, m) + FLOOR), LEAST_SIGMA);
	}
}

/*
 * Sets the values of series q to the medians over all rounds, or over the rounds listed in `drawn`.
 */
static void compute_medians(const struct fit_input *in, const struct points *p, int q,
			    const size_t *drawn, double *room)
{
	for (size_t i = 0; i < p->n; i++) {
		for (size_t r = 0; r < in->nrounds; r++)
			room[r] = in->y[q][(drawn ? drawn[r] : r) * p->n + i];
		p->y[q][i] = median(room, in->nrounds);
	}
}

/*
 * Sets all values to the medians over the rounds, and their errors to 1.2533 * 1.4826 MAD / sqrt(R)
 * (METHODS 2.3).
 */
static void set_medians_and_errors(const struct fit_input *in, const struct points *p, double *room)
{
	double *relative = room + in->nrounds;

	for (int q = 0; q < FIT_SERIES; q++) {
		compute_medians(in, p, q, NULL, room);
		for (size_t i = 0; i < p->n; i++) {
			for (size_t r = 0; r < in->nrounds; r++)
				room[r] = in->y[q][r * p->n + i];
			relative[i] = 1.2533 * 1.4826 *
				      median_distance(room, in->nrounds, p->y[q][i]) /
				      sqrt((double)in->nrounds) / fabs(p->y[q][i]);
		}
		pool_errors(relative, p->n, p->y[q], p->sigma[q]);
	}
}

/*
 * Returns the line fitted to series q at n sizes from index `first` on, with the weights p->w. The
 * line's value at 1 byte and its slope are not negative. The line is NaN if all weights are 0.
 */
static struct linear fit_nonnegative_line(const struct points *p, int q, size_t first, size_t n)
{
	struct nonnegative e = { .n = 2 };
	double v[NONNEGATIVE_MOST];

	for (size_t i = first; i < first + n; i++)
		nonnegative_add(&e, (double[]){ 1, p->x[i] - 1 }, p->y[q][i], p->w[q][i]);
	if (!(e.A[0][0] > 0))
		return (struct linear){ NAN, NAN };
	nonnegative_solve(&e, v);
	return (struct linear){ v[0] - v[1], v[1] };
}

/* ---- robust lines ---- */

/* Returns how far a value is from a line, in units of the value's error. */
static double residual(const struct points *p, int q, size_t i, struct linear l)
{
	return (p->y[q][i] - l.a - l.b * p->x[i]) / p->sigma[q][i];
}

/*
 * Returns the line with the least weighted sum of absolute residuals (L1), found by iterative
 * reweighting.
 */
static struct linear least_absolute_line(const struct points *p, int q, size_t first, size_t n)
{
	const double *sigma = p->sigma[q];
	struct linear l = { 0 };

	for (size_t i = first; i < first + n; i++)
		p->w[q][i] = 1 / (sigma[i] * sigma[i]);
	for (int step = 0; step < L1_STEPS; step++) {
		l = fit_nonnegative_line(p, q, first, n);
		for (size_t i = first; i < first + n; i++)
			p->w[q][i] = 1 / (sigma[i] * sigma[i] *
					  fmax(fabs(residual(p, q, i, l)), 1e-3));
	}
	return l;
}

/*
 * Returns a robust line. Starts from the L1 line, then fits by least squares the points whose
 * residuals are within K. With `room`, uses the weights of Tukey's bisquare instead. The scale of
 * these weights is the MAD, but at least half a sigma.
 */
static struct linear fit_robust_line(const struct points *p, int q, size_t first, size_t n,
				     double *room)
{
	struct linear l = least_absolute_line(p, q, first, n), better;

	for (int step = 0; step < (room ? BISQUARE_STEPS : TRIM_STEPS); step++) {
		double scale = K;

		for (size_t i = 0; i < n && room; i++)
			room[i] = residual(p, q, first + i, l);
		if (room)
			scale = fmax(1.4826 * median_distance(room, n, 0), 0.5) * BISQUARE;
		for (size_t i = first; i < first + n; i++) {
			double u = residual(p, q, i, l) / scale, v = room ? 1 - u * u : 1;
			double sigma = p->sigma[q][i];

			p->w[q][i] = fabs(u) < 1 ? v * v / (sigma * sigma) : 0;
		}
		better = fit_nonnegative_line(p, q, first, n);
		if (isnan(better.a))
			break;
		l = better;
	}
	return l;
}

/* ---- segments ---- */

/* Returns the cost of making sizes i to j-1 one segment, with one line for each series. */
static double segment_cost(const struct points *p, size_t i, size_t j)
{
	double sum = 0;

	for (int q = 0; q < FIT_SERIES; q++) {
		struct linear l = fit_robust_line(p, q, i, j - i, NULL);

		for (size_t k = i; k < j && !isnan(l.a); k++) {
			double r = residual(p, q, k, l);

			if (!isnan(r))
				sum += fmin(r * r, K * K);
		}
	}
	return sum;
}

/*
 * Returns an estimate of the size at which a segment ends. The estimate is used until the switch
 * has been bisected.
 */
static double estimate_switch_after(const struct points *p, size_t end)
{
	return floor(sqrt(p->x[end - 1] * p->x[end]));
}

/*
 * Finds the cheapest cuts into k segments for each k. Then chooses k by BIC, which counts 2
 * parameters for each line and 1 for each switch (METHODS 2.3). Returns 0, or -1 if memory runs
 * out.
 */
static int find_segments(const struct points *p, struct fit *fit)
{
	const size_t n = p->n, width = n + 1;
	double *cost = calloc(width * (width + FIT_SEGMENTS + 1), sizeof(*cost)), best = INFINITY;
	size_t *from = calloc(width * (FIT_SEGMENTS + 1), sizeof(*from)), end = n;
	bool room = cost && from;
	/*
	 * least[k * width + j]: least cost of k segments that cover the sizes 0 to j-1. from[k *
	 * width + j]: first size of the k-th of these segments.
	 */
	double *least = room ? cost + width * width : NULL;

	for (size_t i = 0; i < n && room; i++) {
		least[i + 1] = INFINITY;
		for (size_t j = i + FIT_FEWEST; j <= n; j++)
			cost[i * width + j] = segment_cost(p, i, j);
	}
	fit->nsegments = room ? 1 : 0;
	for (size_t k = 1; k <= FIT_SEGMENTS && room; k++) {
		double parameters = 2.0 * FIT_SERIES * (double)k + (double)(k - 1), bic;

		for (size_t j = 0; j <= n; j++) {
			least[k * width + j] = INFINITY;
			for (size_t i = 0; i + FIT_FEWEST <= j; i++) {
				double d = least[(k - 1) * width + i] + cost[i * width + j];

				if (d < least[k * width + j]) {
					least[k * width + j] = d;
					from[k * width + j] = i;
				}
			}
		}
		bic = least[k * width + n] + parameters * log((double)(n * FIT_SERIES));
		if (bic < best) {
			best = bic;
			fit->nsegments = k;
		}
	}
	for (size_t k = fit->nsegments; k > 0; k--) {
		struct fit_segment g = { .first = from[k * width + end], .end = end };

		g.upto = end < n ? estimate_switch_after(p, end) : INFINITY;
		fit->seg[k - 1] = g;
		end = g.first;
	}
	free(from);
	free(cost);
	return room ? 0 : -1;
}

/* ---- the lines of a segment, and LogGP's parameters ---- */

/* Fits a separate line to each series. */
static void fit_lines(const struct points *p, struct fit_segment *g, double *room)
{
	for (int q = 0; q < FIT_SERIES; q++)
		g->line[q] = fit_robust_line(p, q, g->first, g->end - g->first, room);
}

double fit_line(const struct fit_segment *g, enum fit_series q, double size)
{
	return g->line[q].a + g->line[q].b * size;
}

static double compute_L(const struct fit_segment *g)
{
	return fit_line(g, FIT_LATENCY, 1) - fit_line(g, FIT_SEND, 1) - fit_line(g, FIT_RECEIVE, 1);
}

static double compute_G_latency(const struct fit_segment *g)
{
	return g->line[FIT_LATENCY].b - g->line[FIT_SEND].b - g->line[FIT_RECEIVE].b;
}

/*
 * If L or G_latency is negative, changes the lines of latency, send and receive so that L and
 * G_latency are at least 0. Minimises the sum of squares under this condition.
 */
static void constrain_lines(const struct points *p, struct fit_segment *g)
{
	/*
	 * coefficients of o_s, o_r and L in each series; they are 0 in the series of message
	 * intervals
	 */
	static const double holds[FIT_SERIES][3] = { [FIT_LATENCY] = { 1, 1, 1 },
						     [FIT_SEND] = { 1, 0, 0 },
						     [FIT_RECEIVE] = { 0, 1, 0 } };
	/* unknowns: o_s, o_r, L, then their three costs per byte */
	struct nonnegative e = { .n = 6 };
	double v[6], row[6];

	if (!(compute_L(g) < 0 || compute_G_latency(g) < 0))
		return;
	for (int q = 0; q < FIT_SERIES; q++)
		for (size_t i = g->first; i < g->end && q != FIT_GAP; i++) {
			for (int j = 0; j < 3; j++) {
				row[j] = holds[q][j];
				row[j + 3] = holds[q][j] * (p->x[i] - 1);
			}
			nonnegative_add(&e, row, p->y[q][i], p->w[q][i]);
		}
	nonnegative_solve(&e, v);
	for (int q = 0; q < FIT_SERIES; q++) {
		double at1 = 0, b = 0;

		for (int j = 0; j < 3; j++) {
			at1 += holds[q][j] * v[j];
			b += holds[q][j] * v[j + 3];
		}
		if (q != FIT_GAP)
			g->line[q] = (struct linear){ at1 - b, b };
	}
}

/* Returns 0 for a value that is negative, which only rounding can cause; else the value. */
static double zero_if_negative(double v)
{
	return v < 0 ? 0 : v;
}

/*
 * Computes the parameters of a segment from its lines. The times are the times at 1 byte (METHODS
 * 2.3).
 */
static void compute_parameters(const struct fit_segment *g, double v[FIT_PARAMETERS])
{
	const struct linear *gap = &g->line[FIT_GAP], *latency = &g->line[FIT_LATENCY];
	const double all[FIT_PARAMETERS] = {
		zero_if_negative(compute_L(g)), zero_if_negative(fit_line(g, FIT_SEND, 1)),
		zero_if_negative(fit_line(g, FIT_RECEIVE, 1)),
		zero_if_negative(fit_line(g, FIT_GAP, 1)), gap->b,
		zero_if_negative(compute_G_latency(g)), g->line[FIT_SEND].b,
		g->line[FIT_RECEIVE].b,
		/* Hockney's r_inf and n_half; INFINITY if the time does not grow */
		gap->b > 0 ? 1 / gap->b : INFINITY, gap->b > 0 ? gap->a / gap->b : INFINITY,
		latency->b > 0 ? 1 / latency->b : INFINITY,
		latency->b > 0 ? latency->a / latency->b : INFINITY
	};

	memcpy(v, all, sizeof(all));
}

/* ---- how well the lines fit ---- */

/*
 * Returns the time, s, that the segment's line of series q gives for a message of this size. If
 * `in_loggp`, a message interval is at least the time of the sender and of the receiver (METHODS
 * 2.2).
 */
static double predict_time(const struct fit_segment *g, enum fit_series q, double size,
			   bool in_loggp)
{
	double y = fit_line(g, q, size);

	if (q != FIT_GAP || !in_loggp || isnan(y))
		return y;
	return fmax(y, fmax(fit_line(g, FIT_SEND, size), fit_line(g, FIT_RECEIVE, size)));
}

/*
 * Returns true if a value is off its line by more than FIT_NEAR, and by more than its error can
 * explain.
 */
static bool is_off_line(const struct points *p, const struct fit_segment *g, enum fit_series q,
			size_t i, bool in_loggp)
{
	double y = fabs(p->y[q][i]), error = K * p->sigma[q][i];
	double near = fmax(FIT_NEAR * y, fmin(error, FIT_FAR * y + LEAST_SIGMA));

	return fabs(predict_time(g, q, p->x[i], in_loggp) - p->y[q][i]) > near;
}

/*
 * Returns whether a series follows its line (see struct fit_segment). A series without values
 * follows any line.
 */
static bool follows_line(const struct points *p, const struct fit_segment *g, enum fit_series q,
			 bool in_loggp)
{
	size_t off = 0, in_a_row = 0;

	for (size_t i = g->first; i < g->end; i++) {
		in_a_row = is_off_line(p, g, q, i, in_loggp) ? in_a_row + 1 : 0;
		off += in_a_row > 0;
		if (in_a_row == IN_A_ROW)
			return false;
	}
	return 4 * off <= g->end - g->first;
}

/* Sets g->follows[] for each series. Returns true if all series follow their lines. */
static bool mark_followed_lines(const struct points *p, struct fit_segment *g, bool in_loggp)
{
	bool all = true;

	for (int q = 0; q < FIT_SERIES; q++) {
		g->follows[q] = follows_line(p, g, (enum fit_series)q, in_loggp);
		all = all && g->follows[q];
	}
	return all;
}

/*
 * Returns true if at most sizes the message interval equals the processor's time, which hides the
 * interval of the network.
 */
static bool is_censored(const struct points *p, const struct fit_segment *g)
{
	size_t near = 0, known = 0;

	for (size_t i = g->first; i < g->end; i++) {
		double cpu = fmax(p->y[FIT_SEND][i], p->y[FIT_RECEIVE][i]), gap = p->y[FIT_GAP][i];

		if (isnan(cpu) || isnan(gap))
			continue;
		known++;
		near += gap - cpu <= CENSOR * gap + 2 * p->sigma[FIT_GAP][i];
	}
	return 2 * near > known;
}

/*
 * Computes the residuals of a segment, its outliers, its lack of fit, and whether it is censored.
 */
static void set_residuals(const struct points *p, struct fit_segment *g, double *room)
{
	size_t n = 0;
	double squares = 0;

	g->residual_max = 0;
	for (int q = 0; q < FIT_SERIES; q++)
		for (size_t i = g->first; i < g->end; i++) {
			double r = residual(p, q, i, g->line[q]);

			if (isnan(r))
				continue;
			squares += r * r;
			g->outliers += fabs(r) > K;
			room[n] = fabs(r) * p->sigma[q][i] / fmax(fabs(p->y[q][i]), LEAST_SIGMA);
			g->residual_max = fmax(g->residual_max, room[n++]);
		}
	g->lack_of_fit = n ? squares / (double)n : NAN;
	g->residual_p50 = median(room, n);
	g->censored = is_censored(p, g);
}

/*
 * Returns the time, s, below which times of the segment count as 0, because they come from
 * rounding.
 */
static double rounding_time(const struct fit_segment *g)
{
	return ROUNDING * fit_line(g, FIT_LATENCY, 1);
}

static double rounding_slope(const struct points *p, const struct fit_segment *g)
{
	return rounding_time(g) / p->x[g->end - 1];
}

/*
 * Fits the lines of a segment. If LogGP describes the segment, the lines are those of its
 * parameters. Otherwise each series has its own nearest line.
 */
static void describe_segment(const struct points *p, struct fit_segment *g, double *room)
{
	struct fit_segment each;

	fit_lines(p, g, room);
	g->L_at_0 = compute_L(g) < -rounding_time(g);
	g->G_latency_at_0 = compute_G_latency(g) < -rounding_slope(p, g);
	each = *g;
	constrain_lines(p, g);
	g->described = mark_followed_lines(p, g, true);
	if (!g->described) {
		*g = each;
		mark_followed_lines(p, g, false);
	}
}

/*
 * Joins neighbouring segments that LogGP does not describe, because a curved series is cut into too
 * many segments. Joins two segments only if half the round trip follows one line in the joined
 * segment.
 */
static void join_segments(const struct points *p, struct fit *fit, double *room)
{
	for (size_t k = 1; k < fit->nsegments; k++) {
		struct fit_segment *g = &fit->seg[k], both = *g;

		if (g[-1].described || g->described)
			continue;
		both.first = g[-1].first;
		describe_segment(p, &both, room);
		if ((g[-1].follows[FIT_LATENCY] || g->follows[FIT_LATENCY]) &&
		    !both.follows[FIT_LATENCY])
			continue;
		g[-1] = both;
		fit->nsegments--;
		memmove(g, g + 1, (fit->nsegments - k) * sizeof(*g));
		k = 0;
	}
}

/*
 * Cuts each segment that LogGP does not describe. The longest part from its start that LogGP
 * describes becomes a separate segment. So the result shows up to which size LogGP describes the
 * segment. The remaining part keeps at least FIT_FEWEST sizes.
 */
static void split_segments(const struct points *p, struct fit *fit, double *room)
{
	for (size_t k = 0; k < fit->nsegments && fit->nsegments < FIT_SEGMENTS; k++) {
		struct fit_segment *g = &fit->seg[k], part;
		size_t end = g->end - FIT_FEWEST;
		bool found = false;

		for (; !g->described && !found && end >= g->first + FIT_FEWEST; end--) {
			part = (struct fit_segment){ .first = g->first, .end = end,
						     .upto = estimate_switch_after(p, end) };
			describe_segment(p, &part, room);
			found = part.described;
			for (enum fit_series q = 0; q < FIT_SERIES; q++)
				found &= !is_off_line(p, &part, q, end - 1, true);
		}
		if (!found)
			continue;
		memmove(g + 1, g, (fit->nsegments - k) * sizeof(*g));
		fit->nsegments++;
		*g = part;
		g[1].first = part.end;
		describe_segment(p, &g[1], room);
	}
}

static void describe_segments(const struct points *p, struct fit *fit, double *room)
{
	double v[FIT_PARAMETERS];

	for (size_t k = 0; k < fit->nsegments; k++)
		describe_segment(p, &fit->seg[k], room);
	join_segments(p, fit, room);
	split_segments(p, fit, room);
	for (size_t k = 0; k < fit->nsegments; k++) {
		struct fit_segment *g = &fit->seg[k];

		compute_parameters(g, v);
		for (int i = 0; i < FIT_PARAMETERS; i++)
			g->parameter[i] = (struct fit_value){ v[i], v[i], v[i] };
		set_residuals(p, g, room);
	}
}

/* ---- intervals ---- */

/*
 * Sets the intervals of the parameters to the middle 95 % of the n bootstraps, widened by the
 * systematic errors of the series. all[i * n] is the first bootstrapped value of parameter i.
 */
static void set_intervals(const struct fit_input *in, struct fit_segment *g, double *all, size_t n)
{
	const double *e = in->systematic_s;
	/* systematic errors of L, o_s, o_r and g */
	double shared[FIT_PARAMETERS] = { e[FIT_LATENCY] + e[FIT_SEND] + e[FIT_RECEIVE],
					  e[FIT_SEND], e[FIT_RECEIVE], e[FIT_GAP] };

	for (int i = 0; i < FIT_PARAMETERS; i++, all += n) {
		struct fit_value *v = &g->parameter[i];

		if (isnan(v->v))
			continue;
		sort_doubles(all, n);
		v->lo = all[(size_t)(0.025 * (double)(n - 1))] - shared[i];
		v->hi = all[(size_t)ceil(0.975 * (double)(n - 1))] + shared[i];
		v->lo = fmax(fmin(v->lo, v->v), 0);
		v->hi = fmax(fmax(v->hi, v->v), v->lo);
	}
}

/*
 * Sets a value to NaN if its interval, relative to the value, is wider than `widest`. Sets the
 * value to 0 if the interval does not exceed `least`.
 */
static void drop_wide_value(struct fit_value *v, double widest, double least)
{
	if (v->hi <= least)
		*v = (struct fit_value){ 0, 0, 0 };
	else if (v->hi - v->lo > widest * v->v || !isfinite(v->v))
		v->v = NAN;
}

/*
 * Sets the rate r_inf and the length n_half of a line to NaN if they are not determined. A flat
 * line has neither.
 */
static void drop_wide_rate(const struct points *p, const struct fit_segment *g, enum fit_series q,
			   struct fit_value *r_inf, struct fit_value *n_half)
{
	drop_wide_value(r_inf, WIDEST_SLOPE, -INFINITY);
	if (!(g->line[q].b * (p->x[g->end - 1] - p->x[g->first]) > FLAT * fabs(g->line[q].a)) ||
	    !g->follows[q])
		r_inf->v = NAN;
	drop_wide_value(n_half, WIDEST, -INFINITY);
	if (isnan(r_inf->v) || n_half->v < 0)
		n_half->v = NAN;
}

/* Sets all parameters of a segment that are not determined to NaN. */
static void drop_undetermined(const struct points *p, struct fit_segment *g)
{
	for (size_t i = 0; i < FIT_OF_LOGGP; i++) {
		bool time = i < FIT_TIMES;

		if (!g->described)
			g->parameter[i] = (struct fit_value){ NAN, NAN, NAN };
		drop_wide_value(&g->parameter[i], time ? WIDEST : WIDEST_SLOPE,
				time ? rounding_time(g) : rounding_slope(p, g));
	}
	/* G is unknown, because the processor's time hides the cost of a byte in the network */
	if (g->censored && !(g->G.v > 0))
		g->G.v = NAN;
	if (g->L_at_0)
		g->L.v = NAN;
	if (g->G_latency_at_0)
		g->G_latency.v = NAN;
	drop_wide_rate(p, g, FIT_GAP, &g->r_inf, &g->n_half);
	drop_wide_rate(p, g, FIT_LATENCY, &g->r_inf_latency, &g->n_half_latency);
}

/*
 * Sets the intervals of all parameters by a bootstrap over rounds. Returns 0, or -1 if memory runs
 * out.
 */
static int bootstrap_intervals(const struct fit_input *in, const struct points *p, struct fit *fit,
			       double *room)
{
	size_t n = in->bootstraps, *drawn = calloc(in->nrounds, sizeof(*drawn));
	double *all = calloc(fit->nsegments * FIT_PARAMETERS * n + 1, sizeof(*all));
	double v[FIT_PARAMETERS];
	struct rng rng;

	rng_seed(&rng, in->seed);
	for (size_t b = 0; b < n && drawn && all; b++) {
		for (int q = 0; q < FIT_SERIES; q++) {
			for (size_t r = 0; r < in->nrounds; r++)
				drawn[r] = rng_next(&rng) % in->nrounds;
			compute_medians(in, p, q, drawn, room);
		}
		for (size_t k = 0; k < fit->nsegments; k++) {
			struct fit_segment g = fit->seg[k];

			fit_lines(p, &g, room);
			if (g.described)
				constrain_lines(p, &g);
			compute_parameters(&g, v);
			for (size_t i = 0; i < FIT_PARAMETERS; i++)
				all[(k * FIT_PARAMETERS + i) * n + b] = v[i];
		}
	}
	for (size_t k = 0; k < fit->nsegments && drawn && all && n; k++)
		set_intervals(in, &fit->seg[k], all + k * FIT_PARAMETERS * n, n);
	n = drawn && all;
	free(drawn);
	free(all);
	return n ? 0 : -1;
}

/*
 * Returns true if some value differs by more than rounding from the value of the first round at the
 * same size.
 */
static bool rounds_differ(const struct fit_input *in)
{
	for (int q = 0; q < FIT_SERIES; q++)
		for (size_t k = in->nsizes; k < in->nrounds * in->nsizes; k++)
			if (fabs(in->y[q][k] - in->y[q][k % in->nsizes]) >
			    SAME * fabs(in->y[q][k]))
				return true;
	return false;
}

/*
 * Removes all intervals if there are too few rounds. Values that are undetermined because of their
 * intervals stay NaN.
 */
static void drop_intervals_of_few_rounds(const struct fit_input *in, struct fit *fit)
{
	if (in->nrounds >= FIT_BOUNDED || !in->bootstraps || !rounds_differ(in))
		return;
	for (size_t k = 0; k < fit->nsegments; k++)
		for (size_t i = 0; i < FIT_PARAMETERS; i++)
			fit->seg[k].parameter[i].lo = fit->seg[k].parameter[i].hi = NAN;
}

int fit_estimate(const struct fit_input *in, struct fit *fit)
{
	size_t n = in->nsizes, most = FIT_SERIES * n + in->nrounds + n;
	double *memory = calloc(3 * FIT_SERIES * n + most, sizeof(*memory));
	double *room = memory ? memory + 3 * FIT_SERIES * n : NULL;
	struct points p = { .n = n, .x = in->size };
	int err = -1;

	*fit = (struct fit){ 0 };
	for (int q = 0; q < FIT_SERIES && memory; q++) {
		p.y[q] = memory + (size_t)(3 * q) * n;
		p.sigma[q] = memory + (size_t)(3 * q + 1) * n;
		p.w[q] = memory + (size_t)(3 * q + 2) * n;
	}
	if (memory && n >= FIT_FEWEST && in->nrounds >= 2) {
		set_medians_and_errors(in, &p, room);
		err = find_segments(&p, fit);
	}
	if (!err) {
		describe_segments(&p, fit, room);
		err = bootstrap_intervals(in, &p, fit, room);
	}
	for (size_t k = 0; k < fit->nsegments && !err; k++)
		drop_undetermined(&p, &fit->seg[k]);
	if (!err)
		drop_intervals_of_few_rounds(in, fit);
	free(memory);
	return err;
}

const struct fit_segment *fit_segment_of(const struct fit *fit, double size)
{
	size_t k = 0;

	while (k + 1 < fit->nsegments && size > fit->seg[k].upto)
		k++;
	return &fit->seg[k];
}

/*
 * Returns the distance, as in fit_is_before(), between the values y at a size and the lines of a
 * segment.
 */
static double distance_to_lines(const struct fit_segment *g, double size,
				const double y[FIT_SERIES])
{
	double sum = 0;

	for (int q = 0; q < FIT_SERIES; q++) {
		double d = (y[q] - g->line[q].a - g->line[q].b * size) / (0.01 * y[q]);

		if (!isnan(d))
			sum += fmin(9, d * d);
	}
	return sum;
}

bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES])
{
	return distance_to_lines(&seg[0], size, y) <= distance_to_lines(&seg[1], size, y);
}

struct loggp fit_loggp(const struct fit_segment *seg)
{
	return (struct loggp){ seg->L.v, seg->o_s.v, seg->o_r.v, seg->g.v, seg->G.v };
}
