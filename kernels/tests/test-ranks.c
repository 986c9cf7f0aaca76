/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests a ring of cards with one card in each process. Pair 1 of rank r faces pair 0 of its right
 * neighbour. The channels use rings in shared memory, or sockets. The parent process does not load
 * XRT.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define RANKS 3
#define LANES 2
#define PAIRS 2

enum kind { SHARED, LOCAL, TCP };

/*
 * Link l joins pair 1 of rank l to pair 0 of its right neighbour, lane by lane. A lane has the
 * files of two rings, or the two ends of a socket.
 */
struct links {
	enum kind kind;
	int ranks;
	int fd[RANKS][LANES][2];
};

static const struct {
	uint32_t size, iterations;
} points[] = { { 1, 200 }, { 64, 200 }, { 1000, 100 }, { 65536, 5 }, { 1048576, 2 } };

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "# line %d: %s\n", __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

static void tcp_pair(int fd[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(listener, (struct sockaddr *)&at, len), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(fd[0], (struct sockaddr *)&at, len), 0);
	fd[1] = accept(listener, NULL, NULL);
	assert_true(fd[1] >= 0);
	close(listener);
}

static void open_link(enum kind kind, int fd[2])
{
	if (kind == TCP) {
		tcp_pair(fd);
	} else if (kind == LOCAL) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	} else {
		fd[0] = memfd_create("ring", 0);
		fd[1] = memfd_create("ring", 0);
		assert_true(fd[0] >= 0 && fd[1] >= 0);
	}
}

/* Wires one side of a link. Side 0 is the left one; it transmits into the first ring. */
static void wire_side(const struct host *h, const struct links *l, int link, int side)
{
	for (int lane = 0; lane < LANES; lane++) {
		unsigned channel = (unsigned)CHANNEL_OF(PAIRS, side ? 0 : 1, lane);
		const int *fd = l->fd[link][lane];

		if (l->kind != SHARED) {
			CHECK(!h->emulator->socket(h->index, channel, fd[side]));
			continue;
		}
		CHECK(!h->emulator->ring(h->index, channel, EMULATOR_TRANSMITS, fd[side]));
		CHECK(!h->emulator->ring(h->index, channel, EMULATOR_RECEIVES, fd[1 - side]));
	}
}

/* Exchanges messages with both neighbours. Returns the model time of the slower recv. */
static double exchange(const struct host *h, uint32_t size, uint32_t iterations, int rank,
		       int ranks)
{
	xrtBufferHandle b[2];
	struct started runs[4];
	int peers[2] = { (rank + ranks - 1) % ranks, (rank + 1) % ranks };

	for (unsigned p = 0; p < 2; p++) {
		b[p] = host_buffer(h, size + 128, 0);
		runs[p] = host_start(h, &(struct program){ KERNEL_RECV, p, iterations,
					     { { size, 1, RECV_CREDIT, 0, 0, b[p] } } });
		runs[2 + p] = host_start(h, &(struct program){ KERNEL_SEND, p, iterations,
				{ { size, 1, SEND_WAIT_AFTER, 1000u * (unsigned)rank + p, 1,
				    NULL } } });
	}
	for (int i = 0; i < 4; i++)
		CHECK(host_finish(&runs[i]) == DONE);
	for (unsigned p = 0; p < 2; p++) {
		uint64_t first = 1000u * (unsigned)peers[p] + 1 - p + iterations - 1;

		CHECK(host_compare(host_fetch(b[p], size), size, first) == size);
		xrtBOFree(b[p]);
	}
	return fmax(h->emulator->elapsed(h->index, "recv_0"),
		    h->emulator->elapsed(h->index, "recv_1"));
}

/*
 * Runs a rank at 156.25 MHz and 520 ns. With any transport the model time must be that of the
 * closed form.
 */
static void run_rank(const struct links *l, int rank)
{
	struct host h = host_open((unsigned)rank, "netbench-emulated.xclbin");
	double f = 156.25e6, latency = 520e-9;

	wire_side(&h, l, rank, 0);
	wire_side(&h, l, (rank + l->ranks - 1) % l->ranks, 1);
	CHECK(!h.emulator->pace(h.index, f, latency, 0, 0));
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		double want = points[i].iterations * (ceil(points[i].size / 64.0) / f + latency);
		double got = exchange(&h, points[i].size, points[i].iterations, rank, l->ranks);

		CHECK(fabs(got - want) < 1e-6 * want);
	}
	host_close(&h);
	_exit(0);
}

static void run_ring(enum kind kind, int ranks)
{
	struct links l = { .kind = kind, .ranks = ranks };
	int status;

	for (int i = 0; i < ranks; i++)
		for (int lane = 0; lane < LANES; lane++)
			open_link(kind, l.fd[i][lane]);
	for (int rank = 0; rank < ranks; rank++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid)
			run_rank(&l, rank);
	}
	for (int i = 0; i < ranks; i++)
		for (int lane = 0; lane < LANES; lane++)
			for (int side = 0; side < 2; side++)
				close(l.fd[i][lane][side]);
	for (int rank = 0; rank < ranks; rank++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
}

static void two_ranks_over_shared_memory(void **state)
{
	(void)state;
	run_ring(SHARED, 2);
}

static void three_ranks_over_shared_memory(void **state)
{
	(void)state;
	run_ring(SHARED, 3);
}

static void two_ranks_over_local_sockets(void **state)
{
	(void)state;
	run_ring(LOCAL, 2);
}

static void two_ranks_over_tcp(void **state)
{
	(void)state;
	run_ring(TCP, 2);
}

static void one_rank_over_tcp(void **state)
{
	(void)state;
	run_ring(TCP, 1);
}

/* When a peer dies, a rank that waits for it gets a time-out and closes at once. */
static void a_dead_peer_ends_in_a_time_out(void **state)
{
	int fd[2], status;

	(void)state;
	open_link(TCP, fd);
	if (!fork()) {
		struct host h = host_open(0, "netbench-emulated.xclbin");
		xrtBufferHandle b = host_buffer(&h, 4096, 0);
		struct started s;
		double begin;

		close(fd[1]);
		CHECK(!h.emulator->socket(0, 0, fd[0]));
		s = host_start(&h, &(struct program){ KERNEL_RECV, 0, 1,
						      { { 64, 1, 0, 0, 0, b } } });
		CHECK((int)xrtRunWaitFor(s.run, 200) == TIMED_OUT);
		begin = now_s();
		xrtRunClose(s.run);
		xrtKernelClose(s.kernel);
		xrtBOFree(b);
		host_close(&h);
		CHECK(now_s() - begin < 1);
		_exit(0);
	}
	close(fd[0]);
	close(fd[1]);
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

/* A program can end while a kernel still waits. */
static void a_program_ends_while_a_kernel_waits(void **state)
{
	int status;

	(void)state;
	if (!fork()) {
		struct host h = host_open(0, "netbench-emulated.xclbin");
		xrtBufferHandle b = host_buffer(&h, 4096, 0);

		alarm(5);
		host_loop_back(&h, PAIRS * LANES);
		host_start(&h, &(struct program){ KERNEL_RECV, 0, 1,
						  { { 64, 1, 0, 0, 0, b } } });
		exit(0);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_ranks_over_shared_memory),
		cmocka_unit_test(three_ranks_over_shared_memory),
		cmocka_unit_test(two_ranks_over_local_sockets),
		cmocka_unit_test(two_ranks_over_tcp),
		cmocka_unit_test(one_rank_over_tcp),
		cmocka_unit_test(a_dead_peer_ends_in_a_time_out),
		cmocka_unit_test(a_program_ends_while_a_kernel_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
