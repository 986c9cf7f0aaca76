/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures half the round trip of a message between ranks 0 and 1. With one-sided operations,
 * measures the time of a read instead.
 */
#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/monitor.h"
#include "measure/plan/patterns.h"
#include "measure/sweep.h"
#include "measure/sink/sink.h"
#include "model/predict.h"

/*
 * Largest number of loops. Each iteration leaves a time stamp; up to this number, all stamps stay
 * in the cache.
 */
#define MAX_LOOPS 16384

struct latency_options {
	uint64_t loops;
	const char *between;
};

static const struct opt options[] = {
	LOOPS_OPTION(offsetof(struct latency_options, loops),
		     "round trips of a repetition; auto: about 10 ms, at most 16384"),
	BETWEEN_OPTION(offsetof(struct latency_options, between)),
	{ 0 },
};

/*
 * The columns that describe the time of a message. The values are quantiles and the mean of the
 * times of single iterations, and the median of the repetitions' mean times (epoch). An iteration
 * has `messages` consecutive messages.
 */
struct time_columns {
	double messages;
	enum column_id p50, p50_lo, p50_hi, min, p90, p99, p999, max;
	enum column_id mean, epoch, epoch_lo, epoch_hi;
	enum column_id p90_lo, p90_hi, p99_lo, p99_hi, p999_lo, p999_hi;
};
#define TABLE(metric) \
	COL_##metric##_P50, COL_##metric##_P50_LO, COL_##metric##_P50_HI, COL_##metric##_MIN, \
	COL_##metric##_P90, COL_##metric##_P99, COL_##metric##_P999, COL_##metric##_MAX, \
	COL_##metric##_MEAN, COL_##metric##_EPOCH, COL_##metric##_EPOCH_LO, COL_##metric##_EPOCH_HI
#define TAILS(metric) \
	COL_##metric##_P90_LO, COL_##metric##_P90_HI, COL_##metric##_P99_LO, \
	COL_##metric##_P99_HI, COL_##metric##_P999_LO, COL_##metric##_P999_HI
static const struct time_columns half_rtt = { 2, TABLE(HALF_RTT), TAILS(HALF_RTT) };
/* The time of a read is a whole round trip. */
static const struct time_columns read_time = { 1, TABLE(READ), TAILS(READ) };

#define COLUMNS(metric) \
	COL_SIZE, COL_LOOPS, TABLE(metric), COL_REPETITIONS, COL_ERRORS, COL_STOP, \
	COL_STALLED, COL_DISTURBANCE, \
	/* the following columns appear only in files */ \
	TAILS(metric), COL_CI_METHOD, COL_VISITS, COL_CHECKED, COL_TIME_ACF1
static const enum column_id half_rtt_cols[] = { COLUMNS(HALF_RTT) };
static const enum column_id read_cols[] = { COLUMNS(READ) };
/* Columns of the table on terminals of 80 characters. */
#define NARROW(metric) \
	COL_SIZE, COL_##metric##_P50, COL_##metric##_P50_LO, COL_##metric##_P50_HI, \
	COL_##metric##_P99, COL_##metric##_MEAN, COL_DISTURBANCE
static const enum column_id half_rtt_narrow[] = { NARROW(HALF_RTT) };
static const enum column_id read_narrow[] = { NARROW(READ) };
/* Columns of the table on backends without time stamps. */
static const enum column_id half_rtt_unstamped[] = {
	COL_SIZE, COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_LO, COL_HALF_RTT_EPOCH_HI, COL_REPETITIONS,
};
#define NCOLS LENGTH(read_cols)
#define NFILES 10	/* number of columns only in files; they come last */

static int plan_latency(struct plan *p)
{
	const struct latency_options *o = p->settings->own;
	int err = plan_ranks(p, 2);

	p->usual.max_loops = MAX_LOOPS;
	if (!err)
		err = between_parse(o->between, p->ranks, &p->pairing);
	if (!err && p->pairing.two[0])
		return error_usage("value '%s' of '--between' must begin with rank 0, which times "
				   "the single round trips", o->between);
	return err ? err : plan_add_sizes(p, &(struct spec){ .pattern = p->what->pattern,
							     .pairs = 1, .window = 1, .batch = 1,
							     .loops = o->loops, .stamps = true });
}

/*
 * Sets the cells of a time and its bounds, each divided by `messages`. The column of the upper
 * bound follows the column of the lower bound.
 */
static void put_time(struct row *row, const struct record *rec, enum column_id id,
		     enum column_id lo, double value, struct interval bounds, double messages)
{
	ROW_PUT(row, rec, { id, val_real(value / messages) },
		{ lo, val_real(bounds.lo / messages) }, { lo + 1, val_real(bounds.hi / messages) });
}

static void fill_latency_row(struct session *s, const struct result *res, struct row *row)
{
	const struct time_columns *c = s->plan->what->detail;
	const struct record *rec = &s->sink->record;
	const struct summary *t = &res->time, *i = &res->iteration;
	double n = c->messages;

	if (result_stalled_share(res) > STALLED)
		row_put(row, rec, COL_DISTURBANCE, val_text("interrupted"));
	ROW_PUT(row, rec, { c->mean, val_real(result_mean(res) / n) },
		{ COL_STALLED, val_real(result_stalled_share(res)) });
	put_time(row, rec, c->epoch, c->epoch_lo, t->p50, (struct interval){ t->lo, t->hi },
	    n * (double)res->loops);
	put_time(row, rec, c->p50, c->p50_lo, i->p50, (struct interval){ i->lo, i->hi }, n);
	put_time(row, rec, c->p90, c->p90_lo, i->p90, res->tails.p90, n);
	put_time(row, rec, c->p99, c->p99_lo, i->p99, res->tails.p99, n);
	put_time(row, rec, c->p999, c->p999_lo, i->p999, res->tails.p999, n);
	row_put(row, rec, c->min, val_real(i->min / n));
	row_put(row, rec, c->max, val_real(i->max / n));
}

static bool observe_latency(const struct session *s, const struct result *res,
			    struct observation *o)
{
	const struct time_columns *c = s->plan->what->detail;

	o->what = OBSERVED_LATENCY;
	o->read = c == &read_time;
	o->measured = res->time.p50 / (c->messages * (double)res->loops);
	return true;
}

#define BENCHMARK(metric, ...) \
	.sizes = { .max_log2 = 22 }, .min_ranks = 2, .plan = plan_latency, \
	.fill = fill_latency_row, .observe = observe_latency, \
	.columns = { .id = metric##_cols, .n = NCOLS, .ntable = NCOLS - NFILES, \
		     .narrow = metric##_narrow, .nnarrow = LENGTH(metric##_narrow), __VA_ARGS__ }

static const struct benchmark latency = {
	.definition = "latency.half-rtt.v2",
	.pattern = &pattern_pingpong,
	.detail = &half_rtt,
	BENCHMARK(half_rtt, .unstamped = half_rtt_unstamped,
		  .nunstamped = LENGTH(half_rtt_unstamped)),
};

static const struct benchmark latency_read = {
	.definition = "latency.read.v2",
	.pattern = &pattern_read,
	.detail = &read_time,
	BENCHMARK(read, .unstamped = NULL),
};

#define READ_MODE(with)                                                                            \
	&(const struct mode){ .by = { (with), .value = "read" }, \
			      .summary = "time of one read of another rank's memory", \
			      .bench = &latency_read }

const struct command cmd_latency = {
	.name = "latency",
	.summary = "half the round trip of one message",
	.options = options,
	.options_size = sizeof(struct latency_options),
	.lead = "backend sizes between point-time output",
	.bench = &latency,
	.monitor = &monitor_changes,
	.modes = (const struct mode *const[]){ READ_MODE("op"), READ_MODE("ofi-op"),
						 READ_MODE("sim-op"), NULL },
};
