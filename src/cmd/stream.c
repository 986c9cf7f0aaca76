/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures windows of messages between one or more pairs of ranks: msgrate counts messages,
 * bandwidth counts bytes. Either a window ends with a reply, or it slides and each message is
 * acknowledged individually (eq. 69-72). With one-sided operations a window consists of reads and
 * has no reply.
 */

#include "base/error.h"
#include "base/stats.h"
#include "cli/command.h"
#include "cmd/knees.h"
#include "cmd/monitor.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "base/number.h"
#include "base/text.h"
#include "base/values.h"
#include "model/predict.h"
#include "model/preset.h"
#include "result/document.h"

/*
 * Values of --ack. "reply": a window ends with one reply. "each": each message is acknowledged, by
 * the transport if the transport can. "message": each message is acknowledged by another message.
 */
static const char *const ack_names[] = { "reply", "each", "message", NULL };
enum { ACK_REPLY, ACK_EACH, ACK_MESSAGE };

struct stream_options {
	struct numbers windows, batches, presets;
	uint64_t ack, loops, pairs;
	bool bidirectional, knee;
	const char *between;
};

/*
 * The time of a repetition includes filling and draining the sliding window. This takes at most the
 * share 1 / loops of the time. A repetition therefore has at least LEAST_WINDOWS windows, or
 * LEAST_LONG_WINDOWS if a window has more than LONG_WINDOW bytes.
 */
#define LEAST_WINDOWS 64
#define LEAST_LONG_WINDOWS 8
#define LONG_WINDOW (1U << 20)

#define AT(member) offsetof(struct stream_options, member)

static const struct opt options[] = {
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .def = "64", .min = 1, .max = 65536,
	  .help = "messages in flight; a reply follows each window; a list sweeps" },
	{ 0, "batch", "list", OPT_UINTS, AT(batches), .def = "1", .min = 1, .max = 65536,
	  .help = "messages posted with one doorbell; a list sweeps" },
	{ 0, "preset", "list", OPT_CHOICES, AT(presets), .choices = preset_names,
	  .help = "named windows and batches: sequential (1, 1), unbatched (64, 1), batched (256, "
		  "8)" },
	{ 0, "ack", "how", OPT_CHOICE, AT(ack), .def = "reply", .choices = ack_names,
	  .help = "how messages are acknowledged; reply: one reply per window; each: the window "
		  "slides, and each message is acknowledged, by the transport if it can; message: "
		  "the same, but always acknowledged by a message" },
	{ 0, "knee", NULL, OPT_FLAG, AT(knee),
	  .help = "also measure the windows next to the knee of each size; with --ack each or "
		  "message, and at least three windows" },
	{ 0, "bidirectional", NULL, OPT_FLAG, AT(bidirectional),
	  .help = "both ranks of a pair send at once; both directions count" },
	{ 0, "pairs", "count", OPT_UINT, AT(pairs), .def = "1", .min = 1, .max = 8192,
	  .help = "pairs of ranks that send at once" },
	BETWEEN_OPTION(AT(between)),
	LOOPS_OPTION(AT(loops), "windows of a repetition; auto: about 10 ms"),
	{ 0 },
};

/* The counted unit (messages or bytes), and the columns of its rate. */
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
	/* the following columns appear only in files */                                           \
	COL_ACK, COL_PAIRS, COL_PAIR_##metric, COL_TIME, COL_CI_METHOD, COL_VISITS, COL_CHECKED, \
	COL_TIME_ACF1, COL_LATE
static const enum column_id msgrate_cols[] = { COLUMNS(RATE) },
			    bandwidth_cols[] = { COLUMNS(BANDWIDTH) };
/* Columns of the table on terminals of 80 characters. */
#define NARROW(metric) \
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_##metric, COL_##metric##_LO, COL_##metric##_HI, \
	COL_REPETITIONS
static const enum column_id msgrate_narrow[] = { NARROW(RATE) },
			    bandwidth_narrow[] = { NARROW(BANDWIDTH) };
#define NNARROW LENGTH(msgrate_narrow)
#define NCOLS LENGTH(msgrate_cols)
#define NFILES 9	/* number of columns only in files; they come last */

/* A way to acknowledge messages. Each way measures a different quantity. */
struct ack_way {
	const struct pattern *pattern;
	const char *ack, *msgrate, *bandwidth;	/* value of column ack; names of the definitions */
	enum observed observed;
};
enum { REPLIED, BY_TRANSPORT, BY_MESSAGE, READS, READS_SLIDING };
#define WAY(quantity) "msgrate." quantity, "bandwidth." quantity
static const struct ack_way ways[] = {
	[REPLIED] = { &pattern_stream, "reply", WAY("window-reply.v2"), OBSERVED_WINDOW },
	[BY_TRANSPORT] = { &pattern_sliding, "transport", WAY("sliding-window-transport.v1"),
			   OBSERVED_COMPLETED },
	[BY_MESSAGE] = { &pattern_sliding_acked, "message", WAY("sliding-window-message.v1"),
			 OBSERVED_ACKED },
	[READS] = { &pattern_read, "", WAY("window-read.v2"), OBSERVED_WINDOW },
	[READS_SLIDING] = { &pattern_read_sliding, "transport", WAY("sliding-window-read.v1"),
			    OBSERVED_COMPLETED },
};

static const struct ack_way *chosen_ack_way(const struct plan *p)
{
	const struct stream_options *o = p->settings->own;

	if (p->what->pattern == &pattern_read)
		return &ways[o->ack == ACK_EACH ? READS_SLIDING : READS];
	if (o->ack == ACK_EACH && settings_caps(p->settings) & CAP_ACKED)
		return &ways[BY_TRANSPORT];
	return &ways[o->ack == ACK_REPLY ? REPLIED : BY_MESSAGE];
}

/*
 * Rejects batches, also the batches of presets, because a simulated LogGP network has no doorbell.
 * Returns ST_OK or ST_USAGE (reported).
 */
static int check_doorbell(const struct stream_options *o)
{
	static const char *const rdma = "LogGP does not have: use '--sim rdma:o_wqe=..,o_db=..,..'";

	for (size_t i = 0; i < o->batches.n; i++)
		if (o->batches.v[i] > 1)
			return error_usage("value '%llu' of '--batch' needs a doorbell, which %s",
					   (unsigned long long)o->batches.v[i], rdma);
	for (size_t i = 0; i < o->presets.n; i++)
		if (presets[o->presets.v[i]].batch > 1)
			return error_usage("value '%s' of '--preset' has batches of %u, which need "
					   "a doorbell, which %s", preset_names[o->presets.v[i]],
					   presets[o->presets.v[i]].batch, rdma);
	return ST_OK;
}

/*
 * Checks that the options are compatible, and sets the pairing. Returns ST_OK or an exit status
 * (reported).
 */
static int check_options(struct plan *p, const struct stream_options *o)
{
	const struct settings *st = p->settings;
	unsigned long long pairs = o->pairs;
	int most = plan_max_ranks(p), err;
	uint64_t widest = 0;

	if (2 * pairs > (uint64_t)most)
		return error_usage(
			"value '%llu' of '--pairs' is out of range: 1 to %d on this backend", pairs,
			most / 2);
	if (2 * pairs > (uint64_t)p->ranks && p->ranks >= p->what->min_ranks)
		return error_usage("value '%llu' of '--pairs' needs %llu ranks, there are %d",
				   pairs, 2 * pairs, p->ranks);
	err = between_parse(o->between, p->ranks, &p->pairing);
	if (err)
		return err;
	if (o->ack != ACK_REPLY && o->bidirectional)
		return error_usage("options '--ack %s' and '--bidirectional' exclude each other",
				   ack_names[o->ack]);
	if (o->ack == ACK_MESSAGE && p->what->pattern == &pattern_read)
		return error_usage("value 'message' of '--ack' is not for reads: their data "
				   "acknowledge them; use '--ack each'");
	if (o->knee && settings_monitors(st))
		return error_usage("options '--knee' and '--duration' exclude each other");
	if (o->knee && (!(chosen_ack_way(p)->pattern->needs & CAP_FLOW) || o->windows.n < 3))
		return error_usage("option '--knee' needs '--ack each' or '--ack message', and at "
				   "least three windows");
	if (settings_exclude(st, "preset", "window") || settings_exclude(st, "preset", "batch"))
		return ST_USAGE;
	for (size_t i = 0; i < o->windows.n; i++)
		widest = o->windows.v[i] > widest ? o->windows.v[i] : widest;
	if (st->network.known && st->be->network && (err = check_doorbell(o)))
		return err;
	for (size_t i = 0; i < o->batches.n && !o->presets.n; i++)
		/* without this error, the points of this batch would be omitted silently */
		if (o->batches.v[i] > widest)
			return error_usage("value '%llu' of '--batch' is larger than any window",
					   (unsigned long long)o->batches.v[i]);
	return ST_OK;
}

static int plan_stream(struct plan *p)
{
	const struct settings *st = p->settings;
	const struct stream_options *o = st->own;
	const struct unit *unit = p->what->detail;
	const struct ack_way *way = chosen_ack_way(p);
	struct spec spec = { .pattern = way->pattern,
			     .pairs = (int)o->pairs,
			     .bidirectional = o->bidirectional,
			     /* over time a point keeps its window: its rates are compared */
			     .elastic = !settings_given(st, "window") && !settings_monitors(st),
			     .loops = o->loops };
	int err = plan_ranks(p, 2 * o->pairs);

	p->pattern = way->pattern;
	p->definition = unit->bytes ? way->bandwidth : way->msgrate;
	if (!err)
		err = check_options(p, o);
	if (!err && !o->presets.n)
		err = plan_add_windows(p, &spec, &o->windows, &o->batches);
	spec.elastic = false;
	for (size_t i = 0; i < o->presets.n && !err; i++) {
		spec.window = presets[o->presets.v[i]].window;
		spec.batch = presets[o->presets.v[i]].batch;
		err = plan_add_sizes(p, &spec);
	}
	for (struct spec *at = p->specs; at < p->specs + p->n; at++)
		if (at->pattern->needs & CAP_FLOW)	/* the window slides */
			at->least_loops = at->size * at->window > LONG_WINDOW ? LEAST_LONG_WINDOWS
									      : LEAST_WINDOWS;
	return err;
}

/*
 * Fills a row. Rates do not count acknowledgements. Cells of bandwidth stay empty for messages of 0
 * bytes.
 */
static void fill_stream_row(struct session *s, const struct result *res, struct row *row)
{
	const struct stream_options *o = s->settings->own;
	const struct unit *u = s->plan->what->detail;
	const struct record *rec = &s->sink->record;
	const struct summary *t = &res->time;
	double each = u->bytes ? (double)res->spec->size : 1, pairs = (double)o->pairs;
	double moved =
		each * (o->bidirectional ? 2 : 1) * pairs * res->window * (double)res->loops;

	knees_keep_rates(s, res);
	ROW_PUT(row, rec, { COL_PAIRS, val_uint(o->pairs) },
		{ COL_ACK, val_text(chosen_ack_way(s->plan)->ack) });
	if (!(each > 0))
		return;
	ROW_PUT(row, rec, { u->median, val_real(moved / t->p50) },
		{ u->lo, val_real(moved / t->hi) }, { u->hi, val_real(moved / t->lo) },
		{ u->min, val_real(moved / t->max) }, { u->max, val_real(moved / t->min) },
		{ u->pair, val_real(moved / t->p50 / pairs) });
}

static bool observe_stream(const struct session *s, const struct result *res, struct observation *o)
{
	const struct stream_options *asked = s->settings->own;

	o->what = chosen_ack_way(s->plan)->observed;
	o->both = asked->bidirectional;
	o->read = s->plan->what->pattern == &pattern_read;
	o->measured = res->time.p50 / ((double)res->loops * res->window);
	return true;
}

static bool wants_knees(const struct plan *p)
{
	return ((const struct stream_options *)p->settings->own)->knee;
}

static void run_stream(struct session *s)
{
	knees_measure(s, wants_knees(s->plan));
}

static void foretell_knees(const struct plan *p, FILE *to)
{
	if (wants_knees(p))
		fprintf(to, "then up to %d more windows around the knee of each size\n",
			KNEE_NEIGHBOURS);
}

#define BENCHMARK(name, of, unit, how)                                                             \
	static const struct benchmark name = {                                                     \
		.columns = { .id = of##_cols, .n = NCOLS, .ntable = NCOLS - NFILES, \
			     .narrow = of##_narrow, .nnarrow = NNARROW }, \
		.sizes = { .max_log2 = 22 }, .min_ranks = 2, .detail = &(unit), \
		.pattern = &(how), .plan = plan_stream, .fill = fill_stream_row, \
		.observe = observe_stream, .run = run_stream, \
		.foretell = foretell_knees, \
	}

BENCHMARK(msgrate, msgrate, messages, pattern_stream);
BENCHMARK(msgrate_read, msgrate, messages, pattern_read);
BENCHMARK(bandwidth, bandwidth, bytes, pattern_stream);
BENCHMARK(bandwidth_read, bandwidth, bytes, pattern_read);

#define READ_MODE(with, of, what)                                                                  \
	&(const struct mode){ .by = { (with), .value = "read" }, .summary = (what), .bench = (of) }
#define READ_MODES(of, what)                                                                       \
	(const struct mode *const[])                                                               \
	{                                                                                          \
		READ_MODE("op", of, what), READ_MODE("ofi-op", of, what), \
		READ_MODE("sim-op", of, what), NULL                     \
	}

const struct command cmd_msgrate = {
	.name = "msgrate",
	.summary = "messages per second with a window of messages in flight",
	.options = options,
	.options_size = sizeof(struct stream_options),
	.lead = "backend sizes window pairs output",
	.bench = &msgrate,
	.monitor = &monitor_changes,
	.modes = READ_MODES(&msgrate_read, "messages per second with a window of reads in flight"),
};

const struct command cmd_bandwidth = {
	.name = "bandwidth",
	.summary = "bytes per second with a window of messages in flight",
	.options = options,
	.options_size = sizeof(struct stream_options),
	.lead = "backend sizes window pairs output",
	.bench = &bandwidth,
	.monitor = &monitor_changes,
	.modes = READ_MODES(&bandwidth_read, "bytes per second with a window of reads in flight"),
};
