/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the samples that a run stored, as a distribution, as a histogram, or over the repetitions.
 * Each series has the samples of one row.
 */
#include "show/chart/samples.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/lines.h"
#include "show/chart/points.h"
#include "show/chart/words.h"

/*
 * Bins of a histogram. On a logarithmic axis each bin is BIN_RATIO times as wide as the previous
 * bin.
 */
#define BIN_RATIO 1.05
#define BINS 60
#define BINS_MAX 400

/*
 * Columns of single values that rows can store, their names in words, the name of the samples, and
 * the factor for each sample. The factor halves round trips.
 */
static const struct {
	const char *column, *of, *samples;
	double factor;
} singles[] = {
	{ "half_rtt_p50_s", "half_rtt_p50_s", "iteration_s_count", 0.5 },
	{ "read_p50_s", "read_p50_s", "iteration_s_count", 1 },
	{ "interval_p50_s", "interval_s", "iteration_s_count", 1 },
	{ "latency_p50_s", "latency_p50_s", LOAD_BARS, 1 },
};

/* ---- what is drawn ---- */

/*
 * Returns the index in `singles` of the first column that a result has, or -1 if the result has
 * none of them.
 */
static int find_single(const json_t *doc)
{
	for (size_t i = 0; i < LENGTH(singles); i++)
		if (result_has(doc, singles[i].column))
			return (int)i;
	return -1;
}

/* Returns true if a column is computed from the median time of a row's repetitions. */
static bool is_repetition_column(const char *column)
{
	const struct column *c = column_find(column);
	enum column_id id = c ? (enum column_id)(c - columns) : COL_SIZE;

	return column_role(id) >= ROLE_MEDIAN && !column_is_single(id);
}

int samples_choose_columns(struct picture *pic)
{
	const char *wanted = pic->ask->column;
	const json_t *doc = pic->runs[0].doc;
	int single = pic->ask->kind == KIND_TIME || (wanted && is_repetition_column(wanted))
		     ? -1 : find_single(doc);
	struct axis values = pic->y;
	const json_t *c;
	size_t i;

	if (wanted && single < 0 && !is_repetition_column(wanted))
		return error_usage("column '%s' has no samples: samples are times of repetitions",
				   wanted);
	values.column = single >= 0 ? singles[single].column : wanted;
	json_array_foreach(document_columns(doc), i, c)
		if (!values.column && is_repetition_column(result_text(c, "name")))
			values.column = result_text(c, "name");
	if (!values.column || !result_has(doc, values.column))
		return error_usage("'%s' has no column with samples",
				   pic->runs[0].path);
	values.unit = result_text(result_column(doc, values.column), "unit");
	values.factor = rate_factor(pic->ask->rates, &values.unit);
	values.words = words_of(single >= 0 ? singles[single].of : values.column);
	pic->single = single >= 0;
	for (i = 0; i < pic->nruns; i++)
		pic->runs[i].y = values.column;
	if (pic->ask->kind == KIND_TIME) {
		pic->y = values;
		pic->y.linear = pic->ask->linear_y;
		pic->x = (struct axis){ .column = "repetition", .unit = "", .factor = 1,
					.linear = true, .whole = true };
		return ST_OK;
	}
	values.linear = pic->ask->linear_x;
	pic->y = (struct axis){ .unit = "%", .factor = 1, .linear = true };
	pic->y.column = pic->ask->kind == KIND_CDF ? "share of the values up to this one"
						   : "share of the values in a bin";
	if (pic->ask->kind == KIND_CDF && !pic->ask->linear_y)
		pic->y.scale = SCALE_NINES;
	pic->x = values;
	return ST_OK;
}

const char *samples_column(const struct picture *pic)
{
	return pic->ask->kind == KIND_TIME ? pic->y.column : pic->x.column;
}

struct text samples_title(const struct picture *pic)
{
	enum plot_kind kind = pic->ask->kind;

	if (kind == KIND_TIME)
		return text_from("%s, repetition by repetition", pic->y.words.s);
	return text_from("%s of the %s", kind == KIND_CDF ? "distribution" : "histogram",
			 pic->x.words.s);
}

/* ---- samples of a row ---- */

static void push_sample(struct trace *s, double value, double weight)
{
	points_push(s, (struct plot_point){ value, weight, NAN, NAN, NAN, NAN, NAN, NAN, NULL });
}

bool samples_row_has(const struct picture *pic, const json_t *row)
{
	int single = pic->single ? find_single(pic->runs[0].doc) : -1;
	const char *name = single < 0 ? "time_s" : singles[single].samples;

	return json_array_size(json_object_get(row_samples(row), name)) > 0;
}

/*
 * Adds a value for each repetition. The column holds the value for the median time, which is scaled
 * to the time of each repetition: times grow with the repetition's time, rates shrink.
 */
static void add_repetitions(struct trace *s, const json_t *row, const struct axis *a)
{
	const json_t *times = result_at(row, "samples.time_s"), *time;
	double *v = memory_new(json_array_size(times), sizeof(*v)), middle;
	double value = result_number(row, a->column) * a->factor;
	size_t i;

	json_array_foreach(times, i, time)
		v[i] = json_number_value(time);
	middle = median(v, json_array_size(times));
	free(v);
	json_array_foreach(times, i, time) {
		double t = json_number_value(time);

		if (t > 0 && middle > 0 && isfinite(value))
			push_sample(s, unit_is_rate(a->unit) ? value * middle / t
							     : value * t / middle, 1);
	}
}

/* Adds the items of a histogram: value and count; or of a list of histograms. */
static void add_bars(struct trace *s, const json_t *bars, double factor)
{
	const json_t *bar;
	size_t i;

	json_array_foreach(bars, i, bar) {
		double value = json_number_value(json_array_get(bar, 0)) * factor,
		       count = json_number_value(json_array_get(bar, 1));

		if (json_is_array(json_array_get(bar, 0)))
			add_bars(s, bar, factor);
		else if (value > 0 && count > 0)
			push_sample(s, value, count);
	}
}

void samples_add(struct picture *pic, const json_t *row, struct trace *s)
{
	int single = pic->single ? find_single(pic->runs[s->run].doc) : -1;

	if (single < 0)
		add_repetitions(s, row, pic->ask->kind == KIND_TIME ? &pic->y : &pic->x);
	else
		add_bars(s, json_object_get(row_samples(row), singles[single].samples),
			 singles[single].factor);
}

bool samples_row_has_quiet(const struct picture *pic, const json_t *row)
{
	return pic->single && json_object_get(row_samples(row), LOAD_QUIET_BARS);
}

void samples_add_quiet(const json_t *row, struct trace *s)
{
	add_bars(s, json_object_get(row_samples(row), LOAD_QUIET_BARS), 1);
}

/* ---- shapes ---- */

static double sum_y(const struct trace *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->p[i].y;
	return sum;
}

/* Turns samples into steps from 0 % at the smallest value to 100 % at the largest. */
static void make_cdf(struct trace *s)
{
	double sum = sum_y(s), before = 0;

	qsort(s->p, s->n, sizeof(*s->p), points_compare);
	for (size_t i = 0; i < s->n; i++) {
		before += s->p[i].y;
		s->p[i].y = 100 * before / sum;
	}
	push_sample(s, s->p[0].x, 0);
	memmove(&s->p[1], &s->p[0], (s->n - 1) * sizeof(*s->p));
	s->p[0].y = 0;
}

/*
 * The bins of all series, which begin at lo. `step` is the difference of neighbouring edges; on a
 * logarithmic axis, the logarithm of their ratio.
 */
struct bins {
	bool log;
	double lo, step;
	size_t n;
};

static struct bins make_bins(const struct picture *pic)
{
	struct bins b = { .lo = INFINITY };
	double hi = 0;

	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t k = 0; k < pic->traces[i].n; k++) {
			double v = pic->traces[i].p[k].x;

			if (axis_excludes(&pic->x, v))
				continue;
			b.lo = fmin(b.lo, v);
			hi = fmax(hi, v);
		}
	}
	b.log = !pic->x.linear && hi >= 8 * b.lo;
	b.n = BINS;
	if (b.log)
		b.n = (size_t)fmin(ceil((log(hi) - log(b.lo)) / log(BIN_RATIO)) + 1, BINS_MAX);
	b.step = b.log ? (log(hi) - log(b.lo)) / (double)(b.n - 1)
		       : hi > b.lo ? (hi - b.lo) / (BINS - 1) : fmax(b.lo, DBL_MIN) / BINS;
	return b;
}

/*
 * Replaces the samples by one point per bin: the bin's left edge and the bin's share of the
 * samples. A point with share 0 follows at the end.
 */
static void make_histogram(struct trace *s, const struct bins *b)
{
	struct trace bars = { .n = 0 };
	double sum = sum_y(s);

	push_sample(&bars, b->lo, 0);
	for (size_t i = 0; i <= b->n; i++)
		push_sample(&bars, b->log ? b->lo * exp(b->step * (double)i)
					 : b->lo + b->step * (double)i, 0);
	for (size_t i = 0; i < s->n; i++) {
		double at = (b->log ? log(s->p[i].x) - log(b->lo) : s->p[i].x - b->lo) / b->step;

		if (at > -0.5 && at < (double)b->n)
			bars.p[1 + (size_t)fmax(at + 1e-9, 0)].y += 100 * s->p[i].y / sum;
	}
	free(s->p);
	s->p = bars.p;
	s->n = bars.n;
}

int samples_make_points(struct picture *pic)
{
	struct bins b = make_bins(pic);

	if (pic->ask->kind == KIND_HISTOGRAM && pic->ntraces && isinf(b.lo))
		return error_usage("nothing to draw: no value is within the range of the axes");
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];
		double n = sum_y(s);

		if (!s->n)
			continue;
		for (size_t k = 0; k < s->n && pic->ask->kind != KIND_TIME; k++)
			pic->hidden |= axis_excludes(&pic->x, s->p[k].x);
		pic->fewest = pic->fewest > 0 ? fmin(pic->fewest, n) : n;
		pic->most = fmax(pic->most, n);
		if (pic->ask->kind == KIND_CDF)
			make_cdf(s);
		else if (pic->ask->kind == KIND_HISTOGRAM)
			make_histogram(s, &b);
		for (size_t k = 0; k < s->n && pic->ask->kind == KIND_TIME; k++) {
			s->p[k].y = s->p[k].x;
			s->p[k].x = (double)(k + 1);
		}
	}
	return ST_OK;
}

void samples_add_caption(struct picture *pic)
{
	char n[64];

	if (pic->fewest < pic->most)
		snprintf(n, sizeof(n), "%.0f to %.0f", pic->fewest, pic->most);
	else
		snprintf(n, sizeof(n), "%.0f", pic->most);
	lines_add(&pic->caption, LINE_PLAIN, "%s %s a series%s", n,
		 !pic->single ? "repetitions"
		 : find_single(pic->runs[0].doc) == LENGTH(singles) - 1 ? "events of all epochs"
		 : "single values of all repetitions",
		 pic->ask->kind == KIND_CDF && pic->single ? ", each to within 1/256" : "");
	lines_add(&pic->caption, LINE_PLAIN, "samples of column %s", samples_column(pic));
}
