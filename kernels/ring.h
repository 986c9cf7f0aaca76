/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emulated channel: a ring of chunks between one writer and one reader, threads of one process
 * or of two on a machine. Zeros are an empty ring, so a new file of RING_BYTES is one.
 */
#ifndef NETBENCH_RING_H
#define NETBENCH_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_CHUNKS 1024u	/* a power of two */
#define RING_BATCH 64u		/* chunks after which a writer lets the reader see them */
#define CHUNK_MAX 64		/* bytes */

/*
 * head and tail count chunks, modulo 2^32. A side that sleeps has set its flag, re-read the other's
 * counter, and sleeps on the flag; who moves a counter clears the flag and wakes.
 */
struct ring {
	alignas(64) _Atomic uint32_t width;	/* bytes of a chunk, set by who comes first */
	alignas(64) _Atomic uint32_t head;	/* chunks written */
	_Atomic uint32_t reader_sleeps;
	alignas(64) _Atomic uint32_t tail;	/* chunks read */
	_Atomic uint32_t writer_sleeps;
	alignas(64) double stamps[RING_CHUNKS];	/* s, of messages' last chunks: struct port */
	alignas(64) unsigned char chunks[RING_CHUNKS * CHUNK_MAX];
};

#define RING_BYTES sizeof(struct ring)

/*
 * A kernel's end of a channel. Time is the model's, s since the kernel's start: a message leaves
 * when the kernel and the channel are ready, occupies the channel for a period a chunk, and arrives
 * a latency later, which is the stamp of its last chunk.
 */
struct port {
	struct ring *ring;	/* NULL: not wired, who uses it waits for ever */
	uint32_t width;
	uint32_t at;		/* next chunk */
	uint32_t limit;		/* first chunk that is not there, or has no room */
	uint32_t shown;		/* value of the own counter in the ring */
	uint32_t message;	/* where the present message began */
	double period_s, latency_s;
	double begin_s;		/* when the present message has left, its first chunk */
	double free_s;		/* when the channel has done what was written */
};

/* Where a waiting side looks whether to give up. */
typedef _Atomic bool stop_flag;

/* A new ring in this process's own memory, NULL without memory; ring_unmap frees it. */
struct ring *ring_new(void);

/*
 * Maps a file as a ring, making it RING_BYTES long if shorter; NULL and errno. fd stays the
 * caller's.
 */
struct ring *ring_map(int fd);
void ring_unmap(struct ring *r);

/* Sets the width or compares it with the other side's. Returns 0 or -EPROTO. */
int ring_agree(struct ring *r, uint32_t width);

/*
 * Makes p the writing, or the reading, end of r, where the last user of this end stopped; r may be
 * NULL.
 */
void port_writer(struct port *p, struct ring *r, uint32_t width);
void port_reader(struct port *p, struct ring *r, uint32_t width);

/* Waits until limit is beyond at. False if *stop became true. */
bool port_wait_room(struct port *p, stop_flag *stop);
bool port_wait_chunks(struct port *p, stop_flag *stop);

/* Sees what a reading end has by now, without waiting. */
void port_look(struct port *p);

/* Lets the other side see how far this one is. */
void port_show_written(struct port *p);
void port_show_read(struct port *p);

/* Wakes who sleeps at a ring, that it looks at its stop flag; r may be NULL. */
void ring_rouse(struct ring *r);

/* Where chunk `at` lies, and its stamp. */
static inline unsigned char *port_chunk(const struct port *p)
{
	return p->ring->chunks + (size_t)(p->at % RING_CHUNKS) * p->width;
}

static inline double *port_stamp(const struct port *p)
{
	return &p->ring->stamps[p->at % RING_CHUNKS];
}

#endif
