/* SPDX-License-Identifier: Apache-2.0 */
/* The types of backend `shm`: shm.c moves messages, open.c makes their memory. */
#ifndef NETBENCH_BACKENDS_SHM_SHM_H
#define NETBENCH_BACKENDS_SHM_SHM_H

#include <sys/types.h>

#include "backends/shm/ring.h"
#include "backends/traffic.h"

enum copy { COPY_AUTO, COPY_CMA, COPY_RING };

/* A futex on which a rank sleeps. */
struct bell {
	_Alignas(CACHE_LINE) _Atomic uint32_t asleep;
};

/* Where the receiver finds a long message. */
struct fetch {
	uint64_t where;			/* offset in the mapping, or address in the sender */
	uint64_t len, mapped;
};

/* One rank's state for another rank. */
struct peer {
	struct partner base;
	struct ring_end tx, rx;
	struct queue fetched;		/* announced, not yet fetched by the receiver */
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
	size_t eager, eager_cma;	/* longest through the ring, from mapped and other memory */
	enum copy copy;
	bool cma, membarrier;
	struct bell *bell, *ring_bell;	/* ring_bell: of the last sends' receiver, for flush */
};

static inline struct shm *shm_of(struct endpoint *ep)
{
	return (struct shm *)ep;
}

/* True if the memory came from alloc, so that the receiver has it mapped. */
static inline bool is_mapped(const struct shm *s, const void *buf)
{
	return (const unsigned char *)buf >= s->map &&
	       (const unsigned char *)buf < s->map + s->map_len;
}

#define SHM_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_EACH | CAP_FLOW)

#endif
