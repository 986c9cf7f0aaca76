/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for another process on this machine: briefly by spinning, then by giving up the
 * processor, then asleep on a futex. How briefly depends on whether every rank has a core.
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

/* How often to look before the next, more patient way of waiting. */
struct patience {
	uint32_t spins;		/* looks without giving up the processor */
	uint32_t yields;	/* looks with sched_yield between them */
};

/* Patience for one of `ranks` processes that share `cpus`. */
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

/* Sleeps while *word == value, at most ms milliseconds; across processes. */
static inline void futex_sleep(_Atomic uint32_t *word, uint32_t value, int ms)
{
	struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };

	syscall(SYS_futex, word, FUTEX_WAIT, value, &t, NULL, 0);
}

/* Wakes up to n sleepers on word. */
static inline void futex_wake(_Atomic uint32_t *word, int n)
{
	syscall(SYS_futex, word, FUTEX_WAKE, n, NULL, NULL, 0);
}

#endif
