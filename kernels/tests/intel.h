/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beff_intel.cl as C, for tests. Its kernels are functions, its channels lead to queues. Cards in a
 * ring have a queue for each transmitting channel. They may belong to different processes.
 */
#ifndef NETBENCH_TESTS_INTEL_H
#define NETBENCH_TESTS_INTEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define QUEUE_DEPTH 16
#define QUEUE_CHANNELS 4	/* channels of a card */
#define QUEUE_CREDITS 2

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned char items[QUEUE_DEPTH][32];
	unsigned head, tail;
};

/* The queues to which a channel variable of the program leads: for writes, and for reads. */
static struct lead {
	const void *channel;
	struct queue *queue;
} writes[QUEUE_CHANNELS + QUEUE_CREDITS], reads[QUEUE_CHANNELS + QUEUE_CREDITS];

static struct queue *find_queue(const struct lead *l, const void *channel)
{
	while (l->channel != channel)
		l++;
	return l->queue;
}

/* Initialises a queue and empties it. */
static void queue_init(struct queue *q)
{
	pthread_mutexattr_t m;
	pthread_condattr_t c;

	memset(q, 0, sizeof(*q));
	pthread_mutexattr_init(&m);
	pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&q->lock, &m);
	pthread_mutexattr_destroy(&m);
	pthread_condattr_init(&c);
	pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&q->moved, &c);
	pthread_condattr_destroy(&c);
}

static void queue_put(const void *channel, const void *item, size_t len)
{
	struct queue *q = find_queue(writes, channel);

	pthread_mutex_lock(&q->lock);
	while (q->head - q->tail == QUEUE_DEPTH)
		pthread_cond_wait(&q->moved, &q->lock);
	memcpy(q->items[q->head++ % QUEUE_DEPTH], item, len);
	pthread_cond_broadcast(&q->moved);
	pthread_mutex_unlock(&q->lock);
}

static void *queue_get(const void *channel, void *item, size_t len)
{
	struct queue *q = find_queue(reads, channel);

	pthread_mutex_lock(&q->lock);
	while (q->head == q->tail)
		pthread_cond_wait(&q->moved, &q->lock);
	memcpy(item, q->items[q->tail++ % QUEUE_DEPTH], len);
	pthread_cond_broadcast(&q->moved);
	pthread_mutex_unlock(&q->lock);
	return item;
}

#define channel static
#define STATIC static
#define __kernel
#define __global
#define write_channel_intel(to, value) queue_put(&(to), &(value), sizeof(to))
#define read_channel_intel(from) \
	(*(__typeof__(from) *)queue_get(&(from), &(__typeof__(from)){ 0 }, sizeof(from)))
#include "beff_intel.cl"

/*
 * Wires card number `card` in a ring of `cards` cards: its pair 1 faces pair 0 of the next card.
 * `fabric` has QUEUE_CHANNELS queues for each card; `credits` are the card's own. The caller has
 * initialised them.
 */
static void wire(struct queue *fabric, unsigned card, unsigned cards,
		 struct queue credits[QUEUE_CREDITS])
{
	struct queue *mine = fabric + card * QUEUE_CHANNELS,
		     *next = fabric + (card + 1) % cards * QUEUE_CHANNELS,
		     *last = fabric + (card + cards - 1) % cards * QUEUE_CHANNELS;
	const struct lead out[] = {
		{ &transmit_0, mine },	   { &transmit_1, mine + 1 }, { &transmit_2, mine + 2 },
		{ &transmit_3, mine + 3 }, { &credit_0, credits },    { &credit_1, credits + 1 },
	};
	const struct lead in[] = {
		{ &receive_0, last + 1 }, { &receive_1, next },	  { &receive_2, last + 3 },
		{ &receive_3, next + 2 }, { &credit_0, credits }, { &credit_1, credits + 1 },
	};

	memcpy(writes, out, sizeof(writes));
	memcpy(reads, in, sizeof(reads));
}

#endif
