/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emulated channel: a ring of chunks between one writer and one reader. These are threads of one
 * process, or of two on one machine. A ring of zeros is empty, so a new file of RING_BYTES is an
 * empty ring.
 */
#ifndef NETBENCH_RING_H
#define NETBENCH_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_CHUNKS 1024u	/* a power of two */
#define RING_BATCH 64u		/* number of chunks after which a writer shows them to the reader */
#define CHUNK_MAX 64		/* bytes */

/*
 * head and tail count chunks, modulo 2^32. To sleep, a side sets its flag, reads the other side's
 * counter again, and waits on the flag. A side that advances a counter clears the other's flag and
 * wakes it.
 */
struct ring {
	alignas(64) _Atomic uint32_t width;	/* bytes of a chunk; the first side sets it */
	alignas(64) _Atomic uint32_t head;	/* chunks written */
	_Atomic uint32_t reader_sleeps;
	alignas(64) _Atomic uint32_t tail;	/* chunks read */
	_Atomic uint32_t writer_sleeps;
	/* arrival of a message's last chunk, s (see struct port) */
	alignas(64) double stamps[RING_CHUNKS];
	alignas(64) unsigned char chunks[RING_CHUNKS * CHUNK_MAX];
};

#define RING_BYTES sizeof(struct ring)

/*
 * A kernel's end of a channel. Time is model time in s since the kernel's start. A message leaves
 * when kernel and channel are ready. It occupies the channel for one period a chunk, and arrives
 * one latency later. The stamp of its last chunk is its arrival.
 */
struct port {
	struct ring *ring;	/* NULL: not wired, so a user waits for ever */
	uint32_t width;
	uint32_t at;		/* next chunk */
	uint32_t limit;		/* first chunk that is not there yet, or has no room */
	uint32_t shown;		/* value of this end's counter in the ring */
	uint32_t message;	/* first chunk of the current message */
	double period_s, latency_s;
	double begin_s;		/* when the first chunk of the current message leaves */
	double free_s;		/* when the channel has carried everything written */
};

/* A waiting side gives up when this becomes true. */
typedef _Atomic bool stop_flag;

/* Makes a ring in this process's memory; NULL without memory. ring_unmap frees it. */
struct ring *ring_new(void);

/*
 * Maps a file as a ring, and extends it to RING_BYTES if it is shorter. Returns NULL and sets errno
 * on an error. The caller keeps fd.
 */
struct ring *ring_map(int fd);
void ring_unmap(struct ring *r);

/*
 * Sets the width of a ring, or compares it with the width that the other side set. Returns 0 or
 * -EPROTO.
 */
int ring_agree(struct ring *r, uint32_t width);

/*
 * Make p the writing or the reading end of r, at the chunk where the last user of this end stopped.
 * r may be NULL.
 */
void port_writer(struct port *p, struct ring *r, uint32_t width);
void port_reader(struct port *p, struct ring *r, uint32_t width);

/* Wait until limit is beyond at. False if *stop became true. */
bool port_wait_room(struct port *p, stop_flag *stop);
bool port_wait_chunks(struct port *p, stop_flag *stop);

/* Updates the limit of a reading end, without waiting. */
void port_look(struct port *p);

/* Show the other side how far this side has come. */
void port_show_written(struct port *p);
void port_show_read(struct port *p);

/* Wakes both sides of a ring, so that they check their stop flags. r may be NULL. */
void ring_rouse(struct ring *r);

/* Return the address of chunk `at`, and of its stamp. */
static inline unsigned char *port_chunk(const struct port *p)
{
	return p->ring->chunks + (size_t)(p->at % RING_CHUNKS) * p->width;
}

static inline double *port_stamp(const struct port *p)
{
	return &p->ring->stamps[p->at % RING_CHUNKS];
}

#endif
