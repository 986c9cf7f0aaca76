/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host clock. A reading is a number of ticks since an arbitrary start. It is a double (exact
 * below 2^53), so that times of real and of virtual clocks have the same type.
 *
 * Where the kernel itself trusts the processor's counter, a tick is one count of it. The counter is
 * an invariant TSC on x86-64 (clocksource tsc), and CNTVCT_EL0 on arm64 (arch_sys_counter). The
 * counter is calibrated against CLOCK_MONOTONIC_RAW. The calibration is checked again at the end of
 * a run. Elsewhere a tick is a nanosecond of CLOCK_MONOTONIC_RAW (METHODS 3.6).
 */
#ifndef NETBENCH_BASE_CLOCK_H
#define NETBENCH_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#define CLOCK_COUNTER "tsc"
#elif defined(__aarch64__)
#define CLOCK_COUNTER "cntvct"
#endif

#include "base/export.h"

/* The clock in use; set once by clock_init before any rank starts, then read only. */
struct host_clock {
	bool counter;		/* true: the processor's counter; false: CLOCK_MONOTONIC_RAW */
	uint64_t base;		/* reading at clock_init */
	double tick_s;		/* seconds per tick */
	double resolution_s;	/* smallest step between readings; for tsc and raw: above 1 tick */
	double overhead_s;	/* median time from one reading to the next */
	double work_per_s;	/* multiplications of clock_multiply per second, if undisturbed */
	const char *name;	/* "tsc", "cntvct" or "clock_monotonic_raw" */
};
NETBENCH_EXPORT extern struct host_clock host_clock;

enum timer { TIMER_AUTO, TIMER_TSC, TIMER_RAW };

/*
 * Chooses the clock and calibrates it (about 20 ms for a counter). Measures its step and its cost,
 * and how long a fixed amount of work takes (1 ms). TIMER_TSC means the processor's counter, also
 * on arm64. Returns ST_OK, or ST_UNAVAILABLE (reported) if TIMER_TSC was asked for and the counter
 * cannot be trusted.
 */
int clock_init(enum timer choice);

/*
 * Relative difference between two values of seconds per tick: measured from clock_init until now,
 * and measured by clock_init. 0 without a counter.
 */
double clock_drift(void);

/* Seconds of CLOCK_MONOTONIC_RAW; for budgets and progress, not for measuring. */
static inline double clock_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds of CLOCK_MONOTONIC_RAW. */
static inline uint64_t clock_raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

#ifdef CLOCK_COUNTER
/*
 * Reads the processor's counter. On x86-64 without a fence, which would double the cost: a reading
 * after a wait follows the load that ended the wait anyway. On arm64 the reading might overtake
 * that load, so a barrier precedes it.
 */
static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	uint64_t count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
#endif
}
#endif

/* Ticks since clock_init. The difference of two readings times host_clock.tick_s is in seconds. */
static inline double clock_ticks(void)
{
#ifdef CLOCK_COUNTER
	if (host_clock.counter)
		return (double)(int64_t)(clock_counter() - host_clock.base);
#endif
	return (double)(int64_t)(clock_raw_ns() - host_clock.base);
}

/*
 * The reading in ticks without clock_init's subtraction. All processes of a machine can compare it.
 */
static inline uint64_t clock_count(void)
{
	return host_clock.base + (uint64_t)(int64_t)clock_ticks();
}

/*
 * Keeps the processor busy with n multiplications, starting from x. Each needs the result of the
 * one before, and the last result is returned, so that no compiler can remove them.
 */
static inline uint64_t clock_multiply(uint64_t x, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
#if defined(__GNUC__)
		__asm__ volatile("" : "+r"(x));
#endif
	}
	return x;
}

/*
 * Keeps the processor busy with work that takes `seconds` if undisturbed, by the calibration of
 * clock_init. It reads no clock: like real work it takes longer if the processor is taken away.
 */
static inline void clock_spin(double seconds)
{
	clock_multiply(1, (uint64_t)(seconds * host_clock.work_per_s));
}

#endif
