/* SPDX-License-Identifier: Apache-2.0 */
/* Makes series of points from rows. Rows that differ in a key belong to different series. */
#include "show/chart/traces.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/values.h"
#include "model/preset.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/axes.h"
#include "show/chart/points.h"
#include "show/chart/ratios.h"
#include "show/chart/samples.h"
#include "show/chart/select.h"
#include "show/chart/words.h"

/* The largest number of points of a line, and the number of points per doubling of x. */
#define SAMPLES 60
#define SAMPLES_OCTAVE 5

/* A comparison always uses this key, because its marks differ by verdict. */
#define VERDICT "verdict"
#define WITHOUT_VERDICT "without verdict"

/*
 * Keys that distinguish rows, with the words around their values in the legend. If `always`, the
 * key separates rows even if they never have the same x.
 */
static const struct {
	const char *column, *before, *after;
	bool always;
} keys[] = {
	{ "file_b", "", "", true }, { "benchmark", PLOT_FAMILY, "", true },
	{ "pattern", "", "", true },
	{ "algorithm", "", "", true }, { "load", "load ", "", true },
	{ "aggressor", "", "", true }, { "load_asked", "load ", "", false },
	{ "rate_asked_Hz", "", "", false },
	{ "layout", "", "", true }, { "ack", "ack ", "", true }, { "size_B", "", "", false },
	{ "ranks", "", " ranks", false },
	{ "window", "window ", "", false }, { "batch", "batch ", "", false },
	{ "pairs", "", " pairs", false }, { "sources", "", " sources", false },
	{ "stages", "", " stages", false }, { "destinations", "", " destinations", false },
	{ "credits", "", " credits", false }, { "occupation_s", "occupation ", "", false },
	{ "messages", "", " messages", false }, { "segment_B", "segments ", "", false },
	{ "arity", "arity ", "", false }, { "peers", "peers ", "", false },
	{ VERDICT, "", "", true },
};

#define NKEYS LENGTH(keys)
_Static_assert(NKEYS < 32, "a key is a bit");
const unsigned traces_nkeys = NKEYS;

/* The index of the key VERDICT, which is the last key. */
#define KEY_VERDICT (NKEYS - 1)

/*
 * Columns that have no interval of their own. Each is a multiple of the column `of`, or of the
 * inverse of `of`.
 */
static const struct {
	const char *column, *of;
	bool inverse;
} multiples[] = {
	{ "message_s", "event_s", false }, { "bandwidth_Bps", "frequency_Hz", false },
	{ "process_bandwidth_Bps", "frequency_Hz", false },
	{ "pair_bandwidth_Bps", "bandwidth_Bps", false },
	{ "pair_rate_msgps", "rate_msgps", false }, { "bandwidth_Bps", "time_s", true },
};

int traces_key_index(const char *column)
{
	for (size_t i = 0; i < NKEYS; i++)
		if (!strcmp(keys[i].column, column))
			return (int)i;
	return -1;
}

/* Returns the x value of a row, or NaN if it has none. */
static double row_x(const struct picture *pic, const json_t *row)
{
	const json_t *name = json_object_get(row, pic->x.column), *place = NULL;

	if (pic->ask->kind)
		return samples_row_has(pic, row) ? 0 : NAN;
	if (pic->x.scale != SCALE_NAMES)
		return result_number(row, pic->x.column) * pic->x.factor;
	if (json_is_string(name))
		place = json_object_get(pic->x.names, json_string_value(name));
	return place ? json_number_value(place) : NAN;
}

/*
 * Computes the interval of `column` if it is a multiple of another column or of the inverse of
 * another column. Uses the interval of that column.
 */
static void derive_interval(struct plot_point *p, const json_t *row, const char *column)
{
	for (size_t i = 0; i < LENGTH(multiples) && isnan(p->lo); i++) {
		const char *of = multiples[i].of;
		double v = result_number(row, of), lo = result_part(row, of, "lo"),
		       hi = result_part(row, of, "hi");

		if (strcmp(multiples[i].column, column) != 0 || !(v > 0 && lo > 0 && hi > 0))
			continue;
		p->lo = multiples[i].inverse ? p->y * v / hi : p->y * lo / v;
		p->hi = multiples[i].inverse ? p->y * v / lo : p->y * hi / v;
	}
}

/*
 * Returns true if a row has the time of a ping-pong, which is halved to compare it with half a
 * round trip.
 */
static bool is_halved(const struct picture *pic, const struct plot_run *run, const json_t *row)
{
	return select_is_half_rtt(pic->y.column) && !strcmp(run->y, "model_s") &&
	       !strcmp(row_text(row, COL_PATTERN), PLOT_PINGPONG);
}

/* Returns true if points of presets are marked, which is so if x is the window or the batch. */
static bool marks_presets(const struct picture *pic)
{
	return !strcmp(pic->x.column, "window") || !strcmp(pic->x.column, "batch");
}

/* Returns the name of the preset that has a row's window and batch; NULL if there is none. */
static const char *preset_of(const json_t *row)
{
	return preset_name(row_number(row, COL_WINDOW), row_number(row, COL_BATCH));
}

/* Returns the point of a row, in the units of the axes. */
static struct plot_point row_point(const struct picture *pic, const struct plot_run *run,
				   const json_t *row)
{
	struct plot_point p = { row_x(pic, row), result_number(row, run->y), NAN, NAN, NAN, NAN,
				NAN, NAN, marks_presets(pic) ? preset_of(row) : NULL };
	double *const of_y[] = { &p.y, &p.lo, &p.hi, &p.p90, &p.p99, &p.fit };
	double messages = row_number(row, COL_MESSAGES);
	const char *middle = strstr(run->y, "_p50");

	if (is_halved(pic, run, row))
		p.y /= 2 * (messages > 0 ? messages : 1);
	p.fit = p.y * (1 + result_number(row, select_error_column(run->y).s));
	p.segment = row_number(row, COL_SEGMENT);
	if (!run->computed) {
		p.lo = result_part(row, run->y, "lo");
		p.hi = result_part(row, run->y, "hi");
		if (isnan(p.lo) || isnan(p.hi)) {
			p.lo = p.hi = NAN;
			derive_interval(&p, row, run->y);
		}
	}
	/*
	 * A box needs the median of the same single values. A median of means can be far outside
	 * the box.
	 */
	if (!run->computed && middle) {
		struct text of = text_from("%.*s%s", (int)(middle - run->y), run->y,
					 middle + strlen("_p50"));

		p.p90 = result_part(row, of.s, "p90");
		p.p99 = result_part(row, of.s, "p99");
	}
	for (size_t i = 0; i < LENGTH(of_y); i++)
		*of_y[i] *= pic->y.factor;
	return p;
}

/* Returns the rows of a file that are drawn (new reference). Counts the rows without a value. */
static json_t *find_rows(struct picture *pic, struct plot_run *run)
{
	json_t *drawn = json_array(), *row;
	const char *note;
	size_t i;
	double n;

	json_array_foreach(document_rows(run->doc), i, row) {
		const json_t *name = json_object_get(row, pic->x.column);
		bool has_y = !isnan(result_number(row, run->y));

		if (!select_accepts(pic, run, row))
			continue;
		run->nrows++;
		run->halved |= is_halved(pic, run, row);
		if (has_y && pic->x.names && json_is_string(name) && isnan(row_x(pic, row)))
			json_object_set_new(pic->x.names, json_string_value(name), json_integer(
				(json_int_t)json_object_size(pic->x.names) + 1));
		if (!has_y || isnan(row_x(pic, row))) {
			note = row_text(row, COL_NOTE);
			run->note = !run->note && *note ? note : run->note;
			run->missing_empty = (!run->nmissing || run->missing_empty) &&
					     row_number(row, COL_SIZE) == 0;
			run->nmissing++;
			continue;
		}
		n = row_number(row, COL_REPETITIONS);
		n = isnan(n) ? result_number(run->doc, "options.rounds") : n;
		run->reps_min = fmin(run->reps_min, n);
		run->reps_max = fmax(run->reps_max, n);
		json_array_append(drawn, row);
	}
	return drawn;
}

/* Appends to a text those keys of a row whose bits are set in `wanted`, in the legend's words. */
static struct text append_keys(struct text to, const json_t *row, unsigned wanted)
{
	for (size_t i = 0; i < NKEYS; i++) {
		const json_t *v = json_object_get(row, keys[i].column);
		const struct column *column = column_find(keys[i].column);
		const char *text = json_string_value(v);
		const char *between = to.n ? ", " : "";

		if (!(wanted & 1u << i))
			continue;
		if (json_is_number(v))
			text_add(&to, "%s%s%s%s", between, keys[i].before,
				 axes_format_number(json_number_value(v),
						    column ? column->unit : "").s,
				 keys[i].after);
		else if (text && *text)
			text_add(&to, "%s%s%s%s", between, keys[i].before, text, keys[i].after);
		else if (i == KEY_VERDICT)
			text_add(&to, "%s" WITHOUT_VERDICT, between);
	}
	return to;
}

struct text traces_key_words(const struct trace *s, unsigned wanted)
{
	return append_keys(text_from("%s", ""), s->row, wanted);
}

/*
 * Returns the label of a series: the keys in `wanted` and the preset. Without keys it is the
 * column's name in words.
 */
static struct text series_label(const struct plot_run *run, const json_t *row, unsigned wanted)
{
	const char *preset = run->presets ? preset_of(row) : NULL;
	struct text to = append_keys(run->legend, row, wanted);

	if (!to.n)
		to = words_of(run->y);
	if (preset)
		text_add(&to, " (%s)", preset);
	return to;
}

/* Returns the label of the series of all samples of a file that were measured without load. */
static struct text quiet_label(const struct plot_run *run)
{
	struct text to = run->legend;

	text_add(&to, "%squiet", to.n ? ", " : "");
	return to;
}

/* Returns the set of keys that the name of a preset replaces: window and batch. */
static unsigned keys_of_presets(void)
{
	return 1u << traces_key_index("window") | 1u << traces_key_index("batch");
}

struct text traces_look_name(const struct picture *pic, const struct trace *s)
{
	const struct plot_run *run = &pic->runs[s->run];
	const char *preset = run->presets ? preset_of(s->row) : NULL;
	size_t nth = 0;

	if (!preset)
		return text_from("%zu %s", s->run, s->label.s);
	for (size_t i = 0; i < s->run; i++)
		nth += pic->runs[i].computed == run->computed;
	return append_keys(text_from("%s, %zu", preset, nth), s->row,
			   run->keys & ~keys_of_presets());
}

void traces_set_labels(struct picture *pic, unsigned without)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];
		const struct plot_run *run = &pic->runs[s->run];

		s->label = series_label(run, s->row, run->keys & ~without);
		if (s->quiet)
			s->label = quiet_label(run);
		if (ratios_are_drawn(pic))
			s->nkeys = s->label.n - strlen(*s->verdict ? s->verdict : WITHOUT_VERDICT);
	}
}

/*
 * Returns true if a key is needed: some rows differ in this key, but agree in the keys `before` and
 * in x. A key with `always` is needed if any rows differ in this key.
 */
static bool key_is_needed(const json_t *rows, size_t key, unsigned before,
			  const struct picture *pic)
{
	json_t *seen = json_object(), *row;
	bool needed = false;
	size_t i;

	json_array_foreach(rows, i, row) {
		json_t *v = json_object_get(row, keys[key].column), *old;
		struct text others = { .n = 0 };

		if (!keys[key].always)
			others = append_keys(text_from("%.17g", row_x(pic, row)), row, before);
		v = v ? v : json_null();
		old = json_object_get(seen, others.s);
		if (!old)
			json_object_set_nocheck(seen, others.s, v);
		needed = old && !json_equal(old, v);
		if (needed)
			break;
	}
	json_decref(seen);
	return needed;
}

/* Returns the series with this label, and adds it with this row if none has. */
static struct trace *find_or_add_trace(struct picture *pic, size_t run, const json_t *row,
				       struct text label)
{
	for (size_t i = 0; i < pic->ntraces; i++)
		if (pic->traces[i].run == run && !strcmp(pic->traces[i].label.s, label.s))
			return &pic->traces[i];
	pic->traces = memory_grow(pic->traces, pic->ntraces, sizeof(*pic->traces));
	pic->traces[pic->ntraces] = (struct trace){ .run = run, .label = label, .row = row,
						    .t0 = NAN, .slope = NAN, .verdict = "" };
	return &pic->traces[pic->ntraces++];
}

/* Adds the point of a row, or its samples, to its series. */
static void add_point(struct picture *pic, size_t run, const json_t *row)
{
	const char *y = pic->runs[run].y;
	double message = row_number(row, COL_MESSAGE), event = row_number(row, COL_EVENT);
	double t0 = row_number(row, COL_T0), r_inf = row_number(row, COL_R_INF);
	double scale = result_number(row, y) / (isnan(message) ? event : message);
	bool timed = !strcmp(y, "event_s") || !strcmp(y, "message_s");
	struct text label = series_label(&pic->runs[run], row, pic->runs[run].keys);
	struct trace *s = find_or_add_trace(pic, run, row, label);
	struct plot_point p;

	if (pic->ask->kind) {
		samples_add(pic, row, s);
		/* all rows of a file share a series of what is measured without load */
		if (samples_row_has_quiet(pic, row)) {
			s = find_or_add_trace(pic, run, row, quiet_label(&pic->runs[run]));
			s->quiet = true;
			samples_add_quiet(row, s);
		}
		return;
	}
	p = row_point(pic, &pic->runs[run], row);
	pic->runs[run].nbars += !isnan(p.lo);
	pic->band |= !isnan(p.p90);
	pic->marked |= p.preset != NULL;
	if (ratios_are_drawn(pic))
		s->verdict = result_text(row, VERDICT);
	/* each row holds the line fitted to all sizes up to its size; the last row is used */
	if (!pic->runs[run].computed && !strcmp(pic->x.column, "size_B") && !isnan(t0) &&
	    !isnan(scale) && timed) {
		s->t0 = scale * t0;
		s->slope = r_inf > 0 ? scale / r_inf : 0;
	}
	points_push(s, p);
}

/* Makes the series of a file, or records why the file has no series. */
static void make_traces(struct picture *pic, size_t run)
{
	struct plot_run *r = &pic->runs[run];
	json_t *rows = find_rows(pic, r), *row;
	size_t i;

	r->keys = 0;	/* no key has been found yet */
	for (i = 0; i < KEY_VERDICT; i++)
		if (strcmp(keys[i].column, pic->x.column) && key_is_needed(rows, i, r->keys, pic))
			r->keys |= 1u << i;
	r->presets = (r->keys & keys_of_presets()) && !marks_presets(pic);
	if (ratios_are_drawn(pic))
		r->keys |= 1u << KEY_VERDICT;
	json_array_foreach(rows, i, row)
		add_point(pic, run, row);
	json_decref(rows);
	if (r->nrows > r->nmissing || *r->why)
		return;
	if (r->nrows && pic->ask->kind)
		traces_set_reason(r, "it has no such samples: measure with '--samples', and write "
				  ".json");
	else if (r->nrows)
		traces_set_reason(r, "no row has both '%s' and '%s'%s%s", r->y, pic->x.column,
				  r->note ? ": " : "", r->note ? r->note : "");
	else if (r->pattern)
		traces_set_reason(r, "no row has the pattern one-way or ping-pong, with which "
				  "'%s' is compared: '--where pattern=' chooses others",
				  pic->y.column);
}

/* ---- lines ---- */

static void add_spot(struct spots *to, double x, double y)
{
	to->v = memory_grow(to->v, to->n, sizeof(*to->v));
	to->v[to->n++] = (struct spot){ x, y };
}

/*
 * Converts a value at x to its time, or a time to its value. Returns the value unchanged if y is
 * NULL.
 */
static double convert_time(const struct axis *y, double x, double value)
{
	bool rate = y && (!strcmp(y->unit, "B/s") || !strcmp(y->unit, "bit/s"));

	return !y || !strcmp(y->unit, "s") ? value : rate ? x / value : 1 / value;
}

/*
 * Adds the points of a line from p to q, without q. On the line the value is linear in x; if
 * `by_time` is not NULL, the time is linear in x.
 */
static void add_line(struct spots *to, const struct axis *by_time, struct spot p, struct spot q)
{
	double t = convert_time(by_time, p.x, p.y);
	double slope = (convert_time(by_time, q.x, q.y) - t) / (q.x - p.x);
	int steps = (int)ceil(fmin(SAMPLES, SAMPLES_OCTAVE * log2(q.x / p.x)));

	for (int k = 0; k < steps; k++) {
		double x = p.x * pow(q.x / p.x, (double)k / steps);
		double y = convert_time(by_time, x, t + slope * (x - p.x));

		if (y > 0 && isfinite(y))
			add_spot(to, x, y);
	}
}

/*
 * Makes the fitted lines: one for all points, or one for each segment. A line extends from the
 * first size above 0 to the last size.
 */
static void make_fit(struct trace *s)
{
	bool whole = !isnan(s->t0);

	for (size_t first = 0, last; first < s->n; first = last + 1) {
		const struct plot_point *p = &s->p[first], *q;
		struct spot from, to;

		for (last = first; last + 1 < s->n; last++)
			if (!whole && !(s->p[last + 1].segment == p->segment))
				break;
		while (p < &s->p[last] && !(p->x > 0))
			p++;
		q = &s->p[last];
		from = (struct spot){ p->x, whole ? s->t0 + s->slope * p->x : p->fit };
		to = (struct spot){ q->x, whole ? s->t0 + s->slope * q->x : q->fit };
		if (!(to.x > from.x) || !isfinite(from.y) || !isfinite(to.y))
			continue;
		add_line(&s->fit, NULL, from, to);
		add_spot(&s->fit, to.x, to.y);
		add_spot(&s->fit, NAN, NAN);
	}
}

/* Makes the curve between computed points over sizes, with a gap at the break of the axis. */
static void make_curve(const struct picture *pic, struct trace *s)
{
	for (size_t k = 0; k < s->n; k++) {
		const struct plot_point *p = &s->p[k], *next = k + 1 < s->n ? p + 1 : p;

		if (p->x > 0 && next->x > p->x)
			add_line(&s->curve, &pic->y, (struct spot){ p->x, p->y },
				 (struct spot){ next->x, next->y });
		else
			add_spot(&s->curve, p->x, p->y);
		if (pic->x.broken && p->x == 0 && next->x > 0)
			add_spot(&s->curve, NAN, NAN);
	}
}

bool traces_is_by_time(const struct picture *pic)
{
	const struct axis *x = &pic->x;

	return !strcmp(x->unit, "B") && *pic->y.unit && (x->scale == SCALE_LOG || x->linear);
}

void traces_choose_style(const struct picture *pic, struct trace *s)
{
	bool shares = pic->ask->kind == KIND_CDF || pic->ask->kind == KIND_HISTOGRAM;
	bool joined = pic->runs[s->run].computed && pic->x.scale != SCALE_NAMES;
	/* the number of processors that have the message grows in steps */
	bool stepped = !strcmp(pic->y.column, "processors") &&
		       !strncmp(pic->x.column, "after_", 6);

	if (shares)
		s->style = pic->ask->text ? STYLE_MARKS : STYLE_STEPS;
	else if (joined && stepped)
		s->style = STYLE_STEPS;
	else if (joined && traces_is_by_time(pic) && s->n > 1)
		s->style = STYLE_CURVE;
	else if (joined)
		s->style = STYLE_JOINED;
	if (s->style == STYLE_CURVE)
		make_curve(pic, s);
}

void traces_set_reason(struct plot_run *run, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(run->why, sizeof(run->why), fmt, args);
	va_end(args);
	for (char *s = run->why; *s; s++)
		*s = iscntrl((unsigned char)*s) ? '?' : *s;
}

int traces_make(struct picture *pic)
{
	for (size_t i = 0; i < pic->nruns; i++)
		make_traces(pic, i);
	if (pic->ask->kind)
		return samples_make_points(pic);
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];

		qsort(s->p, s->n, sizeof(struct plot_point), points_compare);
		if (!strcmp(pic->x.column, "size_B"))
			make_fit(s);
		pic->fitted |= s->fit.n > 0;
	}
	return ST_OK;
}
