/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what the watchdog reports of ranks that do not move, tick by tick, without real ranks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "job/job.h"
#include "job/watchdog.h"

#define MOST 8

/* A row of a table: what a rank does while nothing moves. */
struct state {
	enum { NO_RANK, ALONE, WRITES, IN_ROUND, GATHERS, ENDED } does;
	int peer;	/* in a round: the rank it waits for; in a collective: the missing rank */
	double expected_s;
	bool stopped;
};

#define COLLECTS { GATHERS, -1, 0, false }
#define FOR_0 { IN_ROUND, 0, 0, false }

static void put(struct doing *d, const struct state *s)
{
	memset(d, 0, sizeof(*d));
	doing_begin(d, "latency", 30);
	doing_round(d, 8, s->expected_s, s->does == IN_ROUND ? s->peer : -1);
	if (s->does != IN_ROUND)
		doing_round_end(d);
	doing_write(d, s->does == WRITES);
	if (s->does == GATHERS) {
		doing_enter(d);
		doing_set_missing(d, s->peer);
	}
	if (s->does == ENDED)
		doing_end(d);
}

/* Ticks every 0.5 s until the watchdog ends the run. Returns that time; INFINITY after an hour. */
static double ends_after(struct watchdog *w, struct text *why)
{
	for (double t = 0.5; t <= 3600; t += 0.5)
		if (watchdog_tick(w, t, why))
			return t;
	return INFINITY;
}

static void who_waits_for_whom_is_told_in_time(void **state)
{
	static const struct {
		struct state ranks[MOST];
		int first;
		double after_s;
		const char *why;
	} rows[] = {
		{ { { IN_ROUND, 1, 0.01, false }, { IN_ROUND, 0, 0.01, false } }, 0, 31,
		  "rank 0 waits for rank 1, rank 1 waits for rank 0" },
		{ { { GATHERS, -1, 0.01, false }, { IN_ROUND, 2, 0.01, false }, { IN_ROUND, -1, 0.01, false } }, 0, 31,
		  "rank 0 waits for ranks 1 and 2, rank 1 waits for rank 2, rank 2 is in its round" },
		/* stopped ranks come last, whatever they do */
		{ { { IN_ROUND, 1, 0.01, true }, { IN_ROUND, 0, 0.01, false } }, 0, 31,
		  "rank 1 waits for rank 0, rank 0 is stopped" },
		{ { { GATHERS, -1, 0.01, false }, { ALONE, 0, 0.01, true } }, 0, 31, "rank 0 waits for rank 1, rank 1 is stopped" },
		/* ten times the expected round of any rank */
		{ { { GATHERS, -1, 0.01, false }, { IN_ROUND, -1, 5, false } }, 0, 51,
		  "rank 0 waits for rank 1, rank 1 is in its round" },
		{ { { GATHERS, -1, 0.01, false }, { IN_ROUND, -1, 5, true } }, 0, 31, "rank 0 waits for rank 1, rank 1 is stopped" },
		/* a rank that is busy alone gets more time, a writer unlimited time */
		{ { { GATHERS, -1, 0, false }, { ALONE, -1, 0, false } }, 0, 121, "rank 0 waits for rank 1, rank 1 is busy on its own" },
		{ { { WRITES, -1, 0, false }, { GATHERS, -1, 0, false } }, 0, INFINITY, NULL },
		/* an ended rank is not awaited */
		{ { { GATHERS, -1, 0, false }, { ENDED, -1, 0, false }, { IN_ROUND, 0, 0, false } }, 0, 31,
		  "rank 0 waits for rank 2, rank 2 waits for rank 0" },
		/* if there are many ranks, the first are named */
		{ { COLLECTS, FOR_0, FOR_0, FOR_0, FOR_0, FOR_0, FOR_0 }, 0, 31,
		  "rank 0 waits for 6 others, rank 1 waits for rank 0, rank 2 waits for rank 0, rank 3 waits for rank 0 and 3 more" },
		{ { COLLECTS, FOR_0, FOR_0, FOR_0, FOR_0 }, 0, 31,
		  "rank 0 waits for ranks 1, 2, 3 and 4, rank 1 waits for rank 0, rank 2 waits for rank 0, rank 3 waits for rank 0 "
		  "and 1 more" },
		/* a rank watches only itself; ranks other than 0 let rank 0 report first */
		{ { { GATHERS, 3, 0.01, false } }, 0, 31, "rank 0 waits for rank 3" },
		{ { { GATHERS, -1, 0.01, false } }, 0, 31, "rank 0 waits for the others" },
		{ { { IN_ROUND, 0, 0.01, false } }, 5, 64, "rank 5 waits for rank 0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct doing ranks[MOST];
		bool stopped[MOST] = { false };
		struct watchdog w = { .ranks = ranks, .stopped = stopped, .first = rows[i].first, .tick_s = 0.5 };
		struct text why = { .n = 0 };
		char want[256];
		double after;

		for (; w.n < MOST && rows[i].ranks[w.n].does != NO_RANK; w.n++) {
			put(&ranks[w.n], &rows[i].ranks[w.n]);
			stopped[w.n] = rows[i].ranks[w.n].stopped;
		}
		after = ends_after(&w, &why);
		if (isinf(rows[i].after_s)) {
			assert_true(isinf(after));
			continue;
		}
		/* the first tick sees the steps so far; one more tick is late enough */
		assert_true(fabs(after - rows[i].after_s) <= 0.5);
		snprintf(want, sizeof(want), "no progress for %.3g s in 'latency', size 8: %s", w.still_s, rows[i].why);
		assert_string_equal(why.s, want);
	}
}

/* A rank that moves occasionally keeps the run alive. */
static void a_rank_that_moves_keeps_the_run_alive(void **state)
{
	struct doing d[2];
	struct watchdog w = { .ranks = d, .n = 2, .tick_s = 0.5 };
	struct text why = { .n = 0 };

	put(&d[0], &(struct state){ IN_ROUND, 1, 0.01, false });
	put(&d[1], &(struct state){ IN_ROUND, 0, 0.01, false });
	for (double t = 0.5; t < 600; t += 0.5) {
		if (fmod(t, 29) < 0.25)
			doing_step(&d[1]);
		assert_false(watchdog_tick(&w, t, &why));
	}
}

/* A gap in which the watcher did not run, either, counts as one tick. */
static void a_gap_without_the_watcher_counts_as_one_tick(void **state)
{
	struct doing d[1];
	struct watchdog w = { .ranks = d, .n = 1, .tick_s = 0.5 };
	struct text why = { .n = 0 };

	put(&d[0], &(struct state){ GATHERS, 1, 0, false });
	for (int i = 1; i <= 59; i++)
		assert_false(watchdog_tick(&w, 1000.0 * i, &why));
	assert_true(w.still_s < 30);
}

static void without_a_limit_the_watchdog_never_ends_a_run(void **state)
{
	struct doing d[1];
	struct watchdog w = { .ranks = d, .n = 1, .tick_s = 0.5 };
	struct text why = { .n = 0 };

	put(&d[0], &(struct state){ GATHERS, 1, 0, false });
	doing_begin(&d[0], "latency", 0);
	assert_true(isinf(ends_after(&w, &why)));
	memset(d, 0, sizeof(d));	/* it has not begun yet */
	assert_true(isinf(ends_after(&w, &why)));
}

/* The run ends a few seconds and the expected round after the time limit, also with --stall 0. */
static void a_run_is_overdue_a_while_after_its_time_limit(void **state)
{
	struct doing d[1];
	struct watchdog w = { .ranks = d, .n = 1, .tick_s = 0.5 };
	struct text why = { .n = 0 };

	put(&d[0], &(struct state){ IN_ROUND, 1, 2, false });
	doing_begin(&d[0], "latency", 0);
	doing_wait(&d[0], 1);
	doing_round(&d[0], 8, 2, 1);
	doing_set_time_limit(&d[0], 100);
	assert_true(fabs(ends_after(&w, &why) - 107.5) <= 0.5);
	/* as during the evaluation of measurements */
	put(&d[0], &(struct state){ ALONE, 1, 2, false });
	doing_set_time_limit(&d[0], 100);
	doing_begin(&d[0], "latency", 0);
	w = (struct watchdog){ .ranks = d, .n = 1, .tick_s = 0.5 };
	assert_true(isinf(ends_after(&w, &(struct text){ .n = 0 })));
	assert_non_null(strstr(why.s, "the time limit was reached 7.5 s ago in 'latency', size 8: rank 0 waits for rank 1"));
}

/* The watchdog runs from the launch on. Only rank 0 watches the time limit. */
static void the_watchdog_is_armed_from_the_launch(void **state)
{
	const struct launch run = { .command = "map", .stall_s = 3, .limit_s = 60 };
	struct doing d[1];

	for (int rank = 0; rank < 2; rank++) {
		memset(d, 0, sizeof(d));
		doing_begin_run(d, &run, rank);
		assert_string_equal(d->what, "map");
		assert_true(d->stall_s == 3 && !d->due_s == (rank > 0));
	}
	memset(d, 0, sizeof(d));
	doing_begin_run(d, &(struct launch){ .rank = -1 }, 0);	/* no process watches */
	assert_true(d->stall_s == 0 && d->due_s == 0);
}

/* An unwatched process reports nothing to a watchdog. */
static void who_is_not_watched_tells_nobody(void **state)
{
	doing_begin(NULL, "latency", 30);
	doing_enter(NULL);
	doing_leave(NULL);
	doing_round(NULL, 8, 1, 0);
	doing_round_end(NULL);
	doing_wait(NULL, 1);
	doing_set_missing(NULL, 1);
	doing_write(NULL, true);
	doing_set_time_limit(NULL, 1);
	doing_end(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_for_whom_is_told_in_time),
		cmocka_unit_test(a_rank_that_moves_keeps_the_run_alive),
		cmocka_unit_test(a_gap_without_the_watcher_counts_as_one_tick),
		cmocka_unit_test(without_a_limit_the_watchdog_never_ends_a_run),
		cmocka_unit_test(a_run_is_overdue_a_while_after_its_time_limit),
		cmocka_unit_test(the_watchdog_is_armed_from_the_launch),
		cmocka_unit_test(who_is_not_watched_tells_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
