/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/stream.h"

#include <stdlib.h>

#include "base/error.h"

/* The named configurations: one message at a time, a window, a window posted in batches. */
static const char *const preset_names[] = { "sequential", "unbatched", "batched", NULL };
static const struct {
	uint64_t window, batch;
} presets[] = { { 1, 1 }, { 64, 1 }, { 256, 8 } };

struct stream_opts stream_opts;

const struct opt stream_options[] = {
	{ 'w', "window", "list", OPT_UINTS, offsetof(struct stream_opts, windows), .def = "64",
	  .min = 1, .max = 65536, .help = "messages before the reply, all in flight; a list sweeps" },
	{ 0, "batch", "list", OPT_UINTS, offsetof(struct stream_opts, batches), .def = "1", .min = 1,
	  .max = 65536, .help = "messages posted with one doorbell; a list sweeps" },
	{ 0, "preset", "list", OPT_CHOICES, offsetof(struct stream_opts, presets),
	  .choices = preset_names,
	  .help = "named windows and batches: sequential (1, 1), unbatched (64, 1), batched (256, 8)" },
	{ 0, "bidirectional", NULL, OPT_FLAG, offsetof(struct stream_opts, bidirectional),
	  .help = "both ranks of a pair send; counts both directions" },
	{ 0, "pairs", "count", OPT_UINT, offsetof(struct stream_opts, pairs), .def = "1", .min = 1,
	  .max = 8192, .help = "pairs of ranks at once: 0 and 1, 2 and 3, ..." },
	{ 'l', "loops", "count", OPT_UINT, offsetof(struct stream_opts, loops), .def = "auto",
	  .min = 1, .max = 1 << 24, .word = "auto",
	  .help = "windows of a repetition; auto: about 10 ms" },
	{ 0 },
};

void stream_fill(const struct bench *b, const struct result *res, struct row *row, double each,
		 const struct stream_columns *cols)
{
	const struct summary *t = &res->time;
	double directions = stream_opts.bidirectional ? 2 : 1, pairs = (double)stream_opts.pairs;
	double moved = each * directions * pairs * res->pt->window * (double)res->loops;

	bench_set(b, row, COL_PAIRS, val_uint(stream_opts.pairs));
	if (!(each > 0))
		return;
	bench_set(b, row, cols->median, val_real(moved / t->p50));
	bench_set(b, row, cols->lo, val_real(moved / t->hi));
	bench_set(b, row, cols->hi, val_real(moved / t->lo));
	bench_set(b, row, cols->min, val_real(moved / t->max));
	bench_set(b, row, cols->max, val_real(moved / t->min));
	bench_set(b, row, cols->pair, val_real(moved / t->p50 / pairs));
}

int stream_ranks(int cores)
{
	(void)cores;
	return 2 * (int)stream_opts.pairs;
}

/* Each batch must fit into some window, or it would silently be left out. */
static int check_batches(void)
{
	uint64_t widest = 0;

	for (size_t i = 0; i < stream_opts.windows.n; i++)
		if (stream_opts.windows.v[i] > widest)
			widest = stream_opts.windows.v[i];
	for (size_t i = 0; i < stream_opts.batches.n; i++)
		if (stream_opts.batches.v[i] > widest)
			return error_usage("value '%llu' of '--batch' is larger than any window",
					   (unsigned long long)stream_opts.batches.v[i]);
	return ST_OK;
}

int stream_check(int ranks, int most)
{
	if (2 * stream_opts.pairs > (uint64_t)most)
		return error_usage("value '%llu' of '--pairs' is out of range: 1 to %d on this backend",
				   (unsigned long long)stream_opts.pairs, most / 2);
	if (2 * stream_opts.pairs > (uint64_t)ranks)
		return error_usage("value '%llu' of '--pairs' needs %llu ranks, there are %d",
				   (unsigned long long)stream_opts.pairs,
				   (unsigned long long)(2 * stream_opts.pairs), ranks);
	if (opts_exclude("preset", "window") || opts_exclude("preset", "batch"))
		return ST_USAGE;
	return stream_opts.presets.n ? ST_OK : check_batches();
}

void stream_arguments(struct pattern_args *args, const struct point *pt, uint64_t draw)
{
	(void)pt;
	(void)draw;
	args->pairs = (int)stream_opts.pairs;
	args->bidirectional = stream_opts.bidirectional;
}

static struct point *preset_points(const struct numbers *sizes, size_t *n)
{
	size_t chosen = stream_opts.presets.n;
	struct point *all = calloc(chosen * sizes->n, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < chosen && all; i++)
		for (size_t j = 0; j < sizes->n; j++) {
			uint64_t p = stream_opts.presets.v[i];

			all[(*n)++] = (struct point){ .size = sizes->v[j],
						      .window = (uint32_t)presets[p].window,
						      .batch = (uint32_t)presets[p].batch };
		}
	return all;
}

struct point *stream_points(const struct run *run, size_t *n)
{
	if (stream_opts.presets.n)
		return preset_points(&run->sizes, n);
	return plan_points(&run->sizes, &stream_opts.windows, &stream_opts.batches, n);
}

uint64_t stream_loops(void)
{
	return stream_opts.loops;
}

bool stream_observe(const struct bench *b, const struct result *res, struct observation *o)
{
	(void)b;
	o->what = OBSERVED_WINDOW;
	o->both = stream_opts.bidirectional;
	o->measured = res->time.p50 / ((double)res->loops * res->pt->window);
	return true;
}
