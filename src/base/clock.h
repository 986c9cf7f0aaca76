/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host clock. A reading is a number of ticks since an arbitrary start. Readings are doubles,
 * exact below 2^53, so that real and virtual clocks give the same type.
 *
 * If the kernel uses the processor's counter as its own clock source, a tick is one count of that
 * counter. The counter is an invariant TSC on x86-64 (clocksource tsc), and CNTVCT_EL0 on arm64
 * (arch_sys_counter). The counter is calibrated against CLOCK_MONOTONIC_RAW. The calibration is
 * checked again at the end of a run. Without such a counter, a tick is a nanosecond of
 * CLOCK_MONOTONIC_RAW (METHODS 3.6).
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
	uint64_t base;		/* reading of the counter at clock_init */
	double tick_s;		/* seconds per tick */
	/* smallest step between readings; with tsc and raw, steps of 1 tick are ignored */
	double resolution_s;
	double overhead_s;	/* median time from one reading to the next */
	double work_per_s;	/* multiplications of clock_multiply per second, if undisturbed */
	const char *name;	/* "tsc", "cntvct" or "clock_monotonic_raw" */
};
NETBENCH_EXPORT extern struct host_clock host_clock;

enum timer { TIMER_AUTO, TIMER_TSC, TIMER_RAW };

/*
 * Chooses the clock and calibrates it (about 20 ms for a counter). Measures the clock's step and
 * the cost of a reading. Also times a fixed amount of work (1 ms). TIMER_TSC means the processor's
 * counter, also on arm64. Returns ST_OK, or ST_UNAVAILABLE (reported) if TIMER_TSC was asked for
 * and the counter cannot be trusted.
 */
int clock_init(enum timer choice);

/*
 * Returns the relative change of the seconds per tick: the value measured from clock_init until
 * now, divided by the value that clock_init measured, minus 1. Returns 0 without a counter, or less
 * than 50 ms after clock_init.
 */
double clock_drift(void);

/* Returns the seconds of CLOCK_MONOTONIC_RAW; for budgets and progress, not for measuring. */
static inline double clock_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the nanoseconds of CLOCK_MONOTONIC_RAW. */
static inline uint64_t clock_raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

#ifdef CLOCK_COUNTER
/*
 * Reads the processor's counter. On x86-64 it uses no fence, because a fence would double the cost.
 * No fence is needed after a wait: the reading follows the load that ended the wait anyway. On
 * arm64 the reading might overtake that load, so a barrier precedes it.
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

/*
 * Returns the ticks since clock_init. Multiply a difference of readings by host_clock.tick_s to get
 * seconds.
 */
static inline double clock_ticks(void)
{
#ifdef CLOCK_COUNTER
	if (host_clock.counter)
		return (double)(int64_t)(clock_counter() - host_clock.base);
#endif
	return (double)(int64_t)(clock_raw_ns() - host_clock.base);
}

/*
 * Returns the clock's reading in ticks, counted from the clock's own start and not from clock_init.
 * Processes on one machine can compare their readings.
 */
static inline uint64_t clock_count(void)
{
	return host_clock.base + (uint64_t)(int64_t)clock_ticks();
}

/*
 * Keeps the processor busy with n multiplications, starting from x. Each multiplication needs the
 * result of the previous one. Returns the last result, so that no compiler can remove the
 * multiplications.
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
 * Keeps the processor busy with an amount of work that takes `seconds` if undisturbed, according to
 * clock_init's calibration. Does not read the clock: like real work, it takes longer if other
 * programs use the processor.
 */
static inline void clock_spin(double seconds)
{
	clock_multiply(1, (uint64_t)(seconds * host_clock.work_per_s));
}

#endif
