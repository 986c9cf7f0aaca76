/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series of points from rows: one for each combination of the keys that distinguish rows at the
 * same x.
 */
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
#include "result/reader.h"
#include "show/chart/axes.h"
#include "show/chart/heading.h"
#include "show/chart/ratios.h"
#include "show/chart/samples.h"
#include "show/chart/select.h"
#include "show/chart/words.h"

/* Points of a fitted line, and of a curve while x doubles. */
#define SAMPLES 60
#define SAMPLES_OCTAVE 5

/* Of comparisons always a key, as marks are by it. */
#define VERDICT "verdict"
#define WITHOUT_VERDICT "without verdict"

/* Keys that distinguish rows, with the legend's words; `always`: also where rows at one x agree. */
static const struct {
	const char *column, *before, *after;
	bool always;
} keys[] = {
	{ "file_b", "", "", true }, { "benchmark", PLOT_FAMILY, "", true },
	{ "pattern", "", "", true },
	{ "algorithm", "", "", true }, { "load", "load ", "", true },
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

/* Always the last. */
#define KEY_VERDICT (NKEYS - 1)

/* Columns without an interval of their own, which are a multiple of another or of its inverse. */
static const struct {
	const char *column, *of;
	bool inverse;
} multiples[] = {
	{ "message_s", "event_s", false }, { "bandwidth_Bps", "frequency_Hz", false },
	{ "process_bandwidth_Bps", "frequency_Hz", false },
	{ "pair_bandwidth_Bps", "bandwidth_Bps", false },
	{ "pair_rate_msgps", "rate_msgps", false }, { "bandwidth_Bps", "time_s", true },
};

/* The rows of a run that are drawn. */
struct drawn {
	json_t **rows;
	size_t n;
};

int traces_key(const char *column)
{
	for (size_t i = 0; i < NKEYS; i++)
		if (!strcmp(keys[i].column, column))
			return (int)i;
	return -1;
}

/* The x of a row; NaN if it has none. */
static double x_of(const struct picture *pic, const json_t *row)
{
	const char *text = json_string_value(json_object_get(row, pic->x.column));

	if (pic->ask->kind)
		return samples_has(pic, row) ? 0 : NAN;
	if (pic->x.scale != SCALE_NAMES)
		return result_number(row, pic->x.column) * pic->x.factor;
	for (size_t i = 0; i < pic->x.nnames && text; i++)
		if (!strcmp(pic->x.names[i], text))
			return (double)(i + 1);
	return NAN;
}

/* Numbers the texts of x in their order. */
static int add_name(struct picture *pic, const json_t *row)
{
	const char *text = json_string_value(json_object_get(row, pic->x.column)), **grown;

	if (pic->x.scale != SCALE_NAMES || !text || !isnan(x_of(pic, row)))
		return ST_OK;
	grown = list_grow(pic->x.names, pic->x.nnames, sizeof(*grown));
	if (!grown)
		return error_report("no memory for the names of '%s'", pic->x.column);
	pic->x.names = grown;
	pic->x.names[pic->x.nnames++] = text;
	return ST_OK;
}

/* Takes the interval from a column that this one is a multiple of, scaled. */
static void scaled_interval(struct plot_point *p, const json_t *row, const char *column)
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

/* True if it is the time of ping-pongs, to be compared with half a round trip. */
static bool is_halved(const struct picture *pic, const struct plot_run *run, const json_t *row)
{
	return select_is_half_rtt(pic->y.column) && !strcmp(run->y, "model_s") &&
	       !strcmp(result_text(row, "pattern"), PLOT_PINGPONG);
}

static double y_of(const struct picture *pic, const struct plot_run *run, const json_t *row)
{
	double y = result_number(row, run->y), messages = result_number(row, "messages");

	if (!is_halved(pic, run, row))
		return y;
	return y / (2 * (messages > 0 ? messages : 1));
}

/* True if points stand over the window or batch, so that those of presets are marked. */
static bool marks_presets(const struct picture *pic)
{
	return !strcmp(pic->x.column, "window") || !strcmp(pic->x.column, "batch");
}

/* The name of a row's window and batch; NULL if they have none. */
static const char *preset_of(const json_t *row)
{
	return preset_name(result_number(row, "window"), result_number(row, "batch"));
}

/*
 * The box around a median of single values reaches to other quantiles of the same values. Other
 * columns have none: a median of repetitions' means can lie far outside such a box.
 */
static void add_quantiles(struct plot_point *p, const json_t *row, const char *column)
{
	const char *part = strstr(column, "_p50");
	char of[80];

	if (!part)
		return;
	snprintf(of, sizeof(of), "%.*s%s", (int)(part - column), column, part + strlen("_p50"));
	p->p90 = result_part(row, of, "p90");
	p->p99 = result_part(row, of, "p99");
}

static struct plot_point point_of(const struct picture *pic, const struct plot_run *run,
				  const json_t *row)
{
	struct plot_point p = { x_of(pic, row), y_of(pic, run, row), NAN, NAN, NAN, NAN, NAN,
				NAN, marks_presets(pic) ? preset_of(row) : NULL };
	char error_of[80];

	select_error(error_of, sizeof(error_of), run->y);
	p.fit = p.y * (1 + result_number(row, error_of));
	p.segment = result_number(row, "segment");
	if (run->computed)
		return p;
	p.lo = result_part(row, run->y, "lo");
	p.hi = result_part(row, run->y, "hi");
	if (isnan(p.lo) || isnan(p.hi)) {
		p.lo = p.hi = NAN;
		scaled_interval(&p, row, run->y);
	}
	add_quantiles(&p, row, run->y);
	return p;
}

/* A point of y in the unit that is drawn. */
static void scale_y(struct plot_point *p, double factor)
{
	double *const of_y[] = { &p->y, &p->lo, &p->hi, &p->p90, &p->p99, &p->fit };

	for (size_t i = 0; i < LENGTH(of_y); i++)
		*of_y[i] *= factor;
}

static void note_missing(struct plot_run *run, const json_t *row)
{
	const char *note = result_text(row, "note");

	run->missing_empty = (!run->nmissing || run->missing_empty) &&
			     result_number(row, "size_B") == 0;
	run->nmissing++;
	if (!run->note && *note)
		run->note = note;
}

static int find_rows(struct drawn *d, struct picture *pic, struct plot_run *run)
{
	json_t *rows = json_object_get(run->doc, "rows"), *row;
	int err = ST_OK;
	size_t i;
	double n;

	d->rows = calloc(json_array_size(rows) + 1, sizeof(json_t *));
	if (!d->rows)
		return error_report("no memory for %zu rows", json_array_size(rows));
	json_array_foreach(rows, i, row) {
		if (err || !select_takes(pic, run, row))
			continue;
		run->nrows++;
		run->halved |= is_halved(pic, run, row);
		err = isnan(result_number(row, run->y)) ? ST_OK : add_name(pic, row);
		if (isnan(x_of(pic, row)) || isnan(result_number(row, run->y))) {
			note_missing(run, row);
			continue;
		}
		n = result_number(row, "repetitions");
		n = isnan(n) ? result_number(run->doc, "options.rounds") : n;
		run->reps_min = fmin(run->reps_min, n);
		run->reps_max = fmax(run->reps_max, n);
		d->rows[d->n++] = row;
	}
	return err;
}

static void put_key(FILE *to, const json_t *v, size_t key)
{
	const char *column = keys[key].column;
	const char *unit = strrchr(column, '_');
	char number[48];

	if (json_is_number(v))
		axes_number(number, sizeof(number), json_number_value(v), unit ? unit + 1 : "");
	fprintf(to, "%s%s%s", keys[key].before, json_is_number(v) ? number : json_string_value(v),
		keys[key].after);
}

/*
 * `first`, if not NULL, and the keys of a row that are bits of `wanted`, in the legend's words, for
 * free(). NULL without memory.
 */
static char *label_of(const json_t *row, unsigned wanted, const char *first)
{
	const char *before = first ? ", " : "";
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	fputs(first ? first : "", to);
	for (size_t i = 0; i < NKEYS; i++) {
		const json_t *v = json_object_get(row, keys[i].column);
		bool valued = json_is_number(v) || json_is_string(v);

		if (!(wanted & 1u << i) || (!valued && i != KEY_VERDICT))
			continue;
		fputs(before, to);
		if (i == KEY_VERDICT && !*result_text(row, VERDICT))
			fputs(WITHOUT_VERDICT, to);
		else
			put_key(to, v, i);
		before = ", ";
	}
	return text_close(to, &text);
}

char *traces_words(const struct trace *s, unsigned wanted)
{
	return label_of(s->row, wanted, NULL);
}

/* A series in the legend: by these keys, and the preset; or, if that says nothing, its column. */
static char *name_series(const struct plot_run *run, const json_t *row, unsigned wanted)
{
	char *text = label_of(row, wanted, run->legend), *longer, words[128];
	const char *preset = run->presets ? preset_of(row) : NULL;

	if (text && !*text && !run->legend) {
		free(text);
		return strdup(words_of(words, sizeof(words), run->y));
	}
	if (!text || !preset)
		return text;
	if (asprintf(&longer, "%s (%s)", text, preset) < 0)
		longer = NULL;
	free(text);
	return longer;
}

int traces_label(struct picture *pic, unsigned without)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];
		const struct plot_run *run = &pic->runs[s->run];

		free(s->label);
		s->label = name_series(run, s->row, run->keys & ~without);
		if (!s->label)
			return error_report("no memory for a legend");
		if (ratios_are_drawn(pic))
			s->nkeys = strlen(s->label) -
				   strlen(*s->verdict ? s->verdict : WITHOUT_VERDICT);
	}
	return ST_OK;
}

/*
 * 1 if rows differ in a key and agree in all others and, unless `always`, in x; 0 if there are
 * none; -1 without memory.
 */
static int is_needed(const struct drawn *d, size_t key, unsigned before,
		     const struct picture *pic)
{
	json_t *seen = json_object();
	int needed = 0;

	for (size_t i = 0; i < d->n && !needed; i++) {
		json_t *v = json_object_get(d->rows[i], keys[key].column), *old;
		char place[32], *others;

		snprintf(place, sizeof(place), "%.17g",
			 keys[key].always ? 0 : x_of(pic, d->rows[i]));
		others = keys[key].always ? strdup(place) : label_of(d->rows[i], before, place);
		v = v ? v : json_null();
		old = others ? json_object_get(seen, others) : NULL;
		if (!others || (!old && json_object_set(seen, others, v)))
			needed = -1;
		else
			needed = old && !json_equal(old, v);
		free(others);
	}
	json_decref(seen);
	return needed;
}

/* The line fitted to a series, from this row, which has it for all lengths up to its own. */
static void note_line(const struct picture *pic, struct trace *s, const json_t *row, const char *y)
{
	double message = result_number(row, "message_s"), event = result_number(row, "event_s");
	double t0 = result_number(row, "t0_s"), r_inf = result_number(row, "r_inf_Bps");
	double scale = result_number(row, y) / (isnan(message) ? event : message);

	if (pic->runs[s->run].computed || strcmp(pic->x.column, "size_B") != 0 || isnan(t0) ||
	    isnan(scale) || (strcmp(y, "event_s") != 0 && strcmp(y, "message_s") != 0))
		return;
	s->t0 = scale * t0;
	s->slope = r_inf > 0 ? scale / r_inf : 0;
}

/* The series of that label, which it then owns; if there is none a new one. NULL without memory. */
static struct trace *trace_of(struct picture *pic, size_t run, const json_t *row, char *label)
{
	struct trace *grown;

	for (size_t i = 0; i < pic->ntraces; i++) {
		if (pic->traces[i].run != run || strcmp(pic->traces[i].label, label) != 0)
			continue;
		free(label);
		return &pic->traces[i];
	}
	grown = list_grow(pic->traces, pic->ntraces, sizeof(*grown));
	if (!grown) {
		free(label);
		return NULL;
	}
	pic->traces = grown;
	grown += pic->ntraces++;
	*grown = (struct trace){ .run = run, .label = label, .row = row, .t0 = NAN, .slope = NAN,
				 .verdict = "" };
	return grown;
}

static int add_point(struct picture *pic, size_t run, const json_t *row)
{
	char *label = name_series(&pic->runs[run], row, pic->runs[run].keys);
	struct trace *s = label ? trace_of(pic, run, row, label) : NULL;
	struct plot_point *grown;

	if (s && pic->ask->kind)
		return samples_take(pic, row, s);
	grown = s ? list_grow(s->p, s->n, sizeof(*grown)) : NULL;
	if (!grown)
		return error_report("no memory for a series");
	s->p = grown;
	s->p[s->n] = point_of(pic, &pic->runs[run], row);
	scale_y(&s->p[s->n], pic->y.factor);
	pic->runs[run].nbars += !isnan(s->p[s->n].lo);
	pic->band |= !isnan(s->p[s->n].p90);
	pic->marked |= s->p[s->n].preset != NULL;
	s->n++;
	if (ratios_are_drawn(pic))
		s->verdict = result_text(row, VERDICT);
	note_line(pic, s, row, pic->runs[run].y);
	return ST_OK;
}

/* Finds which keys distinguish a run's rows. */
static int choose_keys(struct picture *pic, struct plot_run *r, const struct drawn *d)
{
	static const char *const of_presets[] = { "window", "batch" };

	r->keys = 0;
	for (size_t i = 0; i < KEY_VERDICT; i++) {
		int needed = strcmp(keys[i].column, pic->x.column)
			     ? is_needed(d, i, r->keys, pic) : 0;

		if (needed < 0)
			return error_report("no memory for a legend");
		r->keys |= (unsigned)needed << i;
	}
	for (size_t i = 0; i < LENGTH(of_presets) && !marks_presets(pic); i++)
		r->presets |= (r->keys & 1u << traces_key(of_presets[i])) != 0;
	if (ratios_are_drawn(pic))
		r->keys |= 1u << KEY_VERDICT;
	return ST_OK;
}

static int make_traces(struct picture *pic, size_t run)
{
	struct plot_run *r = &pic->runs[run];
	struct drawn d = { .n = 0 };
	int err = find_rows(&d, pic, r);

	if (!err && pic->ask->named && !(r->legend = heading_legend(pic, r)))
		err = error_report("no memory for a legend");
	if (!err)
		err = choose_keys(pic, r, &d);
	for (size_t i = 0; i < d.n && !err; i++)
		err = add_point(pic, run, d.rows[i]);
	free(d.rows);
	return err;
}

static int compare_points(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	return order_doubles(p->x, q->x);
}

static int add_spot(struct spots *to, double x, double y)
{
	struct spot *grown = list_grow(to->v, to->n, sizeof(*grown));

	if (!grown)
		return error_report("no memory for a line");
	to->v = grown;
	to->v[to->n++] = (struct spot){ x, y };
	return ST_OK;
}

/* Adds a straight line between two points, and a gap before it unless it is the first. */
static int add_piece(struct spots *to, const struct spot *from, const struct spot *end)
{
	double slope = (end->y - from->y) / (end->x - from->x);
	int err = ST_OK;

	if (!(end->x > from->x) || !isfinite(from->y) || !isfinite(end->y))
		return ST_OK;
	if (to->n)
		err = add_spot(to, NAN, NAN);
	for (int k = 0; k <= SAMPLES && !err; k++) {
		double x = from->x * pow(end->x / from->x, (double)k / SAMPLES);
		double y = from->y + slope * (x - from->x);

		if (y > 0 && isfinite(y))
			err = add_spot(to, x, y);
	}
	return err;
}

/* The line of all points, or those of their segments, between the first and last size above 0. */
static int make_fit(struct trace *s)
{
	int err = ST_OK;

	for (size_t first = 0, last; first < s->n && !err; first = last + 1) {
		const struct plot_point *p = &s->p[first], *q;
		bool whole = !isnan(s->t0);

		for (last = first; last + 1 < s->n; last++)
			if (!whole && !(s->p[last + 1].segment == p->segment))
				break;
		while (p < &s->p[last] && !(p->x > 0))
			p++;
		q = &s->p[last];
		err = add_piece(&s->fit,
				&(struct spot){ p->x, whole ? s->t0 + s->slope * p->x : p->fit },
				&(struct spot){ q->x, whole ? s->t0 + s->slope * q->x : q->fit });
	}
	return err;
}

/* ---- lines between computed points ---- */

bool traces_is_by_time(const struct picture *pic)
{
	const struct axis *x = &pic->x, *y = &pic->y;

	return !strcmp(x->unit, "B") && *y->unit && (x->scale == SCALE_LOG || x->linear) &&
	       (y->scale == SCALE_LOG || y->linear);
}

/* The time of a value at x; also the value of a time, by the same formula. */
static double inverse(const struct axis *y, double x, double value)
{
	bool rate = !strcmp(y->unit, "B/s") || !strcmp(y->unit, "bit/s");

	return !strcmp(y->unit, "s") ? value : rate ? x / value : 1 / value;
}

/* Interpolates the time from p to q, without both ends. */
static int add_between(struct spots *to, const struct axis *unit, const struct plot_point *p,
		       const struct plot_point *q)
{
	double t = inverse(unit, p->x, p->y);
	double slope = (inverse(unit, q->x, q->y) - t) / (q->x - p->x);
	int steps = (int)ceil(fmin(SAMPLES, SAMPLES_OCTAVE * log2(q->x / p->x))), err = ST_OK;

	for (int k = 1; k < steps && !err; k++) {
		double x = p->x * pow(q->x / p->x, (double)k / steps);
		double y = inverse(unit, x, t + slope * (x - p->x));

		if (y > 0 && isfinite(y))
			err = add_spot(to, x, y);
	}
	return err;
}

static int make_curve(const struct picture *pic, struct trace *s)
{
	int err = ST_OK;

	for (size_t k = 0; k < s->n && !err; k++) {
		const struct plot_point *p = &s->p[k], *before = k ? p - 1 : p;

		if (before->x > 0 && p->x > before->x)
			err = add_between(&s->curve, &pic->y, before, p);
		if (!err && pic->x.broken && before->x == 0 && p->x > 0)
			err = add_spot(&s->curve, NAN, NAN);
		if (!err)
			err = add_spot(&s->curve, p->x, p->y);
	}
	return err;
}

/* True if values hold until the next: how many processors have a message by a time. */
static bool is_stepped(const struct picture *pic)
{
	return !strcmp(pic->y.column, "processors") && !strncmp(pic->x.column, "after_", 6);
}

int traces_style(const struct picture *pic, struct trace *s)
{
	bool shares = pic->ask->kind == KIND_CDF || pic->ask->kind == KIND_HISTOGRAM;
	bool joined = pic->runs[s->run].computed && pic->x.scale != SCALE_NAMES;

	if (shares)
		s->style = pic->ask->text ? STYLE_MARKS : STYLE_STEPS;
	else if (joined && is_stepped(pic))
		s->style = STYLE_STEPS;
	else if (joined && traces_is_by_time(pic) && s->n > 1)
		s->style = STYLE_CURVE;
	else if (joined)
		s->style = STYLE_JOINED;
	return s->style == STYLE_CURVE ? make_curve(pic, s) : ST_OK;
}

void traces_explain(struct plot_run *run, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(run->why, sizeof(run->why), fmt, args);
	va_end(args);
	for (char *s = run->why; *s; s++)
		*s = iscntrl((unsigned char)*s) ? '?' : *s;
}

/* Why no row of a file is drawn, if so and not known. */
static void explain(const struct picture *pic, struct plot_run *run)
{
	if (run->nrows > run->nmissing || *run->why)
		return;
	if (run->nrows && pic->ask->kind)
		traces_explain(run, "it has no such samples: measure with '--samples', and write "
			     ".json");
	else if (run->nrows)
		traces_explain(run, "no row has both '%s' and '%s'%s%s", run->y, pic->x.column,
			     run->note ? ": " : "", run->note ? run->note : "");
	else if (run->pattern)
		traces_explain(run, "no row is of pattern one-way or ping-pong, which '%s' is "
			     "compared with: '--where pattern=' takes others", pic->y.column);
}

int traces_make(struct picture *pic)
{
	int err = ST_OK;

	for (size_t i = 0; i < pic->nruns && !err; i++)
		err = make_traces(pic, i);
	for (size_t i = 0; i < pic->nruns; i++)
		explain(pic, &pic->runs[i]);
	if (err)
		return err;
	if (pic->ask->kind)
		return samples_shape(pic);
	for (size_t i = 0; i < pic->ntraces && !err; i++) {
		struct trace *s = &pic->traces[i];

		qsort(s->p, s->n, sizeof(struct plot_point), compare_points);
		if (!strcmp(pic->x.column, "size_B"))
			err = make_fit(s);
		pic->fitted |= s->fit.n > 0;
	}
	return err;
}

void traces_free(struct picture *pic)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];

		free(s->label);
		free(s->fit.v);
		free(s->curve.v);
		free(s->p);
	}
	for (size_t i = 0; i < pic->nruns; i++)
		free(pic->runs[i].legend);
	free(pic->traces);
}
