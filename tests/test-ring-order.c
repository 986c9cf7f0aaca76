/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the memory order of the shared-memory ring. Small exchanges run through it in every way
 * that C11 allows (explore/explore.h). Then one memory order after the other is weakened; the
 * checker must find each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"

#define memcpy explore_copy
#include "backends/shm/ring.h"
#undef memcpy

#define DATA 256	/* bytes of a ring: four fragments */
#define MOST_CELLS 8
#define FRAGMENT 64
#define USER 16

struct shared {
	struct ring_end tx, rx, back_tx, back_rx;
	unsigned char user[USER];	/* buffer for the received data */
	_Alignas(CACHE_LINE) unsigned char there[sizeof(struct ring) + MOST_CELLS * CACHE_LINE + DATA];
	_Alignas(CACHE_LINE) unsigned char here[sizeof(struct ring) + MOST_CELLS * CACHE_LINE + DATA];
};

/*
 * The number of attempts that may fail in a row. Because loads wait, the first may succeed in every
 * case.
 */
#define TRIES 2

static void try_again(int *tried)
{
	if (++*tried == TRIES)
		explore_stop();
}

static void fill(unsigned char *buf, size_t len, int i)
{
	for (size_t k = 0; k < len; k++)
		buf[k] = (unsigned char)(1 + i * 7 + k);
}

static void check(const unsigned char *buf, size_t len, int i)
{
	for (size_t k = 0; k < len; k++)
		if (buf[k] != (unsigned char)(1 + i * 7 + k))
			explore_fault("message %d is wrong", i);
}

static size_t length(int i)
{
	return (size_t)i * 17 % CELL_DATA + 1;
}

static void put(struct ring_end *w, enum cell_kind kind, int i)
{
	unsigned char buf[CELL_DATA];
	int tried = 0;

	fill(buf, length(i), i);
	while (!ring_put(w, kind, buf, (uint32_t)length(i)))
		try_again(&tried);
}

static struct ring_cell *peek(struct ring_end *r, uint32_t *len)
{
	enum cell_kind kind;
	int tried = 0;
	struct ring_cell *c;

	while (!(c = ring_peek(r, &kind, len)))
		try_again(&tried);
	return c;
}

static void get(struct ring_end *r, int i)
{
	unsigned char buf[CELL_DATA];
	uint32_t len = 0;
	struct ring_cell *c = peek(r, &len);

	if (len != length(i))
		explore_fault("message %d has length %u", i, len);
	copy_small(buf, c->data, len);
	check(buf, len, i);
	ring_pop(r, c);
}

/* ---- small messages one way, through two cells ---- */

static void start(struct shared *s, uint32_t cells, bool both_ways)
{
	struct ring_size size = { cells, DATA };

	ring_attach(&s->tx, (struct ring *)s->there, size, both_ways ? &s->back_rx : NULL);
	ring_attach(&s->rx, (struct ring *)s->there, size, both_ways ? &s->back_tx : NULL);
	ring_attach(&s->back_tx, (struct ring *)s->here, size, both_ways ? &s->rx : NULL);
	ring_attach(&s->back_rx, (struct ring *)s->here, size, both_ways ? &s->tx : NULL);
}

static void two_cells(void *shared)
{
	start(shared, 2, false);
}

static void put_small(void *shared)
{
	struct shared *s = shared;

	for (int i = 0; i < 4; i++)
		put(&s->tx, CELL_INLINE, i);
}

static void get_small(void *shared)
{
	struct shared *s = shared;

	for (int i = 0; i < 4; i++)
		get(&s->rx, i);
}

/* ---- fragments, which fill the data area before they fill the cells ---- */

static void eight_cells(void *shared)
{
	start(shared, MOST_CELLS, false);
}

static void put_fragments(void *shared)
{
	struct shared *s = shared;
	unsigned char buf[FRAGMENT];

	for (int i = 0; i < 6; i++) {
		int tried = 0;

		fill(buf, FRAGMENT, i);
		while (!ring_put_fragment(&s->tx, buf, FRAGMENT, FRAGMENT))
			try_again(&tried);
	}
}

static void get_fragments(void *shared)
{
	struct shared *s = shared;
	unsigned char buf[FRAGMENT];

	for (int i = 0; i < 6; i++) {
		uint32_t len = 0;
		struct ring_cell *c = peek(&s->rx, &len);
		struct fragment f = ring_fragment_of(c);

		if (f.len != FRAGMENT || f.total != FRAGMENT)
			explore_fault("fragment %d has length %u", i, f.len);
		ring_get_fragment(&s->rx, buf, f.len);
		check(buf, f.len, i);
		ring_pop(&s->rx, c);
	}
}

/* ---- both ways: what comes back says what was consumed ---- */

static void two_cells_each_way(void *shared)
{
	start(shared, 2, true);
}

static void ask(void *shared)
{
	struct shared *s = shared;

	for (int i = 0; i < 6; i += 2) {
		put(&s->tx, CELL_INLINE, i);
		put(&s->tx, CELL_INLINE, i + 1);
		get(&s->back_rx, i);
		get(&s->back_rx, i + 1);
	}
}

static void answer(void *shared)
{
	struct shared *s = shared;

	for (int i = 0; i < 6; i++) {
		get(&s->rx, i);
		put(&s->back_tx, CELL_INLINE, i);
	}
}

/* ---- messages that the reader fetches from the writer's memory ---- */

static void offer(void *shared)
{
	struct shared *s = shared;
	unsigned char buf[USER];

	for (int i = 0; i < 3; i++) {
		int tried = 0;

		fill(buf, USER, i);
		explore_copy(s->user, buf, USER);
		put(&s->tx, CELL_FETCH, i);
		while (ring_fetched(&s->tx) <= (uint64_t)i)
			try_again(&tried);
	}
}

static void fetch(void *shared)
{
	struct shared *s = shared;
	unsigned char buf[USER];

	for (int i = 0; i < 3; i++) {
		uint32_t len = 0;
		struct ring_cell *c = peek(&s->rx, &len);

		explore_copy(buf, s->user, USER);
		check(buf, USER, i);
		ring_finish_fetch(&s->rx);
		ring_pop(&s->rx, c);
	}
}

/* ---- all of them, whole and weakened ---- */

static const struct program small = { .bytes = sizeof(struct shared), .start = two_cells,
				      .thread = { put_small, get_small } };
static const struct program fragments = { .bytes = sizeof(struct shared), .start = eight_cells,
					  .thread = { put_fragments, get_fragments } };
static const struct program exchange = { .bytes = sizeof(struct shared), .start = two_cells_each_way,
					 .thread = { ask, answer } };
static const struct program fetches = { .bytes = sizeof(struct shared), .start = two_cells,
					.thread = { offer, fetch } };

static void nothing_goes_wrong(void **state)
{
	static const struct {
		const char *name;
		const struct program *program;
	} rows[] = { { "small messages", &small }, { "fragments", &fragments },
		     { "an exchange", &exchange }, { "fetches", &fetches } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct explored e = explore(rows[i].program);

		printf("# %s: %llu executions, and %llu that wait in vain\n", rows[i].name,
		       (unsigned long long)e.whole, (unsigned long long)e.stopped);
		assert_string_equal(e.fault, "");
		assert_true(e.whole > 1);
	}
}

static bool in_header(const void *shared, const volatile void *at, size_t member)
{
	const struct shared *s = shared;

	return at == s->there + member || at == s->here + member;
}

static bool weak_consumed(const void *shared, const volatile void *at)
{
	return in_header(shared, at, offsetof(struct ring, consumed));
}

static bool weak_freed_data(const void *shared, const volatile void *at)
{
	return in_header(shared, at, offsetof(struct ring, freed_data));
}

static bool weak_fetched(const void *shared, const volatile void *at)
{
	return in_header(shared, at, offsetof(struct ring, fetched));
}

static bool weak_head(const void *shared, const volatile void *at)
{
	return !weak_consumed(shared, at) && !weak_freed_data(shared, at) && !weak_fetched(shared, at);
}

static bool (*weak)(const void *shared, const volatile void *at);

static bool relaxed_store(const void *shared, const volatile void *at, bool store)
{
	return store && weak(shared, at);
}

static bool relaxed_load(const void *shared, const volatile void *at, bool store)
{
	return !store && weak(shared, at);
}

static void every_order_is_needed(void **state)
{
	static const struct {
		const char *name;
		const struct program *program;
		bool (*weak)(const void *shared, const volatile void *at);
	} rows[] = {
		{ "head, small messages", &small, weak_head },
		{ "head, fragments", &fragments, weak_head },
		{ "head, an exchange", &exchange, weak_head },
		{ "head, fetches", &fetches, weak_head },
		{ "consumed, small messages", &small, weak_consumed },
		{ "freed_data, fragments", &fragments, weak_freed_data },
		{ "fetched, fetches", &fetches, weak_fetched },
	};

	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		struct program p = *rows[i / 2].program;
		struct explored e;

		weak = rows[i / 2].weak;
		p.relaxed = i % 2 ? relaxed_load : relaxed_store;
		e = explore(&p);
		printf("# %s, %s relaxed: %s\n", rows[i / 2].name, i % 2 ? "load" : "store",
		       *e.fault ? e.fault : "nothing");
		assert_non_null(strstr(e.fault, "a race"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_goes_wrong),
		cmocka_unit_test(every_order_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
