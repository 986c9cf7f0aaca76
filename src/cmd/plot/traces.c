/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series of points from rows: one for each combination of the keys that distinguish rows at the
 * same x.
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "cmd/plot.h"
#include "model/preset.h"
#include "result/document.h"
#include "result/reader.h"
#include "base/values.h"

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

/*
 * The rows of a run that are drawn, and the keys that distinguish them; `presets`: the series of a
 * preset's window and batch has its name.
 */
struct drawn {
	json_t **rows;
	size_t n;
	bool use[NKEYS], presets, verdicts;
};

void plot_error_column(char *buf, size_t len, const char *column)
{
	const char *unit = strrchr(column, '_');

	snprintf(buf, len, "%.*s_error", unit ? (int)(unit - column) : (int)strlen(column), column);
}

bool plot_is_joined(const struct picture *pic, const struct trace *trace)
{
	return pic->runs[trace->run].computed && !pic->x.text;
}

bool plot_is_by_time(const struct picture *pic)
{
	return !strcmp(pic->x.unit, "B") && *pic->y.unit && (pic->x.log || pic->x.linear) &&
	       (pic->y.log || pic->y.linear);
}

/* The x of a row; NaN if it has none. */
static double x_of(const struct picture *pic, const json_t *row)
{
	const char *text = json_string_value(json_object_get(row, pic->x.column));

	if (pic->kind)
		return plot_has_samples(pic, row) ? 0 : NAN;
	if (!pic->x.text)
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

	if (!pic->x.text || !text || !isnan(x_of(pic, row)))
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
	return plot_is_half_rtt(pic->y.column) && !strcmp(run->y, "model_s") &&
	       !strcmp(row_text(row, COL_PATTERN), PLOT_PINGPONG);
}

static double y_of(const struct picture *pic, const struct plot_run *run, const json_t *row)
{
	double y = result_number(row, run->y), messages = row_number(row, COL_MESSAGES);

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
	return preset_name(row_number(row, COL_WINDOW), row_number(row, COL_BATCH));
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

	plot_error_column(error_of, sizeof(error_of), run->y);
	p.fit = p.y * (1 + result_number(row, error_of));
	p.segment = row_number(row, COL_SEGMENT);
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
	const char *note = row_text(row, COL_NOTE);

	run->missing_empty = (!run->nmissing || run->missing_empty) &&
			     row_number(row, COL_SIZE) == 0;
	run->nmissing++;
	if (!run->note && *note)
		run->note = note;
}

static int find_rows(struct drawn *d, struct picture *pic, struct plot_run *run)
{
	json_t *rows = document_rows(run->doc), *row;
	int err = ST_OK;
	size_t i;
	double n;

	d->rows = calloc(json_array_size(rows) + 1, sizeof(json_t *));
	if (!d->rows)
		return error_report("no memory for %zu rows", json_array_size(rows));
	json_array_foreach(rows, i, row) {
		if (err || !plot_takes(pic, run, row))
			continue;
		run->nrows++;
		run->halved |= is_halved(pic, run, row);
		err = isnan(result_number(row, run->y)) ? ST_OK : add_name(pic, row);
		if (isnan(x_of(pic, row)) || isnan(result_number(row, run->y))) {
			note_missing(run, row);
			continue;
		}
		n = row_number(row, COL_REPETITIONS);
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
		plot_number(number, sizeof(number), json_number_value(v), unit ? unit + 1 : "");
	fprintf(to, "%s%s%s", keys[key].before, json_is_number(v) ? number : json_string_value(v),
		keys[key].after);
}

/*
 * `first`, if not NULL, and the keys in use that the row has, in the legend's words, for free();
 * `otherwise` if that is empty. NULL without memory.
 */
static char *label_of(const struct drawn *d, const json_t *row, const char *first,
		      const char *otherwise)
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

		if (!d->use[i] || (!json_is_number(v) && !json_is_string(v)))
			continue;
		fputs(before, to);
		put_key(to, v, i);
		before = ", ";
	}
	if (d->verdicts && !*result_text(row, VERDICT))
		fprintf(to, "%s" WITHOUT_VERDICT, before);
	fputs(*before || d->verdicts ? "" : otherwise, to);
	if (d->presets && preset_of(row))
		fprintf(to, " (%s)", preset_of(row));
	return text_close(to, &text);
}

/*
 * 1 if rows differ in a key and agree in all others and, unless `always`, in x; 0 if there are
 * none; -1 without memory.
 */
static int is_needed(const struct drawn *d, size_t key, const struct picture *pic)
{
	json_t *seen = json_object();
	int needed = 0;

	for (size_t i = 0; i < d->n && !needed; i++) {
		json_t *v = json_object_get(d->rows[i], keys[key].column), *old;
		char place[32], *others;

		snprintf(place, sizeof(place), "%.17g",
			 keys[key].always ? 0 : x_of(pic, d->rows[i]));
		others = keys[key].always ? strdup(place) : label_of(d, d->rows[i], place, "");
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
	double message = row_number(row, COL_MESSAGE), event = row_number(row, COL_EVENT);
	double t0 = row_number(row, COL_T0), r_inf = row_number(row, COL_R_INF);
	double scale = result_number(row, y) / (isnan(message) ? event : message);

	if (pic->runs[s->run].computed || strcmp(pic->x.column, "size_B") != 0 || isnan(t0) ||
	    isnan(scale) || (strcmp(y, "event_s") != 0 && strcmp(y, "message_s") != 0))
		return;
	s->t0 = scale * t0;
	s->slope = r_inf > 0 ? scale / r_inf : 0;
}

/* The series of that label, which it then owns; if there is none a new one. NULL without memory. */
static struct trace *trace_of(struct picture *pic, size_t run, char *label)
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
	*grown = (struct trace){ .run = run, .label = label, .t0 = NAN, .slope = NAN,
				 .verdict = "" };
	return grown;
}

static int add_point(struct picture *pic, size_t run, const json_t *row, char *label)
{
	struct trace *s = label ? trace_of(pic, run, label) : NULL;
	struct plot_point *grown;

	if (s && pic->kind)
		return plot_take_samples(pic, row, s);
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
	if (plot_is_ratio(pic)) {
		s->verdict = result_text(row, VERDICT);
		s->nkeys = strlen(s->label) -
			   strlen(*s->verdict ? s->verdict : WITHOUT_VERDICT);
	}
	note_line(pic, s, row, pic->runs[run].y);
	return ST_OK;
}

static int make_traces(struct picture *pic, size_t run)
{
	struct plot_run *r = &pic->runs[run];
	bool names = false;
	struct drawn d = { .n = 0 };
	char *first = NULL, words[128];
	int err = find_rows(&d, pic, r);

	if (!err && pic->named && !(first = plot_legend(pic, r)))
		err = error_report("no memory for a legend");
	for (size_t i = 0; i < NKEYS && !err; i++) {
		int needed = strcmp(keys[i].column, pic->x.column) ? is_needed(&d, i, pic) : 0;

		if (needed < 0)
			err = error_report("no memory for a legend");
		d.use[i] = needed;
		names |= needed && (!strcmp(keys[i].column, "window") ||
				    !strcmp(keys[i].column, "batch"));
	}
	d.use[NKEYS - 1] = d.verdicts = plot_is_ratio(pic);
	d.presets = names && !marks_presets(pic);
	for (size_t i = 0; i < d.n && !err; i++)
		err = add_point(pic, run, d.rows[i], label_of(&d, d.rows[i], first,
						plot_words(words, sizeof(words), r->y)));
	free(first);
	free(d.rows);
	return err;
}

static int compare_points(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	return order_doubles(p->x, q->x);
}

/* The line of all points, or those of their segments, between the first and last size above 0. */
static int make_pieces(struct trace *s)
{
	for (size_t first = 0, last; first < s->n; first = last + 1) {
		const struct plot_point *p = &s->p[first], *q;
		struct piece piece, *grown;

		for (last = first; last + 1 < s->n; last++)
			if (isnan(s->t0) && !(s->p[last + 1].segment == p->segment))
				break;
		while (p < &s->p[last] && !(p->x > 0))
			p++;
		q = &s->p[last];
		piece = (struct piece){ { p->x, q->x },
					{ isnan(s->t0) ? p->fit : s->t0 + s->slope * p->x,
					  isnan(s->t0) ? q->fit : s->t0 + s->slope * q->x } };
		if (!(q->x > p->x) || !isfinite(piece.y[0]) || !isfinite(piece.y[1]))
			continue;
		grown = list_grow(s->pieces, s->npieces, sizeof(*grown));
		if (!grown)
			return error_report("no memory for a fitted line");
		s->pieces = grown;
		s->pieces[s->npieces++] = piece;
	}
	return ST_OK;
}

void plot_explain(struct plot_run *run, const char *fmt, ...)
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
	if (run->nrows && pic->kind)
		plot_explain(run, "it has no such samples: measure with '--samples', and write "
			     ".json");
	else if (run->nrows)
		plot_explain(run, "no row has both '%s' and '%s'%s%s", run->y, pic->x.column,
			     run->note ? ": " : "", run->note ? run->note : "");
	else if (run->pattern)
		plot_explain(run, "no row is of pattern one-way or ping-pong, which '%s' is "
			     "compared with: '--where pattern=' takes others", pic->y.column);
}

int plot_traces(struct picture *pic)
{
	int err = ST_OK;

	for (size_t i = 0; i < pic->nruns && !err; i++)
		err = make_traces(pic, i);
	for (size_t i = 0; i < pic->nruns; i++)
		explain(pic, &pic->runs[i]);
	if (pic->kind)
		return err ? err : plot_shape_samples(pic);
	for (size_t i = 0; i < pic->ntraces && !err; i++) {
		struct trace *s = &pic->traces[i];

		qsort(s->p, s->n, sizeof(struct plot_point), compare_points);
		err = strcmp(pic->x.column, "size_B") ? ST_OK : make_pieces(s);
		pic->fitted |= s->npieces > 0;
	}
	return err;
}
