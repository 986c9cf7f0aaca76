/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sink/sink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/values.h"
#include "host/pin.h"
#include "host/warnings.h"
#include "job/watchdog.h"
#include "measure/monitor/resume.h"
#include "measure/monitor/state.h"
#include "measure/sink/describe.h"
#include "measure/sink/extra.h"
#include "model/predict.h"

/*
 * A prediction with a smaller relative deviation counts as exact, because rounding causes
 * deviations up to this size.
 */
#define EXACT 1e-9

/*
 * Largest number of single iterations that are kept in order. EVENTS_MOST: for a point (8 MiB).
 * EVENTS_ALL: for all points together (256 MiB).
 */
#define EVENTS_MOST (1 << 20)
#define EVENTS_ALL (1 << 25)

/*
 * Results with more rows than this contain the times of the repetitions only if --samples is given,
 * or if each visit has only one.
 */
#define ROWS_WITH_TIMES 1000

/* ---- samples ---- */

int samples_open(struct samples *x, int size, size_t points, bool keep)
{
	x->most = points > EVENTS_ALL / EVENTS_MOST ? EVENTS_ALL / points : EVENTS_MOST;
	x->iterations = hist_new();
	x->ranks = calloc((size_t)size, sizeof(*x->ranks));
	x->rank_times = keep ? json_array() : NULL;
	return x->iterations && x->ranks ? ST_OK : error_report("no memory for results");
}

void samples_close(struct samples *x)
{
	json_decref(x->rank_times);
	free(x->iterations);
	series_free(&x->events);
	series_free(&x->medians);
	series_free(&x->middles);
	series_free(&x->firsts);
	series_free(&x->spreads);
	series_free(&x->overlaps);
	series_free(&x->work_rates);
	free(x->ranks);
	*x = (struct samples){ 0 };
}

void samples_clear(struct samples *x, int size)
{
	hist_clear(x->iterations);
	x->events.n = x->medians.n = x->work_rates.n = x->nkept = 0;
	x->middles.n = x->firsts.n = x->spreads.n = x->overlaps.n = 0;
	for (int r = 0; r < size; r++)
		x->ranks[r] = (struct rank_sums){ .best_s = INFINITY };
	if (x->rank_times)
		json_array_clear(x->rank_times);
}

int samples_add_iterations(struct samples *x, double *stamps, uint64_t n, double scale)
{
	for (uint64_t i = 0; i < n; i++)
		stamps[i] = (stamps[i + 1] - stamps[i]) * scale * SAMPLE_UNIT_S;
	return samples_add_times(x, stamps, n);
}

int samples_add_times(struct samples *x, double *times, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t event = (uint64_t)fmax(0, times[i] / SAMPLE_UNIT_S + 0.5);

		hist_add(x->iterations, event);
		if (x->events.n < x->most && series_push(&x->events, (double)event))
			return -1;
		times[i] = (double)event * SAMPLE_UNIT_S;
	}
	return n ? series_push(&x->medians, median(times, n)) : 0;
}

static double event_at_rank(const void *events, uint64_t rank)
{
	const struct series *x = events;

	return select_double(x->s, x->n, (size_t)rank - 1);
}

/*
 * Converts quantile q of the events, *value, to seconds. *value becomes NaN if the events form too
 * few clusters for this quantile. Returns the quantile's interval in seconds; NaN for `exact`
 * times, which have no interval.
 */
static struct interval convert_quantile(const struct samples *x, double *value, double q,
					uint64_t n, bool exact)
{
	struct interval found = { NAN, NAN };

	if (!exact) {
		found = events_interval(&x->events, q);
		if ((double)n * independent_share(&x->events, *value) < quantile_min_samples(q))
			*value = NAN;
	}
	*value *= SAMPLE_UNIT_S;
	return (struct interval){ found.lo * SAMPLE_UNIT_S, found.hi * SAMPLE_UNIT_S };
}

void samples_summarise(const struct samples *x, struct result *res, bool exact, double step)
{
	struct summary *i = &res->iteration, medians;
	struct series copy = { .n = x->events.n };
	bool visits = res->visits && x->medians.n >= res->visit_end[res->visits - 1];

	/*
	 * if all events are kept, the summary is computed from them exactly; otherwise from the
	 * histogram
	 */
	*i = hist_summary(x->iterations);
	if (i->n && i->n == copy.n && (copy.s = malloc(copy.n * sizeof(*copy.s)))) {
		memcpy(copy.s, x->events.s, copy.n * sizeof(*copy.s));
		*i = summarise_ordered(copy.n, event_at_rank, &copy);
		free(copy.s);
	}
	res->tails.p90 = convert_quantile(x, &i->p90, 0.9, i->n, exact);
	res->tails.p99 = convert_quantile(x, &i->p99, 0.99, i->n, exact);
	res->tails.p999 = convert_quantile(x, &i->p999, 0.999, i->n, exact);
	i->min *= SAMPLE_UNIT_S;
	i->p50 *= SAMPLE_UNIT_S;
	i->max *= SAMPLE_UNIT_S;
	/*
	 * The interval of the median comes from the medians of the repetitions. If a repetition has
	 * no median, all medians count as one visit. Medians scatter little, so slow changes show
	 * as dependence. If there are too few medians for epochs, the interval spans all of them.
	 */
	medians = visits ? summarise_visits(&x->medians, res->visit_end, res->visits)
			 : summarise(&x->medians);
	if (medians.method == CI_NONE && medians.n >= FEWEST_UNVISITED) {
		medians.method = CI_ORDER;
		medians.lo = medians.min;
		medians.hi = medians.max;
	}
	i->method = medians.method;
	i->lo = medians.method ? fmin(medians.lo, i->p50) : NAN;
	i->hi = medians.method ? fmax(medians.hi, i->p50) : NAN;
	summary_widen(i, step);
}

static void append_bucket(void *buckets, uint64_t value, uint64_t count)
{
	json_array_append_new(buckets, json_pack("[f, I]", (double)value * SAMPLE_UNIT_S,
						 (json_int_t)count));
}

static json_t *json_array_of(const struct series *x)
{
	json_t *all = json_array();

	for (size_t i = 0; i < x->n; i++)
		json_array_append_new(all, json_real(x->s[i]));
	return all;
}

/*
 * Returns the samples of a row for JSON. These are the times of the repetitions, or with --samples
 * all samples. A collective operation also has the medians of its blocks.
 */
static json_t *samples_as_json(const struct samples *x, const struct result *res)
{
	json_t *s = json_object(), *buckets, *visits;

	json_object_set_new(s, "time_s", json_array_of(&res->times));
	if (x->rank_times)
		json_object_set(s, "rank_time_s", x->rank_times);
	if (res->visits > 1) {
		visits = json_array();
		for (size_t i = 0; i < res->visits; i++)
			json_array_append_new(visits, json_integer((json_int_t)res->visit_end[i]));
		json_object_set_new(s, "visit_end", visits);
	}
	if (res->dropped)
		json_object_set_new(s, "visits_dropped", json_integer((json_int_t)res->dropped));
	if (res->iteration.n && x->rank_times) {
		buckets = json_array();
		hist_for_each(x->iterations, append_bucket, buckets);
		json_object_set_new(s, "iteration_s_count", buckets);
	}
	if (res->iteration.n && (x->rank_times || res->spec->collective))
		json_object_set_new(s, "iteration_p50_s", json_array_of(&x->medians));
	return s;
}

/* ---- opening ---- */

/*
 * Adds the columns of --predict. Also adds columns about launches if a device runs the rounds, and
 * about the link if the device counts link events.
 */
static int add_usual_columns(const struct session *s, struct record *rec)
{
	bool launches = s->ep->launch_s > 0;
	bool monitors = settings_monitors(s->settings);
	enum column_id more[MONITOR_COLUMNS + 4 + EXTRA_LAUNCH];
	size_t n = 0, hidden = launches + 2 * s->ep->counts_link;

	if (s->settings->m.predict) {
		more[n++] = COL_MODEL_TIME;
		more[n++] = COL_RATIO;
	}
	if (launches)
		n += extra_launch_columns(more + n);
	if (s->ep->counts_link) {
		more[n++] = COL_LINK_STALL;
		more[n++] = COL_LINK_GAP;
	}
	if (monitors) {
		n += monitor_columns(rec, more + n);
		hidden = n;
	}
	return n ? extra_columns(rec, more, n, n - hidden) : ST_OK;
}

static void warn_text(void *s, const char *text)
{
	sink_warn(s, "%s", text);
}

/*
 * Called before anything is measured. Warns about the places of the ranks, and about content that
 * cannot be verified.
 */
static void warn_about_places(struct session *s, const struct place *places)
{
	int pairs = s->plan->n ? s->plan->specs[0].pairs : 0, within = 0, n = s->job->size;
	bool virtual = s->ep->caps & CAP_VIRTUAL;

	if (!virtual)
		s->sink->ranks_a_core = host_warnings(places, (size_t)n, warn_text, s);
	if (virtual || s->plan->pairing.how != BETWEEN_HOSTS || describe_count_hosts(places, n) < 2)
		pairs = 0;
	for (int i = 0; i < pairs; i++)
		within += !strcmp(places[session_rank_at(s, 2 * i)].host,
				  places[session_rank_at(s, 2 * i + 1)].host);
	if (within)
		sink_warn(s, "%d of %d pairs %s of two ranks on one host: the hosts have different "
			  "numbers of ranks", within, pairs, within == 1 ? "is" : "are");
	if (s->settings->m.verify != VERIFY_NONE && !s->ep->limits.content_len)
		sink_warn(s, "backend '%s' carries no content: nothing is verified",
			  s->ep->be->name);
}

static int open_record(struct session *s, const struct place *places)
{
	const struct columns *c = &s->plan->what->columns;
	bool unstamped = c->unstamped && !(s->ep->caps & CAP_STAMPS);
	struct sink *k = s->sink;
	int err;

	k->record = (struct record){
		.command = s->settings->command, .definition = s->plan->definition,
		.title = k->title,
		.cols = c->id, .ncols = c->n, .heads = c->heads, .ntable = c->ntable,
		.words = c->words, .brief = c->brief,
		.narrow = unstamped ? c->unstamped : c->narrow,
		.nnarrow = unstamped ? c->nunstamped : c->nnarrow,
		.nplain = c->nplain, .score = c->score,
		.options = s->settings->options,
		.environment = describe_run(s, places, k->predictions.rdma),
		.summary = json_object(),
		.warnings = json_array(), .status = "incomplete",
		.computed = s->ep->caps & CAP_VIRTUAL, .emulated = s->ep->caps & CAP_EMULATED,
	};
	err = add_usual_columns(s, &k->record);
	if (err)
		return err;
	warn_about_places(s, places);
	describe_title(s, places, json_object_get(k->record.environment, "backend"), k->title,
		       sizeof(k->title));
	if (settings_monitors(s->settings)) {
		k->count.planned *= monitor_count_intervals(s->settings);
		err = monitor_open(s, &k->record, &k->monitor);
		k->errors = err ? 0 : k->monitor->errors;
	}
	if (err)
		return err;
	return report_begin(s->report, &k->record);
}

void sink_open(struct session *s, const struct place *places, const struct rdma *rdma)
{
	struct sink *k = s->sink = calloc(1, sizeof(*k));
	int err;

	if (!k)
		session_abort(s, error_report("no memory for results"));
	k->count.planned = s->plan->n;
	k->predictions.rdma = rdma;
	progress_begin(&k->progress, s->settings->output.quiet);
	/*
	 * Clock readings of ranks on one machine can be compared directly. With SYNC_WINDOW the
	 * clocks are compared anyway.
	 */
	k->one_clock = !(s->ep->caps & CAP_VIRTUAL) && s->sync.scheme == SYNC_BARRIER;
	for (int r = 1; r < s->job->size && k->one_clock; r++)
		k->one_clock = !strcmp(places[r].machine, places[0].machine);
	/* Files are created only now, so that an earlier failure leaves none behind. */
	err = report_open(&s->report, &s->settings->output);
	if (!err)
		err = samples_open(&k->samples, s->job->size, 1, s->settings->m.samples);
	if (!err) {
		doing_write(s->job->doing, true);
		err = open_record(s, places);
		doing_write(s->job->doing, false);
	}
	if (err)
		session_abort(s, err);
}

int sink_close(struct session *s, int err)
{
	struct sink *k = s->sink;
	bool interrupted = !strcmp(k->record.status, "interrupted");
	int closed = report_close(s->report, !err && !interrupted);

	monitor_free(k->monitor);
	json_decref(k->record.environment);
	json_decref(k->record.summary);
	json_decref(k->record.warnings);
	if (k->record.cols != s->plan->what->columns.id)
		extra_free(&k->record);
	samples_close(&k->samples);
	series_free(&k->predictions.deviations);
	free(k->footer);
	free(k);
	s->sink = NULL;
	return err ? err : closed;
}

/* ---- warnings, footer, progress ---- */

void sink_warn(struct session *s, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (s->sink->monitor && !monitor_keeps_warning(&s->sink->record, text))
		return;
	progress_clear(&s->sink->progress);
	error_warn("%s", text);
	json_array_append_new(s->sink->record.warnings, json_string(text));
}

void sink_add_footer(struct session *s, const char *fmt, ...)
{
	char *text = NULL, *both = NULL, **footer = &s->sink->footer;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	if (text && asprintf(&both, "%s%s", *footer ? *footer : "", text) >= 0) {
		free(*footer);
		*footer = both;
	}
	free(text);
}

void sink_show_progress(struct session *s, const struct progress_point *point)
{
	struct sink *k = s->sink;
	bool visits = s->plan->stopping.visits > 1 && !k->monitor;

	progress_show(&k->progress, visits ? k->count.turns : k->count.done,
		      k->count.planned * (visits ? s->plan->stopping.visits : 1), point,
		      clock_wall() - s->started_s);
}

/* ---- rows ---- */

void sink_write_row(struct session *s, const struct row *row)
{
	struct row with;

	if (s->sink->monitor) {
		with = *row;
		if (monitor_take_row(s->sink->monitor, &s->sink->record, &with))
			session_abort(s, ST_FAILED);
		row = &with;
	}
	progress_clear(&s->sink->progress);
	doing_write(s->job->doing, true);
	s->sink->write_failed |= report_row(s->report, &s->sink->record, row) != ST_OK;
	doing_write(s->job->doing, false);
}

/*
 * Adds the prediction of the model to a row, and stores the prediction's deviation from the
 * measurement.
 */
static void predict(struct session *s, const struct result *res, struct row *row)
{
	struct observation o = { .size = res->spec->size, .window = res->window,
				 .batch = res->spec->batch,
				 .loops = res->loops, .benchmark = "", .algorithm = "" };
	struct predictions *p = &s->sink->predictions;
	const struct network *net = &s->settings->network;
	double model, off;

	if (!s->settings->m.predict || res->spec->load || !s->plan->what->observe(s, res, &o))
		return;
	model = p->rdma		? predict_rdma(&o, p->rdma)
		: net->is_board ? predict_board(&o, &net->board)
				: predict_by_size(&o, &net->pieces);
	off = fabs(o.measured / model - 1);
	if (off < EXACT)
		off = 0;
	row_put(row, &s->sink->record, COL_MODEL_TIME, val_real(model));
	row_put(row, &s->sink->record, COL_RATIO, val_real(o.measured / model));
	if (!isfinite(off))
		return;
	if (series_push(&p->deviations, off))
		session_abort(s, error_report("no memory for samples"));
	if (off >= p->worst) {
		p->worst = off;
		p->worst_size = res->spec->size;
	}
}

void sink_row_common(const struct record *rec, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time;

	row_put(row, rec, COL_SIZE, val_uint(res->spec->size));
	row_put(row, rec, COL_WINDOW, val_uint(res->window));
	row_put(row, rec, COL_BATCH, val_uint(res->spec->batch));
	row_put(row, rec, COL_LOOPS, val_uint(res->loops));
	row_put(row, rec, COL_REPETITIONS, val_uint(t->n));
	row_put(row, rec, COL_TIME_MIN, val_real(t->min));
	row_put(row, rec, COL_TIME, val_real(t->p50));
	row_put(row, rec, COL_TIME_LO, val_real(t->lo));
	row_put(row, rec, COL_TIME_HI, val_real(t->hi));
	row_put(row, rec, COL_TIME_P90, val_real(t->p90));
	row_put(row, rec, COL_TIME_P99, val_real(t->p99));
	row_put(row, rec, COL_TIME_MAX, val_real(t->max));
	row_put(row, rec, COL_TIME_ACF1, val_real(t->acf1));
	row_put(row, rec, COL_STOP, val_text(stop_names[res->stop]));
	row_put(row, rec, COL_CI_METHOD, val_text(ci_method_names[t->method]));
	row_put(row, rec, COL_VISITS, val_uint(res->visits));
	row_put(row, rec, COL_CHECKED, val_uint(res->checked));
	row_put(row, rec, COL_ERRORS, val_uint(res->errors));
	row_put(row, rec, COL_LATE, val_uint(res->late));
}

/*
 * Warns, once in a run, if a step of the clock is longer than a tenth of an iteration or a
 * hundredth of a repetition.
 */
static void warn_of_coarse_clock(struct session *s, const struct result *res)
{
	double step = session_clock_step(s);
	struct numeral steps = plain(step * 1e9, 3);
	unsigned long long size = res->spec->size;

	if (s->sink->warned_timer || s->ep->caps & CAP_VIRTUAL)
		return;
	s->sink->warned_timer = true;
	if (res->iteration.n && res->iteration.p50 < 10 * step)
		sink_warn(s, "single iterations of %s ns at size %llu are too short for a clock "
			  "with steps of %s ns: their percentiles are coarse",
			  plain(res->iteration.p50 * 1e9, 3).s, size, steps.s);
	else if (res->time.min < 100 * step)
		sink_warn(s, "repetitions of %s us at size %llu are too short for a clock with "
			  "steps of %s ns: use more loops",
			  plain(res->time.min * 1e6, 3).s, size, steps.s);
	else
		s->sink->warned_timer = false;
}

/* Fills `row` with the cells of one result. The caller releases row->samples. */
static void make_row(struct session *s, const struct result *res, struct row *row)
{
	bool few = s->plan->n <= ROWS_WITH_TIMES || s->plan->usual.visits ||
		   s->settings->m.samples;

	few &= !s->sink->monitor;	/* only JSON has samples, and it then has no rows */
	*row = (struct row){ .samples = few ? samples_as_json(&s->sink->samples, res) : NULL };
	sink_row_common(&s->sink->record, res, row);
	if (s->plan->what->label)
		s->plan->what->label(s, res->spec, row);
	s->plan->what->fill(s, res, row);
}

void sink_write_draft(struct session *s, const struct result *res)
{
	struct row row;

	s->sink->drafts.writing = true;
	make_row(s, res, &row);
	s->sink->drafts.writing = false;
	report_draft(s->report, &s->sink->record, &row);
	json_decref(row.samples);
}

void sink_end_drafts(struct session *s)
{
	doing_write(s->job->doing, true);
	s->sink->write_failed |= report_end_drafts(s->report) != ST_OK;
	doing_write(s->job->doing, false);
}

void sink_write_result(struct session *s, const struct result *res)
{
	struct spec_counts *n = &s->sink->count;
	struct row row;
	char note[EXTRA_NOTE];

	warn_of_coarse_clock(s, res);
	n->nfew += res->stop == STOP_SLOW;
	if (res->window < res->spec->window)
		n->shortest = n->nshortened++ && n->shortest < res->window ? n->shortest
									   : res->window;
	make_row(s, res, &row);
	predict(s, res, &row);
	extra_launch_cells(&s->sink->record, res, s->ep->launch_s, &row, note);
	row_put(&row, &s->sink->record, COL_LINK_STALL, val_real(s->ep->stall));
	row_put(&row, &s->sink->record, COL_LINK_GAP, val_real(s->ep->gap));
	sink_write_row(s, &row);
	json_decref(row.samples);
}

void sink_row_left_out(struct session *s, const struct spec *spec, const char *why)
{
	struct sink *k = s->sink;
	struct row row = { 0 };

	row_put(&row, &k->record, COL_SIZE, val_uint(spec->size));
	row_put(&row, &k->record, COL_NOTE, val_text(why));
	if (s->plan->what->label)
		s->plan->what->label(s, spec, &row);
	if (!k->count.nleft_out++)
		snprintf(k->count.why_left_out, sizeof(k->count.why_left_out), "%s", why);
	sink_write_row(s, &row);
}

/* ---- the end ---- */

static void summarise_predictions(struct session *s)
{
	const struct predictions *p = &s->sink->predictions;
	const char *model = p->rdma			    ? "the RDMA form"
			    : s->settings->network.is_board ? "the board's channels"
							    : "LogGP";
	double middle = summarise(&p->deviations).p50;

	json_object_set_new(s->sink->record.summary, "prediction",
			    json_pack("{s:I, s:f, s:f, s:I}", "points", (json_int_t)p->deviations.n,
				      "deviation_p50", middle, "deviation_max", p->worst,
				      "deviation_max_size_B", (json_int_t)p->worst_size));
	sink_add_footer(s, "\ncompared with %s: %zu points, off by %s %% in the median, by %s %% "
		    "at most (%llu B)", model, p->deviations.n, plain(100 * middle, 2).s,
		    plain(100 * p->worst, 2).s, (unsigned long long)p->worst_size);
}

/*
 * Writes a text such as " in full, one in part", which follows a number of points in a message.
 * Writes "" if no point was cut short. Returns buf.
 */
#define IN_PART 48
static char *format_cut_short(const struct spec_counts *n, char *buf)
{
	*buf = '\0';
	if (n->cut_short == 1)
		snprintf(buf, IN_PART, " in full, one in part");
	else if (n->cut_short)
		snprintf(buf, IN_PART, " in full, %zu in part", n->cut_short);
	return buf;
}

/* Warns about slow points, and about points that were not measured within the time limit. */
static void warn_of_time(struct session *s)
{
	const struct spec_counts *n = &s->sink->count;
	bool timed = s->plan->usual.time_s > 0;
	double limit_s = timed ? s->plan->usual.time_s : s->plan->limit.seconds;
	struct numeral longest = plain(s->plan->stopping.longest_s, 2);
	char limit[32], part[IN_PART];

	if (n->nshortened)
		sink_warn(s, "%zu point%s would have taken longer than %s s: windows shorter than "
			  "the default (shortest: %u); use %s",
			  n->nshortened, n->nshortened == 1 ? "" : "s", longest.s, n->shortest,
			  timed ? "a longer '--time'" : "'--window' to keep it");
	if (n->nfew)
		sink_warn(s, "%zu point%s would have taken longer than %s s: fewer than %d "
			  "repetitions, so no interval; use a longer '%s' for more",
			  n->nfew, n->nfew == 1 ? "" : "s", longest.s, FEWEST_REPETITIONS,
			  timed ? "--time" : "--point-time");
	if (s->over != STOP_TIME_LIMIT || n->planned <= n->done)
		return;
	if (limit_s < 1)
		format_si(limit, sizeof(limit), limit_s, "s");
	else
		snprintf(limit, sizeof(limit), "%g s", limit_s);
	sink_warn(s, timed ? "the time of %s is over: %zu of %zu points measured%s"
			   : "time limit of %s reached: %zu of %zu points measured%s",
		  limit, n->done, n->planned, format_cut_short(n, part));
}

int sink_conclude(struct session *s, int *verdict)
{
	struct sink *k = s->sink;
	const struct spec_counts *n = &k->count;
	bool nothing = n->nleft_out && n->nleft_out == n->done;
	bool interrupted;
	char rdma[DESCRIBE_RDMA], part[IN_PART];
	int err;

	progress_clear(&k->progress);
	if (!(s->ep->caps & CAP_VIRTUAL))
		json_object_set_new(k->record.summary, "elapsed_s",
				    json_real(clock_wall() - s->started_s));
	if (s->job->strangers)
		k->strangers.n += atomic_load(s->job->strangers);
	if (s->job->strangers || k->strangers.counted)
		json_object_set_new(k->record.summary, COUNTER_STRANGERS,
				    json_integer((json_int_t)k->strangers.n));
	warn_of_time(s);
	*verdict = s->plan->what->conclude ? s->plan->what->conclude(s) : ST_OK;
	if (k->monitor && k->monitor->skipped)
		sink_warn(s, "%zu interval%s did not begin, because measuring the plan took longer "
			  "than '--interval'", k->monitor->skipped,
			  k->monitor->skipped == 1 ? "" : "s");
	if (k->monitor)
		*verdict = k->monitor->hooks->conclude(s, k->monitor->state);
	interrupted = s->over == STOP_SIGNAL || job_stop(s->job);
	k->record.status = interrupted				? "interrupted"
			   : k->errors || k->write_failed	? "failed"
			   : n->planned > n->done || nothing	? "incomplete"
								: "complete";
	if (k->predictions.deviations.n)
		summarise_predictions(s);
	if (k->predictions.rdma)
		sink_add_footer(s, "%s", describe_rdma(rdma, sizeof(rdma), k->predictions.rdma,
						   DESCRIBE_MEASURED));
	if (interrupted || (k->footer && strcmp(k->record.status, "complete")))
		sink_add_footer(s,
				"\nthe run is %s: %zu of %zu points measured%s, %llu messages "
				"wrong", k->record.status, n->done, n->planned,
				format_cut_short(n, part), (unsigned long long)k->errors);
	k->record.footer = k->footer;
	if (k->errors)
		error_report("%llu messages arrived with wrong content",
			     (unsigned long long)k->errors);
	doing_write(s->job->doing, true);
	err = report_end(s->report, &k->record);
	doing_write(s->job->doing, false);
	if (nothing && !err)
		return error_unavailable("nothing could be measured: %s",
					 n->why_left_out + strlen("n/a: "));
	return err || k->write_failed || k->errors ? ST_FAILED : ST_OK;
}
