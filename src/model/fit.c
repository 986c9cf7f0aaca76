/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/random.h"
#include "base/sort.h"
#include "model/nonnegative.h"

#define K 3.0			/* a point that is off by more counts no more (truncated loss) */
#define FLOOR 0.004		/* of a value, beside its spread */
#define LEAST_SIGMA 1e-12	/* s, of a value that is 0 */
#define NEIGHBOURS 4		/* sizes on either side over which errors are pooled */
#define L1_STEPS 8
#define TRIM_STEPS 4
#define BISQUARE 4.685
#define BISQUARE_STEPS 20
#define CENSOR 0.03		/* an interval this near to the processor's own time is that */
#define WIDEST 1.0		/* a time or length whose interval is wider is not determined, */
#define WIDEST_SLOPE 0.5	/* nor a slope or rate whose interval is wider than this */
#define ROUNDING 1e-9		/* of a half round trip: less than this is 0 */
#define IN_A_ROW 3		/* so many values that are off a line do not follow it */
#define FLAT 0.01 /* a line that rises by no more of its start over a segment has no rate */

const char *const fit_series_names[] = { "latency", "gap", "send", "receive", NULL };

/* One value and its error at each size, for each series. */
struct points {
	size_t n;
	const double *x;
	double *y[FIT_SERIES], *sigma[FIT_SERIES];
	double *w[FIT_SERIES];		/* weights of the last line through each segment */
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
		sigma[i] = fmax(fabs(y[i]) * (median(near, m) + FLOOR), LEAST_SIGMA);
	}
}

/* Medians over the rounds, or those drawn of them. */
static void take_medians(const struct fit_input *in, const struct points *p, int q,
			 const size_t *drawn, double *room)
{
	for (size_t i = 0; i < p->n; i++) {
		for (size_t r = 0; r < in->nrounds; r++)
			room[r] = in->y[q][(drawn ? drawn[r] : r) * p->n + i];
		p->y[q][i] = median(room, in->nrounds);
	}
}

/* Medians over the rounds, and their errors: 1.2533 * 1.4826 MAD / sqrt(R) (METHODS 2.3). */
static void reduce(const struct fit_input *in, const struct points *p, double *room)
{
	double *relative = room + in->nrounds;

	for (int q = 0; q < FIT_SERIES; q++) {
		take_medians(in, p, q, NULL, room);
		for (size_t i = 0; i < p->n; i++) {
			for (size_t r = 0; r < in->nrounds; r++)
				room[r] = in->y[q][r * p->n + i];
			relative[i] = 1.2533 * 1.4826 * mad(room, in->nrounds, p->y[q][i]) /
				      sqrt((double)in->nrounds) / fabs(p->y[q][i]);
		}
		pool(relative, p->n, p->y[q], p->sigma[q]);
	}
}

/* A line whose value at 1 byte and slope are not negative; both NaN without any weight. */
static struct linear physical_line(const double *x, const double *y, const double *w, size_t n)
{
	struct nonnegative e = { .n = 2 };
	double v[NONNEGATIVE_MOST];

	for (size_t i = 0; i < n; i++)
		nonnegative_add(&e, (double[]){ 1, x[i] - 1 }, y[i], w[i]);
	if (!(e.A[0][0] > 0))
		return (struct linear){ NAN, NAN };
	nonnegative_solve(&e, v);
	return (struct linear){ v[0] - v[1], v[1] };
}

/* ---- robust lines ---- */

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
		l = physical_line(x, y, w, n);
		for (size_t i = 0; i < n; i++) {
			double r = fabs(residual(l, x[i], y[i], sigma[i]));

			w[i] = 1 / (sigma[i] * sigma[i] * fmax(r, 1e-3));
		}
	}
	return l;
}

/*
 * The same, then least squares: over the points within K; with `room` Tukey's bisquare, scale by
 * MAD but no less than sigma itself says.
 */
static struct linear refined(const struct points *p, int q, size_t first, size_t n, double *room)
{
	const double *x = p->x + first, *y = p->y[q] + first, *sigma = p->sigma[q] + first;
	double *w = p->w[q] + first;
	struct linear l = least_absolute(x, y, sigma, w, n), better;

	for (int step = 0; step < (room ? BISQUARE_STEPS : TRIM_STEPS); step++) {
		double scale = K;

		for (size_t i = 0; i < n && room; i++)
			room[i] = residual(l, x[i], y[i], sigma[i]);
		if (room)
			scale = fmax(1.4826 * mad(room, n, 0), 0.5) * BISQUARE;
		for (size_t i = 0; i < n; i++) {
			double u = residual(l, x[i], y[i], sigma[i]) / scale;
			double v = room ? 1 - u * u : 1;

			w[i] = fabs(u) < 1 ? v * v / (sigma[i] * sigma[i]) : 0;
		}
		better = physical_line(x, y, w, n);
		if (isnan(better.a))
			break;
		l = better;
	}
	return l;
}

/* ---- segments ---- */

/* Of one line for each series over sizes i to j-1. */
static double cost(const struct points *p, size_t i, size_t j)
{
	double sum = 0;

	for (int q = 0; q < FIT_SERIES; q++) {
		struct linear l = refined(p, q, i, j - i, NULL);

		for (size_t k = i; k < j && !isnan(l.a); k++) {
			double r = residual(l, p->x[k], p->y[q][k], p->sigma[q][k]);

			if (!isnan(r))
				sum += fmin(r * r, K * K);
		}
	}
	return sum;
}

/* In k segments of sizes 0 to j-1: the least cost, and where the last one begins. */
struct search {
	size_t n;
	double *cost;			/* of a segment, [i * (n + 1) + j] */
	double *D[FIT_SEGMENTS + 1];	/* [k][j] */
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

/* Where a segment ends before it is bisected. */
static double between(const struct points *p, size_t end)
{
	return floor(sqrt(p->x[end - 1] * p->x[end]));
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
			g->upto = between(p, end);
		end = g->first;
	}
}

static int segment(const struct points *p, struct fit *fit)
{
	size_t width = p->n + 1;
	double *costs = calloc(width * (width + FIT_SEGMENTS + 1), sizeof(*costs));
	size_t *from = calloc(width * (FIT_SEGMENTS + 1), sizeof(*from));
	struct search s = { .n = p->n, .cost = costs };
	bool room = costs && from;

	for (size_t k = 0; k <= FIT_SEGMENTS && room; k++) {
		s.D[k] = costs + (width + k) * width;
		s.from[k] = from + k * width;
	}
	for (size_t i = 0; i < p->n && room; i++)
		for (size_t j = i + FIT_FEWEST; j <= p->n; j++)
			costs[i * width + j] = cost(p, i, j);
	if (room)
		find_segments(&s, p, fit);
	free(from);
	free(costs);
	return room ? 0 : -1;
}

/* ---- the lines of a segment, and LogGP's parameters ---- */

/* Each series by itself. */
static void fit_lines(const struct points *p, struct fit_segment *g, double *room)
{
	for (int q = 0; q < FIT_SERIES; q++) {
		struct linear l = refined(p, q, g->first, g->end - g->first, room);

		g->a[q] = l.a;
		g->b[q] = l.b;
	}
}

static double at_1_byte(const struct fit_segment *g, enum fit_series q)
{
	return g->a[q] + g->b[q];
}

static double L_of(const struct fit_segment *g)
{
	return at_1_byte(g, FIT_LATENCY) - at_1_byte(g, FIT_SEND) - at_1_byte(g, FIT_RECEIVE);
}

static double G_latency_of(const struct fit_segment *g)
{
	return g->b[FIT_LATENCY] - g->b[FIT_SEND] - g->b[FIT_RECEIVE];
}

/*
 * Where half the round trip has less than its send and receive, the lines with the least squares
 * among those in which L and G_latency are not negative.
 */
static void constrain(const struct points *p, struct fit_segment *g)
{
	static const struct {
		enum fit_series series;
		double holds[3];		/* o_s, o_r, L */
	} sums[] = { { FIT_LATENCY, { 1, 1, 1 } }, { FIT_SEND, { 1, 0, 0 } },
		     { FIT_RECEIVE, { 0, 1, 0 } } };
	struct nonnegative e = { .n = 6 };	/* o_s, o_r, L, then their costs per byte */
	double v[6], row[6];

	if (!(L_of(g) < 0 || G_latency_of(g) < 0))
		return;
	for (size_t k = 0; k < 3; k++)
		for (size_t i = g->first; i < g->end; i++) {
			enum fit_series q = sums[k].series;

			for (int j = 0; j < 3; j++) {
				row[j] = sums[k].holds[j];
				row[j + 3] = sums[k].holds[j] * (p->x[i] - 1);
			}
			nonnegative_add(&e, row, p->y[q][i], p->w[q][i]);
		}
	nonnegative_solve(&e, v);
	for (size_t k = 0; k < 3; k++) {
		double at1 = 0, b = 0;

		for (int j = 0; j < 3; j++) {
			at1 += sums[k].holds[j] * v[j];
			b += sums[k].holds[j] * v[j + 3];
		}
		g->a[sums[k].series] = at1 - b;
		g->b[sums[k].series] = b;
	}
}

#define PARAMETERS 12
#define LOGGP_PARAMETERS 8 /* the first; the others are those of two lines alone */

/* A line as t0 + n/r_inf; INFINITY if the time does not grow. */
static void hockney(const struct fit_segment *g, enum fit_series q, double *r_inf, double *n_half)
{
	*r_inf = g->b[q] > 0 ? 1 / g->b[q] : INFINITY;
	*n_half = g->b[q] > 0 ? g->a[q] / g->b[q] : INFINITY;
}

/* What is 0 at least but for rounding. */
static double not_negative(double v)
{
	return v < 0 ? 0 : v;
}

/* In the order of struct fit_segment; lines are taken at 1 byte (METHODS 2.3). */
static void parameters(const struct fit_segment *g, double v[PARAMETERS])
{
	v[0] = not_negative(L_of(g));
	v[1] = not_negative(at_1_byte(g, FIT_SEND));
	v[2] = g->b[FIT_SEND];
	v[3] = not_negative(at_1_byte(g, FIT_RECEIVE));
	v[4] = g->b[FIT_RECEIVE];
	v[5] = not_negative(at_1_byte(g, FIT_GAP));
	v[6] = g->b[FIT_GAP];
	v[7] = not_negative(G_latency_of(g));
	hockney(g, FIT_GAP, &v[8], &v[9]);
	hockney(g, FIT_LATENCY, &v[10], &v[11]);
}

static struct fit_value *value_of(struct fit_segment *g, int i)
{
	return (struct fit_value *[PARAMETERS]){
		&g->L, &g->o_s, &g->O_s, &g->o_r, &g->O_r, &g->g, &g->G, &g->G_latency,
		&g->r_inf, &g->n_half, &g->r_inf_latency, &g->n_half_latency }[i];
}

/* ---- what they are worth ---- */

/*
 * What a segment says of a series at a size: its line; of the interval in LogGP no less than the
 * sender's and the receiver's time (METHODS 2.2).
 */
static double said(const struct fit_segment *g, enum fit_series q, double size, bool in_loggp)
{
	double y = g->a[q] + g->b[q] * size;

	if (q != FIT_GAP || !in_loggp || isnan(y))
		return y;
	return fmax(y, fmax(said(g, FIT_SEND, size, true), said(g, FIT_RECEIVE, size, true)));
}

/* By more than what is near, or than the error explains. */
static bool is_off(const struct points *p, const struct fit_segment *g, enum fit_series q, size_t i,
		   bool in_loggp)
{
	double y = fabs(p->y[q][i]), error = K * p->sigma[q][i];
	double near = fmax(FIT_NEAR * y, fmin(error, FIT_FAR * y + LEAST_SIGMA));

	return fabs(said(g, q, p->x[i], in_loggp) - p->y[q][i]) > near;
}

/* See struct fit_segment. A series without values contradicts nothing. */
static bool follows(const struct points *p, const struct fit_segment *g, enum fit_series q,
		    bool in_loggp)
{
	size_t off = 0, in_a_row = 0;

	for (size_t i = g->first; i < g->end; i++) {
		in_a_row = is_off(p, g, q, i, in_loggp) ? in_a_row + 1 : 0;
		off += in_a_row > 0;
		if (in_a_row == IN_A_ROW)
			return false;
	}
	return 4 * off <= g->end - g->first;
}

/* Whether all series do what a segment says. */
static bool all_follow(const struct points *p, struct fit_segment *g, bool in_loggp)
{
	bool all = true;

	for (int q = 0; q < FIT_SERIES; q++) {
		g->follows[q] = follows(p, g, (enum fit_series)q, in_loggp);
		all = all && g->follows[q];
	}
	return all;
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
			room[n] = fabs(r) * p->sigma[q][i] / fmax(fabs(p->y[q][i]), LEAST_SIGMA);
			g->residual_max = fmax(g->residual_max, room[n++]);
		}
	g->lack_of_fit = n ? squares / (double)n : NAN;
	g->residual_p50 = median(room, n);
	g->censored = is_censored(p, g);
}

/* Less than this are a time and a cost per byte that are 0 but for rounding. */
static double least_time(const struct fit_segment *g)
{
	return ROUNDING * at_1_byte(g, FIT_LATENCY);
}

static double least_slope(const struct points *p, const struct fit_segment *g)
{
	return least_time(g) / p->x[g->end - 1];
}

/* Lines of LogGP's parameters if LogGP describes the segment, else those nearest to each series. */
static void describe(const struct points *p, struct fit_segment *g, double *room)
{
	struct fit_segment each;

	fit_lines(p, g, room);
	g->L_at_0 = L_of(g) < -least_time(g);
	g->G_latency_at_0 = G_latency_of(g) < -least_slope(p, g);
	each = *g;
	constrain(p, g);
	g->described = all_follow(p, g, true);
	if (!g->described) {
		*g = each;
		all_follow(p, g, false);
	}
}

/*
 * Joins neighbouring segments that LogGP does not describe, where that loses no line of half the
 * round trip: too many switches are those of a curve.
 */
static void join(const struct points *p, struct fit *fit, double *room)
{
	for (size_t k = 1; k < fit->nsegments; k++) {
		struct fit_segment *g = &fit->seg[k], both = *g;

		if (g[-1].described || g->described)
			continue;
		both.first = g[-1].first;
		describe(p, &both, room);
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
 * Sets the longest part from a segment's start on that LogGP describes, which leaves enough for
 * another segment. False if there is none.
 */
static bool described_part(const struct points *p, const struct fit_segment *g,
			   struct fit_segment *part, double *room)
{
	for (size_t end = g->end - FIT_FEWEST; end >= g->first + FIT_FEWEST; end--) {
		bool fits;

		*part = (struct fit_segment){ .first = g->first, .end = end,
					      .upto = between(p, end) };
		describe(p, part, room);
		fits = part->described;
		for (enum fit_series q = 0; q < FIT_SERIES; q++)
			fits = fits && !is_off(p, part, q, end - 1, true);
		if (fits)
			return true;
	}
	return false;
}

/* So that where the description ends is known. */
static void split(const struct points *p, struct fit *fit, double *room)
{
	for (size_t k = 0; k < fit->nsegments && fit->nsegments < FIT_SEGMENTS; k++) {
		struct fit_segment *g = &fit->seg[k], part;

		if (g->described || g->end - g->first < 2 * FIT_FEWEST ||
		    !described_part(p, g, &part, room))
			continue;
		memmove(g + 1, g, (fit->nsegments - k) * sizeof(*g));
		fit->nsegments++;
		*g = part;
		g[1].first = part.end;
		describe(p, &g[1], room);
	}
}

static void describe_all(const struct points *p, struct fit *fit, double *room)
{
	double v[PARAMETERS];

	for (size_t k = 0; k < fit->nsegments; k++)
		describe(p, &fit->seg[k], room);
	join(p, fit, room);
	split(p, fit, room);
	for (size_t k = 0; k < fit->nsegments; k++) {
		struct fit_segment *g = &fit->seg[k];

		parameters(g, v);
		for (int i = 0; i < PARAMETERS; i++)
			*value_of(g, i) = (struct fit_value){ v[i], v[i], v[i] };
		judge(p, g, room);
	}
}

/* ---- intervals ---- */

/* The middle 95 % of the values of all bootstraps, widened by the error that a series shares. */
static void intervals(const struct fit_input *in, struct fit_segment *g, double *all, size_t n)
{
	const double *e = in->systematic_s;
	double shared[PARAMETERS] = { [0] = e[FIT_LATENCY] + e[FIT_SEND] + e[FIT_RECEIVE],
				      [1] = e[FIT_SEND], [3] = e[FIT_RECEIVE], [5] = e[FIT_GAP] };

	for (int i = 0; i < PARAMETERS; i++, all += n) {
		struct fit_value *v = value_of(g, i);

		if (isnan(v->v))
			continue;
		sort_doubles(all, n);
		v->lo = all[(size_t)(0.025 * (double)(n - 1))] - shared[i];
		v->hi = all[(size_t)ceil(0.975 * (double)(n - 1))] + shared[i];
		v->lo = fmax(fmin(v->lo, v->v), 0);
		v->hi = fmax(fmax(v->hi, v->v), v->lo);
	}
}

/* Removes a value whose interval is too wide to determine it; up to `least` all of it is 0. */
static void forget_vague(struct fit_value *v, double widest, double least)
{
	if (v->hi <= least)
		*v = (struct fit_value){ 0, 0, 0 };
	else if (v->hi - v->lo > widest * v->v || !isfinite(v->v))
		v->v = NAN;
}

/* The same of a line's rate, also where the line is flat; there is no length without a rate. */
static void forget_rate(const struct points *p, const struct fit_segment *g, enum fit_series q,
			struct fit_value *r_inf, struct fit_value *n_half)
{
	forget_vague(r_inf, WIDEST_SLOPE, -INFINITY);
	if (!(g->b[q] * (p->x[g->end - 1] - p->x[g->first]) > FLAT * fabs(g->a[q])) ||
	    !g->follows[q])
		r_inf->v = NAN;
	forget_vague(n_half, WIDEST, -INFINITY);
	if (isnan(r_inf->v) || n_half->v < 0)
		n_half->v = NAN;
}

static void forget(const struct points *p, struct fit_segment *g)
{
	struct fit_value *times[] = { &g->L, &g->o_s, &g->o_r, &g->g };
	struct fit_value *slopes[] = { &g->O_s, &g->O_r, &g->G, &g->G_latency };

	for (int i = 0; i < LOGGP_PARAMETERS && !g->described; i++)
		*value_of(g, i) = (struct fit_value){ NAN, NAN, NAN };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		forget_vague(times[i], WIDEST, least_time(g));
	for (size_t i = 0; i < sizeof(slopes) / sizeof(slopes[0]); i++)
		forget_vague(slopes[i], WIDEST_SLOPE, least_slope(p, g));
	if (g->censored && !(g->G.v > 0))	/* the processor's interval hides it */
		g->G.v = NAN;
	if (g->L_at_0)
		g->L.v = NAN;
	if (g->G_latency_at_0)
		g->G_latency.v = NAN;
	forget_rate(p, g, FIT_GAP, &g->r_inf, &g->n_half);
	forget_rate(p, g, FIT_LATENCY, &g->r_inf_latency, &g->n_half_latency);
}

static int bootstrap(const struct fit_input *in, const struct points *p, struct fit *fit,
		     double *room)
{
	size_t n = in->bootstraps, *drawn = calloc(in->nrounds, sizeof(*drawn));
	double *all = calloc(fit->nsegments * PARAMETERS * n + 1, sizeof(*all)), v[PARAMETERS];
	struct rng rng;

	rng_seed(&rng, in->seed);
	for (size_t b = 0; b < n && drawn && all; b++) {
		for (int q = 0; q < FIT_SERIES; q++) {
			for (size_t r = 0; r < in->nrounds; r++)
				drawn[r] = rng_next(&rng) % in->nrounds;
			take_medians(in, p, q, drawn, room);
		}
		for (size_t k = 0; k < fit->nsegments; k++) {
			struct fit_segment g = fit->seg[k];

			fit_lines(p, &g, room);
			if (g.described)
				constrain(p, &g);
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
		reduce(in, &p, room);
		err = segment(&p, fit);
	}
	if (!err) {
		describe_all(&p, fit, room);
		err = bootstrap(in, &p, fit, room);
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

struct loggp fit_loggp(const struct fit_segment *seg)
{
	return (struct loggp){ seg->L.v, seg->o_s.v, seg->o_r.v, seg->g.v, seg->G.v };
}
