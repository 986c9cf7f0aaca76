/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of beff_intel.cl compiled as C. Each kernel is a thread, and channels are
 * queues. Pairs 0 and 1 are wired to each other.
 */
#include "intel.h"
#include "cases.h"

#include <unistd.h>

#define STUCK_S 40	/* s; a test that takes longer hangs */

static struct queue queues[QUEUE_CHANNELS + QUEUE_CREDITS];

static struct chunk got[2][4096], reply_got[2][2];
static const struct test *now;

static void *do_send_0(void *arg)
{
	const struct stage *s = &now->send[0];

	send_0(now->iterations, s->size, s->count, s->flags, s->first, 1, LAST_OF(s->first), 1,
	       now->reply, SEND_WAIT_AFTER, 5, 0, LAST_OF(5));
	return arg;
}

static void *do_send_1(void *arg)
{
	const struct stage *s = &now->send[1];

	send_1(now->iterations, s->size, s->count, s->flags, s->first, 1, LAST_OF(s->first), 1,
	       now->reply, SEND_WAIT_AFTER, 5, 0, LAST_OF(5));
	return arg;
}

static void *do_recv_0(void *arg)
{
	const struct stage *s = &now->recv[0];

	recv_0(now->iterations, s->size, s->count, s->flags, got[0], 1, now->reply, RECV_CREDIT,
	       reply_got[0]);
	return arg;
}

static void *do_recv_1(void *arg)
{
	const struct stage *s = &now->recv[1];

	recv_1(now->iterations, s->size, s->count, s->flags, got[1], 1, now->reply, RECV_CREDIT,
	       reply_got[1]);
	return arg;
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
	memset(got, GUARD, sizeof(got));
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, kernels[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 6; i++)
		ok = ok && queues[i].head == queues[i].tail;
	for (int p = 0; p < 2; p++)
		ok = ok && wrong_byte(got[p], &t->send[1 - p]) < 0;
	return ok;
}

int main(void)
{
	word32 record[DESCRIBE_WORDS];

	alarm(STUCK_S);
	describe_0(record);
	return run_all(run, record[DESCRIBE_MAGIC] == KERNELS_MAGIC &&
				    record[DESCRIBE_VERSION] == KERNELS_VERSION &&
				    record[DESCRIBE_WIDTH] == 32 && record[DESCRIBE_LANES] == 2 &&
				    record[DESCRIBE_PAIRS] == 2);
}
