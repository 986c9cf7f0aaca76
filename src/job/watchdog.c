/* SPDX-License-Identifier: Apache-2.0 */
#include "job/watchdog.h"

#include <math.h>

#include "base/clock.h"
#include "job/job.h"

/* Largest number of ranks that a message names. */
#define MAX_NAMED 4

/* A round may take this many times its expected time before it counts as a stall. */
#define ROUND_FACTOR 10

void doing_begin(struct doing *d, const char *what, double stall_s)
{
	if (!d)
		return;
	snprintf(d->what, sizeof(d->what), "%s", what);
	atomic_store(&d->peer, -1);
	atomic_store(&d->size, DOING_NO_SIZE);
	atomic_store(&d->stall_s, stall_s);
}

void doing_begin_run(struct doing *d, const struct launch *l, int rank)
{
	if (!l->command)
		return;
	doing_begin(d, l->command, l->stall_s);
	if (rank == 0 && l->limit_s > 0)
		doing_set_time_limit(d, clock_wall() + l->limit_s);
}

/* ---- judging ---- */

/* Returns true if a signal has stopped the i-th watched rank. */
static bool is_stopped(const struct watchdog *w, int i)
{
	return w->stopped && w->stopped[i] && !w->ranks[i].ended;
}

/* Returns true if the rank is inside a collective. */
static bool in_collective(const struct doing *d)
{
	return d->entered != d->left;
}

/* Returns true if the rank does not wait for others: it computes, opens its backend, or writes. */
static bool is_busy_alone(const struct doing *d)
{
	return !d->ended && (d->writing || (!d->in_round && !in_collective(d)));
}

double watchdog_tick_s(const struct doing *d)
{
	return d->stall_s > 0 ? fmin(1, fmax(0.02, d->stall_s / 10)) : 1;
}

double watchdog_longest_stall(const struct watchdog *w)
{
	double stall = 0, longest;
	bool stopped = false;

	for (int i = 0; i < w->n; i++) {
		stall = fmax(stall, w->ranks[i].stall_s);
		stopped = stopped || is_stopped(w, i);
	}
	if (stall <= 0)
		return INFINITY;
	longest = stall;
	for (int i = 0; i < w->n && !stopped; i++) {
		const struct doing *d = &w->ranks[i];

		if (d->ended)
			continue;
		longest = fmax(longest, d->writing ? INFINITY : ROUND_FACTOR * d->expected_s);
		longest = fmax(longest, is_busy_alone(d) ? WATCHDOG_ALONE_S : 0);
	}
	return w->first ? 2 * longest + 3 : longest;
}

/* ---- writing which rank waits for which ---- */

/* Adds to a message the ranks for which watched rank i waits in its collective. */
static void add_missing_ranks(const struct watchdog *w, int i, struct text *t)
{
	const struct doing *d = &w->ranks[i];
	int missing = 0, named = 0, last = d->missing;

	for (int k = 0; k < w->n; k++)
		if (!w->ranks[k].ended && w->ranks[k].entered < d->entered) {
			last = k;
			missing++;
		}
	if (last < 0 || missing > MAX_NAMED) {
		text_add(t, missing ? "%d others" : "the others", missing);
		return;
	}
	text_add(t, missing > 1 ? "ranks " : "rank %d", last);
	for (int k = 0; k < w->n && missing > 1; k++)
		if (!w->ranks[k].ended && w->ranks[k].entered < d->entered)
			text_add(t, "%s%d", !named++ ? "" : named == missing ? " and " : ", ", k);
}

/* Adds to a message what the i-th watched rank is doing. */
static void add_rank_state(const struct watchdog *w, int i, struct text *t)
{
	const struct doing *d = &w->ranks[i];

	text_add(t, "rank %d ", w->first + i);
	if (is_stopped(w, i)) {
		text_add(t, "is stopped");
	} else if (in_collective(d)) {
		text_add(t, "waits for ");
		add_missing_ranks(w, i, t);
	} else if (d->in_round && d->peer >= 0) {
		text_add(t, "waits for rank %d", d->peer);
	} else {
		text_add(t, d->in_round	 ? "is in its round"
			    : d->writing ? "writes its results"
					 : "is busy on its own");
	}
}

/* Adds to a message what the ranks are doing. Ranks that wait for others come first. */
static void add_rank_states(const struct watchdog *w, struct text *t)
{
	int said = 0, left = 0;

	for (int waiting = 1; waiting >= 0; waiting--)
		for (int i = 0; i < w->n; i++) {
			const struct doing *d = &w->ranks[i];
			bool waits = !is_stopped(w, i) &&
				     (in_collective(d) || (d->in_round && d->peer >= 0));

			if (d->ended || waits != waiting)
				continue;
			if (said == MAX_NAMED) {
				left++;
				continue;
			}
			text_add(t, said++ ? ", " : ": ");
			add_rank_state(w, i, t);
		}
	if (left)
		text_add(t, " and %d more", left);
}

/* Adds to a message the command and the message size, from the first rank that knows them. */
static void add_point(const struct watchdog *w, struct text *t)
{
	for (int i = 0; i < w->n; i++) {
		const struct doing *d = &w->ranks[i];

		if (d->ended || !d->what[0])
			continue;
		text_add(t, " in '%s'", d->what);
		if (d->size != DOING_NO_SIZE)
			text_add(t, ", size %llu", (unsigned long long)d->size);
		return;
	}
}

/* ---- ticks ---- */

bool watchdog_tick(struct watchdog *w, double now_s, struct text *why)
{
	double gap = now_s - w->last_s, due = 0, round = 0;
	uint64_t steps = 0;
	bool still, alone = false;

	/* a much longer gap means that this process did not run: count it as one tick */
	gap = gap > 3 * w->tick_s ? w->tick_s : gap;
	w->last_s = now_s;
	for (int i = 0; i < w->n; i++) {
		steps += w->ranks[i].steps;
		due = fmax(due, w->ranks[i].due_s);
		round = fmax(round, w->ranks[i].expected_s);
		alone = alone || is_busy_alone(&w->ranks[i]);
	}
	w->still_s = steps == w->seen ? w->still_s + gap : 0;
	w->seen = steps;
	w->overdue_s += due > 0 && now_s > due && !alone ? gap : 0;
	still = w->still_s > watchdog_longest_stall(w);
	if (!still && w->overdue_s <= WATCHDOG_OVERDUE_S + round)
		return false;
	text_add(why, still ? "no progress for %s s" : "the time limit was reached %s s ago",
		 plain(still ? w->still_s : w->overdue_s, 3).s);
	add_point(w, why);
	add_rank_states(w, why);
	return true;
}
