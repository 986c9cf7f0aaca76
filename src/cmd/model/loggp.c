/* SPDX-License-Identifier: Apache-2.0 */
/* LogGP: what messages of any size take, between two ranks and among many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "model/parameters.h"
#include "model/atlas.h"
#include "model/collective.h"

static const uint64_t usual_sizes[] = { 1, 1024, 65536, 1048576 }, usual_points[] = { 16 };

/* What a report is of. */
struct loggp_report {
	const struct settings *st;
	const struct model_options *o;
	struct loggp p;
	struct loggp_pieces pieces;	/* the same by size, where --like has segments; for --against */
	uint64_t ranks;			/* 0: none were told */
	struct numbers sizes;
	char title[256];
};

/* What a row says. */
struct outcome {
	double time, frequency;		/* frequency: 0 if none is told */
	uint64_t ranks, messages, segment;	/* 0: none is told */
	const char *remark;
};

/* ---- two ranks ---- */

static void one_way(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->messages = 1;
	o->time = loggp_one_way(&job->p, k);
}

static void interval(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = fmax(loggp_send_interval(&job->p, k), loggp_recv_interval(&job->p, k));
	o->frequency = 1 / o->time;
}

static void stream(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->messages = job->o->messages;
	o->time = loggp_stream(&job->p, k, o->messages);
}

static void pingpong(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->messages = job->o->messages;
	o->time = loggp_pingpong(&job->p, k, o->messages);
}

static void exchange(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->messages = job->o->messages;
	o->time = loggp_exchange(&job->p, k, o->messages);
}

/* ---- all ranks ---- */

static void outfarming(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = atlas_outfarming(&job->p, k, job->ranks - 1);
}

static void funnel(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = atlas_funnel(&job->p, k, job->ranks - 1);
}

static void ring(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = collective_ring(&job->p, k, job->ranks);
}

static void alltoall(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = collective_alltoall(&job->p, k, job->ranks);
}

static void alltoall_nonblocking(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	bool network = job->p.g >= job->p.o_s + job->p.o_r;

	o->time = collective_alltoall_nonblocking(&job->p, k, job->ranks);
	o->remark = network ? "lower bound" : "estimate";
}

static void scatter(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = collective_scatter(&job->p, (double)k, (uint32_t)job->ranks);
}

/* ---- one message to all ---- */

static void binomial(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->time = collective_binomial(&job->p, k, (uint32_t)job->ranks);
}

/* --segment, but no more than there is to send; or the best. */
static uint64_t segment(const struct loggp_report *job, uint64_t k,
			uint64_t (*best)(const struct loggp *p, uint64_t k, uint64_t P))
{
	uint64_t most = k ? k : 1;

	if (job->o->segment == OPT_AUTO)
		return best(&job->p, k, job->ranks);
	return job->o->segment < most ? job->o->segment : most;
}

static void chain(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	o->segment = segment(job, k, collective_chain_segment);
	o->time = collective_chain(&job->p, k, o->segment, job->ranks);
	o->remark = k % o->segment ? "upper bound" : "";
}

static void binary(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	uint64_t full = job->ranks & (job->ranks + 1);
	bool same = !(job->p.o_s < job->p.o_r || job->p.o_s > job->p.o_r);

	o->segment = segment(job, k, collective_tree_segment);
	o->time = collective_tree(&job->p, k, o->segment, job->ranks);
	o->remark = full || k % o->segment || !same ? "upper bound" : "";
}

static void scatter_ring(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	bool exact = !(job->ranks & (job->ranks - 1)) && k % job->ranks == 0 && job->p.g <= loggp_one_way(&job->p, 1);

	o->segment = k ? (k - 1) / job->ranks + 1 : 0;
	o->time = collective_scatter_ring(&job->p, k, (uint32_t)job->ranks);
	o->remark = exact ? "" : "estimate";
}

/* ---- farms ---- */

/* Events a second; the supervisor is the one rank that is neither source nor destination. */
static void farm(const struct loggp_report *job, uint64_t k, struct outcome *o,
		 double (*rate)(const struct loggp *p, uint64_t k, uint64_t S, uint64_t D, double occupation))
{
	uint64_t D = job->o->destinations;

	if (job->ranks < D + 2) {
		o->remark = "n/a: no rank is left as source";
		return;
	}
	o->frequency = rate(&job->p, k, job->ranks - 1 - D, D, job->o->occupation);
	o->time = 1 / o->frequency;
	o->remark = "lower bound";
}

static void push(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	farm(job, k, o, atlas_push);
}

static void pull(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	farm(job, k, o, atlas_pull);
}

static void pipeline(const struct loggp_report *job, uint64_t k, struct outcome *o)
{
	uint64_t side_by_side = job->ranks / 7;

	if (!side_by_side) {
		o->remark = "n/a: needs 7 ranks";
		return;
	}
	o->ranks = 7 * side_by_side;
	o->frequency = atlas_pipeline(&job->p, k, 4 * side_by_side, 2 * side_by_side, side_by_side,
				      job->o->occupation);
	o->time = 1 / o->frequency;
	o->remark = "lower bound, 4-2-1";
}

/* ---- all patterns ---- */

const char *const model_patterns[] = {
	"one-way", "interval", "stream", "ping-pong", "exchange", "outfarming", "funnel", "ring", "all-to-all",
	"scatter", "broadcast", "push-farm", "pull-farm", "pipeline", NULL,
};
enum { ONE_WAY, INTERVAL, STREAM, PINGPONG, EXCHANGE, OUTFARMING, FUNNEL, RING, ALLTOALL, SCATTER, BROADCAST, PUSH,
       PULL, PIPELINE, NPATTERNS };
_Static_assert(sizeof(model_patterns) / sizeof(model_patterns[0]) == NPATTERNS + 1, "a name a pattern");

static const struct form {
	int pattern;
	const char *algorithm;		/* NULL: there is but one */
	bool many;			/* needs a number of ranks */
	void (*fill)(const struct loggp_report *job, uint64_t k, struct outcome *o);
} forms[] = {
	{ ONE_WAY, NULL, false, one_way },
	{ INTERVAL, NULL, false, interval },
	{ STREAM, NULL, false, stream },
	{ PINGPONG, NULL, false, pingpong },
	{ EXCHANGE, NULL, false, exchange },
	{ OUTFARMING, NULL, true, outfarming },
	{ FUNNEL, NULL, true, funnel },
	{ RING, NULL, true, ring },
	{ ALLTOALL, "blocking", true, alltoall },
	{ ALLTOALL, "non-blocking", true, alltoall_nonblocking },
	{ SCATTER, "binomial", true, scatter },
	{ BROADCAST, "binomial", true, binomial },
	{ BROADCAST, "chain", true, chain },
	{ BROADCAST, "binary", true, binary },
	{ BROADCAST, "scatter-ring", true, scatter_ring },
	{ PUSH, NULL, true, push },
	{ PULL, NULL, true, pull },
	{ PIPELINE, NULL, true, pipeline },
};
#define NFORMS (sizeof(forms) / sizeof(forms[0]))

static bool is_wanted(const struct loggp_report *job, const struct form *form)
{
	if (!job->o->patterns.n)
		return !form->many || job->ranks;
	for (size_t i = 0; i < job->o->patterns.n; i++)
		if (job->o->patterns.v[i] == (uint64_t)form->pattern)
			return true;
	return false;
}

static int put_outcome(struct report *r, const struct record *rec, const struct loggp_report *job, const struct form *form,
		       uint64_t k)
{
	struct outcome o = { .time = NAN, .ranks = form->many ? job->ranks : 2, .remark = "" };
	struct row row = { 0 };

	form->fill(job, k, &o);
	row_set(&row, rec, COL_PATTERN, val_text(model_patterns[form->pattern]));
	if (form->algorithm)
		row_set(&row, rec, COL_ALGORITHM, val_text(form->algorithm));
	row_set(&row, rec, COL_SIZE, val_uint(k));
	row_set(&row, rec, COL_RANKS, val_uint(o.ranks));
	if (o.messages)
		row_set(&row, rec, COL_MESSAGES, val_uint(o.messages));
	if (o.segment)
		row_set(&row, rec, COL_SEGMENT_SIZE, val_uint(o.segment));
	row_set(&row, rec, COL_MODEL_TIME, val_real(o.time));
	if (o.frequency > 0)
		row_set(&row, rec, COL_MODEL_FREQUENCY, val_real(o.frequency));
	row_set(&row, rec, COL_REMARK, val_text(o.remark));
	return report_row(r, rec, &row);
}

static int times(struct report *r, const struct record *rec, const void *arg)
{
	const struct loggp_report *job = arg;
	int err = ST_OK;

	for (size_t i = 0; i < NFORMS && !err; i++)
		for (size_t j = 0; j < job->sizes.n && !err && is_wanted(job, &forms[i]); j++)
			err = put_outcome(r, rec, job, &forms[i], job->sizes.v[j]);
	return err;
}

/* ---- reports ---- */

static json_t *describe(const struct loggp_report *job)
{
	json_t *env = host_collect(), *of = parameters_object(&job->p);

	if (job->ranks)
		json_object_set_new(of, "P", json_integer((json_int_t)job->ranks));
	if (job->o->like)
		json_object_set_new(of, "like", json_string(job->o->like));
	json_object_set_new(env, "loggp", of);
	return env;
}

/* Hockney's view: rate and half-length of one message after the other, and of a stream (METHODS 1.1). */
static void conclude(struct record *rec, const struct loggp_report *job, char *footer, size_t len)
{
	const struct loggp *p = &job->p;
	double r = 1 / p->G, latency = (p->o_s + p->o_r + p->L - p->G) / p->G, gap = (p->g - p->G) / p->G;
	char t[32];

	if (!(p->G > 0))
		return;
	rec->summary = json_pack("{s:f, s:f}", "r_inf_Bps", r, "n_half_latency_B", latency);
	if (gap >= 0)
		json_object_set_new(rec->summary, "n_half_stream_B", json_real(gap));
	snprintf(footer, len, "\nr_inf = 1/G = %s, half of it from %.0f B on in one message",
		 format_si(t, sizeof(t), r, "B/s"), fmax(ceil(latency), 0));
	rec->footer = footer;
}

static int report_times(struct loggp_report *job)
{
	static const enum column_id cols[] = { COL_PATTERN, COL_ALGORITHM, COL_SIZE, COL_RANKS, COL_MESSAGES,
					       COL_SEGMENT_SIZE, COL_MODEL_TIME, COL_MODEL_FREQUENCY, COL_REMARK };
	char footer[128];
	struct record rec = { .computed = true, .definition = "model.loggp.v1", .title = job->title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };

	for (size_t i = 0; i < NFORMS && job->o->patterns.n; i++)
		if (forms[i].many && !job->ranks && is_wanted(job, &forms[i]))
			return error_usage("pattern '%s' needs a number of ranks: 'P=8' in '--loggp'",
					   model_patterns[forms[i].pattern]);
	rec.environment = describe(job);
	conclude(&rec, job, footer, sizeof(footer));
	return model_write(job->st, &rec, times, job);
}

/* ---- FFT ---- */

static int layouts(struct report *r, const struct record *rec, const void *arg)
{
	static const char *const names[] = { "block", "cyclic", "hybrid" };
	const struct loggp_report *job = arg;
	int err = ST_OK;

	for (size_t i = 0; i < 3 * job->sizes.n && !err; i++) {
		struct collective_fft f = collective_fft(&job->p, (double)job->sizes.v[i / 3], (double)job->o->fft,
							 job->ranks);
		double time = i % 3 == 2 ? f.hybrid : f.block, best = f.hybrid < f.block ? f.hybrid : f.block;
		struct row row = { 0 };

		row_set(&row, rec, COL_POINT_SIZE, val_uint(job->sizes.v[i / 3]));
		row_set(&row, rec, COL_LAYOUT, val_text(names[i % 3]));
		row_set(&row, rec, COL_MODEL_TIME, val_real(time));
		row_set(&row, rec, COL_REMARK, val_text(isnan(time) ? "n/a: one remap is not enough, n/P < P"
							: time <= best ? "fastest" : ""));
		err = report_row(r, rec, &row);
	}
	return err;
}

static int report_fft(struct loggp_report *job)
{
	static const enum column_id cols[] = { COL_POINT_SIZE, COL_LAYOUT, COL_MODEL_TIME, COL_REMARK };
	char title[320];
	struct record rec = { .computed = true, .definition = "model.loggp-fft.v1", .title = title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };
	int err;

	if (!job->ranks)
		return error_usage("'--fft' needs a number of ranks: 'P=8' in '--loggp'");
	err = model_check_fft(job->o->fft, job->ranks);
	if (err)
		return err;
	snprintf(title, sizeof(title), "%s, FFT of %llu points", job->title, (unsigned long long)job->o->fft);
	rec.environment = describe(job);
	return model_write(job->st, &rec, layouts, job);
}

/* ---- which report ---- */

/* The parameters of each segment, and up to which size it goes. New reference. */
static json_t *describe_pieces(const struct loggp_pieces *pieces)
{
	json_t *list = json_array();

	for (size_t i = 0; i < pieces->n; i++) {
		json_t *of = parameters_object(&pieces->p[i]);

		json_object_set_new(of, "upto_B", i + 1 < pieces->n ? json_real(pieces->upto[i]) : json_null());
		json_array_append_new(list, of);
	}
	return list;
}

static int report_against(struct loggp_report *job)
{
	char title[320];
	struct record rec = { .computed = true, .definition = "model.loggp-against.v1", .title = title };

	if (job->pieces.n > 1)
		snprintf(title, sizeof(title), "netbench %s model: LogGP in %zu segments against a result", NETBENCH_VERSION,
			 job->pieces.n);
	else
		snprintf(title, sizeof(title), "%s against a result", job->title);
	rec.environment = describe(job);
	json_object_set_new(json_object_get(rec.environment, "loggp"), "segments", describe_pieces(&job->pieces));
	return model_against(job->st, &rec, predict_by_size, &job->pieces);
}

/* From --like, and from --loggp what is said there. */
static int parse(struct loggp_report *job)
{
	const char *said = job->o->loggp ? job->o->loggp : "";
	struct loggp_pieces *pieces = &job->pieces;
	int err = ST_OK;

	job->p = (struct loggp){ NAN, NAN, NAN, NAN, NAN };
	if (job->o->like)
		err = parameters_read(job->o->like, &job->p, pieces);
	err = err ? err : loggp_parse_ranks(said, &job->p, &job->ranks);
	for (size_t i = 0; i < pieces->n && !err; i++)
		err = loggp_parse_ranks(said, &pieces->p[i], &job->ranks);
	if (!job->o->like)
		*pieces = (struct loggp_pieces){ .n = 1, .p = { job->p } };
	return err;
}

static void make_title(struct loggp_report *job)
{
	const struct loggp *p = &job->p;
	char t[5][32], ranks[32] = "", o[72];

	for (int i = 0; i < 4; i++)
		format_si(t[i], sizeof(t[i]), (const double[]){ p->L, p->o_s, p->o_r, p->g }[i], "s");
	format_si(t[4], sizeof(t[4]), p->G, "s/B");
	snprintf(o, sizeof(o), "o=%s", t[1]);
	if (p->o_s < p->o_r || p->o_s > p->o_r)
		snprintf(o, sizeof(o), "o_s=%s o_r=%s", t[1], t[2]);
	if (job->ranks)
		snprintf(ranks, sizeof(ranks), " P=%llu", (unsigned long long)job->ranks);
	snprintf(job->title, sizeof(job->title), "netbench %s model: LogGP L=%s %s g=%s G=%s%s", NETBENCH_VERSION, t[0],
		 o, t[3], t[4], ranks);
}

/* A report of the sizes asked for, by default the n of `usual`. */
static int report(const struct settings *st, int (*report_sizes)(struct loggp_report *job), const uint64_t *usual,
		  size_t n)
{
	struct loggp_report job = { .st = st, .o = st->own };
	int err = parse(&job);

	if (err)
		return err;
	make_title(&job);
	err = model_sizes(st, &job.sizes, usual, n);
	err = err ? err : report_sizes(&job);
	free(job.sizes.v);
	return err;
}

static int run_times(const struct settings *st)
{
	return report(st, report_times, usual_sizes, sizeof(usual_sizes) / sizeof(usual_sizes[0]));
}

static int run_fft(const struct settings *st)
{
	return report(st, report_fft, usual_points, 1);
}

static int run_against(const struct settings *st)
{
	return report(st, report_against, usual_sizes, 1);
}

#define MODE(with_option, its_bit, how)                                                            \
	{ .by = { "loggp", "like", .with = (with_option), .bit = (its_bit) }, .run = (how) }

const struct mode model_loggp = MODE(NULL, MODEL_LOGGP, run_times);
const struct mode model_loggp_fft = MODE("fft", MODEL_LOGGP_FFT, run_fft);
const struct mode model_loggp_against = MODE("against", MODEL_LOGGP_AGAINST, run_against);
