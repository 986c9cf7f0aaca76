/* SPDX-License-Identifier: Apache-2.0 */
/* A fortified longjmp treats a jump to another stack as an error. */
#undef _FORTIFY_SOURCE
#include "job/fibers.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/coroutine.h"
#include "base/heap.h"

/*
 * Number of stacks that have a guard page below them. These guards suffice: all fibers run the same
 * code, so an overflow of any stack also occurs on the guarded stacks. A guard for each stack would
 * need more mappings than Linux allows a process.
 */
#define GUARDED 8192

/*
 * Bytes of a stack with its guard. Not a power of two, so that the stacks do not compete for the
 * same cache sets.
 */
#define STACK (64 * 1024 + STACK_GUARD)

/* Number of fiber switches between two checks whether the run has ended; about 0.1 ms. */
#define SWITCHES_PER_CHECK 1024

struct fiber {
	struct context context;
	double clock;
	/*
	 * index of the fiber's turn in the heap; -1: the fiber runs, has finished, or waits for
	 * fibers_wake
	 */
	int at;
};

/* A fiber that can continue, and the time at which it does. */
struct turn {
	double when;
	struct fiber *fiber;
};

struct fibers {
	int n, live, self, status;
	struct fiber *fiber;
	struct turn *heap;	/* ordered by time, then by fiber */
	uint32_t nheap;
	double now;		/* time of the latest turn that was taken */
	char *stacks;
	struct context home;
	bool (*over)(void *arg);	/* function given to fibers_watch; NULL: none */
	void *over_arg;
	jmp_buf *back;
	int watcher;
	uint32_t switches;
	void (*body)(int i, void *arg);
	void *arg;
};

struct fibers *fibers_new(int n)
{
	struct fibers *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->n = f->live = n;
	f->fiber = calloc((size_t)n, sizeof(*f->fiber));
	f->heap = calloc((size_t)n, sizeof(*f->heap));
	f->stacks = mmap(NULL, (size_t)n * STACK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!f->fiber || !f->heap || f->stacks == MAP_FAILED) {
		fibers_free(f);
		return NULL;
	}
	/* a huge page would hold many stacks, and most of each stack is unused */
	madvise(f->stacks, (size_t)n * STACK, MADV_NOHUGEPAGE);
	for (int i = 0; i < n && i < GUARDED; i++)
		mprotect(f->stacks + (size_t)i * STACK, STACK_GUARD, PROT_NONE);
	return f;
}

void fibers_free(struct fibers *f)
{
	if (!f)
		return;
	if (f->stacks && f->stacks != MAP_FAILED) {
		context_forget(f->stacks, (size_t)f->n * STACK);
		munmap(f->stacks, (size_t)f->n * STACK);
	}
	free(f->fiber);
	free(f->heap);
	free(f);
}

/* Orders turns by time, and turns of the same time by fiber number. */
static bool is_before(struct turn a, struct turn b)
{
	return a.when < b.when || (a.when <= b.when && a.fiber < b.fiber);
}

/* Stores in a fiber the heap index of its turn. */
static void store_heap_index(struct turn t, uint32_t at)
{
	t.fiber->at = (int)at;
}

HEAP(turns, struct turn, is_before, store_heap_index)

/* Lets fiber i continue at `when`. */
static void schedule_fiber(struct fibers *f, int i, double when)
{
	turns_push(f->heap, &f->nheap, (struct turn){ when, &f->fiber[i] });
}

/* Returns the lowest usable address of fiber i's stack. */
static void *stack_of(const struct fibers *f, int i)
{
	return f->stacks + (size_t)i * STACK + STACK_GUARD;
}

/*
 * Continues the watcher at `back` of fibers_watch. Tells AddressSanitizer that the watcher's
 * abandoned frames are not in use any more.
 */
NO_ASAN __attribute__((noreturn)) static void jump_to_watcher(struct fibers *f)
{
	f->over = NULL;
	f->nheap = 0;
	f->self = f->watcher;
	context_forget(stack_of(f, f->self), STACK - STACK_GUARD);
	_longjmp(*f->back, 1);
}

static void run_fiber(void *arg);

/* Stops this fiber and continues the next one. If no fiber can continue, continues fibers_run. */
NO_ASAN static void switch_to_next(struct fibers *f, struct context *from)
{
	struct turn next;

	if (!(++f->switches % SWITCHES_PER_CHECK) && f->over && f->over(f->over_arg))
		jump_to_watcher(f);
	if (!f->nheap) {
		context_switch(from, &f->home);
		return;
	}
	next = turns_pop(f->heap, &f->nheap);
	next.fiber->at = -1;
	f->self = (int)(next.fiber - f->fiber);
	f->now = next.when;
	if (&next.fiber->context == from)
		return;			/* this fiber is the next one */
	if (next.fiber->context.left)
		context_switch(from, &next.fiber->context);
	else
		context_begin(from, stack_of(f, f->self), STACK - STACK_GUARD, run_fiber, f);
}

/* First function on each fiber's stack: runs the body, then switches to the next fiber. */
NO_ASAN static void run_fiber(void *arg)
{
	struct fibers *f = arg;
	struct context end;

	f->body(f->self, f->arg);
	f->live--;
	switch_to_next(f, &end);	/* never returns: the fiber is no longer in the heap */
}

int fibers_run(struct fibers *f, void (*body)(int i, void *arg), void *arg)
{
	f->body = body;
	f->arg = arg;
	for (int i = 0; i < f->n; i++)
		schedule_fiber(f, i, 0);
	switch_to_next(f, &f->home);
	return f->status ? f->status : f->live ? -1 : 0;
}

void fibers_exit(struct fibers *f, int status)
{
	f->status = status;
	f->live = 0;
	context_go(&f->home);
}

void fibers_watch(struct fibers *f, bool (*over)(void *arg), void *arg, jmp_buf *back)
{
	f->over = over;
	f->over_arg = arg;
	f->back = back;
	f->watcher = f->self;
}

double *fibers_clock(struct fibers *f, int i)
{
	return &f->fiber[i].clock;
}

double fibers_block(struct fibers *f, double when)
{
	if (when < FIBERS_NEVER)
		schedule_fiber(f, f->self, when);
	switch_to_next(f, &f->fiber[f->self].context);
	return f->now;
}

double fibers_next(const struct fibers *f)
{
	return f->nheap ? f->heap[0].when : FIBERS_NEVER;
}

void fibers_wake(struct fibers *f, int i, double when)
{
	int at = f->fiber[i].at;

	if (at < 0)
		schedule_fiber(f, i, when);
	else if (when < f->heap[at].when)
		turns_rise(f->heap, (uint32_t)at, (struct turn){ when, &f->fiber[i] });
}
