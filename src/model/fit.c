/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/random.h"
#include "base/sort.h"

#define K 3.0			/* a point that is off by more counts no more (truncated loss) */
#define FLOOR 0.004		/* of a value, beside its spread */
#define NEIGHBOURS 4		/* sizes on either side over which errors are pooled */
#define L1_STEPS 8
#define TRIM_STEPS 4
#define BISQUARE 4.685
#define BISQUARE_STEPS 20
#define CENSOR 0.03		/* an interval this near to the processor's own time is that */
#define WIDEST 0.5		/* a slope whose interval is wider, relative, is not identified */
#define FLAT 0.01 /* a line that rises by no more of its start over a segment has no rate */

const char *const fit_series_names[] = { "latency", "gap", "send", "receive", NULL };

/* One value and its error at each size, for each series. */
struct points {
	size_t n;
	const double *x;
	double *y[FIT_SERIES], *sigma[FIT_SERIES];
};

static double mad(double *x, size_t n, double centre)
{
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - centre);
	return median(x, n);
}

/* Ten rounds give a noisy MAD: the relative errors of neighbouring sizes are pooled. */
static void pool(const double *relative, size_t n, const double *y, double *sigma)
{
	double near[2 * NEIGHBOURS + 1];

	for (size_t i = 0; i < n; i++) {
		size_t m = 0;

		for (size_t j = i < NEIGHBOURS ? 0 : i - NEIGHBOURS; j < n && j <= i + NEIGHBOURS;)
			near[m++] = relative[j++];
		sigma[i] = fabs(y[i]) * (median(near, m) + FLOOR);
	}
}

/* Medians over the rounds, and their errors: 1.2533 * 1.4826 MAD / sqrt(R) (METHODS 2.3). */
static void reduce(const struct fit_input *in, const struct points *p, double *room)
{
	double *relative = room + in->nrounds;

	for (int q = 0; q < FIT_SERIES; q++) {
		for (size_t i = 0; i < p->n; i++) {
			for (size_t r = 0; r < in->nrounds; r++)
				room[r] = in->y[q][r * p->n + i];
			p->y[q][i] = median(room, in->nrounds);
			for (size_t r = 0; r < in->nrounds; r++)
				room[r] = in->y[q][r * p->n + i];
			relative[i] = 1.2533 * 1.4826 * mad(room, in->nrounds, p->y[q][i]) /
				      sqrt((double)in->nrounds) / fabs(p->y[q][i]);
		}
		pool(relative, p->n, p->y[q], p->sigma[q]);
	}
}

static double residual(struct linear l, double x, double y, double sigma)
{
	return (y - l.a - l.b * x) / sigma;
}

/* Weighted L1 by reweighting. */
static struct linear least_absolute(const double *x, const double *y, const double *sigma,
				    double *w, size_t n)
{
	struct linear l = { 0 };

	for (size_t i = 0; i < n; i++)
		w[i] = 1 / (sigma[i] * sigma[i]);
	for (int step = 0; step < L1_STEPS; step++) {
		l = line_least_squares(x, y, w, n);
		for (size_t i = 0; i < n; i++) {
			double r = fabs(residual(l, x[i], y[i], sigma[i]));

			w[i] = 1 / (sigma[i] * sigma[i] * fmax(r, 1e-3));
		}
	}
	return l;
}

/* The same, then least squares over the points within K. */
static struct linear trimmed(const double *x, const double *y, const double *sigma, double *w,
			     size_t n)
{
	struct linear l = least_absolute(x, y, sigma, w, n), better;

	for (int step = 0; step < TRIM_STEPS; step++) {
		for (size_t i = 0; i < n; i++)
			w[i] = fabs(residual(l, x[i], y[i], sigma[i])) < K ?
				       1 / (sigma[i] * sigma[i]) : 0;
		better = line_least_squares(x, y, w, n);
		if (isnan(better.a))
			break;
		l = better;
	}
	return l;
}

/* Tukey's bisquare from an L1 start, scale by MAD but no less than sigma itself says. */
static struct linear bisquare(const double *x, const double *y, const double *sigma, double *w,
			      double *room, size_t n)
{
	struct linear l = least_absolute(x, y, sigma, w, n), better;

	for (int step = 0; step < BISQUARE_STEPS; step++) {
		double scale;

		for (size_t i = 0; i < n; i++)
			room[i] = residual(l, x[i], y[i], sigma[i]);
		scale = fmax(1.4826 * mad(room, n, 0), 0.5) * BISQUARE;
		for (size_t i = 0; i < n; i++) {
			double u = residual(l, x[i], y[i], sigma[i]) / scale, v = 1 - u * u;

			w[i] = fabs(u) < 1 ? v * v / (sigma[i] * sigma[i]) : 0;
		}
		better = line_least_squares(x, y, w, n);
		if (isnan(better.a))
			break;
		l = better;
	}
	return l;
}

/* Of one line for each series over sizes i to j-1. */
static double cost(const struct points *p, size_t i, size_t j, double *w)
{
	double sum = 0;

	for (int q = 0; q < FIT_SERIES; q++) {
		const double *y = p->y[q] + i, *sigma = p->sigma[q] + i;
		struct linear l = trimmed(p->x + i, y, sigma, w, j - i);

		for (size_t k = 0; k < j - i && !isnan(l.a); k++) {
			double r = residual(l, p->x[i + k], y[k], sigma[k]);

			if (!isnan(r))
				sum += fmin(r * r, K * K);
		}
	}
	return sum;
}

/* D[k][j]: the least cost of sizes 0 to j-1 in k segments; from[k][j]: where the last begins. */
struct search {
	size_t n;
	double *cost;			/* [i * (n + 1) + j] */
	double *D[FIT_SEGMENTS + 1];
	size_t *from[FIT_SEGMENTS + 1];
};

static void best_cuts(struct search *s)
{
	for (size_t k = 1; k <= FIT_SEGMENTS; k++)
		for (size_t j = 0; j <= s->n; j++) {
			s->D[k][j] = INFINITY;
			for (size_t i = 0; i + FIT_FEWEST <= j; i++) {
				double d = (k == 1 ? (i ? INFINITY : 0) : s->D[k - 1][i]) +
					   s->cost[i * (s->n + 1) + j];

				if (d < s->D[k][j]) {
					s->D[k][j] = d;
					s->from[k][j] = i;
				}
			}
		}
}

/* By BIC with 2 parameters a line and one a switch (METHODS 2.3). */
static size_t best_count(const struct search *s)
{
	double best = INFINITY;
	size_t count = 1;

	for (size_t k = 1; k <= FIT_SEGMENTS; k++) {
		double parameters = 2.0 * FIT_SERIES * (double)k + (double)(k - 1);
		double bic = s->D[k][s->n] + parameters * log((double)(s->n * FIT_SERIES));

		if (bic < best) {
			best = bic;
			count = k;
		}
	}
	return count;
}

static void find_segments(struct search *s, const struct points *p, struct fit *fit)
{
	size_t end = s->n;

	best_cuts(s);
	fit->nsegments = best_count(s);
	for (size_t k = fit->nsegments; k > 0; k--) {
		struct fit_segment *g = &fit->seg[k - 1];

		*g = (struct fit_segment){ .first = s->from[k][end], .end = end, .upto = INFINITY };
		if (end < s->n)
			g->upto = floor(sqrt(p->x[end - 1] * p->x[end])); /* until it is bisected */
		end = g->first;
	}
}

static int segment(const struct points *p, struct fit *fit, double *w)
{
	struct search s = { .n = p->n, .cost = calloc((p->n + 1) * (p->n + 1), sizeof(double)) };
	int err = s.cost ? 0 : -1;

	for (size_t k = 0; k <= FIT_SEGMENTS; k++) {
		s.D[k] = calloc(p->n + 1, sizeof(double));
		s.from[k] = calloc(p->n + 1, sizeof(size_t));
		if (!s.D[k] || !s.from[k])
			err = -1;
	}
	for (size_t i = 0; i < p->n && !err; i++)
		for (size_t j = i + FIT_FEWEST; j <= p->n; j++)
			s.cost[i * (p->n + 1) + j] = cost(p, i, j, w);
	if (!err)
		find_segments(&s, p, fit);
	for (size_t k = 0; k <= FIT_SEGMENTS; k++) {
		free(s.D[k]);
		free(s.from[k]);
	}
	free(s.cost);
	return err;
}

static void fit_lines(const struct points *p, struct fit_segment *g, double *w, double *room)
{
	for (int q = 0; q < FIT_SERIES; q++) {
		size_t at = g->first;
		struct linear l = bisquare(p->x + at, p->y[q] + at, p->sigma[q] + at, w, room,
					   g->end - at);

		g->a[q] = l.a;
		g->b[q] = l.b;
	}
}

#define PARAMETERS 12

/* A line as t0 + n/r_inf; INFINITY if the time does not grow. */
static void hockney(const struct fit_segment *g, enum fit_series q, double *r_inf, double *n_half)
{
	*r_inf = g->b[q] > 0 ? 1 / g->b[q] : INFINITY;
	*n_half = g->b[q] > 0 ? g->a[q] / g->b[q] : INFINITY;
}

/* In the order of struct fit_segment; lines are taken at 1 byte (METHODS 2.3). */
static void parameters(const struct fit_segment *g, double v[PARAMETERS])
{
	double at1[FIT_SERIES];

	for (int q = 0; q < FIT_SERIES; q++)
		at1[q] = g->a[q] + g->b[q];
	v[0] = at1[FIT_LATENCY] - at1[FIT_SEND] - at1[FIT_RECEIVE];
	v[1] = at1[FIT_SEND];
	v[2] = g->b[FIT_SEND];
	v[3] = at1[FIT_RECEIVE];
	v[4] = g->b[FIT_RECEIVE];
	v[5] = at1[FIT_GAP];
	v[6] = g->b[FIT_GAP];
	v[7] = g->b[FIT_LATENCY] - g->b[FIT_SEND] - g->b[FIT_RECEIVE];
	hockney(g, FIT_GAP, &v[8], &v[9]);
	hockney(g, FIT_LATENCY, &v[10], &v[11]);
}

static struct fit_value *value_of(struct fit_segment *g, int i)
{
	return (struct fit_value *[PARAMETERS]){
		&g->L, &g->o_s, &g->O_s, &g->o_r, &g->O_r, &g->g, &g->G, &g->G_latency,
		&g->r_inf, &g->n_half, &g->r_inf_latency, &g->n_half_latency }[i];
}

/* True if most intervals are the processor's own time: they say nothing of the network then. */
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

static void judge(const struct points *p, struct fit_segment *g, double *room)
{
	size_t n = 0;
	double squares = 0;

	g->residual_max = 0;
	for (int q = 0; q < FIT_SERIES; q++)
		for (size_t i = g->first; i < g->end; i++) {
			struct linear l = { g->a[q], g->b[q] };
			double r = residual(l, p->x[i], p->y[q][i], p->sigma[q][i]);

			if (isnan(r))
				continue;
			squares += r * r;
			g->outliers += fabs(r) > K;
			room[n] = fabs(r) * p->sigma[q][i] / fabs(p->y[q][i]);
			g->residual_max = fmax(g->residual_max, room[n++]);
		}
	g->lack_of_fit = n ? squares / (double)n : NAN;
	g->residual_p50 = median(room, n);
	g->censored = is_censored(p, g);
}

/* Medians of rounds drawn with replacement, for each series by itself. */
static void resample(const struct fit_input *in, const struct points *p, struct rng *rng,
		     size_t *drawn, double *room)
{
	for (int q = 0; q < FIT_SERIES; q++) {
		for (size_t r = 0; r < in->nrounds; r++)
			drawn[r] = rng_next(rng) % in->nrounds;
		for (size_t i = 0; i < p->n; i++) {
			for (size_t r = 0; r < in->nrounds; r++)
				room[r] = in->y[q][drawn[r] * p->n + i];
			p->y[q][i] = median(room, in->nrounds);
		}
	}
}

/* The middle 95 % of the values of all bootstraps, widened by the error that a series shares. */
static void intervals(const struct fit_input *in, struct fit_segment *g, double *all, size_t n)
{
	const double *e = in->systematic_s;
	double shared[PARAMETERS] = { [0] = e[FIT_LATENCY] + e[FIT_SEND] + e[FIT_RECEIVE],
				      [1] = e[FIT_SEND], [3] = e[FIT_RECEIVE], [5] = e[FIT_GAP] };

	for (int i = 0; i < PARAMETERS; i++, all += n) {
		struct fit_value *v = value_of(g, i);

		sort_doubles(all, n);
		v->lo = all[(size_t)(0.025 * (double)(n - 1))] - shared[i];
		v->hi = all[(size_t)ceil(0.975 * (double)(n - 1))] + shared[i];
	}
}

/* Removes a value whose interval is too wide to identify it. */
static void forget_vague(struct fit_value *v)
{
	if (v->hi - v->lo > WIDEST * fabs(v->v) || !isfinite(v->v))
		v->v = NAN;
}

/* The same of a line's rate, also where the line is flat; there is no length without a rate. */
static void forget_rate(const struct points *p, const struct fit_segment *g, enum fit_series q,
			struct fit_value *r_inf, struct fit_value *n_half)
{
	forget_vague(r_inf);
	if (!(g->b[q] * (p->x[g->end - 1] - p->x[g->first]) > FLAT * fabs(g->a[q])))
		r_inf->v = NAN;
	if (isnan(r_inf->v) || n_half->v < 0)
		n_half->v = NAN;
}

static void forget(const struct points *p, struct fit_segment *g)
{
	struct fit_value *slopes[] = { &g->O_s, &g->O_r, &g->G, &g->G_latency };

	for (size_t i = 0; i < sizeof(slopes) / sizeof(slopes[0]); i++)
		forget_vague(slopes[i]);
	forget_rate(p, g, FIT_GAP, &g->r_inf, &g->n_half);
	forget_rate(p, g, FIT_LATENCY, &g->r_inf_latency, &g->n_half_latency);
}

static int bootstrap(const struct fit_input *in, const struct points *p, struct fit *fit, double *w,
		     double *room)
{
	size_t n = in->bootstraps, *drawn = calloc(in->nrounds, sizeof(*drawn));
	double *all = calloc(fit->nsegments * PARAMETERS * n + 1, sizeof(*all)), v[PARAMETERS];
	struct rng rng;

	rng_seed(&rng, in->seed);
	for (size_t b = 0; b < n && drawn && all; b++) {
		resample(in, p, &rng, drawn, room);
		for (size_t k = 0; k < fit->nsegments; k++) {
			struct fit_segment g = fit->seg[k];

			fit_lines(p, &g, w, room);
			parameters(&g, v);
			for (size_t i = 0; i < PARAMETERS; i++)
				all[(k * PARAMETERS + i) * n + b] = v[i];
		}
	}
	for (size_t k = 0; k < fit->nsegments && drawn && all && n; k++)
		intervals(in, &fit->seg[k], all + k * PARAMETERS * n, n);
	n = drawn && all;
	free(drawn);
	free(all);
	return n ? 0 : -1;
}

static void describe(const struct points *p, struct fit *fit, double *w, double *room)
{
	double v[PARAMETERS];

	for (size_t k = 0; k < fit->nsegments; k++) {
		struct fit_segment *g = &fit->seg[k];

		fit_lines(p, g, w, room);
		parameters(g, v);
		for (int i = 0; i < PARAMETERS; i++)
			*value_of(g, i) = (struct fit_value){ v[i], NAN, NAN };
		judge(p, g, room);
	}
}

int fit_estimate(const struct fit_input *in, struct fit *fit)
{
	size_t n = in->nsizes, most = FIT_SERIES * n + in->nrounds + n;
	double *memory = calloc(2 * FIT_SERIES * n + n + most, sizeof(*memory));
	double *w = memory ? memory + 2 * FIT_SERIES * n : NULL, *room = w ? w + n : NULL;
	struct points p = { .n = n, .x = in->size };
	int err = -1;

	*fit = (struct fit){ 0 };
	for (int q = 0; q < FIT_SERIES && memory; q++) {
		p.y[q] = memory + (size_t)(2 * q) * n;
		p.sigma[q] = memory + (size_t)(2 * q + 1) * n;
	}
	if (memory && n >= FIT_FEWEST && in->nrounds >= 2) {
		reduce(in, &p, room);
		err = segment(&p, fit, w);
	}
	if (!err) {
		describe(&p, fit, w, room);
		err = bootstrap(in, &p, fit, w, room);
	}
	for (size_t k = 0; k < fit->nsegments && !err; k++)
		forget(&p, &fit->seg[k]);
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

double fit_predict(const struct fit *fit, enum fit_series series, double size)
{
	const struct fit_segment *g = fit_segment_of(fit, size);

	return g->a[series] + g->b[series] * size;
}

/* How far values are from a segment's lines. */
static double distance(const struct fit_segment *g, double size, const double y[FIT_SERIES])
{
	double sum = 0;

	for (int q = 0; q < FIT_SERIES; q++) {
		double d = (y[q] - g->a[q] - g->b[q] * size) / (0.01 * y[q]);

		if (!isnan(d))
			sum += fmin(9, d * d);
	}
	return sum;
}

bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES])
{
	return distance(&seg[0], size, y) <= distance(&seg[1], size, y);
}

static double known(double v)
{
	return v > 0 ? v : 0;
}

struct loggp fit_loggp(const struct fit_segment *seg)
{
	return (struct loggp){ known(seg->L.v), known(seg->o_s.v), known(seg->o_r.v),
			       known(seg->g.v), known(seg->G.v) };
}
