/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the ratio of the values of two rows and its interval, and gives the verdict. */
#include "analyse/compare/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/match.h"
#include "analyse/compare/pair.h"
#include "analyse/runs/groups.h"
#include "base/sort.h"
#include "result/document.h"

#define FEWEST 6	/* fewest repetitions for an interval */
#define DRAWS 20000
#define SEED 1
#define QUANTILE 1.959963984540054	/* the normal distribution's 97.5 % point */
/* exact values count as equal if their ratio is this close to 1, because of rounding errors */
#define EXACT 1e-9

const char *const method_names[] = {
	"", "exact", "intervals", "bootstrap", "epochs", "spread", "blocks", "groups"
};
const char *const outcome_names[] = { "", "faster", "slower", "no difference seen" };

/* The value of a row, and its uncertainty. */
struct estimate {
	double value;			/* value of the measure; NaN: none */
	bool exact;
	/* 95 % interval of the time, divided by the time; NaN: none */
	struct interval interval;
	/*
	 * Times of the repetitions, or medians of each repetition's iterations. Empty if there are
	 * too few for an interval, or if visits disagree.
	 */
	struct series samples;
	struct series epochs;	/* if repetitions are correlated: medians of consecutive parts */
	bool depends;			/* true: the repetitions are correlated */
};

/* A row's number if it is positive and finite; else NaN. */
static double positive_cell(const json_t *row, enum column_id id)
{
	double v = row_number(row, id);

	return v > 0 && isfinite(v) ? v : NAN;
}

/* True if a column comes from the median time of repetitions. */
static bool is_from_median_time(enum column_id id)
{
	return column_role(id) >= ROLE_MEDIAN && !column_is_single(id);
}

/*
 * Returns the interval of a time, divided by that time. It comes from the measure's own bounds. For
 * a median time it may come from the bounds of any column that is computed from that time.
 */
static struct interval read_relative_interval(const json_t *row, const struct measure *m)
{
	for (enum column_id id = 0; id < NCOLUMNS; id++) {
		const char *name = columns[id].name;
		double v, lo, hi;

		if (id != m->id && !(is_from_median_time(id) && is_from_median_time(m->id)))
			continue;
		v = positive_cell(row, id);
		lo = result_part(row, name, "lo");
		hi = result_part(row, name, "hi");
		if (lo > 0 && lo <= v && v <= hi)
			return unit_is_rate(columns[id].unit) ? (struct interval){ v / hi, v / lo }
							      : (struct interval){ lo / v, hi / v };
	}
	return (struct interval){ NAN, NAN };
}

/* Reads the measure's value in a row, and its uncertainty. */
static void read_estimate(struct estimate *e, const json_t *doc, const json_t *row,
			  const struct measure *m)
{
	const json_t *all;
	json_t *v;
	size_t i;
	bool single = column_is_single(m->id);
	/* if visits disagree, their pooled samples would give too narrow an interval */
	bool apart = single ? row_number(row, COL_VISITS) > 1
			    : !strcmp(row_text(row, COL_CI_METHOD), ci_method_names[CI_VISITS]);

	*e = (struct estimate){ .value = positive_cell(row, m->id),
				.exact = result_is_computed(doc),
				.interval = read_relative_interval(row, m) };
	if (e->exact) {
		e->interval = (struct interval){ 1, 1 };
		/* any number will do: only ratios to the median are used */
		series_push(&e->samples, 1);
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
	if (!single)		/* for a median of single iterations the row's own interval stays */
		e->interval = (struct interval){ NAN, NAN };
}

/*
 * Chooses a method, and sets *i to the interval of a ratio of times, divided by that ratio. The
 * interval covers only the variation within the runs.
 */
static enum method choose_interval(const struct estimate e[2], const struct measure *m,
				   struct interval *i)
{
	/* the repetitions, or the medians of their epochs; empty if too few */
	const struct series *draw[2];
	struct ratio found;

	*i = (struct interval){ 1, 1 };
	if (e[A].exact && e[B].exact)
		return METHOD_EXACT;
	for (int side = A; side <= B; side++)
		draw[side] = e[side].depends ? &e[side].epochs : &e[side].samples;
	if (column_role(m->id) >= ROLE_MEDIAN && draw[A]->n && draw[B]->n &&
	    !median_ratio(draw[A], draw[B], DRAWS, SEED, &found)) {
		double ratio = summarise(&e[B].samples).p50 / summarise(&e[A].samples).p50;

		/*
		 * The median of the epochs' medians may differ from the median of all values. The
		 * interval must contain the latter.
		 */
		i->lo = fmin(found.interval.lo / ratio, 1);
		i->hi = fmax(found.interval.hi / ratio, 1);
		return e[A].depends || e[B].depends ? METHOD_EPOCHS : METHOD_BOOTSTRAP;
	}
	*i = (struct interval){ e[B].interval.lo / e[A].interval.hi,
				e[B].interval.hi / e[A].interval.lo };
	return isnan(i->lo) ? METHOD_NONE : METHOD_INTERVALS;
}

/* True if the values cannot be compared. Sets the remark to the reason. */
static bool is_not_comparable(const struct estimate e[2], const struct measure *m,
			      struct row_pair *pair)
{
	/* true: the measure is the time of a whole round, which depends on the number of loops */
	bool of_round = m->id >= COL_TIME_MIN && m->id <= COL_TIME_MAX;
	double loops[2];

	if (!pair->row[A] || !pair->row[B]) {
		pair_lacks(pair, LACK_NOTHING, pair->row[A] ? B : A, "only in %c",
			   "AB"[!pair->row[A]]);
		return true;
	}
	for (int side = A; side <= B; side++) {
		const char *note = row_text(pair->row[side], COL_NOTE);

		loops[side] = row_number(pair->row[side], COL_LOOPS);
		if (isnan(e[side].value))
			pair_lacks(pair, LACK_VALUE, side, "no value in %c%s%s", "AB"[side],
			       *note ? ": " : "", note);
		else if (row_number(pair->row[side], COL_ERRORS) > 0)
			pair_lacks(pair, LACK_CONTENT, side, "wrong content in %c", "AB"[side]);
		else
			continue;
		return true;
	}
	if (of_round && loops[A] != loops[B])
		pair_lacks(pair, LACK_LOOPS, A, "rounds of %.0f versus %.0f loops", loops[A],
			   loops[B]);
	return of_round && loops[A] != loops[B];
}

/* ---- the verdict ---- */

/* Judges two exact values by their ratio. */
static void judge_exact(const struct fail_if *fail, struct row_pair *pair)
{
	pair->interval = (struct interval){ pair->ratio, pair->ratio };
	pair->outcome = pair->slower > 1 + EXACT   ? SLOWER
			: pair->slower < 1 - EXACT ? FASTER
						   : NO_DIFFERENCE;
	if (pair->outcome != NO_DIFFERENCE && fail_if_reached(fail, pair->outcome, pair->slower))
		pair->limit[pair->outcome] = VERDICT_YES;
}

/*
 * Judges with the spread between runs of one command (R11). The interval holds for all points
 * together.
 */
static void judge_by_spread(const struct judge_by *by, size_t points, struct row_pair *pair)
{
	const json_t *row = find_row_of_point(by->spread, pair);
	double n = row_number(row, COL_RUNS);
	struct run_spread spread = { row_number(row, COL_RUN_SPREAD), 2 * (n - 1) / 3 };
	double limit;

	if (!(spread.s >= 0 && n >= 2)) {
		pair_lacks(pair, LACK_SPREAD, B, "no spread of this point");
		return;
	}
	limit = exp(finding_limit(spread, points));
	pair->method = METHOD_SPREAD;
	pair->interval = (struct interval){ pair->ratio / limit, pair->ratio * limit };
	pair->outcome = pair->slower > limit ? SLOWER : pair->slower < 1 / limit ? FASTER
										 : NO_DIFFERENCE;
	pair_judge_limits(by->fail, by->m, pair);
}

/* Sets the reason why there is no interval. */
static void explain_lack(const struct estimate e[2], const struct measure *m, struct row_pair *pair)
{
	int side = isnan(e[A].interval.lo) ? A : B;

	if (column_role(m->id) < ROLE_MEDIAN)
		pair_lacks(pair, LACK_MEDIAN, A, "%s has no interval", columns[m->id].name);
	else if (e[side].depends)
		pair_lacks(pair, LACK_EPOCHS, side, "no interval in %c: repetitions depend on one "
			   "another, and are too few for epochs", "AB"[side]);
	else
		pair_lacks(pair, LACK_REPETITIONS, side, "no interval in %c: repetitions are too "
			   "few or not kept", "AB"[side]);
}

/* Judges a pair; `points` pairs are judged in total. */
static void judge_pair(const struct judge_by *by, size_t points, struct row_pair *pair)
{
	const struct measure *m = by->m;
	struct estimate e[2];
	struct interval within;

	for (int side = A; side <= B; side++) {
		read_estimate(&e[side], pair->two->doc[side], pair->row[side], m);
		pair->value[side] = e[side].value;
	}
	if (!is_not_comparable(e, m, pair)) {
		pair->ratio = e[B].value / e[A].value;
		pair->slower = m->rate ? 1 / pair->ratio : pair->ratio;
		pair->method = choose_interval(e, m, &within);
		if (m->rate)
			within = (struct interval){ 1 / within.hi, 1 / within.lo };
		pair->interval = (struct interval){ within.lo * pair->ratio,
						    within.hi * pair->ratio };
		if (pair->method == METHOD_EXACT)
			judge_exact(by->fail, pair);
		else if (by->spread)
			judge_by_spread(by, points, pair);
		else if (pair->method)
			pair_lacks(pair, LACK_RUNS, A, "one run of each: no verdict");
		else
			explain_lack(e, m, pair);
	}
	for (int side = A; side <= B; side++) {
		series_free(&e[side].samples);
		series_free(&e[side].epochs);
	}
}

void points_judge(const struct judge_by *by, struct row_pairs *p)
{
	size_t points = 0;

	for (struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++) {
		pair_clear(pair);
		points += pair->row[A] && pair->row[B];
	}
	for (struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++) {
		judge_pair(by, points, pair);
		pair_set_untold(by->fail, pair);
	}
}
