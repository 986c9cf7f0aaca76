/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/loggp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/rdma.h"
#include "model/atlas.h"
#include "model/collective.h"
#include "model/parameters.h"
#include "show/units.h"

/* The cells of a row. */
struct forecast {
	double time, frequency;		/* frequency: 0: no cell */
	uint64_t ranks, messages, segment;	/* 0: no cell */
	const char *remark;
};

/* ---- patterns with remarks of their own ---- */

static void one_way(const struct asked *a, uint64_t k, struct forecast *o)
{
	o->messages = 1;
	o->time = loggp_one_way(&a->loggp, k);
}

static void interval(const struct asked *a, uint64_t k, struct forecast *o)
{
	o->time = fmax(loggp_send_interval(&a->loggp, k), loggp_recv_interval(&a->loggp, k));
	o->frequency = 1 / o->time;
}

static void alltoall_nonblocking(const struct asked *a, uint64_t k, struct forecast *o)
{
	o->time = collective_alltoall_nonblocking(&a->loggp, k, a->ranks);
	o->remark = a->loggp.g >= a->loggp.o_s + a->loggp.o_r ? "lower bound" : "estimate";
}

static void scatter(const struct asked *a, uint64_t k, struct forecast *o)
{
	o->time = collective_scatter(&a->loggp, (double)k, (uint32_t)a->ranks);
}

/* --segment, but at most the message; or the best. */
static uint64_t segment(const struct asked *a, uint64_t k,
			uint64_t (*best)(const struct loggp *p, uint64_t k, uint64_t P))
{
	uint64_t most = k ? k : 1;

	if (a->o->segment == OPT_AUTO)
		return best(&a->loggp, k, a->ranks);
	return a->o->segment < most ? a->o->segment : most;
}

static void chain(const struct asked *a, uint64_t k, struct forecast *o)
{
	o->segment = segment(a, k, collective_chain_segment);
	o->time = collective_chain(&a->loggp, k, o->segment, a->ranks);
	o->remark = k % o->segment ? "upper bound" : "";
}

static void binary(const struct asked *a, uint64_t k, struct forecast *o)
{
	bool full = !(a->ranks & (a->ranks + 1));
	bool same = !(a->loggp.o_s < a->loggp.o_r || a->loggp.o_s > a->loggp.o_r);

	o->segment = segment(a, k, collective_tree_segment);
	o->time = collective_tree(&a->loggp, k, o->segment, a->ranks);
	o->remark = full && same && k % o->segment == 0 ? "" : "upper bound";
}

static void scatter_ring(const struct asked *a, uint64_t k, struct forecast *o)
{
	bool even = !(a->ranks & (a->ranks - 1)) && k % a->ranks == 0;

	o->segment = k ? (k - 1) / a->ranks + 1 : 0;
	o->time = collective_scatter_ring(&a->loggp, k, (uint32_t)a->ranks);
	o->remark = even && a->loggp.g <= loggp_one_way(&a->loggp, 1) ? "" : "estimate";
}

/* As many pipelines of this topology side by side as the ranks make. */
static void pipeline(const struct asked *a, const struct atlas_topology *t,
		     const char *lacks, uint64_t k, struct forecast *o)
{
	uint64_t each = t->sources + t->stages + t->destinations, n = a->ranks / each;
	struct atlas_pipeline one;

	o->remark = n ? "lower bound" : lacks;
	if (!n)
		return;
	o->ranks = each * n;
	one = atlas_pipeline(&a->loggp, k, t->sources, t->stages, t->destinations,
			     a->o->occupation);
	o->frequency = atlas_pipeline_frequency(&one, n * t->destinations);
	o->time = 1 / o->frequency;
}

/* The supervisor is the one rank that is neither source nor destination. */
static void farm(const struct asked *a,
		 struct atlas_farm (*of)(const struct loggp *p, uint64_t k, uint64_t S, double t),
		 uint64_t k, struct forecast *o)
{
	uint64_t D = a->o->destinations, credits = a->o->credits == OPT_AUTO ? 0 : a->o->credits;
	struct atlas_farm f;

	o->remark = a->ranks >= D + 2 ? "lower bound" : "n/a: no rank is left as source";
	if (a->ranks < D + 2)
		return;
	f = of(&a->loggp, k, a->ranks - 1 - D, a->o->occupation);
	o->frequency = atlas_farm_frequency(&f, (double)D, credits);
	o->time = 1 / o->frequency;
}

/* ---- all patterns ---- */

/* One of time, farm, pipeline and fill says what the row is. */
static const struct formula {
	int pattern;
	const char *algorithm;		/* NULL: there is only one */
	bool many;			/* needs a number of ranks */
	enum { MESSAGES, OTHERS, RANKS } of;	/* n of time: --messages, other ranks, all ranks */
	double (*time)(const struct loggp *p, uint64_t k, uint64_t n);
	struct atlas_farm (*farm)(const struct loggp *p, uint64_t k, uint64_t S, double t);
	const struct atlas_topology *pipeline;
	const char *lacks;		/* remark with too few ranks for one pipeline */
	void (*fill)(const struct asked *a, uint64_t k, struct forecast *o);
} formulas[] = {
	{ ONE_WAY, .fill = one_way },
	{ INTERVAL, .fill = interval },
	{ STREAM, .of = MESSAGES, .time = loggp_stream },
	{ PINGPONG, .of = MESSAGES, .time = loggp_pingpong },
	{ EXCHANGE, .of = MESSAGES, .time = loggp_exchange },
	{ OUTFARMING, NULL, true, .of = OTHERS, .time = atlas_outfarming },
	{ FUNNEL, NULL, true, .of = OTHERS, .time = atlas_funnel },
	{ RING, NULL, true, .of = RANKS, .time = collective_ring },
	{ ALLTOALL, "blocking", true, .of = RANKS, .time = collective_alltoall },
	{ ALLTOALL, "non-blocking", true, .fill = alltoall_nonblocking },
	{ SCATTER, "binomial", true, .fill = scatter },
	{ BROADCAST, "binomial", true, .of = RANKS, .time = collective_binomial },
	{ BROADCAST, "chain", true, .fill = chain },
	{ BROADCAST, "binary", true, .fill = binary },
	{ BROADCAST, "scatter-ring", true, .fill = scatter_ring },
	{ PUSH, NULL, true, .farm = atlas_push },
	{ PULL, NULL, true, .farm = atlas_pull },
	{ PIPELINE, "4-2-1", true, .pipeline = &atlas_topologies[0],
	  .lacks = "n/a: needs 7 ranks" },
	{ PIPELINE, "6-2-1", true, .pipeline = &atlas_topologies[1],
	  .lacks = "n/a: needs 9 ranks" },
	{ PIPELINE, "9-3-1", true, .pipeline = &atlas_topologies[2],
	  .lacks = "n/a: needs 13 ranks" },
};
void loggp_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	const struct numbers *sizes = &a->plan.sizes;
	const struct formula *by = ((const struct formula *const *)a->rows)[i / sizes->n];
	uint64_t k = sizes->v[i % sizes->n];
	struct forecast o = { .time = NAN, .ranks = by->many ? a->ranks : 2, .remark = "" };

	if (by->time) {
		o.messages = by->of == MESSAGES ? a->o->messages : 0;
		o.time = by->time(&a->loggp, k, by->of == MESSAGES ? o.messages
						: by->of == OTHERS ? a->ranks - 1 : a->ranks);
	} else if (by->fill) {
		by->fill(a, k, &o);
	} else if (by->pipeline) {
		pipeline(a, by->pipeline, by->lacks, k, &o);
	} else {
		farm(a, by->farm, k, &o);
	}
	ROW_PUT(row, rec, { COL_PATTERN, val_text(model_patterns[by->pattern]) },
		{ COL_ALGORITHM, form_text(by->algorithm) }, { COL_SIZE, val_uint(k) },
		{ COL_RANKS, val_uint(o.ranks) }, { COL_MESSAGES, form_count(o.messages) },
		{ COL_SEGMENT_SIZE, form_count(o.segment) },
		{ COL_MODEL_TIME, val_real(o.time) }, { COL_REMARK, val_text(o.remark) },
		{ COL_MODEL_FREQUENCY, val_real(o.frequency > 0 ? o.frequency : NAN) });
}

/* ---- parameters ---- */

/* From the document of --like, NULL without one, and from --loggp what is said there. */
static int take(struct asked *a, const json_t *like)
{
	const char *said = a->o->loggp ? a->o->loggp : "";
	struct loggp_pieces *pieces = &a->pieces;
	int err = ST_OK;

	a->loggp = (struct loggp){ NAN, NAN, NAN, NAN, NAN };
	if (like)
		err = parameters_take(a->o->like, like, &a->loggp, pieces);
	if (!err)
		err = loggp_parse_ranks(said, &a->loggp, &a->ranks);
	if (!err)
		err = loggp_check(&a->loggp);
	for (size_t i = 0; i < pieces->n && !err; i++)
		err = loggp_parse_ranks(said, &pieces->p[i], &a->ranks);
	if (!a->o->like)
		*pieces = (struct loggp_pieces){ .n = 1, .p = { a->loggp } };
	return err;
}

static void describe(struct asked *a)
{
	const struct loggp *p = &a->loggp;
	const bool apart = p->o_s < p->o_r || p->o_s > p->o_r;
	json_t *of = parameters_object(p);
	char ranks[32] = "";

	if (a->ranks) {
		snprintf(ranks, sizeof(ranks), " P=%llu", (unsigned long long)a->ranks);
		json_object_set_new(of, "P", json_integer((json_int_t)a->ranks));
	}
	if (a->o->like)
		json_object_set_new(of, "like", json_string(a->o->like));
	json_object_set_new(a->parameters, "loggp", of);
	form_title(a, "LogGP L=%s %s=%s%s%s g=%s G=%s%s", scaled(p->L, "s").s,
		   apart ? "o_s" : "o", scaled(p->o_s, "s").s, apart ? " o_r=" : "",
		   apart ? scaled(p->o_r, "s").s : "", scaled(p->g, "s").s,
		   scaled(p->G, "s/B").s, ranks);
}

bool loggp_given(const struct asked *a)
{
	return json_object_get(a->parameters, "loggp");
}

int loggp_take(struct asked *a)
{
	json_t *like = NULL;
	int err = a->o->like ? parameters_load(a->o->like, &like) : ST_OK;

	if (err)
		return err;
	if (like && !a->o->loggp && !a->o->fft && parameters_only_rdma(like)) {
		a->form = a->form->other[0];
		err = rdma_plan_like(a, like);
	} else {
		err = take(a, like);
		if (!err)
			describe(a);
	}
	json_decref(like);
	return err;
}

/* ---- patterns ---- */

/*
 * Hockney's view: rate and half-length of one message after the other, and of a stream (METHODS
 * 1.1).
 */
static void conclude(struct asked *a)
{
	const struct loggp *p = &a->loggp;
	double rate = 1 / p->G, latency = (p->o_s + p->o_r + p->L - p->G) / p->G;
	double gap = (p->g - p->G) / p->G;
	json_t *summary = a->rec.summary;
	char t[32];

	if (!(p->G > 0))
		return;
	json_object_set_new(summary, "r_inf_Bps", json_real(rate));
	json_object_set_new(summary, "n_half_latency_B", json_real(latency));
	if (gap >= 0)
		json_object_set_new(summary, "n_half_stream_B", json_real(gap));
	snprintf(a->footer, sizeof(a->footer),
		 "\nr_inf = 1/G = %s, half of it from %.0f B on in one message",
		 format_rate(t, sizeof(t), rate, "B/s", (enum rate_unit)a->st->output.rate_unit),
		 fmax(ceil(latency), 0));
}

int loggp_plan(struct asked *a)
{
	static const uint64_t usual[] = { 1, 1024, 65536, 1048576 };
	const struct numbers *patterns = &a->o->patterns;
	const struct formula **wanted;
	int err = loggp_take(a);

	if (!err && loggp_given(a))
		err = form_sizes(a, usual, LENGTH(usual));
	if (err || !loggp_given(a))
		return err;
	a->rows = wanted = calloc(LENGTH(formulas), sizeof(*wanted));
	if (!wanted)
		return error_report("no memory for a table");
	/* by default all that the number of ranks allows */
	for (const struct formula *by = formulas; by < formulas + LENGTH(formulas); by++) {
		bool asked = !patterns->n && (!by->many || a->ranks);

		for (size_t i = 0; i < patterns->n; i++)
			asked |= patterns->v[i] == (uint64_t)by->pattern;
		if (asked && by->many && !a->ranks)
			return error_usage(
				"pattern '%s' needs a number of ranks, as in '--loggp P=8'",
				model_patterns[by->pattern]);
		if (asked)
			wanted[a->n++] = by;
	}
	a->n *= a->plan.sizes.n;
	conclude(a);
	return ST_OK;
}

/* ---- windows ---- */

/* Sizes are outermost, then what acknowledges; a curve's windows stand together. */
void loggp_fill_window(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	const struct numbers *windows = &a->o->windows, *acks = &a->o->acks;
	uint64_t W = windows->v[i % windows->n], k = a->plan.sizes.v[i / windows->n / acks->n];
	bool each = acks->v[i / windows->n % acks->n] == ACK_EACH;
	struct loggp_sliding s = loggp_sliding(&a->loggp, k, W);
	/* messages a second of many windows that each end with a reply (METHODS 1.1; eq. 68) */
	double replied = (double)W / (loggp_windows(&a->loggp, k, W, 2, false) -
				      loggp_windows(&a->loggp, k, W, 1, false));
	double rate = each ? s.rate : replied;

	ROW_PUT(row, rec, { COL_ACK, val_text(each ? "message" : "reply") },
		{ COL_WINDOW, val_uint(W) }, { COL_SIZE, val_uint(k) },
		{ COL_MODEL_RATE, val_real(rate) },
		{ COL_MODEL_BANDWIDTH, val_real(k ? rate * (double)k : NAN) });
	if (each)
		ROW_PUT(row, rec, { COL_BINDING, val_text(s.bound) },
			{ COL_MODEL_RTT, val_real(s.rtt) },
			{ COL_KNEE, val_real(s.rtt / s.interval) });
}

int loggp_plan_window(struct asked *a)
{
	static const uint64_t usual[] = { 8, 1024, 65536 };
	int err = loggp_take(a);

	if (err || !loggp_given(a))
		return err;
	err = form_sizes(a, usual, LENGTH(usual));
	a->n = a->plan.sizes.n * a->o->acks.n * a->o->windows.n;
	return err;
}

/* ---- against a result ---- */

int loggp_plan_against(struct asked *a)
{
	const struct loggp_pieces *pieces = &a->pieces;
	json_t *segments = json_array();
	int err = loggp_take(a);
	size_t len = strlen(a->title);

	if (err || !loggp_given(a)) {
		json_decref(segments);
		return err;
	}
	if (pieces->n > 1)
		form_title(a, "LogGP in %zu segments against a result", pieces->n);
	else
		snprintf(a->title + len, sizeof(a->title) - len, " against a result");
	json_object_set_new(json_object_get(a->parameters, "loggp"), "segments", segments);
	for (size_t i = 0; i < pieces->n; i++) {
		const char *missing = loggp_missing(&pieces->p[i]);
		json_t *of = parameters_object(&pieces->p[i]);
		bool last = i + 1 == pieces->n;

		json_object_set_new(of, "upto_B", last ? json_null() : json_real(pieces->upto[i]));
		json_array_append_new(segments, of);
		if (missing && !last)
			error_warn("sizes up to %.0f B are not predicted: '%s' has not determined "
				   "their %s", pieces->upto[i], a->o->like, missing);
		else if (missing)
			error_warn("the largest sizes are not predicted: '%s' has not determined "
				   "their %s", a->o->like, missing);
	}
	return ST_OK;
}
