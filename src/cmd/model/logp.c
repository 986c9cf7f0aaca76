/* SPDX-License-Identifier: Apache-2.0 */
/* LogP: what short messages and broadcasts of one take, and how far a broadcast gets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/loggp.h"
#include "model/logp.h"
#include "base/values.h"

/* Above it processors cannot be counted exactly. */
#define COUNTABLE 0x1p53

struct line {
	const char *pattern, *algorithm;
	uint64_t messages;		/* 0: no cell */
	uint32_t P, k;			/* k: 0: no cell */
	double time, bound, lecture;	/* NaN: not known */
};

struct logp_report {
	const struct settings *st;
	const struct model_options *o;
	struct logp p;
	struct numbers processors;
	bool seconds;
	struct line *lines;		/* of messages and broadcasts */
	size_t nlines;
	double upto, *reached;		/* --reach, and the times up to it */
	size_t nreached;
};

int model_parse_logp(const struct settings *st, struct logp *p, struct numbers *processors,
		     bool *seconds, bool sweep)
{
	const struct model_options *o = st->own;
	int err = logp_parse(o->logp, p, processors, seconds);

	if (!err && sweep && !processors->n)
		err = error_usage("logp: field 'P' is missing");
	return err;
}

static int parse(const struct settings *st, struct logp_report *r, bool sweep)
{
	*r = (struct logp_report){ .st = st, .o = st->own };
	return model_parse_logp(st, &r->p, &r->processors, &r->seconds, sweep);
}

static void release(struct logp_report *r)
{
	free(r->processors.v);
	free(r->lines);
	free(r->reached);
}

int model_parse_time(const char *option, const char *text, bool seconds, double *t)
{
	bool plain = !scan_real(text, t);

	if (plain && seconds && *t > 0)
		return error_usage("value '%s' of '--%s' needs a unit of time, such as %sus", text,
				   option, text);
	if (!plain && (!seconds || !parse_seconds(text, t)))
		return error_usage("value '%s' of '--%s' is not a time in %s", text, option,
				   seconds ? "seconds" : "cycles, as the times of '--logp' are");
	if (!(*t >= 0))
		return error_usage("value '%s' of '--%s' is negative", text, option);
	return ST_OK;
}

enum column_id model_timed(enum column_id column, bool seconds)
{
	return seconds ? column : column + 1;
}

char *model_format_time(char *buf, size_t len, double t, bool seconds)
{
	if (seconds)
		return format_si(buf, len, t, "s");
	snprintf(buf, len, "%.10g", t);
	return buf;
}

/* ---- parameters ---- */

json_t *model_logp_environment(const struct logp *p, bool s)
{
	json_t *env = host_collect();
	json_t *of = json_pack("{s:f, s:f, s:f, s:f}", s ? "L_s" : "L_cycles", p->L,
			       s ? "o_s_s" : "o_s_cycles", p->o_s, s ? "o_r_s" : "o_r_cycles",
			       p->o_r, s ? "g_s" : "g_cycles", p->g);

	if (p->P)
		json_object_set_new(of, "P", json_integer(p->P));
	json_object_set_new(env, "logp", of);
	return env;
}

void model_logp_title(char *title, size_t len, const struct logp *p, bool seconds, const char *of)
{
	const double times[] = { p->L, p->o_s, p->o_r, p->g };
	char t[4][32], ranks[32] = "", o[72];

	for (int i = 0; i < 4; i++)
		model_format_time(t[i], sizeof(t[i]), times[i], seconds);
	snprintf(o, sizeof(o), "o=%s", t[1]);
	if (p->o_s < p->o_r || p->o_s > p->o_r)
		snprintf(o, sizeof(o), "o_s=%s o_r=%s", t[1], t[2]);
	if (p->P)
		snprintf(ranks, sizeof(ranks), " P=%u", p->P);
	snprintf(title, len, "netbench %s model: LogP L=%s %s g=%s%s%s%s", NETBENCH_VERSION, t[0],
		 o, t[3], seconds ? "" : " cycles", ranks, of);
}

/* ---- messages and broadcasts ---- */

static void fill_line(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct logp_report *r = arg;
	const struct line *l = &r->lines[i];

	row_set(row, rec, COL_PATTERN, val_text(l->pattern));
	row_set(row, rec, COL_RANKS, val_uint(l->P));
	if (l->algorithm)
		row_set(row, rec, COL_ALGORITHM, val_text(l->algorithm));
	if (l->k)
		row_set(row, rec, COL_ARITY, val_uint(l->k));
	if (l->messages)
		row_set(row, rec, COL_MESSAGES, val_uint(l->messages));
	row_set(row, rec, model_timed(COL_MODEL_TIME, r->seconds), val_real(l->time));
	row_set(row, rec, model_timed(COL_UPPER, r->seconds), val_real(l->bound));
	row_set(row, rec, model_timed(COL_LECTURE, r->seconds), val_real(l->lecture));
	row_set(row, rec, COL_REMARK,
		val_text(l->lecture < l->time * (1 - 1e-12) ? "lecture: no bound" : ""));
}

static bool has_arity(enum tree_kind kind)
{
	return kind == TREE_KARY || kind == TREE_KNOMIAL;
}

uint32_t model_arity(const struct settings *st, const struct logp *p, enum tree_kind kind,
		     size_t i)
{
	const struct model_options *o = st->own;
	double time;

	if (!has_arity(kind))
		return 0;
	return o->arities.n ? (uint32_t)o->arities.v[i] : logp_best_integer(p, kind, &time);
}

static int add_line(struct logp_report *r, struct line line)
{
	struct line *grown = list_grow(r->lines, r->nlines, sizeof(*grown));

	if (!grown)
		return error_report("no memory for a table");
	r->lines = grown;
	r->lines[r->nlines++] = line;
	return ST_OK;
}

static int add_messages(struct logp_report *r)
{
	const uint64_t n = r->o->messages;
	const struct line lines[] = {
		{ "one-way", NULL, 1, 2, 0, logp_one_way(&r->p), NAN, NAN },
		{ "stream", NULL, n, 2, 0, logp_stream(&r->p, (double)n), NAN, NAN },
		{ "ping-pong", NULL, 1, 2, 0, 2 * logp_one_way(&r->p), NAN, NAN },
	};
	int err = ST_OK;

	for (size_t i = 0; i < LENGTH(lines) && !err; i++)
		err = add_line(r, lines[i]);
	return err;
}

/* A broadcast to P processors along a tree, of each arity that is asked for. */
static int add_broadcasts(struct logp_report *r, enum tree_kind kind, uint64_t P)
{
	size_t n = has_arity(kind) && r->o->arities.n ? r->o->arities.n : 1;
	struct logp p = r->p;
	int err = ST_OK;

	p.P = (uint32_t)P;
	for (size_t i = 0; i < n && !err; i++) {
		uint32_t k = model_arity(r->st, &p, kind, i);
		double time = logp_broadcast(&p, kind, k);

		err = time < 0 ? error_report("no memory for a schedule")
			       : add_line(r, (struct line){ "broadcast", tree_names[kind], 0, p.P,
							    k, time, logp_bound(&p, kind, k),
							    logp_lecture_bound(&p, kind, k) });
	}
	return err;
}

static int make_lines(struct logp_report *r)
{
	int err = add_messages(r);

	if (r->processors.n * (4 + 2 * r->o->arities.n) > MODEL_ROWS_MOST)
		return error_usage("'--logp' and '--arity' ask for more than %d rows",
				   MODEL_ROWS_MOST);
	for (size_t i = 0; i < r->processors.n; i++)
		for (enum tree_kind kind = 0; tree_names[kind] && !err; kind++)
			err = add_broadcasts(r, kind, r->processors.v[i]);
	return err;
}

/* The best whole k for P, if that is one number. */
static void conclude_whole(struct record *rec, const struct logp_report *r, char *text, size_t len)
{
	char t[2][32];
	double time[2];
	uint32_t k[2];

	*text = '\0';
	if (!r->p.P)
		return;
	k[0] = logp_best_integer(&r->p, TREE_KARY, &time[0]);
	k[1] = logp_best_integer(&r->p, TREE_KNOMIAL, &time[1]);
	json_object_set_new(rec->summary, "best_integer_k_kary", json_integer(k[0]));
	json_object_set_new(rec->summary, "best_integer_k_knomial", json_integer(k[1]));
	snprintf(text, len, ";\n  of whole numbers %u-ary (%s) and %u-nomial (%s)", k[0],
		 model_format_time(t[0], sizeof(t[0]), time[0], r->seconds), k[1],
		 model_format_time(t[1], sizeof(t[1]), time[1], r->seconds));
}

/* The best k, and how many messages may be under way. */
static void conclude(struct record *rec, const struct logp_report *r, char *footer, size_t len)
{
	uint64_t capacity = logp_capacity(&r->p);
	double kary = logp_best_kary(&r->p), knomial = logp_best_knomial(&r->p);
	char nomial[32] = "none", whole[128],
	     under_way[96] = "g = 0 sets no limit to the messages under way";

	rec->summary = json_pack("{s:f}", "best_k_kary", kary);
	if (isfinite(knomial)) {
		json_object_set_new(rec->summary, "best_k_knomial", json_real(knomial));
		snprintf(nomial, sizeof(nomial), "%s", plain(knomial, 4).s);
	}
	conclude_whole(rec, r, whole, sizeof(whole));
	if (capacity || r->p.g > 0) {
		json_object_set_new(rec->summary, "capacity_messages",
				    json_integer((json_int_t)capacity));
		snprintf(under_way, sizeof(under_way),
			 "at most ceil(L/g) = %llu message%s from or to a processor under way",
			 (unsigned long long)capacity, capacity == 1 ? "" : "s");
	}
	snprintf(footer, len,
		 "\nbest k: by the lecture's cost of a level, A + (k-1) m, %s;\n"
		 "  by the exact one of a k-nomial tree, A + (k-2) m, %s%s\n%s",
		 plain(kary, 4).s, nomial, whole, under_way);
	rec->footer = footer;
}

static int report_times(const struct settings *st)
{
	struct logp_report r;
	int err = parse(st, &r, true);
	const enum column_id cols[] = { COL_PATTERN, COL_ALGORITHM, COL_RANKS, COL_ARITY,
					COL_MESSAGES, model_timed(COL_MODEL_TIME, r.seconds),
					model_timed(COL_UPPER, r.seconds),
					model_timed(COL_LECTURE, r.seconds), COL_REMARK };
	const char *const heads[LENGTH(cols)] = { [2] = "P" };
	const enum column_id spare[] = { COL_REMARK, COL_MESSAGES,
					 model_timed(COL_UPPER, r.seconds) };
	char title[256], footer[512];
	struct record rec = MODEL_RECORD("model.logp.v1", title, cols);

	if (!err && settings_given(st, "algorithm") && !settings_given(st, "schedule"))
		err = error_usage("option '--algorithm' goes with '--schedule'");
	err = err ? err : make_lines(&r);
	if (!err) {
		model_logp_title(title, sizeof(title), &r.p, r.seconds, "");
		rec.heads = heads;
		MODEL_SPARE(&rec, spare);
		rec.environment = model_logp_environment(&r.p, r.seconds);
		conclude(&rec, &r, footer, sizeof(footer));
		err = model_write(st, &rec, r.nlines, fill_line, &r);
	}
	release(&r);
	return err;
}

/* ---- reach ---- */

/*
 * The times up to `upto` at which processors are reached, i m + j A with j > 0, rising, and 0; for
 * free(). Those that differ by no more than rounding are one. NULL if they are MODEL_ROWS_MOST or
 * more, or without memory.
 */
static double *reach_times(const struct logp *p, double upto, size_t *n)
{
	double A = logp_one_way(p), m = logp_interval(p), slack = upto * 1e-12,
	       *t = malloc(MODEL_ROWS_MOST * sizeof(*t));
	size_t kept = 0;

	*n = 0;
	if (t)
		t[(*n)++] = 0;
	for (double j = 1; t && j * A <= upto + slack && *n < MODEL_ROWS_MOST; j++)
		for (double i = 0; i * m + j * A <= upto + slack && *n < MODEL_ROWS_MOST; i++)
			t[(*n)++] = i * m + j * A;
	if (!t || *n == MODEL_ROWS_MOST) {
		free(t);
		return NULL;
	}
	sort_doubles(t, *n);
	for (size_t i = 0; i < *n; i++)
		if (!i || t[i] > t[kept - 1] + slack)
			t[kept++] = t[i];
	*n = kept;
	return t;
}

static void fill_reached(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct logp_report *r = arg;
	double t = r->reached[i], after = t * (1 + 1e-12);
	struct logp_range exact = logp_reach_bounds(&r->p, after),
			  lecture = logp_reach_lecture(&r->p, after);

	row_set(row, rec, model_timed(COL_AFTER, r->seconds), val_real(t));
	row_set(row, rec, COL_PROCESSORS, val_uint((uint64_t)logp_reach(&r->p, after)));
	row_set(row, rec, COL_LEAST, val_real(exact.least));
	row_set(row, rec, COL_MOST, val_real(exact.most));
	row_set(row, rec, COL_LECTURE_LEAST, val_real(lecture.least));
	row_set(row, rec, COL_LECTURE_MOST, val_real(lecture.most));
}

/* The time of --reach, and the times up to it. */
static int parse_reach(struct logp_report *r)
{
	const char *reach = r->o->reach;
	int err = model_parse_time("reach", reach, r->seconds, &r->upto);

	if (err)
		return err;
	if (!(logp_one_way(&r->p) > 0))
		return error_usage("logp: L and o are 0: a message would reach everyone at once");
	r->reached = reach_times(&r->p, r->upto, &r->nreached);
	if (!r->reached || !(logp_reach(&r->p, r->upto) < COUNTABLE))
		return error_usage("value '%s' of '--reach' is too large: more processors or times "
				   "than can be listed", reach);
	return ST_OK;
}

static int report_reach(const struct settings *st)
{
	struct logp_report r;
	int err = parse(st, &r, false);
	const enum column_id cols[] = { model_timed(COL_AFTER, r.seconds), COL_PROCESSORS,
					COL_LEAST, COL_MOST, COL_LECTURE_LEAST, COL_LECTURE_MOST };
	char title[256], footer[256];
	struct record rec = MODEL_RECORD("model.logp-reach.v1", title, cols);

	err = err ? err : parse_reach(&r);
	if (!err) {
		model_logp_title(title, sizeof(title), &r.p, r.seconds,
				 ", processors reached by a broadcast");
		snprintf(footer, sizeof(footer),
			 "\nlecture: 2^floor(t/(L+2o)) and 2^floor(t/o), for g <= o%s",
			 logp_interval(&r.p) > logp_one_way(&r.p)
				 ? "; the former is no bound here: g > L + 2o" : "");
		rec.footer = footer;
		rec.environment = model_logp_environment(&r.p, r.seconds);
		err = model_write(st, &rec, r.nreached, fill_reached, &r);
	}
	release(&r);
	return err;
}

/* ---- against a result ---- */

static int report_against(const struct settings *st)
{
	struct logp_report r;
	int err = parse(st, &r, false);
	struct loggp p = { r.p.L, r.p.o_s, r.p.o_r, r.p.g, 0 };
	char title[256];
	struct record rec = { .computed = true,
			      .definition = "model.logp-against.v1",
			      .title = title };

	if (!err && !r.seconds)
		err = error_usage(
			"'--against' needs times with units, such as L=6us; '--logp' has cycles");
	if (!err) {
		model_logp_title(title, sizeof(title), &r.p, r.seconds, " against a result");
		rec.environment = model_logp_environment(&r.p, r.seconds);
		err = model_against(st, &rec, predict_loggp, &p);
	}
	release(&r);
	return err;
}

/* ---- schedules ---- */

static int report_message(struct logp_report *r, bool back)
{
	static const char *const places[] = { "P0", "P1" };
	struct stage stages[STAGES_MOST];
	char title[256];
	struct model_message m = { "model.logp-message.v1", title, NULL, places, 2, stages,
				   stages_logp(&r->p, back, stages), r->seconds };

	if (settings_given(r->st, "algorithm") || settings_given(r->st, "arity"))
		return error_usage("option '--%s' is for a broadcast, not for '--pattern %s'",
				   settings_given(r->st, "algorithm") ? "algorithm" : "arity",
				   back ? "ping-pong" : "one-way");
	model_logp_title(title, sizeof(title), &r->p, r->seconds,
			 back ? ", ping-pong" : ", one message");
	return model_put_message(r->st, &m, model_logp_environment(&r->p, r->seconds));
}

static int report_schedule(const struct settings *st)
{
	const struct model_options *o = st->own;
	const char *pattern = o->patterns.n ? model_patterns[o->patterns.v[0]] : "broadcast";
	bool back = !strcmp(pattern, "ping-pong"), message = back || !strcmp(pattern, "one-way");
	struct logp_report r;
	int err;

	if (!o->schedule)
		return o->patterns.n ? error_usage("option '--pattern' goes with '--schedule'")
				     : report_times(st);
	if (o->patterns.n > 1 || (!message && strcmp(pattern, "broadcast") != 0))
		return error_usage("'--schedule' is of one pattern: one-way, ping-pong or "
				   "broadcast");
	err = parse(st, &r, !message);
	if (!err && !message && (r.processors.n > 1 || o->arities.n > 1))
		err = error_usage("'--schedule' is of one broadcast: give '%s' one value",
				  r.processors.n > 1 ? "P" : "--arity");
	err = err ? err : settings_exclude(st, "schedule", "messages");
	if (!err)
		err = message ? report_message(&r, back) : model_schedule(st, &r.p, r.seconds);
	release(&r);
	return err;
}

#define MODE(with_option, its_bit, how)                                                            \
	{ .by = { "logp", .with = (with_option), .bit = (its_bit) }, .run = (how) }

const struct mode model_logp = MODE(NULL, MODEL_LOGP, report_times);
const struct mode model_logp_schedule = MODE("schedule", MODEL_LOGP_SCHEDULE, report_schedule);
const struct mode model_logp_reach = MODE("reach", MODEL_LOGP_REACH, report_reach);
const struct mode model_logp_against = MODE("against", MODEL_LOGP_AGAINST, report_against);
