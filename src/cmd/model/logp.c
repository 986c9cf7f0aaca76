/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/logp.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "cmd/model/against.h"
#include "show/units.h"

/* Above this limit a double cannot represent every number of processors exactly. */
#define COUNTABLE 0x1p53

/* ---- parameters ---- */

int logp_read_parameters(struct model_request *a, bool sweep)
{
	const struct logp *p = &a->logp;
	bool seconds, c;
	int err = logp_parse(a->o->logp, &a->logp, &a->processors, &seconds);

	if (err)
		return err;
	c = a->cycles = !seconds;
	if (sweep && !a->processors.n)
		return error_usage("logp: field 'P' is missing");
	a->loggp = (struct loggp){ p->L, p->o_s, p->o_r, p->g, 0 };
	a->ranks = p->P;
	form_describe(a, "LogP", c ? " cycles" : "", "logp",
		      json_pack("{s:f, s:f, s:f, s:f}", c ? "L_cycles" : "L_s", p->L,
				c ? "o_s_cycles" : "o_s_s", p->o_s, c ? "o_r_cycles" : "o_r_s",
				p->o_r, c ? "g_cycles" : "g_s", p->g));
	return ST_OK;
}

int logp_parse_time(const char *option, const char *text, bool cycles, double *t)
{
	bool plain = !scan_real(text, t);

	if (plain && !cycles && *t > 0)
		return error_usage("value '%s' of '--%s' needs a unit of time, such as %sus", text,
				   option, text);
	if (!plain && (cycles || !parse_seconds(text, t)))
		return error_usage("value '%s' of '--%s' is not a time in %s", text, option,
				   cycles ? "cycles, like the times of '--logp'" : "seconds");
	if (!(*t >= 0))
		return error_usage("value '%s' of '--%s' is negative", text, option);
	return ST_OK;
}

/* ---- messages and broadcasts ---- */

static bool has_arity(enum tree_kind kind)
{
	return kind == TREE_KARY || kind == TREE_KNOMIAL;
}

uint32_t logp_arity(const struct model_request *a, const struct logp *p, enum tree_kind kind,
		    size_t i)
{
	double time;

	if (!has_arity(kind))
		return 0;
	return a->o->arities.n ? (uint32_t)a->o->arities.v[i] : logp_best_integer(p, kind, &time);
}

/*
 * Writes the rows of broadcasts to P processors along trees of one kind, one row for each requested
 * arity.
 */
static void put_broadcasts(struct model_request *a, enum tree_kind kind, uint64_t P)
{
	size_t n = has_arity(kind) && a->o->arities.n ? a->o->arities.n : 1;
	struct logp p = a->logp;

	p.P = (uint32_t)P;
	for (size_t i = 0; i < n && !a->err; i++) {
		uint32_t k = logp_arity(a, &p, kind, i);
		double time = logp_broadcast(&p, kind, k);
		struct logp_bounds bounds = logp_bounds(&p, kind, k);
		bool holds = !(bounds.lecture < time * (1 - 1e-12));

		if (time < 0)
			a->err = error_report("no memory for a schedule");
		FORM_ROW(a, val_text("broadcast"), val_text(tree_names[kind]), val_uint(P),
			 form_count(k), FORM_NONE, val_real(time),
			 val_real(bounds.closed), val_real(bounds.lecture),
			 val_text(holds ? "" : "lecture: no bound"));
	}
}

static void put_messages(struct model_request *a, const char *pattern, uint64_t messages,
			 double time)
{
	FORM_ROW(a, val_text(pattern), FORM_NONE, val_uint(2), FORM_NONE, val_uint(messages),
		 val_real(time), FORM_NONE, FORM_NONE, val_text(""));
}

static void put_patterns(struct model_request *a)
{
	const uint64_t n = a->o->messages;
	double one_way = logp_one_way(&a->logp);

	put_messages(a, "one-way", 1, one_way);
	put_messages(a, "stream", n, loggp_stream(&a->loggp, 1, n));
	put_messages(a, "ping-pong", 1, 2 * one_way);
	for (size_t i = 0; i < a->processors.n; i++)
		for (enum tree_kind kind = 0; tree_names[kind]; kind++)
			put_broadcasts(a, kind, a->processors.v[i]);
}

/*
 * Adds to the summary and the footer the best k of k-ary and k-nomial trees, and the number of
 * messages that may be in flight. If P is a single number, also adds the best whole k.
 */
static void summarise_trees(struct model_request *a)
{
	const struct logp *p = &a->logp;
	uint64_t capacity = logp_capacity(p);
	double kary = logp_best_kary(p), knomial = logp_best_knomial(p), time[2];
	json_t *summary = a->rec.summary;

	text_add(&a->footer, "\nbest k: with the lecture's cost of a level, A + (k-1) m: %s;\n  "
		 "with the exact cost for a k-nomial tree, A + (k-2) m: %s",
		 plain(kary, 4).s, isfinite(knomial) ? plain(knomial, 4).s : "none");
	json_object_set_new(summary, "best_k_kary", json_real(kary));
	if (isfinite(knomial))
		json_object_set_new(summary, "best_k_knomial", json_real(knomial));
	if (p->P) {
		uint32_t k[2] = { logp_best_integer(p, TREE_KARY, &time[0]),
				  logp_best_integer(p, TREE_KNOMIAL, &time[1]) };

		json_object_set_new(summary, "best_integer_k_kary", json_integer(k[0]));
		json_object_set_new(summary, "best_integer_k_knomial", json_integer(k[1]));
		text_add(&a->footer, ";\n  best whole numbers: %u-ary (%s) and %u-nomial "
			 "(%s)", k[0],
			 scaled_time(time[0], a->cycles).s, k[1],
			 scaled_time(time[1], a->cycles).s);
	}
	if (capacity || p->g > 0) {
		json_object_set_new(summary, "capacity_messages",
				    json_integer((json_int_t)capacity));
		text_add(&a->footer, "\nat most ceil(L/g) = %llu message%s in flight from or to a "
			 "processor", (unsigned long long)capacity, capacity == 1 ? "" : "s");
	} else {
		text_add(&a->footer, "\ng = 0 sets no limit to the messages in flight");
	}
}

static int plan_patterns(struct model_request *a)
{
	int err = logp_read_parameters(a, true);

	if (err)
		return err;
	if (settings_given(a->st, "algorithm") && !settings_given(a->st, "schedule"))
		return error_usage("option '--algorithm' is only for '--schedule'");
	if (a->processors.n * (4 + 2 * a->o->arities.n) > FORM_ROWS_MOST)
		return error_usage("'--logp' and '--arity' ask for more than %d rows",
				   FORM_ROWS_MOST);
	summarise_trees(a);
	return ST_OK;
}

const struct form logp_form = {
	FORM_BY("logp", NULL, NULL, "logp algorithm arity messages"), "model.logp.v1",
	FORM_COLUMNS(COL_PATTERN, COL_ALGORITHM, COL_RANKS, COL_ARITY, COL_MESSAGES,
		     COL_MODEL_TIME, COL_UPPER, COL_LECTURE, COL_REMARK),
	FORM_SPARE(COL_REMARK, COL_MESSAGES, COL_UPPER), FORM_HEADS(9, [2] = "P"),
	.plan = plan_patterns, .put_rows = put_patterns
};

/* ---- reach ---- */

/*
 * Returns, in ascending order, the times up to `upto` at which a broadcast reaches processors: 0,
 * and i m + j A with j > 0. Times that differ only by rounding appear once. Returns NULL if there
 * were FORM_ROWS_MOST times or more. The caller frees the list.
 */
static double *reach_times(const struct logp *p, double upto, size_t *n)
{
	double A = logp_one_way(p), m = logp_interval(p), slack = upto * 1e-12,
	       *t = memory_new(FORM_ROWS_MOST, sizeof(*t));
	size_t all = 0, kept = 0;

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

static void put_reach(struct model_request *a)
{
	for (size_t i = 0; i < a->n; i++) {
		double t = ((const double *)a->rows)[i], after = t * (1 + 1e-12);
		struct logp_range exact = logp_reach_bounds(&a->logp, after),
				  lecture = logp_reach_lecture(&a->logp, after);

		FORM_ROW(a, val_real(t), val_uint((uint64_t)logp_reach(&a->logp, after)),
			 val_real(exact.least), val_real(exact.most), val_real(lecture.least),
			 val_real(lecture.most));
	}
}

static int plan_reach(struct model_request *a)
{
	const struct logp *p = &a->logp;
	const char *reach = a->o->reach;
	double upto;
	int err = logp_read_parameters(a, false);

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
	text_add(&a->title, ", processors reached by a broadcast");
	text_add(&a->footer,
		 "\nlecture: bounds 2^floor(t/(L+2o)) and 2^floor(t/o), for g <= o%s",
		 logp_interval(p) > logp_one_way(p)
			 ? "; the former is no bound here: g > L + 2o" : "");
	return ST_OK;
}

const struct form logp_reach_form = {
	FORM_BY("logp", NULL, "reach", "logp reach"), "model.logp-reach.v1",
	FORM_COLUMNS(COL_AFTER, COL_PROCESSORS, COL_LEAST, COL_MOST, COL_LECTURE_LEAST,
		     COL_LECTURE_MOST),
	.plan = plan_reach, .put_rows = put_reach
};

/* ---- against a result ---- */

static int plan_against(struct model_request *a)
{
	int err = logp_read_parameters(a, false);

	if (!err && a->cycles)
		return error_usage(
			"'--against' needs times with units, such as L=6us, but '--logp' has "
			"cycles");
	text_add(&a->title, " against a result");
	return err;
}

const struct form logp_against_form = {
	FORM_BY("logp", NULL, "against", "logp against"), "model.logp-against.v1",
	.plan = plan_against, FORM_AGAINST(predict_loggp, loggp)
};
