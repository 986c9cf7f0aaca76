/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that stops in the middle, on a stack of its own, and goes on later. Contexts switch to each
 * other. A coroutine stops and returns to the code that resumed it.
 */
#ifndef NETBENCH_BASE_COROUTINE_H
#define NETBENCH_BASE_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A page that cannot be touched, below a stack. What is on a stack is this code's, and it needs to
 * know the size alone: 64 KiB is enough for what prints numbers.
 */
#define STACK_GUARD 4096

/* AddressSanitizer leaves these alone: it cannot know when a frame without a return is gone. */
#define NO_ASAN __attribute__((no_sanitize("address")))

/* ---- contexts ---- */

/* Where something has stopped. */
struct context {
	jmp_buf *left;			/* on its stack; NULL: not begun */
};

/* Stops here, and goes on where `to` has stopped. Returns once something switches to `from`. */
void context_switch(struct context *from, const struct context *to);

/* The same, but begins body(arg) on this stack. The body ends with context_go. */
void context_begin(struct context *from, void *stack, size_t size, void (*body)(void *arg),
		   void *arg);

/* Goes on where `to` has stopped, and never comes back. */
__attribute__((noreturn)) void context_go(const struct context *to);

/* The frames on a stack are gone, whether or not their functions have returned. */
void context_forget(void *stack, size_t size);

/* ---- coroutines ---- */

/* A coroutine that will run body(arg), with `stack` bytes of stack. NULL without memory. */
struct coroutine *coroutine_new(size_t stack, void (*body)(void *arg), void *arg);

/* NULL is allowed. What the body owns is not freed: let it come to its end before. */
void coroutine_free(struct coroutine *c);

/* Runs the body until it yields or returns. False once it has returned; not to be called then. */
bool coroutine_resume(struct coroutine *c);

/* From the body: stops until it is resumed. */
void coroutine_yield(struct coroutine *c);

#endif
