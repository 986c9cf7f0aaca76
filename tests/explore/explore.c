/* SPDX-License-Identifier: Apache-2.0 */
#include "explore.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/fibers.h"

#define THREADS 2
#define OBJECTS 32
#define STORES 64
#define CHOICES 512

enum ended { WHOLE, STOPPED, FAULTY };

/* A value of an atomic object. If it was released, also what its writer had seen. */
struct store {
	uint64_t value;
	uint32_t when, seen[THREADS];
};

/* An atomic object. Store 0 is its initial value. */
struct object {
	const volatile void *at;
	int writer;			/* the only writer; -1: none yet */
	bool awaited;
	/* read: the latest store that each thread has read */
	uint32_t nstores, read[THREADS];
	struct store store[STORES];
};

/*
 * When a byte was last written, and last read by each thread, on the clock of the accessing thread;
 * 0: never.
 */
struct byte {
	int writer;
	uint32_t written, read[THREADS];
};

struct choice {
	uint32_t taken, of;
};

static struct explorer {
	const struct program *program;
	unsigned char *shared;
	struct byte *byte;
	struct object object[OBJECTS];
	int nobjects;
	uint32_t clock[THREADS][THREADS];	/* what each thread has seen of each thread */
	int self;				/* the running thread; -1: none */
	struct fibers *fibers;
	struct choice choice[CHOICES];	/* choices of the last execution; the first `depth` are */
	uint32_t nchoices, depth;		/* taken again in this one */
	struct explored *result;
} x = { .self = -1 };

/* ---- ends of an execution ---- */

void explore_fault(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(x.result->fault, sizeof(x.result->fault), format, args);
	va_end(args);
	fibers_exit(x.fibers, FAULTY);
}

void explore_stop(void)
{
	fibers_exit(x.fibers, STOPPED);
}

/* ---- choices: depth first through all of them ---- */

static uint32_t choose(uint32_t of)
{
	if (x.depth == CHOICES)
		explore_fault("more than %d choices", CHOICES);
	if (x.depth == x.nchoices)
		x.choice[x.nchoices++] = (struct choice){ 0, of };
	if (x.choice[x.depth].of != of)
		explore_fault("choice %u differs when it is taken again", x.depth);
	return x.choice[x.depth++].taken;
}

/* Prepares the next execution. False if there is none. */
static bool next_choices(void)
{
	while (x.nchoices && x.choice[x.nchoices - 1].taken + 1 == x.choice[x.nchoices - 1].of)
		x.nchoices--;
	if (x.nchoices)
		x.choice[x.nchoices - 1].taken++;
	return x.nchoices;
}

/* ---- plain accesses ---- */

static bool has_seen(int thread, int other, uint32_t when)
{
	return other == thread || when <= x.clock[thread][other];
}

static bool races(const struct byte *b, bool write)
{
	if (b->written && !has_seen(x.self, b->writer, b->written))
		return true;
	for (int t = 0; write && t < THREADS; t++)
		if (!has_seen(x.self, t, b->read[t]))
			return true;
	return false;
}

static void plain(const volatile void *at, size_t len, bool write)
{
	size_t from = (size_t)((const volatile unsigned char *)at - x.shared);

	if (x.self < 0 || from >= x.program->bytes)
		return;
	for (struct byte *b = &x.byte[from]; b < &x.byte[from + len]; b++) {
		if (races(b, write))
			explore_fault("a race: thread %d %s byte %td", x.self,
				      write ? "writes" : "reads", b - x.byte);
		if (write) {
			b->writer = x.self;
			b->written = x.clock[x.self][x.self];
		} else {
			b->read[x.self] = x.clock[x.self][x.self];
		}
	}
}

void explore_copy(void *to, const void *from, size_t len)
{
	plain(from, len, false);
	plain(to, len, true);
	memcpy(to, from, len);
}

/* ---- atomic accesses ---- */

static struct object *object_at(const volatile void *at)
{
	struct object *o = x.object;

	for (; o < &x.object[x.nobjects]; o++)
		if (o->at == at)
			return o;
	if (x.nobjects++ == OBJECTS)
		explore_fault("more than %d atomic objects", OBJECTS);
	o->at = at;
	o->writer = -1;
	o->awaited = false;
	o->nstores = 1;
	memset(o->read, 0, sizeof(o->read));
	memset(o->store, 0, sizeof(o->store[0]));
	o->store[0].value = *(const volatile uint64_t *)at;
	return o;
}

static bool is_relaxed(const volatile void *at, bool store, int order)
{
	return order == memory_order_relaxed ||
	       (x.program->relaxed && x.program->relaxed(x.shared, at, store));
}

/* Returns the earliest store that the running thread may still read. */
static uint32_t earliest(const struct object *o)
{
	uint32_t i = o->read[x.self];

	while (i + 1 < o->nstores && has_seen(x.self, o->writer, o->store[i + 1].when))
		i++;
	return i;
}

/*
 * Lets the other thread run until it has stored to this object. If it never does, the execution
 * ends.
 */
static void await_store(struct object *o)
{
	uint32_t had = o->nstores;
	int self = x.self;

	o->awaited = true;
	while (o->nstores == had)
		fibers_block(x.fibers, FIBERS_NEVER);
	o->awaited = false;
	x.self = self;
}

/* Chooses the store that a load reads: an existing one, or one yet to come. */
static uint32_t choose_store(struct object *o)
{
	uint32_t from = earliest(o), there = o->nstores, i;

	if (o->writer == x.self)
		return there - 1;
	i = from + choose(there - from + 1);
	if (i < there)
		return i;
	await_store(o);
	return there + choose(o->nstores - there);
}

static uint64_t load(const volatile void *at, int order)
{
	struct object *o = object_at(at);
	uint32_t i = choose_store(o);
	const struct store *s = &o->store[i];

	o->read[x.self] = i;
	for (int t = 0; t < THREADS && !is_relaxed(at, false, order); t++)
		if (s->seen[t] > x.clock[x.self][t])
			x.clock[x.self][t] = s->seen[t];
	return s->value;
}

static void store(const volatile void *at, uint64_t value, int order)
{
	struct object *o = object_at(at);
	struct store *s = &o->store[o->nstores];

	if (o->writer == !x.self)
		explore_fault("an atomic object has two writers");
	if (o->nstores++ == STORES)
		explore_fault("more than %d stores", STORES);
	o->writer = x.self;
	*s = (struct store){ .value = value, .when = x.clock[x.self][x.self] };
	if (!is_relaxed(at, true, order))
		memcpy(s->seen, x.clock[x.self], sizeof(s->seen));
	x.clock[x.self][x.self]++;
	if (o->awaited)
		fibers_wake(x.fibers, !x.self, 0);
}

/* ---- executions ---- */

static void body(int i, void *arg)
{
	x.self = i;
	x.program->thread[i](x.shared);
}

static enum ended execute(void)
{
	int ended;

	memset(x.shared, 0, x.program->bytes);
	memset(x.byte, 0, x.program->bytes * sizeof(*x.byte));
	x.program->start(x.shared);
	for (int i = 0; i < THREADS; i++)
		for (int t = 0; t < THREADS; t++)
			x.clock[i][t] = i == t;
	x.nobjects = 0;
	x.depth = 0;
	x.fibers = fibers_new(THREADS);
	ended = fibers_run(x.fibers, body, NULL);
	x.self = -1;
	fibers_free(x.fibers);
	if (ended == WHOLE && x.program->ended)
		x.program->ended(x.shared);
	return ended < 0 ? STOPPED : (enum ended)ended;
}

struct explored explore(const struct program *p)
{
	struct explored result = { 0 };
	enum ended ended;

	x.program = p;
	x.result = &result;
	x.shared = aligned_alloc(64, (p->bytes + 63) / 64 * 64);
	x.byte = calloc(p->bytes, sizeof(*x.byte));
	x.nchoices = 0;
	do {
		ended = execute();
		result.whole += ended == WHOLE;
		result.stopped += ended == STOPPED;
	} while (ended != FAULTY && next_choices());
	free(x.byte);
	free(x.shared);
	return result;
}

/* ---- what -fsanitize=thread calls ---- */

#define PLAIN(SIZE)                                                                                \
	void __tsan_read##SIZE(void *at);                                                          \
	void __tsan_write##SIZE(void *at);                                                         \
	void __tsan_unaligned_read##SIZE(void *at);                                                \
	void __tsan_unaligned_write##SIZE(void *at);                                               \
	void __tsan_read##SIZE(void *at) { plain(at, SIZE, false); }                               \
	void __tsan_write##SIZE(void *at) { plain(at, SIZE, true); }                               \
	void __tsan_unaligned_read##SIZE(void *at) { plain(at, SIZE, false); }                     \
	void __tsan_unaligned_write##SIZE(void *at) { plain(at, SIZE, true); }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *at, size_t len);
void __tsan_write_range(void *at, size_t len);
uint64_t __tsan_atomic64_load(const volatile uint64_t *at, int order);
void __tsan_atomic64_store(volatile uint64_t *at, uint64_t value, int order);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
}

void __tsan_func_exit(void)
{
}

void __tsan_read_range(void *at, size_t len)
{
	plain(at, len, false);
}

void __tsan_write_range(void *at, size_t len)
{
	plain(at, len, true);
}

uint64_t __tsan_atomic64_load(const volatile uint64_t *at, int order)
{
	return load(at, order);
}

void __tsan_atomic64_store(volatile uint64_t *at, uint64_t value, int order)
{
	store(at, value, order);
}
