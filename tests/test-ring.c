/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the shared-memory ring with two threads. The test also runs under ThreadSanitizer. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/shm/ring.h"

#define MESSAGES 20000
#define LONGEST 20000

struct line {
	struct ring_end tx, rx;
	uint64_t seed;
	uint64_t wrong, received;
};

/* Lengths that cover cells, single fragments and messages of several fragments. */
static uint32_t length(uint64_t seed, uint64_t i)
{
	uint64_t h = (i + seed) * 0x9e3779b97f4a7c15U;

	h ^= h >> 29;
	switch (h % 8) {
	case 0:
		return 0;
	case 1:
		return (uint32_t)(h / 8 % (LONGEST + 1));
	case 2:
		return 4096;
	default:
		return (uint32_t)(h / 8 % (CELL_DATA + 1));
	}
}

static unsigned char byte(uint64_t i, size_t at)
{
	return (unsigned char)(i * 7 + at * 31 + at / 256);
}

static void send_one(struct ring_end *w, uint64_t i, unsigned char *buf, uint32_t len)
{
	for (uint32_t k = 0; k < len; k++)
		buf[k] = byte(i, k);
	if (len <= CELL_DATA) {
		while (!ring_put(w, CELL_INLINE, buf, len))
			sched_yield();
		return;
	}
	for (uint32_t at = 0; at < len;) {
		uint32_t n = ring_fragment_len(w, len - at);

		if (ring_put_fragment(w, buf + at, n, len))
			at += n;
		else
			sched_yield();
	}
}

static void *writer(void *arg)
{
	struct line *l = arg;
	unsigned char *buf = malloc(LONGEST);

	for (uint64_t i = 0; i < MESSAGES; i++)
		send_one(&l->tx, i, buf, length(l->seed, i));
	free(buf);
	return NULL;
}

static uint32_t receive_one(struct ring_end *r, unsigned char *buf)
{
	uint64_t at = 0, total;

	do {
		enum cell_kind kind;
		uint32_t len = 0;
		struct ring_cell *c;

		while (!(c = ring_peek(r, &kind, &len)))
			sched_yield();
		total = len;
		if (kind == CELL_INLINE) {
			copy_small(buf, c->data, len);
		} else {
			total = ring_fragment_of(c).total;
			len = ring_fragment_of(c).len;
			ring_get_fragment(r, buf + at, len);
		}
		at += len;
		ring_pop(r, c);
	} while (at < total);
	return (uint32_t)total;
}

static void *reader(void *arg)
{
	struct line *l = arg;
	unsigned char *buf = malloc(LONGEST);

	for (uint64_t i = 0; i < MESSAGES; i++) {
		uint32_t len = receive_one(&l->rx, buf);

		l->wrong += len != length(l->seed, i);
		for (uint32_t k = 0; k < len; k++)
			l->wrong += buf[k] != byte(i, k);
		l->received++;
	}
	free(buf);
	return NULL;
}

static struct ring *ring_new(struct ring_size size)
{
	void *p = NULL;

	assert_int_equal(posix_memalign(&p, CACHE_LINE, ring_bytes(size)), 0);
	memset(p, 0, ring_bytes(size));
	return p;
}

static void everything_arrives_in_order(void **state)
{
	static const struct ring_size sizes[] = { { 16, 4096 }, { 16, 65536 }, { 256, 4096 }, { 256, 65536 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct ring *ring = ring_new(sizes[i]);
		struct line l = { .seed = i };
		pthread_t w, r;

		ring_attach(&l.tx, ring, sizes[i], NULL);
		ring_attach(&l.rx, ring, sizes[i], NULL);
		assert_int_equal(pthread_create(&w, NULL, writer, &l), 0);
		assert_int_equal(pthread_create(&r, NULL, reader, &l), 0);
		pthread_join(w, NULL);
		pthread_join(r, NULL);
		assert_int_equal(l.received, MESSAGES);
		assert_int_equal(l.wrong, 0);
		free(ring);
	}
}

static void a_full_ring_takes_no_more(void **state)
{
	struct ring_size size = { 16, 4096 };
	struct ring *ring = ring_new(size);
	struct ring_end w, r;
	enum cell_kind kind;
	uint32_t len;
	struct ring_cell *full;
	char c = 'x';
	int n = 0;

	ring_attach(&w, ring, size, NULL);
	ring_attach(&r, ring, size, NULL);
	while (ring_put(&w, CELL_INLINE, &c, 1))
		n++;
	assert_int_equal(n, 16);
	/* the reader reports consumption after each half of the ring */
	for (int i = 0; i < 8; i++) {
		assert_false(ring_put(&w, CELL_INLINE, &c, 1));
		full = ring_peek(&r, &kind, &len);
		assert_non_null(full);
		assert_int_equal(ring_pop(&r, full), i == 7);
	}
	for (int i = 0; i < 8; i++)
		assert_true(ring_put(&w, CELL_INLINE, &c, 1));
	assert_false(ring_put(&w, CELL_INLINE, &c, 1));
	free(ring);
}

/* Two ranks that answer each other. Each message implies that the one before was consumed. */
static void an_exchange_stays_in_one_cell(void **state)
{
	struct ring_size size = { 16, 4096 };
	struct ring *there = ring_new(size), *here = ring_new(size);
	struct ring_end a_tx, a_rx, b_tx, b_rx;
	char in[CELL_DATA], out = 0;
	enum cell_kind kind;
	uint32_t len = 0;

	ring_attach(&a_tx, there, size, &a_rx);
	ring_attach(&a_rx, here, size, &a_tx);
	ring_attach(&b_rx, there, size, &b_tx);
	ring_attach(&b_tx, here, size, &b_rx);
	for (int i = 0; i < 100; i++) {
		struct ring_end *tx = i % 2 ? &b_tx : &a_tx, *rx = i % 2 ? &a_rx : &b_rx;
		struct ring_cell *c;

		out++;
		assert_true(ring_put(tx, CELL_INLINE, &out, 1));
		c = ring_peek(rx, &kind, &len);
		assert_ptr_equal(c, rx->ring->cells);
		memcpy(in, c->data, len);
		assert_int_equal(in[0], out);
		ring_pop(rx, c);
	}
	free(there);
	free(here);
}

/*
 * The numbers of cells do not repeat after 2^32. An old value in a cell is not taken for a new one.
 */
static void numbers_go_beyond_32_bits(void **state)
{
	struct ring_size size = { 16, 4096 };
	struct ring *ring = ring_new(size);
	struct ring_end w, r;
	enum cell_kind kind;
	uint32_t len = 0;
	char c = 'x';

	ring_attach(&w, ring, size, NULL);
	ring_attach(&r, ring, size, NULL);
	w.count = w.known = r.count = r.known = (UINT64_C(1) << 32) - 20;
	for (int i = 0; i < 100; i++) {
		struct ring_cell *full;

		assert_null(ring_peek(&r, &kind, &len));
		assert_true(ring_put(&w, CELL_INLINE, &c, 1));
		full = ring_peek(&r, &kind, &len);
		assert_non_null(full);
		assert_int_equal(len, 1);
		ring_pop(&r, full);
		if (i % 3 == 0)		/* the writer begins again at cell 0 */
			ring_note_consumed(&w, r.count);
	}
	free(ring);
}

static void an_empty_ring_yields_nothing(void **state)
{
	struct ring_size size = { 16, 4096 };
	struct ring *ring = ring_new(size);
	struct ring_end r;
	enum cell_kind kind;
	uint32_t len;

	ring_attach(&r, ring, size, NULL);
	assert_null(ring_peek(&r, &kind, &len));
	free(ring);
}

static void fragments_never_wrap(void **state)
{
	struct ring_end e = { .size = { 16, 4096 } };

	for (uint64_t at = 0; at < 3 * 4096; at += CACHE_LINE)
		for (uint32_t len = 1; len <= 1024; len += 37) {
			uint64_t place = ring_fragment_start(&e, at, len);

			assert_true(place >= at && place - at < 1024);
			assert_true(place % 4096 + len <= 4096);
		}
}

static void small_copies_are_exact(void **state)
{
	unsigned char from[CELL_DATA], to[CELL_DATA + 1];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i + 1);
	for (size_t len = 0; len <= CELL_DATA; len++) {
		memset(to, 0, sizeof(to));
		copy_small(to, from, len);
		assert_memory_equal(to, from, len);
		assert_int_equal(to[len], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_arrives_in_order),
		cmocka_unit_test(a_full_ring_takes_no_more),
		cmocka_unit_test(an_exchange_stays_in_one_cell),
		cmocka_unit_test(numbers_go_beyond_32_bits),
		cmocka_unit_test(an_empty_ring_yields_nothing),
		cmocka_unit_test(fragments_never_wrap),
		cmocka_unit_test(small_copies_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
