/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model checker for two threads that share memory. It runs them in every way that C11 allows, not
 * only in the ways of this machine's processor. The file with the threads is compiled with
 * -fsanitize=thread, whose calls at each access come here instead of to ThreadSanitizer.
 *
 * A load returns, in one execution after the other, each value that it may: one of those stored so
 * far, or one still to be stored. A plain access is a race, and a fault, if no release and acquire
 * orders it after the other thread's access to the same byte.
 *
 * The model is C11 with program order and reads-from acyclic, and release sequences as in C20. Each
 * atomic object must have a single writer, whose order is then the order of its stores. All orders
 * of execution that agree with program order and reads-from are then equivalent, and one of each is
 * run. Read-modify-write operations and fences are not modelled: they end the exploration.
 */
#ifndef NETBENCH_TESTS_EXPLORE_H
#define NETBENCH_TESTS_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
	size_t bytes;	/* size of the memory that the threads share; it begins zeroed */
	void (*start)(void *shared);	/* initialises it before the threads begin */
	void (*thread[2])(void *shared);
	void (*ended)(const void *shared);	/* NULL, or called after both threads have ended */
	/*
	 * NULL, or true for an access that the model treats as relaxed, whatever order it requests
	 */
	bool (*relaxed)(const void *shared, const volatile void *at, bool store);
};

struct explored {
	uint64_t whole;			/* number of executions in which both threads ended */
	/* number of executions that waited for a value that was never stored */
	uint64_t stopped;
	char fault[100];		/* the first fault, which ends the exploration; or "" */
};

struct explored explore(const struct program *p);

/* Call it in a thread: memcpy, visible to the checker. */
void explore_copy(void *to, const void *from, size_t len);

/* Call it in a thread: records a fault and ends this execution. */
__attribute__((noreturn, format(printf, 1, 2))) void explore_fault(const char *format, ...);

/* Call it in a thread that has failed too often: ends this execution. */
__attribute__((noreturn)) void explore_stop(void);

#endif
