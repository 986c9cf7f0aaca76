/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/guidelines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/judge/unsteady.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/document.h"

#define CHOOSING 5		/* one visit in so many chooses the best algorithm */
#define EXACT 1e-9		/* computed times that differ by less than this share are equal */

#define NATIVE "native"
#define NATIVE_PARTS "native:"
#define OWN_PARTS "own:"

/* ---- rows ---- */

int guideline_rows_add(struct guideline_rows *all, const struct guideline_row *row)
{
	struct guideline_row *at = list_grow(all->at, all->n, sizeof(*at)), copy = *row;

	copy.operation = strdup(row->operation);
	copy.algorithm = strdup(row->algorithm);
	copy.root = strdup(row->root);
	all->at = at ? at : all->at;
	if (at && copy.operation && copy.algorithm && copy.root) {
		at[all->n++] = copy;
		return ST_OK;
	}
	free((char *)(uintptr_t)copy.operation);
	free((char *)(uintptr_t)copy.algorithm);
	free((char *)(uintptr_t)copy.root);
	series_free(&copy.visits);
	return error_report("no memory for %zu rows", all->n + 1);
}

void guideline_rows_free(struct guideline_rows *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free((char *)(uintptr_t)all->at[i].operation);
		free((char *)(uintptr_t)all->at[i].algorithm);
		free((char *)(uintptr_t)all->at[i].root);
		series_free(&all->at[i].visits);
	}
	free(all->at);
	*all = (struct guideline_rows){ 0 };
}

/* Returns the median of n numbers, which keep their order; NaN without memory, or if n is 0. */
static double median_of(const double *x, size_t n)
{
	double *copy = malloc((n + 1) * sizeof(*copy)), middle = NAN;

	if (copy) {
		memcpy(copy, x, n * sizeof(*copy));
		middle = select_median(copy, n);
	}
	free(copy);
	return middle;
}

int guideline_visits(const struct series *x, const size_t *end, size_t n, struct series *visits)
{
	size_t first = 0;

	if (!n || x->n != end[n - 1])
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (end[i] > first && series_push(visits, median_of(x->s + first, end[i] - first)))
			return -1;
		first = end[i];
	}
	return 0;
}

/* Adds the medians of the visits of a row that was read. Returns 0, or -1 if memory runs out. */
static int read_visits(const json_t *row, struct series *visits)
{
	const json_t *medians = json_object_get(row_samples(row), "iteration_p50_s");
	const json_t *ends = json_object_get(row_samples(row), "visit_end"), *v;
	size_t n = json_array_size(ends), *end = calloc(n + 1, sizeof(*end)), i;
	struct series x = { .n = 0 };
	bool rising = true;
	int err = end ? 0 : -1;

	json_array_foreach(medians, i, v)
		err |= series_push(&x, json_number_value(v));
	for (i = 0; i < n && end; i++) {
		end[i] = (size_t)json_integer_value(json_array_get(ends, i));
		rising &= !i || end[i] >= end[i - 1];
	}
	if (!err && rising)
		err = guideline_visits(&x, end, n, visits);
	series_free(&x);
	free(end);
	return err;
}

int guideline_rows_read(struct guideline_rows *all, const json_t *doc)
{
	const json_t *row;
	size_t i;

	all->exact = result_is_computed(doc);
	all->of_mpi = !strcmp(result_text(document_environment(doc), "backend.name"), "mpi");
	json_array_foreach(document_rows(doc), i, row) {
		double behind = row_number(row, COL_BEHIND_BARRIER);
		struct guideline_row one = {
			.operation = row_text(row, COL_OPERATION),
			.algorithm = row_text(row, COL_ALGORITHM), .root = row_text(row, COL_ROOT),
			.ranks = (uint64_t)fmax(0, row_number(row, COL_RANKS)),
			.size = (uint64_t)fmax(0, row_number(row, COL_SIZE)),
			.behind_barrier = behind > 0,
			.time_s = behind > 0 ? behind : row_number(row, COL_COLLECTIVE),
			.dropped = (size_t)json_integer_value(
				json_object_get(row_samples(row), "visits_dropped")),
		};

		/* the time of a wrong result is no time of the operation */
		if (isnan(row_number(row, COL_REPETITIONS)) || row_number(row, COL_ERRORS) > 0 ||
		    !isnan(row_number(row, COL_BACK_TO_BACK)))
			continue;
		if (read_visits(row, &one.visits)) {
			series_free(&one.visits);
			return error_report("no memory for %zu rows", i + 1);
		}
		if (guideline_rows_add(all, &one))
			return ST_FAILED;
	}
	return ST_OK;
}

/* ---- which rows are compared ---- */

static bool begins_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_native(const struct guideline_row *r)
{
	return !strcmp(r->algorithm, NATIVE);
}

static bool is_composed(const struct guideline_row *r)
{
	return begins_with(r->algorithm, NATIVE_PARTS) || begins_with(r->algorithm, OWN_PARTS);
}

static bool same_operation(const struct guideline_row *a, const struct guideline_row *b)
{
	return a->ranks == b->ranks && !strcmp(a->operation, b->operation) &&
	       !strcmp(a->root, b->root);
}

static bool same_point(const struct guideline_row *a, const struct guideline_row *b)
{
	return a->size == b->size && same_operation(a, b);
}

/* Returns whether the row is the left side at its point. */
static bool is_left(const struct guideline_rows *rows, const struct guideline_row *r)
{
	if (is_composed(r))
		return false;
	for (const struct guideline_row *o = rows->at; o < rows->at + rows->n; o++)
		if (o != r && same_point(o, r) && !is_composed(o) &&
		    (is_native(o) > is_native(r) || (is_native(o) == is_native(r) && o < r)))
			return false;
	return true;
}

enum relation { TO_COMPOSED, TO_BEST, TO_NEXT_SIZE, TO_HALF_SIZE };

/* One guideline: the left side should take at most `factor` times as long as the right side. */
struct guideline {
	const struct guideline_row *left, *right;
	enum relation relation;
	double factor;
	size_t chosen;		/* number of visits that have chosen the right side */
	size_t visits;		/* number of visits that judge */
	double ratio, lo, hi;	/* left / (factor * right); NaN: none */
	double p;		/* of the visits, then by Holm over all checks */
	const char *why;	/* why there is no ratio; NULL: there is one */
};

struct guideline_list {
	struct guideline *at;
	size_t n;
};

static int add_check(struct guideline_list *all, struct guideline one)
{
	struct guideline *at = list_grow(all->at, all->n, sizeof(*at));

	if (!at)
		return error_report("no memory for %zu guidelines", all->n + 1);
	all->at = at;
	at[all->n++] = one;
	return ST_OK;
}

/* Returns whether the row is one of netbench's algorithms that `left` is compared with. */
static bool is_candidate(const struct guideline_row *left, const struct guideline_row *r)
{
	return r != left && same_point(left, r) && !is_native(r) && r->time_s > 0 &&
	       r->behind_barrier == left->behind_barrier &&
	       !begins_with(r->algorithm, NATIVE_PARTS) &&
	       (is_native(left) || !is_composed(r));
}

/*
 * Finds the best of netbench's algorithms at a point by the first visits. Sets one->right, and
 * one->chosen. one->right stays NULL if there is none.
 */
static void choose_best(const struct guideline_rows *rows, struct guideline *one)
{
	size_t all = one->left->dropped + one->left->visits.n;
	size_t first = (all + CHOOSING - 1) / CHOOSING;
	double least = INFINITY;

	for (const struct guideline_row *r = rows->at; r < rows->at + rows->n; r++) {
		size_t n = r->dropped < first ? first - r->dropped : 0;
		double time = r->time_s;

		if (!is_candidate(one->left, r))
			continue;
		if (!rows->exact)
			time = n && n <= r->visits.n ? median_of(r->visits.s, n) : INFINITY;
		if (time < least || !one->right) {
			one->right = r;
			least = time;
		}
	}
	one->chosen = rows->exact ? 0 : first;
}

/*
 * Returns a row of the operation of `like` with the smallest size above `size`, or NULL if there is
 * none. If `left` is not NULL, row i counts only if left[i].
 */
static const struct guideline_row *next_size(const struct guideline_rows *rows,
					     const struct guideline_row *like, double size,
					     const bool *left)
{
	const struct guideline_row *next = NULL;

	for (const struct guideline_row *r = rows->at; r < rows->at + rows->n; r++)
		if (same_operation(like, r) && (double)r->size > size &&
		    (!next || r->size < next->size) && (!left || left[r - rows->at]))
			next = r;
	return next;
}

/* Adds all guidelines with this left side. lefts[i] says whether row i is a left side. */
static int add_checks_of(const struct guideline_rows *rows, const struct guideline_row *left,
			 const bool *lefts, struct guideline_list *all)
{
	const char *kind = is_native(left) ? NATIVE_PARTS : OWN_PARTS;
	struct guideline best = { .left = left, .relation = TO_BEST, .factor = 1 };
	const struct guideline_row *next = next_size(rows, left, (double)left->size, lefts);
	int err = ST_OK;

	for (const struct guideline_row *r = rows->at; r < rows->at + rows->n && !err; r++) {
		if (!same_operation(left, r))
			continue;
		if (r->size == left->size && begins_with(r->algorithm, kind))
			err = add_check(all, (struct guideline){ .left = left, .right = r,
							   .relation = TO_COMPOSED, .factor = 1 });
		else if (2 * r->size == left->size && r->size && lefts[r - rows->at] &&
			 !strcmp(r->algorithm, left->algorithm))
			err = add_check(all, (struct guideline){ .left = left, .right = r,
							   .relation = TO_HALF_SIZE, .factor = 2 });
	}
	choose_best(rows, &best);
	if (!err && best.right)
		err = add_check(all, best);
	/* where the best algorithm depends on the size, sizes say nothing about each other */
	if (!err && next && !strcmp(next->algorithm, left->algorithm))
		err = add_check(all, (struct guideline){ .left = left, .right = next,
						   .relation = TO_NEXT_SIZE, .factor = 1 });
	return err;
}

/* ---- judging ---- */

/* Computes ratio, interval and p-value of the visits of a check, d_i of (48). */
static int compare_visits(struct guideline *c)
{
	const struct guideline_row *a = c->left, *b = c->right;
	size_t first = a->dropped > b->dropped ? a->dropped : b->dropped, worse = 0, l, u;
	size_t end_a = a->dropped + a->visits.n, end_b = b->dropped + b->visits.n;
	size_t end = end_a < end_b ? end_a : end_b;
	double *d;

	first = first > c->chosen ? first : c->chosen;
	c->visits = end > first ? end - first : 0;
	if (!c->visits && !c->why)
		c->why = a->visits.n && b->visits.n ? "no visit has times of both sides"
						    : "the medians of single visits are not known";
	if (c->why)
		return ST_OK;
	d = malloc(c->visits * sizeof(*d));
	if (!d)
		return error_report("no memory for %zu visits", c->visits);
	for (size_t i = 0; i < c->visits; i++) {
		double right = c->factor * b->visits.s[first + i - b->dropped];

		d[i] = log(a->visits.s[first + i - a->dropped] / right);
		worse += d[i] > log(1 + GUIDELINE_MARGIN);
	}
	c->ratio = exp(median(d, c->visits));
	if (!quantile_ranks(c->visits, 0.5, &l, &u)) {
		c->lo = exp(d[l - 1]);
		c->hi = exp(d[u - 1]);
	}
	c->p = binomial_tail((uint32_t)c->visits, (uint32_t)worse, 0.5);
	free(d);
	return ST_OK;
}

static int compare_sides(const struct guideline_rows *rows, struct guideline *c)
{
	c->ratio = c->lo = c->hi = c->p = NAN;
	if (c->left->behind_barrier != c->right->behind_barrier)
		c->why = "only one side was timed behind a barrier";
	else if (!(c->left->time_s > 0) || !(c->right->time_s > 0))
		c->why = "too many operations began late";
	if (!rows->exact)
		return compare_visits(c);
	if (!c->why)
		c->ratio = c->left->time_s / (c->factor * c->right->time_s);
	return ST_OK;
}

static int order_by_p(const void *a, const void *b)
{
	const struct guideline *const *x = a, *const *y = b;

	return order_doubles((*x)->p, (*y)->p);
}

/* Replaces the p-values of all checks that have one by those of Holm's procedure. */
static int correct_by_holm(const struct guideline_list *all)
{
	struct guideline **sorted = malloc((all->n + 1) * sizeof(struct guideline *));
	double most = 0;
	size_t n = 0;

	if (!sorted)
		return error_report("no memory for %zu guidelines", all->n);
	for (size_t i = 0; i < all->n; i++)
		if (!isnan(all->at[i].p))
			sorted[n++] = &all->at[i];
	qsort(sorted, n, sizeof(*sorted), order_by_p);
	for (size_t i = 0; i < n; i++) {
		most = fmax(most, fmin(1, (double)(n - i) * sorted[i]->p));
		sorted[i]->p = most;
	}
	free(sorted);
	return ST_OK;
}

/* ---- findings ---- */

#define NAME 128

/* Writes MPI's name of an operation, "MPI_Reduce_scatter", or the name itself. */
static void put_operation(const struct guideline_rows *rows, const char *name, size_t len, char *to)
{
	size_t n = strlen(to);

	snprintf(to + n, NAME - n, "%s%.*s", rows->of_mpi ? "MPI_" : "", (int)len, name);
	if (!rows->of_mpi || n + 4 >= NAME)
		return;
	to[n + 4] = (char)toupper((unsigned char)to[n + 4]);
	for (char *c = to + n; *c; c++)
		*c = *c == '-' ? '_' : *c;
}

/* Writes the names of the operations of a composition: "MPI_Reduce and MPI_Bcast". */
static void put_parts(const struct guideline_rows *rows, const char *parts, char *to)
{
	const char *second = strchr(parts, '+');
	size_t n;

	put_operation(rows, parts, second ? (size_t)(second - parts) : strlen(parts), to);
	n = strlen(to);
	if (!second)
		return;
	snprintf(to + n, NAME - n, " and ");
	put_operation(rows, second + 1, strlen(second + 1), to);
}

static void name_left(const struct guideline_rows *rows, const struct guideline_row *r, char *to)
{
	bool several = false;
	size_t n;

	*to = '\0';
	if (is_native(r) && !rows->of_mpi)
		snprintf(to, NAME, "native %s", r->operation);
	else if (is_native(r))
		put_operation(rows, r->operation, strlen(r->operation), to);
	else
		snprintf(to, NAME, "%s by %s", r->operation, r->algorithm);
	for (size_t i = 0; i < rows->n; i++)
		several |= rows->at[i].ranks != r->ranks;
	n = strlen(to);
	if (several)
		snprintf(to + n, NAME - n, " of %llu ranks", (unsigned long long)r->ranks);
}

static void name_right(const struct guideline_rows *rows, const struct guideline *c, char *to)
{
	const struct guideline_rows own = { .of_mpi = false };
	const char *algorithm = c->right->algorithm;
	bool parts = begins_with(algorithm, OWN_PARTS);

	*to = '\0';
	if (c->relation == TO_NEXT_SIZE || c->relation == TO_HALF_SIZE) {
		snprintf(to, NAME, "%sthe same", c->relation == TO_HALF_SIZE ? "twice " : "");
		return;
	}
	if (begins_with(algorithm, NATIVE_PARTS)) {
		put_parts(rows, algorithm + strlen(NATIVE_PARTS), to);
		return;
	}
	snprintf(to, NAME, "netbench's %s", parts ? "" : algorithm);
	if (parts)
		put_parts(&own, algorithm + strlen(OWN_PARTS), to);
}

/* Adds the finding of a check. `least` is the number of visits that (49) demands. */
static void add_finding(const struct guideline_rows *rows, const struct guideline *c, size_t least,
			bool decides, struct findings *found)
{
	bool other = c->relation == TO_NEXT_SIZE || c->relation == TO_HALF_SIZE;
	bool few = !rows->exact && !c->why && c->visits < least;
	bool slower = rows->exact ? c->ratio > 1 + EXACT : c->p <= GUIDELINE_CHANCE;
	char left[NAME], right[NAME], subject[2 * NAME], why[NAME];
	struct finding f = {
		.kind = "guideline", .subject = subject, .why = why, .decides = decides,
		.quantity = c->left->behind_barrier ? columns[COL_BEHIND_BARRIER].name
						    : columns[COL_COLLECTIVE].name,
		.unit = "", .effect = c->ratio - 1, .lo = c->lo - 1, .hi = c->hi - 1,
		.verdict = few || c->why ? VERDICT_CANNOT_TELL
			   : slower	 ? VERDICT_YES
					 : VERDICT_NO,
	};

	name_left(rows, c->left, left);
	name_right(rows, c, right);
	snprintf(subject, sizeof(subject), "%s, %llu B, %llu ranks", c->left->operation,
		 (unsigned long long)c->left->size, (unsigned long long)c->left->ranks);
	snprintf(why, sizeof(why), "%s", c->why ? c->why : "");
	if (few)
		snprintf(why, sizeof(why), "%zu visits, and %zu are needed: see '--visits'",
			 c->visits + c->chosen,
			 least + (c->chosen ? (least + CHOOSING - 2) / (CHOOSING - 1) : 0));
	f.evidence = json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I}",
		"left", left, "right", right, "algorithm", c->right->algorithm,
		"size_B", real_or_null(c->left->size ? (double)c->left->size : NAN),
		"other_B", real_or_null(other ? (double)c->right->size : NAN),
		"ranks", (json_int_t)c->left->ranks, "ratio", real_or_null(c->ratio),
		"ratio_lo", real_or_null(c->lo), "ratio_hi", real_or_null(c->hi),
		"p", real_or_null(c->p), "visits", (json_int_t)c->visits);
	findings_add(found, &f);
}

int guidelines_judge(const struct guideline_rows *rows, bool decides, struct findings *found)
{
	bool *lefts = calloc(rows->n + 1, sizeof(*lefts));
	struct guideline_list all = { .n = 0 };
	size_t compared = 0, least;
	bool native = false;
	int err = lefts ? ST_OK : error_report("no memory for %zu rows", rows->n);

	for (size_t i = 0; i < rows->n; i++)
		native |= is_native(&rows->at[i]);
	for (size_t i = 0; i < rows->n && !err; i++)
		lefts[i] = (is_native(&rows->at[i]) || !native) && is_left(rows, &rows->at[i]);
	for (size_t i = 0; i < rows->n && !err; i++)
		if (lefts[i])
			err = add_checks_of(rows, &rows->at[i], lefts, &all);
	for (size_t i = 0; i < all.n && !err; i++) {
		err = compare_sides(rows, &all.at[i]);
		compared += !all.at[i].why;
	}
	if (!err)
		err = correct_by_holm(&all);
	least = (size_t)ceil(log2((double)(compared ? compared : 1) / GUIDELINE_CHANCE));
	for (size_t i = 0; i < all.n && !err; i++)
		add_finding(rows, &all.at[i], least, decides, found);
	free(lefts);
	free(all.at);
	return err;
}

/* ---- the quickest algorithm ---- */

/* Returns the row of the shortest time at the point of r. */
static const struct guideline_row *quickest_at(const struct guideline_rows *rows,
					       const struct guideline_row *r)
{
	const struct guideline_row *best = r;

	for (const struct guideline_row *o = rows->at; o < rows->at + rows->n; o++)
		if (same_point(o, r) && o->behind_barrier == r->behind_barrier &&
		    (o->time_s < best->time_s || isnan(best->time_s)))
			best = o;
	return best;
}

struct quickest *guidelines_quickest(const struct guideline_rows *rows, size_t *n)
{
	struct quickest *list = malloc((rows->n + 1) * sizeof(*list)), *last;

	*n = 0;
	if (!list)
		error_report("no memory for %zu rows", rows->n);
	for (const struct guideline_row *of = rows->at; of < rows->at + rows->n && list; of++) {
		const struct guideline_row *r = next_size(rows, of, -1, NULL), *best;

		/* all sizes of an operation are handled with its first row */
		for (const struct guideline_row *o = rows->at; o < of; o++)
			r = same_operation(o, of) ? NULL : r;
		for (last = NULL; r; r = next_size(rows, of, (double)r->size, NULL)) {
			best = quickest_at(rows, r);
			if (!(best->time_s > 0) ||
			    (last && !strcmp(last->row->algorithm, best->algorithm)))
				continue;
			last = &list[(*n)++];
			*last = (struct quickest){ best, r->size };
		}
	}
	return list;
}
