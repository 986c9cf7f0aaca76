/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows of messages that end with a reply, between one or more pairs of ranks: msgrate counts
 * messages, bandwidth bytes. Or, one-sided, windows of reads without a reply. Rows of one table.
 */
#include "base/error.h"
#include "cli/command.h"
#include "measure/sweep.h"
#include "measure/sink.h"
#include "model/predict.h"

/* The named configurations: one message at a time, a window, a window posted in batches. */
static const char *const preset_names[] = { "sequential", "unbatched", "batched", NULL };
static const struct {
	uint32_t window, batch;
} presets[] = { { 1, 1 }, { 64, 1 }, { 256, 8 } };

struct stream_options {
	struct numbers windows, batches, presets;
	uint64_t loops, pairs;
	bool bidirectional;
};

#define AT(member) offsetof(struct stream_options, member)

static const struct opt options[] = {
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .def = "64", .min = 1, .max = 65536,
	  .help = "messages before the reply, all in flight; a list sweeps" },
	{ 0, "batch", "list", OPT_UINTS, AT(batches), .def = "1", .min = 1, .max = 65536,
	  .help = "messages posted with one doorbell; a list sweeps" },
	{ 0, "preset", "list", OPT_CHOICES, AT(presets), .choices = preset_names,
	  .help = "named windows and batches: sequential (1, 1), unbatched (64, 1), batched (256, "
		  "8)" },
	{ 0, "bidirectional", NULL, OPT_FLAG, AT(bidirectional),
	  .help = "both ranks of a pair send; counts both directions" },
	{ 0, "pairs", "count", OPT_UINT, AT(pairs), .def = "1", .min = 1, .max = 8192,
	  .help = "pairs of ranks at once: 0 and 1, 2 and 3, ..." },
	{ 'l', "loops", "count", OPT_UINT, AT(loops), .def = "auto", .min = 1, .max = 1 << 24,
	  .word = "auto", .help = "windows of a repetition; auto: about 10 ms" },
	{ 0 },
};

/* What is counted: the columns that say how much of it went through per second. */
struct unit {
	bool bytes;
	enum column_id median, lo, hi, min, max, pair;
};
#define UNIT(metric) \
	COL_##metric, COL_##metric##_LO, COL_##metric##_HI, COL_##metric##_MIN, COL_##metric##_MAX
static const struct unit messages = { false, UNIT(RATE), COL_PAIR_RATE };
static const struct unit bytes = { true, UNIT(BANDWIDTH), COL_PAIR_BANDWIDTH };

#define COLUMNS(metric)                                                                            \
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_LOOPS, UNIT(metric), COL_REPETITIONS, COL_ERRORS, \
	COL_STOP, \
	/* in files only */                                                                        \
	COL_PAIRS, COL_PAIR_##metric, COL_TIME, COL_CI_METHOD, COL_VISITS, COL_CHECKED, \
	COL_TIME_ACF1, COL_LATE
static const enum column_id msgrate_cols[] = { COLUMNS(RATE) },
			    bandwidth_cols[] = { COLUMNS(BANDWIDTH) };
#define NCOLS (sizeof(msgrate_cols) / sizeof(msgrate_cols[0]))
#define NFILES 8	/* of them, in files only */

/* Each batch must fit into some window, or it would silently be left out. */
static int check_batches(const struct stream_options *o)
{
	uint64_t widest = 0;

	for (size_t i = 0; i < o->windows.n; i++)
		widest = o->windows.v[i] > widest ? o->windows.v[i] : widest;
	for (size_t i = 0; i < o->batches.n; i++)
		if (o->batches.v[i] > widest)
			return error_usage("value '%llu' of '--batch' is larger than any window",
					   (unsigned long long)o->batches.v[i]);
	return ST_OK;
}

static int check_pairs(const struct plan *p, unsigned long long pairs)
{
	int most = plan_most_ranks(p);

	if (2 * pairs > (uint64_t)most)
		return error_usage(
			"value '%llu' of '--pairs' is out of range: 1 to %d on this backend", pairs,
			most / 2);
	if (2 * pairs > (uint64_t)p->ranks && p->ranks >= p->what->min_ranks)
		return error_usage("value '%llu' of '--pairs' needs %llu ranks, there are %d",
				   pairs, 2 * pairs, p->ranks);
	return ST_OK;
}

static int plan(struct plan *p)
{
	const struct settings *st = p->settings;
	const struct stream_options *o = st->own;
	struct spec spec = { .pattern = p->what->pattern,
			     .pairs = (int)o->pairs,
			     .bidirectional = o->bidirectional,
			     .elastic = !settings_given(st, "window"),
			     .loops = o->loops };
	int err = plan_ranks(p, 2 * o->pairs);

	err = err ? err : check_pairs(p, o->pairs);
	if (!err &&
	    (settings_exclude(st, "preset", "window") || settings_exclude(st, "preset", "batch")))
		err = ST_USAGE;
	if (!err && !o->presets.n)
		err = check_batches(o);
	if (err || !o->presets.n)
		return err ? err : plan_add_windows(p, &spec, &o->windows, &o->batches);
	spec.elastic = false;
	for (size_t i = 0; i < o->presets.n && !err; i++) {
		spec.window = presets[o->presets.v[i]].window;
		spec.batch = presets[o->presets.v[i]].batch;
		err = plan_add_sizes(p, &spec);
	}
	return err;
}

/* Replies do not count. What 0 bytes move has no rate: the cells stay empty. */
static void fill(struct session *s, const struct result *res, struct row *row)
{
	const struct stream_options *o = s->settings->own;
	const struct unit *u = s->plan->what->detail;
	const struct record *rec = &s->sink->record;
	const struct summary *t = &res->time;
	double each = u->bytes ? (double)res->spec->size : 1, pairs = (double)o->pairs;
	double moved =
		each * (o->bidirectional ? 2 : 1) * pairs * res->window * (double)res->loops;

	row_put(row, rec, COL_PAIRS, val_uint(o->pairs));
	if (!(each > 0))
		return;
	row_put(row, rec, u->median, val_real(moved / t->p50));
	row_put(row, rec, u->lo, val_real(moved / t->hi));
	row_put(row, rec, u->hi, val_real(moved / t->lo));
	row_put(row, rec, u->min, val_real(moved / t->max));
	row_put(row, rec, u->max, val_real(moved / t->min));
	row_put(row, rec, u->pair, val_real(moved / t->p50 / pairs));
}

static bool observe(const struct session *s, const struct result *res, struct observation *o)
{
	const struct stream_options *asked = s->settings->own;

	o->what = OBSERVED_WINDOW;
	o->both = asked->bidirectional;
	o->measured = res->time.p50 / ((double)res->loops * res->window);
	return true;
}

#define BENCHMARK(cols, unit)                                                                      \
	.columns = { (cols), NULL, NCOLS, NCOLS - NFILES }, .sizes = { .max_log2 = 22 }, \
	.min_ranks = 2, .detail = (unit), \
	.plan = plan, .fill = fill

static const struct benchmark msgrate = { BENCHMARK(msgrate_cols, &messages),
					  .pattern = &pattern_stream,
					  .definition = "msgrate.window-reply.v2",
					  .observe = observe };
static const struct benchmark msgrate_read = { BENCHMARK(msgrate_cols, &messages),
					       .pattern = &pattern_read,
					       .definition = "msgrate.window-read.v2" };
static const struct benchmark bandwidth = { BENCHMARK(bandwidth_cols, &bytes),
					    .pattern = &pattern_stream,
					    .definition = "bandwidth.window-reply.v2",
					    .observe = observe };
static const struct benchmark bandwidth_read = { BENCHMARK(bandwidth_cols, &bytes),
						 .pattern = &pattern_read,
						 .definition = "bandwidth.window-read.v2" };

#define READ_MODE(of, what)                                                                        \
	(const struct mode *const[])                                                               \
	{                                                                                          \
		&(const struct mode){ .by = { "op", .value = "read" }, .summary = (what), \
				      .bench = (of) }, NULL \
	}

const struct command cmd_msgrate = {
	.name = "msgrate",
	.summary = "messages per second with a window of messages in flight",
	.options = options,
	.options_size = sizeof(struct stream_options),
	.bench = &msgrate,
	.modes = READ_MODE(&msgrate_read, "messages per second with a window of reads in flight"),
};

const struct command cmd_bandwidth = {
	.name = "bandwidth",
	.summary = "bytes per second with a window of messages in flight",
	.options = options,
	.options_size = sizeof(struct stream_options),
	.bench = &bandwidth,
	.modes = READ_MODE(&bandwidth_read, "bytes per second with a window of reads in flight"),
};
