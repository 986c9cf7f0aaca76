/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/logp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "show/units.h"

/* Above it processors cannot be counted exactly. */
#define COUNTABLE 0x1p53

struct line {
	const char *pattern, *algorithm;
	uint64_t messages;		/* 0: no cell */
	uint32_t P, k;			/* k: 0: no cell */
	double time, bound, lecture;	/* NaN: not known */
};

/* ---- parameters ---- */

int logp_take(struct asked *a, bool sweep)
{
	bool seconds;
	int err = logp_parse(a->o->logp, &a->logp, &a->processors, &seconds);

	if (!err && sweep && !a->processors.n)
		return error_usage("logp: field 'P' is missing");
	a->cycles = !err && !seconds;
	return err;
}

int logp_parse_time(const char *option, const char *text, bool cycles, double *t)
{
	bool plain = !scan_real(text, t);

	if (plain && !cycles && *t > 0)
		return error_usage("value '%s' of '--%s' needs a unit of time, such as %sus", text,
				   option, text);
	if (!plain && (cycles || !parse_seconds(text, t)))
		return error_usage("value '%s' of '--%s' is not a time in %s", text, option,
				   cycles ? "cycles, as the times of '--logp' are" : "seconds");
	if (!(*t >= 0))
		return error_usage("value '%s' of '--%s' is negative", text, option);
	return ST_OK;
}

void logp_describe(struct asked *a, const char *of)
{
	const struct logp *p = &a->logp;
	const bool c = a->cycles, apart = p->o_s < p->o_r || p->o_s > p->o_r;
	json_t *known = json_pack("{s:f, s:f, s:f, s:f}", c ? "L_cycles" : "L_s", p->L,
				  c ? "o_s_cycles" : "o_s_s", p->o_s,
				  c ? "o_r_cycles" : "o_r_s", p->o_r, c ? "g_cycles" : "g_s", p->g);
	char ranks[32] = "";

	if (p->P) {
		json_object_set_new(known, "P", json_integer(p->P));
		snprintf(ranks, sizeof(ranks), " P=%u", p->P);
	}
	json_object_set_new(a->parameters, "logp", known);
	form_title(a, "LogP L=%s %s=%s%s%s g=%s%s%s%s", scaled_time(p->L, c).s,
		   apart ? "o_s" : "o", scaled_time(p->o_s, c).s, apart ? " o_r=" : "",
		   apart ? scaled_time(p->o_r, c).s : "", scaled_time(p->g, c).s,
		   c ? " cycles" : "", ranks, of);
}

/* ---- messages and broadcasts ---- */

void logp_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	const struct line *l = (const struct line *)a->rows + i;

	ROW_PUT(row, rec, { COL_PATTERN, val_text(l->pattern) }, { COL_RANKS, val_uint(l->P) },
		{ COL_ALGORITHM, form_text(l->algorithm) }, { COL_ARITY, form_count(l->k) },
		{ COL_MESSAGES, form_count(l->messages) }, { COL_MODEL_TIME, val_real(l->time) },
		{ COL_UPPER, val_real(l->bound) }, { COL_LECTURE, val_real(l->lecture) },
		{ COL_REMARK, val_text(l->lecture < l->time * (1 - 1e-12)
				       ? "lecture: no bound" : "") });
}

static bool has_arity(enum tree_kind kind)
{
	return kind == TREE_KARY || kind == TREE_KNOMIAL;
}

uint32_t logp_arity(const struct asked *a, const struct logp *p, enum tree_kind kind, size_t i)
{
	double time;

	if (!has_arity(kind))
		return 0;
	return a->o->arities.n ? (uint32_t)a->o->arities.v[i] : logp_best_integer(p, kind, &time);
}

/* Adds broadcasts to P processors along a tree, of each arity that is asked for. */
static int add_broadcasts(struct asked *a, enum tree_kind kind, uint64_t P)
{
	size_t n = has_arity(kind) && a->o->arities.n ? a->o->arities.n : 1;
	struct line *lines = a->rows;
	struct logp p = a->logp;

	p.P = (uint32_t)P;
	for (size_t i = 0; i < n; i++) {
		uint32_t k = logp_arity(a, &p, kind, i);
		double time = logp_broadcast(&p, kind, k);

		if (time < 0)
			return error_report("no memory for a schedule");
		lines[a->n++] = (struct line){ "broadcast", tree_names[kind], 0, p.P, k, time,
					       logp_bound(&p, kind, k),
					       logp_lecture_bound(&p, kind, k) };
	}
	return ST_OK;
}

/* The best k, of whole numbers too if P is one number, and how many messages may be under way. */
static void conclude(struct asked *a)
{
	const struct logp *p = &a->logp;
	uint64_t capacity = logp_capacity(p);
	double kary = logp_best_kary(p), knomial = logp_best_knomial(p), time[2];
	json_t *summary = a->rec.summary;
	char whole[128] = "", under_way[96] = "g = 0 sets no limit to the messages under way";

	json_object_set_new(summary, "best_k_kary", json_real(kary));
	if (isfinite(knomial))
		json_object_set_new(summary, "best_k_knomial", json_real(knomial));
	if (p->P) {
		uint32_t k[2] = { logp_best_integer(p, TREE_KARY, &time[0]),
				  logp_best_integer(p, TREE_KNOMIAL, &time[1]) };

		json_object_set_new(summary, "best_integer_k_kary", json_integer(k[0]));
		json_object_set_new(summary, "best_integer_k_knomial", json_integer(k[1]));
		snprintf(whole, sizeof(whole),
			 ";\n  of whole numbers %u-ary (%s) and %u-nomial (%s)", k[0],
			 scaled_time(time[0], a->cycles).s, k[1],
			 scaled_time(time[1], a->cycles).s);
	}
	if (capacity || p->g > 0) {
		json_object_set_new(summary, "capacity_messages",
				    json_integer((json_int_t)capacity));
		snprintf(under_way, sizeof(under_way),
			 "at most ceil(L/g) = %llu message%s from or to a processor under way",
			 (unsigned long long)capacity, capacity == 1 ? "" : "s");
	}
	snprintf(a->footer, sizeof(a->footer),
		 "\nbest k: by the lecture's cost of a level, A + (k-1) m, %s;\n"
		 "  by the exact one of a k-nomial tree, A + (k-2) m, %s%s\n%s",
		 plain(kary, 4).s, isfinite(knomial) ? plain(knomial, 4).s : "none", whole,
		 under_way);
}

int logp_plan(struct asked *a)
{
	const struct logp *p = &a->logp;
	const uint64_t n = a->o->messages;
	size_t arities = a->o->arities.n ? a->o->arities.n : 1;
	struct line *lines;
	double one_way;
	int err = logp_take(a, true);

	if (err)
		return err;
	if (settings_given(a->st, "algorithm") && !settings_given(a->st, "schedule"))
		return error_usage("option '--algorithm' goes with '--schedule'");
	if (a->processors.n * (4 + 2 * a->o->arities.n) > FORM_ROWS_MOST)
		return error_usage("'--logp' and '--arity' ask for more than %d rows",
				   FORM_ROWS_MOST);
	a->rows = lines = calloc(3 + a->processors.n * (4 + 2 * arities), sizeof(*lines));
	if (!lines)
		return error_report("no memory for a table");
	one_way = logp_one_way(p);
	lines[a->n++] = (struct line){ "one-way", NULL, 1, 2, 0, one_way, NAN, NAN };
	lines[a->n++] =
		(struct line){ "stream", NULL, n, 2, 0, logp_stream(p, (double)n), NAN, NAN };
	lines[a->n++] = (struct line){ "ping-pong", NULL, 1, 2, 0, 2 * one_way, NAN, NAN };
	for (size_t i = 0; i < a->processors.n; i++)
		for (enum tree_kind kind = 0; tree_names[kind] && !err; kind++)
			err = add_broadcasts(a, kind, a->processors.v[i]);
	if (err)
		return err;
	logp_describe(a, "");
	conclude(a);
	return ST_OK;
}

/* ---- reach ---- */

/*
 * The times up to `upto` at which processors are reached, i m + j A with j > 0, rising, and 0; for
 * free(). Those that differ by no more than rounding are one. NULL if they are FORM_ROWS_MOST or
 * more, or without memory.
 */
static double *reach_times(const struct logp *p, double upto, size_t *n)
{
	double A = logp_one_way(p), m = logp_interval(p), slack = upto * 1e-12,
	       *t = malloc(FORM_ROWS_MOST * sizeof(*t));
	size_t all = 0, kept = 0;

	if (!t)
		return NULL;
	t[all++] = 0;
	for (double j = 1; j * A <= upto + slack && all < FORM_ROWS_MOST; j++)
		for (double i = 0; i * m + j * A <= upto + slack && all < FORM_ROWS_MOST; i++)
			t[all++] = i * m + j * A;
	if (all == FORM_ROWS_MOST) {
		free(t);
		return NULL;
	}
	sort_doubles(t, all);
	for (size_t i = 0; i < all; i++)
		if (!i || t[i] > t[kept - 1] + slack)
			t[kept++] = t[i];
	*n = kept;
	return t;
}

void logp_fill_reach(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	double t = ((const double *)a->rows)[i], after = t * (1 + 1e-12);
	struct logp_range exact = logp_reach_bounds(&a->logp, after),
			  lecture = logp_reach_lecture(&a->logp, after);

	ROW_PUT(row, rec, { COL_AFTER, val_real(t) },
		{ COL_PROCESSORS, val_uint((uint64_t)logp_reach(&a->logp, after)) },
		{ COL_LEAST, val_real(exact.least) }, { COL_MOST, val_real(exact.most) },
		{ COL_LECTURE_LEAST, val_real(lecture.least) },
		{ COL_LECTURE_MOST, val_real(lecture.most) });
}

int logp_plan_reach(struct asked *a)
{
	const struct logp *p = &a->logp;
	const char *reach = a->o->reach;
	double upto;
	int err = logp_take(a, false);

	if (!err)
		err = logp_parse_time("reach", reach, a->cycles, &upto);
	if (err)
		return err;
	if (!(logp_one_way(p) > 0))
		return error_usage("logp: L and o are 0: a message would reach everyone at once");
	a->rows = reach_times(p, upto, &a->n);
	if (!a->rows || !(logp_reach(p, upto) < COUNTABLE))
		return error_usage("value '%s' of '--reach' is too large: more processors or times "
				   "than can be listed", reach);
	logp_describe(a, ", processors reached by a broadcast");
	snprintf(a->footer, sizeof(a->footer),
		 "\nlecture: 2^floor(t/(L+2o)) and 2^floor(t/o), for g <= o%s",
		 logp_interval(p) > logp_one_way(p)
			 ? "; the former is no bound here: g > L + 2o" : "");
	return ST_OK;
}

/* ---- against a result ---- */

int logp_plan_against(struct asked *a)
{
	const struct logp *p = &a->logp;
	int err = logp_take(a, false);

	if (err)
		return err;
	if (a->cycles)
		return error_usage(
			"'--against' needs times with units, such as L=6us; '--logp' has cycles");
	a->loggp = (struct loggp){ p->L, p->o_s, p->o_r, p->g, 0 };
	logp_describe(a, " against a result");
	return ST_OK;
}
