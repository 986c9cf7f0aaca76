/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for another process. A rank first spins, then yields the processor, then sleeps. The
 * duration of each phase depends on whether every rank has its own core. The user may choose one of
 * the three ways instead.
 */
#ifndef NETBENCH_NET_WAIT_H
#define NETBENCH_NET_WAIT_H

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/export.h"

/*
 * Numbers of checks before the next, more patient way of waiting. With 64-bit counters, "without
 * end" lasts some centuries.
 */
#define PATIENCE_WITHOUT_END (UINT64_MAX / 2)
struct patience {
	uint64_t spins;		/* number of checks without yielding the processor */
	uint64_t yields;	/* number of checks with sched_yield between them */
};

/*
 * Ways of waiting for a message. Options of all backends name them by the same words:
 *
 * auto: spin, then yield, then block
 * spin: check again at once
 * yield: offer the processor to other processes between two checks
 * block: sleep until the kernel wakes the rank
 *
 * wait_names are the words of the options; NULL ends them. wait_texts are the words in the record.
 */
enum waiting { WAIT_AUTO, WAIT_SPIN, WAIT_YIELD, WAIT_BLOCK };
NETBENCH_EXPORT extern const char *const wait_names[], *const wait_texts[];

/* Returns the numbers of checks for the way of waiting `how`. For WAIT_AUTO, returns `usual`. */
NETBENCH_EXPORT struct patience patience_of(enum waiting how, struct patience usual);

/* Returns the usual numbers of checks for one of `ranks` processes that share `cpus` CPUs. */
static inline struct patience patience_for(int ranks, int cpus)
{
	return ranks <= cpus ? (struct patience){ 20000, 50 } : (struct patience){ 20, 50 };
}

static inline void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * Sleeps while *word == value, at most `ms` milliseconds. `word` may be in memory shared by several
 * processes.
 */
static inline void futex_sleep(_Atomic uint32_t *word, uint32_t value, int ms)
{
	struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };

	syscall(SYS_futex, word, FUTEX_WAIT, value, &t, NULL, 0);
}

/* Wakes at most n processes that sleep on `word`. */
static inline void futex_wake(_Atomic uint32_t *word, int n)
{
	syscall(SYS_futex, word, FUTEX_WAKE, n, NULL, NULL, 0);
}

#endif
