/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include "base/error.h"
#include "base/sort.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 200		/* readings of both clocks; the closest pair counts */
#define CALIBRATION_S 0.020
#define SHORTEST_DRIFT_S 0.050	/* below, the error of the pairs outweighs any drift */
#define READINGS 2000
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Multiplications of a try, about 50 us. */
#define WORK 40000
#define WORK_TRIES 20

struct host_clock host_clock;

#ifdef CLOCK_COUNTER
/* Both clocks at one moment. */
struct clock_pair {
	uint64_t count, ns;
};

static struct clock_pair origin;

/* The first line of a file that begins so; the caller frees. */
static char *find_line(const char *path, const char *begin)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!f)
		return NULL;
	while (!found && getline(&line, &size, f) > 0)
		found = !strncmp(line, begin, strlen(begin));
	fclose(f);
	if (found)
		return line;
	free(line);
	return NULL;
}

#if defined(__x86_64__)
#define KERNELS_NAME "tsc"

static const char *const cpu_flags[] = { "constant_tsc", "nonstop_tsc" };

static bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = line; (at = strstr(at, word)); at += len)
		if (at > line && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\n'))
			return true;
	return false;
}

/* A flag that the CPU lacks for its counter to be trusted; NULL if it has them. */
static const char *missing_flag(void)
{
	char *flags = find_line("/proc/cpuinfo", "flags");
	const char *missing = NULL;

	for (size_t i = 0; i < sizeof(cpu_flags) / sizeof(cpu_flags[0]); i++)
		if (!missing && (!flags || !has_word(flags, cpu_flags[i])))
			missing = cpu_flags[i];
	free(flags);
	return missing;
}

static uint64_t read_fenced(void)
{
	uint64_t count;

	_mm_lfence();
	count = clock_counter();
	_mm_lfence();
	return count;
}
#else
#define KERNELS_NAME "arch_sys_counter"

static const char *missing_flag(void)
{
	return NULL;
}

static uint64_t read_fenced(void)
{
	uint64_t count = clock_counter();

	__asm__ volatile("isb" : : : "memory");
	return count;
}
#endif

/* Why the counter cannot be trusted, in `why`; false if it can. */
static bool counter_at_fault(char *why, size_t len)
{
	char *source = find_line(CLOCKSOURCE, "");
	const char *missing = missing_flag();
	bool trusted;

	if (source)
		source[strcspn(source, "\n")] = '\0';
	trusted = source && !strcmp(source, KERNELS_NAME);
	if (missing)
		snprintf(why, len, "the CPU has no '%s'", missing);
	else if (!trusted)
		snprintf(why, len, "the clock source of the kernel is '%s'",
			 source ? source : "unknown");
	free(source);
	return missing || !trusted;
}

static struct clock_pair pair_now(void)
{
	struct clock_pair best = { 0 };
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = read_fenced(), ns = clock_raw_ns();
		uint64_t width = read_fenced() - before;

		if (width < narrowest) {
			narrowest = width;
			best = (struct clock_pair){ before + width / 2, ns };
		}
	}
	return best;
}

/* Seconds a tick, from `origin` until now. */
static double rate_since_origin(double *elapsed_s)
{
	struct clock_pair now = pair_now();

	*elapsed_s = 1e-9 * (double)(now.ns - origin.ns);
	return *elapsed_s / (double)(now.count - origin.count);
}

static void start_counter(void)
{
	struct timespec left = { .tv_nsec = (long)(1e9 * CALIBRATION_S) };
	double elapsed_s;

	origin = pair_now();
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
	host_clock = (struct host_clock){ .counter = true, .name = CLOCK_COUNTER,
					  .base = origin.count };
	host_clock.tick_s = rate_since_origin(&elapsed_s);
}

double clock_drift(void)
{
	double elapsed_s, rate;

	if (!host_clock.counter)
		return 0;
	rate = rate_since_origin(&elapsed_s);
	return elapsed_s < SHORTEST_DRIFT_S ? 0 : rate / host_clock.tick_s - 1;
}
#else
static bool counter_at_fault(char *why, size_t len)
{
	snprintf(why, len, "this is neither an x86-64 nor an arm64 machine");
	return true;
}

static void start_counter(void)
{
}

double clock_drift(void)
{
	return 0;
}
#endif

/* Measures step and cost of the clock, and how long work takes. */
static void measure_clock(void)
{
	double reading[READINGS + 1] = { 0 }, quickest = INFINITY;
	/* A TSC that would repeat itself counts by one instead; so may the kernel. */
	double no_step = host_clock.counter && strcmp(host_clock.name, "tsc") ? 0 : 1;
	int step = 0;

	for (int i = 0; i <= READINGS; i++)
		reading[i] = clock_ticks();
	for (int i = 0; i < READINGS; i++)
		reading[i] = reading[i + 1] - reading[i];
	host_clock.overhead_s = median(reading, READINGS) * host_clock.tick_s;
	while (step < READINGS && !(reading[step] > no_step))
		step++;
	host_clock.resolution_s = (step < READINGS ? reading[step] : 1) * host_clock.tick_s;
	for (int i = 0; i < WORK_TRIES; i++) {
		double start = clock_ticks();

		clock_work(1, WORK);	/* the quickest of several tries was disturbed least */
		quickest = fmin(quickest, clock_ticks() - start);
	}
	host_clock.work_per_s = WORK / (quickest * host_clock.tick_s);
}

int clock_init(enum timer choice)
{
	char why[128];

	if (choice != TIMER_RAW && !counter_at_fault(why, sizeof(why))) {
		start_counter();
	} else if (choice == TIMER_TSC) {
		return error_unavailable("timer 'tsc' cannot be trusted: %s", why);
	} else {
		if (choice == TIMER_AUTO)
			error_note("timer is clock_monotonic_raw: %s", why);
		host_clock = (struct host_clock){ .name = "clock_monotonic_raw", .tick_s = 1e-9,
						  .base = clock_raw_ns() };
	}
	measure_clock();
	return ST_OK;
}
