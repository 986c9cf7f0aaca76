/* SPDX-License-Identifier: Apache-2.0 */
#include "host/background.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

/*
 * Multiplications per unit of work. A unit takes about a microsecond, so that counting units costs
 * almost nothing.
 */
#define UNIT 1000

struct background {
	pthread_t thread;
	/* number of units done; in its own cache line, because it is written constantly */
	alignas(64) atomic_uint_fast64_t work;
	atomic_bool stop;
};

static atomic_bool is_nice;

const char *background_priority(void)
{
	return is_nice ? "nice 19" : "SCHED_IDLE";
}

/* The thread: lowers its priority, then computes until it is stopped. */
static void *compute_until_stopped(void *arg)
{
	struct background *l = arg;
	struct sched_param none = { 0 };
	uint64_t x = 1;

	if (sched_setscheduler(0, SCHED_IDLE, &none)) {
		is_nice = true;
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
	}
	while (!atomic_load_explicit(&l->stop, memory_order_relaxed)) {
		x = clock_multiply(x, UNIT);
		atomic_fetch_add_explicit(&l->work, 1 + (x == 0), memory_order_relaxed);
	}
	return NULL;
}

struct background *background_start(void)
{
	struct background *l = aligned_alloc(64, (sizeof(*l) + 63) / 64 * 64);
	sigset_t all, before;
	int err;

	if (!l) {
		error_report("no memory for a computing task");
		return NULL;
	}
	memset(l, 0, sizeof(*l));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* signals go to the main thread */
	err = pthread_create(&l->thread, NULL, compute_until_stopped, l);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		return l;
	error_report("cannot start a computing task: %s", strerror(err));
	free(l);
	return NULL;
}

void background_stop(struct background *l)
{
	if (!l)
		return;
	atomic_store(&l->stop, true);
	pthread_join(l->thread, NULL);
	free(l);
}

uint64_t background_work(const struct background *l)
{
	return l ? atomic_load_explicit(&l->work, memory_order_relaxed) : 0;
}

/* Returns the reading of a clock, s; 0 on failure. */
static double read_clock_s(clockid_t clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double background_cpu_s(const struct background *l)
{
	clockid_t thread_clock;

	if (!l || pthread_getcpuclockid(l->thread, &thread_clock))
		return 0;
	return read_clock_s(CLOCK_THREAD_CPUTIME_ID) + read_clock_s(thread_clock);
}

double background_sleep_and_rate(const struct background *l, double seconds)
{
	struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
	uint64_t before = background_work(l);
	double start = clock_wall();

	while (nanosleep(&t, &t) && errno == EINTR)
		;
	return (double)(background_work(l) - before) / (clock_wall() - start);
}
