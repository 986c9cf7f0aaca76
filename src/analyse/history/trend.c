/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/trend.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/differ.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

/* Copies the values of a point, night by night. */
static void copy_point(const struct nights *nights, size_t point, double *x)
{
	for (size_t i = 0; i < nights->n; i++)
		x[i] = nights->y[i * nights->points + point];
}

void trend_find_changes(struct trend *t, const struct nights *nights, double least)
{
	double *x = memory_new(nights->n, sizeof(*x));

	*t = (struct trend){ nights, memory_new(nights->points, sizeof(*t->of)) };
	for (size_t p = 0; p < nights->points; p++) {
		copy_point(nights, p, x);
		change_points_find(x, nights->n, least, &t->of[p]);
	}
	free(x);
}

void trend_free(struct trend *t)
{
	for (size_t p = 0; t->of && p < t->nights->points; p++)
		change_points_free(&t->of[p]);
	free(t->of);
	*t = (struct trend){ 0 };
}

/* Writes the name of a point to `name`. Returns `name`. */
static char *name_point(const struct nights *nights, size_t point, char *name, size_t len)
{
	return run_table_name(&nights->table, nights->point[point], name, len);
}

/* ---- what changed in the record ---- */

/*
 * Writes how the record of a night differs from that of the night before: "host.kernel '1' -> '2'".
 * `since` is the night of the change.
 */
static void put_record_changes(FILE *to, const struct nights *nights, const struct past_run *runs,
			       size_t night, size_t since)
{
	json_t *found = json_object(), *pair;
	const char *path, *between = "";
	char date[NIGHT_DATE];

	members_differ(found, "",
		       document_environment(runs[nights->at[night - 1].first].doc),
		       document_environment(runs[nights->at[night].first].doc));
	if (json_object_size(found))
		fprintf(to, "; %s: ", night == since ? "that night"
			: night_date(nights->at[night].start, date));
	json_object_foreach(found, path, pair) {
		fputs(between, to);
		put_difference(to, path, pair, " -> ");
		between = ", ";
	}
	json_decref(found);
}

/*
 * Describes what changed in the records during the nights in which a change of the cost may have
 * happened. The caller frees the text.
 */
static char *describe_records(const struct nights *nights, const struct past_run *runs,
			      const struct change_point *c)
{
	char *text = NULL;
	FILE *to = text_open(&text);

	for (size_t i = c->first; i <= c->last; i++)
		put_record_changes(to, nights, runs, i, c->at);
	return memory_or_exit(text_close(to, &text));
}

/* ---- findings ---- */

/* A change of one point. */
struct point_change {
	size_t point;
	const struct change_point *c;
	bool told; /* a finding already covers it */
};

/* Points that changed in the same direction, and may have changed in the same night. */
struct changed {
	/* each night from `first` to `last` is possible for all these points */
	struct change_point span;
	size_t points, worst;
	double least, most; /* smallest and largest absolute effect */
	bool slower;
};

/*
 * True if a change that no finding covers may have happened in this night. An interval of dates
 * misses the true night in one of twenty cases. So the nights next to the interval are possible
 * too.
 */
static bool may_be_in_night(const struct point_change *p, size_t night, bool slower)
{
	return !p->told && (p->c->effect > 0) == slower && p->c->first <= night + 1 &&
	       night <= p->c->last + 1;
}

/*
 * Finds the night with the most changes that no finding covers yet. Collects all changes that may
 * have happened in that night, and marks them as told. Returns 0 points if all changes are told.
 */
static struct changed next_changed_night(struct point_change *list, size_t n)
{
	struct changed all = { { .at = 0, .last = SIZE_MAX }, 0, 0, INFINITY, 0, false };
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t alike = 0;

		for (size_t k = 0; k < n; k++)
			alike += list[k].c->at == list[i].c->at &&
				 may_be_in_night(&list[k], list[i].c->at, list[i].c->effect > 0);
		if (list[i].told || alike <= most)
			continue;
		most = alike;
		all.span.at = list[i].c->at;
		all.slower = list[i].c->effect > 0;
	}
	for (size_t i = 0; i < n && most; i++) {
		const struct change_point *c = list[i].c;
		double size = expm1(fabs(c->effect));

		if (!may_be_in_night(&list[i], all.span.at, all.slower))
			continue;
		list[i].told = true;
		all.points++;
		if (c->first <= all.span.at && c->first > all.span.first)
			all.span.first = c->first;
		if (c->last >= all.span.at && c->last < all.span.last)
			all.span.last = c->last;
		all.least = fmin(all.least, size);
		if (size > all.most) {
			all.most = size;
			all.worst = list[i].point;
		}
	}
	return all;
}

/* Writes the dates of a change, such as "12 to 16 Nov 2026". */
static struct text format_dates(const struct nights *nights, const struct change_point *c)
{
	char from[NIGHT_DATE], to[NIGHT_DATE];
	const char *month_from, *month_to;

	night_date(nights->at[c->first].start, from);
	night_date(nights->at[c->last].start, to);
	month_from = strchr(from, ' ');
	month_to = strchr(to, ' ');
	if (!strcmp(from, to))
		return text_from("%s", from);
	if (month_from && month_to && !strcmp(month_from, month_to))
		return text_from("%.*s to %s", (int)(month_from - from), from, to);
	return text_from("%s to %s", from, to);
}

/* Adds the finding on points that changed in one night. */
static void add_change_finding(const struct trend *t, const struct past_run *runs,
			       const char *name, const struct changed *c, struct findings *found)
{
	const struct nights *nights = t->nights;
	char point[200], since[NIGHT_DATE];
	char *record = describe_records(nights, runs, &c->span);
	struct text subject, dates = format_dates(nights, &c->span);

	subject = text_from("%s", name_point(nights, c->worst, point, sizeof(point)));
	if (c->points > 1)
		text_add(&subject, " and %zu more point%s", c->points - 1,
			 c->points == 2 ? "" : "s");
	findings_add(found, &(struct finding){
		.kind = c->slower ? "slower" : "faster", .subject = subject.s,
		.quantity = columns[nights->table.measure.id].name, .unit = "",
		.effect = c->most, .lo = NAN, .hi = NAN, .verdict = VERDICT_YES, .of = c->span.at,
		.evidence = json_pack("{s:s, s:o, s:I, s:I, s:s, s:s, s:s}", "series", name,
			"least", real_or_null(c->points > 1 ? c->least : NAN), "points",
			(json_int_t)c->points, "nights", (json_int_t)(nights->n - c->span.at),
			"since", night_date(nights->at[c->span.at].start, since),
			"dates", dates.s, "record", record) });
	free(record);
}

static int compare_nights(const void *a, const void *b)
{
	size_t x = ((const struct changed *)a)->span.at, y = ((const struct changed *)b)->span.at;

	return (x > y) - (x < y);
}

/* Adds a finding for each night with changes, in the order of the nights. */
static void add_all_change_findings(const struct trend *t, const struct past_run *runs,
				    const char *name, struct findings *found)
{
	struct point_change *list;
	struct changed *told;
	size_t n = 0, k = 0;

	for (size_t p = 0; p < t->nights->points; p++)
		n += t->of[p].n;
	list = memory_new(n, sizeof(*list));
	told = memory_new(n + 1, sizeof(*told));
	n = 0;
	for (size_t p = 0; p < t->nights->points; p++)
		for (size_t i = 0; i < t->of[p].n; i++)
			list[n++] = (struct point_change){ p, &t->of[p].at[i], false };
	while ((told[k] = next_changed_night(list, n)).points)
		k++;
	if (k)
		qsort(told, k, sizeof(*told), compare_nights);
	for (size_t i = 0; i < k; i++)
		add_change_finding(t, runs, name, &told[i], found);
	free(list);
	free(told);
}

/*
 * Returns the smallest step that would be detected if it lasted a week; the median over the points.
 */
static double visible_step(const struct trend *t)
{
	double *all = memory_new(t->nights->points, sizeof(*all)), middle;

	for (size_t p = 0; p < t->nights->points; p++)
		all[p] = smallest_visible_step(&t->of[p], t->nights->n, WEEK);
	middle = median(all, t->nights->points);
	free(all);
	return middle;
}

/* Adds the finding on a series as a whole. */
static void add_series_finding(const struct trend *t, const char *name, struct findings *found)
{
	const struct nights *nights = t->nights;
	bool few = nights->n < 2 * LASTING || !nights->points;
	char from[NIGHT_DATE], to[NIGHT_DATE];
	struct text why = text_from("no change can be seen below %d nights", 2 * LASTING);
	size_t n = 0;

	for (size_t p = 0; p < nights->points; p++)
		n += t->of[p].n > 0;
	findings_add(found, &(struct finding){
		.kind = "series", .subject = name, .unit = "",
		.quantity = columns[nights->table.measure.id].name,
		.effect = few ? NAN : visible_step(t), .lo = NAN, .hi = NAN,
		.verdict = few ? VERDICT_CANNOT_TELL : n ? VERDICT_YES : VERDICT_NO,
		.why = few ? why.s : "", .evidence = json_pack("{s:I, s:s, s:s, s:I, s:I, s:I}",
			"nights", (json_int_t)nights->n, "from",
			night_date(nights->n ? nights->at[0].start : NAN, from), "to",
			night_date(nights->n ? nights->at[nights->n - 1].start : NAN, to),
			"runs", (json_int_t)nights->table.results, "points",
			(json_int_t)nights->points, "changed", (json_int_t)n) });
}

/*
 * Adds the finding that compares the final week with the first week. Such a comparison shows
 * gradual changes, which change points do not detect.
 */
static void add_creep_finding(const struct trend *t, const char *name, struct findings *found)
{
	const struct nights *nights = t->nights;
	double *x = memory_new(nights->n, sizeof(*x)), most = -INFINITY, middle;
	double *by = memory_new(nights->points, sizeof(*by));
	char point[200];
	size_t worst = 0;

	for (size_t p = 0; p < nights->points; p++) {
		copy_point(nights, p, x);
		by[p] = median(x + nights->n - WEEK, WEEK) - median(x, WEEK);
		if (by[p] > most) {
			most = by[p];
			worst = p;
		}
	}
	middle = median(by, nights->points);
	findings_add(found, &(struct finding){
		.kind = "creep", .subject = name_point(nights, worst, point, sizeof(point)),
		.quantity = columns[nights->table.measure.id].name, .unit = "",
		.effect = expm1(most), .lo = NAN, .hi = NAN, .verdict = VERDICT_YES,
		.evidence = json_pack("{s:s, s:f, s:f, s:i}", "series", name, "worst", exp(most),
				      "middle", exp(middle), "week", WEEK) });
	free(x);
	free(by);
}

void trend_findings(const struct trend *t, const struct past_run *runs, const char *name,
		    struct findings *found)
{
	add_series_finding(t, name, found);
	add_all_change_findings(t, runs, name, found);
	if (t->nights->n >= 2 * WEEK && t->nights->points)
		add_creep_finding(t, name, found);
}
