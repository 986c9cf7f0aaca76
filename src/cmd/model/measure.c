/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model --measure: the experiments from which LogGP's parameters follow (METHODS 2.3). Rounds, each of which visits every
 * size with every experiment once in fresh random order, so that a drift of the machine does not look like a property of a
 * size; then the switch points found are bisected.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "cmd/model/fitted.h"
#include "cmd/model/model.h"
#include "base/error.h"
#include "base/line.h"

/* Four an octave to 1 MiB. */
static const uint64_t all_sizes[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 23, 27, 32, 38, 45, 54, 64, 76, 91, 108, 128, 152, 181, 215, 256, 304, 362,
	431, 512, 609, 724, 861, 1024, 1218, 1448, 1722, 2048, 2435, 2896, 3444, 4096, 4871, 5793, 6889, 8192, 9742, 11585,
	13777, 16384, 19484, 23170, 27554, 32768, 38968, 46341, 55109, 65536, 77936, 92682, 110218, 131072, 155872, 185364,
	220436, 262144, 311744, 370728, 440872, 524288, 623487, 741455, 881744, 1048576,
};

/* E1; E2 with windows of 2 to 32; E3; E4; E5 and what it is compared with. */
static const struct {
	const struct pattern *pattern;
	uint32_t window;
} experiments[] = {
	{ &pattern_pingpong, 1 }, { &pattern_stream, 2 },  { &pattern_stream, 4 }, { &pattern_stream, 8 },
	{ &pattern_stream, 16 },  { &pattern_stream, 32 }, { &pattern_burst, 64 }, { &pattern_backlog, 64 },
	{ &pattern_spaced, 1 },	  { &pattern_spaced, 8 },
};
#define NEXP (sizeof(experiments) / sizeof(experiments[0]))
#define STREAM 1
#define NSTREAMS 5
#define BURST 6
#define BACKLOG 7
#define NFITTED 8		/* those that the fit takes; the others only check it */
#define SPACED 8
#define DELAYED 9

/* Bytes of a burst at most, and of an iteration that is repeated. */
#define BURST_BYTES (256U << 10)
#define LOOP_BYTES (128U << 10)
#define MOST_LOOPS 256
#define DELAYED_LOOPS 16	/* times fewer iterations, each of which lasts longer by its pauses */
#define PAUSE 1.5		/* round trips */
#define MAX_LOG2 20

#define PROBES 3		/* visits of each experiment at a size by which a switch is bisected */

static struct measure_model_opts {
	bool measure;
	uint64_t rounds;
} opts;

static const struct opt options[] = {
	{ 0, "measure", NULL, OPT_FLAG, offsetof(struct measure_model_opts, measure),
	  .help = "measure LogGP's parameters between ranks 0 and 1" },
	{ 0, "rounds", "count", OPT_UINT, offsetof(struct measure_model_opts, rounds), .def = "10", .min = 2, .max = 1000,
	  .help = "rounds of all sizes and experiments in random order, after one that does not count" },
	{ 0 },
};

/* Rank 0's: medians of the visits, s of a message or of an iteration. */
struct state {
	struct fitted f;
	double *t[NEXP];		/* [round * nsizes + i] */
	const struct run *run;
	size_t visits;			/* of the plan that have given a value */
	bool fitted;
	size_t k, done;			/* the switch being bisected; visits of this probe so far */
	double low, high, middle;
	double *round_trip;		/* of the spaced messages, s, as last measured at each size; 0: not yet */
	double probe[NFITTED][PROBES];
};

/* ---- the plan ---- */

static const struct numbers *planned;

static int default_ranks(int cores)
{
	(void)cores;
	return 2;
}

/* Sizes of which a line can be fitted. */
static int check(int ranks, int most)
{
	const struct numbers *sizes = &measure_opts.sizes;
	uint64_t top = measure_opts.max_size == OPT_AUTO ? MAX_LOG2 : measure_opts.max_size;
	bool powers = opts_given("max-size") || opts_given("min-size");

	(void)ranks;
	(void)most;
	for (size_t i = 0; i < sizes->n; i++)
		if (sizes->v[i] <= (i ? sizes->v[i - 1] : 0))
			return error_usage("sizes of '--sizes' do not rise from 1 on: %llu at place %zu",
					   (unsigned long long)sizes->v[i], i + 1);
	if ((sizes->n && sizes->n < FIT_FEWEST) || (powers && top < measure_opts.min_size + FIT_FEWEST - 1))
		return error_usage("too few message sizes: a fit takes %d at least", FIT_FEWEST);
	return ST_OK;
}

/*
 * A burst is so long because the clock steps; it ends well before a queue is full. In virtual time neither is so: the
 * second message already would wait for the gap.
 */
static uint32_t window_of(size_t e, uint64_t size, bool virtual)
{
	uint64_t n = experiments[e].window;

	if (e != BURST && e != BACKLOG)
		return (uint32_t)n;
	if (virtual)
		return 1;
	while (n > 1 && n * size > BURST_BYTES)
		n /= 2;
	return (uint32_t)n;
}

static struct point point_of(size_t round, size_t e, uint64_t size, bool virtual)
{
	return (struct point){ .size = size, .window = window_of(e, size, virtual), .batch = 1, .pattern = experiments[e].pattern,
			       .ranks = 2, .setup = (uint32_t)(round * NEXP + e), .brief = round > 0 };
}

static struct point *points(const struct run *run, size_t *n)
{
	const struct numbers *sizes = &run->sizes;
	size_t each = sizes->n * NEXP;
	struct point *all = calloc((opts.rounds + 1) * each, sizeof(*all));
	uint32_t *order = calloc(each, sizeof(*order));
	struct rng rng;

	*n = 0;
	planned = sizes;
	rng_seed(&rng, measure_opts.seed);
	for (size_t r = 0; r <= opts.rounds && all && order; r++) {
		rng_permutation(&rng, order, each);
		for (size_t i = 0; i < each; i++)
			if (order[i] % NEXP < NFITTED || run->be->caps & CAP_MSG)
				all[(*n)++] = point_of(r, order[i] % NEXP, sizes->v[order[i] / NEXP],
						       run->be->caps & CAP_VIRTUAL);
	}
	free(order);
	return all;
}

/* Ranks 0 and 1, however many there are. */
static void arguments(struct pattern_args *a, const struct point *pt, uint64_t draw)
{
	(void)pt;
	(void)draw;
	a->size = 2;
	a->pairs = 1;
}

static uint64_t loops_asked(void)
{
	return 1;
}

/* Long enough to be timed, short enough to be visited often. */
static uint64_t loops(const struct point *pt, uint64_t asked)
{
	uint64_t n = LOOP_BYTES / ((pt->size + 256) * pt->window);

	(void)asked;
	if (pt->setup % NEXP == BURST || pt->setup % NEXP == BACKLOG)
		return 1;
	if (pt->setup % NEXP >= NFITTED)
		n /= DELAYED_LOOPS;
	return n < 1 ? 1 : n > MOST_LOOPS ? MOST_LOOPS : n;
}

/* ---- what was measured ---- */

static double clock_cost(const struct bench *b)
{
	return b->ep->caps & CAP_VIRTUAL ? 0 : host_clock.overhead_s;
}

/* Of a message in a burst, of an iteration elsewhere, without what reading the clock takes (as that of pauses is already). */
static double value_of(const struct bench *b, const struct result *res)
{
	size_t e = res->pt->setup % NEXP;
	double t = res->time.p50 - (e == DELAYED ? 0 : clock_cost(b));

	return e == BURST || e == BACKLOG ? t / res->pt->window : t / (double)res->loops;
}

static int start(struct state *s, const struct bench *b)
{
	int err = fitted_alloc(&s->f, planned->n, opts.rounds);

	s->run = b->run;
	s->round_trip = calloc(planned->n + 1, sizeof(double));
	err = s->round_trip ? err : -1;
	s->f.seed = measure_opts.seed;
	for (size_t i = 0; i < planned->n && !err; i++)
		s->f.size[i] = (double)planned->v[i];
	for (size_t e = 0; e < NEXP; e++) {
		s->t[e] = calloc(planned->n * opts.rounds + 1, sizeof(double));
		err = s->t[e] ? err : -1;
		for (size_t i = 0; i < planned->n * opts.rounds && !err; i++)
			s->t[e][i] = NAN;
	}
	/* a burst of short messages is timed by two readings of a clock that steps */
	s->f.systematic_s[FIT_SEND] = s->f.systematic_s[FIT_RECEIVE] =
		b->ep->caps & CAP_VIRTUAL ? 0 : host_clock.resolution_s / (2 * experiments[BURST].window);
	return err ? error_report("no memory for %zu sizes", planned->n) : ST_OK;
}

static size_t index_of(uint64_t size)
{
	size_t i = 0;

	while (i + 1 < planned->n && planned->v[i] != size)
		i++;
	return i;
}

/* Between delayed messages, so that each is sent on its own (METHODS 2.3, E5). */
static double pause_s(const struct bench *b, const struct point *pt)
{
	const struct state *s = b->state;

	if (pt->setup % NEXP < NFITTED)
		return -1;
	if (pt->setup % NEXP != DELAYED || b->job->rank || !s->run)
		return 0;
	return fmax(PAUSE * s->round_trip[index_of(pt->size)], 0);
}

static void collect(struct bench *b, const struct result *res)
{
	struct state *s = b->state;
	size_t round = res->pt->setup / NEXP, e = res->pt->setup % NEXP, i = index_of(res->pt->size);

	if (!s->run && start(s, b))
		b->job->kind->abort(b->job, ST_FAILED);
	if (s->fitted) {
		s->probe[e][s->done++ / NFITTED] = value_of(b, res);
		return;
	}
	if (e == SPACED)
		s->round_trip[i] = value_of(b, res);
	if (round)
		s->t[e][(round - 1) * planned->n + i] = value_of(b, res);
	s->visits += e < NFITTED;
}

/* The interval of messages: how the time of a window grows with it. */
static double gap_of(const double t[NSTREAMS])
{
	double n[NSTREAMS];
	struct line_fit line;

	for (size_t i = 0; i < NSTREAMS; i++)
		n[i] = experiments[STREAM + i].window;
	line = line_fit(n, t, NSTREAMS);
	return 1 / line.r_inf;
}

static double gap_at(double *const t[NEXP], size_t at)
{
	double x[NSTREAMS];

	for (size_t i = 0; i < NSTREAMS; i++)
		x[i] = t[STREAM + i][at];
	return gap_of(x);
}

/* From the experiments to the four series, of the rounds that are whole. */
static void reduce(struct state *s)
{
	size_t each = planned->n * NFITTED, whole = s->visits / each;

	s->f.nrounds = whole > 1 ? whole - 1 : 0;
	for (size_t at = 0; at < s->f.nrounds * planned->n; at++) {
		s->f.y[FIT_LATENCY][at] = s->t[0][at] / 2;
		s->f.y[FIT_GAP][at] = gap_at(s->t, at);
		s->f.y[FIT_SEND][at] = s->t[BURST][at];
		s->f.y[FIT_RECEIVE][at] = s->t[BACKLOG][at];
		s->f.delayed[at] = (s->t[DELAYED][at] - s->t[SPACED][at]) / (experiments[DELAYED].window - 1);
	}
}

/* ---- bisecting the switches ---- */

static double middle_of(double x[PROBES])
{
	double low = fmin(x[0], fmin(x[1], x[2])), high = fmax(x[0], fmax(x[1], x[2]));

	return x[0] + x[1] + x[2] - low - high;
}
_Static_assert(PROBES == 3, "the median of three");

static bool probe_is_before(struct state *s)
{
	double t[NFITTED], y[FIT_SERIES];

	for (size_t e = 0; e < NFITTED; e++)
		t[e] = middle_of(s->probe[e]);
	y[FIT_LATENCY] = t[0] / 2;
	y[FIT_GAP] = gap_of(t + STREAM);
	y[FIT_SEND] = t[BURST];
	y[FIT_RECEIVE] = t[BACKLOG];
	return fit_is_before(&s->f.fit.seg[s->k], s->middle, y);
}

static void begin_switch(struct state *s)
{
	const struct fit_segment *g = &s->f.fit.seg[s->k];

	if (s->k + 1 >= s->f.fit.nsegments)
		return;
	s->low = s->f.size[g->end - 1];
	s->high = s->f.size[g->end];
	s->done = 0;
}

/* The next size to look at; false when every switch is known to the byte. */
static bool next_probe(struct state *s)
{
	while (s->k + 1 < s->f.fit.nsegments && s->high - s->low <= 1) {
		s->f.fit.seg[s->k++].upto = s->low;
		begin_switch(s);
	}
	s->middle = floor((s->low + s->high) / 2);
	return s->k + 1 < s->f.fit.nsegments;
}

/* A point of the plan with this experiment that is verified briefly. */
static size_t like_experiment(const struct run *run, size_t e)
{
	size_t i = run->npoints - 1;

	while (i && run->points[i].setup % NEXP != e)
		i--;
	return i;
}

static bool more(struct bench *b, size_t *like, uint64_t *size)
{
	struct state *s = b->state;

	if (!s->fitted) {
		reduce(s);
		if (fitted_fit(&s->f))
			return false;
		s->fitted = true;
		begin_switch(s);
		if (!next_probe(s))
			return false;
	} else if (s->done == NFITTED * PROBES) {
		*(probe_is_before(s) ? &s->low : &s->high) = s->middle;
		s->done = 0;
		if (!next_probe(s))
			return false;
	}
	*like = like_experiment(s->run, s->done % NFITTED);
	*size = (uint64_t)s->middle;
	return true;
}

/* ---- the end ---- */

/* Of a run that was ended early, the rounds that are whole. */
static void fit_what_there_is(struct state *s)
{
	if (s->fitted || !s->run)
		return;
	reduce(s);
	s->fitted = s->f.nrounds >= 2 && !fitted_fit(&s->f);
}

static void warn_text(void *b, const char *text)
{
	bench_warn(b, "%s", text);
}

static void finish(struct bench *b)
{
	struct state *s = b->state;
	char *text;

	fit_what_there_is(s);
	text = s->fitted ? fitted_text(&s->f) : NULL;

	if (s->fitted) {
		fitted_summary(&s->f, b->record.summary);
		fitted_doubts(&s->f, warn_text, b);
		b->write_failed |= fitted_rows(&s->f, b->report, &b->record) != ST_OK;
	}
	bench_footer(b, "%s", text ? text : "\nno parameters: less than two rounds are whole");
	free(text);
	for (size_t e = 0; e < NEXP; e++)
		free(s->t[e]);
	free(s->round_trip);
	fitted_free(&s->f);
}

static const struct benchmark measure = {
	.definition = "loggp.v1",
	.pattern = &pattern_stream,
	.cols = fitted_cols,
	.ncols = FITTED_NCOLS,
	.sizes = all_sizes,
	.nsizes = sizeof(all_sizes) / sizeof(all_sizes[0]),
	.max_log2 = MAX_LOG2,
	.min_ranks = 2,
	.max_loops = MOST_LOOPS,
	.state_size = sizeof(struct state),
	.default_ranks = default_ranks,
	.check = check,
	.arguments = arguments,
	.pause_s = pause_s,
	.points = points,
	.loops_asked = loops_asked,
	.loops = loops,
	.repetitions = 5,
	.collect = collect,
	.more = more,
	.finish = finish,
};

const struct mode model_measure = {
	.by = { "measure", .bit = MODEL_MEASURE },
	.summary = "LogGP's parameters, measured: latency, overheads, gaps, and where the protocol switches",
	.options = options,
	.values = &opts,
	.bench = &measure,
};
