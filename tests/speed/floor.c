/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the machine itself takes, for speed.py to compare with:
 *
 *	floor pingpong|copy [CPU CPU]
 *
 * pingpong: two processes, each writing eight bytes and a sequence number into a cache line of its
 * own and waiting for that of the other; half a round trip. copy: one process writes a buffer, the
 * other copies it again and again to one of its own. Prints lines "key value" in SI units.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPETITIONS 20
#define REPETITION_S 10e-3
#define PILOT_S 1e-3
#define LEN (1U << 20)
#define COPIES 64	/* copies of a block: the number of messages in a window of netbench */
#define BLOCKS 40
#define INLINE static inline __attribute__((always_inline))

/* Lines are so far apart that no prefetcher loads one with the other. */
#define APART 4096

struct line {
	_Alignas(APART) _Atomic uint64_t seq;
	uint64_t payload;
};

/* The memory that both processes map. */
struct shared {
	struct line line[2];
	/* order counts the requests to the second process, taken those that it has accepted */
	_Alignas(APART) _Atomic uint64_t order;
	_Atomic uint64_t taken;
	uint64_t trips, seq;			/* trips 0: the end */
	bool pause;
	double seconds;				/* seconds of a block of copies */
	_Alignas(APART) unsigned char buf[LEN];
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the median. Sorts the values. */
static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (!sched_setaffinity(0, sizeof(set), &set))
		return 0;
	fprintf(stderr, "floor: cannot run on CPU %d: %s\n", cpu, strerror(errno));
	return -1;
}

/* ---- telling the second process ---- */

static void tell(struct shared *m, uint64_t trips, uint64_t seq, bool pause)
{
	uint64_t order = atomic_load(&m->order) + 1;

	m->trips = trips;
	m->seq = seq;
	m->pause = pause;
	atomic_store(&m->order, order);
	while (atomic_load(&m->taken) != order)
		cpu_pause();
}

/* Awaits the next request. False if there are no more. */
static bool listen_for(struct shared *m, uint64_t order)
{
	while (atomic_load(&m->order) != order)
		cpu_pause();
	atomic_store(&m->taken, order);
	return m->trips;
}

/* ---- ping-pong ---- */

INLINE void put(struct line *l, uint64_t seq, uint64_t word)
{
	l->payload = word;
	atomic_store_explicit(&l->seq, seq, memory_order_release);
}

INLINE uint64_t get(struct line *l, uint64_t seq, bool pause)
{
	while (atomic_load_explicit(&l->seq, memory_order_acquire) != seq)
		if (pause)
			cpu_pause();
	return l->payload;
}

INLINE uint64_t play(struct shared *m, bool first, uint64_t seq, uint64_t trips, bool pause)
{
	uint64_t word = seq;

	for (uint64_t i = 1; i <= trips; i++) {
		if (first)
			put(&m->line[0], seq + i, word);
		word = get(&m->line[first], seq + i, pause);
		if (!first)
			put(&m->line[1], seq + i, word);
	}
	return word;
}

/* Returns the seconds of this many round trips, on the first process. */
static double time_trips(struct shared *m, uint64_t *seq, uint64_t trips, bool pause)
{
	double start;

	tell(m, trips, *seq, pause);
	start = now_s();
	if (pause)
		play(m, true, *seq, trips, true);
	else
		play(m, true, *seq, trips, false);
	*seq += trips;
	return now_s() - start;
}

static void pingpong_first(struct shared *m)
{
	double half[2][REPETITIONS], mid[2];
	uint64_t seq = 0, trips = 64;
	double s;

	while ((s = time_trips(m, &seq, trips, false)) < PILOT_S)
		trips *= 2;
	trips = (uint64_t)((double)trips * REPETITION_S / s) + 1;
	for (int i = 0; i < REPETITIONS; i++)
		for (int pause = 0; pause < 2; pause++)
			half[pause][i] = time_trips(m, &seq, trips, pause) / (2 * (double)trips);
	for (int pause = 0; pause < 2; pause++)
		mid[pause] = median(half[pause], REPETITIONS);
	printf("half_rtt_s %.6g\nhalf_rtt_spin_s %.6g\nhalf_rtt_pause_s %.6g\n",
	       mid[0] < mid[1] ? mid[0] : mid[1], mid[0], mid[1]);
	printf("half_rtt_best_s %.6g\n", half[0][0] < half[1][0] ? half[0][0] : half[1][0]);
}

static void pingpong_second(struct shared *m)
{
	for (uint64_t order = 1; listen_for(m, order); order++) {
		if (m->pause)
			play(m, false, m->seq, m->trips, true);
		else
			play(m, false, m->seq, m->trips, false);
	}
}

/* ---- copying ---- */

static void copy_first(struct shared *m)
{
	double rate[BLOCKS], mid;

	for (uint64_t i = 0; i < BLOCKS; i++) {
		memset(m->buf, (int)i + 1, LEN);
		tell(m, COPIES, 0, false);
		while (atomic_load(&m->line[1].seq) != i + 1)
			cpu_pause();
		rate[i] = (double)COPIES * LEN / m->seconds;
	}
	mid = median(rate, BLOCKS);
	printf("copy_Bps %.6g\ncopy_best_Bps %.6g\n", mid, rate[BLOCKS - 1]);
}

static void copy_second(struct shared *m)
{
	unsigned char *own = aligned_alloc(APART, LEN);
	double start;

	if (!own)
		_exit(1);
	memset(own, 0, LEN);
	for (uint64_t order = 1; listen_for(m, order); order++) {
		start = now_s();
		for (uint64_t i = 0; i < m->trips; i++) {
			memcpy(own, m->buf, LEN);
			__asm__ volatile("" : : "r"(own) : "memory");
		}
		m->seconds = now_s() - start;
		atomic_store(&m->line[1].seq, order);
	}
	free(own);
}

/* ---- */

static const struct mode {
	const char *name;
	void (*first)(struct shared *m), (*second)(struct shared *m);
} modes[] = {
	{ "pingpong", pingpong_first, pingpong_second },
	{ "copy", copy_first, copy_second },
};

static int measure(const struct mode *mode, const int *cpu)
{
	struct shared *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = m == MAP_FAILED || pin(cpu[0]) ? -1 : fork();
	int how = 1;

	if (pid < 0)
		return 1;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pin(cpu[1]))
			kill(getppid(), SIGTERM);
		mode->second(m);
		_exit(0);
	}
	mode->first(m);
	tell(m, 0, 0, false);
	waitpid(pid, &how, 0);
	return how || fflush(stdout);
}

/* Finds the first two CPUs that this process may use. */
static int first_cpus(int *cpu)
{
	cpu_set_t set;
	int n = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &set))
			cpu[n++] = i;
	return n == 2 ? 0 : -1;
}

int main(int argc, char **argv)
{
	int cpu[2];

	if (argc == 4) {
		cpu[0] = atoi(argv[2]);
		cpu[1] = atoi(argv[3]);
	} else if (argc != 2 || first_cpus(cpu)) {
		fprintf(stderr, "usage: floor pingpong|copy [CPU CPU], on at least two CPUs\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name))
			return measure(&modes[i], cpu);
	fprintf(stderr, "floor: unknown mode '%s'\n", argv[1]);
	return 2;
}
