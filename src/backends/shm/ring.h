/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring for messages from one writer to one reader through shared memory.
 *
 * A message of up to CELL_DATA bytes is one cell, one cache line, whose head says that it is full:
 * one line travels, and neither side reads a counter that the other writes for each message. Longer
 * ones go in fragments through the data area behind the cells, each announced by a cell.
 *
 * Every message of the ring in the other direction tells the writer what the reader has consumed;
 * without such messages the reader tells it half a ring at a time. A writer that knows the ring to
 * be empty begins again at cell 0, so that an exchange of few messages stays in few cache lines;
 * cells are numbered, so the reader looks at its next cell and at cell 0.
 *
 * Memory order. Each atomic object has one writer, which stores with release; the other side
 * loads with acquire. All else is plain, and ordered by these four alone:
 *
 *   head        The writer stores it last of a cell, in ring_publish. A reader that finds the
 *               number it expects (ring_peek) sees `acked` and `data` of this cell, the fragment
 *               in the data area, and the memory that a CELL_FETCH names, as they were written
 *               before. Of a cell with another number in its head nothing else is read.
 *   consumed    The reader stores it after its last plain access to the cells that it counts. A
 *               writer that loads it (ring_has_cell) writes those cells again after that.
 *   freed_data  The same for bytes of the data area (ring_put_fragment).
 *   fetched     The same for the sender's buffer, which is its own again after ring_fetched.
 *               process_vm_readv is a plain access like others: the reader calls it between the
 *               acquire of head and the release of fetched.
 *
 * `acked` is plain: it says what `consumed` would, and the head of its cell releases and acquires
 * it. What a rank has consumed of one ring it has read before it publishes a cell of the other, so
 * a writer that takes `acked` from a cell may write the cells that it counts. That also allows to
 * begin again at cell 0 and at the start of the data area: all that was written has been read.
 *
 * A stale value of any of them only makes a side wait: a full cell seems empty, or a free one full.
 * No decision needs both sides to see each other's latest store, so there is no seq_cst operation
 * and no fence here. Sleeping does need that: a writer that looks for a sleeping reader after its
 * store of head (wake in shm.c) may read the bell from before, on x86, too. The sleeper's
 * membarrier is the fence for it; without one a sleep is short.
 *
 * tests/test-ring-order.c runs this header in every way that C11 allows, and finds a race if any
 * one of these orders is relaxed.
 */
#ifndef NETBENCH_BACKENDS_SHM_RING_H
#define NETBENCH_BACKENDS_SHM_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CACHE_LINE 64
#define CELL_DATA (CACHE_LINE - sizeof(uint64_t) - sizeof(uint32_t))

/* What a cell holds: the whole message, one fragment of it, or where to fetch it. */
enum cell_kind { CELL_INLINE, CELL_FRAGMENT, CELL_FETCH };

/*
 * head: number of the cell since the beginning, from 1, << 8 | kind << 6 | bytes of data. 56 bits
 * of number last for decades, so an old cell is never taken for the next one. acked: low bits of
 * the number of cells that this cell's writer has consumed of the opposite ring; at most a ring
 * behind.
 */
struct ring_cell {
	_Atomic uint64_t head;
	uint32_t acked;
	unsigned char data[CELL_DATA];
};

#define HEAD_KIND 6
#define HEAD_NUMBER 8

/* What a fragment's cell holds: its length, and that of the whole message. */
struct fragment {
	uint64_t total;
	uint32_t len;
};

/* The part in shared memory; zeroed memory is an empty ring. */
struct ring {
	/* written by the reader alone: what it has consumed, and fetches that it has finished */
	_Alignas(CACHE_LINE) _Atomic uint64_t consumed;
	_Atomic uint64_t freed_data, fetched;
	_Alignas(CACHE_LINE) struct ring_cell cells[];	/* then the data area */
};

/* How large a ring is; both powers of two; data in bytes. */
struct ring_size {
	uint32_t cells, data;
};

/* One side's own view of a ring. */
struct ring_end {
	struct ring *ring;
	unsigned char *area;
	struct ring_size size;
	struct ring_end *back;		/* this rank's end of the opposite ring; may be NULL */
	uint64_t count;			/* cells written, or consumed */
	uint64_t known;			/* of these: writer: known to be consumed; reader: told */
	uint32_t pos;			/* next cell */
	uint64_t data, freed_data;	/* next byte; end of what is free, or told */
	uint64_t fetches;
};

/* Bytes of shared memory that a ring takes. */
static inline size_t ring_bytes(struct ring_size size)
{
	return sizeof(struct ring) + size.cells * sizeof(struct ring_cell) + size.data;
}

static inline void ring_attach(struct ring_end *end, struct ring *ring, struct ring_size size,
			       struct ring_end *back)
{
	*end = (struct ring_end){ .ring = ring, .size = size, .back = back,
				  .area = (unsigned char *)&ring->cells[size.cells] };
}

/* memcpy for a few bytes, without a call. */
static inline void copy_small(void *to, const void *from, size_t len)
{
	char *t = to;
	const char *f = from;

	if (len > 16) {
		memcpy(to, from, len);
	} else if (len >= 8) {
		uint64_t a, b;

		memcpy(&a, f, 8);
		memcpy(&b, f + len - 8, 8);
		memcpy(t, &a, 8);
		memcpy(t + len - 8, &b, 8);
	} else if (len >= 4) {
		uint32_t a, b;

		memcpy(&a, f, 4);
		memcpy(&b, f + len - 4, 4);
		memcpy(t, &a, 4);
		memcpy(t + len - 4, &b, 4);
	} else {
		while (len--)
			*t++ = *f++;
	}
}

/* The first byte count at or after `at` that is the start of the data area. */
static inline uint64_t ring_area_start(const struct ring_end *e, uint64_t at)
{
	return (at + e->size.data - 1) & ~((uint64_t)e->size.data - 1);
}

/* ---- writer ---- */

/* The writer learns how much has been consumed. */
static inline void ring_know(struct ring_end *w, uint64_t consumed)
{
	if (consumed > w->known)
		w->known = consumed;
}

/* True if a cell is free; reads what the reader has told only when none seems to be. */
static inline bool ring_has_cell(struct ring_end *w)
{
	if (w->count - w->known < w->size.cells)
		return true;
	ring_know(w, atomic_load_explicit(&w->ring->consumed, memory_order_acquire));
	return w->count - w->known < w->size.cells;
}

/* The cell to write next; the first one if all that was written is known to be consumed. */
static inline struct ring_cell *ring_next_cell(struct ring_end *w)
{
	if (w->known == w->count && w->pos) {
		w->pos = 0;
		w->data = w->freed_data = ring_area_start(w, w->data);
	}
	return &w->ring->cells[w->pos];
}

/* Makes the cell from ring_next_cell full. */
static inline void ring_publish(struct ring_end *w, struct ring_cell *c, enum cell_kind kind,
				uint32_t len)
{
	uint64_t head = (++w->count << HEAD_NUMBER) | (uint64_t)kind << HEAD_KIND | len;

	w->pos = (w->pos + 1) & (w->size.cells - 1);
	c->acked = w->back ? (uint32_t)w->back->count : 0;
	atomic_store_explicit(&c->head, head, memory_order_release);
}

/* Writes a cell with up to CELL_DATA bytes. False if the ring is full. */
static inline bool ring_put(struct ring_end *w, enum cell_kind kind, const void *buf, uint32_t len)
{
	struct ring_cell *c;

	if (!ring_has_cell(w))
		return false;
	c = ring_next_cell(w);
	copy_small(c->data, buf, len);
	ring_publish(w, c, kind, len);
	return true;
}

/* Where a fragment of len bytes goes without wrapping around: a multiple of a cache line. */
static inline uint64_t ring_place(const struct ring_end *e, uint64_t at, uint32_t len)
{
	uint64_t in = at & (e->size.data - 1);

	return in + len > e->size.data ? at + (e->size.data - in) : at;
}

static inline uint64_t ring_after(uint64_t at, uint32_t len)
{
	return at + ((len + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1));
}

/* The longest fragment: at most half is freed but untold, so it will always fit. */
static inline uint32_t ring_fragment(const struct ring_end *e, uint64_t len)
{
	return len < e->size.data / 4 ? (uint32_t)len : e->size.data / 4;
}

/* Writes a fragment of a message of `total` bytes; len from ring_fragment. False if full. */
static inline bool ring_put_fragment(struct ring_end *w, const void *buf, uint32_t len,
				     uint64_t total)
{
	uint64_t at, end;
	struct ring_cell *c;

	if (!ring_has_cell(w))
		return false;
	c = ring_next_cell(w);
	at = ring_place(w, w->data, len);
	end = ring_after(at, len);
	if (end - w->freed_data > w->size.data) {
		w->freed_data = atomic_load_explicit(&w->ring->freed_data, memory_order_acquire);
		if (end - w->freed_data > w->size.data)
			return false;
	}
	memcpy(w->area + (at & (w->size.data - 1)), buf, len);
	w->data = end;
	memcpy(c->data, &(struct fragment){ total, len }, sizeof(struct fragment));
	ring_publish(w, c, CELL_FRAGMENT, sizeof(struct fragment));
	return true;
}

/* Fetches that the reader has finished, of those that the writer has announced. */
static inline uint64_t ring_fetched(const struct ring_end *w)
{
	return atomic_load_explicit(&w->ring->fetched, memory_order_acquire);
}

/* ---- reader ---- */

/* The next cell if it is full, else NULL; *len: bytes in its data. */
static inline struct ring_cell *ring_peek(struct ring_end *r, enum cell_kind *kind, uint32_t *len)
{
	struct ring_cell *c = &r->ring->cells[r->pos];
	uint64_t head = atomic_load_explicit(&c->head, memory_order_acquire);

	if (head >> HEAD_NUMBER != r->count + 1) {
		if (!r->pos)
			return NULL;
		c = r->ring->cells;
		head = atomic_load_explicit(&c->head, memory_order_acquire);
		if (head >> HEAD_NUMBER != r->count + 1)
			return NULL;
		r->pos = 0;
		r->data = ring_area_start(r, r->data);
	}
	*kind = (enum cell_kind)(head >> HEAD_KIND & 3);
	*len = (uint32_t)(head & 63);
	return c;
}

static inline struct fragment ring_fragment_of(const struct ring_cell *c)
{
	struct fragment f;

	memcpy(&f, c->data, sizeof(f));
	return f;
}

/* Copies the fragment of the cell just peeked and frees its part of the data area. */
static inline void ring_get_fragment(struct ring_end *r, void *buf, uint32_t len)
{
	uint64_t at = ring_place(r, r->data, len);

	memcpy(buf, r->area + (at & (r->size.data - 1)), len);
	r->data = ring_after(at, len);
}

/* Tells the writer how much is consumed. */
static inline void ring_tell(struct ring_end *r)
{
	r->known = r->count;
	r->freed_data = r->data;
	atomic_store_explicit(&r->ring->freed_data, r->data, memory_order_release);
	atomic_store_explicit(&r->ring->consumed, r->count, memory_order_release);
}

/* Frees the cell just peeked. True after telling the writer, which may be waiting. */
static inline bool ring_pop(struct ring_end *r, const struct ring_cell *c)
{
	r->count++;
	r->pos = (r->pos + 1) & (r->size.cells - 1);
	if (r->back)
		ring_know(r->back, r->back->count - ((uint32_t)r->back->count - c->acked));
	if (r->count - r->known < r->size.cells / 2 && r->data - r->freed_data < r->size.data / 2)
		return false;
	ring_tell(r);
	return true;
}

/* Says that one more fetch is finished. */
static inline void ring_fetch_done(struct ring_end *r)
{
	atomic_store_explicit(&r->ring->fetched, ++r->fetches, memory_order_release);
}

#endif
