/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To switch stacks, the code calls _setjmp on the old stack and _longjmp to the new one. These make
 * no system call; swapcontext would make two. Fortification is off because a fortified longjmp
 * treats a change of stack as an error.
 */
#undef _FORTIFY_SOURCE
#include "base/coroutine.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* ---- contexts ---- */

/* The function to call first on a new stack, and its argument. */
struct first_call {
	void (*body)(void *arg);
	void *arg;
};

/*
 * First function on a new stack. Its arguments are the two halves of the address of a struct
 * first_call, because makecontext passes only ints.
 */
NO_ASAN static void call_first(unsigned high, unsigned low)
{
	struct first_call b = *(struct first_call *)(((uintptr_t)high << 32) | low);

	b.body(b.arg);
	abort();
}

NO_ASAN void context_go(const struct context *to)
{
	_longjmp(*to->left, 1);
}

NO_ASAN void context_switch(struct context *from, const struct context *to)
{
	jmp_buf here;

	from->left = &here;
	if (!_setjmp(here))
		_longjmp(*to->left, 1);
}

NO_ASAN void context_begin(struct context *from, void *stack, size_t size,
			   void (*body)(void *arg), void *arg)
{
	struct first_call b = { body, arg };
	jmp_buf here;
	ucontext_t c;

	from->left = &here;
	if (_setjmp(here))
		return;
	getcontext(&c);
	c.uc_stack.ss_sp = stack;
	c.uc_stack.ss_size = size;
	c.uc_link = NULL;
	makecontext(&c, (void (*)(void))call_first, 2, (unsigned)((uintptr_t)&b >> 32),
		    (unsigned)(uintptr_t)&b);
	setcontext(&c);
	abort();
}

void context_forget(void *stack, size_t size)
{
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(stack, size);
#else
#endif
}

/* ---- coroutines ---- */

struct coroutine {
	struct context self, resumer;
	void (*body)(void *arg);
	void *arg;
	char *stack;			/* begins with the guard page */
	size_t size;
	bool begun, done;
};

struct coroutine *coroutine_new(size_t stack, void (*body)(void *arg), void *arg)
{
	struct coroutine *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->body = body;
	c->arg = arg;
	c->size = stack;
	c->stack = mmap(NULL, STACK_GUARD + stack, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->stack == MAP_FAILED) {
		free(c);
		return NULL;
	}
	mprotect(c->stack, STACK_GUARD, PROT_NONE);
	return c;
}

void coroutine_free(struct coroutine *c)
{
	if (!c)
		return;
	context_forget(c->stack + STACK_GUARD, c->size);
	munmap(c->stack, STACK_GUARD + c->size);
	free(c);
}

NO_ASAN static void run_body(void *arg)
{
	struct coroutine *c = arg;

	c->body(c->arg);
	c->done = true;
	context_go(&c->resumer);
}

bool coroutine_resume(struct coroutine *c)
{
	if (c->begun) {
		context_switch(&c->resumer, &c->self);
	} else {
		c->begun = true;
		context_begin(&c->resumer, c->stack + STACK_GUARD, c->size, run_body, c);
	}
	return !c->done;
}

void coroutine_yield(struct coroutine *c)
{
	context_switch(&c->self, &c->resumer);
}
