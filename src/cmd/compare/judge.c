/* SPDX-License-Identifier: Apache-2.0 */
/* The ratio of the values of two rows, its interval, and the verdict that follows from it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "result/reader.h"

#define FEWEST 6	/* repetitions for an interval */
#define DRAWS 2000
#define SEED 1
#define EXACT 1e-9	/* exact ratios this close to 1 do not differ: rounding errors */

const char *const method_names[] = { "", "exact", "intervals", "bootstrap", "epochs" };
const char *const finding_names[] = { "", "faster", "slower", "no difference seen" };

/* The value of a row, and how well it is known. */
struct estimate {
	double value;			/* of the measure; NaN: none */
	bool exact;
	struct interval time;	/* 95 % interval of the median time, divided by that; NaN: none */
	struct series samples;	/* times of the repetitions; empty if too few for an interval */
	struct series epochs;	/* medians of consecutive parts, if repetitions are correlated */
	bool depends;			/* repetitions are correlated */
};

static double positive(const json_t *row, const char *column)
{
	double v = result_number(row, column);

	return v > 0 && isfinite(v) ? v : NAN;
}

/* Of the median time: from any column made of it that has bounds. */
static struct interval interval_of(const json_t *row)
{
	for (enum column_id id = 0; id < NCOLUMNS; id++) {
		const char *name = columns[id].name;
		double v, lo, hi;

		if (column_role(id) < ROLE_MEDIAN)
			continue;
		v = positive(row, name);
		lo = result_part(row, name, "lo");
		hi = result_part(row, name, "hi");
		if (lo > 0 && lo <= v && v <= hi)
			return unit_is_rate(columns[id].unit) ? (struct interval){ v / hi, v / lo }
							      : (struct interval){ lo / v, hi / v };
	}
	return (struct interval){ NAN, NAN };
}

static void read_samples(struct series *samples, const json_t *row)
{
	json_t *v;
	size_t i;

	json_array_foreach(result_at(row, "samples.time_s"), i, v)
		if (!(json_number_value(v) > 0) || series_push(samples, json_number_value(v)))
			break;
	if (i < json_array_size(result_at(row, "samples.time_s")) || samples->n < FEWEST)
		series_free(samples);
}

static void read_estimate(struct estimate *e, const json_t *doc, const json_t *row,
			  const struct measure *m)
{
	*e = (struct estimate){ .value = positive(row, columns[m->id].name),
				.exact = result_is_computed(doc),
				.time = interval_of(row) };
	if (e->exact) {
		e->time = (struct interval){ 1, 1 };
		series_push(&e->samples, 1); /* any number: only its ratio to the median counts */
		return;
	}
	read_samples(&e->samples, row);
	e->depends = series_depends(&e->samples);
	if (e->depends && series_epochs(&e->samples, &e->epochs))
		series_free(&e->epochs);
}

/* The samples to draw from: the repetitions or their epochs' medians; NULL if there are too few. */
static const struct series *population(const struct estimate *e)
{
	const struct series *s = e->depends ? &e->epochs : &e->samples;

	return s->n ? s : NULL;
}

/* The interval of the ratio of B's median time to A's, divided by that ratio. */
static enum method bootstrap(const struct estimate e[2], struct interval *out)
{
	const struct series *a = population(&e[A]), *b = population(&e[B]);
	double ratio;

	if (!a || !b || median_ratio(a, b, DRAWS, SEED, out))
		return METHOD_NONE;
	ratio = summarise(&e[B].samples).p50 / summarise(&e[A].samples).p50;
	/* the median of the epochs' medians may differ from that of all, which it must hold */
	out->lo = fmin(out->lo / ratio, 1);
	out->hi = fmax(out->hi / ratio, 1);
	return e[A].depends || e[B].depends ? METHOD_EPOCHS : METHOD_BOOTSTRAP;
}

static enum method choose_interval(const struct estimate e[2], const struct measure *m,
				   struct interval *out)
{
	enum method method = METHOD_NONE;

	*out = (struct interval){ 1, 1 };
	if (e[A].exact && e[B].exact)
		return METHOD_EXACT;
	if (column_role(m->id) >= ROLE_MEDIAN)
		method = bootstrap(e, out);
	if (method || column_role(m->id) < ROLE_MEDIAN)
		return method;
	*out = (struct interval){ e[B].time.lo / e[A].time.hi, e[B].time.hi / e[A].time.lo };
	return isnan(out->lo) ? METHOD_NONE : METHOD_INTERVALS;
}

static void remark(struct row_pair *pair, const char *what, int side, const char *more)
{
	snprintf(pair->remark, sizeof(pair->remark), "%s %c%s%s", what, "AB"[side],
		 *more ? ": " : "", more);
	for (char *c = pair->remark; *c; c++)	/* a file may hold anything */
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

/* True if the values cannot be compared; the remark says why. */
static bool is_refused(const struct estimate e[2], const struct measure *m, struct row_pair *pair)
{
	const char *loops = columns[COL_LOOPS].name;

	for (int side = A; side <= B; side++)
		if (!pair->row[side]) {
			remark(pair, "only in", !side, "");
			return true;
		}
	for (int side = A; side <= B; side++) {
		if (isnan(e[side].value))
			remark(pair, "no value in", side, result_text(pair->row[side], "note"));
		else if (result_number(pair->row[side], columns[COL_ERRORS].name) > 0)
			remark(pair, "wrong content in", side, "");
		else
			continue;
		return true;
	}
	/* times of whole rounds depend on the number of iterations */
	if (m->id < COL_TIME_MIN || m->id > COL_TIME_MAX ||
	    result_number(pair->row[A], loops) == result_number(pair->row[B], loops))
		return false;
	snprintf(pair->remark, sizeof(pair->remark), "of rounds of %g and %g loops",
		 result_number(pair->row[A], loops), result_number(pair->row[B], loops));
	return true;
}

static void judge(const struct estimate e[2], const struct measure *m, struct row_pair *pair)
{
	struct interval slower;
	double margin;

	pair->ratio = e[B].value / e[A].value;
	pair->slower = m->rate ? 1 / pair->ratio : pair->ratio;
	pair->method = choose_interval(e, m, &slower);
	slower.lo *= pair->slower;
	slower.hi *= pair->slower;
	margin = pair->method == METHOD_EXACT ? EXACT : 0;
	pair->finding = pair->method == METHOD_NONE ? FOUND_NOTHING
			: slower.lo > 1 + margin    ? SLOWER
			: slower.hi < 1 - margin    ? FASTER : NO_DIFFERENCE;
	if (!pair->method && column_role(m->id) < ROLE_MEDIAN)
		snprintf(pair->remark, sizeof(pair->remark), "%s has no interval",
			 columns[m->id].name);
	else if (!pair->method)
		remark(pair, "no interval in", isnan(e[A].time.lo) ? A : B,
		       "repetitions are too few or not kept");
	else if (pair->method == METHOD_EXACT)
		pair->interval = (struct interval){ pair->ratio, pair->ratio };
	else
		pair->interval = m->rate ? (struct interval){ 1 / slower.hi, 1 / slower.lo }
					 : slower;
}

void pair_judge(const struct two *two, const struct measure *m, struct row_pair *pair)
{
	struct estimate e[2];

	pair->ratio = pair->slower = NAN;
	pair->interval = (struct interval){ NAN, NAN };
	for (int side = A; side <= B; side++) {
		read_estimate(&e[side], two->doc[side], pair->row[side], m);
		pair->value[side] = e[side].value;
	}
	if (!is_refused(e, m, pair))
		judge(e, m, pair);
	for (int side = A; side <= B; side++) {
		series_free(&e[side].samples);
		series_free(&e[side].epochs);
	}
}
