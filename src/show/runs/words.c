/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes results of runs that are not in rows: the smallest visible slowdown, and the lines below
 * the table.
 */
#include "show/runs/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

const struct sentence runs_sentences[] = {
	{ "margin", { "{subject} is slower than {than} by more than {margin_percent} % at "
		      "{points:#point}, {blocks:#block}",
		      "{subject} is not slower than {than} by {margin_percent} % or more, "
		      "{blocks:#block}",
		      "cannot tell whether {subject} is slower than {than} by {margin_percent} % "
		      "or more, {blocks:#block}: {why}" }, NULL },
	{ "faster", { "{subject}: {quantity} of {command} is {effect:%} faster[ ({lo:%} to "
		      "{hi:%})]", NULL, NULL }, NULL },
	{ "slower", { "{subject}: {quantity} of {command} is {effect:%} slower[ ({lo:%} to "
		      "{hi:%})]", NULL, NULL }, NULL },
	{ "same", { "{subject}: {quantity} of {command} is the same within the margin[, {lo:%} to "
		    "{hi:%} slower]", NULL, NULL }, NULL },
	{ "difference", { NULL, "{subject}: no difference of {quantity} seen[, {lo:%} to {hi:%} "
			  "slower]", "{subject}: {quantity} has no verdict: {why}" }, NULL },
	{ NULL, { NULL }, NULL },
};

/*
 * Returns a range of fractions in percent, such as "4 to 9 %". Beyond 100 % the text is like "a
 * factor of 2.5 to 3".
 */
static struct text percent_range(double lo, double hi)
{
	bool factor = hi > 1;
	struct numeral a = plain(factor ? 1 + lo : 100 * lo, 2),
		       b = plain(factor ? 1 + hi : 100 * hi, 2);
	const char *before = factor ? "a factor of " : "", *after = factor ? "" : " %";

	return !strcmp(a.s, b.s) ? text_from("%s%s%s", before, a.s, after)
				 : text_from("%s%s to %s%s", before, a.s, b.s, after);
}

/* ---- the smallest visible slowdown ---- */

struct visible {
	double least, median, most; /* smallest visible slowdown, over all points; NaN: unknown */
};

static struct visible summarise_visible(const struct run_table *t, const struct runs_judged *j)
{
	double *all = memory_new(t->points, sizeof(*all));
	struct visible v = { NAN, NAN, NAN };
	size_t n = 0;

	for (size_t p = 0; p < t->points; p++)
		if (!isnan(j->own[p].visible))
			all[n++] = j->own[p].visible;
	if (n) {
		v.median = median(all, n); /* this call sorts `all` */
		v.least = all[0];
		v.most = all[n - 1];
	}
	free(all);
	return v;
}

json_t *runs_spread_json(const struct run_table *t, const struct runs_judged *j)
{
	struct visible v = summarise_visible(t, j);

	return json_pack("{s:I, s:o, s:o, s:o}", "blocks", (json_int_t)j->ask.blocks,
			 "visible_least", real_or_null(v.least), "visible_median",
			 real_or_null(v.median), "visible_most", real_or_null(v.most));
}

/* ---- the footer ---- */

/* Returns a number of points as text, such as "17 of 21 sizes". */
static struct text count_points(const struct run_table *t, size_t n)
{
	bool sizes = t->pairs.nvarying == 1 && t->pairs.keys[0] == COL_SIZE && !t->pairs.score;

	if (t->points == 1)
		return text_from("the only point");
	return text_from("%zu of %zu %s", n, t->points, sizes ? "sizes" : "points");
}

/*
 * Writes the number of points with an outcome, such as "mpi is slower than shm at 17 of 21 sizes,
 * by 4 to 9 %, 12 blocks". Writes nothing if there are no such points.
 */
static void put_outcome(FILE *to, const struct run_table *t, const struct runs_judged *j,
			size_t command, const char *const *labels, enum run_outcome outcome)
{
	const struct paired_point *p = j->pair + (command - 1) * t->points;
	double least = INFINITY, most = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->points; i++) {
		double by = outcome == RUN_FASTER ? 1 / p[i].ratio - 1 : p[i].ratio - 1;

		if (run_outcome(j, &p[i]) != outcome)
			continue;
		n++;
		least = fmin(least, by);
		most = fmax(most, by);
	}
	if (!n)
		return;
	fprintf(to, "\n%s ", labels[command]);
	if (outcome == RUN_SAME)
		fprintf(to, "is the same as %s within %s at %s", labels[0],
			percent_range(j->ask.margin, j->ask.margin).s, count_points(t, n).s);
	else
		fprintf(to, "is %s than %s at %s, by %s, %zu blocks", run_outcome_names[outcome],
			labels[0], count_points(t, n).s, percent_range(least, most).s,
			j->ask.blocks);
}

char *runs_footer(const struct run_table *t, const struct runs_judged *j,
		  const struct findings *found, const char *const *labels, const char *when)
{
	struct visible v = summarise_visible(t, j);
	char *text = NULL;
	FILE *to = text_open(&text);

	if (j->ask.commands == 1)
		fprintf(to, "\nmedian of these %zu runs%s%s; lo and hi are its 95 %% interval over "
			"runs", j->ask.blocks, *when ? ", " : "", when);
	if (j->ask.commands == 1 && j->ask.blocks < FEWEST_BLOCKS)
		fprintf(to, "\nno interval below %d runs", FEWEST_BLOCKS);
	for (size_t c = 1; c < j->ask.commands; c++) {
		put_outcome(to, t, j, c, labels, RUN_SLOWER);
		put_outcome(to, t, j, c, labels, RUN_FASTER);
		put_outcome(to, t, j, c, labels, RUN_SAME);
	}
	for (size_t i = 0; i < found->n; i++) {
		const struct finding *f = &found->at[i];
		const struct sentence *sentence = finding_sentence(runs_sentences, f->kind);
		char *words = f->decides ? finding_words(f, sentence, RATE_BYTE) : NULL;

		if (words)
			fprintf(to, "\n%s", words);
		free(words);
	}
	if (!isnan(v.median))
		fprintf(to, "\nthe smallest slowdown that %zu blocks show here today: %s at the "
			"median point, %s at the worst", j->ask.blocks,
			percent_range(v.median, v.median).s, percent_range(v.most, v.most).s);
	return memory_or_exit(text_close(to, &text));
}
