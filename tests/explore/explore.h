/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model checker for two threads that share memory: runs them in every way that C11 allows, not
 * only in those that this machine's processor shows.
 *
 * The file with the threads is compiled with -fsanitize=thread, and the calls that this leaves at
 * each access come here instead of to ThreadSanitizer. A load yields, in one execution after the
 * other, each value that it may: of those stored so far, and of those still to be stored. A plain
 * access that is not ordered by release and acquire after the other thread's to the same byte is a
 * race, and a fault.
 *
 * The model is C11 with program order and reads-from acyclic, release sequences as in C20. Each
 * atomic object must have a single writer, so the order of its stores is that writer's; then all
 * orders of execution that agree with program order and reads-from are one and the same, and one
 * of each is run. Read-modify-write and fences are not modelled: they end the exploration.
 */
#ifndef NETBENCH_TESTS_EXPLORE_H
#define NETBENCH_TESTS_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
	size_t bytes;			/* of the memory that the threads share; begins zeroed */
	void (*start)(void *shared);	/* fills it, before the threads */
	void (*thread[2])(void *shared);
	void (*ended)(const void *shared);	/* NULL, or called after both have come to their end */
	/* NULL, or true for an access that is to be relaxed, whatever order it asks for */
	bool (*relaxed)(const void *shared, const volatile void *at, bool store);
};

struct explored {
	uint64_t whole;			/* executions in which both threads came to their end */
	uint64_t stopped;		/* those that waited for a value that was never stored */
	char fault[100];		/* the first, which ends the exploration; or "" */
};

struct explored explore(const struct program *p);

/* From a thread: memcpy, seen by the checker. */
void explore_copy(void *to, const void *from, size_t len);

/* From a thread: says what is wrong, and ends this execution. */
__attribute__((noreturn, format(printf, 1, 2))) void explore_fault(const char *format, ...);

/* From a thread that has tried in vain too often: ends this execution. */
__attribute__((noreturn)) void explore_stop(void);

#endif
