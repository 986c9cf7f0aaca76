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
#include "model/fft.h"

static const uint64_t usual_sizes[] = { 1, 1024, 65536, 1048576 }, usual_points[] = { 16 };

#define FORMS_MOST 32

struct loggp_report {
	const struct settings *st;
	const struct model_options *o;
	struct loggp p;
	struct loggp_pieces pieces;	/* by size, where --like has segments; for --against */
	uint64_t ranks;			/* 0: not given */
	double butterfly;		/* of --fft; NaN: not known */
	struct numbers sizes;
	const struct form *forms[FORMS_MOST];	/* of the patterns asked for */
	size_t nforms;
	char title[256];
};

/* The cells of a row. */
struct outcome {
	double time, frequency;		/* frequency: 0: no cell */
	uint64_t ranks, messages, segment;	/* 0: no cell */
	const char *remark;
};

/* ---- patterns with remarks of their own ---- */

static void one_way(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->messages = 1;
	o->time = loggp_one_way(&r->p, k);
}

static void interval(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->time = fmax(loggp_send_interval(&r->p, k), loggp_recv_interval(&r->p, k));
	o->frequency = 1 / o->time;
}

static void alltoall_nonblocking(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->time = collective_alltoall_nonblocking(&r->p, k, r->ranks);
	o->remark = r->p.g >= r->p.o_s + r->p.o_r ? "lower bound" : "estimate";
}

static void scatter(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->time = collective_scatter(&r->p, (double)k, (uint32_t)r->ranks);
}

static void binomial(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->time = collective_binomial(&r->p, k, (uint32_t)r->ranks);
}

/* --segment, but at most the message; or the best. */
static uint64_t segment(const struct loggp_report *r, uint64_t k,
			uint64_t (*best)(const struct loggp *p, uint64_t k, uint64_t P))
{
	uint64_t most = k ? k : 1;

	if (r->o->segment == OPT_AUTO)
		return best(&r->p, k, r->ranks);
	return r->o->segment < most ? r->o->segment : most;
}

static void chain(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	o->segment = segment(r, k, collective_chain_segment);
	o->time = collective_chain(&r->p, k, o->segment, r->ranks);
	o->remark = k % o->segment ? "upper bound" : "";
}

static void binary(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	bool full = !(r->ranks & (r->ranks + 1));
	bool same = !(r->p.o_s < r->p.o_r || r->p.o_s > r->p.o_r);

	o->segment = segment(r, k, collective_tree_segment);
	o->time = collective_tree(&r->p, k, o->segment, r->ranks);
	o->remark = full && same && k % o->segment == 0 ? "" : "upper bound";
}

static void scatter_ring(const struct loggp_report *r, uint64_t k, struct outcome *o)
{
	bool even = !(r->ranks & (r->ranks - 1)) && k % r->ranks == 0;

	o->segment = k ? (k - 1) / r->ranks + 1 : 0;
	o->time = collective_scatter_ring(&r->p, k, (uint32_t)r->ranks);
	o->remark = even && r->p.g <= loggp_one_way(&r->p, 1) ? "" : "estimate";
}

/* As many pipelines of this topology side by side as the ranks make. */
static void pipeline(const struct loggp_report *r, const struct atlas_topology *t,
		     const char *lacks, uint64_t k, struct outcome *o)
{
	uint64_t each = t->sources + t->stages + t->destinations, n = r->ranks / each;
	struct atlas_pipeline one;

	o->remark = n ? "lower bound" : lacks;
	if (!n)
		return;
	o->ranks = each * n;
	one = atlas_pipeline(&r->p, k, t->sources, t->stages, t->destinations, r->o->occupation);
	o->frequency = atlas_pipeline_frequency(&one, n * t->destinations);
	o->time = 1 / o->frequency;
}

/* The supervisor is the one rank that is neither source nor destination. */
static void farm(const struct loggp_report *r,
		 struct atlas_farm (*of)(const struct loggp *p, uint64_t k, uint64_t S, double t),
		 uint64_t k, struct outcome *o)
{
	uint64_t D = r->o->destinations, credits = r->o->credits == OPT_AUTO ? 0 : r->o->credits;
	struct atlas_farm f;

	o->remark = r->ranks >= D + 2 ? "lower bound" : "n/a: no rank is left as source";
	if (r->ranks < D + 2)
		return;
	f = of(&r->p, k, r->ranks - 1 - D, r->o->occupation);
	o->frequency = atlas_farm_frequency(&f, (double)D, credits);
	o->time = 1 / o->frequency;
}

/* ---- all patterns ---- */

const char *const model_patterns[] = {
	"one-way", "interval", "stream", "ping-pong", "exchange", "outfarming", "funnel", "ring",
	"all-to-all", "scatter", "broadcast", "push-farm", "pull-farm", "pipeline", NULL,
};
enum { ONE_WAY, INTERVAL, STREAM, PINGPONG, EXCHANGE, OUTFARMING, FUNNEL, RING, ALLTOALL, SCATTER,
       BROADCAST, PUSH, PULL, PIPELINE, NPATTERNS };
_Static_assert(sizeof(model_patterns) / sizeof(model_patterns[0]) == NPATTERNS + 1, "a name each");

/* One of messages, others, ranks, farm, pipeline and fill says what the row is. */
static const struct form {
	int pattern;
	const char *algorithm;		/* NULL: there is only one */
	bool many;			/* needs a number of ranks */
	/* Times by the number of --messages, of the other ranks, of all ranks. */
	double (*messages)(const struct loggp *p, uint64_t k, uint64_t n);
	double (*others)(const struct loggp *p, uint64_t k, uint64_t n);
	double (*ranks)(const struct loggp *p, uint64_t k, uint64_t n);
	struct atlas_farm (*farm)(const struct loggp *p, uint64_t k, uint64_t S, double t);
	const struct atlas_topology *pipeline;
	const char *lacks;		/* remark with too few ranks for one pipeline */
	void (*fill)(const struct loggp_report *r, uint64_t k, struct outcome *o);
} forms[] = {
	{ ONE_WAY, .fill = one_way },
	{ INTERVAL, .fill = interval },
	{ STREAM, .messages = loggp_stream },
	{ PINGPONG, .messages = loggp_pingpong },
	{ EXCHANGE, .messages = loggp_exchange },
	{ OUTFARMING, NULL, true, .others = atlas_outfarming },
	{ FUNNEL, NULL, true, .others = atlas_funnel },
	{ RING, NULL, true, .ranks = collective_ring },
	{ ALLTOALL, "blocking", true, .ranks = collective_alltoall },
	{ ALLTOALL, "non-blocking", true, .fill = alltoall_nonblocking },
	{ SCATTER, "binomial", true, .fill = scatter },
	{ BROADCAST, "binomial", true, .fill = binomial },
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
#define NFORMS (sizeof(forms) / sizeof(forms[0]))
_Static_assert(NFORMS <= FORMS_MOST, "room");

static struct outcome evaluate(const struct loggp_report *r, const struct form *form, uint64_t k)
{
	struct outcome o = { .time = NAN, .ranks = form->many ? r->ranks : 2, .remark = "" };

	if (form->messages) {
		o.messages = r->o->messages;
		o.time = form->messages(&r->p, k, o.messages);
	} else if (form->others) {
		o.time = form->others(&r->p, k, r->ranks - 1);
	} else if (form->ranks) {
		o.time = form->ranks(&r->p, k, r->ranks);
	} else if (form->fill) {
		form->fill(r, k, &o);
	} else if (form->pipeline) {
		pipeline(r, form->pipeline, form->lacks, k, &o);
	} else {
		farm(r, form->farm, k, &o);
	}
	return o;
}

static void fill_time(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct loggp_report *r = arg;
	const struct form *form = r->forms[i / r->sizes.n];
	uint64_t k = r->sizes.v[i % r->sizes.n];
	struct outcome o = evaluate(r, form, k);

	row_set(row, rec, COL_PATTERN, val_text(model_patterns[form->pattern]));
	if (form->algorithm)
		row_set(row, rec, COL_ALGORITHM, val_text(form->algorithm));
	row_set(row, rec, COL_SIZE, val_uint(k));
	row_set(row, rec, COL_RANKS, val_uint(o.ranks));
	if (o.messages)
		row_set(row, rec, COL_MESSAGES, val_uint(o.messages));
	if (o.segment)
		row_set(row, rec, COL_SEGMENT_SIZE, val_uint(o.segment));
	row_set(row, rec, COL_MODEL_TIME, val_real(o.time));
	if (o.frequency > 0)
		row_set(row, rec, COL_MODEL_FREQUENCY, val_real(o.frequency));
	row_set(row, rec, COL_REMARK, val_text(o.remark));
}

/* ---- reports ---- */

static json_t *describe(const struct loggp_report *r)
{
	json_t *env = host_collect(), *of = parameters_object(&r->p);

	if (r->ranks)
		json_object_set_new(of, "P", json_integer((json_int_t)r->ranks));
	if (r->o->like)
		json_object_set_new(of, "like", json_string(r->o->like));
	json_object_set_new(env, "loggp", of);
	return env;
}

/*
 * Hockney's view: rate and half-length of one message after the other, and of a stream (METHODS
 * 1.1).
 */
static void conclude(struct record *rec, const struct loggp_report *r, char *footer, size_t len)
{
	const struct loggp *p = &r->p;
	double rate = 1 / p->G, latency = (p->o_s + p->o_r + p->L - p->G) / p->G;
	double gap = (p->g - p->G) / p->G;
	char t[32];

	if (!(p->G > 0))
		return;
	rec->summary = json_pack("{s:f, s:f}", "r_inf_Bps", rate, "n_half_latency_B", latency);
	if (gap >= 0)
		json_object_set_new(rec->summary, "n_half_stream_B", json_real(gap));
	snprintf(footer, len, "\nr_inf = 1/G = %s, half of it from %.0f B on in one message",
		 format_rate(t, sizeof(t), rate, "B/s", (enum rate_unit)r->st->output.rate_unit),
		 fmax(ceil(latency), 0));
	rec->footer = footer;
}

/* Lists the forms of the patterns asked for; by default all that the number of ranks allows. */
static int list_forms(struct loggp_report *r)
{
	for (const struct form *form = forms; form < forms + NFORMS; form++) {
		bool wanted = !r->o->patterns.n && (!form->many || r->ranks);

		for (size_t i = 0; i < r->o->patterns.n; i++)
			wanted |= r->o->patterns.v[i] == (uint64_t)form->pattern;
		if (wanted && form->many && !r->ranks)
			return error_usage(
				"pattern '%s' needs a number of ranks, as in '--loggp P=8'",
				model_patterns[form->pattern]);
		if (wanted)
			r->forms[r->nforms++] = form;
	}
	return ST_OK;
}

static int report_times(struct loggp_report *r)
{
	static const enum column_id cols[] = {
		COL_PATTERN, COL_ALGORITHM, COL_SIZE, COL_RANKS, COL_MESSAGES, COL_SEGMENT_SIZE,
		COL_MODEL_TIME, COL_MODEL_FREQUENCY, COL_REMARK,
	};
	static const enum column_id spare[] = { COL_REMARK, COL_SEGMENT_SIZE, COL_MESSAGES };
	char footer[128];
	struct record rec = MODEL_RECORD("model.loggp.v1", r->title, cols);
	int err = list_forms(r);

	if (err)
		return err;
	MODEL_SPARE(&rec, spare);
	rec.environment = describe(r);
	conclude(&rec, r, footer, sizeof(footer));
	return model_write(r->st, &rec, r->nforms * r->sizes.n, fill_time, r);
}

/* ---- FFT ---- */

static void fill_layout(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct loggp_report *r = arg;
	enum fft_layout layout = i % FFT_LAYOUTS;
	uint64_t size = r->sizes.v[i / FFT_LAYOUTS];
	struct collective_fft f = collective_fft(&r->p, (double)size, (double)r->o->fft, r->ranks);
	double time = layout == FFT_HYBRID ? f.hybrid : f.block,
	       best = f.hybrid < f.block ? f.hybrid : f.block,
	       computing = (double)fft_butterflies(r->o->fft, r->ranks) * r->butterfly;

	row_set(row, rec, COL_POINT_SIZE, val_uint(size));
	row_set(row, rec, COL_LAYOUT, val_text(fft_layouts[layout]));
	row_set(row, rec, COL_MODEL_TIME, val_real(time));
	row_set(row, rec, COL_COMPUTING, val_real(computing));
	row_set(row, rec, COL_TOTAL, val_real(time + computing));
	row_set(row, rec, COL_REMARK, val_text(isnan(time) ? model_fft_no_hybrid
					       : time <= best ? "fastest" : ""));
}

static int report_fft(struct loggp_report *r)
{
	static const enum column_id cols[] = { COL_POINT_SIZE, COL_LAYOUT, COL_MODEL_TIME,
					       COL_COMPUTING, COL_TOTAL, COL_REMARK };
	static const char *const heads[LENGTH(cols)] = { [2] = "communication" };
	char title[320];
	struct record rec = MODEL_RECORD("model.loggp-fft.v1", title, cols);
	int err = r->ranks ? model_check_fft(r->o->fft, r->ranks)
			   : error_usage("'--fft' needs a number of ranks, as in '--loggp P=8'");

	err = err ? err : model_parse_butterfly(r->st, true, &r->butterfly);
	if (err)
		return err;
	snprintf(title, sizeof(title), "%s, FFT of %llu points", r->title,
		 (unsigned long long)r->o->fft);
	if (r->o->picture)
		return model_fft_picture(r->st, r->ranks, title);
	rec.heads = heads;
	rec.environment = describe(r);
	return model_write(r->st, &rec, FFT_LAYOUTS * r->sizes.n, fill_layout, r);
}

/* ---- which report ---- */

/* The segments whose sizes cannot be predicted. */
static void warn_of_missing(const struct loggp_report *r)
{
	for (size_t i = 0; i < r->pieces.n; i++) {
		const char *missing = loggp_missing(&r->pieces.p[i]);

		if (missing && i + 1 < r->pieces.n)
			error_warn("sizes up to %.0f B are not predicted: '%s' has not determined "
				   "their %s", r->pieces.upto[i], r->o->like, missing);
		else if (missing)
			error_warn("the largest sizes are not predicted: '%s' has not determined "
				   "their %s", r->o->like, missing);
	}
}

static int report_against(struct loggp_report *r)
{
	char title[320];
	struct record rec = { .computed = true, .definition = "model.loggp-against.v1",
			      .title = title };
	json_t *segments = json_array();

	snprintf(title, sizeof(title), "%s against a result", r->title);
	if (r->pieces.n > 1)
		snprintf(title, sizeof(title),
			 "netbench %s model: LogGP in %zu segments against a result",
			 NETBENCH_VERSION, r->pieces.n);
	for (size_t i = 0; i < r->pieces.n; i++) {
		json_t *of = parameters_object(&r->pieces.p[i]);
		bool last = i + 1 == r->pieces.n;

		json_object_set_new(of, "upto_B",
				    last ? json_null() : json_real(r->pieces.upto[i]));
		json_array_append_new(segments, of);
	}
	rec.environment = describe(r);
	json_object_set_new(json_object_get(rec.environment, "loggp"), "segments", segments);
	warn_of_missing(r);
	return model_against(r->st, &rec, predict_by_size, &r->pieces);
}

/* From the document of --like, NULL without one, and from --loggp what is said there. */
static int parse(struct loggp_report *r, const json_t *like)
{
	const char *said = r->o->loggp ? r->o->loggp : "";
	struct loggp_pieces *pieces = &r->pieces;
	int err = ST_OK;

	r->p = (struct loggp){ NAN, NAN, NAN, NAN, NAN };
	if (like)
		err = parameters_take(r->o->like, like, &r->p, pieces);
	err = err ? err : loggp_parse_ranks(said, &r->p, &r->ranks);
	err = err ? err : loggp_check(&r->p);
	for (size_t i = 0; i < pieces->n && !err; i++)
		err = loggp_parse_ranks(said, &pieces->p[i], &r->ranks);
	if (!r->o->like)
		*pieces = (struct loggp_pieces){ .n = 1, .p = { r->p } };
	return err;
}

static void make_title(struct loggp_report *r)
{
	const struct loggp *p = &r->p;
	char t[5][32], ranks[32] = "", o[72];

	for (int i = 0; i < 4; i++)
		format_si(t[i], sizeof(t[i]), (const double[]){ p->L, p->o_s, p->o_r, p->g }[i],
			  "s");
	format_si(t[4], sizeof(t[4]), p->G, "s/B");
	snprintf(o, sizeof(o), "o=%s", t[1]);
	if (p->o_s < p->o_r || p->o_s > p->o_r)
		snprintf(o, sizeof(o), "o_s=%s o_r=%s", t[1], t[2]);
	if (r->ranks)
		snprintf(ranks, sizeof(ranks), " P=%llu", (unsigned long long)r->ranks);
	snprintf(r->title, sizeof(r->title), "netbench %s model: LogGP L=%s %s g=%s G=%s%s",
		 NETBENCH_VERSION, t[0], o, t[3], t[4], ranks);
}

/*
 * Takes the parameters; *rdma: the file of --like has those of the RDMA form alone, and all that
 * was asked for has been reported.
 */
static int take_parameters(struct loggp_report *r, bool *rdma)
{
	json_t *like = NULL;
	int err = r->o->like ? parameters_load(r->o->like, &like) : ST_OK;

	*rdma = like && !r->o->loggp && !r->o->fft && parameters_only_rdma(like);
	if (!err)
		err = *rdma ? model_rdma_like(r->st, like) : parse(r, like);
	json_decref(like);
	if (!err && !*rdma)
		make_title(r);
	return err;
}

int model_loggp_given(const struct settings *st, struct loggp *p, char *title, size_t len,
		      json_t **environment)
{
	struct loggp_report r = { .st = st, .o = st->own };
	bool rdma;
	int err = take_parameters(&r, &rdma);

	*environment = NULL;
	if (err || rdma)
		return err;
	snprintf(title, len, "%s", r.title);
	*p = r.p;
	*environment = describe(&r);
	return ST_OK;
}

/* A report of the sizes asked for, by default the n of `usual`. */
static int report(const struct settings *st, int (*report_sizes)(struct loggp_report *r),
		  const uint64_t *usual, size_t n)
{
	struct loggp_report r = { .st = st, .o = st->own };
	bool rdma;
	int err = take_parameters(&r, &rdma);

	if (err || rdma)
		return err;
	err = model_sizes(st, &r.sizes, usual, n);
	err = err ? err : report_sizes(&r);
	free(r.sizes.v);
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
