/* SPDX-License-Identifier: Apache-2.0 */
/* LogP: what short messages, broadcasts of one, and FFTs take, and how far a broadcast gets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "base/sort.h"
#include "model/loggp.h"
#include "model/logp.h"
#include "base/values.h"

/* Rows of --reach; more are no table that anyone reads. */
#define REACH_ROWS 100000

/* Above it processors cannot be counted exactly. */
#define COUNTABLE 0x1p53

/* What a report is of. */
struct logp_report {
	const struct settings *st;
	const struct model_options *o;
	struct logp p;
	bool seconds;
	double upto;			/* --reach */
	struct logp_fft fft;
};

/* The parameters of --logp, which may have to say how many processors there are. */
static int parse(const struct settings *st, struct logp_report *job, bool processors)
{
	int err;

	*job = (struct logp_report){ .st = st, .o = st->own };
	err = logp_parse(job->o->logp, &job->p, &job->seconds);
	if (!err && processors && !job->p.P)
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
	json_t *of = json_pack("{s:f, s:f, s:f, s:f}", s ? "L_s" : "L_cycles", p->L, s ? "o_s_s" : "o_s_cycles", p->o_s,
			       s ? "o_r_s" : "o_r_cycles", p->o_r, s ? "g_s" : "g_cycles", p->g);

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
	snprintf(title, len, "netbench %s model: LogP L=%s %s g=%s%s%s%s", NETBENCH_VERSION, t[0], o, t[3],
		 seconds ? "" : " cycles", ranks, of);
}

/* ---- messages and broadcasts ---- */

struct line {
	const char *pattern, *algorithm;
	uint64_t messages;		/* 0: none is told */
	uint32_t k;			/* 0: none is told */
	double time, bound;		/* NaN: none is known */
};

static int put_line(struct report *r, const struct record *rec, const struct line *l, bool seconds)
{
	struct row row = { 0 };

	row_set(&row, rec, COL_PATTERN, val_text(l->pattern));
	if (l->algorithm)
		row_set(&row, rec, COL_ALGORITHM, val_text(l->algorithm));
	if (l->k)
		row_set(&row, rec, COL_ARITY, val_uint(l->k));
	if (l->messages)
		row_set(&row, rec, COL_MESSAGES, val_uint(l->messages));
	row_set(&row, rec, timed(COL_MODEL_TIME, seconds), val_real(l->time));
	row_set(&row, rec, timed(COL_UPPER, seconds), val_real(l->bound));
	return report_row(r, rec, &row);
}

uint32_t model_arity(const struct settings *st, const struct logp *p, enum tree_kind kind)
{
	const struct model_options *o = st->own;
	double time;

	if (kind != TREE_KARY && kind != TREE_KNOMIAL)
		return 0;
	return o->arity != OPT_AUTO ? (uint32_t)o->arity : logp_best_integer(p, kind, &time);
}

static int put_broadcasts(struct report *r, const struct record *rec, const struct logp_report *job)
{
	int err = ST_OK;

	for (int kind = 0; tree_names[kind] && !err; kind++) {
		uint32_t k = model_arity(job->st, &job->p, (enum tree_kind)kind);
		struct line l = { "broadcast", tree_names[kind], 0, k,
				  logp_broadcast(&job->p, (enum tree_kind)kind, k),
				  logp_bound(&job->p, (enum tree_kind)kind, k) };

		if (l.time < 0)
			return error_report("no memory for a schedule");
		err = put_line(r, rec, &l, job->seconds);
	}
	return err;
}

static int times(struct report *r, const struct record *rec, const void *arg)
{
	const struct logp_report *job = arg;
	double A = logp_one_way(&job->p), n = (double)job->o->messages;
	const struct line points[] = {
		{ "one-way", NULL, 1, 0, A, NAN },
		{ "stream", NULL, job->o->messages, 0, logp_stream(&job->p, n), NAN },
		{ "ping-pong", NULL, 1, 0, 2 * A, NAN },
	};
	int err = ST_OK;

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]) && !err; i++)
		err = put_line(r, rec, &points[i], job->seconds);
	return err ? err : put_broadcasts(r, rec, job);
}

/* What is no time: the best k, and how many messages may be under way. */
static void conclude(struct record *rec, const struct logp_report *job, char *footer, size_t len)
{
	uint64_t capacity = logp_capacity(&job->p);
	double best[2] = { logp_best_kary(&job->p), logp_best_knomial(&job->p) }, time[2];
	uint32_t k[2] = { logp_best_integer(&job->p, TREE_KARY, &time[0]),
			  logp_best_integer(&job->p, TREE_KNOMIAL, &time[1]) };
	char t[2][32], nomial[32] = "none", under_way[96] = "g = 0 sets no limit to the messages under way";

	rec->summary = json_pack("{s:f, s:I, s:I}", "best_k_kary", best[0], "best_integer_k_kary", (json_int_t)k[0],
				 "best_integer_k_knomial", (json_int_t)k[1]);
	if (isfinite(best[1])) {
		json_object_set_new(rec->summary, "best_k_knomial", json_real(best[1]));
		snprintf(nomial, sizeof(nomial), "%.4g", best[1]);
	}
	if (capacity || job->p.g > 0) {
		json_object_set_new(rec->summary, "capacity_messages", json_integer((json_int_t)capacity));
		snprintf(under_way, sizeof(under_way),
			 "at most ceil(L/g) = %llu message%s from or to a processor under way",
			 (unsigned long long)capacity, capacity == 1 ? "" : "s");
	}
	snprintf(footer, len,
		 "\nbest k: by the cost of a level of a k-ary tree %.4g, of a k-nomial tree %s;\n"
		 "  of whole numbers %u-ary (%s) and %u-nomial (%s)\n%s",
		 best[0], nomial, k[0], model_format_time(t[0], sizeof(t[0]), time[0], job->seconds), k[1],
		 model_format_time(t[1], sizeof(t[1]), time[1], job->seconds), under_way);
	rec->footer = footer;
}

static int report_times(const struct settings *st)
{
	struct logp_report job;
	int err = parse(st, &job, true);
	const enum column_id cols[] = { COL_PATTERN, COL_ALGORITHM, COL_ARITY, COL_MESSAGES,
					timed(COL_MODEL_TIME, job.seconds), timed(COL_UPPER, job.seconds) };
	char title[256], footer[512];
	struct record rec = { .computed = true, .definition = "model.logp.v1", .title = title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };

	if (!err && settings_given(st, "algorithm") && !settings_given(st, "schedule"))
		err = error_usage("option '--algorithm' goes with '--schedule'");
	if (err)
		return err;
	model_logp_title(title, sizeof(title), &job.p, job.seconds, "");
	rec.environment = model_logp_environment(&job.p, job.seconds);
	conclude(&rec, &job, footer, sizeof(footer));
	return model_write(st, &rec, times, &job);
}

/* ---- reach ---- */

/*
 * The times up to `upto` at which processors are reached, i m + j A with j > 0, rising, and 0; for free(). Those that
 * differ by no more than rounding are one. NULL, with *n as it would be, if there are more than REACH_ROWS or no
 * memory.
 */
static double *reach_times(const struct logp *p, double upto, size_t *n)
{
	double A = logp_one_way(p), m = logp_interval(p), slack = upto * 1e-12, *t = malloc(REACH_ROWS * sizeof(*t));
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

static int reach(struct report *r, const struct record *rec, const void *arg)
{
	const struct logp_report *job = arg;
	size_t n;
	double *t = reach_times(&job->p, job->upto, &n);
	int err = t ? ST_OK : error_report("no memory for a table");

	for (size_t i = 0; i < n && !err; i++) {
		struct row row = { 0 };

		row_set(&row, rec, timed(COL_AFTER, job->seconds), val_real(t[i]));
		row_set(&row, rec, COL_PROCESSORS, val_uint((uint64_t)logp_reach(&job->p, t[i] * (1 + 1e-12))));
		err = report_row(r, rec, &row);
	}
	free(t);
	return err;
}

/* The time of --reach, in the unit of the parameters. */
static int parse_reach(struct logp_report *job)
{
	double A = logp_one_way(&job->p), *t;
	bool plain = !scan_real(job->o->reach, &job->upto);
	size_t n;

	if (plain && job->seconds && job->upto > 0)
		return error_usage("value '%s' of '--reach' needs a unit, as the times of '--logp' have",
				   job->o->reach);
	if (!plain && (!job->seconds || !parse_seconds(job->o->reach, &job->upto)))
		return error_usage("value '%s' of '--reach' is not a time in %s", job->o->reach,
				   job->seconds ? "seconds" : "cycles, as the times of '--logp' are");
	if (!(job->upto >= 0))
		return error_usage("value '%s' of '--reach' is negative", job->o->reach);
	if (!(A > 0))
		return error_usage("logp: L and o are 0: a message would reach everyone at once");
	t = reach_times(&job->p, job->upto, &n);
	free(t);
	if (!t || !(logp_reach(&job->p, job->upto) < COUNTABLE))
		return error_usage("value '%s' of '--reach' is too large: more processors or times than can be listed",
				   job->o->reach);
	return ST_OK;
}

static int report_reach(const struct settings *st)
{
	struct logp_report job;
	int err = parse(st, &job, false);
	const enum column_id cols[] = { timed(COL_AFTER, job.seconds), COL_PROCESSORS };
	char title[256];
	struct record rec = { .computed = true, .definition = "model.logp-reach.v1", .title = title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };

	err = err ? err : parse_reach(&job);
	if (err)
		return err;
	model_logp_title(title, sizeof(title), &job.p, job.seconds, ", processors reached by a broadcast");
	rec.environment = model_logp_environment(&job.p, job.seconds);
	return model_write(st, &rec, reach, &job);
}

/* ---- FFT ---- */

static int put_layout(struct report *r, const struct record *rec, const struct logp_report *job, const char *layout,
		      double time, double remaps)
{
	const struct logp_fft *f = &job->fft;
	char remark[128];
	struct row row = { 0 };
	bool best = !(f->hybrid < f->block) ? time <= f->block : time <= f->hybrid;

	snprintf(remark, sizeof(remark), "%s%s%s", best ? "fastest" : "", best && f->lower_bound ? ", " : "",
		 f->lower_bound ? "lower bound: g <= 2o" : "");
	if (isnan(time))
		snprintf(remark, sizeof(remark), "n/a: one remap is not enough, n/P < P");
	row_set(&row, rec, COL_LAYOUT, val_text(layout));
	row_set(&row, rec, timed(COL_MODEL_TIME, job->seconds), val_real(time));
	row_set(&row, rec, COL_BUTTERFLIES, val_uint((uint64_t)f->compute));
	if (isfinite(remaps))
		row_set(&row, rec, COL_REMAPS, val_uint((uint64_t)remaps));
	row_set(&row, rec, COL_REMARK, val_text(remark));
	return report_row(r, rec, &row);
}

static int layouts(struct report *r, const struct record *rec, const void *arg)
{
	const struct logp_report *job = arg;
	int err = put_layout(r, rec, job, "block", job->fft.block, 0);

	err = err ? err : put_layout(r, rec, job, "cyclic", job->fft.block, 0);
	return err ? err : put_layout(r, rec, job, "hybrid", job->fft.hybrid, job->fft.remaps);
}

int model_check_fft(uint64_t n, uint64_t P)
{
	if (n & (n - 1))
		return error_usage("value '%llu' of '--fft' is not a power of two", (unsigned long long)n);
	if (P & (P - 1))
		return error_usage("'--fft' needs a number of processors that is a power of two, not P=%llu",
				   (unsigned long long)P);
	if (P > n)
		return error_usage("'--fft' of %llu points has none for some of P=%llu processors",
				   (unsigned long long)n, (unsigned long long)P);
	return ST_OK;
}

static int report_fft(const struct settings *st)
{
	struct logp_report job;
	int err = parse(st, &job, true);
	const enum column_id cols[] = { COL_LAYOUT, timed(COL_MODEL_TIME, job.seconds), COL_BUTTERFLIES, COL_REMAPS,
					COL_REMARK };
	char title[256], of[64], footer[256], t[2][32];
	struct record rec = { .computed = true, .definition = "model.logp-fft.v1", .title = title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]), .footer = footer };
	const char *winner;

	err = err ? err : model_check_fft(job.o->fft, job.p.P);
	if (err)
		return err;
	job.fft = logp_fft(&job.p, (double)job.o->fft);
	winner = job.fft.hybrid < job.fft.block ? "hybrid" : "block or cyclic";
	snprintf(of, sizeof(of), ", FFT of %llu points", (unsigned long long)job.o->fft);
	model_logp_title(title, sizeof(title), &job.p, job.seconds, of);
	snprintf(footer, sizeof(footer), "\nfastest: %s   (communication: block and cyclic %s, hybrid %s)", winner,
		 model_format_time(t[0], sizeof(t[0]), job.fft.block, job.seconds),
		 isnan(job.fft.hybrid) ? "n/a"
					: model_format_time(t[1], sizeof(t[1]), job.fft.hybrid, job.seconds));
	rec.environment = model_logp_environment(&job.p, job.seconds);
	rec.summary = json_pack("{s:s}", "fastest_layout", winner);
	return model_write(st, &rec, layouts, &job);
}

/* ---- against a result ---- */

static int report_against(const struct settings *st)
{
	struct logp_report job;
	struct loggp p;
	char title[256];
	struct record rec = { .computed = true, .definition = "model.logp-against.v1", .title = title };
	int err = parse(st, &job, false);

	if (err)
		return err;
	if (!job.seconds)
		return error_usage("'--against' needs times with units, such as L=6us; '--logp' has cycles");
	p = (struct loggp){ job.p.L, job.p.o_s, job.p.o_r, job.p.g, 0 };
	model_logp_title(title, sizeof(title), &job.p, job.seconds, " against a result");
	rec.environment = model_logp_environment(&job.p, job.seconds);
	return model_against(st, &rec, predict_loggp, &p);
}

static int report_schedule(const struct settings *st)
{
	struct logp_report job;
	int err = parse(st, &job, true);

	if (err || !job.o->schedule)
		return err ? err : report_times(st);
	err = settings_exclude(st, "schedule", "messages");
	return err ? err : model_schedule(st, &job.p, job.seconds);
}

#define MODE(with_option, its_bit, how)                                                            \
	{ .by = { "logp", .with = (with_option), .bit = (its_bit) }, .run = (how) }

const struct mode model_logp = MODE(NULL, MODEL_LOGP, report_times);
const struct mode model_logp_schedule = MODE("schedule", MODEL_LOGP_SCHEDULE, report_schedule);
const struct mode model_logp_reach = MODE("reach", MODEL_LOGP_REACH, report_reach);
const struct mode model_logp_fft = MODE("fft", MODEL_LOGP_FFT, report_fft);
const struct mode model_logp_against = MODE("against", MODEL_LOGP_AGAINST, report_against);
