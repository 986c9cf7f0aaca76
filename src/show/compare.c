/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a comparison: its rows, the lines below them, and the reasons why the command fails. */
#include "show/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

/* ---- rows ---- */

/*
 * Returns the column of A's values in the unit of the measure. The column of B's values follows
 * that column.
 */
static enum column_id first_value_column(const struct measure *m)
{
	return (enum column_id)(COL_COMPARED + 2 * m->unit);
}

/*
 * Chooses the columns of the table. Files also have p_value and the keys that do not vary. `cols`
 * has room for NCOLUMNS.
 */
static void choose_columns(struct record *rec, enum column_id *cols, const struct row_pairs *p,
			   enum column_id first)
{
	const enum column_id own[] = { first, first + 1, COL_COMPARED_RATIO, COL_COMPARED_LO,
				       COL_COMPARED_HI, COL_METHOD, COL_VERDICT, COL_REMARK };
	size_t n = 0;

	if (rec->heads[0])
		cols[n++] = COL_COMPARED_FILE;
	memcpy(cols + n, p->keys, p->nvarying * sizeof(*cols));
	n += p->nvarying;
	memcpy(cols + n, own, sizeof(own));
	n += LENGTH(own);
	rec->ntable = n;
	cols[n++] = COL_P_VALUE;
	memcpy(cols + n, p->keys + p->nvarying, (p->nkeys - p->nvarying) * sizeof(*cols));
	rec->cols = cols;
	rec->ncols = n + p->nkeys - p->nvarying;
}

static struct value text_or_none(const char *text)
{
	return val_text(*text ? text : NULL);
}

/* Returns the remark of a row. The row of b_eff has no key, so its remark begins with "b_eff". */
static struct value row_remark(const struct row_pairs *p, const struct row_pair *pair, char *buf,
			       size_t len)
{
	if (!pair_is_score(p, pair))
		return text_or_none(pair->remark);
	snprintf(buf, len, "b_eff%s%s", *pair->remark ? ": " : "", pair->remark);
	return val_text(buf);
}

/* The data that put_rows() writes as rows. */
struct row_source {
	const struct row_pairs *p;
	const struct measure *m;
};

static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct row_source *from = arg;
	const struct row_pairs *p = from->p;
	enum column_id first = first_value_column(from->m);
	int err = ST_OK;

	for (size_t k = 0; k < p->n && !err; k++) {
		const struct row_pair *pair = &p->pair[k];
		struct row row = { 0 };
		char remark[160];

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
		row_set(&row, rec, COL_VERDICT, text_or_none(outcome_names[pair->outcome]));
		row_set(&row, rec, COL_REMARK, row_remark(p, pair, remark, sizeof(remark)));
		err = report_row(r, rec, &row);
	}
	return err;
}

int compare_write(const struct output_options *o, struct record *rec, const struct compared *all,
		  const struct row_pairs *p, const struct measure *m)
{
	enum column_id first = first_value_column(m), cols[NCOLUMNS];
	/*
	 * A narrow table drops these columns, in this order. A can be dropped because it follows
	 * from B and the ratio.
	 */
	enum column_id spare[6 + NCOLUMNS] = { COL_REMARK, COL_METHOD, first + A, first + B,
					       COL_COMPARED_LO, COL_COMPARED_HI };
	const char *heads[NCOLUMNS] = { NULL };
	char head[64];
	size_t widest = 0;

	/* the column of files is as wide as the longest name, but at most as wide as `head` */
	for (size_t i = 0; i < all->n; i++)
		widest = fmax(widest, strlen(all->two[i].path[B]));
	snprintf(head, sizeof(head), "%-*s", (int)fmin(widest, sizeof(head) - 1),
		 columns[COL_COMPARED_FILE].head);
	heads[0] = all->n > 1 ? head : NULL;
	rec->heads = heads;
	choose_columns(rec, cols, p, first);
	rec->nspare = 6;
	for (size_t i = 1; i < p->nvarying; i++)
		if (p->keys[i] == COL_ROOT)	/* the last key, the size, says more */
			spare[rec->nspare++] = COL_ROOT;
	for (size_t i = p->nvarying; i > 1; i--)
		if (p->keys[i - 1] != COL_ROOT)
			spare[rec->nspare++] = p->keys[i - 1];
	rec->spare = spare + p->score;	/* keep the remark if it names b_eff */
	rec->nspare -= p->score;
	return report_result(o, rec, put_rows, &(struct row_source){ p, m });
}

/* ---- summary and footer ---- */

const struct sentence compare_sentences[] = {
	{ "faster", { "{subject}: {quantity} of B is {effect:%} faster[ ({lo:%} to {hi:%})]",
		      NULL, NULL }, NULL },
	{ "slower", { "{subject}: {quantity} of B is {effect:%} slower[ ({lo:%} to {hi:%})]",
		      NULL, NULL }, NULL },
	{ "difference", { NULL, "{subject}: no difference of {quantity} seen[, {lo:%} to {hi:%} "
			  "slower]", "[{subject}: ]{quantity} has no verdict: {why}[; within these "
			  "runs {lo:%} to {hi:%} slower]" }, NULL },
	{ NULL, { NULL }, NULL },
};

static json_t *point_json(const struct row_pairs *p, const struct row_pair *pair)
{
	char name[256];

	return json_pack("{s:s, s:f, s:o, s:o, s:s?}", "point",
			 point_name(p, pair, name, sizeof(name)), "ratio", pair->ratio, "ratio_lo",
			 real_or_null(pair->interval.lo), "ratio_hi",
			 real_or_null(pair->interval.hi), "verdict",
			 pair->outcome ? outcome_names[pair->outcome] : NULL);
}

/*
 * The compared points are sorted by B's ratio, from fastest to slowest. These functions return the
 * median point and the slowest point.
 */
static const struct row_pair *median_point(const struct sums *sums)
{
	return sums->compared[(sums->ncompared - 1) / 2];
}

static const struct row_pair *worst_point(const struct sums *sums)
{
	return sums->compared[sums->ncompared - 1];
}

/*
 * Adds the counts, the median point and the worst point. There is no mean, because a mean of ratios
 * has no meaning.
 */
static void summarise_points(json_t *summary, const struct row_pairs *p, const struct sums *sums,
			     bool has_points)
{
	const size_t *n = sums->outcomes;

	json_object_update_new(summary, json_pack("{s:I, s:I, s:I, s:I}", "faster",
			       (json_int_t)n[FASTER], "slower", (json_int_t)n[SLOWER],
			       "no_difference_seen", (json_int_t)n[NO_DIFFERENCE],
			       "without_verdict", (json_int_t)n[NOTHING_FOUND]));
	json_object_update_new(summary, json_pack("{s:I, s:I}", "only_in_a",
			       (json_int_t)sums->only[A], "only_in_b", (json_int_t)sums->only[B]));
	if (sums->ncompared && has_points)
		json_object_update_new(summary, json_pack("{s:o, s:o}", "median_point",
				       point_json(p, median_point(sums)), "worst_point",
				       point_json(p, worst_point(sums))));
}

json_t *compare_summary(const struct compared *all, const struct row_pairs *p,
			const struct measure *m, const struct sums *sums)
{
	json_t *summary = json_pack("{s:s}", "measure", columns[m->id].name), *files, *one;

	summarise_points(summary, p, &sums[all->n], all->n == 1);
	if (all->n == 1)
		return summary;
	files = json_array();
	for (size_t i = 0; i < all->n; i++) {
		one = json_pack("{s:o?}", "file", json_string(all->two[i].path[B]));
		summarise_points(one, p, &sums[i], true);
		json_array_append_new(files, one);
	}
	json_object_set_new(summary, "files", files);
	return summary;
}

/* Writes "B/A 1.05 (1.02 to 1.08)". Omits the interval if the ratio is exact. */
#define RATIO_TEXT 128
static char *ratio_text(const struct row_pair *pair, char *buf, size_t len)
{
	if (isnan(pair->interval.lo) || pair->method == METHOD_EXACT)
		snprintf(buf, len, "B/A %s", plain(pair->ratio, 4).s);
	else
		snprintf(buf, len, "B/A %s (%s to %s)", plain(pair->ratio, 4).s,
			 plain(pair->interval.lo, 4).s, plain(pair->interval.hi, 4).s);
	return buf;
}

static void put_point(FILE *to, const char *which, const struct row_pairs *p,
		      const struct row_pair *pair)
{
	char name[256], ratio[RATIO_TEXT];

	fprintf(to, "\n%s point: %s: %s, %s", which, point_name(p, pair, name, sizeof(name)),
		ratio_text(pair, ratio, sizeof(ratio)),
		pair->outcome ? outcome_names[pair->outcome] : "no verdict");
}

static bool has_single_runs(const struct row_pairs *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->pair[i].lack == LACK_RUNS)
			return true;
	return false;
}

char *compare_footer(const struct compared *all, const struct row_pairs *p, const struct sums *sums)
{
	const struct sums *total = &sums[all->n];
	char *text = NULL;
	FILE *to = text_open(&text);

	for (size_t i = 0; i < all->n; i++) {
		const char *b = all->n > 1 ? all->two[i].path[B] : "B";
		const size_t *n = sums[i].outcomes;

		fprintf(to, "\n%s against A, in these runs: %zu faster, %zu slower, %zu no "
			"difference seen, %zu without verdict; only in A %zu, only in %s %zu", b,
			n[FASTER], n[SLOWER], n[NO_DIFFERENCE], n[NOTHING_FOUND], sums[i].only[A],
			b, sums[i].only[B]);
		if (all->n == 1 || !sums[i].ncompared)
			continue;
		put_point(to, "median", p, median_point(&sums[i]));
		put_point(to, "worst", p, worst_point(&sums[i]));
	}
	if (total->together)
		fputs("\nall points are judged together: a false finding anywhere has a "
		      "probability of 5 %", to);
	if (has_single_runs(p))
		fputs("\none run of each: lo and hi hold within these runs, and two runs differ by "
		      "more; 'netbench runs', --spread, or more files of each give a verdict", to);
	if (all->n == 1 && total->ncompared) {
		put_point(to, "median", p, median_point(total));
		put_point(to, "worst", p, worst_point(total));
	}
	return memory_or_exit(text_close(to, &text));
}

/* ---- the exit status ---- */

/* Reports the most frequent reason why points have no verdict, and a remedy. */
static void report_no_verdict(const struct two *two, const struct row_pairs *p, size_t common)
{
	static const struct {
		const char *what, *remedy;
		bool in_file;
	} lacks[NLACKS] = {
		[LACK_VALUE] = { "no value", "its column 'note' says why", true },
		[LACK_CONTENT] = { "wrong content", "measure again", true },
		[LACK_LOOPS] = { "the rounds have different loops",
				 "use the same '--loops', or another '--measure'", false },
		[LACK_REPETITIONS] = { "no interval", "use more repetitions (--point-time) or "
						      "--visits", true },
		[LACK_EPOCHS] = { "no interval, as repetitions depend on one another,",
				  "use more repetitions (--point-time) or --visits", true },
		[LACK_MEDIAN] = { "the measure has no interval",
				  "name another by '--measure', or use --paired", false },
		[LACK_RUNS] = { "one run of each", "use 'netbench runs', '--spread', or more files "
						   "of each", false },
		[LACK_SPREAD] = { "no spread of these points", "name another result of 'netbench "
							       "runs' in '--spread'", false },
		[LACK_TURNS] = { "too few runs for an interval", "use 6 pairs of results, or 4 of "
								 "each, or more", false },
		[LACK_APART] = { "one group was measured before the other, or the time differs",
				 "measure in turns, or use 'netbench runs'", false },
		[LACK_WIDE] = { "the intervals contain the limit", "use more runs",
				false },
	};
	size_t count[NLACKS][2] = { { 0 } };
	enum lack lack = LACK_VALUE;
	int side = A;

	for (size_t i = 0; i < p->n; i++)
		if (p->pair[i].two == two && p->pair[i].row[A] && p->pair[i].row[B])
			count[p->pair[i].lack][p->pair[i].lacking]++;
	for (enum lack l = LACK_VALUE; l < NLACKS; l++)
		for (int s = A; s <= B; s++)
			if (count[l][s] > count[lack][side]) {
				lack = l;
				side = s;
			}
	error_no_verdict("no verdict: %s%s%s%s (%zu of %zu points); %s", lacks[lack].what,
				lacks[lack].in_file ? " in '" : "",
				lacks[lack].in_file ? two->path[side] : "",
				lacks[lack].in_file ? "'" : "", count[lack][side], common,
				lacks[lack].remedy);
}

int compare_status(const struct compared *all, const struct row_pairs *p, const struct sums *sums,
		   const struct findings *found, const struct fail_if *fail)
{
	bool several = all->n > 1;
	char ratio[RATIO_TEXT];
	size_t n;

	for (size_t b = 0; b < all->n; b++) {
		const struct two *two = &all->two[b];
		size_t common = count_common_points(&sums[b]);

		if (!common)
			error_no_verdict("no verdict: no point of '%s' is in '%s'", two->path[A],
					 two->path[B]);
		else if (fail->asked && count_untold_points(two, p))
			report_no_verdict(two, p, common);
	}
	for (enum outcome o = FASTER; o <= SLOWER; o++) {
		const struct finding *worst = findings_worst(found, outcome_kinds[o], &n);
		const struct row_pair *pair = worst ? &p->pair[worst->of] : NULL;

		if (pair)
			error_report("%zu point%s %s by %g %% or more, the worst '%s'%s%s%s by "
				     "%s %%: %s", n, n == 1 ? " is" : "s are", outcome_names[o],
				     (fail->factor[o] - 1) * 100, worst->subject,
				     several ? " of '" : "", several ? pair->two->path[B] : "",
				     several ? "'" : "", plain(worst->effect * 100, 4).s,
				     ratio_text(pair, ratio, sizeof(ratio)));
	}
	return findings_status(found);
}
