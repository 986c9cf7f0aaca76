/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the text below a picture. */
#include "show/chart/caption.h"

#include <math.h>
#include <string.h>

#include "result/document.h"
#include "result/reader.h"
#include "show/chart/axes.h"
#include "show/chart/ranks.h"
#include "show/chart/ratios.h"
#include "show/chart/samples.h"
#include "show/chart/traces.h"
#include "show/monitor/words.h"

/* The largest number of warnings that a caption repeats. Further warnings are only counted. */
#define WARNINGS_MAX 4

/* Smallest number of repetitions with which a median has an interval. */
#define REPETITIONS_LEAST 6

/*
 * Adds a line about the number of repetitions per point in all measured files, and about which
 * points have an interval.
 */
static void add_interval_notes(struct picture *pic)
{
	size_t points = 0, bars = 0;
	double least = NAN, most = NAN;
	const char *of = ratios_are_drawn(pic) ? "ratio"
			 : strstr(pic->y.column, "_p9") ? "percentile" : "median";
	struct text n = { .n = 0 };

	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];

		if (run->computed)
			continue;
		points += run->nrows - run->nmissing;
		bars += run->nbars;
		least = fmin(least, run->reps_min);
		most = fmax(most, run->reps_max);
	}
	if (least < most)
		text_add(&n, "n = %.0f to %.0f repetitions a point", least, most);
	else if (!isnan(least))
		text_add(&n, "n = %.0f repetitions a point", least);
	if (!bars && most < REPETITIONS_LEAST) {
		SAY(pic, "%s, too few for a 95 %% interval of the %s", n.s, of);
		return;
	}
	text_add(&n, "%s", n.n ? "; " : "");
	if (!bars)
		SAY(pic, "%sno 95 %% interval of %s in the results", n.s, pic->y.column);
	else if (bars == points)
		SAY(pic, "%sbars: 95 %% interval of the %s", n.s, of);
	else
		SAY(pic, "%sbars: 95 %% interval of the %s, missing at %zu of %zu points%s",
		    n.s, of, points - bars, points,
		    ratios_are_drawn(pic) ? ": see 'remark'"
		    : least < REPETITIONS_LEAST ? "; it needs 6 repetitions"
						: ": repetitions depend on one another");
}

void caption_add_warnings(struct picture *pic)
{
	size_t i, n = 0;
	json_t *text;

	for (size_t k = 0; k < pic->nruns; k++)
		json_array_foreach(document_warnings(pic->runs[k].doc), i, text)
			if (json_is_string(text) && n++ < WARNINGS_MAX)
				WARN(pic, "%s%swarning: %s", PLOT_OF(pic, &pic->runs[k]),
				     json_string_value(text));
	if (n > WARNINGS_MAX)
		WARN(pic, "and %zu more warnings", n - WARNINGS_MAX);
}

void caption_add_conditions(struct picture *pic)
{
	for (size_t i = 0; i < pic->ask->nwhere; i++)
		SAY(pic, "only rows with %s", pic->ask->where[i]);
}

/* Adds lines that say which values the axes hide and which rows are drawn. */
static void add_axis_notes(struct picture *pic)
{
	if (pic->nall)
		SAY(pic, "%zu of %zu points are drawn: those with the least, the median and the "
		    "greatest value in each part of the axis", pic->nthin, pic->nall);
	if (pic->x.broken)
		SAY(pic, "%s stands before the break, outside the logarithmic scale",
		    axes_format_number(0, pic->x.unit).s);
	if (pic->hidden)
		SAY(pic, "shares are of all values, also of those outside the range of the axes");
	else if (pic->noutside && pic->ask->kind != KIND_CDF && pic->ask->kind != KIND_HISTOGRAM)
		SAY(pic, "%zu point%s outside the range of the axes", pic->noutside,
		    pic->noutside == 1 ? " is" : "s are");
	caption_add_conditions(pic);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];

		if (run->pattern && !*run->why)
			SAY(pic, "%s%sonly pattern %s", PLOT_OF(pic, run), run->pattern);
		if (run->halved)
			SAY(pic, "%s%spattern %s is drawn as half a round trip: "
			    "%s / (2 messages)", PLOT_OF(pic, run), PLOT_PINGPONG, run->y);
	}
}

/*
 * Adds the efficiency of a measured series: its share of each computed series, at every number of
 * ranks that both have.
 */
static void add_efficiency(struct picture *pic, const struct trace *measured)
{
	for (const struct trace *c = pic->traces; c < pic->traces + pic->ntraces; c++) {
		struct text shares = { .n = 0 };

		for (size_t i = 0; pic->runs[c->run].computed && i < measured->n; i++)
			for (size_t k = 0; k < c->n; k++)
				if (c->p[k].x == measured->p[i].x)
					text_add(&shares, "%s%.4g %% at %g", shares.n ? ", " : "",
						 100 * measured->p[i].y / c->p[k].y, c->p[k].x);
		if (shares.n)
			SAY(pic, "efficiency of %s against %s: %s", pic->runs[measured->run].label,
			    pic->runs[c->run].label, shares.s);
	}
}

/* Explains the lines between points, and marks that are moved aside. */
static void add_line_notes(struct picture *pic, bool computed)
{
	const char *between = traces_is_by_time(pic)
			      ? "; between them the time is interpolated linearly over the size"
			      : "";
	bool stepped = false;

	for (size_t i = 0; i < pic->ntraces; i++)
		stepped |= pic->traces[i].style == STYLE_STEPS;
	if (computed && stepped)
		SAY(pic, "steps: a value holds until the next, computed, without intervals");
	else if (computed)
		SAY(pic, "%s%s", pic->x.scale == SCALE_NAMES
			  ? "computed values have no intervals"
			  : "joined points are computed, without intervals", between);
	if (pic->fitted)
		SAY(pic, "lines without marks: fitted, from the first point to the last");
	if (pic->aside)
		SAY(pic, "marks of one %s stand side by side",
		    strcmp(pic->x.column, "time") != 0 ? pic->x.words.s : "time");
	if (pic->y.scale == SCALE_NINES)
		SAY(pic, "the axis is scaled by nines: -log10(1 - share); its end is "
			 "100 %%");
}

void caption_write(struct picture *pic)
{
	bool computed = false, measured = false;

	for (size_t i = 0; i < pic->nruns; i++)
		*(pic->runs[i].computed ? &computed : &measured) = true;
	if (pic->ask->kind)
		samples_add_caption(pic);
	else if (measured)
		add_interval_notes(pic);
	if (ratios_are_drawn(pic))
		ratios_add_caption(pic);
	if (pic->band)	/* a box shows percentiles of the single values; the mark is their median */
		SAY(pic, pic->ask->text
		    ? "90th and 99th percentiles are drawn in files only"
		    : "boxes: from the median, the mark, to the 90th percentile, and lighter to "
		      "the 99th");
	add_line_notes(pic, computed && !pic->ask->kind);
	for (size_t i = 0; i < pic->ntraces && ranks_is_summary(pic->ask->column); i++)
		if (!pic->runs[pic->traces[i].run].computed)
			add_efficiency(pic, &pic->traces[i]);
	if (pic->marked)
		SAY(pic, "%s: the presets of window and batch",
		    pic->ask->text ? "named points" : "rings");
	add_axis_notes(pic);
	if (!pic->ask->kind)
		SAY(pic, "column %s over %s", pic->y.column, pic->x.column);
	for (size_t i = 0; i < pic->nfiles; i++) {
		const struct plot_run *run = &pic->runs[i];

		if (*run->why)
			WARN(pic, "%s%snot drawn: %s", PLOT_OF(pic, run), run->why);
		else if (run->nmissing && run->missing_empty && !run->note)
			SAY(pic, "%s%snot drawn: messages of 0 B, which have no %s",
			    PLOT_OF(pic, run), run->y);
		else if (run->nmissing)
			WARN(pic, "%s%snot drawn: %zu of %zu rows, without %s or %s%s%s%s",
			     PLOT_OF(pic, run), run->nmissing, run->nrows, run->y, pic->x.column,
			     run->note ? " (" : "", run->note ? run->note : "",
			     run->note ? ")" : "");
	}
	for (size_t i = 0; i < pic->nfiles; i++) {
		json_t *words = monitor_words_of_result(pic->runs[i].doc), *line;
		size_t k;

		json_array_foreach(words, k, line)
			SAY(pic, "%s", json_string_value(line));
		json_decref(words);
	}
	caption_add_warnings(pic);
}
