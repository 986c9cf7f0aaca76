/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/values.h"
#include "model/parameters.h"
#include "result/document.h"
#include "show/units.h"

const enum column_id fitted_cols[FITTED_NCOLS] = {
	COL_SIZE, COL_SEGMENT, COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_ERROR, COL_GAP, COL_GAP_ERROR,
	COL_SEND, COL_SEND_ERROR, COL_SEND_DELAYED, COL_RECEIVE, COL_RECEIVE_ERROR, COL_NOTE,
};

/* The column of each series, and the column of its error. */
static const struct {
	enum column_id measured, error;
	const char *name;	/* name of the series for people */
} cols[FIT_SERIES] = {
	[FIT_LATENCY] = { COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_ERROR, "half round trip" },
	[FIT_GAP] = { COL_GAP, COL_GAP_ERROR, "interval of messages" },
	[FIT_SEND] = { COL_SEND, COL_SEND_ERROR, "send" },
	[FIT_RECEIVE] = { COL_RECEIVE, COL_RECEIVE_ERROR, "receive" },
};

/*
 * The parameters of a segment, in the order of fit_segment.parameter. Each has a name, a unit for
 * JSON keys, and a unit for people.
 */
static const struct {
	const char *name, *key, *unit;
} parts[FIT_PARAMETERS] = {
	{ "L", "s", "s" }, { "o_s", "s", "s" }, { "o_r", "s", "s" }, { "g", "s", "s" },
	{ "G", "s_per_B", "s/B" }, { "G_latency", "s_per_B", "s/B" }, { "O_s", "s_per_B", "s/B" },
	{ "O_r", "s_per_B", "s/B" }, { "r_inf", "Bps", "B/s" }, { "n_half_stream", "B", "B" },
	{ "r_inf_latency", "Bps", "B/s" }, { "n_half_latency", "B", "B" }
};
/*
 * in text for people, the first LOGGP_PARTS parameters share a line; the parameters from RATE_PARTS
 * on share another line
 */
#define LOGGP_PARTS 6
#define RATE_PARTS 8

const char *fitted_column(int series)
{
	return columns[cols[series].measured].name;
}

/* ---- rows ---- */

/*
 * Puts the median of a series at the i-th size into a row. Puts the value of each round into the
 * row's samples.
 */
static void put_series(const struct fitted *f, const double *y, size_t i, enum column_id id,
		       const struct record *rec, struct row *row)
{
	json_t *list = json_array();

	for (size_t r = 0; r < f->nrounds; r++)
		json_array_append_new(list, real_or_null(y[r * f->nsizes + i]));
	json_object_set_new(row->samples, columns[id].name, list);
	row_set(row, rec, id, val_real(fitted_median(f, y, i)));
}

void fitted_row(const struct fitted *f, size_t i, const struct record *rec, struct row *row)
{
	size_t segment = (size_t)(fit_segment_of(&f->fit, f->size[i]) - f->fit.seg);

	row->samples = json_object();
	row_set(row, rec, COL_SIZE, val_uint((uint64_t)f->size[i]));
	row_set(row, rec, COL_SEGMENT, val_uint(segment + 1));
	for (int q = 0; q < FIT_SERIES; q++) {
		put_series(f, f->y[q], i, cols[q].measured, rec, row);
		row_set(row, rec, cols[q].error, val_real(fitted_error(f, q, i)));
	}
	put_series(f, f->delayed, i, COL_SEND_DELAYED, rec, row);
	if (fitted_median(f, f->delayed, i) < 0)
		row_set(row, rec, COL_SEND_DELAYED, val_real(NAN));
	if (fitted_is_held_out(f, i))
		row_set(row, rec, COL_NOTE, val_text("not used in the fit"));
}

bool fitted_overheads_differ(const struct fitted *f, size_t k, char text[FITTED_DOUBT])
{
	struct fit_value d = fitted_delayed_overhead(f, k);
	double o_s = f->fit.seg[k].o_s.v;

	snprintf(text, FITTED_DOUBT,
		 "segment %zu: o_s is %s by bursts, and %s by delayed messages: more than %g %% "
		 "apart", k + 1, scaled(o_s, "s").s, scaled(d.v, "s").s, 100 * FITTED_APART);
	return fabs(d.v - o_s) > FITTED_APART * fabs(o_s) && !(d.lo <= o_s && o_s <= d.hi);
}

/* ---- the reliable results ---- */

/*
 * Prints a fitted line: "53.00 ns + 20.00 ps/B". If `slope`, the cost per byte, is unknown, prints
 * the values at both ends of the segment: "53.00 ns to 75.00 ns". If these values differ by less
 * than 1 %, prints only one: "53.00 ns".
 */
static void put_fitted_line(FILE *to, const struct fitted *f, const struct fit_segment *g,
			    enum fit_series q, const struct fit_value *slope)
{
	double start = fit_line(g, q, f->size[g->first]);
	double end = fit_line(g, q, f->size[g->end - 1]);

	if (slope && !isnan(slope->v)) {
		if (g->line[q].a > 0)
			fprintf(to, "%s + ", scaled(g->line[q].a, "s").s);
		fputs(scaled(g->line[q].b, "s/B").s, to);
		return;
	}
	fputs(scaled(start, "s").s, to);
	if (end > 1.01 * start)
		fprintf(to, " to %s", scaled(end, "s").s);
}

/* Return the smallest and the largest size of a segment. */
static struct unit_text segment_start(const struct fitted *f, const struct fit_segment *g)
{
	return in_bytes(g == f->fit.seg ? f->size[0] : floor(g[-1].upto) + 1);
}

static struct unit_text segment_end(const struct fitted *f, const struct fit_segment *g)
{
	return in_bytes(isfinite(g->upto) ? floor(g->upto) : f->size[f->nsizes - 1]);
}

/*
 * Prints the sizes that LogGP describes, such as "; LogGP describes only 1 B to 61 B and 100 B to 1
 * MiB".
 */
static void put_described(FILE *to, const struct fitted *f)
{
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;
	const char *before = "; LogGP describes only ";

	for (const struct fit_segment *g = seg; g < end; g++) {
		const struct fit_segment *first = g;

		if (!g->described)
			continue;
		while (g + 1 < end && g[1].described)
			g++;
		fprintf(to, "%s%s to %s", before, segment_start(f, first).s, segment_end(f, g).s);
		before = " and ";
	}
	if (*before == ';')
		fputs("; LogGP does not describe this network", to);
}

/*
 * Prints the half round trip of each segment. Prints `otherwise` for a segment without a fitted
 * line.
 */
static void put_half_round_trips(FILE *to, const struct fitted *f, const char *otherwise)
{
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;

	for (const struct fit_segment *g = seg; g < end; g++) {
		bool follows = g->follows[FIT_LATENCY];
		bool goes_on = g > seg && g[-1].follows[FIT_LATENCY];

		fputs(g == seg ? "" : follows && goes_on ? ", " : "; ", to);
		if (follows) {
			fputs(goes_on ? "" : "a half round trip of n bytes takes ", to);
			put_fitted_line(to, f, g, FIT_LATENCY, &g->r_inf_latency);
		} else {
			fprintf(to, "%s%s", g == seg ? "" : g + 1 == end ? "beyond that " : "then ",
				otherwise);
		}
		if (follows || g + 1 < end)
			fprintf(to, " up to %s", segment_end(f, g).s);
	}
}

/*
 * Prints the reliable results, such as "a half round trip of n bytes takes 53.00 ns + 20.00 ps/B up
 * to 4 KiB; beyond that LogGP does not describe this network".
 */
static void put_reliable_results(FILE *to, const struct fitted *f)
{
	static const char nothing[] = "LogGP does not describe this network";
	const struct fit_segment *seg = f->fit.seg, *end = seg + f->fit.nsegments;
	const struct fitted_errors errors = fitted_errors(f, false);
	/* any: some segment has a line; alike: LogGP describes each segment with a line */
	bool any = false, alike = true;

	for (const struct fit_segment *g = seg; g < end; g++) {
		any = any || g->follows[FIT_LATENCY];
		alike = alike && g->described == g->follows[FIT_LATENCY];
	}
	if (!any) {
		fputs(nothing, to);
		return;
	}
	put_half_round_trips(to, f, alike ? nothing : "no line describes half a round trip");
	fprintf(to, " (median error %.1f %%, largest %.1f %%)", 100 * errors.middle,
		100 * errors.worst);
	if (!alike)
		put_described(to, f);
}

/* ---- summary ---- */

/* Sets a value and its interval. A key has the name and the unit: "L_s", "L_lo_s", "L_hi_s". */
static void set_value(json_t *o, const char *name, const char *unit, struct fit_value v)
{
	const char *const which[] = { "", "_lo", "_hi" };
	const double values[] = { v.v, v.lo, v.hi };
	char key[48];

	for (int i = 0; i < 3; i++) {
		snprintf(key, sizeof(key), "%s%s_%s", name, which[i], unit);
		json_object_set_new(o, key, real_or_null(values[i]));
	}
}

static json_t *segment_json(const struct fitted *f, size_t k)
{
	const struct fit_segment *g = &f->fit.seg[k];
	json_t *o = json_pack("{s:f, s:o}", "from_B", f->size[g->first], "upto_B",
			      real_or_null(g->upto));

	for (size_t i = 0; i < FIT_PARAMETERS; i++)
		set_value(o, parts[i].name, parts[i].key, g->parameter[i]);
	set_value(o, "o_s_delayed", "s", fitted_delayed_overhead(f, k));
	json_object_update_new(o, json_pack("{s:b, s:b, s:o, s:o, s:I, s:o}",
					    "described", g->described, "censored", g->censored,
					    "residual_p50", real_or_null(g->residual_p50),
					    "residual_max", real_or_null(g->residual_max),
					    "outliers", (json_int_t)g->outliers,
					    "lack_of_fit", real_or_null(g->lack_of_fit)));
	return o;
}

void fitted_summary(const struct fitted *f, json_t *summary)
{
	const struct fit_segment *typical = typical_segment(f);
	struct loggp p = fit_loggp(typical);
	json_t *segments = json_array(), *loggp = parameters_object(&p);
	char *text = NULL;
	const struct fitted_errors held_out = fitted_errors(f, true);
	FILE *to = text_open(&text);

	put_reliable_results(to, f);
	memory_or_exit(text_close(to, &text));
	json_object_set_new(loggp, "method",
			    json_sprintf("fitted; of the segment from %s to %s",
					 segment_start(f, typical).s, segment_end(f, typical).s));
	for (size_t k = 0; k < f->fit.nsegments; k++)
		json_array_append_new(segments, segment_json(f, k));
	json_object_update_new(summary,
			       json_pack("{s:s, s:o, s:o, s:{s:i, s:o, s:o}}", "trusted",
					 text, "loggp", loggp, "segments", segments,
					 "held_out", "sizes", (int)held_out.sizes, "error_p50",
					 real_or_null(held_out.middle), "error_max",
					 real_or_null(held_out.worst)));
	free(text);
}

/* ---- for people ---- */

/* Prints a value and its interval, such as "L 1.2 us [1.1 us, 1.3 us]". */
static void put_value(FILE *to, const char *name, struct fit_value v, const char *unit)
{
	fprintf(to, "%s %s", name, scaled(v.v, unit).s);
	if (!isnan(v.lo))
		fprintf(to, " [%s, %s]", scaled(v.lo, unit).s, scaled(v.hi, unit).s);
}

/*
 * Prints a parameter. If it is not determined, prints only its upper bound. If processors limit the
 * interval between messages, that interval bounds g, and the interval of the last size bounds G.
 */
static void put_parameter(FILE *to, const struct fitted *f, const struct fit_segment *g, size_t i)
{
	const struct fit_value *v = &g->parameter[i];
	const char *name = parts[i].name, *unit = parts[i].unit;
	double last = f->size[g->end - 1];
	double most = v == &g->G ? fit_line(g, FIT_GAP, last) / (last - 1) : v->hi;

	if (g->censored && (v == &g->G || v == &g->g))
		fprintf(to, "%s <= %s", name, scaled(most, unit).s);
	else if (!isnan(v->v))
		put_value(to, name, *v, unit);
	else if (v->hi > 0)
		fprintf(to, "%s not determined (at most %s)", name, scaled(v->hi, unit).s);
	else
		fprintf(to, "%s not determined", name);
}

/* Prints those rates r_inf and lengths n_half that are determined. */
static void put_rates(FILE *to, const struct fitted *f, const struct fit_segment *g)
{
	const char *before = "";

	for (size_t i = RATE_PARTS; i < FIT_PARAMETERS; i++) {
		struct fit_value v = g->parameter[i];
		const char *unit = parts[i].unit;
		double factor = rate_factor(f->rates, &unit);

		if (isnan(v.v))
			continue;
		fputs(before, to);
		put_value(to, parts[i].name, (struct fit_value){ factor * v.v, factor * v.lo,
								 factor * v.hi }, unit);
		before = ", ";
	}
	if (!*before)
		fputs("r_inf and n_half not determined", to);
}

static bool half_rtt_is_too_short(const struct fit_segment *g, double size)
{
	return fit_line(g, FIT_LATENCY, size) <
	       fit_line(g, FIT_SEND, size) + fit_line(g, FIT_RECEIVE, size);
}

/*
 * Prints why LogGP does not describe a segment. Also prints the fitted lines of the segment's
 * series.
 */
static void put_undescribed(FILE *to, const struct fitted *f, const struct fit_segment *g)
{
	const struct fit_value *slopes[FIT_SERIES] = { [FIT_LATENCY] = &g->r_inf_latency,
						       [FIT_GAP] = &g->r_inf };
	const char *before = "no line describes ";

	fputs("LogGP does not describe these sizes: ", to);
	for (int q = 0; q < FIT_SERIES; q++)
		if (!g->follows[q]) {
			fprintf(to, "%s%s", before, cols[q].name);
			before = ", ";
		}
	if (*before != ',')
		fprintf(to, "%s", half_rtt_is_too_short(g, f->size[g->first]) ||
					  half_rtt_is_too_short(g, f->size[g->end - 1]) ?
			"half a round trip is less than a send and a receive by themselves" :
			"the interval of messages is less than a send or a receive by itself");
	before = "\n     ";
	for (int q = 0; q < FIT_SERIES; q++)
		if (g->follows[q] && !isnan(g->line[q].a)) {
			fprintf(to, "%s%s ", before, cols[q].name);
			put_fitted_line(to, f, g, (enum fit_series)q, slopes[q]);
			before = ", ";
		}
}

static void put_segment(FILE *to, const struct fitted *f, size_t k)
{
	const struct fit_segment *g = &f->fit.seg[k];
	struct fit_value delayed = fitted_delayed_overhead(f, k);

	fprintf(to, "\n  %zu: %s to %s\n     ", k + 1, segment_start(f, g).s, segment_end(f, g).s);
	if (!g->described)
		put_undescribed(to, f, g);
	for (size_t i = 0; i < LOGGP_PARTS && g->described; i++) {
		fputs(i ? ", " : "", to);
		put_parameter(to, f, g, i);
	}
	fputs("\n     ", to);
	put_rates(to, f, g);
	if (!isnan(delayed.v))
		put_value(to, "\n     o_s by delayed messages", delayed, "s");
	fprintf(to, "\n     residuals: median %s %%, largest %s %%, %zu points off by more "
		    "than 3 sigma, lack of fit %s",
		plain(100 * g->residual_p50, 3).s, plain(100 * g->residual_max, 3).s, g->outliers,
		plain(g->lack_of_fit, 2).s);
	if (g->censored && g->described)
		fputs("\n     the interval of messages is the processor's, which bounds g and G",
		      to);
}

/* Returns true if any parameter has an interval. */
static bool has_interval(const struct fitted *f)
{
	for (size_t k = 0; k < f->fit.nsegments; k++)
		for (size_t i = 0; i < FIT_PARAMETERS; i++)
			if (!isnan(f->fit.seg[k].parameter[i].lo))
				return true;
	return false;
}

char *fitted_text(const struct fitted *f)
{
	char *text = NULL;
	const struct fitted_errors held_out = fitted_errors(f, true);
	FILE *to = text_open(&text);

	fputs("\nreliable: ", to);
	put_reliable_results(to, f);
	fprintf(to, "\n\nLogGP in %zu segment%s, ", f->fit.nsegments,
		f->fit.nsegments == 1 ? "" : "s");
	if (f->nrounds < FIT_BOUNDED && !has_interval(f))
		fprintf(to, "without intervals: %zu rounds are too few, %d are needed:", f->nrounds,
			FIT_BOUNDED);
	else
		fprintf(to, "with 95 %% intervals (bootstrap over %zu rounds):", f->nrounds);
	for (size_t k = 0; k < f->fit.nsegments; k++)
		put_segment(to, f, k);
	if (held_out.sizes)
		fprintf(to, "\n%zu sizes that were not used in the fit: median error %s %%, "
			    "largest %s %%", held_out.sizes, plain(100 * held_out.middle, 3).s,
			plain(100 * held_out.worst, 3).s);
	return memory_or_exit(text_close(to, &text));
}
