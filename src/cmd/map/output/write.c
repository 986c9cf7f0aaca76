/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what was measured, a row for each ordered pair, and the verdicts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "cmd/map/output/words.h"
#include "cmd/map/study/distance.h"
#include "config.h"
#include "host/record.h"
#include "result/report.h"

const enum column_id map_columns[MAP_NCOLUMNS] = {
	COL_SENDER, COL_RECEIVER, COL_SENDER_HOST, COL_RECEIVER_HOST, COL_CLASS, COL_SIZE,
	COL_HALF_RTT, COL_HALF_RTT_LO, COL_HALF_RTT_HI, COL_HALF_RTT_MIN, COL_BANDWIDTH,
	COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_BIDIRECTIONAL, COL_BIDIRECTIONAL_LO,
	COL_BIDIRECTIONAL_HI, COL_VISITS, COL_NOTE,
};

/* ---- rows ---- */

/* To the digits that y has. */
static double rounded(double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", MAP_DIGITS, v);
	return strtod(text, NULL);
}

/* The median over the visits, its interval if there are enough of them, the least half rtt. */
static size_t put_value(const struct study *s, enum quantity q, uint32_t i, uint32_t j,
			const struct record *rec, struct row *row)
{
	static const enum column_id of_quantity[] = { [BANDWIDTH] = COL_BANDWIDTH,
						      [LATENCY] = COL_HALF_RTT,
						      [BIDIRECTIONAL] = COL_BIDIRECTIONAL };
	enum column_id id = of_quantity[q];
	double value[STUDY_VISITS];
	struct series x = { .s = value, .n = study_visits(s, q, i, j, value) };
	struct summary of = { .p50 = NAN, .lo = NAN, .hi = NAN };
	double least = NAN;
	size_t l, u;

	for (size_t v = 0; v < x.n; v++)
		least = fmin(least, value[v]);
	if (x.n && quantile_ranks(x.n, 0.5, &l, &u))
		of.p50 = middle(value, x.n);
	else if (x.n)
		of = summarise(&x);
	row_set(row, rec, id, val_real(rounded(of.p50)));
	row_set(row, rec, id + 1, val_real(rounded(of.lo)));
	row_set(row, rec, id + 2, val_real(rounded(of.hi)));
	if (q == LATENCY)
		row_set(row, rec, COL_HALF_RTT_MIN, val_real(rounded(least)));
	return x.n;
}

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* True if a pair was measured in a visit, whether or not it answered. */
static bool was_tried(const struct study *s, uint32_t v, uint32_t i, uint32_t j)
{
	bool tried = s->nfailures && silent_failed(s, v, i, j);

	for (int q = 0; q < NQUANTITIES && !tried; q++)
		tried = !isnan(study_value(s, (enum quantity)q, v, i, j));
	return tried;
}

/*
 * Every visit, from which the result is judged again. Visits are left out if they are the first,
 * the second and so on, and rounds if none is known. New reference.
 */
static json_t *samples_of(const struct study *s, uint32_t i, uint32_t j)
{
	json_t *visit = json_array(), *round = json_array(), *all = json_object();
	bool in_order = true, rounds = false;

	for (uint32_t v = 0; v < s->nvisits; v++) {
		uint32_t k = study_round(s, v, i, j);

		if (!was_tried(s, v, i, j))
			continue;
		json_array_append_new(visit, json_integer((json_int_t)s->label[v]));
		json_array_append_new(round, k != STUDY_NO_ROUND ? json_integer(k) : json_null());
		in_order &= s->label[v] == json_array_size(visit);
		rounds |= k != STUDY_NO_ROUND;
	}
	if (!in_order)
		json_object_set(all, "visit", visit);
	if (rounds)
		json_object_set(all, "round", round);
	json_decref(visit);
	json_decref(round);
	for (int q = 0; q < NQUANTITIES; q++) {
		json_t *values = study_has(s, (enum quantity)q) ? json_array() : NULL;

		for (uint32_t v = 0; v < s->nvisits && values; v++) {
			double y = study_value(s, (enum quantity)q, v, i, j);

			if (!was_tried(s, v, i, j))
				continue;
			y = rounded(study_unit((enum quantity)q, y));
			json_array_append_new(values, number(y));
		}
		if (values)
			json_object_set_new(all, quantity_names[q].column, values);
	}
	return all;
}

/* "fast", or of two classes "fast, slow"; with a topology "same switch"; "" without either. */
static void class_of(const struct study *s, uint32_t i, uint32_t j, char *buf, size_t len)
{
	const char *a = s->nclasses ? s->class_name[s->class[i]] : "";
	const char *b = s->nclasses ? s->class_name[s->class[j]] : "";

	if (s->leaf) {
		snprintf(buf, len, "%s", distance_names[distance_of(s, i, j)]);
		return;
	}
	snprintf(buf, len, "%s%s%s", a, strcmp(a, b) ? ", " : "", strcmp(a, b) ? b : "");
}

/* In how many visits it did not answer. */
static uint32_t silent_visits(const struct study *s, uint32_t i, uint32_t j)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < s->nvisits; v++)
		n += silent_failed(s, v, i, j);
	return n;
}

static int write_pair(const struct pair_rows *to, const struct study *s, uint32_t i, uint32_t j,
		      bool samples)
{
	const struct record *rec = to->rec;
	struct row row = { .samples = NULL };
	uint32_t silent = silent_visits(s, i, j);
	size_t visits = 0, n;
	char class[256], note[64];
	int err;

	class_of(s, i, j, class, sizeof(class));
	row_set(&row, rec, COL_SENDER, val_uint(i));
	row_set(&row, rec, COL_RECEIVER, val_uint(j));
	row_set(&row, rec, COL_SENDER_HOST, val_text(s->name[i]));
	row_set(&row, rec, COL_RECEIVER_HOST, val_text(s->name[j]));
	if (*class)
		row_set(&row, rec, COL_CLASS, val_text(class));
	if (s->size_B && (study_has(s, BANDWIDTH) || study_has(s, BIDIRECTIONAL)))
		row_set(&row, rec, COL_SIZE, val_uint(s->size_B));
	for (int q = 0; q < NQUANTITIES; q++) {
		n = put_value(s, (enum quantity)q, i, j, rec, &row);
		visits = n > visits ? n : visits;
	}
	row_set(&row, rec, COL_VISITS, val_uint(visits));
	snprintf(note, sizeof(note), "no answer in %u of %u visits", silent, s->nvisits);
	if (silent && visits)
		row_set(&row, rec, COL_NOTE, val_text(note));
	else if (!visits)
		row_set(&row, rec, COL_NOTE, val_text(silent ? "no answer" : "not measured"));
	row.samples = samples ? samples_of(s, i, j) : NULL;
	err = to->put(to->arg, &row);
	json_decref(row.samples);
	return err;
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len >= n && !strcmp(path + len - n, suffix);
}

/* Whether anything that is written has rows; *samples: and the visits of each. */
static bool has_rows(const struct output_options *o, bool *samples)
{
	bool rows = o->format != FORMAT_TABLE;

	*samples = o->format == FORMAT_JSON;
	for (size_t i = 0; i < o->outputs.n; i++) {
		rows |= !ends_in(o->outputs.v[i], ".txt");
		*samples |= ends_in(o->outputs.v[i], ".json");
	}
	return rows;
}

int map_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	    uint32_t i, uint32_t j)
{
	bool samples;

	return has_rows(o, &samples) ? write_pair(to, s, i, j, samples) : ST_OK;
}

int map_rows(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	     const bool *written)
{
	bool samples;
	int err = ST_OK;

	if (!has_rows(o, &samples))
		return ST_OK;
	for (uint32_t i = 0; i < s->n && !err; i++)
		for (uint32_t j = 0; j < s->n && !err; j++)
			if (i != j && !(written && written[(size_t)i * s->n + j]))
				err = write_pair(to, s, i, j, samples);
	return err;
}

/* ---- verdicts ---- */

/* A host by its name, a pair or a direction as a list of both, a group as one of its members. */
static json_t *subject_of(const struct study *s, const struct cause *c,
			  const struct verdict_of *members)
{
	json_t *list;

	if (members && members->nmembers) {
		list = json_array();
		for (size_t i = 0; i < members->nmembers; i++)
			json_array_append_new(list, json_string(s->name[members->members[i]]));
		return list;
	}
	if (c->kind == KIND_PAIR || c->kind == KIND_DIRECTION || c->kind == KIND_ONE_WAY ||
	    c->kind == KIND_HALVES)
		return json_pack("[s, s]", s->name[c->a], s->name[c->b]);
	return json_string(s->name[c->a]);
}

static void put_effect(json_t *to, const struct verdict_of *v)
{
	double share = 2 * v->se / v->effect;

	if (v->cause.kind == KIND_UNREACHABLE)
		return;
	if (isnan(v->adds_s)) {
		json_object_set_new(to, "effect", number(words_relative(v->effect)));
		json_object_set_new(to, "lo", number(words_relative(v->effect - 2 * v->se)));
		json_object_set_new(to, "hi", number(words_relative(v->effect + 2 * v->se)));
	} else {
		json_object_set_new(to, "effect_s", number(v->adds_s));
		json_object_set_new(to, "lo", number(v->adds_s * (1 - share)));
		json_object_set_new(to, "hi", number(v->adds_s * (1 + share)));
	}
}

static json_t *verdict_json(const struct study *s, const struct found *f,
			    const struct verdict_of *v)
{
	char *text = words_verdict(s, v);
	json_t *to = json_pack("{s:s, s:o}", "kind", kind_names[v->cause.kind], "subject",
			       subject_of(s, &v->cause, v));

	put_effect(to, v);
	json_object_set_new(to, "quantity",
			    json_string(quantity_names[f->quantity].verdict));
	if (s->nclasses > 1)
		json_object_set_new(to, "class", json_string(s->class_name[f->class]));
	json_object_set_new(to, "confidence", json_string(words_confidence(v)));
	json_object_set_new(to, "persistence", json_string(persistence_names[v->persistence]));
	if (!isnan(v->share))
		json_object_set_new(to, "share", json_real(v->share));
	if (v->or.kind)
		json_object_set_new(to, "or", json_pack("{s:s, s:o}", "kind",
							kind_names[v->or.kind], "subject",
							subject_of(s, &v->or, NULL)));
	json_object_set_new(to, "evidence",
			    v->evidence ? json_incref(v->evidence) : json_array());
	json_object_set_new(to, "text", json_string(text ? text : ""));
	free(text);
	return to;
}

/* Which quantity of which class was judged, and how. New reference. */
static json_t *judged_json(const struct verdicts *all, const struct found *f)
{
	const struct study *s = all->s;
	uint32_t *worst = calloc(s->n + 1, sizeof(*worst));
	size_t n = worst ? words_worst(s, &f->j, worst) : 0;
	json_t *hosts = json_object(), *to;

	for (size_t i = 0; i < n; i++)
		json_object_set_new(hosts, s->name[worst[i]],
				    number(words_slower(all, f, worst[i])));
	free(worst);
	to = json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}", "quantity",
		       quantity_names[f->quantity].verdict, "least_effect",
		       number(words_relative(f->j.least)), "least_pair_effect",
		       number(words_relative(f->j.least_pair)), "noise", number(f->j.sigma),
		       "normal", (json_int_t)f->j.normal, "lost", (json_int_t)f->j.lost,
		       "unjudged", (json_int_t)f->j.unjudged,
		       "chance", (json_int_t)f->j.chance,
		       f->quantity == LATENCY ? "slower_s" : "slower", hosts);
	if (s->nclasses > 1)
		json_object_set_new(to, "class", json_string(s->class_name[f->class]));
	if (f->j.why) {
		char *text = words_no_verdict(s, &f->j);

		json_object_set_new(to, "no_verdict", json_string(text ? text : ""));
		free(text);
	}
	return to;
}

static void put_overview(json_t *summary, const struct verdicts *all, enum quantity q)
{
	const struct study *s = all->s;
	const struct overview o = all->over[q];
	const char *unit = quantity_names[q].suffix, *name = quantity_names[q].part;
	char key[64];
	const struct {
		const char *part;
		double value;
	} parts[] = {
		{ "median", o.median }, { "p25", fmin(o.low, o.high) },
		{ "p75", fmax(o.low, o.high) },
		{ "slowest", o.slowest },
	};

	if (!s->of[q].n || !o.pairs)
		return;
	for (size_t i = 0; i < LENGTH(parts); i++) {
		snprintf(key, sizeof(key), "%s_%s_%s", name, parts[i].part, unit);
		json_object_set_new(summary, key, number(parts[i].value));
	}
	snprintf(key, sizeof(key), "%s_slowest_pair", name);
	json_object_set_new(summary, key, json_pack("[s, s]", s->name[o.from], s->name[o.to]));
	snprintf(key, sizeof(key), "%s_missing_pairs", name);
	json_object_set_new(summary, key, json_integer((json_int_t)o.missing));
}

void map_summary(json_t *summary, const struct verdicts *all)
{
	json_t *verdicts = json_array(), *judged = json_array();

	for (size_t i = 0; i < all->n; i++) {
		const struct found *f = &all->at[i];

		for (size_t k = 0; k < f->j.n; k++)
			json_array_append_new(verdicts, verdict_json(all->s, f, &f->j.at[k]));
		json_array_append_new(judged, judged_json(all, f));
	}
	json_object_set_new(summary, "verdicts", verdicts);
	json_object_set_new(summary, "judged", judged);
	json_object_set_new(summary, "differences",
			    all->differences ? json_incref(all->differences) : json_array());
	if (all->s->machines)
		json_object_set(summary, "machines", all->s->machines);
	json_object_set_new(summary, "hosts", json_integer(all->s->n));
	json_object_set_new(summary, "visits", json_integer(all->s->nvisits));
	for (int q = 0; q < NQUANTITIES; q++)
		put_overview(summary, all, (enum quantity)q);
	if (all->s->leaf)
		json_object_set_new(summary, "distances", distance_json(all->s));
	json_object_set_new(summary, "shared_cores", json_boolean(all->s->shared_cores));
}

/* ---- the record ---- */

/* That of the measurement, if it is known, and where it was judged. New reference. */
static json_t *describe(const struct verdicts *all)
{
	json_t *here = host_collect(), *env;

	if (all->s->environment)
		env = json_deep_copy(all->s->environment);
	else
		env = json_pack("{s:O, s:O}", "netbench", json_object_get(here, "netbench"), "time",
				json_object_get(here, "time"));
	json_object_set_new(env, "reevaluation",
			    json_pack("{s:s, s:O, s:O}", "file", all->from, "netbench",
				      json_object_get(here, "netbench"), "time",
				      json_object_get(here, "time")));
	json_decref(here);
	return env;
}

/* The report of a file that is judged. */
struct reporting {
	struct outlets *report;
	const struct record *rec;
};

static int put_row(void *arg, const struct row *row)
{
	const struct reporting *r = arg;

	return report_row(r->report, r->rec, row);
}

int map_write(const struct settings *st, const struct verdicts *all)
{
	char title[512], *words;
	struct record rec = {
		.command = "map", .definition = "map.v1", .title = title,
		.computed = all->s->computed, .emulated = all->s->emulated, .cols = map_columns,
		.ncols = MAP_NCOLUMNS, .words = true, .brief = MAP_DIGITS, .options = st->options,
		.environment = describe(all), .summary = json_object(), .warnings = json_array(),
		.status = "incomplete",
	};
	struct outlets *r = NULL;
	struct reporting reporting = { .rec = &rec };
	const struct pair_rows to = { &rec, put_row, &reporting };
	int err, closed;

	snprintf(title, sizeof(title), "netbench %s map: %u hosts, %u visit%s, from '%s'%s",
		 NETBENCH_VERSION, all->s->n, all->s->nvisits, all->s->nvisits == 1 ? "" : "s",
		 all->from, all->s->computed ? " (computed)" : "");
	err = report_open(&r, &st->output);
	reporting.report = r;
	err = err ? err : report_begin(r, &rec);
	err = err ? err : map_rows(all->s, &st->output, &to, NULL);
	map_summary(rec.summary, all);
	words = words_all(all, title, (enum rate_unit)st->output.rate_unit);
	rec.footer = words;
	rec.status = "complete";
	err = err ? err : report_end(r, &rec);
	closed = report_close(r, !err);
	err = err ? err : closed;
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(words);
	return err;
}
