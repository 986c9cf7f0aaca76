/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/coroutine.h"
#include "job/fibers.h"

#define N 100

struct world {
	struct fibers *f;
	double seen[8 * N];
	int who[8 * N];
	int n;
};

/*
 * Each fiber wakes at its own times. The events must be in order of time, then of the fiber's
 * number.
 */
static void walk(int i, void *arg)
{
	struct world *w = arg;

	for (int k = 1; k <= 5; k++) {
		double when = (double)(k * (N - i) % 17);
		double *clock = fibers_clock(w->f, i);

		if (when < *clock)
			when = *clock;
		fibers_block(w->f, when);
		*clock = when;
		w->who[w->n] = i;
		w->seen[w->n++] = when;
	}
}

static void time_never_goes_back(void **state)
{
	struct world w = { .f = fibers_new(N) };

	assert_int_equal(fibers_run(w.f, walk, &w), 0);
	assert_int_equal(w.n, 5 * N);
	for (int i = 1; i < w.n; i++)
		assert_true(w.seen[i] >= w.seen[i - 1]);
	fibers_free(w.f);
}

static void fibers_run_in_the_same_order_again(void **state)
{
	struct world a = { .f = fibers_new(N) }, b = { .f = fibers_new(N) };

	fibers_run(a.f, walk, &a);
	fibers_run(b.f, walk, &b);
	assert_memory_equal(a.who, b.who, sizeof(a.who));
	fibers_free(a.f);
	fibers_free(b.f);
}

/* Fiber 0 sleeps until it is woken, first with time `late`, then with time `sooner`. */
static void sleeper(int i, void *arg)
{
	struct world *w = arg;

	if (i == 0) {
		w->seen[0] = fibers_block(w->f, FIBERS_NEVER);
	} else {
		fibers_wake(w->f, 0, 100.0 / i);
		w->n++;
	}
}

static void the_earliest_wake_counts(void **state)
{
	struct world w = { .f = fibers_new(4) };

	assert_int_equal(fibers_run(w.f, sleeper, &w), 0);
	assert_int_equal(w.n, 3);
	assert_true(w.seen[0] == 100.0 / 3);
	fibers_free(w.f);
}

/* A fiber continues at its next turn. It does not begin again. */
static void alone(int i, void *arg)
{
	struct world *w = arg;

	w->n++;
	for (int k = 1; k <= 5; k++) {
		assert_true(fibers_block(w->f, k) >= k);
		*fibers_clock(w->f, i) = k;
		w->seen[k] += 1;
	}
}

static void one_fiber_goes_on(void **state)
{
	struct world w = { .f = fibers_new(1) };

	assert_int_equal(fibers_run(w.f, alone, &w), 0);
	assert_int_equal(w.n, 1);
	for (int k = 1; k <= 5; k++)
		assert_true(w.seen[k] == 1);
	fibers_free(w.f);
}

static void forever(int i, void *arg)
{
	if (i)
		fibers_block(((struct world *)arg)->f, FIBERS_NEVER);
}

static void nobody_can_go_on(void **state)
{
	struct world w = { .f = fibers_new(3) };

	assert_int_equal(fibers_run(w.f, forever, &w), -1);
	fibers_free(w.f);
}

static void leave(int i, void *arg)
{
	if (i == 2)
		fibers_exit(((struct world *)arg)->f, 42);
	fibers_block(((struct world *)arg)->f, FIBERS_NEVER);
}

static void one_ends_all(void **state)
{
	struct world w = { .f = fibers_new(3) };

	assert_int_equal(fibers_run(w.f, leave, &w), 42);
	fibers_free(w.f);
}

/* ---- coroutines ---- */

struct counting {
	struct coroutine *self;
	int n, most;
};

static void count(void *arg)
{
	struct counting *c = arg;

	while (c->n < c->most) {
		c->n++;
		coroutine_yield(c->self);
	}
}

static void count_to(struct counting *c, int most)
{
	*c = (struct counting){ .self = coroutine_new(64 * 1024, count, c), .most = most };
	assert_non_null(c->self);
}

static void a_coroutine_goes_on_where_it_was(void **state)
{
	struct counting a, b;

	count_to(&a, 3);
	count_to(&b, 0);
	for (int k = 1; k <= 3; k++) {
		assert_true(coroutine_resume(a.self));
		assert_int_equal(a.n, k);
	}
	assert_false(coroutine_resume(a.self));
	assert_false(coroutine_resume(b.self));
	coroutine_free(a.self);
	coroutine_free(b.self);
}

/* A fiber that has not begun, and a fiber that has not ended. */
static void a_coroutine_is_left(void **state)
{
	struct counting a, b;

	count_to(&a, 3);
	count_to(&b, 3);
	assert_true(coroutine_resume(b.self));
	coroutine_free(a.self);
	coroutine_free(b.self);
	coroutine_free(NULL);
}

/* Each fiber has one of its own, which waits while other fibers continue with theirs. */
static void have_counted(int i, void *arg)
{
	struct world *w = arg;
	struct counting c;

	count_to(&c, 4);
	for (int k = 1; coroutine_resume(c.self); k++) {
		assert_int_equal(c.n, k);
		fibers_block(w->f, (double)(k * N + i));
		w->n++;
	}
	coroutine_free(c.self);
}

static void fibers_have_coroutines(void **state)
{
	struct world w = { .f = fibers_new(5) };

	assert_int_equal(fibers_run(w.f, have_counted, &w), 0);
	assert_int_equal(w.n, 5 * 4);
	fibers_free(w.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_never_goes_back),
		cmocka_unit_test(fibers_run_in_the_same_order_again),
		cmocka_unit_test(the_earliest_wake_counts),
		cmocka_unit_test(one_fiber_goes_on),
		cmocka_unit_test(nobody_can_go_on),
		cmocka_unit_test(one_ends_all),
		cmocka_unit_test(a_coroutine_goes_on_where_it_was),
		cmocka_unit_test(a_coroutine_is_left),
		cmocka_unit_test(fibers_have_coroutines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
