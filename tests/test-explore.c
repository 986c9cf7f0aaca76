/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the model checker of explore/: litmus tests whose outcomes C11 defines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"

struct shared {
	_Atomic uint64_t a, b;
	uint64_t plain, r[2];
};

/* Outcomes seen: bit 3 * r[0] + r[1]. */
static unsigned seen;

static void outcome(const void *shared)
{
	const struct shared *s = shared;

	seen |= 1U << (3 * s->r[0] + s->r[1]);
}

#define OUTCOME(R0, R1) (1U << (3 * (R0) + (R1)))

static void nothing(void *shared)
{
}

static void set(_Atomic uint64_t *at, uint64_t value)
{
	atomic_store_explicit(at, value, memory_order_release);
}

static uint64_t get(_Atomic uint64_t *at)
{
	return atomic_load_explicit(at, memory_order_acquire);
}

static void a_then_b(void *shared)
{
	struct shared *s = shared;

	set(&s->a, 1);
	set(&s->b, 1);
}

static void b_then_a(void *shared)
{
	struct shared *s = shared;

	s->r[0] = get(&s->b);
	s->r[1] = get(&s->a);
}

static void set_a_get_b(void *shared)
{
	struct shared *s = shared;

	set(&s->a, 1);
	s->r[0] = get(&s->b);
}

static void set_b_get_a(void *shared)
{
	struct shared *s = shared;

	set(&s->b, 1);
	s->r[1] = get(&s->a);
}

static void get_a_set_b(void *shared)
{
	struct shared *s = shared;

	s->r[0] = get(&s->a);
	set(&s->b, 1);
}

static void get_b_set_a(void *shared)
{
	struct shared *s = shared;

	s->r[1] = get(&s->b);
	set(&s->a, 1);
}

static void set_twice(void *shared)
{
	struct shared *s = shared;

	set(&s->a, 1);
	set(&s->a, 2);
}

static void get_twice(void *shared)
{
	struct shared *s = shared;

	s->r[0] = get(&s->a);
	s->r[1] = get(&s->a);
}

static bool all_relaxed(const void *shared, const volatile void *at, bool store)
{
	return true;
}

static void what_can_come_out_does(void **state)
{
	static const struct {
		const char *name;
		void (*thread[2])(void *shared);
		bool relaxed;
		unsigned outcomes;
	} rows[] = {
		{ "message passing", { a_then_b, b_then_a }, false,
		  OUTCOME(0, 0) | OUTCOME(0, 1) | OUTCOME(1, 1) },
		{ "message passing, relaxed", { a_then_b, b_then_a }, true,
		  OUTCOME(0, 0) | OUTCOME(0, 1) | OUTCOME(1, 1) | OUTCOME(1, 0) },
		{ "store buffering", { set_a_get_b, set_b_get_a }, false,
		  OUTCOME(0, 0) | OUTCOME(0, 1) | OUTCOME(1, 0) | OUTCOME(1, 1) },
		{ "load buffering", { get_a_set_b, get_b_set_a }, false,
		  OUTCOME(0, 0) | OUTCOME(0, 1) | OUTCOME(1, 0) },
		{ "coherence", { set_twice, get_twice }, true,
		  OUTCOME(0, 0) | OUTCOME(0, 1) | OUTCOME(0, 2) | OUTCOME(1, 1) | OUTCOME(1, 2) |
		  OUTCOME(2, 2) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program p = { .bytes = sizeof(struct shared), .start = nothing,
				     .thread = { rows[i].thread[0], rows[i].thread[1] },
				     .ended = outcome, .relaxed = rows[i].relaxed ? all_relaxed : NULL };
		struct explored e;

		seen = 0;
		e = explore(&p);
		assert_string_equal(e.fault, "");
		if (seen != rows[i].outcomes)
			fail_msg("%s: outcomes %#x, expected %#x", rows[i].name, seen, rows[i].outcomes);
	}
}

static void write_then_tell(void *shared)
{
	struct shared *s = shared;

	s->plain = 7;
	set(&s->a, 1);
}

static void read_if_told(void *shared)
{
	struct shared *s = shared;

	if (get(&s->a))
		s->r[0] = s->plain;
}

static void read_anyway(void *shared)
{
	struct shared *s = shared;

	get(&s->a);
	s->r[0] = s->plain;
}

static void a_race_is_a_fault(void **state)
{
	struct program p = { .bytes = sizeof(struct shared), .start = nothing,
			     .thread = { write_then_tell, read_if_told } };

	assert_string_equal(explore(&p).fault, "");
	p.relaxed = all_relaxed;
	assert_non_null(strstr(explore(&p).fault, "a race"));
	p.relaxed = NULL;
	p.thread[1] = read_anyway;
	assert_non_null(strstr(explore(&p).fault, "a race"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_come_out_does),
		cmocka_unit_test(a_race_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
