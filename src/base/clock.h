/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host clock. Readings are in ticks from an arbitrary start, as double (exact below
 * 2^53), so that stamps of real and of virtual time have one type.
 *
 * Where the kernel itself trusts the processor's counter, a tick is one of its: an invariant TSC on
 * x86-64 (clocksource tsc), CNTVCT_EL0 on arm64 (arch_sys_counter). It is calibrated against
 * CLOCK_MONOTONIC_RAW, which is checked again at the end of a run. Elsewhere a tick is a nanosecond
 * of CLOCK_MONOTONIC_RAW (METHODS 3.6).
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
	bool counter;		/* is the processor's, not CLOCK_MONOTONIC_RAW */
	uint64_t base;		/* reading at clock_init */
	double tick_s;		/* seconds a tick */
	double resolution_s;	/* smallest step seen, of more than one tick */
	double overhead_s;	/* median of an empty interval */
	double work_per_s;	/* multiplications of clock_work a second, undisturbed */
	const char *name;	/* "tsc", "cntvct" or "clock_monotonic_raw" */
};
NETBENCH_EXPORT extern struct host_clock host_clock;

enum timer { TIMER_AUTO, TIMER_TSC, TIMER_RAW };

/*
 * Chooses and calibrates the clock (about 20 ms for a counter). Measures its step and cost, and how
 * long a certain amount of work takes (1 ms). TIMER_TSC is the counter, also on arm64. Reports
 * TIMER_TSC where the counter cannot be trusted. ST_OK or ST_UNAVAILABLE.
 */
int clock_init(enum timer choice);

/* Relative difference between the calibration and one over the whole run; 0 without a counter. */
double clock_drift(void);

/* Seconds of CLOCK_MONOTONIC_RAW; for budgets and progress, not for measuring. */
static inline double clock_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds of the same clock. */
static inline uint64_t clock_raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

#ifdef CLOCK_COUNTER
/*
 * The processor's counter. Not fenced on x86-64, at half the cost: a reading after a wait follows
 * the load that ended the wait anyway. On arm64 it may overtake that load without the barrier.
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

/* Ticks since clock_init, for spans of time; a difference times host_clock.tick_s is seconds. */
static inline double clock_ticks(void)
{
#ifdef CLOCK_COUNTER
	if (host_clock.counter)
		return (double)(int64_t)(clock_counter() - host_clock.base);
#endif
	return (double)(int64_t)(clock_raw_ns() - host_clock.base);
}

/* The same as the machine counts it, to compare readings of its processes; in units of tick_s. */
static inline uint64_t clock_count(void)
{
	return host_clock.base + (uint64_t)(int64_t)clock_ticks();
}

/* Occupies the processor with n multiplications. Each needs the one before. */
static inline uint64_t clock_work(uint64_t x, uint64_t n)
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
 * Occupies the processor with work that takes this time undisturbed, by clock_init's calibration.
 * It reads no clock: like real work it takes longer if the processor is taken away.
 */
static inline void clock_spin(double seconds)
{
	clock_work(1, (uint64_t)(seconds * host_clock.work_per_s));
}

#endif
