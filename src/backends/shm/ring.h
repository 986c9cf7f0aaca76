/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring in shared memory that carries messages from one writer to one reader.
 *
 * A message of up to CELL_DATA bytes fits into one cell, which is one cache line. The head of the
 * cell tells the reader that the cell is full. So only one cache line moves between the cores per
 * message. Neither side reads a counter that the other side updates with each message. Longer
 * messages are split into fragments. A fragment goes through the data area after the cells, and one
 * cell announces it.
 *
 * Every message in the opposite ring also tells the writer how much the reader has consumed.
 * Without messages in the opposite ring, the reader reports each time it has consumed half a ring.
 * A writer that knows the ring to be empty starts again at cell 0. So an exchange of few messages
 * touches few cache lines. The reader must therefore check both its next cell and cell 0; the
 * number in a cell's head shows whether the cell is new.
 *
 * Memory order. Each atomic object has one writer, which stores with release. The other side loads
 * with acquire. All other accesses are plain. Only these four atomic objects order the plain
 * accesses:
 *
 *   head        The writer stores it last when it fills a cell (ring_publish). A reader that finds
 *               the number it expects (ring_peek) also sees everything written before: `acked`
 *               and `data` of this cell, the fragment in the data area, and the memory that a
 *               CELL_FETCH names. If the head has another number, the reader reads nothing else
 *               of the cell.
 *   consumed    The reader stores it after its last plain access to the cells counted. The writer
 *               writes those cells again only after loading it (ring_has_cell).
 *   freed_data  The same for bytes of the data area (ring_put_fragment).
 *   fetched     The same for the sender's buffer: the sender may reuse it after ring_fetched.
 *               process_vm_readv is a plain access like others. The reader calls it between the
 *               acquire of head and the release of fetched.
 *
 * `acked` is not atomic. It has the value that `consumed` would have. The release and acquire of
 * the head of its cell order the accesses to `acked`. Before a rank publishes a cell in one ring,
 * it has finished reading everything that it has consumed from the other ring. So a writer that
 * reads `acked` from a cell may overwrite the cells that `acked` counts. For the same reason a
 * writer may start again at cell 0 and at the start of the data area: the reader has read
 * everything written.
 *
 * If one side sees a stale value of any of these objects, it only waits: a full cell seems empty,
 * or a free cell seems full. Nothing in this file requires that both sides see each other's latest
 * store, so this file uses no seq_cst operation and no fence. Only sleeping has this requirement.
 * After its store of head, a writer checks whether the reader sleeps (wake in shm.c). Even on x86
 * the writer may then read an old value of the bell. The sleeper's membarrier is the fence for that
 * case. Without membarrier, a sleep is short.
 *
 * tests/test-ring-order.c runs this header in every order that C11 allows. The test finds a race if
 * any one of these memory orders is relaxed.
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

/*
 * What a cell contains: a whole message, the announcement of a fragment, or the address of a
 * message to fetch.
 */
enum cell_kind { CELL_INLINE, CELL_FRAGMENT, CELL_FETCH };

/*
 * head: (number of the cell, counted from 1) << 8 | kind << 6 | bytes of data. The number has 56
 * bits and does not wrap around for decades, so the reader never mistakes an old cell for the next
 * one.
 *
 * acked: the number of cells of the opposite ring that the writer of this cell has consumed.
 * `acked` has only the low 32 bits of that number, which suffice because it lags by at most one
 * ring.
 */
struct ring_cell {
	_Atomic uint64_t head;
	uint32_t acked;
	unsigned char data[CELL_DATA];
};

#define HEAD_KIND 6
#define HEAD_NUMBER 8

/* Content of a CELL_FRAGMENT cell. Lengths in bytes. */
struct fragment {
	uint64_t total;			/* length of the whole message */
	uint32_t len;			/* length of this fragment */
};

/* The part of a ring that lies in shared memory. Zeroed memory is an empty ring. */
struct ring {
	/*
	 * Only the reader writes these. consumed: number of cells consumed. freed_data: number of
	 * bytes of the data area freed. fetched: number of fetches done.
	 */
	_Alignas(CACHE_LINE) _Atomic uint64_t consumed;
	_Atomic uint64_t freed_data, fetched;
	_Alignas(CACHE_LINE) struct ring_cell cells[];	/* followed by the data area */
};

/* Size of a ring: number of cells, and bytes of the data area. Both are powers of two. */
struct ring_size {
	uint32_t cells, data;
};

/* The private state of one end of a ring, either the writer's or the reader's. */
struct ring_end {
	struct ring *ring;
	unsigned char *area;
	struct ring_size size;
	struct ring_end *back;		/* this rank's end of the opposite ring; may be NULL */
	uint64_t count;			/* cells written (writer) or consumed (reader) */
	/*
	 * writer: number of cells that it knows to be consumed; reader: number of cells that it has
	 * reported as consumed
	 */
	uint64_t known;
	uint32_t pos;			/* index of the next cell */
	/*
	 * Positions in the data area, as byte counts that never wrap. data: the next byte to write
	 * (writer) or to read (reader). freed_data: the end of the bytes that the writer knows to
	 * be freed, or that the reader has reported as freed.
	 */
	uint64_t data, freed_data;
	/* writer: number of fetches announced; reader: number of fetches done */
	uint64_t fetches;
};

/* Returns the number of bytes of shared memory that a ring needs. */
static inline size_t ring_bytes(struct ring_size size)
{
	return sizeof(struct ring) + size.cells * sizeof(struct ring_cell) + size.data;
}

/* Initialises one end of a ring. `back` is this rank's end of the opposite ring, or NULL. */
static inline void ring_attach(struct ring_end *end, struct ring *ring, struct ring_size size,
			       struct ring_end *back)
{
	*end = (struct ring_end){ .ring = ring, .size = size, .back = back,
				  .area = (unsigned char *)&ring->cells[size.cells] };
}

/* Like memcpy, but copies up to 16 bytes without a function call. */
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

/* Returns the smallest byte count of at least `at` that is at the start of the data area. */
static inline uint64_t ring_round_to_area_start(const struct ring_end *e, uint64_t at)
{
	return (at + e->size.data - 1) & ~((uint64_t)e->size.data - 1);
}

/* ---- writer ---- */

/* Writer: notes that the reader has consumed `consumed` cells in total. */
static inline void ring_note_consumed(struct ring_end *w, uint64_t consumed)
{
	if (consumed > w->known)
		w->known = consumed;
}

/*
 * Returns true if a cell is free. Loads the reader's counter only if no cell is known to be free.
 */
static inline bool ring_has_cell(struct ring_end *w)
{
	if (w->count - w->known < w->size.cells)
		return true;
	ring_note_consumed(w, atomic_load_explicit(&w->ring->consumed, memory_order_acquire));
	return w->count - w->known < w->size.cells;
}

/*
 * Returns the cell to write next. This is cell 0 if the reader is known to have consumed all cells.
 */
static inline struct ring_cell *ring_next_cell(struct ring_end *w)
{
	if (w->known == w->count && w->pos) {
		w->pos = 0;
		w->data = w->freed_data = ring_round_to_area_start(w, w->data);
	}
	return &w->ring->cells[w->pos];
}

/* Marks the cell that ring_next_cell returned as full. */
static inline void ring_publish(struct ring_end *w, struct ring_cell *c, enum cell_kind kind,
				uint32_t len)
{
	uint64_t head = (++w->count << HEAD_NUMBER) | (uint64_t)kind << HEAD_KIND | len;

	w->pos = (w->pos + 1) & (w->size.cells - 1);
	c->acked = w->back ? (uint32_t)w->back->count : 0;
	atomic_store_explicit(&c->head, head, memory_order_release);
}

/* Writes a cell with up to CELL_DATA bytes. Returns false if the ring is full. */
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

/*
 * Returns the byte count at which a fragment of len bytes starts: `at`, or the next start of the
 * data area if the fragment would wrap around. The result is always a multiple of a cache line.
 */
static inline uint64_t ring_fragment_start(const struct ring_end *e, uint64_t at, uint32_t len)
{
	uint64_t in = at & (e->size.data - 1);

	return in + len > e->size.data ? at + (e->size.data - in) : at;
}

/* Returns the byte count at which a fragment ends: at + len, rounded up to a cache line. */
static inline uint64_t ring_fragment_end(uint64_t at, uint32_t len)
{
	return at + ((len + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1));
}

/*
 * Returns the length of the next fragment of a message with len bytes left: at most a quarter of
 * the data area. A fragment of that length always gets room, because the reader leaves at most half
 * of the area freed but unreported.
 */
static inline uint32_t ring_fragment_len(const struct ring_end *e, uint64_t len)
{
	return len < e->size.data / 4 ? (uint32_t)len : e->size.data / 4;
}

/*
 * Writes one fragment of a message of `total` bytes. len must come from ring_fragment_len. Returns
 * false if the ring is full.
 */
static inline bool ring_put_fragment(struct ring_end *w, const void *buf, uint32_t len,
				     uint64_t total)
{
	uint64_t at, end;
	struct ring_cell *c;

	if (!ring_has_cell(w))
		return false;
	c = ring_next_cell(w);
	at = ring_fragment_start(w, w->data, len);
	end = ring_fragment_end(at, len);
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

/* Writer: returns the number of announced fetches that the reader has finished. */
static inline uint64_t ring_fetched(const struct ring_end *w)
{
	return atomic_load_explicit(&w->ring->fetched, memory_order_acquire);
}

/* ---- reader ---- */

/* Returns the next cell if it is full, else NULL. *len is the number of bytes in its data. */
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
		r->data = ring_round_to_area_start(r, r->data);
	}
	*kind = (enum cell_kind)(head >> HEAD_KIND & 3);
	*len = (uint32_t)(head & 63);
	return c;
}

/* Returns the content of a CELL_FRAGMENT cell. */
static inline struct fragment ring_fragment_of(const struct ring_cell *c)
{
	struct fragment f;

	memcpy(&f, c->data, sizeof(f));
	return f;
}

/*
 * Copies a fragment out of the data area, and frees its bytes there. The cell that the latest
 * ring_peek returned must announce this fragment.
 */
static inline void ring_get_fragment(struct ring_end *r, void *buf, uint32_t len)
{
	uint64_t at = ring_fragment_start(r, r->data, len);

	memcpy(buf, r->area + (at & (r->size.data - 1)), len);
	r->data = ring_fragment_end(at, len);
}

/*
 * Reader: publishes for the writer how many cells it has consumed and how many bytes it has freed.
 */
static inline void ring_publish_consumed(struct ring_end *r)
{
	r->known = r->count;
	r->freed_data = r->data;
	atomic_store_explicit(&r->ring->freed_data, r->data, memory_order_release);
	atomic_store_explicit(&r->ring->consumed, r->count, memory_order_release);
}

/*
 * Frees the cell that ring_peek returned. Returns true if this call also published the reader's
 * counters. The writer may be waiting for these counters.
 */
static inline bool ring_pop(struct ring_end *r, const struct ring_cell *c)
{
	r->count++;
	r->pos = (r->pos + 1) & (r->size.cells - 1);
	if (r->back)
		ring_note_consumed(r->back, r->back->count - ((uint32_t)r->back->count - c->acked));
	if (r->count - r->known < r->size.cells / 2 && r->data - r->freed_data < r->size.data / 2)
		return false;
	ring_publish_consumed(r);
	return true;
}

/* Reader: tells the writer that one more fetch is finished. */
static inline void ring_finish_fetch(struct ring_end *r)
{
	atomic_store_explicit(&r->ring->fetched, ++r->fetches, memory_order_release);
}

#endif
