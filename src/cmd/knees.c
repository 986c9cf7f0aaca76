/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/knees.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/stats.h"
#include "measure/plan/plan.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "model/knee.h"
#include "result/document.h"

/* Number of bootstrap draws for the interval of a knee. */
#define KNEE_DRAWS 400

/*
 * Rates of a pair of ranks at a point: the median, and the rate of each visit or, with few visits,
 * of each repetition.
 */
struct rates {
	double median;
	struct series all;
};

/* All specs of the run: those of the plan, then the windows around the knees. */
struct swept {
	struct spec *specs;
	struct rates *rates;	/* rank 0: one for each spec */
	size_t n;		/* number of specs that have been measured */
};

/* If memory is short, keeps fewer rates; the knee then has no interval. */
void knees_keep_rates(struct session *s, const struct result *res)
{
	const struct swept *all = s->own;
	struct rates *p = &all->rates[res->spec - all->specs];
	double sent = res->window * (double)res->loops;
	bool visited = res->visits >= FEWEST_VISITS;
	size_t n = visited ? res->visits : res->times.n;

	p->median = res->time.n ? sent / res->time.p50 : 0;
	series_free(&p->all);		/* the rates of an earlier draft */
	for (size_t i = 0; i < n; i++) {
		size_t from = !visited ? i : i ? res->visit_end[i - 1] : 0;
		size_t end = visited ? res->visit_end[i] : i + 1;
		const struct series part = { res->times.s + from, end - from, 0 };

		if (end > from && series_push(&p->all, sent / summarise(&part).p50))
			return;
	}
}

/* ---- the knee of a size ---- */

/* Windows of a size in rising order, and their rates. */
struct rate_curve {
	double window[KNEE_MOST], rate[KNEE_MOST];
	struct knee_point point[KNEE_MOST];
	size_t n;
};

/* Returns the number of windows of the curve that are smaller. */
static size_t count_smaller(const struct rate_curve *c, double window)
{
	size_t n = 0;

	while (n < c->n && c->window[n] < window)
		n++;
	return n;
}

/* Adds a window to a curve, unless the curve has the window or is full. */
static void add_window(struct rate_curve *c, double window, const struct rates *rates)
{
	size_t at = count_smaller(c, window), after = c->n - at;

	if (c->n == KNEE_MOST || (after && c->window[at] <= window))
		return;
	memmove(&c->window[at + 1], &c->window[at], after * sizeof(*c->window));
	memmove(&c->rate[at + 1], &c->rate[at], after * sizeof(*c->rate));
	memmove(&c->point[at + 1], &c->point[at], after * sizeof(*c->point));
	c->window[at] = window;
	c->rate[at] = rates->median;
	c->point[at] = (struct knee_point){ window, rates->all };
	c->n++;
}

/* Finds the knee of a size with the first batch. Returns false if the size has none. */
static bool find_knee(const struct swept *all, uint64_t size, struct rate_curve *c, struct knee *k)
{
	*c = (struct rate_curve){ .n = 0 };
	for (size_t i = 0; i < all->n; i++)
		if (all->specs[i].size == size && all->specs[i].batch == all->specs[0].batch &&
		    all->rates[i].median > 0)
			add_window(c, all->specs[i].window, &all->rates[i]);
	return knee_find(c->window, c->rate, c->n, k);
}

/* Writes to `text` why a knee is not determined; "" if it is. */
static void put_reason(const struct knee *k, char *text, size_t len)
{
	char first[32], rtt[32];

	*text = '\0';
	if (k->lack == KNEE_BELOW)
		snprintf(text, len, "the lines intersect below a window of 1");
	if (k->lack == KNEE_OPEN)
		snprintf(text, len, "no measured window is larger than the knee: it is at least "
			 "%s", plain(k->window, 3).s);
	if (k->lack == KNEE_FIRST)
		snprintf(text, len, "window 1 has a round trip of %s, but the line has one of %s",
			 format_si(first, sizeof(first), k->rtt_first, "s"),
			 format_si(rtt, sizeof(rtt), k->rtt, "s"));
	if (k->lack == KNEE_SOFT)
		snprintf(text, len, "the rate at the nearest window is only %s of that of the "
			 "lines",
			 plain(k->softness, 2).s);
}

/* Appends the knee of a size to `knees`. Prints it, or why it is not determined. */
static void tell_knee(struct session *s, uint64_t size, const struct rate_curve *c,
		      const struct knee *k, json_t *knees)
{
	struct interval by = knee_interval(c->point, c->n, KNEE_DRAWS, s->settings->m.seed);
	char why[128], rtt[32], high[32], bounds[80] = "";

	put_reason(k, why, sizeof(why));
	json_array_append_new(knees, json_pack("{s:I, s:o, s:o, s:o, s:s, s:b, s:f, s:f, s:f}",
					       "size_B", (json_int_t)size, "knee_window",
					       real_or_null(k->lack ? NAN : k->window),
					       "knee_window_lo",
					       real_or_null(k->lack ? NAN : by.lo),
					       "knee_window_hi",
					       real_or_null(k->lack ? NAN : by.hi), "why", why,
					       "at_least", k->at_least, "rtt_s", k->rtt,
					       "rate_msgps", k->rate, "softness", k->softness));
	if (*why) {
		sink_add_footer(s, "\nknee at %" PRIu64 " B: not determined: %s", size, why);
		return;
	}
	if (!isnan(by.lo))
		snprintf(bounds, sizeof(bounds), " [%s, %s]", plain(by.lo, 3).s,
			 plain(by.hi, 3).s);
	sink_add_footer(s, "\nknee at %" PRIu64 " B: window %s%s, from a round trip of %s and %s",
			size, plain(k->window, 3).s, bounds,
			format_si(rtt, sizeof(rtt), k->rtt, "s"),
			format_si(high, sizeof(high), k->rate, "msg/s"));
}

/* ---- the windows around it ---- */

/*
 * Chooses the windows of whole batches next to a knee: the one below it and the one above it.
 * Leaves 0 instead of a measured window, and of a window above the largest measured one.
 */
static void choose_neighbours(const struct rate_curve *c, const struct knee *k, uint32_t batch,
			      uint32_t *windows)
{
	double nearest = batch * ceil(k->window / batch - 1e-9);
	const double around[KNEE_NEIGHBOURS] = { nearest - batch, nearest + batch };

	if (k->lack != KNEE_LACKS_NOTHING && k->lack != KNEE_SOFT)
		return;
	for (int i = 0; i < KNEE_NEIGHBOURS; i++) {
		size_t at = count_smaller(c, around[i]);

		if (around[i] >= batch && at < c->n && c->window[at] > around[i])
			windows[i] = (uint32_t)around[i];
	}
}

/*
 * Measures the windows next to the knee of each size. The plan begins with a spec of each size, in
 * order. Collective.
 */
static void measure_neighbours(struct session *s, struct swept *all)
{
	const struct numbers *sizes = &s->plan->sizes;
	size_t room = sizes->n * KNEE_NEIGHBOURS, n = all->n;
	uint32_t *windows = calloc(room + 1, sizeof(*windows));
	struct rate_curve c;
	struct knee k;

	if (!windows)
		session_abort(s, error_report("no memory for %zu windows", room));
	for (size_t i = 0; i < sizes->n && session_is_root(s); i++)
		if (find_knee(all, sizes->v[i], &c, &k))
			choose_neighbours(&c, &k, all->specs[0].batch,
					  windows + i * KNEE_NEIGHBOURS);
	for (size_t i = 0; i < room; i += KNEE_NEIGHBOURS)
		session_bcast(s, windows + i, KNEE_NEIGHBOURS * sizeof(*windows));
	for (size_t i = 0; i < room; i++)
		if (windows[i]) {
			all->specs[n] = all->specs[i / KNEE_NEIGHBOURS];
			all->specs[n++].window = windows[i];
		}
	free(windows);
	if (session_is_root(s))
		s->sink->count.planned += n - all->n;
	sweep_specs(s, all->specs + all->n, n - all->n);
	all->n = n;
}

void knees_measure(struct session *s, bool closer)
{
	const struct plan *p = s->plan;
	bool slides = p->pattern->needs & CAP_FLOW;
	size_t room = p->n + p->sizes.n * KNEE_NEIGHBOURS;
	struct swept all = { calloc(room + 1, sizeof(*all.specs)),
			     calloc(room + 1, sizeof(*all.rates)), p->n };
	json_t *knees = json_array();
	struct rate_curve c;
	struct knee k;

	if (!all.specs || !all.rates)
		session_abort(s, error_report("no memory for %zu points", room));
	memcpy(all.specs, p->specs, p->n * sizeof(*all.specs));
	s->own = &all;
	sweep_specs(s, all.specs, p->n);
	if (slides && closer && !session_is_over(s))
		measure_neighbours(s, &all);
	for (size_t i = 0; i < p->sizes.n && slides && session_is_root(s); i++)
		if (find_knee(&all, p->sizes.v[i], &c, &k))
			tell_knee(s, p->sizes.v[i], &c, &k, knees);
	if (json_array_size(knees))
		json_object_set(s->sink->record.summary, "knees", knees);
	json_decref(knees);
	for (size_t i = 0; i < all.n; i++)
		series_free(&all.rates[i].all);
	free(all.rates);
	free(all.specs);
	s->own = NULL;
}
