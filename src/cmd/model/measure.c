/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/line.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/stats.h"
#include "base/values.h"
#include "show/model/fitted.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"

/* Four sizes per octave, up to 1 MiB. */
static const uint64_t all_sizes[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 23, 27, 32, 38, 45, 54, 64, 76, 91, 108, 128,
	152, 181, 215, 256, 304, 362, 431, 512, 609, 724, 861, 1024, 1218, 1448, 1722, 2048, 2435,
	2896, 3444, 4096, 4871, 5793, 6889, 8192, 9742, 11585, 13777, 16384, 19484, 23170, 27554,
	32768, 38968, 46341, 55109, 65536, 77936, 92682, 110218, 131072, 155872, 185364, 220436,
	262144, 311744, 370728, 440872, 524288, 623487, 741455, 881744, 1048576,
};

/*
 * The experiments of METHODS 2.3, in this order: E1, E2 with windows of 2 to 32, E3, E4, the
 * reference of E5 (SPACED), and E5 (DELAYED).
 */
enum experiment {
	PINGPONG, STREAM, BURST = STREAM + 5, BACKLOG, SPACED, DELAYED, NEXPERIMENTS,
	NSTREAMS = BURST - STREAM,
	/*
	 * the fit uses the experiments before NFITTED; the experiments from NFITTED on only check
	 * the fit
	 */
	NFITTED = SPACED,
};
static const struct {
	const struct pattern *pattern;
	uint32_t window;
} experiments[NEXPERIMENTS] = {
	{ &pattern_pingpong, 1 }, { &pattern_stream, 2 },   { &pattern_stream, 4 },
	{ &pattern_stream, 8 },	  { &pattern_stream, 16 },  { &pattern_stream, 32 },
	{ &pattern_burst, 64 },	  { &pattern_backlog, 64 }, { &pattern_spaced, 1 },
	{ &pattern_spaced, 8 },
};

/* Largest number of bytes in a burst, and in all iterations of a repetition. */
#define BURST_BYTES (256U << 10)
#define LOOP_BYTES (128U << 10)
#define MOST_LOOPS 256
/* delayed messages have fewer iterations by this factor, because their pauses take time */
#define DELAYED_LOOPS 16
#define PAUSE 1.5		/* length of a pause, in round trips */
#define MAX_LOG2 20
#define REPETITIONS 5
/*
 * on a slow network: the longest times of a repetition and of a visit, s; a single iteration may
 * exceed them
 */
#define REPETITION_S 5e-3
#define VISIT_S 50e-3

/* visits of each experiment at a size that bisects a switch of protocols */
#define PROBES 3

struct measure_model_options {
	bool measure;
	uint64_t rounds;
};

#define AT(member) offsetof(struct measure_model_options, member)

static const struct opt options[] = {
	{ 0, "measure", NULL, OPT_FLAG, AT(measure),
	  .help = "measure LogGP's parameters between ranks 0 and 1" },
	{ 0, "rounds", "count", OPT_UINT, AT(rounds), .def = "10", .min = 2, .max = 1000,
	  .help = "rounds of all sizes and experiments in random order; one more round before them "
		  "does not count" },
	{ 0 },
};

/* The visit to which a spec of the plan belongs. */
struct visited {
	size_t round, i; /* round (0 is a warm-up and does not count); index of the size */
	enum experiment e;
};

/* ---- the plan ---- */

/* Checks that a line can be fitted to the sizes. Returns ST_OK or ST_USAGE (reported). */
static int check_sizes(const struct settings *st)
{
	const struct numbers *sizes = &st->m.sizes;
	uint64_t top = st->m.max_size == OPT_AUTO ? MAX_LOG2 : st->m.max_size;
	bool powers = settings_given(st, "max-size") || settings_given(st, "min-size");

	for (size_t i = 0; i < sizes->n; i++)
		if (sizes->v[i] <= (i ? sizes->v[i - 1] : 0))
			return error_usage(
				"'--sizes' must ascend from 1 or more: size %llu at position %zu "
				"does not",
				(unsigned long long)sizes->v[i], i + 1);
	if ((sizes->n && sizes->n < FIT_FEWEST) ||
	    (powers && top < st->m.min_size + FIT_FEWEST - 1))
		return error_usage("too few message sizes: a fit needs at least %d", FIT_FEWEST);
	return ST_OK;
}

static bool is_one_way(enum experiment e)
{
	return e == BURST || e == BACKLOG;
}

/*
 * Makes the spec of an experiment at a size. A burst is long, because the clock has a finite
 * resolution, but it ends long before a queue is full. Other experiments have enough loops for
 * exact times, but so few that many visits are possible.
 */
static struct spec make_spec(const struct plan *p, enum experiment e, uint64_t size)
{
	uint32_t window = experiments[e].window;
	uint64_t loops = LOOP_BYTES / ((size + 256) * window) / (e >= NFITTED ? DELAYED_LOOPS : 1);

	loops = loops < 1 ? 1 : loops > MOST_LOOPS ? MOST_LOOPS : loops;
	if (is_one_way(e)) {
		loops = 1;
		while (window > 1 && window * size > BURST_BYTES)
			window /= 2;
	}
	return (struct spec){ .size = size, .window = window, .batch = 1, .needs = 2, .nranks = 2,
			      .pattern = experiments[e].pattern, .pairs = 1, .loops = loops,
			      .repetitions = REPETITIONS };
}

static int plan_visits(struct plan *p)
{
	const struct measure_model_options *o = p->settings->own;
	bool messages = p->settings->be->caps & CAP_MSG;
	size_t each = p->sizes.n * NEXPERIMENTS;
	int err = check_sizes(p->settings);
	struct visited *visit;
	uint32_t *order;
	struct rng rng;

	if (!err)
		err = plan_ranks(p, 2);
	if (err)
		return err;
	p->usual.once = true;
	visit = plan_alloc(p, (o->rounds + 1) * each, sizeof(*visit));
	order = plan_alloc(p, each, sizeof(*order));
	if (!visit || !order)
		return ST_FAILED;
	rng_seed(&rng, p->settings->m.seed);
	for (size_t r = 0; r <= o->rounds; r++) {
		rng_permutation(&rng, order, each);
		for (size_t k = 0; k < each && !err; k++, visit++) {
			struct spec spec;

			*visit = (struct visited){ r, order[k] / NEXPERIMENTS,
						   (enum experiment)(order[k] % NEXPERIMENTS) };
			if (visit->e >= NFITTED && !messages)
				continue;
			spec = make_spec(p, visit->e, p->sizes.v[visit->i]);
			spec.own = visit;
			spec.check = r ? CHECK_ROUNDS : CHECK_ASKED;
			err = plan_add(p, &spec);
		}
	}
	return err;
}

/* ---- slow networks ---- */

/*
 * The line through two pilot times, s: the time of the fastest ping-pong of the smallest size, and
 * the same time of the largest size.
 */
struct pilots {
	/* round_trip: at the smallest size; byte: one-way time of each further byte */
	double round_trip, byte;
	double least;			/* smallest size, bytes */
};

/*
 * Measures the line of pilot times and sends it from rank 0 to all ranks. If the run is over, the
 * times are 0. Collective.
 */
static struct pilots measure_pilots(struct session *s)
{
	const struct numbers *sizes = &s->plan->sizes;
	const uint64_t size[] = { sizes->v[0], sizes->v[sizes->n - 1] };
	double t[2] = { 0 };

	for (size_t i = 0; i < 2 && !session_is_over(s); i++) {
		struct spec spec = make_spec(s->plan, PINGPONG, size[i]);
		struct result res;

		if (session_is_root(s))
			s->sink->count.planned++;
		spec.loops = 1;
		spec.check = CHECK_ROUNDS;
		sweep_measure(s, &spec, &res);
		t[i] = res.time.min;
		result_free(&res);
	}
	session_bcast(s, t, sizeof(t));
	return (struct pilots){
		t[0], fmax(t[1] - t[0], 0) / (2 * ((double)size[1] - (double)size[0])),
		(double)size[0] };
}

/*
 * Shortens a visit on a slow network. Reduces the iterations first, then the repetitions, unless
 * --repetitions was given.
 */
static void shorten_visit(const struct session *s, struct spec *spec, const struct pilots *pilots,
			  enum experiment e)
{
	double size = (double)spec->size;
	double round_trip = pilots->round_trip + 2 * pilots->byte * (size - pilots->least);
	uint32_t more = experiments[e].window - 1;
	/* shortest time of an iteration, with its pauses and their calibration (spaced.h) */
	double pauses = e == DELAYED ? 2 * PAUSE * more * round_trip : 0;
	double t = round_trip + more * size * pilots->byte + pauses;

	if ((double)spec->loops * t > REPETITION_S)
		spec->loops = t < REPETITION_S ? (uint64_t)(REPETITION_S / t) : 1;
	t *= (double)spec->loops;
	if (!settings_given(s->settings, "repetitions") && REPETITIONS * t > VISIT_S)
		spec->repetitions = t < VISIT_S ? (uint64_t)(VISIT_S / t) : 1;
}

/*
 * Measures an experiment in a short visit. Sets *value to the time of a message of a burst or, for
 * other experiments, to the time of an iteration, s. Subtracts the time to launch a repetition on a
 * device. Also subtracts the time to read the clock, unless the pauses account for that time.
 * *value is the same on all ranks, except for these costs. Returns false if nothing was measured.
 */
static bool visit_experiment(struct session *s, struct spec spec, const struct pilots *pilots,
			     enum experiment e, double *value)
{
	double cost = e == DELAYED || settings_virtual(s->settings) ? 0 : host_clock.overhead_s, t;
	struct result res;
	bool measured;

	shorten_visit(s, &spec, pilots, e);
	measured = sweep_measure(s, &spec, &res);
	t = res.time.p50 - cost - s->ep->launch_s;
	if (t < 0)
		t = 0;		/* the time is shorter than the clock can measure */
	*value = is_one_way(e) ? t / spec.window : t / (double)res.loops;
	result_free(&res);
	return measured;
}

/* ---- the rounds ---- */

/* On rank 0: for each visit, the median time of a message or of an iteration, s. */
struct medians {
	struct fitted f;
	struct pilots pilots;		/* pilot times, known on all ranks */
	/*
	 * Latest value of the spaced messages at each size, s; 0: none yet. The arrays in `t` are
	 * part of the same allocation.
	 */
	double *round_trip;
	double *t[NEXPERIMENTS];	/* [(round - 1) * nsizes + i]; NaN: not measured */
	size_t visits;			/* number of visits of experiments that the fit uses */
};

/* Rank 0: allocates and initialises the medians. */
static void prepare_medians(struct session *s, struct medians *m)
{
	const struct measure_model_options *o = s->settings->own;
	const struct numbers *sizes = &s->plan->sizes;
	size_t n = sizes->n * o->rounds;

	m->round_trip = memory_new(sizes->n + NEXPERIMENTS * n, sizeof(double));
	fitted_alloc(&m->f, sizes->n, o->rounds);
	m->f.seed = s->settings->m.seed;
	m->f.rates = (enum rate_unit)s->settings->output.rate_unit;
	for (size_t i = 0; i < sizes->n; i++)
		m->f.size[i] = (double)sizes->v[i];
	for (size_t e = 0; e < NEXPERIMENTS; e++)
		m->t[e] = m->round_trip + sizes->n + e * n;
	for (size_t k = 0; k < NEXPERIMENTS * n; k++)
		m->t[0][k] = NAN;
	/* A burst of short messages is timed by two readings of a clock with finite resolution. */
	m->f.systematic_s[FIT_SEND] = m->f.systematic_s[FIT_RECEIVE] =
		settings_virtual(s->settings)
			? 0
			: host_clock.resolution_s / (2 * experiments[BURST].window);
}

/*
 * Makes the planned visits. Delayed messages are separated by pauses, so that each is sent alone
 * (METHODS 2.3, E5).
 */
static void measure_rounds(struct session *s, struct medians *m)
{
	const struct plan *p = s->plan;

	for (size_t k = 0; k < p->n && !session_is_over(s); k++) {
		struct spec spec = p->specs[k];
		const struct visited *v = spec.own;
		double value;

		if (v->e == DELAYED && session_is_root(s))
			spec.pause_s = fmax(PAUSE * m->round_trip[v->i], 0);
		if (!visit_experiment(s, spec, &m->pilots, v->e, &value) || !session_is_root(s))
			continue;
		if (v->e == SPACED)
			m->round_trip[v->i] = value;
		if (v->round)
			m->t[v->e][(v->round - 1) * p->sizes.n + v->i] = value;
		m->visits += v->e < NFITTED;
	}
}

/*
 * Converts the experiments' values to the four series of a fit. The gap is the slope of the time of
 * a window over its number of messages.
 */
static void fill_fit_series(const double t[NFITTED], double y[FIT_SERIES])
{
	double n[NSTREAMS];

	for (size_t i = 0; i < NSTREAMS; i++)
		n[i] = experiments[STREAM + i].window;
	y[FIT_LATENCY] = t[PINGPONG] / 2;
	y[FIT_GAP] = 1 / line_fit(n, t + STREAM, NSTREAMS).r_inf;
	y[FIT_SEND] = t[BURST];
	y[FIT_RECEIVE] = t[BACKLOG];
}

/*
 * Rank 0: fits all complete rounds. Returns false if fewer than two rounds are complete, or if the
 * fit fails.
 */
static bool fit_rounds(const struct session *s, struct medians *m)
{
	size_t nsizes = s->plan->sizes.n, whole = m->visits / (nsizes * NFITTED);

	m->f.nrounds = whole > 1 ? whole - 1 : 0;
	for (size_t at = 0; at < m->f.nrounds * nsizes; at++) {
		double t[NFITTED], y[FIT_SERIES];

		for (size_t e = 0; e < NFITTED; e++)
			t[e] = m->t[e][at];
		fill_fit_series(t, y);
		for (size_t i = 0; i < FIT_SERIES; i++)
			m->f.y[i][at] = y[i];
		m->f.delayed[at] =
			(m->t[DELAYED][at] - m->t[SPACED][at]) / (experiments[DELAYED].window - 1);
	}
	return m->f.nrounds >= 2 && !fitted_estimate(&m->f);
}

/* ---- bisecting the sizes at which the protocol switches ---- */

/*
 * Measures the fitted experiments at one more size. Sets t to their medians. Returns false if the
 * run is over. Collective.
 */
static bool probe_size(struct session *s, const struct pilots *pilots, uint64_t size,
		       double t[NFITTED])
{
	double x[NFITTED][PROBES];

	if (session_is_root(s))
		s->sink->count.planned += NFITTED * PROBES;
	for (size_t k = 0; k < PROBES; k++)
		for (enum experiment e = PINGPONG; e < NFITTED; e++) {
			struct spec spec = make_spec(s->plan, e, size);

			spec.check = CHECK_ROUNDS;
			visit_experiment(s, spec, pilots, e, &x[e][k]);
			if (session_is_over(s))
				return false;
		}
	for (size_t e = 0; e < NFITTED; e++)
		t[e] = median(x[e], PROBES);
	return true;
}

/*
 * Finds the size at which each segment ends, exact to the byte. Bisects the end of a segment only
 * if LogGP describes both this segment and the next one. All ranks follow rank 0's decisions.
 */
static void bisect_switches(struct session *s, const struct pilots *pilots, struct fit *fitted)
{
	size_t nsegments = fitted->nsegments;

	session_bcast(s, &nsegments, sizeof(nsegments));
	for (size_t k = 0; k + 1 < nsegments; k++) {
		struct fit_segment *g = &fitted->seg[k];
		struct {
			double low, high;
		} at = { 0 };

		if (session_is_root(s) && !(g[0].described && g[1].described))
			at.low = at.high = g->upto;
		else if (session_is_root(s)) {
			at.low = s->plan->sizes.v[g->end - 1];
			at.high = s->plan->sizes.v[g->end];
		}
		session_bcast(s, &at, sizeof(at));
		while (at.high - at.low > 1) {
			double middle = floor((at.low + at.high) / 2), t[NFITTED], y[FIT_SERIES];

			if (!probe_size(s, pilots, (uint64_t)middle, t))
				return;
			fill_fit_series(t, y);
			if (session_is_root(s))
				*(fit_is_before(g, middle, y) ? &at.low : &at.high) = middle;
			session_bcast(s, &at, sizeof(at));
		}
		g->upto = at.low;
	}
}

/* ---- the measurement ---- */

static void run_measurement(struct session *s)
{
	struct medians m = { .visits = 0 };
	bool root = session_is_root(s), fitted;
	char *text = NULL, doubt[FITTED_DOUBT];

	if (root)
		prepare_medians(s, &m);
	m.pilots = measure_pilots(s);
	measure_rounds(s, &m);
	fitted = root && fit_rounds(s, &m);
	session_bcast(s, &fitted, sizeof(fitted));
	if (fitted && !session_is_over(s))
		bisect_switches(s, &m.pilots, &m.f.fit);
	if (root && fitted) {
		text = fitted_text(&m.f);
		fitted_summary(&m.f, s->sink->record.summary);
		for (size_t k = 0; k < m.f.fit.nsegments; k++)
			if (fitted_overheads_differ(&m.f, k, doubt))
				sink_warn(s, "%s", doubt);
		for (size_t i = 0; i < m.f.nsizes; i++) {
			struct row row = { 0 };

			fitted_row(&m.f, i, &s->sink->record, &row);
			sink_write_row(s, &row);
			json_decref(row.samples);
		}
	}
	if (root)
		sink_add_footer(s, "%s",
			    text ? text : "\nno parameters: fewer than two rounds are complete");
	free(text);
	free(m.round_trip);
	fitted_free(&m.f);
}

static const enum column_id narrow[] = {
	COL_SIZE, COL_HALF_RTT_EPOCH, COL_GAP, COL_SEND, COL_RECEIVE, COL_NOTE,
};

static const struct benchmark loggp = {
	.definition = "loggp.v2",
	.pattern = &pattern_stream,
	.columns = { .id = fitted_cols, .n = FITTED_NCOLS, .narrow = narrow,
		     .nnarrow = sizeof(narrow) / sizeof(narrow[0]) },
	.sizes = { MAX_LOG2, all_sizes, sizeof(all_sizes) / sizeof(all_sizes[0]) },
	.min_ranks = 2,
	.traits = WANTS_RDMA,
	.plan = plan_visits,
	.run = run_measurement,
};

const struct mode model_measure = {
	/* a rank that joins gets the options of the listening rank, also --measure */
	.by = { "measure", .other = "join" },
	.summary = "measure LogGP's parameters: latency, overheads, gaps, and where the protocol "
		   "switches",
	.options = options,
	.options_size = sizeof(struct measure_model_options),
	.bench = &loggp,
};
