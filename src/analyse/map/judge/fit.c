/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"

#define SIGMA_LEAST 0.001
#define SP_LEAST 0.002
#define HOSTS_LEAST 0.005	/* smallest standard error: hosts differ by this much anyway */
#define Z_SUSPECT 3.5
#define MANY_HOSTS 8		/* fewest hosts for medians of rounds, and for spreads over hosts */
#define ROUND_LEAST 8	/* fewest values of a round for a median */
#define SWEEPS 6
#define PASSES 8
/* medians of rounds are wrong if they raise the differences between visits by this factor */
#define ROUNDS_WORSE 1.5
#define ENOUGH 0.002		/* passes end when none changes a host by more than this */

/* ---- room ---- */

/* Allocates effects of n hosts. */
static struct effects make_effects(struct scratch *room, uint32_t n)
{
	struct effects e = { .values.width = n < FIT_SAMPLE ? n : FIT_SAMPLE };
	struct sample *s = &e.values;

	e.of = scratch_take(room, n, sizeof(*e.of));
	e.se = scratch_take(room, n, sizeof(*e.se));
	e.bad = scratch_take(room, n, sizeof(*e.bad));
	s->n = scratch_take(room, n, sizeof(*s->n));
	s->all = scratch_take(room, n, sizeof(*s->all));
	s->skipped = scratch_take(room, n, sizeof(*s->skipped));
	s->who = scratch_take(room, (size_t)n * s->width, sizeof(*s->who));
	s->x = scratch_take(room, (size_t)n * s->width, sizeof(*s->x));
	return e;
}

struct peers fit_make(const struct matrix *m, const struct rules *rules)
{
	struct peers f = { .m = m, .rules = rules, .room = rules->room, .n = m->n };
	size_t rounds = m->nrounds + 1;

	f.s = make_effects(f.room, f.n);
	f.r = make_effects(f.room, f.n);
	f.varies = scratch_take(f.room, f.n, sizeof(*f.varies));
	f.x = scratch_take(f.room, (size_t)f.n * f.n, sizeof(*f.x));
	f.c = scratch_take(f.room, m->nvisits * rounds, sizeof(*f.c));
	f.work = scratch_take(f.room, FIT_MANY + f.n, sizeof(*f.work));
	return f;
}

/* ---- common effects ---- */

struct pair_walk fit_walk(const struct peers *f, size_t values)
{
	size_t stride = (size_t)f->n * f->n * values / FIT_MANY;

	stride = stride ? (stride + 1) | 1 : 1;		/* an odd stride reaches all columns */
	return (struct pair_walk){ .n = f->n, .stride = stride, .at = -stride };
}

bool next_pair(struct pair_walk *w)
{
	w->at += w->stride;
	w->i = (uint32_t)(w->at / w->n);
	w->j = (uint32_t)(w->at % w->n);
	return w->i < w->n;
}

double fit_value(const struct peers *f, uint32_t visit, uint32_t i, uint32_t j)
{
	const struct matrix *m = f->m;
	size_t at = matrix_at(m, visit, i, j);

	return m->y[at] - f->c[visit * (m->nrounds + 1) + (m->round ? m->round[at] : m->nrounds)];
}

static int compare_floats(const void *a, const void *b)
{
	const float *x = a, *y = b;

	return order_doubles(*x, *y);
}

/* Median of a few values; NaN if there is none. */
static float median_of_few(float *x, uint32_t n)
{
	if (n == 3) {
		float low = x[0] < x[1] ? x[0] : x[1], high = x[0] < x[1] ? x[1] : x[0];

		return x[2] < low ? low : x[2] > high ? high : x[2];
	}
	if (n > 1)
		qsort(x, n, sizeof(*x), compare_floats);
	return !n ? NAN : n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Offers a value to the sample of a row, which takes evenly spaced values and skips the others. */
static void sample_add(struct sample *s, uint32_t at, uint32_t who, float x)
{
	s->skipped[at] += s->width;
	if (s->skipped[at] < s->all[at] || s->n[at] == s->width)
		return;
	s->skipped[at] -= s->all[at] < s->width ? s->width : s->all[at];
	s->who[sample_at(s, at, s->n[at])] = who;
	s->x[sample_at(s, at, s->n[at]++)] = x;
}

/* Begins a new sample. `all` must be set. Each row begins at a different column. */
static void sample_begin(struct sample *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		s->n[i] = 0;
		s->skipped[i] = s->all[i] > s->width ? i % s->all[i] : 0;
	}
}

/*
 * Sets x by (2): the median of a pair's visits minus their common effects. Then takes the samples
 * of x.
 */
static void set_visit_medians(struct peers *f)
{
	const struct matrix *m = f->m;
	size_t cells = (size_t)f->n * f->n, at = 0;
	float *few = (float *)f->work;

	memset(f->s.values.all, 0, f->n * sizeof(*f->s.values.all));
	memset(f->r.values.all, 0, f->n * sizeof(*f->r.values.all));
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n; j++, at++) {
			const double *c = f->c;
			size_t cell = at;
			uint32_t n = 0;

			for (uint32_t v = 0; v < m->nvisits && i != j; v++, cell += cells) {
				few[n] = m->y[cell] -
					 (float)c[m->round ? m->round[cell] : m->nrounds];
				n += few[n] == few[n];	/* skip NaN */
				c += m->nrounds + 1;
			}
			f->x[at] = median_of_few(few, n);
			f->s.values.all[i] += n > 0;
			f->r.values.all[j] += n > 0;
		}
	}
	sample_begin(&f->s.values, f->n);
	sample_begin(&f->r.values, f->n);
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n; j++) {
			float x = f->x[(size_t)i * f->n + j];

			if (!isnan(x)) {
				sample_add(&f->s.values, i, j, x);
				sample_add(&f->r.values, j, i, x);
			}
		}
	}
}

/* Sets c to the common effect of each visit, the same for all rounds of the visit. */
static void centre_visits(struct peers *f)
{
	const struct matrix *m = f->m;

	for (uint32_t v = 0; v < m->nvisits; v++) {
		double *c = f->c + v * (m->nrounds + 1), all;
		const float *y = m->y + matrix_at(m, v, 0, 0);
		size_t n = 0;

		for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);)
			if (!isnan(y[w.at]))
				f->work[n++] = y[w.at];
		all = select_median(f->work, n);
		for (uint32_t k = 0; k <= m->nrounds; k++)
			c[k] = all;
	}
}

void fit_centre_visits(struct peers *f)
{
	centre_visits(f);
	set_visit_medians(f);
}

/*
 * Takes up to FIT_SAMPLE values of each round of visit v. Writes them, minus the hosts' effects, to
 * rest[round], and their number to n[round].
 */
static void collect_round_residuals(const struct peers *f, uint32_t v, double *rest, uint32_t *n)
{
	const struct matrix *m = f->m;
	uint32_t step = m->n / FIT_SAMPLE + 1, *seen = n + m->nrounds, k;
	size_t at = matrix_at(m, v, 0, 0);

	memset(n, 0, 2 * (size_t)m->nrounds * sizeof(*n));
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = 0; j < m->n; j++, at++) {
			k = m->round[at];
			if (k == m->nrounds || isnan(m->y[at]) || seen[k]++ % step ||
			    n[k] == FIT_SAMPLE)
				continue;
			rest[(size_t)k * FIT_SAMPLE + n[k]++] = m->y[at] - f->s.of[i] - f->r.of[j];
		}
	}
}

/* Sets c for visits. Sets c for rounds from the values minus s and r. Then sets x. */
static void centre_rounds(struct peers *f)
{
	const struct matrix *m = f->m;
	struct scratch_piece *mark = f->room->last;
	double *rest = scratch_take(f->room, (size_t)m->nrounds * FIT_SAMPLE, sizeof(*rest));
	uint32_t *n = scratch_take(f->room, 2 * (size_t)m->nrounds, sizeof(*n));

	centre_visits(f);	/* values without a round keep the c of their visit */
	for (uint32_t v = 0; v < m->nvisits; v++) {
		collect_round_residuals(f, v, rest, n);
		for (uint32_t k = 0; k < m->nrounds; k++)
			if (n[k] >= ROUND_LEAST)
				f->c[v * (m->nrounds + 1) + k] =
					select_median(rest + (size_t)k * FIT_SAMPLE, n[k]);
	}
	scratch_free(f->room, mark);
	set_visit_medians(f);
}

/* ---- noise ---- */

double median_deviation(uint32_t nvisits)
{
	static const double k[] = { 1, 1, .707, .67, .60, .536 };

	return nvisits < LENGTH(k) ? k[nvisits] : 1.2533 / sqrt(nvisits);
}

/* Writes the differences between visits of a pair to f->work. Returns their number. */
static size_t collect_differences(const struct peers *f, bool both)
{
	uint32_t visits = f->m->nvisits;
	size_t differences = (size_t)visits * (visits - 1) / 2, n = 0;

	for (struct pair_walk w = fit_walk(f, differences); next_pair(&w);) {
		for (uint32_t v = 1; v < visits && w.i != w.j && !(both && w.i > w.j); v++) {
			for (uint32_t u = 0; u < v && n < FIT_MANY; u++) {
				double d = fit_value(f, v, w.i, w.j) - fit_value(f, u, w.i, w.j);

				if (both)
					d = (d + fit_value(f, v, w.j, w.i) -
					     fit_value(f, u, w.j, w.i)) / 2;
				if (!isnan(d))
					f->work[n++] = fabs(d);
			}
		}
	}
	return n;
}

double fit_noise(const struct peers *f, bool both)
{
	size_t n = collect_differences(f, both);

	return 1.4826 * select_median(f->work, n) / sqrt(2);
}

/* Returns the 80 % quantile of the differences between two visits of a pair; 0 for one visit. */
static double visit_difference_p80(const struct peers *f)
{
	size_t n = collect_differences(f, false);

	return n ? select_double(f->work, n, n * 4 / 5) : 0;
}

double fit_residual(const struct peers *f, uint32_t i, uint32_t j)
{
	return f->x[(size_t)i * f->n + j] - f->mu - f->s.of[i] - f->r.of[j];
}

/* Sets sigma by (3), and sp. With many hosts, sp is at least the MAD of the residuals of (4). */
static void estimate_noise(struct peers *f)
{
	bool quick = matrix_is_quick(f->m);
	double all = 0;
	size_t n = 0;

	if (quick || f->n >= MANY_HOSTS) {
		for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);) {
			f->work[n] = fit_residual(f, w.i, w.j);
			n += !isnan(f->work[n]);
		}
		all = spread(f->work, n, select_median(f->work, n));
	}
	f->sigma = fmax(SIGMA_LEAST, quick ? all : fit_noise(f, false));
	f->sp = fmax(fmax(SP_LEAST, f->sigma * median_deviation(f->m->nvisits)), all);
}

/* ---- hosts ---- */

/*
 * Returns the median, over a host's partners, of the host's values minus of[partner]. If `bad` is
 * not NULL, leaves out bad and unsteady partners.
 */
static double median_of_partners(struct peers *f, const struct sample *s, uint32_t at,
				 const double *of, const bool *bad)
{
	size_t n = 0;

	for (uint32_t k = 0; k < s->n[at]; k++) {
		uint32_t who = s->who[sample_at(s, at, k)];

		if (!bad || !(bad[who] || f->varies[who]))
			f->work[n++] = s->x[sample_at(s, at, k)] - (of ? of[who] : 0);
	}
	return select_median(f->work, n);
}

/*
 * Median over the hosts of x, without NaN. If `bad` is not NULL, leaves out bad and unsteady hosts.
 */
static double median_over_hosts(struct peers *f, const double *x, const bool *bad)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (!isnan(x[i]) && !(bad && (bad[i] || f->varies[i])))
			f->work[n++] = x[i];
	return select_median(f->work, n);
}

/* Makes half of a sweep of (4): estimates s from rows, or r from columns. */
static void estimate_host_effects(struct peers *f, struct effects *e, const struct effects *other)
{
	double centre;

	for (uint32_t i = 0; i < f->n; i++)
		e->of[i] = median_of_partners(f, &e->values, i, other->of, NULL) - f->mu;
	centre = median_over_hosts(f, e->of, NULL);
	if (isnan(centre))
		return;
	for (uint32_t i = 0; i < f->n; i++)
		/* 0: the host has met no other host */
		e->of[i] = isnan(e->of[i]) ? 0 : e->of[i] - centre;
	f->mu += centre;
}

/* Sets all effects of hosts to 0. */
static void clear_host_effects(struct peers *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		f->s.of[i] = f->r.of[i] = 0;
}

double fit_median_polish(struct peers *f)
{
	double change = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		/* keep the earlier effects in se, to see how they change */
		f->s.se[i] = f->s.of[i];
		f->r.se[i] = f->r.of[i];
	}
	f->mu = 0;
	clear_host_effects(f);
	for (int k = 0; k < SWEEPS; k++) {
		estimate_host_effects(f, &f->s, &f->r);
		estimate_host_effects(f, &f->r, &f->s);
	}
	estimate_noise(f);
	for (uint32_t i = 0; i < f->n; i++) {
		change = fmax(change, fabs(f->s.of[i] - f->s.se[i]));
		change = fmax(change, fabs(f->r.of[i] - f->r.se[i]));
	}
	return change;
}

void fit_all(struct peers *f)
{
	double change = INFINITY, largest;

	fit_centre_visits(f);
	if (!f->m->round || f->n < MANY_HOSTS) {
		fit_median_polish(f);
		return;
	}
	/*
	 * Effects of rounds depend on effects of hosts, and the reverse. So repeat (4) until
	 * nothing changes. Two passes are not enough if half of a round's pairs are slow.
	 */
	largest = visit_difference_p80(f);
	clear_host_effects(f);
	for (int pass = 0; pass < PASSES && (pass < 2 || change > ENOUGH); pass++) {
		centre_rounds(f);
		change = fit_median_polish(f);
	}
	/*
	 * with racks, chance decides whether a round's median is of pairs within racks or between
	 * them
	 */
	if (visit_difference_p80(f) > ROUNDS_WORSE * largest) {
		fit_centre_visits(f);
		fit_median_polish(f);
	}
}

/* Sets the standard errors of s from rows, or of r from columns. */
static void set_errors(struct peers *f, struct effects *e, const struct effects *other)
{
	const struct sample *s = &e->values;
	double hosts = HOSTS_LEAST * HOSTS_LEAST, typical;
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t partners = 0;

		for (uint32_t k = 0; k < s->n[i]; k++) {
			uint32_t who = s->who[sample_at(s, i, k)];

			partners += !(other->bad[who] || f->varies[who]);
		}
		e->se[i] = 1.57 * f->sp * f->sp / partners * (1 + 1.0 / (f->n - 1));	/* (5) */
	}
	typical = median_over_hosts(f, e->se, e->bad);
	for (uint32_t i = 0; i < f->n && f->n >= MANY_HOSTS; i++)
		if (s->n[i] && !e->bad[i] && !f->varies[i])
			f->work[n++] = e->of[i];
	if (n)
		hosts = fmax(hosts, pow(spread(f->work, n, 0), 2) - typical);
	for (uint32_t i = 0; i < f->n; i++)
		e->se[i] = sqrt(e->se[i] + hosts);					/* (6) */
}

void fit_errors(struct peers *f)
{
	set_errors(f, &f->s, &f->r);
	set_errors(f, &f->r, &f->s);
}

/* Marks as bad the hosts that are suspects by (7). */
void mark_suspects(struct peers *f)
{
	double least = f->rules->limits.host_suspect;

	for (uint32_t i = 0; i < f->n; i++) {
		f->s.bad[i] = -f->s.of[i] > fmax(least, Z_SUSPECT * f->s.se[i]);
		f->r.bad[i] = -f->r.of[i] > fmax(least, Z_SUSPECT * f->r.se[i]);
	}
}

/* Estimates s from rows, or r from columns, by (8). */
static void estimate_from_good_hosts(struct peers *f, struct effects *e,
				     const struct effects *other)
{
	double good;

	for (uint32_t i = 0; i < f->n; i++)
		e->of[i] = median_of_partners(f, &e->values, i, NULL, other->bad);
	good = median_over_hosts(f, e->of, e->bad);
	for (uint32_t i = 0; i < f->n; i++)
		e->of[i] = isnan(e->of[i]) ? 0 : e->of[i] - good;
}

void fit_to_good_hosts(struct peers *f)
{
	size_t n = 0;
	/* number of values of each row, so that all rows contribute */
	uint32_t room = FIT_MANY / f->n + 1;
	const struct sample *rows = &f->s.values;

	estimate_from_good_hosts(f, &f->s, &f->r);
	estimate_from_good_hosts(f, &f->r, &f->s);
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t k = 0; k < rows->n[i] && k < room; k++) {
			uint32_t j = rows->who[sample_at(rows, i, k)];

			if (!f->s.bad[i] && !f->varies[i] && !f->r.bad[j] && !f->varies[j])
				f->work[n++] = rows->x[sample_at(rows, i, k)];
		}
	}
	f->mu = n ? select_median(f->work, n < FIT_MANY ? n : FIT_MANY) : f->mu;
	fit_errors(f);
}

bool fit_is_good(const struct peers *f, uint32_t host)
{
	return !f->s.bad[host] && !f->r.bad[host] && !f->varies[host] &&
	       f->s.values.n[host] + f->r.values.n[host];
}

uint32_t fit_ngood(const struct peers *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n; i++)
		n += fit_is_good(f, i);
	return n;
}

double fit_expected(const struct peers *f, uint32_t i, uint32_t j)
{
	double s = f->s.of[i], r = f->r.of[j];

	if (!f->s.bad[i] && !f->r.bad[j])
		return f->mu + s + r;
	/* a pair is as fast as the slowest part of its path */
	return f->mu + fmin(s + r, fmin(s, r));
}
