/* SPDX-License-Identifier: Apache-2.0 */
/* The types of backend `shm`. shm.c moves messages. open.c creates the shared memory. */
#ifndef NETBENCH_BACKENDS_SHM_SHM_H
#define NETBENCH_BACKENDS_SHM_SHM_H

#include <sys/types.h>

#include "backends/shm/ring.h"
#include "backends/traffic.h"

enum copy { COPY_AUTO, COPY_CMA, COPY_RING };

/* A futex on which a rank sleeps. Its value is 1 while the rank is asleep or about to sleep. */
struct bell {
	_Alignas(CACHE_LINE) _Atomic uint32_t asleep;
};

/* Content of a CELL_FETCH cell. It tells where the receiver finds a long message. */
struct fetch {
	/* offset in the mapping, or address in the sending process */
	uint64_t where;
	/* len: bytes. mapped: 1 if `where` is an offset in the mapping, 0 if it is an address. */
	uint64_t len, mapped;
};

/* What this rank knows about one other rank. */
struct peer {
	struct partner base;
	struct ring_end tx, rx;
	/* sends of long messages that the receiver has not fetched completely yet */
	struct queue fetched;
	struct bell *bell;
	pid_t pid;
};

struct shm_opts {
	uint64_t ring_size, eager, copy, wait;
};

struct shm {
	struct traffic t;
	const struct shm_opts *options;
	unsigned char *map;
	size_t map_len, heap_at, heap_end;
	struct peer *peers;
	/*
	 * The receiver fetches messages that are longer than this number of bytes. Shorter messages
	 * go through the ring. eager: for a send buffer in the mapping. eager_cma: for a send
	 * buffer elsewhere.
	 */
	size_t eager, eager_cma;
	enum copy copy;
	bool cma, membarrier;
	/*
	 * bell: the bell of this rank. ring_bell: the bell of the rank that receives the latest
	 * sends; flush rings this bell.
	 */
	struct bell *bell, *ring_bell;
};

static inline struct shm *shm_of(struct endpoint *ep)
{
	return (struct shm *)ep;
}

/* True if buf lies in the memory that all ranks map, so that the receiver can copy from it. */
static inline bool is_mapped(const struct shm *s, const void *buf)
{
	return (const unsigned char *)buf >= s->map &&
	       (const unsigned char *)buf < s->map + s->map_len;
}

#define SHM_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_EACH | CAP_FLOW)

#endif
