/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/study/distance.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/stats.h"

const enum column_id map_columns[MAP_NCOLUMNS] = {
	COL_SENDER, COL_RECEIVER, COL_SENDER_HOST, COL_RECEIVER_HOST, COL_CLASS, COL_SIZE,
	COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_LO, COL_HALF_RTT_EPOCH_HI, COL_HALF_RTT_MIN,
	COL_BANDWIDTH, COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_BIDIRECTIONAL,
	COL_BIDIRECTIONAL_LO, COL_BIDIRECTIONAL_HI, COL_VISITS, COL_NOTE,
};

/* Rounds a value to MAP_DIGITS significant digits. */
static double rounded(double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", MAP_DIGITS, v);
	return strtod(text, NULL);
}

/*
 * Sets the cells of a quantity of a pair. These are the median over the visits, the median's
 * interval if there are enough visits and, for LATENCY, the minimum. Returns the number of visits
 * with a value.
 */
static size_t put_quantity(const struct study *s, enum quantity q, uint32_t i, uint32_t j,
			   const struct record *rec, struct row *row)
{
	static const enum column_id of_quantity[] = { [BANDWIDTH] = COL_BANDWIDTH,
						      [LATENCY] = COL_HALF_RTT_EPOCH,
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
		of.p50 = select_median(value, x.n);
	else if (x.n)
		of = summarise(&x);
	row_set(row, rec, id, val_real(rounded(of.p50)));
	row_set(row, rec, id + 1, val_real(rounded(of.lo)));
	row_set(row, rec, id + 2, val_real(rounded(of.hi)));
	if (q == LATENCY)
		row_set(row, rec, COL_HALF_RTT_MIN, val_real(rounded(least)));
	return x.n;
}

/* Returns whether a pair was measured in visit v, even if the pair did not answer. */
static bool was_measured(const struct study *s, uint32_t v, uint32_t i, uint32_t j)
{
	bool tried = s->nfailures && study_failed(s, v, i, j);

	for (int q = 0; q < NQUANTITIES && !tried; q++)
		tried = !isnan(study_value(s, (enum quantity)q, v, i, j));
	return tried;
}

/*
 * Returns the values of all visits of a pair, so that the result can be judged again (new
 * reference). Omits the numbers of visits if they are 1, 2, 3 and so on. Omits the rounds if none
 * is known.
 */
static json_t *make_samples(const struct study *s, uint32_t i, uint32_t j)
{
	json_t *visit = json_array(), *round = json_array(), *all = json_object();
	bool in_order = true, rounds = false;

	for (uint32_t v = 0; v < s->nvisits; v++) {
		uint32_t k = study_round(s, v, i, j);

		if (!was_measured(s, v, i, j))
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

			if (!was_measured(s, v, i, j))
				continue;
			y = rounded(study_unit((enum quantity)q, y));
			json_array_append_new(values, isfinite(y) ? json_real(y) : json_null());
		}
		if (values)
			json_object_set_new(all, quantity_names[q].column, values);
	}
	return all;
}

static int write_pair_row(const struct pair_rows *to, const struct study *s, uint32_t i, uint32_t j,
			  bool samples)
{
	const char *a = s->nclasses ? s->class_name[s->class[i]] : "";
	const char *b = s->nclasses ? s->class_name[s->class[j]] : "";
	const struct record *rec = to->rec;
	struct row row = { .samples = NULL };
	uint32_t silent = 0;	/* number of visits in which the pair gave no answer */
	size_t visits = 0, n;
	char class[256], note[64];
	int err;

	for (uint32_t v = 0; v < s->nvisits; v++)
		silent += study_failed(s, v, i, j);
	/* text such as "fast", or "fast, slow" for two classes; with a topology, "same switch" */
	if (s->leaf)
		snprintf(class, sizeof(class), "%s", distance_names[distance_of(s, i, j)]);
	else
		snprintf(class, sizeof(class), "%s%s%s", a, strcmp(a, b) ? ", " : "",
			 strcmp(a, b) ? b : "");
	row_set(&row, rec, COL_SENDER, val_uint(i));
	row_set(&row, rec, COL_RECEIVER, val_uint(j));
	row_set(&row, rec, COL_SENDER_HOST, val_text(s->name[i]));
	row_set(&row, rec, COL_RECEIVER_HOST, val_text(s->name[j]));
	if (*class)
		row_set(&row, rec, COL_CLASS, val_text(class));
	if (s->size_B && (study_has(s, BANDWIDTH) || study_has(s, BIDIRECTIONAL)))
		row_set(&row, rec, COL_SIZE, val_uint(s->size_B));
	for (int q = 0; q < NQUANTITIES; q++) {
		n = put_quantity(s, (enum quantity)q, i, j, rec, &row);
		visits = n > visits ? n : visits;
	}
	row_set(&row, rec, COL_VISITS, val_uint(visits));
	snprintf(note, sizeof(note), "no answer in %u of %u visits", silent, s->nvisits);
	if (silent && visits)
		row_set(&row, rec, COL_NOTE, val_text(note));
	else if (!visits)
		row_set(&row, rec, COL_NOTE, val_text(silent ? "no answer" : "not measured"));
	row.samples = samples ? make_samples(s, i, j) : NULL;
	err = to->put(to->arg, &row);
	json_decref(row.samples);
	return err;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len >= n && !strcmp(path + len - n, suffix);
}

/*
 * Returns whether any requested format or file has rows. Sets *samples to whether one also has the
 * visits of each row.
 */
static bool has_rows(const struct output_options *o, bool *samples)
{
	bool rows = o->format != FORMAT_TABLE;

	*samples = o->format == FORMAT_JSON;
	for (size_t i = 0; i < o->outputs.n; i++) {
		rows |= !has_suffix(o->outputs.v[i], ".txt");
		*samples |= has_suffix(o->outputs.v[i], ".json");
	}
	return rows;
}

int map_write_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
		  uint32_t i, uint32_t j)
{
	bool samples;

	return has_rows(o, &samples) ? write_pair_row(to, s, i, j, samples) : ST_OK;
}

int map_write_rows(const struct study *s, const struct output_options *o,
		   const struct pair_rows *to)
{
	bool samples, sparse = study_is_sparse(s);
	int err = ST_OK;

	if (!has_rows(o, &samples))
		return ST_OK;
	for (uint32_t i = 0; i < s->n && !err && !sparse; i++)
		for (uint32_t j = 0; j < s->n && !err; j++)
			if (i != j && !study_was_written(s, i, j))
				err = write_pair_row(to, s, i, j, samples);
	for (struct met p = STUDY_BEGIN; sparse && !err && study_next(s, &p);)
		if (!study_was_written(s, p.i, p.j))
			err = write_pair_row(to, s, p.i, p.j, samples);
	for (size_t k = 0; k < s->nfailures && sparse && !err; k++) {
		const struct failure *f = &s->failure[k], *before = k ? f - 1 : NULL;

		/* a sparse study has one visit, so a pair that failed in it has no value */
		if (!before || before->sender != f->sender || before->receiver != f->receiver)
			err = write_pair_row(to, s, f->sender, f->receiver, samples);
	}
	return err;
}
