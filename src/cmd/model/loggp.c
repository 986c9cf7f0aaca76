/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/loggp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/against.h"
#include "cmd/model/rdma.h"
#include "model/atlas.h"
#include "model/collective.h"
#include "model/parameters.h"
#include "show/units.h"

/* Predicted values of a row. */
struct forecast {
	double time, frequency;		/* s and Hz; a frequency of 0 gives no cell */
	uint64_t ranks, messages, segment;	/* a value of 0 gives no cell */
	const char *remark;
	char lacks[40];			/* text of the remark */
};

/* ---- patterns with special cells ---- */

static void fill_interval(const struct model_request *a, uint64_t k, struct forecast *o)
{
	o->time = loggp_interval(&a->loggp, k);
	o->frequency = 1 / o->time;
}

/*
 * Returns the segment size of --segment, limited to the message size. For `auto`, returns the best
 * segment size.
 */
static uint64_t choose_segment(const struct model_request *a, uint64_t k,
			       uint64_t (*best)(const struct loggp *p, uint64_t k, uint64_t P))
{
	uint64_t most = k ? k : 1;

	if (a->o->segment == OPT_AUTO)
		return best(&a->loggp, k, a->ranks);
	return a->o->segment < most ? a->o->segment : most;
}

static void fill_chain(const struct model_request *a, uint64_t k, struct forecast *o)
{
	o->segment = choose_segment(a, k, collective_chain_segment);
	o->time = collective_chain(&a->loggp, k, o->segment, a->ranks);
	o->remark = k % o->segment ? "upper bound" : "";
}

static void fill_binary(const struct model_request *a, uint64_t k, struct forecast *o)
{
	bool full = !(a->ranks & (a->ranks + 1));

	o->segment = choose_segment(a, k, collective_best_segment_B);
	o->time = collective_tree(&a->loggp, k, o->segment, a->ranks);
	o->remark = full && k % o->segment == 0 ? "" : "upper bound";
}

static void fill_scatter_ring(const struct model_request *a, uint64_t k, struct forecast *o)
{
	bool even = !(a->ranks & (a->ranks - 1)) && k % a->ranks == 0;

	o->segment = k ? (k - 1) / a->ranks + 1 : 0;
	o->time = collective_scatter_ring(&a->loggp, k, a->ranks);
	o->remark = even && a->loggp.g <= loggp_one_way(&a->loggp, 1) ? "" : "estimate";
}

/*
 * Fills the row of a farm or, if t is not NULL, of pipelines that run in parallel. In a farm all
 * ranks except the supervisor are sources or destinations. There are as many pipelines as the ranks
 * allow.
 */
static void fill_atlas_roles(const struct model_request *a, const char *number,
			     const struct atlas_topology *t, uint64_t k, struct forecast *o)
{
	uint64_t D = a->o->destinations, S = a->ranks < D + 2 ? 0 : a->ranks - 1 - D;
	uint64_t credits = a->o->credits == OPT_AUTO ? 0 : a->o->credits, each;
	struct atlas_roles roles = { { S, 0, D }, S > 0, credits, a->o->occupation };
	const char *lacks = "n/a: no rank is left as a source";
	bool bound;

	if (t) {
		each = t->sources + t->stages + t->destinations;
		roles = (struct atlas_roles){ *t, a->ranks / each, 0, a->o->occupation };
		snprintf(o->lacks, sizeof(o->lacks), "n/a: needs %llu ranks",
			 (unsigned long long)each);
		lacks = o->lacks;
		if (roles.lines)
			o->ranks = each * roles.lines;
	}
	/*
	 * Eq. 92 is exact only for one destination. With more destinations, other events delay the
	 * event that a credit permits.
	 */
	bound = credits || (!strcmp(number, "2.2") && D > 1);
	o->remark = !roles.lines ? lacks : bound ? "lower bound" : "";
	o->frequency = atlas_frequency(number, &a->loggp, k, &roles);
	o->time = 1 / o->frequency;
}

/* ---- all patterns ---- */

/* How to compute the row of a pattern. Exactly one of `time`, `fill` and `roles` is set. */
static const struct formula {
	int pattern;
	const char *algorithm;		/* name; NULL: there is only one algorithm */
	bool many;			/* the pattern needs a number of ranks */
	/*
	 * Argument n of `time`: 1, --messages, the number of other ranks, or the number of all
	 * ranks.
	 */
	enum { ONE, MESSAGES, OTHERS, RANKS } of;
	double (*time)(const struct loggp *p, uint64_t k, uint64_t n);
	const char *roles;		/* ATLAS benchmark with roles, such as "2.1" */
	const struct atlas_topology *pipeline;
	void (*fill)(const struct model_request *a, uint64_t k, struct forecast *o);
} formulas[] = {
	{ ONE_WAY, .of = ONE, .time = loggp_stream },
	{ INTERVAL, .fill = fill_interval },
	{ STREAM, .of = MESSAGES, .time = loggp_stream },
	{ PINGPONG, .of = MESSAGES, .time = loggp_pingpong },
	{ EXCHANGE, .of = MESSAGES, .time = loggp_exchange },
	{ OUTFARMING, NULL, true, .of = OTHERS, .time = atlas_outfarming },
	{ FUNNEL, NULL, true, .of = OTHERS, .time = atlas_funnel },
	{ RING, NULL, true, .of = RANKS, .time = collective_ring },
	{ ALLTOALL, "rotation", true, .of = OTHERS, .time = loggp_exchange },
	{ SCATTER, "binomial", true, .of = RANKS, .time = collective_scatter },
	{ BROADCAST, "binomial", true, .of = RANKS, .time = collective_binomial },
	{ BROADCAST, "chain", true, .fill = fill_chain },
	{ BROADCAST, "binary", true, .fill = fill_binary },
	{ BROADCAST, "scatter-ring", true, .fill = fill_scatter_ring },
	{ PUSH, NULL, true, .roles = "2.1" },
	{ PULL, NULL, true, .roles = "2.2" },
	{ PIPELINE, "4-2-1", true, .roles = "2.3", .pipeline = &atlas_topologies[0] },
	{ PIPELINE, "6-2-1", true, .roles = "2.3", .pipeline = &atlas_topologies[1] },
	{ PIPELINE, "9-3-1", true, .roles = "2.3", .pipeline = &atlas_topologies[2] },
};

/*
 * Returns whether --pattern requests the pattern. By default all patterns that the number of ranks
 * allows are requested.
 */
static bool is_requested(const struct model_request *a, const struct formula *by)
{
	const struct numbers *patterns = &a->o->patterns;
	bool wanted = !patterns->n && (!by->many || a->ranks);

	for (size_t i = 0; i < patterns->n; i++)
		wanted |= patterns->v[i] == (uint64_t)by->pattern;
	return wanted;
}

static void put_pattern(struct model_request *a, const struct formula *by, uint64_t k)
{
	const uint64_t n[] = { [ONE] = 1, [MESSAGES] = a->o->messages, [OTHERS] = a->ranks - 1,
			       [RANKS] = a->ranks };
	struct forecast o = { .time = NAN, .ranks = by->many ? a->ranks : 2, .remark = "" };

	if (by->time) {
		o.messages = by->many ? 0 : n[by->of];
		o.time = by->time(&a->loggp, k, n[by->of]);
	} else if (by->fill) {
		by->fill(a, k, &o);
	} else {
		fill_atlas_roles(a, by->roles, by->pipeline, k, &o);
	}
	FORM_ROW(a, val_text(model_patterns[by->pattern]), val_text(by->algorithm), val_uint(k),
		 val_uint(o.ranks), form_count(o.messages), form_count(o.segment),
		 val_real(o.time), val_real(o.frequency > 0 ? o.frequency : NAN),
		 val_text(o.remark));
}

static void put_patterns(struct model_request *a)
{
	for (const struct formula *by = formulas; by < formulas + LENGTH(formulas); by++)
		for (size_t i = 0; i < a->plan.sizes.n && is_requested(a, by); i++)
			put_pattern(a, by, a->plan.sizes.v[i]);
}

/* ---- parameters ---- */

int loggp_read_parameters(struct model_request *a)
{
	const struct model_values *o = a->o;
	const char *said = o->loggp ? o->loggp : "";
	struct loggp_pieces *pieces = &a->pieces;
	json_t *known;
	char G[40];
	int err = ST_OK;

	a->loggp = (struct loggp){ NAN, NAN, NAN, NAN, NAN };
	if (o->like)
		err = parameters_take(o->like, a->file, &a->loggp, pieces);
	if (!err)
		err = loggp_parse(said, &a->loggp, &a->ranks);
	if (!err)
		err = loggp_check(&a->loggp);
	for (size_t i = 0; i < pieces->n && !err; i++)
		err = loggp_parse(said, &pieces->p[i], &a->ranks);
	if (err)
		return err;
	if (!o->like)
		*pieces = (struct loggp_pieces){ .n = 1, .p = { a->loggp } };
	known = parameters_object(&a->loggp);
	if (o->like)
		json_object_set_new(known, "like", json_string(o->like));
	snprintf(G, sizeof(G), " G=%s", scaled(a->loggp.G, "s/B").s);
	form_describe(a, "LogGP", G, "loggp", known);
	return ST_OK;
}

/*
 * Adds Hockney's parameters to the summary and the footer. They are the asymptotic rate, and the
 * half-lengths of single messages and of a stream (METHODS 1.1).
 */
static void summarise_rates(struct model_request *a)
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
	text_add(&a->footer,
		 "\nr_inf = 1/G = %s; a single message reaches half of it from %.0f B on",
		 format_rate(t, sizeof(t), rate, "B/s", (enum rate_unit)a->st->output.rate_unit),
		 fmax(ceil(latency), 0));
}

static int plan_patterns(struct model_request *a)
{
	for (const struct formula *by = formulas; by < formulas + LENGTH(formulas); by++)
		if (by->many && !a->ranks && is_requested(a, by))
			return error_usage("pattern '%s' needs a number of ranks, as in '--loggp "
					   "P=8'", model_patterns[by->pattern]);
	summarise_rates(a);
	return ST_OK;
}

const struct form loggp_form = {
	FORM_BY("loggp", "like", NULL, LOGGP_OPTIONS " messages pattern segment destinations "
		"credits occupation" FORM_SIZED), "model.loggp.v1",
	FORM_COLUMNS(COL_PATTERN, COL_ALGORITHM, COL_SIZE, COL_RANKS, COL_MESSAGES,
		     COL_SEGMENT_SIZE, COL_MODEL_TIME, COL_MODEL_FREQUENCY, COL_REMARK),
	FORM_SPARE(COL_REMARK, COL_SEGMENT_SIZE, COL_MESSAGES), .plan = loggp_read_parameters,
	FORM_SIZES(1, 1024, 65536, 1048576), .then = plan_patterns, .put_rows = put_patterns,
	.rdma = &rdma_form
};

/* ---- windows ---- */

static void put_window(struct model_request *a, uint64_t k, bool each, uint64_t W)
{
	struct loggp_sliding s = loggp_sliding(&a->loggp, k, W);
	/*
	 * Messages per second if windows follow each other and each window ends with a reply
	 * (METHODS 1.1; eq. 68).
	 */
	double replied = (double)W / (loggp_windows(&a->loggp, k, W, 2, false) -
				      loggp_windows(&a->loggp, k, W, 1, false));
	double rate = each ? s.rate : replied;

	FORM_ROW(a, val_text(each ? "message" : "reply"), val_uint(W), val_uint(k), val_real(rate),
		 val_real(k ? rate * (double)k : NAN), val_text(each ? s.bound : NULL),
		 val_real(each ? s.rtt : NAN), val_real(each ? s.rtt / s.interval : NAN));
}

/*
 * Writes the rows ordered by size, then by acknowledgement, then by window. The windows of a curve
 * are therefore adjacent.
 */
static void put_windows(struct model_request *a)
{
	const struct numbers *windows = &a->o->windows, *acks = &a->o->acks;

	for (size_t i = 0; i < a->plan.sizes.n; i++)
		for (size_t j = 0; j < acks->n; j++)
			for (size_t w = 0; w < windows->n; w++)
				put_window(a, a->plan.sizes.v[i], acks->v[j] == ACK_EACH,
					   windows->v[w]);
}

const struct form loggp_window_form = {
	FORM_BY("loggp", "like", "window", LOGGP_OPTIONS " window ack" FORM_SIZED),
	"model.loggp-window.v1",
	FORM_COLUMNS(COL_ACK, COL_WINDOW, COL_SIZE, COL_MODEL_RATE, COL_MODEL_BANDWIDTH,
		     COL_BINDING, COL_MODEL_RTT, COL_KNEE),
	FORM_SPARE(COL_KNEE, COL_MODEL_RTT), FORM_HEADS(8, [4] = "B/s"),
	.plan = loggp_read_parameters, FORM_SIZES(8, 1024, 65536), .put_rows = put_windows,
	.rdma = &rdma_form
};

/* ---- against a result ---- */

static int plan_against(struct model_request *a)
{
	const struct loggp_pieces *pieces = &a->pieces;
	json_t *segments;
	const struct text before = a->title;
	int err = loggp_read_parameters(a);

	if (err)
		return err;
	if (pieces->n > 1) {
		a->title = before;
		text_add(&a->title, "LogGP in %zu segments", pieces->n);
	}
	text_add(&a->title, " against a result");
	segments = json_array();
	json_object_set_new(json_object_get(a->parameters, "loggp"), "segments", segments);
	for (size_t i = 0; i < pieces->n; i++) {
		const char *missing = loggp_missing(&pieces->p[i]);
		json_t *of = parameters_object(&pieces->p[i]);
		bool last = i + 1 == pieces->n;
		char sizes[48] = "the largest sizes";

		json_object_set_new(of, "upto_B", last ? json_null() : json_real(pieces->upto[i]));
		json_array_append_new(segments, of);
		if (!last)
			snprintf(sizes, sizeof(sizes), "sizes up to %.0f B", pieces->upto[i]);
		if (missing)
			error_warn("%s are not predicted: '%s' has not determined their %s", sizes,
				   a->o->like, missing);
	}
	return ST_OK;
}

const struct form loggp_against_form = {
	FORM_BY("loggp", "like", "against", LOGGP_OPTIONS " against"), "model.loggp-against.v1",
	.plan = plan_against, FORM_AGAINST(predict_by_size, pieces), .rdma = &rdma_against_form
};
