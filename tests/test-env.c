/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests placements. Each is made in a child, because a process reads the machine only once. The
 * child sees a made-up machine (HWLOC_SYNTHETIC) or this machine. Its output is compared as text.
 */
#include "base/clock.h"
#include "host/others.h"
#include "host/record.h"
#include "host/warnings.h"
#include "base/error.h"

#include <jansson.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define FLAT4 "core:4 pu:1"
#define SMT4 "pack:2 core:2 pu:2"
#define CROSSED4 "pack:2 core:2 pu:1(indexes=0,2,1,3)"
#define CORELESS "pu:3"
#define BAD(value) "netbench: value '" value "' of '--pin' is not none, core or a CPU list\n"

static const struct {
	const char *machine, *pin;
	int nranks;
	const char *says;
} placements[] = {
	{ FLAT4, "none", 2, "0: 4 cores, 4 threads, not pinned" },
	{ SMT4, "none", 9, "0: 4 cores, 8 threads, not pinned" },
	{ CORELESS, "core", 2, "0: 3 cores, 3 threads, pinned 0 1" },
	{ FLAT4, "core", 1, "0: 4 cores, 4 threads, pinned 0" },
	{ FLAT4, "core", 4, "0: 4 cores, 4 threads, pinned 0 1 2 3" },
	{ FLAT4, "core", 5, "0: 4 cores, 4 threads, not pinned" },
	{ SMT4, "core", 3, "0: 4 cores, 8 threads, pinned 0 2 4" },
	{ CROSSED4, "core", 4, "0: 4 cores, 4 threads, pinned 0 2 1 3" },
	{ FLAT4, "3", 1, "0: 4 cores, 4 threads, pinned 3" },
	{ FLAT4, "3,0", 2, "0: 4 cores, 4 threads, pinned 3 0" },
	{ FLAT4, "0-3", 2, "0: 4 cores, 4 threads, pinned 0 1" },
	{ FLAT4, "1-1,1", 2, "0: 4 cores, 4 threads, pinned 1 1" },
	{ SMT4, "0,2,4-7", 6, "0: 4 cores, 8 threads, pinned 0 2 4 5 6 7" },
	{ FLAT4, "", 1, BAD("") "2" },
	{ FLAT4, "x", 1, BAD("x") "2" },
	{ FLAT4, "cores", 1, BAD("cores") "2" },
	{ FLAT4, "0,", 1, BAD("0,") "2" },
	{ FLAT4, ",0", 1, BAD(",0") "2" },
	{ FLAT4, "0;1", 1, BAD("0;1") "2" },
	{ FLAT4, "-1", 1, BAD("-1") "2" },
	{ FLAT4, "1-", 1, BAD("1-") "2" },
	{ FLAT4, "3-1", 1, BAD("3-1") "2" },
	{ FLAT4, "0-1-2", 1, BAD("0-1-2") "2" },
	{ FLAT4, " 0", 1, BAD(" 0") "2" },
	{ FLAT4, "99999999999999999999", 1, BAD("99999999999999999999") "2" },
	{ FLAT4, "0,99", 1,
	  "netbench: value '0,99' of '--pin' names CPU 99, which is not available: 0-3\n2" },
	{ FLAT4, "2-2000000000", 1,
	  "netbench: value '2-2000000000' of '--pin' names CPU 4, which is not available: 0-3\n2" },
	{ FLAT4, "0", 2, "netbench: value '0' of '--pin' has 1 CPU for 2 ranks\n2" },
	{ FLAT4, "0-2", 5, "netbench: value '0-2' of '--pin' has 3 CPUs for 5 ranks\n2" },
};

/* Ranks of made-up hosts: host, pid, cpu, ncpus, bound, numa, core, ncores. */
static const struct {
	struct place places[4];
	size_t n;
	const char *says;
} surroundings[] = {
	{ { { .host = "" } }, 0, "" },
	{ { { "a", 1, 0, 1, 0, 0, 0, 2, "", "" }, { "a", 2, 1, 1, 1, 0, 1, 2, "", "" } }, 2, "" },
	{ { { "a", 1, 0, 2, -1, 0, -1, 2, "", "" }, { "a", 2, 1, 2, -1, 0, -1, 2, "", "" } }, 2,
	  "ranks are not pinned to cores\n" },
	{ { { "a", 1, 0, 1, 0, 0, 0, 2, "", "" }, { "a", 2, 1, 2, -1, 0, -1, 2, "", "" } }, 2,
	  "1 of 2 ranks are not pinned to cores\n" },
	{ { { "a", 1, 0, 2, -1, 0, -1, 2, "", "" },
	    { "a", 2, 1, 2, -1, 0, -1, 2, "", "" },
	    { "a", 3, 1, 2, -1, 0, -1, 2, "", "" } }, 3,
	  "3 ranks share 2 cores: times include waiting for a core\n" },
	{ { { "a", 1, 0, 1, 0, 0, 0, 1, "", "" }, { "a", 2, 0, 1, 0, 0, 0, 1, "", "" } }, 2,
	  "2 ranks share 1 core: times include waiting for a core\n" },
	{ { { "a", 1, 0, 1, 0, 0, 0, 4, "", "" }, { "a", 2, 0, 1, 0, 0, 0, 4, "", "" } }, 2,
	  "ranks 0 and 1 are bound to the same CPU 0\n" },
	{ { { "a", 1, 3, 1, 3, 0, 3, 8, "", "" },
	    { "a", 2, 1, 1, 1, 0, 1, 8, "", "" },
	    { "a", 3, 3, 1, 3, 0, 3, 8, "", "" },
	    { "a", 4, 3, 1, 3, 0, 3, 8, "", "" } }, 4,
	  "ranks 0, 2 and 1 more are bound to the same CPU 3\n" },
	{ { { "a", 1, 4, 1, 4, 0, 0, 4, "", "" }, { "a", 2, 0, 1, 0, 0, 0, 4, "", "" } }, 2,
	  "ranks 0 and 1 are bound to the same core, that of CPU 0\n" },
	/* lost while the run opened */
	{ { { "a", 1, 0, 1, 0, 0, 0, 4, "", "" }, { .host = "" }, { .host = "" } }, 3, "" },
	/* bound to whole cores */
	{ { { "a", 1, 4, 2, -1, 0, 0, 4, "", "" }, { "a", 2, 1, 2, -1, 0, 1, 4, "", "" } }, 2, "" },
	/* a launcher gave each its own core */
	{ { { "a", 1, 0, 1, 0, 0, 0, 1, "", "" }, { "a", 2, 1, 1, 1, 0, 1, 1, "", "" } }, 2, "" },
	/* the same numbers on different hosts */
	{ { { "a", 1, 0, 1, 0, 0, 0, 1, "", "" }, { "b", 1, 0, 1, 0, 0, 0, 1, "", "" } }, 2, "" },
	{ { { "a", 1, 0, 1, 0, 0, 0, 1, "", "" },
	    { "b", 1, 0, 1, 0, 0, 0, 1, "", "" },
	    { "b", 2, 0, 1, 0, 0, 0, 1, "", "" } }, 3,
	  "2 ranks on b share 1 core: times include waiting for a core\n" },
	{ { { "a", 1, 0, 4, -1, 0, -1, 4, "", "" },
	    { "b", 1, 0, 1, -1, 0, -1, 1, "", "" },
	    { "b", 2, 0, 1, -1, 0, -1, 1, "", "" } }, 3,
	  "2 ranks on b share 1 core: times include waiting for a core\n"
	  "ranks are not pinned to cores\n" },
};

static const struct {
	const char *group, *keys[10];
} collected[] = {
	{ "netbench", { "version", "commit", "compiler", "build_type" } },
	{ "time", { "start" } },
	{ "host", { "name", "kernel", "os", "libc", "virtualization" } },
	{ "kernel", { "version", "parameters", "isolated_cpus", "nohz_full_cpus", "mitigations" } },
	{ "cpu", { "model", "cores", "threads", "allowed_cpus", "smt", "driver", "governor", "turbo", "mhz_max",
		   "idle_governor" } },
	{ "memory", { "total_B", "page_B", "transparent_hugepage", "shmem_hugepage" } },
	{ "sysctl", { "net.core.rmem_max", "net.ipv4.tcp_rmem", "vm.swappiness", "kernel.numa_balancing" } },
	{ "network", { "devices", "infiniband" } },
	{ "clock", { "source" } },
	{ "load", { "average_1min", "average_5min", "average_15min", "running" } },
	{ "limits", { "memlock_B", "stack_B", "open_files" } },
};

/* Returns what `body` prints in a child, stderr and stdout together. */
static void in_child(int (*body)(const void *arg), const void *arg, char *says, size_t size)
{
	size_t len = 0;
	ssize_t got;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		status = body(arg);
		fflush(stdout);
		_exit(status);
	}
	close(ends[1]);
	while (len + 1 < size && (got = read(ends[0], says + len, size - len - 1)) > 0)
		len += (size_t)got;
	says[len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status)
		print_error("the child said '%s'\n", says);
	assert_int_equal(status, 0);
}

static int show_placement(const void *arg)
{
	size_t row = *(const size_t *)arg;
	struct placement p;
	int err;

	setenv("HWLOC_SYNTHETIC", placements[row].machine, 1);
	err = placement_make(&p, placements[row].pin, placements[row].nranks);
	printf("%d", err);
	if (!err)
		printf(": %d cores, %d threads, %spinned", p.ncores, p.npus,
		       p.pinned ? "" : "not ");
	for (int i = 0; p.pinned && i < p.nranks; i++)
		printf(" %d", p.cpu[i]);
	placement_free(&p);
	return p.pinned || p.cpu;
}

static void ranks_are_placed_on_the_cpus_there_are(void **state)
{
	char says[256];

	for (size_t i = 0; i < LENGTH(placements); i++) {
		in_child(show_placement, &i, says, sizeof(says));
		assert_string_equal(says, placements[i].says);
	}
	placement_free(NULL);
}

static int last_allowed_cpu(void)
{
	cpu_set_t set;
	int last = -1;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			last = cpu;
	return last;
}

static int show_narrowed(const void *arg)
{
	int cpu = *(const int *)arg;
	struct placement p;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || placement_make(&p, "core", 1))
		return 1;
	printf("%s: %d of %d, %d\n", placement_allowed(), p.cpu[0], p.ncores, host_ncores());
	placement_free(&p);
	return placement_make(&p, "100000", 1) != ST_USAGE;
}

static void ranks_are_placed_on_the_cpus_given_alone(void **state)
{
	int cpu = last_allowed_cpu();
	char says[256], expected[256];

	if (cpu < 0) {
		print_message("# skipped: the affinity of this machine does not fit cpu_set_t\n");
		skip();
	}
	in_child(show_narrowed, &cpu, says, sizeof(says));
	snprintf(expected, sizeof(expected), "%d: %d of 1, 1\nnetbench: value '100000' of '--pin' "
		 "names CPU 100000, which is not available: %d\n", cpu, cpu, cpu);
	assert_string_equal(says, expected);
}

static int show_binding(const void *arg)
{
	struct placement p;
	struct place here;
	cpu_set_t set;
	int nbefore, cpu;

	nbefore = host_ncores();
	if (placement_make(&p, "core", nbefore) || placement_bind(&p, nbefore - 1))
		return 1;
	cpu = p.cpu[nbefore - 1];
	placement_free(&p);
	place_find(&here);
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) != 1)
		return 2;
	if (!CPU_ISSET(cpu, &set))
		return 3;
	printf("%d %d %d %d %d\n", here.cpu == cpu, here.bound == cpu, here.ncpus,
	       here.core >= 0 && here.core <= cpu, here.ncores == nbefore);
	return here.pid != getpid();
}

static int show_no_binding(const void *arg)
{
	struct placement p;
	struct place before, after;

	place_find(&before);
	if (placement_make(&p, "none", 1) || placement_bind(&p, 0))
		return 1;
	place_find(&after);
	return before.ncpus != after.ncpus || before.ncpus < after.ncores || !after.ncores;
}

/* A CPU that exists only on a made-up machine. */
static int show_lost_binding(const void *arg)
{
	struct placement p;

	setenv("HWLOC_SYNTHETIC", "core:1024 pu:1", 1);
	if (placement_make(&p, "1023", 1))
		return 2;
	return placement_bind(&p, 0) != ST_FAILED;
}

static void a_rank_is_bound_to_its_cpu_alone_or_to_none(void **state)
{
	char says[256];

	in_child(show_binding, NULL, says, sizeof(says));
	assert_string_equal(says, "1 1 1 1 1\n");
	in_child(show_no_binding, NULL, says, sizeof(says));
	assert_string_equal(says, "");
}

static void a_binding_that_is_lost_is_told(void **state)
{
	char says[256];

	if (last_allowed_cpu() < 0) {
		print_message("# skipped: the affinity of this machine does not fit cpu_set_t\n");
		skip();
	}
	in_child(show_lost_binding, NULL, says, sizeof(says));
	assert_non_null(strstr(says, "cannot bind rank 0 to CPU 1023"));
}

static void each_rank_has_its_place_in_the_record(void **state)
{
	struct place two[2] = { [1] = { "other", 7, -1, 4, -1, -1, -1, 4 } };
	json_t *array, *first, *second;

	place_find(&two[0]);
	array = host_places(two, 2);
	assert_int_equal(json_array_size(array), 2);
	first = json_array_get(array, 0);
	second = json_array_get(array, 1);
	assert_string_equal(json_string_value(json_object_get(first, "host")), two[0].host);
	assert_int_equal(json_integer_value(json_object_get(first, "pid")), getpid());
	assert_int_equal(json_integer_value(json_object_get(first, "cpus")), two[0].ncpus);
	assert_int_equal(json_integer_value(json_object_get(second, "rank")), 1);
	assert_true(json_is_null(json_object_get(second, "cpu")));
	assert_true(json_is_null(json_object_get(second, "bound")));
	assert_true(json_is_null(json_object_get(second, "numa")));
	json_decref(array);
	array = host_places(NULL, 0);
	assert_int_equal(json_array_size(array), 0);
	json_decref(array);
}

/* The warnings that ranks cause, without those about this machine's governor and load. */
static void note_ranks(void *arg, const char *text)
{
	char *says = arg;

	if (!strstr(text, "rank"))
		return;
	strcat(says, text);
	strcat(says, "\n");
}

static void note_load(void *arg, const char *text)
{
	if (!strncmp(text, "load average is ", 16))
		++*(int *)arg;
}

static void ranks_that_share_cores_are_warned_of(void **state)
{
	char says[1024];
	double share, ranks, cores;
	bool told;

	for (size_t i = 0; i < LENGTH(surroundings); i++) {
		*says = '\0';
		share = host_warnings(surroundings[i].places, surroundings[i].n, note_ranks, says);
		assert_string_equal(says, surroundings[i].says);
		told = strstr(says, " share ") || strstr(says, "bound to the same");
		assert_int_equal(share > 1, told);
		if (sscanf(says, "%lf ranks share %lf", &ranks, &cores) == 2)
			assert_true(fabs(share - ranks / cores) < 1e-9);
	}
}

static void a_load_of_others_is_warned_of_once(void **state)
{
	double average;
	int n = 0;

	/* the average changes between two readings, hence the margin below */
	host_warnings(NULL, 0, note_load, &n);
	if (getloadavg(&average, 1) != 1)
		average = 0;
	/* only while other processes are ready to run, which may be over */
	assert_true(n <= (average > 0.4));
}

static void the_environment_has_all_its_groups(void **state)
{
	json_t *env = host_collect(), *group, *cpu;
	char *dump;

	for (size_t i = 0; i < LENGTH(collected); i++) {
		group = json_object_get(env, collected[i].group);
		assert_true(json_is_object(group));
		for (size_t k = 0; k < LENGTH(collected[i].keys) && collected[i].keys[k]; k++)
			assert_non_null(json_object_get(group, collected[i].keys[k]));
	}
	cpu = json_object_get(env, "cpu");
	assert_int_equal(json_integer_value(json_object_get(cpu, "cores")), host_ncores());
	assert_true(json_integer_value(json_object_get(cpu, "threads")) >= host_ncores());
	dump = json_dumps(env, JSON_INDENT(2));
	assert_non_null(dump);
	if (getenv("NETBENCH_TEST_SHOW"))
		print_message("%s\n", dump);
	free(dump);
	json_decref(env);
}

/* The loopback device exists everywhere, even in a network namespace of its own. */
static void the_network_has_the_loopback_device(void **state)
{
	json_t *env = host_collect(), *network = json_object_get(env, "network"), *device;
	bool found = false;
	size_t i;

	json_array_foreach(json_object_get(network, "devices"), i, device) {
		found |= !strcmp(json_string_value(json_object_get(device, "name")), "lo");
		assert_non_null(json_object_get(device, "mtu_B"));
		assert_non_null(json_object_get(device, "driver"));
	}
	assert_true(found || i == 0 || i == 32);
	assert_true(json_is_array(json_object_get(network, "infiniband")));
	json_decref(env);
}

/* Reads a file without its final newline. */
static bool read_whole(const char *path, char *text, size_t len)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, len - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return n > 0;
}

/*
 * Numbers are JSON numbers. Several numbers are separated by one blank. A missing number is null.
 */
static void sysctls_are_numbers_texts_or_null(void **state)
{
	json_t *env = host_collect(), *sysctls = json_object_get(env, "sysctl"), *v;
	char text[256];
	const char *name;

	if (read_whole("/proc/sys/vm/swappiness", text, sizeof(text)))
		assert_int_equal(json_integer_value(json_object_get(sysctls, "vm.swappiness")), atoi(text));
	if (read_whole("/proc/sys/net/ipv4/tcp_congestion_control", text, sizeof(text)))
		assert_string_equal(json_string_value(json_object_get(sysctls, "net.ipv4.tcp_congestion_control")), text);
	json_object_foreach(sysctls, name, v) {
		assert_true(json_is_integer(v) || json_is_string(v) || json_is_null(v));
		if (json_is_string(v))
			assert_null(strpbrk(json_string_value(v), "\t\n"));
	}
	json_decref(env);
}

/*
 * The record has only words that the kernel's command line has, and only those that concern speed.
 */
static void kernel_parameters_are_those_about_speed(void **state)
{
	json_t *env = host_collect();
	const char *kept = json_string_value(json_object_get(json_object_get(env, "kernel"), "parameters"));
	char line[8192] = " ", words[4096], *rest = words;

	if (!kept || !read_whole("/proc/cmdline", line + 1, sizeof(line) - 2)) {
		json_decref(env);
		print_message("# skipped: /proc/cmdline does not tell\n");
		skip();
	}
	strcat(line, " ");
	snprintf(words, sizeof(words), "%s", kept);
	for (char *w = strtok_r(words, " ", &rest); w && strcmp(kept, "none") != 0; w = strtok_r(NULL, " ", &rest)) {
		char word[4096];

		snprintf(word, sizeof(word), " %.4000s ", w);
		assert_non_null(strstr(line, word));
	}
	assert_null(strstr(kept, "root="));
	assert_null(strstr(kept, "token"));
	json_decref(env);
}

/* Keeps the CPU busy. Returns the CPU seconds that it took. */
static double spin(double s)
{
	struct timespec before, after;
	double end = clock_wall() + s;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	while (clock_wall() < end)
		;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	return (double)(after.tv_sec - before.tv_sec) +
	       1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

static void the_load_of_others_is_what_they_used(void **state)
{
	struct cpu_usage start;
	double own_s;

	cpu_usage_start(&start);
	if (start.busy_s < 0) {
		print_message("# skipped: /proc/stat does not tell\n");
		skip();
	}
	own_s = spin(0.1);
	assert_true(cpu_usage_by_others(&start, own_s) >= 0);
	assert_true(cpu_usage_by_others(&start, 0) >= cpu_usage_by_others(&start, own_s) - 0.05);
	assert_true(cpu_usage_by_others(&start, 1e6) < 1e-9);
	start.busy_s = -1;
	assert_true(cpu_usage_by_others(&start, 0) < 0);
}

static void check_clock(void)
{
	double previous = clock_ticks(), ticks, inner_s, outer_s, s;

	assert_true(host_clock.tick_s > 0);
	assert_true(host_clock.resolution_s >= host_clock.tick_s && host_clock.resolution_s < 1e-3);
	assert_true(host_clock.overhead_s >= 0 && host_clock.overhead_s < 1e-3);
	for (int i = 0; i < 10000; i++) {
		double next = clock_ticks();

		assert_true(next >= previous);
		previous = next;
	}
	outer_s = clock_wall();
	ticks = clock_ticks();
	inner_s = clock_wall();
	spin(0.05);
	inner_s = clock_wall() - inner_s;
	s = (clock_ticks() - ticks) * host_clock.tick_s;
	outer_s = clock_wall() - outer_s;
	assert_true(s > inner_s * (1 - 1e-3) && s < outer_s * (1 + 1e-3));
	assert_true(fabs(clock_drift()) < 1e-4);
}

static void the_raw_clock_is_monotonic_and_does_not_drift(void **state)
{
	assert_int_equal(clock_init(TIMER_RAW), ST_OK);
	assert_false(host_clock.counter);
	assert_string_equal(host_clock.name, "clock_monotonic_raw");
	check_clock();
	assert_true(fabs(clock_drift()) <= 0);
}

static int show_counter(const void *arg)
{
	int err = clock_init(TIMER_TSC);

	printf("%d %d", err, host_clock.counter);
	return 0;
}

static void the_clock_is_a_counter_where_it_can_be(void **state)
{
	double wall_s = clock_wall();
	char says[256];

	assert_int_equal(clock_init(TIMER_AUTO), ST_OK);
	assert_true(clock_wall() - wall_s < 1);
	assert_int_equal(host_clock.counter, strcmp(host_clock.name, "clock_monotonic_raw") != 0);
	assert_true(clock_ticks() * host_clock.tick_s < 1);
	check_clock();
	if (getenv("NETBENCH_TEST_SHOW"))
		print_message("%s: tick %.9g ns, step %.3g ns, cost %.3g ns, drift %.2g\n",
			      host_clock.name, 1e9 * host_clock.tick_s,
			      1e9 * host_clock.resolution_s, 1e9 * host_clock.overhead_s,
			      clock_drift());
	in_child(show_counter, NULL, says, sizeof(says));
	if (host_clock.counter)
		assert_string_equal(says, "0 1");
	else
		assert_int_equal(strncmp(says, "netbench: timer 'tsc' cannot be trusted: ", 41), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* these tests need a parent that has not read the machine yet */
		cmocka_unit_test(ranks_are_placed_on_the_cpus_there_are),
		cmocka_unit_test(ranks_are_placed_on_the_cpus_given_alone),
		cmocka_unit_test(a_rank_is_bound_to_its_cpu_alone_or_to_none),
		cmocka_unit_test(a_binding_that_is_lost_is_told),
		cmocka_unit_test(each_rank_has_its_place_in_the_record),
		cmocka_unit_test(ranks_that_share_cores_are_warned_of),
		cmocka_unit_test(a_load_of_others_is_warned_of_once),
		cmocka_unit_test(the_environment_has_all_its_groups),
		cmocka_unit_test(the_network_has_the_loopback_device),
		cmocka_unit_test(sysctls_are_numbers_texts_or_null),
		cmocka_unit_test(kernel_parameters_are_those_about_speed),
		cmocka_unit_test(the_load_of_others_is_what_they_used),
		cmocka_unit_test(the_raw_clock_is_monotonic_and_does_not_drift),
		cmocka_unit_test(the_clock_is_a_counter_where_it_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
