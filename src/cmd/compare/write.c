/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a comparison: rows, totals, warnings, and what was compared. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "cli/command.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "result/document.h"
#include "result/reader.h"

#define CHANCE 0.05		/* of a finding where there is nothing to find */

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- totals ---- */

static int by_slower(const void *a, const void *b)
{
	const struct row_pair *const *x = a, *const *y = b;

	return order_doubles((*x)->slower, (*y)->slower);
}

static void sum_one(struct sums *sums, const struct row_pair *pair)
{
	sums->n++;
	if (!pair->row[A] || !pair->row[B])
		sums->only[pair->row[A] ? A : B]++;
	else
		sums->findings[pair->finding]++;
	sums->judged += !isnan(pair->p_value);
	sums->standing += pair->stands;
	if (!isnan(pair->slower))
		sums->compared[sums->ncompared++] = pair;
}

int sums_make(struct sums *sums, const struct row_pairs *p, const struct two *two)
{
	*sums = (struct sums){ .compared = calloc(p->n + 1, sizeof(*sums->compared)) };
	if (!sums->compared)
		return error_report("no memory for %zu points", p->n);
	for (size_t i = 0; i < p->n; i++)
		if (!two || p->pair[i].two == two)
			sum_one(sums, &p->pair[i]);
	qsort(sums->compared, sums->ncompared, sizeof(*sums->compared), by_slower);
	return ST_OK;
}

void sums_free(struct sums *sums)
{
	free(sums->compared);
	*sums = (struct sums){ 0 };
}

static json_t *number(double v)
{
	return isnan(v) ? json_null() : json_real(v);
}

static void put_point(json_t *summary, const char *key, const struct row_pairs *p,
		      const struct row_pair *pair)
{
	const char *verdict = pair->finding ? finding_names[pair->finding] : NULL;
	char name[256];

	json_object_set_new(summary, key, json_pack("{s:s, s:f, s:o, s:o, s:s?}",
				      "point", point_name(p, pair, name, sizeof(name)),
				      "ratio", pair->ratio, "ratio_lo", number(pair->interval.lo),
				      "ratio_hi", number(pair->interval.hi), "verdict", verdict));
}

/* A mean of ratios means nothing: the median and the worst point stand for all. */
static void summarise_points(json_t *summary, const struct row_pairs *p, const struct sums *sums)
{
	static const struct {
		const char *key;
		enum finding finding;
	} counts[] = {
		{ "faster", FASTER }, { "slower", SLOWER },
		{ "no_difference_seen", NO_DIFFERENCE }, { "without_verdict", FOUND_NOTHING },
	};

	for (size_t i = 0; i < LENGTH(counts); i++)
		json_object_set_new(summary, counts[i].key,
				    json_integer((json_int_t)sums->findings[counts[i].finding]));
	if (sums->judged) {
		json_object_set_new(summary, "expected_by_chance",
				    json_real(CHANCE * (double)sums->judged));
		json_object_set_new(summary, "standing", json_integer((json_int_t)sums->standing));
	}
	json_object_set_new(summary, "only_in_a", json_integer((json_int_t)sums->only[A]));
	json_object_set_new(summary, "only_in_b", json_integer((json_int_t)sums->only[B]));
	if (!sums->ncompared)
		return;
	put_point(summary, "median_point", p, sums->compared[(sums->ncompared - 1) / 2]);
	put_point(summary, "worst_point", p, sums->compared[sums->ncompared - 1]);
}

/* Of all points; with several B also of each, and the totals have no points of one file. */
static json_t *summarise_all(const struct all *all, const struct row_pairs *p,
			     const struct sums *sums, const struct measure *m)
{
	json_t *summary = json_pack("{s:s}", "measure", columns[m->id].name), *files, *one;

	summarise_points(summary, p, &sums[all->n]);
	if (all->n == 1)
		return summary;
	json_object_del(summary, "median_point");
	json_object_del(summary, "worst_point");
	files = json_array();
	for (size_t i = 0; i < all->n; i++) {
		one = json_pack("{s:o?}", "file", json_string(all->two[i].path[B]));
		summarise_points(one, p, &sums[i]);
		json_array_append_new(files, one);
	}
	json_object_set_new(summary, "files", files);
	return summary;
}

char *ratio_text(const struct row_pair *pair, char *buf, size_t len)
{
	if (isnan(pair->interval.lo) || pair->method == METHOD_EXACT)
		snprintf(buf, len, "B/A %s", plain(pair->ratio, 4).s);
	else
		snprintf(buf, len, "B/A %s (%s to %s)", plain(pair->ratio, 4).s,
			 plain(pair->interval.lo, 4).s, plain(pair->interval.hi, 4).s);
	return buf;
}

static void put_line(FILE *to, const char *which, const struct row_pairs *p,
		     const struct row_pair *pair)
{
	char name[256], ratio[RATIO_TEXT];

	fprintf(to, "\n%s point: %s: %s, %s", which, point_name(p, pair, name, sizeof(name)),
		ratio_text(pair, ratio, sizeof(ratio)),
		pair->finding ? finding_names[pair->finding] : "no verdict");
}

static void put_counts(FILE *to, const char *b, const struct sums *sums)
{
	const size_t *n = sums->findings;

	fprintf(to, "\n%s against A, in these runs: %zu faster, %zu slower, %zu no difference seen"
		", %zu without verdict; only in A %zu, only in %s %zu", b, n[FASTER], n[SLOWER],
		n[NO_DIFFERENCE], n[FOUND_NOTHING], sums->only[A], b, sums->only[B]);
}

/* The lines under the table, for free(); NULL without memory. */
static char *make_footer(const struct all *all, const struct row_pairs *p, const struct sums *sums)
{
	const struct sums *total = &sums[all->n];
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (size_t i = 0; i < all->n; i++) {
		put_counts(to, all->n > 1 ? all->two[i].path[B] : "B", &sums[i]);
		if (all->n == 1 || !sums[i].ncompared)
			continue;
		put_line(to, "median", p, sums[i].compared[(sums[i].ncompared - 1) / 2]);
		put_line(to, "worst", p, sums[i].compared[sums[i].ncompared - 1]);
	}
	if (total->judged)
		fprintf(to, "\nexpected by chance: %s; found: %zu, of which %zu stand%s when all "
			"points are judged together (Holm)",
			plain(CHANCE * (double)total->judged, 3).s,
			total->findings[FASTER] + total->findings[SLOWER], total->standing,
			total->standing == 1 ? "s" : "");
	if (all->n == 1 && total->ncompared) {
		put_line(to, "median", p, total->compared[(total->ncompared - 1) / 2]);
		put_line(to, "worst", p, total->compared[total->ncompared - 1]);
	}
	fclose(to);
	return text;
}

/* ---- warnings and description ---- */

static void __attribute__((format(printf, 2, 3))) warn(json_t *warnings, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	json_array_append_new(warnings, json_vsprintf(fmt, args));
	va_end(args);
}

/* "A" or "B", or the name of the file where there are several of these. */
static const char *side_name(const struct all *all, const struct two *t, int side)
{
	bool several = all->two->next || (side == B && all->n > 1);

	return several ? t->path[side] : side == A ? "A" : "B";
}

/* What a result says of itself: its status and its warnings. */
static void warn_of_result(json_t *warnings, const struct all *all, const struct two *t, int side)
{
	const char *status = document_status(t->doc[side]);
	json_t *text;
	size_t i;

	if (strcmp(status, "complete") != 0)
		warn(warnings, "%s is not complete: its status is '%s'", side_name(all, t, side),
		     status);
	json_array_foreach(document_warnings(t->doc[side]), i, text)
		if (json_is_string(text))
			warn(warnings, "%s: %s", side_name(all, t, side), json_string_value(text));
}

static void warn_of_results(json_t *warnings, const struct all *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (const struct two *t = &all->two[i]; t; t = t->next)
			for (int side = A; side <= B; side++)
				if (side == B || t == all->two || all->two->next)
					warn_of_result(warnings, all, t, side);
}

/* Emulated or computed beside what is not. */
static void warn_of_kinds(json_t *warnings, const struct all *all)
{
	static const struct {
		bool (*is)(const json_t *doc);
		const char *yes, *no;
	} kinds[] = {
		{ result_is_emulated, "emulated", "not" },
		{ result_is_computed, "computed", "measured" },
	};

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < LENGTH(kinds); k++) {
			const struct two *two = &all->two[i];
			bool a = kinds[k].is(two->doc[A]);
			const char *b = side_name(all, two, B);

			if (a != kinds[k].is(two->doc[B]))
				warn(warnings, "%s is %s, %s is %s", a ? "A" : b, kinds[k].yes,
				     a ? b : "A", kinds[k].no);
		}
}

/* A row of an old definition, whose interval takes repetitions that depend for independent. */
static bool is_narrow(const json_t *row)
{
	return result_number(row, columns[COL_TIME_ACF1].name) > ALIKE &&
	       !json_object_get(row, columns[COL_CI_METHOD].name);
}

/* Warns of intervals that take correlated repetitions for independent, and of repeated points. */
static void warn_of_points(json_t *warnings, const struct row_pairs *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->pair[i].method == METHOD_INTERVALS &&
		     (is_narrow(p->pair[i].row[A]) || is_narrow(p->pair[i].row[B]));
	if (n)
		warn(warnings, "repetitions of %zu point%s depend on one another (time_acf1 above "
		     "%g), of which intervals know nothing: they are too narrow",
		     n, n == 1 ? "" : "s", ALIKE);
	if (p->nalike)
		warn(warnings, "%zu row%s of the same point as one before in the same file: "
			       "compared in their order",
		     p->nalike, p->nalike == 1 ? " is" : "s are");
}

static json_t *describe_file(const struct two *two, int side)
{
	const json_t *doc = two->doc[side];

	return json_pack("{s:o?, s:s, s:s, s:s, s:b}", "file", json_string(two->path[side]),
			 "start", result_text(doc, "environment.time.start"),
			 "version", result_text(doc, "environment.netbench.version"),
			 "status", document_status(doc), "computed", result_is_computed(doc));
}

/* The differences of B from A; of several B each is named in the warnings. */
static json_t *describe_differences(const struct all *all, const struct two *two, json_t *warnings)
{
	json_t *own = json_array(), *found = differences(two, own), *text;
	size_t i;

	json_array_foreach(own, i, text)
		warn(warnings, "%s%s%s", all->n > 1 ? two->path[B] : "", all->n > 1 ? ": " : "",
		     json_string_value(text));
	json_decref(own);
	return found;
}

/* Of one B the file, and how it differs; of several a list of both. */
static void describe_b(json_t *env, const struct all *all, json_t *warnings)
{
	json_t *list = json_array(), *one;

	for (const struct two *two = all->two; two < all->two + all->n; two++) {
		one = describe_file(two, B);
		json_object_set_new(all->n > 1 ? one : env, "differences",
				    describe_differences(all, two, warnings));
		json_array_append_new(list, one);
	}
	json_object_set(env, "b", all->n > 1 ? list : json_array_get(list, 0));
	json_decref(list);
}

/* The environment of a comparison is what was compared, not this machine. */
static json_t *describe(const struct all *all, json_t *warnings)
{
	json_t *here = host_collect(), *env = json_object(), *later = json_array();
	const struct two *two = all->two;

	json_object_set(env, "netbench", json_object_get(here, "netbench"));
	json_object_set(env, "run", json_object_get(here, "run"));
	json_object_set(env, "time", json_object_get(here, "time"));
	json_object_set_new(env, "command", json_string(document_command(two->doc[A])));
	json_object_set_new(env, "definition", json_string(document_definition(two->doc[A])));
	json_object_set_new(env, "a", describe_file(two, A));
	for (const struct two *t = two->next; t; t = t->next)
		json_array_append_new(later, json_pack("[o, o]", describe_file(t, A),
						       describe_file(t, B)));
	if (two->next)
		json_object_set(env, "later", later);
	describe_b(env, all, warnings);
	json_decref(later);
	json_decref(here);
	return env;
}

json_t *compare_describe(const struct all *all, const struct row_pairs *p, json_t *warnings)
{
	json_t *env = describe(all, warnings), *text;
	size_t i;

	warn_of_kinds(warnings, all);
	if (p)
		warn_of_points(warnings, p);
	warn_of_results(warnings, all);
	json_array_foreach(warnings, i, text)
		error_warn("%s", json_string_value(text));
	return env;
}

/* ---- writing ---- */

/* As wide as the widest name of a file, up to the room there is. */
static void pad_head(char *head, size_t len, const struct all *all)
{
	size_t widest = 0;

	for (size_t i = 0; i < all->n; i++)
		widest = fmax(widest, strlen(all->two[i].path[B]));
	snprintf(head, len, "%-*s", (int)fmin(widest, len - 1), columns[COL_COMPARED_FILE].head);
}

/*
 * What a table can do without: the value of A follows from B and the ratio, and of the keys the
 * first count for most. Room: NCOLUMNS.
 */
static void choose_spare(struct record *rec, enum column_id *spare, const struct row_pairs *p,
			 const struct measure *m)
{
	enum column_id first = (enum column_id)(COL_COMPARED + 2 * m->unit);
	const enum column_id order[] = { COL_REMARK, COL_METHOD, first + A, first + B,
					 COL_COMPARED_LO, COL_COMPARED_HI };
	size_t n = LENGTH(order);

	memcpy(spare, order, sizeof(order));
	for (size_t i = p->nvarying; i > 1; i--)
		spare[n++] = p->keys[i - 1];
	rec->spare = spare;
	rec->nspare = n;
}

/* Of the table, then for files p_value and those that are alike everywhere. Room: NCOLUMNS. */
static void choose_columns(struct record *rec, enum column_id *cols, const char **heads,
			   const struct row_pairs *p, const struct measure *m)
{
	enum column_id first = (enum column_id)(COL_COMPARED + 2 * m->unit);
	const enum column_id own[] = { first, first + 1, COL_COMPARED_RATIO, COL_COMPARED_LO,
				       COL_COMPARED_HI, COL_METHOD, COL_VERDICT, COL_REMARK };
	size_t n = 0;

	if (heads[0])
		cols[n++] = COL_COMPARED_FILE;
	memcpy(cols + n, p->keys, p->nvarying * sizeof(*cols));
	n += p->nvarying;
	memcpy(cols + n, own, sizeof(own));
	n += LENGTH(own);
	rec->ntable = n;
	cols[n++] = COL_P_VALUE;
	memcpy(cols + n, p->keys + p->nvarying, (p->nkeys - p->nvarying) * sizeof(*cols));
	rec->cols = cols;
	rec->heads = heads;
	rec->ncols = n + p->nkeys - p->nvarying;
}

static struct value text_or_none(const char *text)
{
	return *text ? val_text(text) : (struct value){ .kind = VAL_NONE };
}

static int write_row(struct outlets *r, const struct record *rec, const struct row_pairs *p,
		     const struct row_pair *pair, const struct measure *m)
{
	enum column_id first = (enum column_id)(COL_COMPARED + 2 * m->unit);
	struct row row = { 0 };

	row_put(&row, rec, COL_COMPARED_FILE, val_text(pair->two->path[B]));
	for (size_t i = 0; i < p->nkeys; i++)
		row_set(&row, rec, p->keys[i], pair_cell(pair, p->keys[i]));
	row_set(&row, rec, first + A, val_real(pair->value[A]));
	row_set(&row, rec, first + B, val_real(pair->value[B]));
	row_set(&row, rec, COL_COMPARED_RATIO, val_real(pair->ratio));
	row_set(&row, rec, COL_COMPARED_LO, val_real(pair->interval.lo));
	row_set(&row, rec, COL_COMPARED_HI, val_real(pair->interval.hi));
	row_set(&row, rec, COL_METHOD, text_or_none(method_names[pair->method]));
	row_set(&row, rec, COL_P_VALUE, val_real(pair->p_value));
	row_set(&row, rec, COL_VERDICT, text_or_none(finding_names[pair->finding]));
	row_set(&row, rec, COL_REMARK, text_or_none(pair->remark));
	return report_row(r, rec, &row);
}

static bool any(const struct all *all, bool (*is)(const json_t *doc), bool wanted)
{
	for (size_t i = 0; i < all->n; i++)
		for (int side = A; side <= B; side++)
			if (is(all->two[i].doc[side]) == wanted)
				return true;
	return false;
}

static int write_all(const struct record *rec, const struct all *all, const struct row_pairs *p,
		     const struct measure *m)
{
	struct outlets *r = NULL;
	int err = report_open(&r, &all->st->output), closed;

	err = err ? err : report_begin(r, rec);
	for (size_t k = 0; k < p->n && !err; k++)
		err = write_row(r, rec, p, &p->pair[k], m);
	err = err ? err : report_end(r, rec);
	closed = report_close(r, !err);
	return err ? err : closed;
}

int compare_report(const struct all *all, const struct row_pairs *p, const struct measure *m,
		   const struct sums *sums)
{
	const struct two *two = all->two;
	enum column_id cols[NCOLUMNS], spare[NCOLUMNS];
	const char *heads[NCOLUMNS] = { NULL };
	char title[400], more[32] = "", head[64], *footer = make_footer(all, p, sums);
	struct record rec = {
		.command = "compare", .definition = "compare.median-ratio.v2", .title = title,
		.computed = !any(all, result_is_computed, false),
		.emulated = any(all, result_is_emulated, true),
		.options = all->st->options,
		.summary = summarise_all(all, p, sums, m), .warnings = json_array(),
		.status = "complete", .footer = footer,
	};
	int err;

	if (all->n > 1) {
		snprintf(more, sizeof(more), " and %zu more", all->n - 1);
		pad_head(head, sizeof(head), all);
		heads[0] = head;
	}
	snprintf(title, sizeof(title), "netbench %s compare: %s of %s, A = %s, B = %s%s",
		 NETBENCH_VERSION, columns[m->id].name, document_command(two->doc[A]),
		 two->path[A], two->path[B], two->next ? ", and those taken later" : more);
	rec.environment = compare_describe(all, p, rec.warnings);
	choose_columns(&rec, cols, heads, p, m);
	choose_spare(&rec, spare, p, m);
	err = write_all(&rec, all, p, m);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(footer);
	return err;
}
