/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that runs on its own stack, can stop inside a function, and can continue there later. A
 * context can switch to any other context. A coroutine returns to the code that resumed it.
 */
#ifndef NETBENCH_BASE_COROUTINE_H
#define NETBENCH_BASE_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of the guard page below each stack. The page cannot be read or written, so an overflow of
 * the stack ends the process. Stacks hold only frames of netbench and libc: 64 KiB is enough for
 * code that prints numbers.
 */
#define STACK_GUARD 4096

/*
 * Functions with this mark are not instrumented by AddressSanitizer. If a function never returns,
 * AddressSanitizer cannot know that its frame is gone.
 */
#define NO_ASAN __attribute__((no_sanitize("address")))

/* ---- contexts ---- */

/* The place at which a context has stopped. */
struct context {
	/* registers of the stopped code, saved on its stack; NULL: the context has not begun */
	jmp_buf *left;
};

/* Saves this place in `from` and continues at `to`. Returns when other code switches to `from`. */
void context_switch(struct context *from, const struct context *to);

/*
 * Saves this place in `from` and calls body(arg) on the new stack of `size` bytes. The body must
 * end with context_go.
 */
void context_begin(struct context *from, void *stack, size_t size, void (*body)(void *arg),
		   void *arg);

/* Continues at `to`, and never returns. */
__attribute__((noreturn)) void context_go(const struct context *to);

/*
 * Tells AddressSanitizer that no frame on this stack is in use any more, even if functions have not
 * returned.
 */
void context_forget(void *stack, size_t size);

/* ---- coroutines ---- */

/*
 * Creates a coroutine that will run body(arg) on a stack of `stack` bytes. Returns NULL if memory
 * is short.
 */
struct coroutine *coroutine_new(size_t stack, void (*body)(void *arg), void *arg);

/*
 * Frees a coroutine; NULL is allowed. Memory that the body has allocated is not freed, so let the
 * body return first.
 */
void coroutine_free(struct coroutine *c);

/*
 * Runs the body until it yields or returns. Returns false once the body has returned; do not call
 * it again after that.
 */
bool coroutine_resume(struct coroutine *c);

/* Called by the body: stops it until the next coroutine_resume. */
void coroutine_yield(struct coroutine *c);

#endif
