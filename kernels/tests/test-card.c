/* SPDX-License-Identifier: Apache-2.0 */
/* Tests an emulated card in one process: every kernel, every byte, and faults. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xclbin.h>

#include "host.h"
#include "unit.h"

#define IMAGE "netbench-emulated.xclbin"
#define ALVEO "netbench-emulated-alveo.xclbin"
#define CHANNELS 4		/* channels of IMAGE: 2 pairs of 2 */
#define ALVEO_CHANNELS 2
#define MIB (1u << 20)
#define GUARD 0x5a
#define FIRST UINT64_C(0x123456789abcdef0)

/*
 * Runs recv and send of pair 0, looped back. Returns true if both complete. *s is the time they
 * took.
 */
static bool timed_exchange(const struct host *h, const struct stage *send,
			   const struct stage *recv, uint32_t iterations, double *s)
{
	struct started r = host_prepare(h, &(struct program){ KERNEL_RECV, 0, iterations,
							      { *recv } });
	struct started t = host_prepare(h, &(struct program){ KERNEL_SEND, 0, iterations,
							      { *send } });
	double begin = now_s();
	int received, sent;

	host_go(&r);
	host_go(&t);
	received = xrtRunWaitFor(r.run, 20000);
	*s = now_s() - begin;
	sent = host_finish(&t);
	host_finish(&r);
	return sent == DONE && received == DONE;
}

static bool exchange(const struct host *h, const struct stage *send, const struct stage *recv,
		     uint32_t iterations)
{
	double s;

	return timed_exchange(h, send, recv, iterations, &s);
}

static void check_size(const struct host *h, uint32_t size, uint32_t iterations)
{
	size_t room = size + 2 * CHANNELS * 64, stored;
	xrtBufferHandle b = host_buffer(h, room, GUARD);
	struct stage send = { size, 1, SEND_WAIT_AFTER, FIRST + size, 3, NULL };
	struct stage recv = { size, 1, RECV_CREDIT, 0, 0, b };
	const unsigned char *got;

	assert_true(exchange(h, &send, &recv, iterations));
	got = host_fetch(b, room);
	stored = size ? (size + 63) / 64 * 64 : 64;	/* whole beats, in both images */
	assert_int_equal(host_compare(got, stored, FIRST + size + 3 * (iterations - 1)), stored);
	for (size_t i = stored; i < room; i++)
		assert_int_equal(got[i], GUARD);
	xrtBOFree(b);
}

static void check_sizes(const char *image, unsigned channels)
{
	static const uint32_t odd[] = { 0, 3, 7, 9, 31, 33, 63, 65, 100, 127, 129, 4095, 4097,
					1000003 };
	struct host h = host_open(0, image);

	host_loop_back(&h, channels);
	for (uint32_t size = 1; size <= 2 * MIB; size *= 2)
		check_size(&h, size, size < 65536 ? 50 : 3);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		check_size(&h, odd[i], 5);
	host_close(&h);
}

static void messages_of_every_size_arrive(void **state)
{
	(void)state;
	check_sizes(IMAGE, CHANNELS);
}

static void messages_of_every_size_arrive_on_alveo(void **state)
{
	(void)state;
	check_sizes(ALVEO, ALVEO_CHANNELS);
}

/* The last message has content of its own. The host sees it only after it fetches it. */
static void the_last_message_has_its_own_content(void **state)
{
	struct host h = host_open(0, IMAGE);
	uint32_t size = 100001;
	xrtBufferHandle to = host_buffer(&h, size + 256, GUARD);
	struct program send = { KERNEL_SEND, 0, 4,
				{ { size, 3, SEND_WAIT_AFTER, FIRST, 5, NULL } } };
	struct program recv = { KERNEL_RECV, 0, 4, { { size, 3, RECV_CREDIT, 0, 0, to } } };
	struct started s = host_prepare(&h, &send), r = host_prepare(&h, &recv);

	(void)state;
	host_loop_back(&h, CHANNELS);
	assert_int_equal(xrtRunSetArg(s.run, SEND_ARG(0, STAGE_LAST), ~FIRST), 0);
	host_go(&r);
	host_go(&s);
	assert_int_equal(host_finish(&r), DONE);
	assert_int_equal(host_finish(&s), DONE);
	assert_int_equal(((unsigned char *)xrtBOMap(to))[1], GUARD);
	assert_int_equal(host_compare(host_fetch(to, size), size, ~FIRST), size);
	xrtBOFree(to);
	host_close(&h);
}

/* Both pairs, wired to each other: a ring of one card. */
static void a_card_is_a_ring_of_one(void **state)
{
	struct host h = host_open(0, IMAGE);
	struct started runs[4];
	xrtBufferHandle b[2];

	(void)state;
	for (unsigned i = 0; i < CHANNELS; i++)
		assert_int_equal(h.emulator->loop(0, i, i ^ 1), 0);
	for (unsigned p = 0; p < 2; p++) {
		b[p] = host_buffer(&h, 8192, 0);
		runs[p] = host_start(&h, &(struct program){ KERNEL_RECV, p, 500,
					      { { 5000, 1, RECV_CREDIT, 0, 0, b[p] } } });
	}
	for (unsigned p = 0; p < 2; p++)
		runs[2 + p] = host_start(&h, &(struct program){ KERNEL_SEND, p, 500,
						  { { 5000, 1, SEND_WAIT_AFTER, p, 2, NULL } } });
	for (int i = 0; i < 4; i++)
		assert_int_equal(host_finish(&runs[i]), DONE);
	for (unsigned p = 0; p < 2; p++) {
		assert_int_equal(host_compare(host_fetch(b[p], 5000), 5000, 1 - p + 998), 5000);
		xrtBOFree(b[p]);
	}
	host_close(&h);
}

/*
 * Runs four programs of pairs 0 and 1, which are wired to each other. Checks what stage 0 of each
 * recv has received.
 */
static void run_crossed(struct program p[4], const uint64_t last[2], double kernel_hz,
			double *elapsed)
{
	struct host h = host_open(0, IMAGE);
	struct started runs[4];
	xrtBufferHandle b[4] = { NULL };

	for (unsigned i = 0; i < CHANNELS; i++)
		assert_int_equal(h.emulator->loop(0, i, i ^ 1), 0);
	if (elapsed)
		assert_int_equal(h.emulator->pace(0, 1e9, 1e-6, kernel_hz, 0), 0);
	for (unsigned i = 0; i < 4; i++) {
		if (!strcmp(p[i].kernel, KERNEL_RECV)) {
			b[i] = host_buffer(&h, 8192, 0);
			p[i].stages[0].buffer = p[i].stages[1].buffer = b[i];
		}
		runs[i] = host_start(&h, &p[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(host_finish(&runs[i]), DONE);
	if (elapsed)
		*elapsed = h.emulator->elapsed(0, "send_0");
	for (unsigned i = 0; i < 4; i++) {
		uint32_t size = p[i].stages[0].size;

		if (!b[i])
			continue;
		if (!p[i].stages[1].count)
			assert_int_equal(host_compare(host_fetch(b[i], size), size,
						      last[p[i].pair]), size);
		xrtBOFree(b[i]);
	}
	host_close(&h);
}

/* Clock rates of kernels; 0: they take no time. The link has 1 GHz and 1 us. */
static const double kernel_clocks[] = { 0, 2e9, 500e6 };
#define NCLOCKS (sizeof(kernel_clocks) / sizeof(kernel_clocks[0]))

/*
 * Cycles from a credit to the next one, beside the link. The loop of the credit ends, and the loop
 * over beats begins and makes the first beat. On the other side the last beat becomes a credit.
 * This holds for a message and for a window. A loop for each message, a memory access in a loop of
 * send, or a credit after recv's loop would add cycles.
 */
#define KERNEL_CYCLES (3 * CYCLES_CHANNEL + CYCLES_ENTER + 1 + CYCLES_CREDIT)

/*
 * Checks that an iteration takes `link_s` and `cycles` cycles. The start and end of a run may take
 * a few more.
 */
static void check_period(double elapsed, uint32_t iterations, double link_s, unsigned cycles,
			 double hz)
{
	double cycle = hz > 0 ? 1 / hz : 0, off = elapsed / iterations - link_s - cycles * cycle;

	if (fabs(off) > 10 * cycle / iterations + 1e-12)
		fail_msg("an iteration takes %g ns beside the link, expected %g",
			 1e9 * (elapsed / iterations - link_s), 1e9 * cycles * cycle);
}

/* Two beats of 1 ns and a latency of 1 us in each direction. */
static void a_ping_pong_takes_the_time_of_the_model(void **state)
{
	double elapsed;

	(void)state;
	for (size_t i = 0; i < NCLOCKS; i++) {
		double hz = kernel_clocks[i], beats = hz > 0 && hz < 1e9 ? 1 / hz + 1e-9 : 2e-9;

		run_crossed((struct program[]){
			{ KERNEL_RECV, 1, 2000, { { 100, 1, RECV_CREDIT, 0, 0, NULL } } },
			{ KERNEL_SEND, 1, 2000, { { 100, 1, SEND_WAIT_BEFORE, 7, 1, NULL } } },
			{ KERNEL_RECV, 0, 2000, { { 100, 1, RECV_CREDIT, 0, 0, NULL } } },
			{ KERNEL_SEND, 0, 2000, { { 100, 1, SEND_WAIT_AFTER, 9, 1, NULL } } },
		}, (uint64_t[]){ 7 + 1999, 9 + 1999 }, hz, &elapsed);
		check_period(elapsed, 2000, 2 * (beats + 1e-6), 2 * KERNEL_CYCLES, hz);
	}
}

/* 64 consecutive messages of 16 beats, a latency, an answer of one beat, a latency. */
static void a_window_takes_the_time_of_the_model(void **state)
{
	double elapsed;

	(void)state;
	for (size_t i = 0; i < NCLOCKS; i++) {
		double hz = kernel_clocks[i];
		double beats = hz > 0 && hz < 1e9 ? 1023 / hz + 1e-9 : 1024e-9;

		run_crossed((struct program[]){
			{ KERNEL_RECV, 1, 50, { { 1000, 64, RECV_CREDIT, 0, 0, NULL } } },
			{ KERNEL_SEND, 1, 50, { { 1, 1, SEND_WAIT_BEFORE, 7, 1, NULL } } },
			{ KERNEL_RECV, 0, 50, { { 1, 1, RECV_CREDIT, 0, 0, NULL } } },
			{ KERNEL_SEND, 0, 50, { { 1000, 64, SEND_WAIT_AFTER, 9, 1, NULL } } },
		}, (uint64_t[]){ 7 + 49, 9 + 50 * 64 - 1 }, hz, &elapsed);
		check_period(elapsed, 50, beats + 1e-9 + 2e-6, 2 * KERNEL_CYCLES, hz);
	}
}

/* send accesses no memory: none of its arguments is a pointer. */
static void send_accesses_no_memory(void **state)
{
	(void)state;
	assert_null(strchr(SEND_TYPES, 'p'));
}

static void windows_both_ways(void **state)
{
	struct stage data = { 1000, 64, SEND_WAIT_AFTER, 9, 1, NULL };
	struct stage reply = { 1, 1, SEND_WAIT_AFTER, 1, 1, NULL };
	struct stage in = { 1000, 64, RECV_CREDIT, 0, 0, NULL };
	struct stage answer = { 1, 1, RECV_CREDIT, 0, 0, NULL };

	(void)state;
	run_crossed((struct program[]){
			    { KERNEL_RECV, 0, 50, { in, answer } },
			    { KERNEL_RECV, 1, 50, { in, answer } },
			    { KERNEL_SEND, 0, 50, { data, reply } },
			    { KERNEL_SEND, 1, 50, { data, reply } },
		    }, (uint64_t[]){ 0, 0 }, 0, NULL);
}

static void check_describe(const char *image, uint32_t width, uint32_t lanes)
{
	struct host h = host_open(0, image);
	xrtBufferHandle b = host_buffer(&h, 4096, GUARD);
	xrtKernelHandle k = xrtPLKernelOpen(h.card, h.image, KERNEL_DESCRIBE);
	xrtRunHandle r = xrtRunOpen(k);
	uint32_t got[DESCRIBE_WORDS];

	assert_int_equal(xrtRunSetArg(r, DESCRIBE_RECORD, b), 0);
	assert_int_equal(xrtRunStart(r), 0);
	assert_int_equal(xrtRunWait(r), DONE);
	memcpy(got, host_fetch(b, sizeof(got)), sizeof(got));
	assert_int_equal(got[DESCRIBE_MAGIC], KERNELS_MAGIC);
	assert_int_equal(got[DESCRIBE_VERSION], KERNELS_VERSION);
	assert_int_equal(got[DESCRIBE_WIDTH], width);
	assert_int_equal(got[DESCRIBE_LANES], lanes);
	assert_int_equal(got[DESCRIBE_PAIRS], 2);
	xrtRunClose(r);
	xrtKernelClose(k);
	xrtBOFree(b);
	host_close(&h);
}

static void launches_without_messages(void **state)
{
	struct host h = host_open(0, IMAGE);
	struct started s = host_prepare(&h, &(struct program){ .kernel = KERNEL_SEND });

	(void)state;
	for (int i = 0; i < 100; i++) {		/* unwired */
		assert_int_equal(xrtRunStart(s.run), 0);
		assert_int_equal(xrtRunWait(s.run), DONE);
	}
	xrtRunClose(s.run);
	xrtKernelClose(s.kernel);
	host_close(&h);
	check_describe(IMAGE, 32, 2);
	check_describe(ALVEO, 64, 1);
}

static void a_wrong_address_fails_the_run(void **state)
{
	struct host h = host_open(0, IMAGE);
	struct started s;

	(void)state;
	host_loop_back(&h, CHANNELS);
	s = host_start(&h, &(struct program){ KERNEL_RECV, 0, 1, { { 8, 1, 0, 0, 0, NULL } } });
	assert_int_equal(host_finish(&s), FAILED);
	check_size(&h, 1000, 10);
	host_close(&h);
}

/* recv_1 reaches only bank 1, so it fails with a buffer of bank 0. */
static void a_wrong_bank_fails_the_run(void **state)
{
	struct host h = host_open(0, "netbench-banks.xclbin");
	xrtBufferHandle wrong = xrtBOAlloc(h.card, 4096, XRT_BO_FLAGS_NONE, 0);
	xrtBufferHandle right = xrtBOAlloc(h.card, 4096, XRT_BO_FLAGS_NONE, 1);
	struct program send = { KERNEL_SEND, 1, 1, { { 64, 1, SEND_WAIT_AFTER, FIRST, 3, NULL } } };
	struct program recv = { KERNEL_RECV, 1, 1, { { 64, 1, RECV_CREDIT, 0, 0, wrong } } };
	struct started r, s;

	(void)state;
	host_loop_back(&h, CHANNELS);
	r = host_start(&h, &recv);
	assert_int_equal(host_finish(&r), FAILED);
	recv.stages[0].buffer = right;
	r = host_start(&h, &recv);
	s = host_start(&h, &send);
	assert_int_equal(host_finish(&r), DONE);
	assert_int_equal(host_finish(&s), DONE);
	assert_int_equal(host_compare(host_fetch(right, 64), 64, FIRST), 64);
	xrtBOFree(wrong);
	xrtBOFree(right);
	host_close(&h);
}

static void a_run_without_messages_times_out(void **state)
{
	struct host h = host_open(0, IMAGE);
	xrtBufferHandle b = host_buffer(&h, 4096, 0);
	struct program wait = { KERNEL_RECV, 0, 1, { { 64, 1, 0, 0, 0, b } } };
	struct program unwired = { KERNEL_RECV, 1, 1, { { 64, 1, 0, 0, 0, b } } };
	struct started a, c;
	double begin, took;

	(void)state;
	assert_int_equal(h.emulator->loop(0, 0, 0), 0);
	a = host_start(&h, &wait);
	c = host_start(&h, &unwired);
	begin = now_s();
	assert_int_equal(xrtRunWaitFor(a.run, 200), TIMED_OUT);
	took = now_s() - begin;
	assert_true(took > 0.15 && took < 1);
	assert_int_equal(xrtRunState(a.run), RUNNING);
	assert_int_equal(h.emulator->loop(0, 1, 1), -EBUSY);
	begin = now_s();
	xrtRunClose(a.run);
	xrtRunClose(c.run);
	xrtKernelClose(a.kernel);
	xrtKernelClose(c.kernel);
	xrtBOFree(b);
	host_close(&h);
	assert_true(now_s() - begin < 1);
	check_sizes(IMAGE, CHANNELS);
}

static void wrong_wiring_is_refused(void **state)
{
	struct host h = host_open(3, IMAGE), other = host_open(4, ALVEO);
	int fd = h.emulator->ring_file(), sockets[1] = { -1 };

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(h.emulator->loop(9, 0, 0), -ENODEV);
	assert_int_equal(h.emulator->loop(3, CHANNELS, 0), -ECHRNG);
	assert_int_equal(h.emulator->loop(4, ALVEO_CHANNELS, 0), -ECHRNG);
	assert_int_equal(h.emulator->ring(3, 0, EMULATOR_TRANSMITS, -1), -EBADF);
	assert_int_equal(h.emulator->socket(3, 0, sockets[0]), -EBADF);
	assert_int_equal(h.emulator->ring(3, 0, EMULATOR_TRANSMITS, fd), 0);
	assert_int_equal(h.emulator->ring(4, 0, EMULATOR_RECEIVES, fd), -EPROTO);
	assert_int_equal(h.emulator->ring(3, 1, EMULATOR_RECEIVES, fd), 0);
	assert_int_equal(h.emulator->pace(3, -1, 0, 0, 0), -EINVAL);
	close(fd);
	host_close(&h);
	host_close(&other);
}

/*
 * Two cards of one process are each other's neighbours on both sides, with different bytes in each
 * direction.
 */
static void two_cards_exchange_messages(void **state)
{
	struct host h[2] = { host_open(0, IMAGE), host_open(1, IMAGE) };
	struct started runs[2][2];
	xrtBufferHandle b[2];

	(void)state;
	for (unsigned i = 0; i < CHANNELS; i++) {
		int fd = h[0].emulator->ring_file();

		const struct netbench_emulator *e = h[i / 2].emulator;
		unsigned channel = CHANNEL_OF(2, 0, i % 2);

		assert_int_equal(e->ring(i / 2, channel, EMULATOR_TRANSMITS, fd), 0);
		assert_int_equal(e->ring(1 - i / 2, channel, EMULATOR_RECEIVES, fd), 0);
		close(fd);
	}
	for (unsigned i = 0; i < 2; i++) {
		b[i] = host_buffer(&h[i], 8192, 0);
		runs[i][0] = host_start(&h[i], &(struct program){ KERNEL_RECV, 0, 100,
					{ { 5000, 1, RECV_CREDIT, 0, 0, b[i] } } });
		runs[i][1] = host_start(&h[i], &(struct program){ KERNEL_SEND, 0, 100,
					{ { 5000, 1, SEND_WAIT_AFTER, 1000 * i, 1, NULL } } });
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(host_finish(&runs[i][0]), DONE);
		assert_int_equal(host_finish(&runs[i][1]), DONE);
		assert_int_equal(host_compare(host_fetch(b[i], 5000), 5000, 1000 * (1 - i) + 99),
				 5000);
		xrtBOFree(b[i]);
	}
	host_close(&h[0]);
	host_close(&h[1]);
}

/* ---- time ---- */

struct timed {
	double model_s, wall_s;
};

static struct timed run_paced(const struct host *h, uint32_t size, uint32_t iterations)
{
	struct stage send = { size, 1, SEND_WAIT_AFTER, 1, 0, NULL };
	xrtBufferHandle b = host_buffer(h, size + 256, 0);
	struct stage recv = { size, 1, RECV_CREDIT, 0, 0, b };
	struct timed t;

	assert_true(timed_exchange(h, &send, &recv, iterations, &t.wall_s));
	t.wall_s /= iterations;
	t.model_s = h->emulator->elapsed(h->index, "recv_0") / iterations;
	xrtBOFree(b);
	return t;
}

/* A message takes t(L) = ceil(L / (c w)) / f + latency. The run takes at least as long. */
static void a_paced_run_takes_the_time_of_the_model(void **state)
{
	struct host h = host_open(0, IMAGE);
	double f = 156.25e6, latency = 520e-9;

	(void)state;
	host_loop_back(&h, CHANNELS);
	assert_true(isnan(run_paced(&h, 64, 10).model_s));
	assert_int_equal(h.emulator->pace(0, f, latency, 0, 0), 0);
	for (uint32_t size = 1; size <= MIB; size *= 4) {
		struct timed t = run_paced(&h, size, size < 65536 ? 5000 : 20);
		double want = ceil(size / 64.0) / f + latency;

		assert_true(fabs(t.model_s - want) < 1e-6 * want);
		assert_true(t.wall_s >= want);
		print_message("# paced %u B: model %.4g us, clock %.4g us (%+.1f %%)\n", size,
			      1e6 * want, 1e6 * t.wall_s, 100 * (t.wall_s / want - 1));
	}
	host_close(&h);
}

/* The launch counts once in each run, however long the run is. */
static void a_launch_counts_once_a_run(void **state)
{
	struct host h = host_open(0, IMAGE);
	double f = 156.25e6, latency = 520e-9, launch_s = 1e-3;

	(void)state;
	host_loop_back(&h, CHANNELS);
	assert_int_equal(h.emulator->pace(0, f, latency, 0, -1), -EINVAL);
	assert_int_equal(h.emulator->pace(0, f, latency, 0, launch_s), 0);
	for (uint32_t iterations = 1; iterations <= 100; iterations *= 10) {
		struct timed t = run_paced(&h, 64, iterations);
		double want = launch_s / iterations + 1 / f + latency;

		assert_true(fabs(t.model_s - want) < 1e-6 * want);
		assert_true(t.wall_s >= want);
	}
	host_close(&h);
}

/*
 * On a board that is slow enough for this machine, the wall clock agrees with the model. The best
 * of some runs counts, because the machine is shared.
 */
static void the_clock_agrees_on_a_slow_board(void **state)
{
	struct host h = host_open(0, IMAGE);
	double f = 2.5e6, latency = 1e-3, best = INFINITY;
	double want = ceil(MIB / 64.0) / f + latency;

	(void)state;
	host_loop_back(&h, CHANNELS);
	assert_int_equal(h.emulator->pace(0, f, latency, 0, 0), 0);
	for (int i = 0; i < 20 && best > 1.02 * want; i++)
		best = fmin(best, run_paced(&h, MIB, 5).wall_s);
	print_message("# slow board: model %.4g ms, clock %.4g ms\n", 1e3 * want, 1e3 * best);
	assert_true(best >= want);
	assert_true(best < 1.1 * want || getenv("NETBENCH_TEST_SLOW"));
	host_close(&h);
}

/* ---- images ---- */

static unsigned char *read_image(size_t *len)
{
	FILE *f = fopen(SHIM_DIR "/" IMAGE, "rb");
	unsigned char *bytes;
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	*len = (size_t)st.st_size;
	bytes = malloc(*len);
	assert_int_equal(fread(bytes, 1, *len, f), *len);
	fclose(f);
	return bytes;
}

static struct axlf_section_header *section(void *image, uint32_t kind)
{
	struct axlf *a = image;

	for (uint32_t i = 0; i < a->m_header.m_numSections; i++)
		if (a->m_sections[i].m_sectionKind == kind)
			return &a->m_sections[i];
	abort();
}

static int load(const void *image)
{
	xrtDeviceHandle card = xrtDeviceOpen(0);
	int err = xrtDeviceLoadXclbin(card, image);

	xrtDeviceClose(card);
	return err;
}

static void a_damaged_image_is_refused(void **state)
{
	size_t len;
	unsigned char *image = read_image(&len), *copy = malloc(len);
	struct axlf_section_header *s;

	(void)state;
	host_emulator();
	assert_int_equal(load(image), 0);
	memcpy(copy, image, len);
	copy[0] = 'y';
	assert_true(load(copy) < 0);
	memcpy(copy, image, len);
	s = section(copy, BITSTREAM);
	s->m_sectionSize += 8;
	assert_true(load(copy) < 0);
	memcpy(copy, image, len);
	s = section(copy, BITSTREAM);
	s->m_sectionOffset = UINT64_MAX - 7;
	assert_true(load(copy) < 0);
	assert_int_equal(load(image), 0);
	free(image);
	free(copy);
}

/*
 * An image without netbench's kernels loads. Its kernels cannot run, and its channels cannot be
 * wired.
 */
static void a_foreign_image_loads_but_does_not_run(void **state)
{
	size_t len;
	unsigned char *image = read_image(&len);
	struct axlf_section_header *s = section(image, BITSTREAM);
	struct host h = { .emulator = host_emulator() };
	struct started run;

	(void)state;
	memset(image + s->m_sectionOffset, 0, s->m_sectionSize);
	h.card = xrtDeviceOpen(0);
	assert_int_equal(xrtDeviceLoadXclbin(h.card, (const struct axlf *)image), 0);
	assert_int_equal(xrtDeviceGetXclbinUUID(h.card, h.image), 0);
	assert_int_equal(h.emulator->loop(0, 0, 0), -ENXIO);
	run = host_start(&h, &(struct program){ KERNEL_SEND, 0, 1, { { 8, 1, 0, 0, 0, NULL } } });
	assert_int_equal(host_finish(&run), FAILED);
	host_close(&h);
	free(image);
}

/* ---- nothing is left open ---- */

static int count(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void closing_leaves_no_thread_and_no_file(void **state)
{
	int threads, files;

	(void)state;
	check_describe(IMAGE, 32, 2);
	threads = count("/proc/self/task");
	files = count("/proc/self/fd");
	for (int i = 0; i < 3; i++) {
		struct host h = host_open(0, i % 2 ? ALVEO : IMAGE);

		host_loop_back(&h, i % 2 ? ALVEO_CHANNELS : CHANNELS);
		check_size(&h, 4096, 10);
		host_close(&h);
		assert_int_equal(count("/proc/self/task"), threads);
		assert_int_equal(count("/proc/self/fd"), files);
	}
}

/* ---- a kernel that never ends ---- */

static void a_stuck_kernel_is_abandoned(void **state)
{
	struct host h = host_open(7, "netbench-stuck.xclbin");
	xrtKernelHandle k = xrtPLKernelOpen(h.card, h.image, KERNEL_DESCRIBE);
	xrtRunHandle r = xrtRunOpen(k);
	double begin;

	(void)state;
	assert_int_equal(xrtRunStart(r), 0);
	assert_int_equal(xrtRunWaitFor(r, 50), TIMED_OUT);
	begin = now_s();
	assert_true(xrtDeviceLoadXclbinFile(h.card, SHIM_DIR "/" IMAGE) < 0);
	xrtRunClose(r);
	xrtKernelClose(k);
	host_close(&h);
	assert_true(now_s() - begin < 1);
	check_describe(IMAGE, 32, 2);
}

/* Prints the time of opening a card and of a run, without judging it. */
static void print_costs(void **state)
{
	double begin = now_s(), opened, pair[2] = { INFINITY, INFINITY };
	const uint32_t size[2] = { 64, MIB };
	struct host h = host_open(0, IMAGE);
	xrtBufferHandle b = host_buffer(&h, MIB, 0);

	(void)state;
	opened = now_s() - begin;
	host_loop_back(&h, CHANNELS);
	for (int i = 0; i < 40; i++) {
		struct stage send = { size[i % 2], 1, 0, 0, 0, NULL };
		struct stage recv = { size[i % 2], 1, 0, 0, 0, b };
		double s;

		assert_true(timed_exchange(&h, &send, &recv, 1, &s));
		pair[i % 2] = fmin(pair[i % 2], s);
	}
	print_message("# open and load %.2f ms; best of 20 from start to finish: 64 B %.1f us, "
		      "1 MiB %.0f us\n", 1e3 * opened, 1e6 * pair[0], 1e6 * pair[1]);
	xrtBOFree(b);
	host_close(&h);
}

struct waiter {
	const struct host *h;
	struct program p;
	int state;
};

static void *wait_thread(void *arg)
{
	struct waiter *w = arg;
	struct started s = host_start(w->h, &w->p);

	w->state = host_finish(&s);
	return NULL;
}

/* One thread waits for a kernel that needs the other thread's kernel. 2 s would be far too long. */
static void two_threads_wait_for_each_other(void **state)
{
	struct host h = host_open(0, IMAGE);
	xrtBufferHandle b = host_buffer(&h, 4096, 0);
	struct waiter w[2] = {
		{ &h, { KERNEL_RECV, 0, 5000, { { 64, 1, RECV_CREDIT, 0, 0, b } } }, 0 },
		{ &h, { KERNEL_SEND, 0, 5000, { { 64, 1, SEND_WAIT_AFTER, 0, 0, NULL } } }, 0 },
	};
	pthread_t threads[2];

	(void)state;
	host_loop_back(&h, CHANNELS);
	for (int turn = 0; turn < 4; turn++) {
		for (int i = 0; i < 2; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, wait_thread, &w[i]), 0);
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		assert_int_equal(w[0].state, DONE);
		assert_int_equal(w[1].state, DONE);
	}
	xrtBOFree(b);
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_of_every_size_arrive),
		cmocka_unit_test(messages_of_every_size_arrive_on_alveo),
		cmocka_unit_test(the_last_message_has_its_own_content),
		cmocka_unit_test(a_card_is_a_ring_of_one),
		cmocka_unit_test(a_ping_pong_takes_the_time_of_the_model),
		cmocka_unit_test(a_window_takes_the_time_of_the_model),
		cmocka_unit_test(windows_both_ways),
		cmocka_unit_test(send_accesses_no_memory),
		cmocka_unit_test(launches_without_messages),
		cmocka_unit_test(a_wrong_address_fails_the_run),
		cmocka_unit_test(a_wrong_bank_fails_the_run),
		cmocka_unit_test(a_run_without_messages_times_out),
		cmocka_unit_test(wrong_wiring_is_refused),
		cmocka_unit_test(two_cards_exchange_messages),
		cmocka_unit_test(a_paced_run_takes_the_time_of_the_model),
		cmocka_unit_test(a_launch_counts_once_a_run),
		cmocka_unit_test(the_clock_agrees_on_a_slow_board),
		cmocka_unit_test(a_damaged_image_is_refused),
		cmocka_unit_test(a_foreign_image_loads_but_does_not_run),
		cmocka_unit_test(closing_leaves_no_thread_and_no_file),
		cmocka_unit_test(two_threads_wait_for_each_other),
		cmocka_unit_test(print_costs),
		cmocka_unit_test(a_stuck_kernel_is_abandoned),
	};

	host_emulator();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
