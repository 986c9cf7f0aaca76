/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/error.h"
#include "base/sort.h"
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
/* for people: so many in a line, and from RATE_PARTS on the rates in another */
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

/* "53.00 ns + 20.00 ps/B", or the first alone where the time does not grow with the length */
static void put_line(FILE *to, const struct fit_segment *g, enum fit_series q)
{
	const struct fit_value *rate = q == FIT_GAP ? &g->r_inf : &g->r_inf_latency;
	char text[32];

	if (isnan(rate->v)) {
		fputs(format_si(text, sizeof(text), line_at(g, q, 1), "s"), to);
		return;
	}
	fputs(format_si(text, sizeof(text), fmax(g->a[q], 0), "s"), to);
	fprintf(to, " + %s", format_si(text, sizeof(text), g->b[q], "s/B"));
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

/* In the half round trips that LogGP describes: the largest error, relative. */
static double largest_error(const struct fitted *f)
{
	double worst = 0;

	for (size_t i = 0; i < f->nsizes; i++)
		if (fit_segment_of(&f->fit, f->size[i])->described)
			worst = fmax(worst, fabs(error_of(f, FIT_LATENCY, i)));
	return worst;
}

/*
 * What a reader may rely on: "a half round trip of n bytes takes 53.00 ns + 20.00 ps/B up to 4 KiB;
 * beyond that LogGP does not describe this network". For free(); NULL without memory.
 */
static char *trusted(const struct fitted *f)
{
	bool any = false;
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;

	for (size_t k = 0; k < f->fit.nsegments; k++) {
		const struct fit_segment *g = &f->fit.seg[k];
		bool last = k + 1 == f->fit.nsegments, before = k && g[-1].described;
		char upto[32];

		format_bytes(upto, sizeof(upto), last ? f->size[f->nsizes - 1] : floor(g->upto));
		any = any || g->described;
		fputs(!k ? "" : g->described && before ? ", " : "; ", to);
		if (!g->described) {
			fprintf(to, "%sLogGP does not describe this network",
				!k ? "" : last ? "beyond that " : "then ");
		} else {
			fputs(before ? "" : "a half round trip of n bytes takes ", to);
			put_line(to, g, FIT_LATENCY);
		}
		if (g->described || !last)
			fprintf(to, " up to %s", upto);
	}
	if (any)
		fprintf(to, " (off by %.2g %% at most)", 100 * largest_error(f));
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

void fitted_summary(const struct fitted *f, json_t *summary)
{
	struct loggp p = fit_loggp(fit_segment_of(&f->fit, FITTED_TYPICAL));
	json_t *segments = json_array(), *loggp = parameters_object(&p);
	char *rely_on = trusted(f);
	double middle, worst;
	size_t n = predicted(f, &middle, &worst);

	json_object_set_new(summary, "trusted", json_string(rely_on ? rely_on : ""));
	free(rely_on);
	json_object_set_new(loggp, "method",
			    json_string("fitted; of the segment that 1 KiB belongs to"));
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

	fprintf(to, "%s%s [%s, %s]", what, format_si(value, sizeof(value), v.v, unit),
		format_si(lo, sizeof(lo), v.lo, unit), format_si(hi, sizeof(hi), v.hi, unit));
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
	else if (i < LOGGP_PARTS && v->hi > 0)
		fprintf(to, "not determined (at most %s)",
			format_si(hi, sizeof(hi), v->hi, parts[i].unit));
	else
		fputs("not determined", to);
}

static void put_parts(FILE *to, const struct fitted *f, const struct fit_segment *g, size_t from,
		      size_t end)
{
	for (size_t i = from; i < end; i++) {
		fputs(i > from ? ", " : "", to);
		put_part(to, f, g, i);
	}
}

/* Why LogGP has no parameters for a segment, and what can be said of it nevertheless. */
static void put_undescribed(FILE *to, const struct fit_segment *g)
{
	const char *before = "no line describes";

	fputs("LogGP does not describe these sizes: ", to);
	for (int q = 0; q < FIT_SERIES; q++)
		if (!g->follows[q]) {
			fprintf(to, "%s %s", before, of_series[q]);
			before = ",";
		}
	if (*before != ',')
		fputs("half a round trip is less than a send and a receive by themselves, or the "
		      "interval less than one of them", to);
	before = "\n     ";
	for (int q = FIT_LATENCY; q <= FIT_GAP; q++)
		if (g->follows[q]) {
			fprintf(to, "%s%s: ", before, of_series[q]);
			put_line(to, g, (enum fit_series)q);
			before = "; ";
		}
}

static void put_segment(FILE *to, const struct fitted *f, size_t k)
{
	const struct fit_segment *g = &f->fit.seg[k];
	struct fit_value delayed = fitted_delayed(f, k);

	fprintf(to, "\n  %zu: %.0f B to ", k + 1,
		k ? floor(f->fit.seg[k - 1].upto) + 1 : f->size[0]);
	if (isfinite(g->upto))
		fprintf(to, "%.0f B\n     ", g->upto);
	else
		fprintf(to, "the end\n     ");
	if (g->described)
		put_parts(to, f, g, 0, LOGGP_PARTS);
	else
		put_undescribed(to, g);
	fputs("\n     ", to);
	put_parts(to, f, g, RATE_PARTS, NPARTS);
	if (!isnan(delayed.v))
		put_value(to, "\n     o_s by delayed messages ", delayed, "s");
	fprintf(to, "\n     residuals: median %.2g %%, largest %.2g %%, %zu points off by more "
		    "than 3 sigma, lack of fit %.2g",
		100 * g->residual_p50, 100 * g->residual_max, g->outliers, g->lack_of_fit);
	if (g->censored && g->described)
		fprintf(to, "\n     the interval of messages is the processor's: g and G are no "
			    "more than that");
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
	fprintf(to, "\nto rely on: %s\n\nLogGP in %zu segment%s, with 95 %% intervals (bootstrap over %zu rounds):",
		rely_on ? rely_on : "", f->fit.nsegments, f->fit.nsegments == 1 ? "" : "s",
		f->nrounds);
	free(rely_on);
	for (size_t k = 0; k < f->fit.nsegments; k++)
		put_segment(to, f, k);
	if (n)
		fprintf(to, "\n%zu sizes that were not used in the fit: median error %.2g %%, "
			    "largest %.2g %%", n, 100 * middle, 100 * worst);
	fclose(to);
	return text;
}
