/* SPDX-License-Identifier: Apache-2.0 */
/* The ratio of the values of two rows, its interval, and the verdict that follows from it. */
#include "analyse/compare/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/sort.h"
#include "result/reader.h"

#define FEWEST 6	/* repetitions for an interval */
#define DRAWS 20000
#define SEED 1
#define QUANTILE 1.959963984540054	/* the normal distribution's 97.5 % point */
#define EXACT 1e-9	/* exact ratios this close to 1 do not differ: rounding errors */

const char *const method_names[] = { "", "exact", "intervals", "bootstrap", "epochs", "pairs" };
const char *const outcome_names[] = { "", "faster", "slower", "no difference seen" };

/* The value of a row, and its uncertainty. */
struct estimate {
	double value;			/* of the measure; NaN: none */
	bool exact;
	struct interval interval;	/* of a time, divided by it; NaN: none */
	/*
	 * Times of the repetitions, or the medians of the iterations in each. Empty if they are too
	 * few for an interval, or if visits disagree.
	 */
	struct series samples;
	struct series epochs;	/* medians of consecutive parts, if repetitions are correlated */
	bool depends;			/* repetitions are correlated */
};

static double positive(const json_t *row, enum column_id id)
{
	double v = row_number(row, id);

	return v > 0 && isfinite(v) ? v : NAN;
}

static bool is_of_median_time(enum column_id id)
{
	return column_role(id) >= ROLE_MEDIAN && !column_is_single(id);
}

/* From the measure's own bounds; for the median time from bounds of any column made of it. */
static struct interval interval_of(const json_t *row, const struct measure *m)
{
	for (enum column_id id = 0; id < NCOLUMNS; id++) {
		const char *name = columns[id].name;
		double v, lo, hi;

		if (id != m->id && !(is_of_median_time(id) && is_of_median_time(m->id)))
			continue;
		v = positive(row, id);
		lo = result_part(row, name, "lo");
		hi = result_part(row, name, "hi");
		if (lo > 0 && lo <= v && v <= hi)
			return unit_is_rate(columns[id].unit) ? (struct interval){ v / hi, v / lo }
							      : (struct interval){ lo / v, hi / v };
	}
	return (struct interval){ NAN, NAN };
}

static void read_estimate(struct estimate *e, const json_t *doc, const json_t *row,
			  const struct measure *m)
{
	const json_t *all;
	json_t *v;
	size_t i;
	bool single = column_is_single(m->id);
	/* samples of all visits together say too much if these disagree */
	bool apart = single ? row_number(row, COL_VISITS) > 1
			    : !strcmp(row_text(row, COL_CI_METHOD), ci_method_names[CI_VISITS]);

	*e = (struct estimate){ .value = positive(row, m->id),
				.exact = result_is_computed(doc),
				.interval = interval_of(row, m) };
	if (e->exact) {
		e->interval = (struct interval){ 1, 1 };
		series_push(&e->samples, 1); /* any number: only its ratio to the median counts */
		return;
	}
	all = column_role(m->id) < ROLE_MEDIAN || apart ? NULL
	      : result_at(row, single ? "samples.iteration_p50_s" : "samples.time_s");
	json_array_foreach(all, i, v)
		if (!(json_number_value(v) > 0) || series_push(&e->samples, json_number_value(v)))
			break;
	if (i < json_array_size(all) || e->samples.n < FEWEST)
		series_free(&e->samples);
	e->depends = series_depends(&e->samples);
	if (!e->depends || !series_epochs(&e->samples, &e->epochs))
		return;
	series_free(&e->epochs);
	if (!single)		/* else the row's own says how far they reach */
		e->interval = (struct interval){ NAN, NAN };
}

/* The interval of a ratio of times, divided by the ratio, and its p-value, into `out`. */
static enum method choose_interval(const struct estimate e[2], const struct measure *m,
				   double slower, struct ratio *out)
{
	/* the repetitions, or their epochs' medians; empty if there are too few */
	const struct series *draw[2];
	struct interval *i = &out->interval;
	double bound;

	*out = (struct ratio){ { 1, 1 }, NAN };
	if (e[A].exact && e[B].exact)
		return METHOD_EXACT;
	for (int side = A; side <= B; side++)
		draw[side] = e[side].depends ? &e[side].epochs : &e[side].samples;
	if (column_role(m->id) >= ROLE_MEDIAN && draw[A]->n && draw[B]->n &&
	    !median_ratio(draw[A], draw[B], DRAWS, SEED, out)) {
		double ratio = summarise(&e[B].samples).p50 / summarise(&e[A].samples).p50;

		/* the median of epochs' medians may differ from that of all, which it must hold */
		i->lo = fmin(i->lo / ratio, 1);
		i->hi = fmax(i->hi / ratio, 1);
		return e[A].depends || e[B].depends ? METHOD_EPOCHS : METHOD_BOOTSTRAP;
	}
	*i = (struct interval){ e[B].interval.lo / e[A].interval.hi,
				e[B].interval.hi / e[A].interval.lo };
	if (isnan(i->lo))
		return METHOD_NONE;
	/* how far 1 is in units of the bound that faces it, as if the logarithm were normal */
	bound = log(slower / (slower * (slower > 1 ? i->lo : i->hi)));
	out->p_value = bound ? erfc(QUANTILE * fabs(log(slower) / bound) / sqrt(2)) : 1;
	return METHOD_INTERVALS;
}

/* Sets the remark of a pair without a verdict: the lack, and its side. */
static void __attribute__((format(printf, 4, 5)))
remark(struct row_pair *pair, enum lack lack, int side, const char *fmt, ...)
{
	va_list args;

	pair->lack = lack;
	pair->lacking = side;
	va_start(args, fmt);
	vsnprintf(pair->remark, sizeof(pair->remark), fmt, args);
	va_end(args);
	for (char *c = pair->remark; *c; c++)	/* a file may hold anything */
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

/* True if the values cannot be compared; the remark says why. */
static bool is_refused(const struct estimate e[2], const struct measure *m, struct row_pair *pair)
{
	/* times of whole rounds depend on the number of iterations */
	bool of_round = m->id >= COL_TIME_MIN && m->id <= COL_TIME_MAX;
	double loops[2];

	if (!pair->row[A] || !pair->row[B]) {
		remark(pair, LACK_NOTHING, pair->row[A] ? B : A, "only in %c", "AB"[!pair->row[A]]);
		return true;
	}
	for (int side = A; side <= B; side++) {
		const char *note = row_text(pair->row[side], COL_NOTE);

		loops[side] = row_number(pair->row[side], COL_LOOPS);
		if (isnan(e[side].value))
			remark(pair, LACK_VALUE, side, "no value in %c%s%s", "AB"[side],
			       *note ? ": " : "", note);
		else if (row_number(pair->row[side], COL_ERRORS) > 0)
			remark(pair, LACK_CONTENT, side, "wrong content in %c", "AB"[side]);
		else
			continue;
		return true;
	}
	if (of_round && loops[A] != loops[B])
		remark(pair, LACK_LOOPS, A, "of rounds of %.0f and %.0f loops", loops[A], loops[B]);
	return of_round && loops[A] != loops[B];
}

/* The finding that follows from the interval of how much slower B is. */
static enum outcome find_outcome(enum method method, struct interval slower)
{
	double margin = method == METHOD_EXACT ? EXACT : 0;

	if (method == METHOD_NONE)
		return NOTHING_FOUND;
	return slower.lo > 1 + margin ? SLOWER : slower.hi < 1 - margin ? FASTER : NO_DIFFERENCE;
}

/* The interval of the reciprocal. */
static struct interval inverse(struct interval i)
{
	return (struct interval){ 1 / i.hi, 1 / i.lo };
}

static void judge_once(const struct measure *m, struct row_pair *pair)
{
	struct estimate e[2];
	struct interval slower;
	struct ratio found;
	int lacks;

	for (int side = A; side <= B; side++) {
		read_estimate(&e[side], pair->two->doc[side], pair->row[side], m);
		pair->value[side] = e[side].value;
	}
	lacks = isnan(e[A].interval.lo) ? A : B;
	if (!is_refused(e, m, pair)) {
		pair->ratio = e[B].value / e[A].value;
		pair->slower = m->rate ? 1 / pair->ratio : pair->ratio;
		pair->method = choose_interval(e, m, pair->slower, &found);
		pair->p_value = found.p_value;
		slower.lo = found.interval.lo * pair->slower;
		slower.hi = found.interval.hi * pair->slower;
		pair->outcome = find_outcome(pair->method, slower);
		if (pair->method == METHOD_EXACT)
			pair->interval = (struct interval){ pair->ratio, pair->ratio };
		else if (pair->method)
			pair->interval = m->rate ? inverse(slower) : slower;
		else if (column_role(m->id) < ROLE_MEDIAN)
			remark(pair, LACK_MEDIAN, A, "%s has no interval", columns[m->id].name);
		else if (e[lacks].depends)
			remark(pair, LACK_EPOCHS, lacks, "no interval in %c: repetitions depend on "
			       "one another, and are too few for epochs", "AB"[lacks]);
		else
			remark(pair, LACK_REPETITIONS, lacks, "no interval in %c: repetitions are "
			       "too few or not kept", "AB"[lacks]);
	}
	for (int side = A; side <= B; side++) {
		series_free(&e[side].samples);
		series_free(&e[side].epochs);
	}
}

/* ---- results taken in turns ---- */

/* Judges a point by the median of its turns' ratios; n of each. Sorts log_ratio and values. */
static void judge_turns(double *log_ratio, double *value[2], size_t n, const struct measure *m,
			struct row_pair *pair)
{
	struct series all = { .s = log_ratio, .n = n };
	size_t l, u;

	pair->ratio = exp(median(log_ratio, n));
	pair->slower = m->rate ? 1 / pair->ratio : pair->ratio;
	for (int side = A; side <= B; side++)
		pair->value[side] = median(value[side], n);
	if (quantile_ranks(n, 0.5, &l, &u)) {
		remark(pair, LACK_TURNS, pair->lacking,
		       "no interval: %zu pair%s, of 6 that are needed", n, n == 1 ? "" : "s");
		return;
	}
	pair->method = METHOD_PAIRS;
	pair->p_value = sign_test(&all);
	pair->interval = (struct interval){ exp(log_ratio[l - 1]), exp(log_ratio[u - 1]) };
	pair->outcome = find_outcome(METHOD_PAIRS, m->rate ? inverse(pair->interval)
							    : pair->interval);
}

static void judge_in_turns(const struct measure *m, const struct row_pairs *p,
			   struct row_pair *pair)
{
	size_t i = (size_t)(pair - p->pair), k = 0, n = 0, most = 0;
	double *room, *value[2];

	for (const struct two *two = pair->two; two; two = two->next)
		most++;
	pair->value[A] = pair->value[B] = NAN;
	room = calloc(3 * most, sizeof(*room));
	if (!room) {
		remark(pair, LACK_MEMORY, A, "no memory");
		return;
	}
	value[A] = room + most;
	value[B] = room + 2 * most;
	for (const struct two *two = pair->two; two; two = two->next, k++) {
		struct row_pair turn = { .row = { points_row(p, i, k, A),
						  points_row(p, i, k, B) } };
		struct estimate e[2];

		for (int side = A; side <= B; side++)
			e[side] = (struct estimate){ .value = positive(turn.row[side], m->id) };
		if (is_refused(e, m, k ? &turn : pair))
			continue;
		room[n] = log(e[B].value / e[A].value);
		value[A][n] = e[A].value;
		value[B][n++] = e[B].value;
	}
	if (n && n < most && !pair->remark[0])
		remark(pair, pair->lack, pair->lacking, "%zu of %zu pairs", n, most);
	if (n)
		judge_turns(room, value, n, m, pair);
	free(room);
}

/* ---- all points together ---- */

int points_judge(const struct measure *m, struct row_pairs *p, bool in_turns)
{
	double *p_value = calloc(p->n + 1, sizeof(*p_value));
	bool *stands = calloc(p->n + 1, sizeof(*stands));
	int err = ST_OK;

	for (size_t i = 0; i < p->n && p_value; i++) {
		struct row_pair *pair = &p->pair[i];

		pair->ratio = pair->slower = pair->p_value = NAN;
		pair->interval = (struct interval){ NAN, NAN };
		if (in_turns)
			judge_in_turns(m, p, pair);
		else
			judge_once(m, pair);
		p_value[i] = pair->p_value;
	}
	if (!p_value || !stands || holm(p_value, p->n, stands))
		err = error_report("no memory for %zu points", p->n);
	for (struct row_pair *pair = p->pair; pair < p->pair + p->n && !err; pair++)
		pair->stands = (pair->outcome == FASTER || pair->outcome == SLOWER) &&
			       (stands[pair - p->pair] || pair->method == METHOD_EXACT);
	free(p_value);
	free(stands);
	return err;
}
