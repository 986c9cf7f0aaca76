/* SPDX-License-Identifier: Apache-2.0 */
/* Between shm.c, which moves messages, and shm_open.c, which makes the memory they move through. */
#ifndef NETBENCH_BACKENDS_SHM_SHM_H
#define NETBENCH_BACKENDS_SHM_SHM_H

#include <sys/types.h>

#include "job/job.h"
#include "transport/backend.h"
#include "transport/match.h"
#include "backends/shm/ring.h"
#include "net/wait.h"

enum copy { COPY_AUTO, COPY_CMA, COPY_RING };

/* On which a rank sleeps. */
struct bell {
	_Alignas(CACHE_LINE) _Atomic uint32_t asleep;
};

/* Where the receiver finds a long message. */
struct fetch {
	uint64_t where;			/* offset in the mapping, or address in the sender */
	uint64_t len;
	uint64_t mapped;
};

/* What a rank knows of one other rank. */
struct peer {
	struct ring_end tx, rx;
	struct queue sends;		/* not yet entirely in the ring */
	struct queue fetched;		/* announced, the receiver has still to fetch */
	struct queue recvs;
	struct bell *bell;
	pid_t pid;
	bool active;			/* listed in shm.active */
};

struct shm {
	struct endpoint ep;
	unsigned char *map;
	size_t map_len, heap_at, heap_end;
	struct peer *peers;
	struct peer **active;
	uint32_t nactive;
	struct match match;
	struct pool pool;
	size_t eager, eager_cma;	/* longest message through the ring, from mapped and other memory */
	enum copy copy;
	bool cma, membarrier;
	bool moved;			/* something moved since the last look */
	uint32_t idle;			/* looks in vain in a row */
	struct patience patience;
	struct bell *bell;
	struct bell *ring_bell;		/* of whom the last transfers went to, to be looked at by flush */
};

static inline struct shm *shm_of(struct endpoint *ep)
{
	return (struct shm *)ep;
}

/* True if the memory came from alloc, so that the receiver has it mapped. */
static inline bool is_mapped(const struct shm *s, const void *buf)
{
	return (const unsigned char *)buf >= s->map && (const unsigned char *)buf < s->map + s->map_len;
}

/* The options, and those hooks of the backend that shm_open.c has. */
extern const struct opt shm_options[];
extern struct shm_opts {
	uint64_t ring_size, eager, copy;
} shm_opts;
int shm_probe(char *why, size_t len);
int shm_check(int nranks);
int shm_open_endpoint(struct endpoint **ep, struct job *job, size_t heap);
void shm_close(struct endpoint *ep);
void *shm_alloc(struct endpoint *ep, size_t len);
void shm_release(struct endpoint *ep, void *buf);
void shm_describe(struct endpoint *ep, describe_fn put, void *arg);

#endif
