/* SPDX-License-Identifier: Apache-2.0 */
/*
 * b_eff as defined at HLRS (METHODS 4.1, b_eff 3.6): rings of six sizes, thirty random rings and
 * two methods. The bandwidth of a pattern is its mean over the message sizes. Logarithmic means
 * combine the patterns: b_eff = logavg(logavg over the six, logavg over the thirty).
 */
#include "cmd/beff/hlrs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/values.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "result/document.h"

#define TARGET_S 2.5e-3		/* target length of a repetition, s */
#define REPETITIONS 3

static const struct pattern *const methods[HLRS_METHODS] = { &pattern_in_turn, &pattern_at_once };
static const char *const method_names[HLRS_METHODS] = { "in_turn_Bps", "at_once_Bps" };

static const char *const rule_names[] = { "hlrs", NULL };

struct hlrs_options {
	uint64_t loops, rule;
};

static const struct opt options[] = {
	{ 0, "rule", "name", OPT_CHOICE, offsetof(struct hlrs_options, rule), .def = "hlrs",
	  .choices = rule_names,
	  .help = "rings of six sizes and thirty random rings, the best of two methods, "
		  "logarithmic means" },
	LOOPS_OPTION(offsetof(struct hlrs_options, loops),
		     "iterations of a repetition; auto: about 2.5 ms"),
	{ 0 },
};

static const enum column_id cols[] = { COL_PATTERN, COL_RINGS, COL_PATTERN_BANDWIDTH };

/* ---- rings ---- */

static int larger_of(int a, int b)
{
	return a > b ? a : b;
}

/*
 * Divides n ranks into rings of about the wanted size (METHODS 4.1). If sizes differ, the rings
 * with one more rank come last. Returns ST_OK or ST_FAILED (reported).
 */
static int make_rings(struct hlrs_pattern *p, int n, int wanted)
{
	struct groups *g = &p->rings;
	int *room = calloc((size_t)n, 4 * sizeof(int)), i = 0;
	int near = (int)(n / (double)(wanted < n ? wanted : n) + 0.4);
	int nrings = larger_of(1, near < n / 2 ? near : n / 2);

	if (!room)
		return error_report("no memory for rings of %d ranks", n);
	*g = (struct groups){ .order = room, .first = room + n, .len = room + 2 * n,
			      .at = room + 3 * n };
	for (int ring = 0; ring < nrings; ring++) {
		int len = n / nrings + (ring >= nrings - n % nrings), first = i;

		for (; i < first + len; i++) {
			g->order[i] = g->at[i] = i;
			g->first[i] = first;
			g->len[i] = len;
		}
		g->longest = larger_of(g->longest, len);
		p->messages += len == 2 ? len : 2 * len;
	}
	if (n % nrings)
		snprintf(p->text, sizeof(p->text), "%d x %d, %d x %d", nrings - n % nrings,
			 n / nrings, n % nrings, n / nrings + 1);
	else
		snprintf(p->text, sizeof(p->text), "%d x %d", nrings, n / nrings);
	return ST_OK;
}

static int make_patterns(struct hlrs *h, int ranks, uint64_t seed, size_t nsizes)
{
	const int wanted[HLRS_RINGS] = {
		2, 4, 8, larger_of(16, ranks / 4), larger_of(32, ranks / 2), ranks
	};
	uint32_t *order = calloc((size_t)ranks, sizeof(*order));
	struct rng rng;
	int err = order ? ST_OK : error_report("no memory for rings of %d ranks", ranks);

	*h = (struct hlrs){ .ranks = ranks, .nsizes = nsizes };
	rng_seed(&rng, seed);
	for (int i = 0; i < HLRS_PATTERNS && !err; i++) {
		struct hlrs_pattern *p = &h->patterns[i];
		bool random = i >= HLRS_RINGS;

		snprintf(p->name, sizeof(p->name), random ? "random %d" : "rings %d",
			 random ? i - HLRS_RINGS + 1 : i + 1);
		err = make_rings(p, ranks, random ? ranks : wanted[i]);
		if (err || !random)
			continue;
		rng_permutation(&rng, order, (size_t)ranks);
		for (int r = 0; r < ranks; r++) {
			p->rings.order[r] = (int)order[r];
			p->rings.at[order[r]] = r;
		}
	}
	free(order);
	for (size_t m = 0; m < HLRS_METHODS && !err; m++) {
		h->b[m] = calloc(HLRS_PATTERNS * nsizes + 1, sizeof(double));
		err = h->b[m] ? ST_OK : error_report("no memory for results");
	}
	return err;
}

void hlrs_free(struct hlrs *h)
{
	for (size_t p = 0; p < HLRS_PATTERNS; p++)
		free(h->patterns[p].rings.order);
	for (size_t m = 0; m < HLRS_METHODS; m++)
		free(h->b[m]);
}

/* ---- planning and measuring ---- */

static void release_hlrs(void *h)
{
	hlrs_free(h);
	free(h);
}

static int plan_hlrs(struct plan *p)
{
	const struct hlrs_options *o = p->settings->own;
	struct spec spec = { .window = 1, .batch = 1, .loops = o->loops, .target_s = TARGET_S,
			     .repetitions = REPETITIONS };
	int cores = plan_cores(p), err = plan_ranks(p, cores < 2 ? 2 : (uint64_t)cores);
	struct hlrs *h = err ? NULL : calloc(1, sizeof(*h));

	if (!h)
		return err ? err : error_report("no memory for the plan");
	spec.own = h;
	err = make_patterns(h, p->ranks, p->settings->m.seed, p->sizes.n);
	if (plan_free_later(p, release_hlrs, h))
		return ST_FAILED;
	for (size_t i = 0; i < HLRS_PATTERNS && !err; i++) {
		spec.groups = &h->patterns[i].rings;
		spec.check = i ? CHECK_ROUNDS : CHECK_ASKED;
		for (size_t m = 0; m < HLRS_METHODS && !err; m++) {
			spec.pattern = methods[m];
			err = plan_add_sizes(p, &spec);
		}
	}
	return err;
}

/* Measures all patterns. Rank 0 stores the bandwidths and writes one row per pattern. */
static void run_hlrs(struct session *s)
{
	const struct spec *spec = s->plan->specs;
	struct hlrs *h = (struct hlrs *)(uintptr_t)spec->own;
	size_t n = h->nsizes;
	bool root = session_is_root(s), over = false;
	char *text;

	for (size_t p = 0; p < HLRS_PATTERNS && !over; p++) {
		struct row row = { 0 };

		for (size_t i = 0; i < HLRS_METHODS * n && !over; i++, spec++) {
			struct result res;
			bool measured = sweep_measure(s, spec, &res);

			if (measured && root)
				h->b[i / n][p * n + i % n] =
					(double)spec->size * h->patterns[p].messages *
					(double)res.loops / res.time.min;
			result_free(&res);
			over = session_is_over(s);
		}
		if (root && hlrs_row(h, p, &s->sink->record, &row))
			sink_write_row(s, &row);
		json_decref(row.samples);
	}
	if (!root)
		return;
	text = hlrs_conclude(h, s->sink->record.summary,
			     (enum rate_unit)s->settings->output.rate_unit);
	sink_add_footer(s, "%s", text ? text : "");
	free(text);
}

/* ---- results ---- */

/*
 * Returns the bandwidth of pattern p: the mean over the sizes, with the faster method at each size.
 * Returns NaN if a size is missing.
 */
static double pattern_bandwidth(const struct hlrs *h, size_t p)
{
	double sum = 0;

	for (size_t i = 0; i < h->nsizes; i++) {
		double best = 0;

		for (size_t m = 0; m < HLRS_METHODS; m++)
			best = fmax(best, h->b[m][p * h->nsizes + i]);
		if (!(best > 0))
			return NAN;
		sum += best;
	}
	return sum / (double)h->nsizes;
}

bool hlrs_row(const struct hlrs *h, size_t p, const struct record *rec, struct row *row)
{
	double bandwidth = pattern_bandwidth(h, p);

	if (!isfinite(bandwidth))
		return false;
	row->samples = json_object();
	for (size_t m = 0; m < HLRS_METHODS; m++) {
		json_t *list = json_array();

		for (size_t i = 0; i < h->nsizes; i++)
			json_array_append_new(list, json_real(h->b[m][p * h->nsizes + i]));
		json_object_set_new(row->samples, method_names[m], list);
	}
	row_set(row, rec, COL_PATTERN, val_text(h->patterns[p].name));
	row_set(row, rec, COL_RINGS, val_text(h->patterns[p].text));
	row_set(row, rec, COL_PATTERN_BANDWIDTH, val_real(bandwidth));
	return true;
}

static double log_average(const struct hlrs *h, size_t from, size_t to)
{
	double sum = 0;

	for (size_t p = from; p < to; p++)
		sum += log(pattern_bandwidth(h, p));
	return exp(sum / (double)(to - from));
}

char *hlrs_conclude(const struct hlrs *h, json_t *summary, enum rate_unit rates)
{
	double rings = log_average(h, 0, HLRS_RINGS),
	       random = log_average(h, HLRS_RINGS, HLRS_PATTERNS),
	       b_eff = sqrt(rings * random);
	char one[32], two[32], all[32], each[32], *text;

	if (!isfinite(b_eff))
		return strdup("\nb_eff: n/a, some pattern has no bandwidth at some size");
	json_object_set_new(summary, "b_eff_Bps", json_real(b_eff));
	json_object_set_new(summary, "b_eff_rings_Bps", json_real(rings));
	json_object_set_new(summary, "b_eff_random_Bps", json_real(random));
	json_object_set_new(summary, "b_eff_process_Bps", json_real(b_eff / h->ranks));
	json_object_set_new(summary, "b_eff_sizes", json_integer((json_int_t)h->nsizes));
	json_object_set_new(summary, "b_eff_rule", json_string("hlrs"));
	if (asprintf(&text, "\nb_eff = %.5e B/s = %s, %s a process   (rule hlrs, %zu size%s)\n"
		     "  logarithmic means: %s over six rings, %s over thirty random ones",
		     b_eff, format_rate(all, sizeof(all), b_eff, "B/s", rates),
		     format_rate(each, sizeof(each), b_eff / h->ranks, "B/s", rates), h->nsizes,
		     h->nsizes == 1 ? "" : "s",
		     format_rate(one, sizeof(one), rings, "B/s", rates),
		     format_rate(two, sizeof(two), random, "B/s", rates)) < 0)
		return NULL;
	return text;
}

/* ---- earlier results ---- */

/* Reads the samples of pattern p from its row. Returns false if some are missing. */
static bool read_samples(struct hlrs *h, size_t p, const json_t *samples)
{
	size_t i;
	json_t *v;

	for (size_t m = 0; m < HLRS_METHODS; m++) {
		json_t *list = json_object_get(samples, method_names[m]);

		if (json_array_size(list) != h->nsizes)
			return false;
		json_array_foreach(list, i, v)
			h->b[m][p * h->nsizes + i] = json_is_number(v) ? json_number_value(v) : 0;
	}
	return isfinite(pattern_bandwidth(h, p));
}

int hlrs_read(struct hlrs *h, int ranks, const json_t *rows, const char *path)
{
	const json_t *row, *first = row_samples(json_array_get(rows, 0));
	int err = make_patterns(h, ranks, 1,
				json_array_size(json_object_get(first, method_names[0])));
	size_t i;

	json_array_foreach(rows, i, row) {
		size_t p = 0;

		while (!err && p < HLRS_PATTERNS &&
		       strcmp(h->patterns[p].name, row_text(row, COL_PATTERN)) != 0)
			p++;
		if (err)
			break;
		if (p == HLRS_PATTERNS || !read_samples(h, p, row_samples(row)))
			err = error_usage("row %zu of '%s' lacks the samples that rule 'hlrs' "
					  "needs", i + 1, path);
	}
	return err;
}

static const struct benchmark hlrs = {
	.definition = "beff.hlrs.v1",
	.pattern = &pattern_at_once,
	.columns = { .id = cols, .n = LENGTH(cols), .score = "b_eff" },
	.sizes = { .max_log2 = 20 },
	.min_ranks = 2,
	.plan = plan_hlrs,
	.run = run_hlrs,
};
const struct columns *const hlrs_columns = &hlrs.columns;

const struct mode beff_hlrs = {
	.by = { "rule", .value = "hlrs" },
	.summary = "effective bandwidth as defined at HLRS: rings of six sizes and thirty random "
		   "rings",
	.options = options,
	.options_size = sizeof(struct hlrs_options),
	.bench = &hlrs,
};
