/* SPDX-License-Identifier: Apache-2.0 */
/*
 * b_eff as defined at HLRS (METHODS 4.1, b_eff 3.6): rings of six sizes and thirty random rings, two methods, and logarithmic
 * means: b_eff = logavg(logavg over the six, logavg over the thirty) of each pattern's mean over the sizes.
 */
#include "cmd/beff/beff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "result/reader.h"

#define NRINGS 6
#define NRANDOM 30
#define NPATTERNS (NRINGS + NRANDOM)

static const struct pattern *const methods[] = { &pattern_in_turn, &pattern_at_once };
#define NMETHODS (sizeof(methods) / sizeof(methods[0]))

static const char *const rule_names[] = { "hlrs", NULL };

static struct hlrs_opts {
	uint64_t loops, rule;
} opts;

static const struct opt options[] = {
	{ 0, "rule", "name", OPT_CHOICE, offsetof(struct hlrs_opts, rule), .def = "hlrs", .choices = rule_names,
	  .help = "rings of six sizes and thirty random rings, the best of two methods, logarithmic means" },
	{ 'l', "loops", "count", OPT_UINT, offsetof(struct hlrs_opts, loops), .def = "auto", .min = 1, .max = 1 << 24,
	  .word = "auto", .help = "iterations of a repetition; auto: about 2.5 ms" },
	{ 0 },
};

static const enum column_id cols[] = { COL_PATTERN, COL_RINGS, COL_PATTERN_BANDWIDTH };

/* Rings of neighbours: rank order[i] belongs to the ring that begins at first[i] and has len[i] ranks. */
static struct rings {
	int *order, *first, *len, *at;	/* at[rank]: where in order it is */
	char name[16], text[48];
	int messages;			/* of all ranks in one iteration */
} patterns[NPATTERNS];

/* Rank 0's: bandwidth of each pattern and size by each method. */
struct state {
	double *b[NMETHODS];		/* [pattern * nsizes + size], B/s; 0: not measured */
	size_t nsizes;
};

/* ---- who is whose neighbour ---- */

static int at_least(int a, int b)
{
	return a > b ? a : b;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

/* The rings that a wanted size makes of n ranks (METHODS 4.1): their number; those that are longer by one come last. */
static int count_rings(int n, int wanted)
{
	return at_least(1, at_most((int)(n / (double)at_most(wanted, n) + 0.4), n / 2));
}

static int make_rings(struct rings *p, int n, int nrings)
{
	int i = 0;

	p->order = calloc((size_t)n, sizeof(int));
	p->first = calloc((size_t)n, sizeof(int));
	p->len = calloc((size_t)n, sizeof(int));
	p->at = calloc((size_t)n, sizeof(int));
	if (!p->order || !p->first || !p->len || !p->at)
		return error_report("no memory for rings of %d ranks", n);
	for (int ring = 0; ring < nrings; ring++) {
		int len = n / nrings + (ring >= nrings - n % nrings), first = i;

		for (; i < first + len; i++) {
			p->order[i] = p->at[i] = i;
			p->first[i] = first;
			p->len[i] = len;
		}
		p->messages += len == 2 ? len : 2 * len;
	}
	if (n % nrings)
		snprintf(p->text, sizeof(p->text), "%d x %d, %d x %d", nrings - n % nrings, n / nrings, n % nrings,
			 n / nrings + 1);
	else
		snprintf(p->text, sizeof(p->text), "%d x %d", nrings, n / nrings);
	return ST_OK;
}

static int shuffle(struct rings *p, int n, struct rng *rng)
{
	uint32_t *order = calloc((size_t)n, sizeof(*order));

	if (!order)
		return error_report("no memory for rings of %d ranks", n);
	rng_permutation(rng, order, (size_t)n);
	for (int i = 0; i < n; i++) {
		p->order[i] = (int)order[i];
		p->at[order[i]] = i;
	}
	free(order);
	return ST_OK;
}

static int check(int ranks, int most)
{
	const int wanted[NRINGS] = { 2, 4, 8, at_least(16, ranks / 4), at_least(32, ranks / 2), ranks };
	struct rng rng;
	int err = ST_OK;

	if (ranks > most)
		return ST_OK;	/* said by the caller */
	rng_seed(&rng, measure_opts.seed);
	for (int i = 0; i < NRINGS && !err; i++) {
		snprintf(patterns[i].name, sizeof(patterns[i].name), "rings %d", i + 1);
		err = make_rings(&patterns[i], ranks, count_rings(ranks, wanted[i]));
	}
	for (int i = NRINGS; i < NPATTERNS && !err; i++) {
		snprintf(patterns[i].name, sizeof(patterns[i].name), "random %d", i - NRINGS + 1);
		err = make_rings(&patterns[i], ranks, 1);
		err = err ? err : shuffle(&patterns[i], ranks, &rng);
	}
	return err;
}

static void arguments(struct pattern_args *a, const struct point *pt, uint64_t draw)
{
	const struct rings *p = &patterns[pt->setup / NMETHODS];
	int i = a->rank < 0 ? 0 : p->at[a->rank];

	(void)draw;
	a->ranks = p->order + p->first[i];
	a->size = p->len[i];
}

/* ---- the sweep ---- */

static const struct numbers *sizes;

static int default_ranks(int cores)
{
	return cores < 2 ? 2 : cores;
}

static struct point *points(const struct run *run, size_t *n)
{
	struct point *all = calloc(NPATTERNS * NMETHODS * run->sizes.n, sizeof(*all));

	*n = 0;
	sizes = &run->sizes;
	for (uint32_t p = 0; p < NPATTERNS && all; p++)
		for (uint32_t m = 0; m < NMETHODS; m++)
			for (size_t s = 0; s < sizes->n; s++)
				all[(*n)++] = (struct point){ .size = sizes->v[s], .window = 1, .batch = 1,
							      .pattern = methods[m], .setup = p * NMETHODS + m,
							      .brief = p > 0 };
	return all;
}

static uint64_t loops_asked(void)
{
	return opts.loops;
}

static size_t index_of(uint64_t size)
{
	size_t i = 0;

	while (i + 1 < sizes->n && sizes->v[i] != size)
		i++;
	return i;
}

/* ---- results ---- */

/* The mean over the sizes of the better method; NaN if a size is missing. */
static double pattern_bandwidth(const struct state *s, size_t p)
{
	double sum = 0;

	for (size_t i = 0; i < s->nsizes; i++) {
		double best = 0;

		for (size_t m = 0; m < NMETHODS; m++)
			best = fmax(best, s->b[m] ? s->b[m][p * s->nsizes + i] : 0);
		if (!(best > 0))
			return NAN;
		sum += best;
	}
	return sum / (double)s->nsizes;
}

static const char *const method_names[NMETHODS] = { "in_turn_Bps", "at_once_Bps" };

static json_t *samples(const struct state *s, size_t p)
{
	json_t *o = json_object();

	for (size_t m = 0; m < NMETHODS; m++) {
		json_t *list = json_array();

		for (size_t i = 0; i < s->nsizes; i++)
			json_array_append_new(list, json_real(s->b[m] ? s->b[m][p * s->nsizes + i] : 0));
		json_object_set_new(o, method_names[m], list);
	}
	return o;
}

static int write_row(struct bench *b, const struct state *s, size_t p)
{
	struct row row = { .samples = samples(s, p) };
	int err;

	row_set(&row, &b->record, COL_PATTERN, val_text(patterns[p].name));
	row_set(&row, &b->record, COL_RINGS, val_text(patterns[p].text));
	row_set(&row, &b->record, COL_PATTERN_BANDWIDTH, val_real(pattern_bandwidth(s, p)));
	err = report_row(b->report, &b->record, &row);
	json_decref(row.samples);
	return err;
}

/* Room for all bandwidths, if there is none yet. */
static int start(struct state *s, size_t nsizes)
{
	s->nsizes = nsizes;
	for (size_t m = 0; m < NMETHODS; m++) {
		if (!s->b[m])
			s->b[m] = calloc(NPATTERNS * nsizes + 1, sizeof(double));
		if (!s->b[m])
			return error_report("no memory for results");
	}
	return ST_OK;
}

/* A pattern's row is written as soon as all of it is measured. */
static void collect(struct bench *b, const struct result *res)
{
	struct state *s = b->state;
	size_t p = res->pt->setup / NMETHODS, m = res->pt->setup % NMETHODS;
	double bytes = (double)res->pt->size * patterns[p].messages * (double)res->loops;

	if (start(s, sizes->n))
		b->job->kind->abort(b->job, ST_FAILED);
	s->b[m][p * sizes->n + index_of(res->pt->size)] = bytes / res->time.min;
	if (isfinite(pattern_bandwidth(s, p)) && m + 1 == NMETHODS && res->pt->size == sizes->v[sizes->n - 1])
		b->write_failed |= write_row(b, s, p) != ST_OK;
}

static double logavg(const struct state *s, size_t from, size_t to)
{
	double sum = 0;

	for (size_t p = from; p < to; p++)
		sum += log(pattern_bandwidth(s, p));
	return exp(sum / (double)(to - from));
}

static void release(struct state *s)
{
	for (size_t m = 0; m < NMETHODS; m++)
		free(s->b[m]);
}

static void finish(struct bench *b)
{
	struct state *s = b->state;
	double rings = logavg(s, 0, NRINGS), random = logavg(s, NRINGS, NPATTERNS), b_eff = sqrt(rings * random);
	char one[32], two[32], all[32], each[32];

	release(s);
	if (!isfinite(b_eff)) {
		bench_footer(b, "\nb_eff: n/a, not every pattern has a bandwidth at every size");
		return;
	}
	json_object_set_new(b->record.summary, "b_eff_Bps", json_real(b_eff));
	json_object_set_new(b->record.summary, "b_eff_rings_Bps", json_real(rings));
	json_object_set_new(b->record.summary, "b_eff_random_Bps", json_real(random));
	json_object_set_new(b->record.summary, "b_eff_process_Bps", json_real(b_eff / b->run->ranks));
	json_object_set_new(b->record.summary, "b_eff_sizes", json_integer((json_int_t)s->nsizes));
	json_object_set_new(b->record.summary, "b_eff_rule", json_string("hlrs"));
	bench_footer(b, "\nb_eff = %.5e B/s = %s, %s a process   (rule hlrs, %zu size%s)\n"
			"  logarithmic means: %s over six rings, %s over thirty random ones",
		     b_eff, format_si(all, sizeof(all), b_eff, "B/s"), format_si(each, sizeof(each), b_eff / b->run->ranks, "B/s"),
		     s->nsizes, s->nsizes == 1 ? "" : "s", format_si(one, sizeof(one), rings, "B/s"), format_si(two, sizeof(two), random, "B/s"));
}

/* ---- once more, from a result ---- */

/* Which pattern a row is of; NPATTERNS if it is of none. */
static size_t pattern_of(const json_t *row)
{
	size_t p = 0;

	while (p < NPATTERNS && strcmp(patterns[p].name, result_text(row, "pattern")) != 0)
		p++;
	return p;
}

static bool take_row(struct state *s, const json_t *row)
{
	size_t p = pattern_of(row), i;
	json_t *v;

	if (p == NPATTERNS)
		return false;
	for (size_t m = 0; m < NMETHODS; m++) {
		json_t *list = json_object_get(json_object_get(row, "samples"), method_names[m]);

		if (json_array_size(list) != s->nsizes)
			return false;
		json_array_foreach(list, i, v)
			s->b[m][p * s->nsizes + i] = json_is_number(v) ? json_number_value(v) : 0;
	}
	return isfinite(pattern_bandwidth(s, p));
}

int beff_hlrs_take(struct bench *b, const json_t *rows, const char *path)
{
	struct state *s = b->state;
	const json_t *first = json_object_get(json_array_get(rows, 0), "samples"), *row;
	size_t nsizes = json_array_size(json_object_get(first, method_names[0])), i;
	int err = check(b->run->ranks, b->run->ranks);

	err = err ? err : start(s, nsizes);
	json_array_foreach(rows, i, row)
		if (!err && !take_row(s, row))
			err = error_usage("row %zu of '%s' has not what rule 'hlrs' needs: its samples", i + 1, path);
	if (err)
		release(s);
	return err;
}

int beff_hlrs_rows(struct bench *b)
{
	struct state *s = b->state;
	int err = ST_OK;

	for (size_t p = 0; p < NPATTERNS && !err; p++)
		if (isfinite(pattern_bandwidth(s, p)))
			err = write_row(b, s, p);
	return err;
}

static const struct benchmark hlrs = {
	.definition = "beff.hlrs.v1",
	.pattern = &pattern_at_once,
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.max_log2 = 20,
	.min_ranks = 2,
	.max_loops = 1 << 20,
	.state_size = sizeof(struct state),
	.default_ranks = default_ranks,
	.check = check,
	.arguments = arguments,
	.points = points,
	.loops_asked = loops_asked,
	.round_s = 2.5e-3,
	.repetitions = 3,
	.collect = collect,
	.finish = finish,
};

const struct mode beff_hlrs = {
	.by = { "rule", .value = "hlrs" },
	.summary = "effective bandwidth as defined at HLRS: rings of six sizes and thirty random rings",
	.options = options,
	.values = &opts,
	.bench = &hlrs,
};
