/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/parameters.h"

/* The fewest sizes of which some can be held out. */
#define FEW 24

#define BOOTSTRAPS 400

const enum column_id fitted_cols[FITTED_NCOLS] = {
	COL_SIZE, COL_SEGMENT, COL_HALF_RTT, COL_HALF_RTT_ERROR, COL_GAP, COL_GAP_ERROR, COL_SEND,
	COL_SEND_ERROR, COL_SEND_DELAYED, COL_RECEIVE, COL_RECEIVE_ERROR, COL_NOTE,
};

/* Each series' column, and that of its error. */
static const struct {
	enum column_id measured, error;
} cols[FIT_SERIES] = {
	[FIT_LATENCY] = { COL_HALF_RTT, COL_HALF_RTT_ERROR },
	[FIT_GAP] = { COL_GAP, COL_GAP_ERROR },
	[FIT_SEND] = { COL_SEND, COL_SEND_ERROR },
	[FIT_RECEIVE] = { COL_RECEIVE, COL_RECEIVE_ERROR },
};

/* for people */
static const char *const of_series[FIT_SERIES] = {
	[FIT_LATENCY] = "half round trip", [FIT_GAP] = "interval of messages",
	[FIT_SEND] = "send", [FIT_RECEIVE] = "receive",
};

#define AT(member) offsetof(struct fit_segment, member)

/* The parameters of a segment: name and unit, as in JSON and for people. */
static const struct {
	const char *name, *key, *unit;
	size_t at;
	bool of_interval;	/* bounded by it alone if that is censored */
} parts[] = {
	{ "L", "s", "s", AT(L), false }, { "o_s", "s", "s", AT(o_s), false },
	{ "o_r", "s", "s", AT(o_r), false }, { "g", "s", "s", AT(g), true },
	{ "G", "s_per_B", "s/B", AT(G), true },
	{ "G_latency", "s_per_B", "s/B", AT(G_latency), false },
	{ "O_s", "s_per_B", "s/B", AT(O_s), false }, { "O_r", "s_per_B", "s/B", AT(O_r), false },
	{ "r_inf", "Bps", "B/s", AT(r_inf), false },
	{ "n_half_stream", "B", "B", AT(n_half), false },
	{ "r_inf_latency", "Bps", "B/s", AT(r_inf_latency), false },
	{ "n_half_latency", "B", "B", AT(n_half_latency), false },
};
/* for people: so many in a line, and those from RATE_PARTS on in another */
#define LOGGP_PARTS 6
#define RATE_PARTS 8
#define NPARTS (sizeof(parts) / sizeof(parts[0]))

static const struct fit_value *value_of(const struct fit_segment *g, size_t part)
{
	return (const struct fit_value *)(const void *)((const char *)g + parts[part].at);
}

const char *fitted_column(int series)
{
	return columns[cols[series].measured].name;
}

int fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds)
{
	int err = 0;

	f->nsizes = nsizes;
	f->nrounds = nrounds;
	f->size = calloc(nsizes + 1, sizeof(*f->size));
	for (int q = 0; q < FIT_SERIES; q++) {
		f->y[q] = calloc(nsizes * nrounds + 1, sizeof(*f->y[q]));
		err = f->y[q] ? err : -1;
	}
	f->delayed = calloc(nsizes * nrounds + 1, sizeof(*f->delayed));
	for (size_t i = 0; i < nsizes * nrounds && f->delayed; i++)
		f->delayed[i] = NAN;
	return f->size && f->delayed ? err : -1;
}

void fitted_free(struct fitted *f)
{
	free(f->size);
	free(f->delayed);
	for (int q = 0; q < FIT_SERIES; q++)
		free(f->y[q]);
	*f = (struct fitted){ 0 };
}

static bool is_held_out(const struct fitted *f, size_t i)
{
	return f->nsizes >= FEW && i % FITTED_HELD_OUT == FITTED_HELD_OUT / 2;
}

/* What is left without the sizes held out. */
static int hold_out(const struct fitted *f, struct fitted *rest)
{
	size_t n = 0, at = 0;

	for (size_t i = 0; i < f->nsizes; i++)
		n += !is_held_out(f, i);
	if (fitted_alloc(rest, n, f->nrounds))
		return -1;
	for (size_t i = 0; i < f->nsizes; i++) {
		if (is_held_out(f, i))
			continue;
		rest->size[at] = f->size[i];
		for (int q = 0; q < FIT_SERIES; q++)
			for (size_t r = 0; r < f->nrounds; r++)
				rest->y[q][r * n + at] = f->y[q][r * f->nsizes + i];
		at++;
	}
	return 0;
}

/* Where the i-th size that is not held out is among all. */
static size_t index_of(const struct fitted *f, size_t i)
{
	for (size_t all = 0; all < f->nsizes; all++)
		if (!is_held_out(f, all) && !i--)
			return all;
	return f->nsizes;
}

int fitted_fit(struct fitted *f)
{
	struct fitted rest = { 0 };
	struct fit_input in = { .nrounds = f->nrounds, .bootstraps = BOOTSTRAPS, .seed = f->seed };
	int err = hold_out(f, &rest);

	in.nsizes = rest.nsizes;
	in.size = rest.size;
	for (int q = 0; q < FIT_SERIES; q++) {
		in.y[q] = rest.y[q];
		in.systematic_s[q] = f->systematic_s[q];
	}
	err = err ? err : fit_estimate(&in, &f->fit);
	for (struct fit_segment *g = f->fit.seg; g < f->fit.seg + f->fit.nsegments; g++) {
		g->first = index_of(f, g->first);
		g->end = g + 1 < f->fit.seg + f->fit.nsegments ? index_of(f, g->end) : f->nsizes;
	}
	fitted_free(&rest);
	return err ? error_report("cannot fit %zu sizes of %zu rounds: at least 4 and 2 are "
				  "needed, and memory", f->nsizes, f->nrounds)
		   : ST_OK;
}

static double line_at(const struct fit_segment *g, enum fit_series q, double size)
{
	return g->a[q] + g->b[q] * size;
}

/* ---- rows ---- */

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* Of a series' values y at a size, over the rounds; NaN without memory. */
static double over_rounds(const struct fitted *f, const double *y, size_t i)
{
	double *x = calloc(f->nrounds, sizeof(*x)), m;

	for (size_t r = 0; r < f->nrounds && x; r++)
		x[r] = y[r * f->nsizes + i];
	m = x ? median(x, f->nrounds) : NAN;
	free(x);
	return m;
}

static double error_of(const struct fitted *f, int q, size_t i)
{
	return fit_predict(&f->fit, (enum fit_series)q, f->size[i]) / over_rounds(f, f->y[q], i) -
	       1;
}

/* The cell of a series' values at a size, and its samples. */
static void put_series(const struct fitted *f, const double *y, size_t i, enum column_id id,
		       const struct record *rec, struct row *row)
{
	json_t *list = json_array();

	for (size_t r = 0; r < f->nrounds; r++)
		json_array_append_new(list, number(y[r * f->nsizes + i]));
	json_object_set_new(row->samples, columns[id].name, list);
	row_set(row, rec, id, val_real(over_rounds(f, y, i)));
}

void fitted_row(const void *fitted, size_t i, const struct record *rec, struct row *row)
{
	const struct fitted *f = fitted;
	size_t segment = (size_t)(fit_segment_of(&f->fit, f->size[i]) - f->fit.seg);

	row->samples = json_object();
	row_set(row, rec, COL_SIZE, val_uint((uint64_t)f->size[i]));
	row_set(row, rec, COL_SEGMENT, val_uint(segment + 1));
	for (int q = 0; q < FIT_SERIES; q++) {
		put_series(f, f->y[q], i, cols[q].measured, rec, row);
		row_set(row, rec, cols[q].error, val_real(error_of(f, q, i)));
	}
	put_series(f, f->delayed, i, COL_SEND_DELAYED, rec, row);
	if (over_rounds(f, f->delayed, i) < 0)
		row_set(row, rec, COL_SEND_DELAYED, val_real(NAN));
	if (is_held_out(f, i))
		row_set(row, rec, COL_NOTE, val_text("not used in the fit"));
}

/* ---- the overhead of sending, by delayed messages ---- */

/*
 * In a round, of the sizes of a segment: the median of how far they are above the fit's line. NaN
 * without any.
 */
static double above_line(const struct fitted *f, const struct fit_segment *g, size_t round,
			 double *room)
{
	size_t n = 0;

	for (size_t i = g->first; i < g->end; i++) {
		double y = f->delayed[round * f->nsizes + i];

		if (!isnan(y))
			room[n++] = y - line_at(g, FIT_SEND, f->size[i]);
	}
	return median(room, n);
}

/* A time of its own: not determined where the differences that it is made of do not tell it. */
static struct fit_value fitted_delayed(const struct fitted *f, size_t segment)
{
	const struct fit_segment *g = &f->fit.seg[segment];
	double *room = calloc(f->nsizes + 1, sizeof(*room));
	double at_1_byte = line_at(g, FIT_SEND, 1);
	struct series rounds = { .n = 0 };
	struct summary s;

	for (size_t r = 0; r < f->nrounds && room; r++) {
		double above = above_line(f, g, r, room);

		if (!isnan(above) && series_push(&rounds, at_1_byte + above))
			break;
	}
	s = summarise(&rounds);
	series_free(&rounds);
	free(room);
	if (s.lo < 0)
		s.lo = 0;
	if (!(s.p50 > 0) || s.hi - s.lo > s.p50)
		return (struct fit_value){ NAN, NAN, NAN };
	return (struct fit_value){ s.p50, s.lo, s.hi };
}

void fitted_doubts(const struct fitted *f, void (*warn)(void *arg, const char *text), void *arg)
{
	for (size_t k = 0; k < f->fit.nsegments; k++) {
		struct fit_value d = fitted_delayed(f, k);
		double o_s = f->fit.seg[k].o_s.v;
		char text[200], one[32], two[32];

		if (!(fabs(d.v - o_s) > FITTED_APART * fabs(o_s)) || (d.lo <= o_s && o_s <= d.hi))
			continue;
		snprintf(text, sizeof(text),
			 "segment %zu: o_s is %s by bursts, and %s by delayed messages: more than "
			 "%g %% apart", k + 1, format_si(one, sizeof(one), o_s, "s"),
			 format_si(two, sizeof(two), d.v, "s"), 100 * FITTED_APART);
		warn(arg, text);
	}
}

/* ---- what may be relied on ---- */

/*
 * "53.00 ns + 20.00 ps/B"; "53.00 ns to 75.00 ns" over a segment whose cost per byte, `slope`, is
 * not determined; "53.00 ns" where the two differ by less than 1 %.
 */
static void put_line(FILE *to, const struct fitted *f, const struct fit_segment *g,
		     enum fit_series q, const struct fit_value *slope)
{
	double start = line_at(g, q, f->size[g->first]), end = line_at(g, q, f->size[g->end - 1]);
	char text[32];

	if (slope && !isnan(slope->v)) {
		if (g->a[q] > 0)
			fprintf(to, "%s + ", format_si(text, sizeof(text), g->a[q], "s"));
		fputs(format_si(text, sizeof(text), g->b[q], "s/B"), to);
		return;
	}
	fputs(format_si(text, sizeof(text), start, "s"), to);
	if (end > 1.01 * start)
		fprintf(to, " to %s", format_si(text, sizeof(text), end, "s"));
}

/* "4096 B", "4 KiB" if that is as exact */
static const char *format_bytes(char *buf, size_t len, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	size_t i = 0;

	while (i < 3 && bytes >= 1024 && fmod(bytes, 1024) == 0) {
		bytes /= 1024;
		i++;
	}
	snprintf(buf, len, "%.0f %s", bytes, units[i]);
	return buf;
}

/* Of a segment the smallest and the largest size; yield the buffer. */
static const char *segment_from(const struct fitted *f, const struct fit_segment *g, char *buf,
				size_t len)
{
	return format_bytes(buf, len, g == f->fit.seg ? f->size[0] : floor(g[-1].upto) + 1);
}

static const char *segment_upto(const struct fitted *f, const struct fit_segment *g, char *buf,
				size_t len)
{
	return format_bytes(buf, len, isfinite(g->upto) ? floor(g->upto) : f->size[f->nsizes - 1]);
}

/* "; LogGP describes only 1 B to 61 B and 100 B to 1 MiB" */
static void put_described(FILE *to, const struct fitted *f)
{
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;
	const char *before = "; LogGP describes only ";
	char from[32], upto[32];

	for (const struct fit_segment *g = seg; g < end; g++) {
		const struct fit_segment *first = g;

		if (!g->described)
			continue;
		while (g + 1 < end && g[1].described)
			g++;
		fprintf(to, "%s%s to %s", before, segment_from(f, first, from, sizeof(from)),
			segment_upto(f, g, upto, sizeof(upto)));
		before = " and ";
	}
	if (*before == ';')
		fputs("; LogGP does not describe this network", to);
}

/* Of the half round trips that follow lines: the middle and the largest error, relative. */
static void put_errors(FILE *to, const struct fitted *f)
{
	double *off = calloc(f->nsizes + 1, sizeof(*off)), worst = 0;
	size_t n = 0;

	for (size_t i = 0; i < f->nsizes && off; i++)
		if (fit_segment_of(&f->fit, f->size[i])->follows[FIT_LATENCY]) {
			off[n] = fabs(error_of(f, FIT_LATENCY, i));
			worst = fmax(worst, off[n++]);
		}
	if (n)
		fprintf(to, " (median error %.1f %%, largest %.1f %%)", 100 * median(off, n),
			100 * worst);
	free(off);
}

/* What half a round trip takes in each segment, or `otherwise`. */
static void put_half_round_trips(FILE *to, const struct fitted *f, const char *otherwise)
{
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;
	char upto[32];

	for (const struct fit_segment *g = seg; g < end; g++) {
		bool follows = g->follows[FIT_LATENCY];
		bool goes_on = g > seg && g[-1].follows[FIT_LATENCY];

		fputs(g == seg ? "" : follows && goes_on ? ", " : "; ", to);
		if (follows) {
			fputs(goes_on ? "" : "a half round trip of n bytes takes ", to);
			put_line(to, f, g, FIT_LATENCY, &g->r_inf_latency);
		} else {
			fprintf(to, "%s%s", g == seg ? "" : g + 1 == end ? "beyond that " : "then ",
				otherwise);
		}
		if (follows || g + 1 < end)
			fprintf(to, " up to %s", segment_upto(f, g, upto, sizeof(upto)));
	}
}

/*
 * What a reader may rely on: "a half round trip of n bytes takes 53.00 ns + 20.00 ps/B up to 4 KiB;
 * beyond that LogGP does not describe this network". For free(); NULL without memory.
 */
static char *trusted(const struct fitted *f)
{
	static const char nothing[] = "LogGP does not describe this network";
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;
	bool any = false, alike = true;	/* any line, and LogGP wherever there is one */
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (const struct fit_segment *g = seg; g < end; g++) {
		any = any || g->follows[FIT_LATENCY];
		alike = alike && g->described == g->follows[FIT_LATENCY];
	}
	if (any) {
		put_half_round_trips(to, f,
				     alike ? nothing : "no line describes half a round trip");
		put_errors(to, f);
	}
	if (!any)
		fputs(nothing, to);
	else if (!alike)
		put_described(to, f);
	fclose(to);
	return text;
}

/* ---- summary ---- */

/* Sets "L_s", "L_lo_s", "L_hi_s": name and unit in the key. */
static void set_value(json_t *o, const char *name, const char *unit, struct fit_value v)
{
	const char *const which[] = { "", "_lo", "_hi" };
	const double values[] = { v.v, v.lo, v.hi };
	char key[48];

	for (int i = 0; i < 3; i++) {
		snprintf(key, sizeof(key), "%s%s_%s", name, which[i], unit);
		json_object_set_new(o, key, number(values[i]));
	}
}

static json_t *segment_json(const struct fitted *f, size_t k)
{
	const struct fit_segment *g = &f->fit.seg[k];
	json_t *o = json_pack("{s:f, s:o}", "from_B", f->size[g->first], "upto_B", number(g->upto));

	for (size_t i = 0; i < NPARTS; i++)
		set_value(o, parts[i].name, parts[i].key, *value_of(g, i));
	set_value(o, "o_s_delayed", "s", fitted_delayed(f, k));
	json_object_set_new(o, "described", json_boolean(g->described));
	json_object_set_new(o, "censored", json_boolean(g->censored));
	json_object_set_new(o, "residual_p50", number(g->residual_p50));
	json_object_set_new(o, "residual_max", number(g->residual_max));
	json_object_set_new(o, "outliers", json_integer((json_int_t)g->outliers));
	json_object_set_new(o, "lack_of_fit", number(g->lack_of_fit));
	return o;
}

/*
 * How far off the fit is where it has not seen the values: median and largest of all series; how
 * many sizes.
 */
static size_t predicted(const struct fitted *f, double *middle, double *worst)
{
	double *off = calloc(f->nsizes * FIT_SERIES + 1, sizeof(*off));
	size_t n = 0, sizes = 0;

	*worst = 0;
	for (size_t i = 0; i < f->nsizes && off; i++) {
		if (!is_held_out(f, i))
			continue;
		sizes++;
		for (int q = 0; q < FIT_SERIES; q++) {
			double e = fabs(error_of(f, q, i));

			if (isfinite(e)) {
				off[n++] = e;
				*worst = fmax(*worst, e);
			}
		}
	}
	*middle = off ? median(off, n) : NAN;
	free(off);
	return sizes;
}

static bool has_all(const struct fitted *f, size_t k)
{
	struct loggp p = fit_loggp(&f->fit.seg[k]);

	return !loggp_missing(&p);
}

/* The segment with all parameters that is nearest to the typical size's; that one if none has. */
static const struct fit_segment *typical_segment(const struct fitted *f)
{
	size_t n = f->fit.nsegments;
	size_t middle = (size_t)(fit_segment_of(&f->fit, FITTED_TYPICAL) - f->fit.seg);

	for (size_t off = 0; off < n; off++) {
		if (off <= middle && has_all(f, middle - off))
			return &f->fit.seg[middle - off];
		if (middle + off < n && has_all(f, middle + off))
			return &f->fit.seg[middle + off];
	}
	return &f->fit.seg[middle];
}

void fitted_summary(const struct fitted *f, json_t *summary)
{
	const struct fit_segment *typical = typical_segment(f);
	struct loggp p = fit_loggp(typical);
	json_t *segments = json_array(), *loggp = parameters_object(&p);
	char *rely_on = trusted(f), from[32], upto[32];
	double middle, worst;
	size_t n = predicted(f, &middle, &worst);

	json_object_set_new(summary, "trusted", json_string(rely_on ? rely_on : ""));
	free(rely_on);
	json_object_set_new(loggp, "method",
			    json_sprintf("fitted; of the segment from %s to %s",
					 segment_from(f, typical, from, sizeof(from)),
					 segment_upto(f, typical, upto, sizeof(upto))));
	json_object_set_new(summary, "loggp", loggp);
	for (size_t k = 0; k < f->fit.nsegments; k++)
		json_array_append_new(segments, segment_json(f, k));
	json_object_set_new(summary, "segments", segments);
	json_object_set_new(summary, "held_out",
			    json_pack("{s:i, s:o, s:o}", "sizes", (int)n, "error_p50",
				      number(middle), "error_max", number(worst)));
}

/* ---- for people ---- */

/* "L 1.2 us [1.1 us, 1.3 us]" */
static void put_value(FILE *to, const char *what, struct fit_value v, const char *unit)
{
	char value[32], lo[32], hi[32];

	fprintf(to, "%s%s", what, format_si(value, sizeof(value), v.v, unit));
	if (!isnan(v.lo))
		fprintf(to, " [%s, %s]", format_si(lo, sizeof(lo), v.lo, unit),
			format_si(hi, sizeof(hi), v.hi, unit));
}

/*
 * A part that is not determined has its bounds alone. Where the interval is the processors', g is
 * at most that, and G at most what would be all of the last size's.
 */
static void put_part(FILE *to, const struct fitted *f, const struct fit_segment *g, size_t i)
{
	const struct fit_value *v = value_of(g, i);
	double last = f->size[g->end - 1];
	char hi[32];

	fprintf(to, "%s ", parts[i].name);
	if (g->censored && parts[i].at == AT(G))
		fprintf(to, "<= %s", format_si(hi, sizeof(hi), line_at(g, FIT_GAP, last) /
					       (last - 1), parts[i].unit));
	else if (g->censored && parts[i].at == AT(g))
		fprintf(to, "<= %s", format_si(hi, sizeof(hi), v->hi, parts[i].unit));
	else if (!isnan(v->v))
		put_value(to, "", *v, parts[i].unit);
	else if (v->hi > 0)
		fprintf(to, "not determined (at most %s)",
			format_si(hi, sizeof(hi), v->hi, parts[i].unit));
	else
		fputs("not determined", to);
}

static void put_loggp(FILE *to, const struct fitted *f, const struct fit_segment *g)
{
	for (size_t i = 0; i < LOGGP_PARTS; i++) {
		fputs(i ? ", " : "", to);
		put_part(to, f, g, i);
	}
}

/* Those that are determined. */
static void put_rates(FILE *to, const struct fitted *f, const struct fit_segment *g)
{
	const char *before = "";

	for (size_t i = RATE_PARTS; i < NPARTS; i++) {
		struct fit_value v = *value_of(g, i);
		const char *unit = parts[i].unit;
		double factor = rate_factor(f->rates, &unit);

		if (isnan(v.v))
			continue;
		v = (struct fit_value){ factor * v.v, factor * v.lo, factor * v.hi };
		fprintf(to, "%s%s ", before, parts[i].name);
		put_value(to, "", v, unit);
		before = ", ";
	}
	if (!*before)
		fputs("r_inf and n_half not determined", to);
}

static bool half_is_short(const struct fit_segment *g, double size)
{
	return line_at(g, FIT_LATENCY, size) <
	       line_at(g, FIT_SEND, size) + line_at(g, FIT_RECEIVE, size);
}

/* Why LogGP has no parameters for a segment, and what can be said of it nevertheless. */
static void put_undescribed(FILE *to, const struct fitted *f, const struct fit_segment *g)
{
	const struct fit_value *slopes[FIT_SERIES] = { [FIT_LATENCY] = &g->r_inf_latency,
						       [FIT_GAP] = &g->r_inf };
	const char *before = "no line describes ";

	fputs("LogGP does not describe these sizes: ", to);
	for (int q = 0; q < FIT_SERIES; q++)
		if (!g->follows[q]) {
			fprintf(to, "%s%s", before, of_series[q]);
			before = ", ";
		}
	if (*before != ',')
		fprintf(to, "%s", half_is_short(g, f->size[g->first]) ||
					  half_is_short(g, f->size[g->end - 1]) ?
			"half a round trip is less than a send and a receive by themselves" :
			"the interval of messages is less than a send or a receive by itself");
	before = "\n     ";
	for (int q = 0; q < FIT_SERIES; q++)
		if (g->follows[q] && !isnan(g->a[q])) {
			fprintf(to, "%s%s ", before, of_series[q]);
			put_line(to, f, g, (enum fit_series)q, slopes[q]);
			before = ", ";
		}
}

static void put_segment(FILE *to, const struct fitted *f, size_t k)
{
	const struct fit_segment *g = &f->fit.seg[k];
	struct fit_value delayed = fitted_delayed(f, k);
	char from[32], upto[32];

	fprintf(to, "\n  %zu: %s to %s\n     ", k + 1, segment_from(f, g, from, sizeof(from)),
		segment_upto(f, g, upto, sizeof(upto)));
	if (g->described)
		put_loggp(to, f, g);
	else
		put_undescribed(to, f, g);
	fputs("\n     ", to);
	put_rates(to, f, g);
	if (!isnan(delayed.v))
		put_value(to, "\n     o_s by delayed messages ", delayed, "s");
	fprintf(to, "\n     residuals: median %s %%, largest %s %%, %zu points off by more "
		    "than 3 sigma, lack of fit %s",
		plain(100 * g->residual_p50, 3).s, plain(100 * g->residual_max, 3).s, g->outliers,
		plain(g->lack_of_fit, 2).s);
	if (g->censored && g->described)
		fputs("\n     the interval of messages is the processor's, which bounds g and G",
		      to);
}

char *fitted_text(const struct fitted *f)
{
	char *text = NULL, *rely_on = trusted(f);
	double middle, worst;
	size_t len, n = predicted(f, &middle, &worst);
	FILE *to = open_memstream(&text, &len);

	if (!to) {
		free(rely_on);
		return NULL;
	}
	fprintf(to, "\nto rely on: %s\n", rely_on ? rely_on : "");
	fprintf(to, "\nLogGP in %zu segment%s, with 95 %% intervals (bootstrap over %zu rounds):",
		f->fit.nsegments, f->fit.nsegments == 1 ? "" : "s", f->nrounds);
	free(rely_on);
	for (size_t k = 0; k < f->fit.nsegments; k++)
		put_segment(to, f, k);
	if (n)
		fprintf(to, "\n%zu sizes that were not used in the fit: median error %s %%, "
			    "largest %s %%", n, plain(100 * middle, 3).s,
			plain(100 * worst, 3).s);
	fclose(to);
	return text;
}
