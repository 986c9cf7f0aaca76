/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of beff_intel.cl, compiled as C: a thread a kernel, queues for channels. Pairs 0
 * and 1 are wired to each other.
 */
#include <stdio.h>
#include <stdlib.h>

#include "intel.h"

static struct queue queues[QUEUE_CHANNELS + QUEUE_CREDITS];

/* Arguments of all kernels in a case: stage 0 of each, the reply of stage 1 having a byte. */
struct stage {
	uint32_t size, count, flags;
	uint64_t first;
};

struct test {
	const char *name;
	uint32_t iterations;
	struct stage send[2], recv[2];	/* of pairs 0 and 1 */
	bool reply;
};

static struct chunk got[2][4096], memory[4096], reply_got[2][2];
static const struct test *now;

static void *do_send_0(void *arg)
{
	const struct stage *s = &now->send[0];

	send_0(now->iterations, memory, s->size, s->count, s->flags, s->first, 1, memory, 1,
	       now->reply, SEND_WAIT_AFTER, 5, 0);
	return arg;
}

static void *do_send_1(void *arg)
{
	const struct stage *s = &now->send[1];

	send_1(now->iterations, memory, s->size, s->count, s->flags, s->first, 1, memory, 1,
	       now->reply, SEND_WAIT_AFTER, 5, 0);
	return arg;
}

static void *do_recv_0(void *arg)
{
	const struct stage *s = &now->recv[0];

	recv_0(now->iterations, got[0], s->size, s->count, s->flags, reply_got[0], 1, now->reply,
	       RECV_CREDIT);
	return arg;
}

static void *do_recv_1(void *arg)
{
	const struct stage *s = &now->recv[1];

	recv_1(now->iterations, got[1], s->size, s->count, s->flags, reply_got[1], 1, now->reply,
	       RECV_CREDIT);
	return arg;
}

/* Index of the first wrong byte of what a pair's recv has stored, or -1; bytes behind are 0x5a. */
static long wrong(const unsigned char *b, const struct stage *sent, uint32_t iterations)
{
	uint64_t first = sent->first + (uint64_t)sent->count * iterations - 1;

	for (uint32_t i = 0; i < sent->size + 64; i++) {
		uint64_t word = (first + i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;
		unsigned char want = (unsigned char)(word >> 8 * (i % 8));

		if (sent->flags & SEND_MEMORY)
			want = ((const unsigned char *)memory)[i];
		if (b[i] != (i < sent->size ? want : 0x5a))
			return i;
	}
	return -1;
}

static bool run(const struct test *t)
{
	void *(*const kernels[])(void *) = { do_send_0, do_send_1, do_recv_0, do_recv_1 };
	pthread_t threads[4];
	bool ok = true;

	now = t;
	for (int i = 0; i < 6; i++)
		queue_init(&queues[i]);
	wire(queues, 0, 1, queues + QUEUE_CHANNELS);
	memset(got, 0x5a, sizeof(got));
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, kernels[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 6; i++)
		ok = ok && queues[i].head == queues[i].tail;
	for (int p = 0; p < 2; p++)
		ok = ok && wrong((unsigned char *)got[p], &t->send[1 - p], t->iterations) < 0;
	return ok;
}

#define AFTER SEND_WAIT_AFTER
#define BEFORE SEND_WAIT_BEFORE
#define CREDITED RECV_CREDIT
#define EXCHANGE(size, flags) \
	{ "exchange " #size, 20, { { size, 1, flags, 1 }, { size, 1, flags, 9 } }, \
	  { { size, 1, CREDITED, 0 }, { size, 1, CREDITED, 0 } }, false }

static const struct test tests[] = {
	EXCHANGE(1, AFTER), EXCHANGE(31, AFTER), EXCHANGE(32, AFTER), EXCHANGE(64, AFTER),
	EXCHANGE(65, AFTER), EXCHANGE(1000, AFTER), EXCHANGE(65537, AFTER),
	EXCHANGE(10001, (AFTER | SEND_MEMORY)),
	{ "ping-pong", 100, { { 100, 1, AFTER, 1 }, { 100, 1, BEFORE, 9 } },
	  { { 100, 1, CREDITED, 0 }, { 100, 1, CREDITED, 0 } }, false },
	{ "window", 10, { { 500, 64, AFTER, 1 }, { 1, 1, BEFORE, 9 } },
	  { { 1, 1, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, false },
	{ "windows both ways", 10, { { 500, 64, AFTER, 1 }, { 500, 64, AFTER, 9 } },
	  { { 500, 64, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, true },
};

int main(void)
{
	size_t n = sizeof(tests) / sizeof(tests[0]);
	word32 record[DESCRIBE_WORDS];
	bool all;

	printf("1..%zu\n", n + 1);
	for (size_t i = 0; i < sizeof(memory); i++)
		((unsigned char *)memory)[i] = (unsigned char)(i * 37 | 1);
	describe_0(record);
	empty_0();
	all = record[DESCRIBE_WIDTH] == 32 && record[DESCRIBE_PAIRS] == 2;
	printf("%sok 1 - describe\n", all ? "" : "not ");
	for (size_t i = 0; i < n; i++) {
		bool ok = run(&tests[i]);

		printf("%sok %zu - %s\n", ok ? "" : "not ", i + 2, tests[i].name);
		all = all && ok;
	}
	return !all;
}
