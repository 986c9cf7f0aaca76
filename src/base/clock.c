/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include "base/error.h"
#include "base/sort.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* number of attempts to read both clocks at one moment; the quickest attempt is used */
#define TRIES 200
#define CALIBRATION_S 0.020
#define SHORTEST_DRIFT_S 0.050	/* over a shorter time, errors of reading exceed any drift */
#define READINGS 2000
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Number of multiplications in each timed attempt; they take about 50 us. */
#define WORK 40000
#define WORK_TRIES 20

struct host_clock host_clock;

#ifdef CLOCK_COUNTER
/* Readings of the counter (count) and of CLOCK_MONOTONIC_RAW (ns) at the same moment. */
struct clock_pair {
	uint64_t count, ns;
};

static struct clock_pair origin;

/* Returns the file's first line that begins with `begin`, or NULL. The caller frees it. */
static char *read_line_beginning(const char *path, const char *begin)
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

/* Returns true if `word` occurs in the line as a whole word with a blank before it. */
static bool line_has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = line; (at = strstr(at, word)); at += len)
		if (at > line && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\n'))
			return true;
	return false;
}

/* Returns a flag that a trusted counter needs and this CPU lacks; NULL if it has all of them. */
static const char *missing_cpu_flag(void)
{
	char *flags = read_line_beginning("/proc/cpuinfo", "flags");
	const char *missing = NULL;

	for (size_t i = 0; i < sizeof(cpu_flags) / sizeof(cpu_flags[0]); i++)
		if (!missing && (!flags || !line_has_word(flags, cpu_flags[i])))
			missing = cpu_flags[i];
	free(flags);
	return missing;
}

static uint64_t read_counter_fenced(void)
{
	uint64_t count;

	_mm_lfence();
	count = clock_counter();
	_mm_lfence();
	return count;
}
#else
#define KERNELS_NAME "arch_sys_counter"

static const char *missing_cpu_flag(void)
{
	return NULL;
}

static uint64_t read_counter_fenced(void)
{
	uint64_t count = clock_counter();

	__asm__ volatile("isb" : : : "memory");
	return count;
}
#endif

/* Returns true if the counter cannot be trusted, with the reason in `why`. */
static bool counter_untrusted(char *why, size_t len)
{
	char *source = read_line_beginning(CLOCKSOURCE, "");
	const char *missing = missing_cpu_flag();
	bool trusted;

	if (source)
		source[strcspn(source, "\n")] = '\0';
	trusted = source && !strcmp(source, KERNELS_NAME);
	if (missing)
		snprintf(why, len, "the CPU lacks flag '%s'", missing);
	else if (!trusted)
		snprintf(why, len, "the clock source of the kernel is '%s'",
			 source ? source : "unknown");
	free(source);
	return missing || !trusted;
}

/*
 * Reads both clocks at nearly the same moment: tries several times and returns the quickest
 * attempt.
 */
static struct clock_pair read_clock_pair(void)
{
	struct clock_pair best = { 0 };
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = read_counter_fenced(), ns = clock_raw_ns();
		uint64_t width = read_counter_fenced() - before;

		if (width < narrowest) {
			narrowest = width;
			best = (struct clock_pair){ before + width / 2, ns };
		}
	}
	return best;
}

/*
 * Returns the seconds per tick between `origin` and now. Sets *elapsed_s to the length of this time
 * in seconds.
 */
static double measure_tick_s(double *elapsed_s)
{
	struct clock_pair now = read_clock_pair();

	*elapsed_s = 1e-9 * (double)(now.ns - origin.ns);
	return *elapsed_s / (double)(now.count - origin.count);
}

static void start_counter(void)
{
	struct timespec left = { .tv_nsec = (long)(1e9 * CALIBRATION_S) };
	double elapsed_s;

	origin = read_clock_pair();
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
	host_clock = (struct host_clock){ .counter = true, .name = CLOCK_COUNTER,
					  .base = origin.count };
	host_clock.tick_s = measure_tick_s(&elapsed_s);
}

double clock_drift(void)
{
	double elapsed_s, rate;

	if (!host_clock.counter)
		return 0;
	rate = measure_tick_s(&elapsed_s);
	return elapsed_s < SHORTEST_DRIFT_S ? 0 : rate / host_clock.tick_s - 1;
}
#else
static bool counter_untrusted(char *why, size_t len)
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

/* Measures the clock's step, the cost of a reading, and the speed of clock_multiply. */
static void measure_clock(void)
{
	double reading[READINGS + 1] = { 0 }, quickest = INFINITY;
	/*
	 * If two TSC readings would be equal, the second is returned one higher. The kernel's clock
	 * may do the same. Such steps are not counted.
	 */
	double largest_false_step = host_clock.counter && strcmp(host_clock.name, "tsc") ? 0 : 1;
	int step = 0;

	for (int i = 0; i <= READINGS; i++)
		reading[i] = clock_ticks();
	for (int i = 0; i < READINGS; i++)
		reading[i] = reading[i + 1] - reading[i];
	host_clock.overhead_s = median(reading, READINGS) * host_clock.tick_s;
	while (step < READINGS && !(reading[step] > largest_false_step))
		step++;
	host_clock.resolution_s = (step < READINGS ? reading[step] : 1) * host_clock.tick_s;
	for (int i = 0; i < WORK_TRIES; i++) {
		double start = clock_ticks();

		clock_multiply(1, WORK);	/* the quickest attempt was disturbed least */
		quickest = fmin(quickest, clock_ticks() - start);
	}
	host_clock.work_per_s = WORK / (quickest * host_clock.tick_s);
}

int clock_init(enum timer choice)
{
	char why[128];

	if (choice != TIMER_RAW && !counter_untrusted(why, sizeof(why))) {
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
