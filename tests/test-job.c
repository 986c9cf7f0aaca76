/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the collective services of jobs whose ranks netbench starts, and the limit of simulated
 * ranks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "job/job.h"
#include "job/leavings.h"

static struct launch none = { .rank = -1 };

static unsigned char byte_of(int rank, int turn, size_t k)
{
	return (unsigned char)(rank * 7 + turn * 31 + (int)k);
}

/* Returns the number of bytes that differ from the contribution of rank `rank` in turn `turn`. */
static int count_wrong(const unsigned char *bytes, int rank, int turn, size_t len)
{
	int wrong = 0;

	for (size_t k = 0; k < len; k++)
		wrong += bytes[k] != byte_of(rank, turn, k);
	return wrong;
}

/*
 * Runs services of all lengths in changing order, with some ranks late. What rank 0 received stays
 * valid while other ranks continue.
 */
static int services(struct job *job, void *arg)
{
	static const size_t lens[] = { 1, 8, 1000, JOB_GATHER_MAX };
	unsigned char *mine = malloc(JOB_GATHER_MAX);
	int wrong = 0;

	for (int turn = 0; turn < 120; turn++) {
		size_t len = lens[turn % 4];
		const unsigned char *all;

		for (size_t k = 0; k < len; k++)
			mine[k] = byte_of(job->rank, turn, k);
		if (turn % 8 == 7 && job->rank == turn % job->size && job->kind == &job_fork)
			usleep(1000);
		if (turn % 3 == 0) {
			all = job->kind->gather(job, mine, len);
			wrong += (job->rank == 0) != (all != NULL);
			memset(mine, 0, len);
		} else if (turn % 3 == 1) {
			all = job->kind->allgather(job, mine, len);
		} else {
			all = NULL;
			job->kind->bcast(job, mine, len);
			wrong += count_wrong(mine, 0, turn, len);
			memset(mine, 0, len);
		}
		for (int r = 0; r < job->size && all; r++)
			wrong += count_wrong(all + (size_t)r * len, r, turn, len);
		if (turn % 5 == 4)
			job->kind->barrier(job);
	}
	free(mine);
	return wrong ? 50 : 0;
}

static void jobs_have_all_services_with_any_number_of_ranks(void **state)
{
	static const int sizes[] = { 1, 2, 3, 17 };
	const struct job_kind *kinds[] = { &job_fork, &job_sim };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			assert_int_equal(kinds[k]->run(NULL, &none, sizes[i], 2, services, NULL), 0);
}

/* With many ranks, each collective that a repetition calls costs a rank as much as with few. */
static int many(struct job *job, void *arg)
{
	int decision = job->rank == 0 ? 42 : 0, *sum = arg;
	const int *all;

	for (int turn = 0; turn < 3; turn++) {
		all = job->kind->gather(job, &job->rank, sizeof(job->rank));
		for (int r = 0; all && r < job->size; r++)
			*sum += all[r] == r;
		job->kind->bcast(job, &decision, sizeof(decision));
		if (decision != 42)
			return 51;
	}
	return 0;
}

/* More ranks than would be possible if each mapping had a guard page of its own. */
static void a_hundred_thousand_ranks_are_simulated(void **state)
{
	int sum = 0;

	assert_int_equal(job_sim.run(NULL, &none, 100000, 100000, many, &sum), 0);
	assert_int_equal(sum, 300000);
}

/* Not under a sanitizer, which needs more address space than is left. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/*
 * Runs `body` in a process of its own with this many MiB of address space. Returns its exit status;
 * NO_LIMIT where the limit has no effect, as under qemu-user.
 */
enum { NO_LIMIT = 77 };

static int within(size_t mib, int ranks)
{
	struct rlimit limit = { mib << 20, mib << 20 };
	pid_t pid = fork();
	int how, sum = 0;

	if (!pid) {
		setrlimit(RLIMIT_AS, &limit);
		if (mmap(NULL, mib << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
			_exit(NO_LIMIT);
		_exit(job_sim.run(NULL, &none, ranks, ranks, many, &sum));
	}
	waitpid(pid, &how, 0);
	return WIFEXITED(how) ? WEXITSTATUS(how) : 99;
}

static void a_job_without_memory_fails_in_a_line(void **state)
{
	if (within(64, 2) == NO_LIMIT) {
		print_message("# not tested: the limit of the address space does not hold\n");
		return;
	}
	assert_int_equal(within(64, 1000000), ST_FAILED);
	assert_int_equal(within(512, 100000), ST_FAILED);
}
#endif

static int refuse(struct job *job, void *arg)
{
	if (job->rank == job->size - 1)
		job->kind->abort(job, 42);
	job->kind->gather(job, "", 1);
	job->kind->bcast(job, (char[1]){ 0 }, 1);
	return 0;
}

static void one_ends_all(void **state)
{
	assert_int_equal(job_fork.run(NULL, &none, 3, 2, refuse, NULL), 42);
	assert_int_equal(job_sim.run(NULL, &none, 3, 2, refuse, NULL), 42);
}

/* Rank 0 reports the reason. Rank 1 fails as a consequence, and ends first. */
static int one_says_why(struct job *job, void *arg)
{
	if (job->rank == 0) {
		int status = error_unavailable("the test's fault");

		job->kind->barrier(job);
		usleep(100000);
		return status;
	}
	job->kind->barrier(job);
	return error_report("what follows from it");
}

static void the_status_is_that_of_the_fault_that_is_told(void **state)
{
	assert_int_equal(job_fork.run(NULL, &none, 2, 2, one_says_why, NULL), ST_UNAVAILABLE);
}

/* ---- what a rank that is killed leaves in /dev/shm ---- */

static char stem[32];	/* beginning of the names of this test's files */

static bool is_there(const char *suffix)
{
	char path[80];

	snprintf(path, sizeof(path), "/dev/shm/%s%s", stem, suffix);
	return !access(path, F_OK);
}

static void make(const char *suffix)
{
	char path[80];
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/%s%s", stem, suffix);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void make_again(const char *suffix)
{
	char path[80], other[90];

	snprintf(path, sizeof(path), "/dev/shm/%s%s", stem, suffix);
	snprintf(other, sizeof(other), "%s.old", path);
	/* keeps the old inode in use, so that the new file has another one */
	assert_int_equal(rename(path, other), 0);
	make(suffix);
}

static const char *name_of(const char *suffix)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s%s", stem, suffix);
	return name;
}

/* Rank 1 has files and is killed. Another process has taken the process number of rank 2. */
static int leave(struct job *job, void *arg)
{
	if (job->rank == 1) {
		make("a");
		leavings_add(job->leavings, name_of("a"));
		leavings_add(job->leavings, name_of("never-made"));
		leavings_add(job->leavings, "../etc/passwd");
		make("a_7");
		make("a_7x");
		make("a_");
		make("ab");
	} else if (job->rank == 2) {
		make("b");
		leavings_add(job->leavings, name_of("b"));
		make("b_7");
		make_again("b");
	}
	job->kind->barrier(job);
	if (job->rank == 1)
		raise(SIGKILL);
	job->kind->barrier(job);
	return 0;
}

static void what_ranks_leave_is_removed_and_nothing_else(void **state)
{
	static const char *const stay[] = { "a_7x", "a_", "ab", "b", "b.old", "b_7" };
	char path[80];

	if (access("/dev/shm", W_OK))
		skip();
	snprintf(stem, sizeof(stem), "netbench-test-%d-", (int)getpid());
	assert_int_equal(job_fork.run(NULL, &none, 3, 2, leave, NULL), ST_FAILED);
	assert_false(is_there("a"));
	assert_false(is_there("a_7"));
	for (size_t i = 0; i < sizeof(stay) / sizeof(stay[0]); i++) {
		assert_true(is_there(stay[i]));
		snprintf(path, sizeof(path), "/dev/shm/%s%s", stem, stay[i]);
		unlink(path);
	}
	leavings_add(NULL, "nobody removes it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_have_all_services_with_any_number_of_ranks),
		cmocka_unit_test(the_status_is_that_of_the_fault_that_is_told),
		cmocka_unit_test(one_ends_all),
		cmocka_unit_test(a_hundred_thousand_ranks_are_simulated),
		cmocka_unit_test(what_ranks_leave_is_removed_and_nothing_else),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
		cmocka_unit_test(a_job_without_memory_fails_in_a_line),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
