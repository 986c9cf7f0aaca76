/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch of stacks is _setjmp on one and _longjmp to the other, which cost no system call;
 * swapcontext would cost two. A fortified longjmp takes that for a fault.
 */
#undef _FORTIFY_SOURCE
#include "job/fibers.h"

#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/*
 * Below each of the first stacks lies a page that cannot be touched. All run the same code, so
 * these tell for the others, whose pages would be more mappings than Linux allows a process.
 */
#define GUARD 4096
#define GUARDED 8192

/* Not a power of two, so that what is used of the stacks does not compete for the same cache sets. */
#define STACK (64 * 1024 + GUARD)

struct fiber {
	jmp_buf *left;		/* where it stopped, on its stack; NULL: not begun */
	double clock;
	int at;			/* its place in the heap, -1: running, finished or waiting for a wake */
};

/* When a fiber that can go on does so. */
struct turn {
	double when;
	int fiber;
};

struct fibers {
	int n, live, self, status;
	struct fiber *fiber;
	struct turn *heap;	/* smallest (when, fiber) first */
	int nheap;
	double now;		/* of the turn that was taken last */
	char *stacks;
	jmp_buf home;
	void (*body)(int i, void *arg);
	void *arg;
};

struct fibers *fibers_new(int n)
{
	struct fibers *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->n = n;
	f->fiber = calloc((size_t)n, sizeof(*f->fiber));
	f->heap = calloc((size_t)n, sizeof(*f->heap));
	f->stacks = mmap(NULL, (size_t)n * STACK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!f->fiber || !f->heap || f->stacks == MAP_FAILED) {
		fibers_free(f);
		return NULL;
	}
	/* a huge page holds many stacks, of which little is used */
	madvise(f->stacks, (size_t)n * STACK, MADV_NOHUGEPAGE);
	for (int i = 0; i < n && i < GUARDED; i++)
		mprotect(f->stacks + (size_t)i * STACK, GUARD, PROT_NONE);
	return f;
}

void fibers_free(struct fibers *f)
{
	if (!f)
		return;
	if (f->stacks && f->stacks != MAP_FAILED)
		munmap(f->stacks, (size_t)f->n * STACK);
	free(f->fiber);
	free(f->heap);
	free(f);
}

static int before(const struct turn *a, const struct turn *b)
{
	return a->when < b->when || (a->when <= b->when && a->fiber < b->fiber);
}

static void place(struct fibers *f, int at, struct turn t)
{
	f->heap[at] = t;
	f->fiber[t.fiber].at = at;
}

/* Puts a turn where `at` is free, or above. */
static void sift_up(struct fibers *f, int at, struct turn t)
{
	while (at && before(&t, &f->heap[(at - 1) / 2])) {
		place(f, at, f->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	place(f, at, t);
}

/* Puts a turn where `at` is free, or below. */
static void sift_down(struct fibers *f, int at, struct turn t)
{
	for (;;) {
		int child = 2 * at + 1;

		if (child + 1 < f->nheap && before(&f->heap[child + 1], &f->heap[child]))
			child++;
		if (child >= f->nheap || !before(&f->heap[child], &t))
			break;
		place(f, at, f->heap[child]);
		at = child;
	}
	place(f, at, t);
}

static void push(struct fibers *f, int i, double when)
{
	sift_up(f, f->nheap++, (struct turn){ when, i });
}

static int pop(struct fibers *f)
{
	struct turn first = f->heap[0], last = f->heap[--f->nheap];

	if (f->nheap)
		sift_down(f, 0, last);
	f->fiber[first.fiber].at = -1;
	f->now = first.when;
	return first.fiber;
}

/* AddressSanitizer cannot know that a frame that never returns is gone; it leaves these alone. */
#define PLAIN __attribute__((no_sanitize("address")))

PLAIN __attribute__((noreturn)) static void resume(struct fibers *f);

/* A fiber's first frame; ucontext passes ints only. */
static void entry(unsigned high, unsigned low)
{
	struct fibers *f = (struct fibers *)(((uintptr_t)high << 32) | low);

	f->body(f->self, f->arg);
	f->live--;
	resume(f);
}

/* Begins fiber i on its own stack. */
PLAIN __attribute__((noreturn)) static void begin(struct fibers *f, int i)
{
	ucontext_t c;

	getcontext(&c);
	c.uc_stack.ss_sp = f->stacks + (size_t)i * STACK + GUARD;
	c.uc_stack.ss_size = STACK - GUARD;
	c.uc_link = NULL;
	makecontext(&c, (void (*)(void))entry, 2, (unsigned)((uintptr_t)f >> 32),
		    (unsigned)(uintptr_t)f);
	setcontext(&c);
	abort();
}

/* Goes on with the next fiber, or at home when none can. */
PLAIN __attribute__((noinline, noreturn)) static void resume(struct fibers *f)
{
	int next = f->nheap ? pop(f) : -1;

	f->self = next;
	if (next < 0)
		_longjmp(f->home, 1);
	if (!f->fiber[next].left)
		begin(f, next);
	_longjmp(*f->fiber[next].left, 1);
}

/* Leaves this fiber until it is its turn again. */
PLAIN static void go_on(struct fibers *f)
{
	jmp_buf here;

	f->fiber[f->self].left = &here;
	if (!_setjmp(here))
		resume(f);
}

int fibers_run(struct fibers *f, void (*body)(int i, void *arg), void *arg)
{
	f->body = body;
	f->arg = arg;
	f->live = f->n;
	for (int i = 0; i < f->n; i++)
		push(f, i, 0);
	if (!_setjmp(f->home))
		resume(f);
	if (f->status)
		return f->status;
	return f->live ? -1 : 0;
}

void fibers_exit(struct fibers *f, int status)
{
	f->status = status;
	_longjmp(f->home, 1);
}

double *fibers_clock(struct fibers *f, int i)
{
	return &f->fiber[i].clock;
}

double fibers_block(struct fibers *f, double when)
{
	if (when < FIBERS_NEVER)
		push(f, f->self, when);
	go_on(f);
	return f->now;
}

void fibers_wake(struct fibers *f, int i, double when)
{
	int at = f->fiber[i].at;

	if (at < 0)
		push(f, i, when);
	else if (when < f->heap[at].when)
		sift_up(f, at, (struct turn){ when, i });
}
