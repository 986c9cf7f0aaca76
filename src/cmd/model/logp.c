/* SPDX-License-Identifier: Apache-2.0 */
/* LogP: what short messages, broadcasts of one, and FFTs take, and how far a broadcast gets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "base/sort.h"
#include "model/loggp.h"
#include "model/logp.h"
#include "base/values.h"

/* Rows of --reach at most. */
#define REACH_ROWS 100000

/* Above it processors cannot be counted exactly. */
#define COUNTABLE 0x1p53

struct line {
	const char *pattern, *algorithm;
	uint64_t messages;		/* 0: no cell */
	uint32_t k;			/* 0: no cell */
	double time, bound;		/* NaN: not known */
};

struct logp_report {
	const struct settings *st;
	const struct model_options *o;
	struct logp p;
	bool seconds;
	struct line lines[16];		/* of messages and broadcasts */
	size_t nlines;
	double upto, *reached;		/* --reach, and the times up to it */
	size_t nreached;
	struct logp_fft fft;
};

/* The parameters of --logp, which may have to say how many processors there are. */
static int parse(const struct settings *st, struct logp_report *r, bool processors)
{
	int err;

	*r = (struct logp_report){ .st = st, .o = st->own };
	err = logp_parse(r->o->logp, &r->p, &r->seconds);
	if (!err && processors && !r->p.P)
		err = error_usage("logp: field 'P' is missing");
	return err;
}

/* A column of times, in seconds or cycles. */
static enum column_id timed(enum column_id seconds, bool is_seconds)
{
	return is_seconds ? seconds : seconds + 1;
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
	if (l->algorithm)
		row_set(row, rec, COL_ALGORITHM, val_text(l->algorithm));
	if (l->k)
		row_set(row, rec, COL_ARITY, val_uint(l->k));
	if (l->messages)
		row_set(row, rec, COL_MESSAGES, val_uint(l->messages));
	row_set(row, rec, timed(COL_MODEL_TIME, r->seconds), val_real(l->time));
	row_set(row, rec, timed(COL_UPPER, r->seconds), val_real(l->bound));
}

uint32_t model_arity(const struct settings *st, const struct logp *p, enum tree_kind kind)
{
	const struct model_options *o = st->own;
	double time;

	if (kind != TREE_KARY && kind != TREE_KNOMIAL)
		return 0;
	return o->arity != OPT_AUTO ? (uint32_t)o->arity : logp_best_integer(p, kind, &time);
}

static int make_lines(struct logp_report *r)
{
	double A = logp_one_way(&r->p), stream = logp_stream(&r->p, (double)r->o->messages);

	r->lines[r->nlines++] = (struct line){ "one-way", NULL, 1, 0, A, NAN };
	r->lines[r->nlines++] = (struct line){ "stream", NULL, r->o->messages, 0, stream, NAN };
	r->lines[r->nlines++] = (struct line){ "ping-pong", NULL, 1, 0, 2 * A, NAN };
	for (enum tree_kind kind = 0; tree_names[kind]; kind++) {
		uint32_t k = model_arity(r->st, &r->p, kind);
		double time = logp_broadcast(&r->p, kind, k), bound = logp_bound(&r->p, kind, k);

		if (time < 0)
			return error_report("no memory for a schedule");
		r->lines[r->nlines++] =
			(struct line){ "broadcast", tree_names[kind], 0, k, time, bound };
	}
	return ST_OK;
}

/* The best k, and how many messages may be under way. */
static void conclude(struct record *rec, const struct logp_report *r, char *footer, size_t len)
{
	uint64_t capacity = logp_capacity(&r->p);
	double best[2] = { logp_best_kary(&r->p), logp_best_knomial(&r->p) }, time[2];
	uint32_t k[2] = { logp_best_integer(&r->p, TREE_KARY, &time[0]),
			  logp_best_integer(&r->p, TREE_KNOMIAL, &time[1]) };
	char t[2][32], nomial[32] = "none",
		       under_way[96] = "g = 0 sets no limit to the messages under way";

	rec->summary = json_pack("{s:f, s:I, s:I}", "best_k_kary", best[0], "best_integer_k_kary",
				 (json_int_t)k[0], "best_integer_k_knomial", (json_int_t)k[1]);
	if (isfinite(best[1])) {
		json_object_set_new(rec->summary, "best_k_knomial", json_real(best[1]));
		snprintf(nomial, sizeof(nomial), "%.4g", best[1]);
	}
	if (capacity || r->p.g > 0) {
		json_object_set_new(rec->summary, "capacity_messages",
				    json_integer((json_int_t)capacity));
		snprintf(under_way, sizeof(under_way),
			 "at most ceil(L/g) = %llu message%s from or to a processor under way",
			 (unsigned long long)capacity, capacity == 1 ? "" : "s");
	}
	snprintf(footer, len,
		 "\nbest k: by the cost of a level of a k-ary tree %.4g, of a k-nomial tree %s;\n"
		 "  of whole numbers %u-ary (%s) and %u-nomial (%s)\n%s",
		 best[0], nomial, k[0], model_format_time(t[0], sizeof(t[0]), time[0], r->seconds),
		 k[1], model_format_time(t[1], sizeof(t[1]), time[1], r->seconds), under_way);
	rec->footer = footer;
}

static int report_times(const struct settings *st)
{
	struct logp_report r;
	int err = parse(st, &r, true);
	const enum column_id cols[] = { COL_PATTERN, COL_ALGORITHM, COL_ARITY, COL_MESSAGES,
					timed(COL_MODEL_TIME, r.seconds), timed(COL_UPPER,
						r.seconds) };
	char title[256], footer[512];
	struct record rec = MODEL_RECORD("model.logp.v1", title, cols);

	if (!err && settings_given(st, "algorithm") && !settings_given(st, "schedule"))
		err = error_usage("option '--algorithm' goes with '--schedule'");
	err = err ? err : make_lines(&r);
	if (err)
		return err;
	model_logp_title(title, sizeof(title), &r.p, r.seconds, "");
	rec.environment = model_logp_environment(&r.p, r.seconds);
	conclude(&rec, &r, footer, sizeof(footer));
	return model_write(st, &rec, r.nlines, fill_line, &r);
}

/* ---- reach ---- */

/*
 * The times up to `upto` at which processors are reached, i m + j A with j > 0, rising, and 0; for
 * free(). Those that differ by no more than rounding are one. NULL if they are REACH_ROWS or more,
 * or without memory.
 */
static double *reach_times(const struct logp *p, double upto, size_t *n)
{
	double A = logp_one_way(p), m = logp_interval(p), slack = upto * 1e-12,
	       *t = malloc(REACH_ROWS * sizeof(*t));
	size_t kept = 0;

	*n = 0;
	if (t)
		t[(*n)++] = 0;
	for (double j = 1; t && j * A <= upto + slack && *n < REACH_ROWS; j++)
		for (double i = 0; i * m + j * A <= upto + slack && *n < REACH_ROWS; i++)
			t[(*n)++] = i * m + j * A;
	if (!t || *n == REACH_ROWS) {
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
	double t = r->reached[i];

	row_set(row, rec, timed(COL_AFTER, r->seconds), val_real(t));
	row_set(row, rec, COL_PROCESSORS, val_uint((uint64_t)logp_reach(&r->p, t * (1 + 1e-12))));
}

/* The time of --reach, in the unit of the parameters, and the times up to it. */
static int parse_reach(struct logp_report *r)
{
	const char *reach = r->o->reach;
	bool plain = !scan_real(reach, &r->upto);

	if (plain && r->seconds && r->upto > 0)
		return error_usage(
			"value '%s' of '--reach' needs a unit, as the times of '--logp' have",
			reach);
	if (!plain && (!r->seconds || !parse_seconds(reach, &r->upto)))
		return error_usage("value '%s' of '--reach' is not a time in %s", reach,
				   r->seconds ? "seconds" : "cycles, as the times of '--logp' are");
	if (!(r->upto >= 0))
		return error_usage("value '%s' of '--reach' is negative", reach);
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
	const enum column_id cols[] = { timed(COL_AFTER, r.seconds), COL_PROCESSORS };
	char title[256];
	struct record rec = MODEL_RECORD("model.logp-reach.v1", title, cols);

	err = err ? err : parse_reach(&r);
	if (!err) {
		model_logp_title(title, sizeof(title), &r.p, r.seconds,
				 ", processors reached by a broadcast");
		rec.environment = model_logp_environment(&r.p, r.seconds);
		err = model_write(st, &rec, r.nreached, fill_reached, &r);
	}
	free(r.reached);
	return err;
}

/* ---- FFT ---- */

static void fill_layout(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	static const char *const names[] = { "block", "cyclic", "hybrid" };
	static const char *const remarks[2][2] = {
		/* by whether it is a bound, and the fastest */
		{ "", "fastest" },
		{ "lower bound: g <= 2o", "fastest, lower bound: g <= 2o" },
	};
	const struct logp_report *r = arg;
	const struct logp_fft *f = &r->fft;
	bool hybrid = i == 2;
	double time = hybrid ? f->hybrid : f->block, remaps = hybrid ? f->remaps : 0;
	bool best = time <= (f->hybrid < f->block ? f->hybrid : f->block);

	row_set(row, rec, COL_LAYOUT, val_text(names[i]));
	row_set(row, rec, timed(COL_MODEL_TIME, r->seconds), val_real(time));
	row_set(row, rec, COL_BUTTERFLIES, val_uint((uint64_t)f->compute));
	if (isfinite(remaps))
		row_set(row, rec, COL_REMAPS, val_uint((uint64_t)remaps));
	row_set(row, rec, COL_REMARK, val_text(isnan(time) ? "n/a: one remap is not enough, n/P < P"
					       : remarks[f->lower_bound][best]));
}

int model_check_fft(uint64_t n, uint64_t P)
{
	if (n & (n - 1))
		return error_usage("value '%llu' of '--fft' is not a power of two",
				   (unsigned long long)n);
	if (P & (P - 1))
		return error_usage(
			"'--fft' needs a number of processors that is a power of two, not P=%llu",
			(unsigned long long)P);
	if (P > n)
		return error_usage("'--fft' of %llu points has none for some of P=%llu processors",
				   (unsigned long long)n, (unsigned long long)P);
	return ST_OK;
}

static int report_fft(const struct settings *st)
{
	struct logp_report r;
	int err = parse(st, &r, true);
	const enum column_id cols[] = { COL_LAYOUT, timed(COL_MODEL_TIME, r.seconds),
					COL_BUTTERFLIES, COL_REMAPS, COL_REMARK };
	char title[256], of[64], footer[256], t[2][32];
	struct record rec = MODEL_RECORD("model.logp-fft.v1", title, cols);
	const char *winner;

	err = err ? err : model_check_fft(r.o->fft, r.p.P);
	if (err)
		return err;
	r.fft = logp_fft(&r.p, (double)r.o->fft);
	winner = r.fft.hybrid < r.fft.block ? "hybrid" : "block or cyclic";
	snprintf(of, sizeof(of), ", FFT of %llu points", (unsigned long long)r.o->fft);
	model_logp_title(title, sizeof(title), &r.p, r.seconds, of);
	model_format_time(t[0], sizeof(t[0]), r.fft.block, r.seconds);
	model_format_time(t[1], sizeof(t[1]), r.fft.hybrid, r.seconds);
	snprintf(footer, sizeof(footer),
		 "\nfastest: %s   (communication: block and cyclic %s, hybrid %s)", winner, t[0],
		 isnan(r.fft.hybrid) ? "n/a" : t[1]);
	rec.footer = footer;
	rec.environment = model_logp_environment(&r.p, r.seconds);
	rec.summary = json_pack("{s:s}", "fastest_layout", winner);
	return model_write(st, &rec, 3, fill_layout, &r);
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
	if (err)
		return err;
	model_logp_title(title, sizeof(title), &r.p, r.seconds, " against a result");
	rec.environment = model_logp_environment(&r.p, r.seconds);
	return model_against(st, &rec, predict_loggp, &p);
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
	err = err ? err : settings_exclude(st, "schedule", "messages");
	if (err)
		return err;
	return message ? report_message(&r, back) : model_schedule(st, &r.p, r.seconds);
}

#define MODE(with_option, its_bit, how)                                                            \
	{ .by = { "logp", .with = (with_option), .bit = (its_bit) }, .run = (how) }

const struct mode model_logp = MODE(NULL, MODEL_LOGP, report_times);
const struct mode model_logp_schedule = MODE("schedule", MODEL_LOGP_SCHEDULE, report_schedule);
const struct mode model_logp_reach = MODE("reach", MODEL_LOGP_REACH, report_reach);
const struct mode model_logp_fft = MODE("fft", MODEL_LOGP_FFT, report_fft);
const struct mode model_logp_against = MODE("against", MODEL_LOGP_AGAINST, report_against);
