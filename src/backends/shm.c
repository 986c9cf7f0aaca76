/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `shm`: processes on one machine. All ranks map one anonymous file; in it are, for each
 * ordered pair of ranks, a ring (ring.h), for each rank a bell, and the memory that alloc gives out.
 *
 * Short messages go through the ring. Long ones are copied once, by the receiver: out of the
 * sender's memory as mapped here if it came from alloc, else by process_vm_readv where the
 * kernel allows that; else they are pipelined through the ring in fragments.
 *
 * Waiting is spinning, then yielding, then sleeping on the bell (a futex), because ranks may outnumber
 * cores. Whoever writes looks at the reader's bell with a plain load; it is the sleeper who makes that safe,
 * with membarrier between lying down and a last look around.
 */
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "backend.h"
#include "backends/ring.h"
#include "clock.h"
#include "job/wait.h"
#include "round.h"

#define PAGE BACKEND_PAGE

enum copy { COPY_AUTO, COPY_CMA, COPY_RING };
static const char *const copy_names[] = { "auto", "cma", "ring", NULL };

static struct shm_opts {
	uint64_t ring_size, eager, copy;
} opts;

static const struct opt options[] = {
	{ 0, "ring-size", "size", OPT_SIZE, offsetof(struct shm_opts, ring_size), .def = "64k",
	  .min = 4096, .max = 1 << 26,
	  .help = "data area of the ring of each ordered pair of ranks; a power of two" },
	{ 0, "eager", "size", OPT_SIZE, offsetof(struct shm_opts, eager), .def = "4k",
	  .min = 0, .max = 1 << 30,
	  .help = "longest message that goes through the ring; longer ones are copied once" },
	{ 0, "shm-copy", "how", OPT_CHOICE, offsetof(struct shm_opts, copy), .def = "auto",
	  .choices = copy_names,
	  .help = "long messages: auto from memory that all ranks map, cma from private memory by "
		  "process_vm_readv, ring from private memory through the ring" },
	{ 0 },
};

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

/* Requests in order. */
struct queue {
	struct request *first, **last;
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
	struct queue any;
	uint64_t next_id;
	struct request *pool, *pool_mem;
	uint32_t pool_size;
	size_t eager;
	enum copy copy;
	bool cma, membarrier;
	bool moved;			/* something moved since the last look */
	uint32_t idle;			/* looks in vain in a row */
	struct patience patience;
	struct bell *bell;
	struct bell *ring_bell;		/* of whom the last transfers went to, to be looked at by flush */
};

static struct shm *shm_of(struct endpoint *ep)
{
	return (struct shm *)ep;
}

/* ---- queues ---- */

static inline void queue_add(struct queue *q, struct request *r)
{
	r->next = NULL;
	if (!q->first)
		q->last = &q->first;
	*q->last = r;
	q->last = &r->next;
}

static inline struct request *queue_take(struct queue *q)
{
	struct request *r = q->first;

	q->first = r->next;
	return r;
}

/* ---- waking and waiting ---- */

static inline void wake(struct bell *b)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&b->asleep, memory_order_relaxed), 0) &&
	    atomic_exchange(&b->asleep, 0))
		futex_wake(&b->asleep, 1);
}

/* Looked in vain: the next look may be more patient. */
static void look_in_vain(struct shm *s)
{
	uint32_t k = s->idle++;

	if (k < s->patience.spins) {
		if (k > 64)
			cpu_pause();
	} else if (k < s->patience.spins + s->patience.yields) {
		sched_yield();
	} else if (!atomic_load_explicit(&s->bell->asleep, memory_order_relaxed)) {
		atomic_store(&s->bell->asleep, 1);
		if (s->membarrier)
			syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
	} else {
		futex_sleep(&s->bell->asleep, 1, s->membarrier ? 100 : 1);
	}
}

static inline void look_again(struct shm *s)
{
	if (__builtin_expect(s->idle > s->patience.spins, 0))
		atomic_store_explicit(&s->bell->asleep, 0, memory_order_relaxed);
	s->idle = 0;
}

/* ---- sending ---- */

static void activate(struct shm *s, struct peer *p)
{
	if (!p->active) {
		p->active = true;
		s->active[s->nactive++] = p;
	}
}

/* True if the memory came from alloc, so that the receiver has it mapped. */
static inline bool is_mapped(const struct shm *s, const void *buf)
{
	return (const unsigned char *)buf >= s->map && (const unsigned char *)buf < s->map + s->map_len;
}

/* True if the receiver can fetch the message from here. */
static inline bool can_fetch(const struct shm *s, const struct request *r)
{
	return r->len > s->eager && (is_mapped(s, r->buf) || s->cma);
}

static bool announce(struct shm *s, struct peer *p, struct request *r)
{
	bool mapped = is_mapped(s, r->buf);
	struct fetch f = { .where = mapped ? (uint64_t)((unsigned char *)r->buf - s->map)
					   : (uint64_t)(uintptr_t)r->buf,
			   .len = r->len, .mapped = mapped };

	if (!ring_put(&p->tx, CELL_FETCH, &f, sizeof(f)))
		return false;
	r->id = ++p->tx.fetches;
	return true;
}

/* Puts what fits of one message into the ring. True if all of it is there. */
static bool put_message(struct shm *s, struct peer *p, struct request *r)
{
	size_t was = r->at;

	if (r->len <= CELL_DATA)
		return ring_put(&p->tx, CELL_INLINE, r->buf, (uint32_t)r->len);
	while (r->at < r->len) {
		uint32_t n = ring_fragment(&p->tx, r->len - r->at);

		if (!ring_put_fragment(&p->tx, (char *)r->buf + r->at, n, r->len))
			break;
		r->at += n;
	}
	s->moved |= r->at > was;
	return r->at == r->len;
}

/* Sends what waits, in order. Number of sends completed. */
static int push_sends(struct shm *s, struct peer *p)
{
	int done = 0;

	while (p->sends.first) {
		struct request *r = p->sends.first;
		bool fetch = can_fetch(s, r);

		if (fetch ? !announce(s, p, r) : !put_message(s, p, r))
			break;
		queue_take(&p->sends);
		if (fetch) {
			queue_add(&p->fetched, r);
		} else {
			r->done = true;
			done++;
		}
		s->moved = true;
	}
	wake(p->bell);
	return done;
}

/* Sends whose message has been fetched since the last look. */
static int finish_fetched(struct shm *s, struct peer *p)
{
	uint64_t fetched = ring_fetched(&p->tx);
	int done = 0;

	while (p->fetched.first && p->fetched.first->id <= fetched) {
		queue_take(&p->fetched)->done = true;
		done++;
	}
	s->moved |= done > 0;
	return done;
}

/* ---- receiving ---- */

static int too_long(const struct shm *s, uint64_t len, const struct request *r)
{
	return -error("rank %d received %llu bytes into a buffer of %zu", s->ep.job->rank,
		      (unsigned long long)len, r->room);
}

/* Copies a message out of another process. */
static int fetch_cma(const struct shm *s, const struct peer *p, const struct fetch *f, char *to)
{
	for (uint64_t at = 0; at < f->len;) {
		struct iovec here = { to + at, f->len - at };
		struct iovec there = { (void *)(uintptr_t)(f->where + at), f->len - at };
		ssize_t n = process_vm_readv(p->pid, &here, 1, &there, 1, 0);

		if (n <= 0)
			return -error("rank %d cannot read the memory of rank %d: %s", s->ep.job->rank,
				      (int)(p - s->peers), strerror(errno));
		at += (uint64_t)n;
	}
	return 0;
}

static int fetch(struct shm *s, struct peer *p, const struct cell *c, struct request *r)
{
	struct fetch f;
	int err = 0;

	memcpy(&f, c->data, sizeof(f));
	if (f.len > r->room)
		return too_long(s, f.len, r);
	if (f.mapped)
		memcpy(r->buf, s->map + f.where, f.len);
	else
		err = fetch_cma(s, p, &f, r->buf);
	r->len = f.len;
	ring_fetch_done(&p->rx);
	wake(p->bell);
	return err;
}

/*
 * Takes the cell just peeked into a request. 1: the message is complete, 0: a fragment was copied,
 * negative: failed.
 */
static inline int take(struct shm *s, struct peer *p, const struct cell *c, enum cell_kind kind,
		       uint32_t len, struct request *r)
{
	int done = 1;

	if (kind == CELL_INLINE) {
		if (__builtin_expect(len > r->room, 0))
			return too_long(s, len, r);
		copy_small(r->buf, c->data, len);
		r->len = len;
	} else if (kind == CELL_FRAGMENT) {
		r->len = ring_total(c);
		if (r->len > r->room)
			return too_long(s, r->len, r);
		ring_get_fragment(&p->rx, (char *)r->buf + r->at, len);
		r->at += len;
		done = r->at == r->len;
	} else if (fetch(s, p, c, r)) {
		return -1;
	}
	s->moved = true;
	if (ring_pop(&p->rx))
		wake(p->bell);
	return done;
}

/* The queue whose first receive meets the next message of p: that of p or that of anyone, the older. */
static inline struct queue *meets(struct shm *s, struct peer *p)
{
	struct request *own = p->recvs.first, *any = s->any.first;

	if (!any)
		return own ? &p->recvs : NULL;
	if (own && own->id < any->id)
		return &p->recvs;
	/* a message of which fragments have come to another rank's receive is not started over */
	return any->at == 0 || any->want == (int)(p - s->peers) ? &s->any : NULL;
}

/* Receives what has come from p. Number of receives completed, negative: failed. */
static int pull_recvs(struct shm *s, struct peer *p)
{
	int done = 0;

	for (;;) {
		enum cell_kind kind;
		uint32_t len;
		struct queue *q = meets(s, p);
		struct cell *c = q ? ring_peek(&p->rx, &kind, &len) : NULL;
		struct request *r;
		int got;

		if (!c)
			return done;
		r = q->first;
		got = take(s, p, c, kind, len, r);
		if (got < 0)
			return got;
		r->want = (int)(p - s->peers);
		if (!got)
			continue;
		queue_take(q);
		r->peer = r->want;
		r->done = true;
		done++;
	}
}

/* ---- progress ---- */

static int progress_any(struct shm *s)
{
	int done = 0;

	for (int i = 0; i < s->ep.job->size && s->any.first; i++) {
		int n = pull_recvs(s, &s->peers[i]);

		if (n < 0)
			return n;
		done += n;
	}
	return done;
}

static int progress_peer(struct shm *s, struct peer *p)
{
	int sent = 0, received = 0;

	if (p->fetched.first)
		sent += finish_fetched(s, p);
	if (p->sends.first)
		sent += push_sends(s, p);
	if (p->recvs.first)
		received = pull_recvs(s, p);
	return received < 0 ? received : sent + received;
}

/* Moves what can be moved, once. Number of requests completed, negative: failed. */
static int progress(struct shm *s)
{
	int done = 0;

	for (uint32_t i = 0; i < s->nactive;) {
		struct peer *p = s->active[i];
		int n = progress_peer(s, p);

		if (n < 0)
			return n;
		done += n;
		if (p->fetched.first || p->sends.first || p->recvs.first) {
			i++;
			continue;
		}
		p->active = false;
		s->active[i] = s->active[--s->nactive];
	}
	if (s->any.first) {
		int n = progress_any(s);

		if (n < 0)
			return n;
		done += n;
	}
	return done;
}

/* Looks in the tightest of loops, while nothing is awaited but the next message of one rank. */
#define TIGHT_LOOKS 200

static inline bool awaits_one(const struct shm *s)
{
	const struct peer *p = s->active[0];

	return s->nactive == 1 && p->recvs.first && !p->sends.first && !p->fetched.first &&
	       !s->any.first;
}

/* True if a short message has come for the only receive there is; completes it. */
static inline bool await_one(struct shm *s)
{
	struct peer *p = s->active[0];
	struct request *r = p->recvs.first;
	enum cell_kind kind;
	struct cell *c = NULL;
	uint32_t len;

	for (int i = 0; i < TIGHT_LOOKS && !c; i++)
		c = ring_peek(&p->rx, &kind, &len);
	if (!c || kind != CELL_INLINE || len > r->room)
		return false;
	copy_small(r->buf, c->data, len);
	r->len = len;
	r->peer = (int)(p - s->peers);
	r->done = true;
	queue_take(&p->recvs);
	if (ring_pop(&p->rx))
		wake(p->bell);
	if (!p->recvs.first) {
		p->active = false;
		s->nactive = 0;
	}
	return true;
}

static inline int poll(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);
	int done;

	if (awaits_one(s) && s->patience.spins > TIGHT_LOOKS && await_one(s)) {
		look_again(s);
		return 1;
	}
	s->moved = false;
	done = progress(s);
	if (s->moved)
		look_again(s);
	else
		look_in_vain(s);
	return done;
}

/* ---- starting transfers ---- */

static inline void send_start(struct shm *s, struct peer *p, struct request *r)
{
	queue_add(&p->sends, r);
	activate(s, p);
}

/* A message that fits into a cell, or into the ring at once, and before which none waits, needs no request. */
static inline bool send_at_once(struct shm *s, struct peer *p, const void *buf, size_t len)
{
	if (p->sends.first)
		return false;
	if (len <= CELL_DATA)
		return ring_put(&p->tx, CELL_INLINE, buf, (uint32_t)len);
	if (len > s->eager || len > p->tx.size.data / 4)
		return false;
	return ring_put_fragment(&p->tx, buf, (uint32_t)len, len);
}

static inline int recv_at_once(struct shm *s, struct peer *p, void *buf, size_t len)
{
	enum cell_kind kind;
	uint32_t n;
	struct request r = { .buf = buf, .room = len };
	struct cell *c;

	if (p->recvs.first || s->any.first)
		return 0;
	c = ring_peek(&p->rx, &kind, &n);
	if (!c || (kind == CELL_FRAGMENT && ring_total(c) != n))
		return 0;
	look_again(s);
	return take(s, p, c, kind, n, &r);
}

static inline void recv_start(struct shm *s, int peer, struct request *r)
{
	r->id = s->next_id++;
	if (peer == PEER_ANY) {
		queue_add(&s->any, r);
		return;
	}
	queue_add(&s->peers[peer].recvs, r);
	activate(s, &s->peers[peer]);
}

static inline void request_init(struct request *r, void *buf, size_t len)
{
	r->done = false;
	r->buf = buf;
	r->len = r->room = len;
	r->at = 0;
}

/* Requests of the round driver come from a ring of as many as can be in flight. */
static inline struct request *pooled(struct shm *s)
{
	struct request *r = s->pool;

	if (++s->pool == s->pool_mem + s->pool_size)
		s->pool = s->pool_mem;
	return r;
}

/* The bell of whoever was sent to before is looked at now if this goes to another. */
static inline void later_ring(struct shm *s, struct bell *b)
{
	if (s->ring_bell != b && s->ring_bell)
		wake(s->ring_bell);
	s->ring_bell = b;
}

static inline int post(struct endpoint *ep, const struct xfer *x)
{
	struct shm *s = shm_of(ep);
	struct peer *p = &s->peers[x->peer];
	struct request *r;
	int done;

	if (x->op == OP_SEND) {
		later_ring(s, p->bell);
		if (send_at_once(s, p, x->buf, x->len))
			return 1;
	} else {
		done = recv_at_once(s, p, x->buf, x->len);
		if (done)
			return done;
	}
	r = pooled(s);
	request_init(r, x->buf, x->len);
	if (x->op == OP_SEND)
		send_start(s, p, r);
	else
		recv_start(s, x->peer, r);
	return 0;
}

static inline void flush(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);

	if (s->ring_bell) {
		wake(s->ring_bell);
		s->ring_bell = NULL;
	}
}

static inline double ticks(struct endpoint *ep)
{
	(void)ep;
	return clock_ticks();
}

/* Pooled requests in flight may not exceed the pool: as many as the widest step has in flight, twice. */
static int arm(struct endpoint *ep, const struct round *r)
{
	struct shm *s = shm_of(ep);
	uint64_t most = 1;

	for (uint32_t i = 0; i < r->nsteps; i++) {
		uint64_t flight = 2 * (uint64_t)r->steps[i].n * r->steps[i].window;

		most = flight > most ? flight : most;
	}
	if (most <= s->pool_size)
		return ST_OK;
	if (most > UINT32_MAX)
		return error("a window of %llu messages is too wide", (unsigned long long)most / 2);
	free(s->pool_mem);
	s->pool_mem = s->pool = calloc(most, sizeof(*s->pool));
	s->pool_size = s->pool_mem ? (uint32_t)most : 0;
	return s->pool_mem ? ST_OK : error("no memory for %llu requests", (unsigned long long)most);
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	return round_drive(ep, r, (struct driver){ post, flush, poll, ticks }, seconds);
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct shm *s = shm_of(ep);
	struct peer *p = &s->peers[peer];

	request_init(r, (void *)(uintptr_t)buf, len);
	r->done = send_at_once(s, p, buf, len);
	if (r->done)
		wake(p->bell);
	else
		send_start(s, p, r);
	return ST_OK;
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	request_init(r, buf, len);
	recv_start(shm_of(ep), peer, r);
	return ST_OK;
}

static int test(struct endpoint *ep, struct request *r)
{
	(void)r;
	return progress(shm_of(ep)) < 0 ? ST_FAILED : ST_OK;
}

static int wait_for(struct endpoint *ep, struct request *r)
{
	while (!r->done)
		if (poll(ep) < 0)
			return ST_FAILED;
	return ST_OK;
}

static void compute(struct endpoint *ep, double seconds)
{
	double end = clock_ticks() + seconds / ep->tick_s;

	while (clock_ticks() < end)
		;
}

/* ---- opening ---- */

static int probe(char *why, size_t len)
{
	int fd = memfd_create("netbench", MFD_CLOEXEC);

	if (fd < 0) {
		snprintf(why, len, "memfd_create: %s", strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

static int check(int nranks)
{
	(void)nranks;
	if (opts.ring_size & (opts.ring_size - 1))
		return error_usage("value '%llu' of '--ring-size' is not a power of two",
				   (unsigned long long)opts.ring_size);
	return ST_OK;
}

static struct ring_size ring_size(void)
{
	return (struct ring_size){ .cells = (uint32_t)opts.ring_size / 256 < 16
						    ? 16
						    : (uint32_t)opts.ring_size / 256,
				   .data = (uint32_t)opts.ring_size };
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* Rank 0 makes the file, the others open it through /proc; all map it. */
static int map_shared(struct shm *s, int *fd_out)
{
	struct { pid_t pid; int fd; } mine = { getpid(), -1 };
	const struct { pid_t pid; int fd; } *all;
	char path[64];
	int fd;

	if (s->ep.job->rank == 0) {
		mine.fd = memfd_create("netbench", MFD_CLOEXEC);
		if (mine.fd < 0 || ftruncate(mine.fd, (off_t)s->map_len))
			return error("cannot make %zu bytes of shared memory: %s", s->map_len,
				     strerror(errno));
	}
	all = s->ep.job->kind->allgather(s->ep.job, &mine, sizeof(mine));
	for (int i = 0; i < s->ep.job->size; i++)
		s->peers[i].pid = all[i].pid;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", all[0].pid, all[0].fd);
	fd = s->ep.job->rank ? open(path, O_RDWR | O_CLOEXEC) : mine.fd;
	if (fd < 0)
		return error("cannot open rank 0's shared memory: %s", strerror(errno));
	s->map = mmap(NULL, s->map_len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	*fd_out = fd;
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		return error("cannot map %zu bytes of shared memory: %s", s->map_len, strerror(errno));
	}
	return ST_OK;
}

/* Can every rank read its right neighbour's memory by process_vm_readv? */
static bool probe_cma(struct shm *s)
{
	uint64_t secret = 0x6e657462656e6368U + (uint64_t)s->ep.job->rank, got = 0, at;
	struct job *job = s->ep.job;
	int right = (job->rank + 1) % job->size;
	const uint64_t *all;
	const char *ok;
	char mine;

	at = (uint64_t)(uintptr_t)&secret;
	all = job->kind->allgather(job, &at, sizeof(at));
	struct iovec here = { &got, sizeof(got) };
	struct iovec there = { (void *)(uintptr_t)all[right], sizeof(got) };

	mine = process_vm_readv(s->peers[right].pid, &here, 1, &there, 1, 0) == sizeof(got) &&
	       got == 0x6e657462656e6368U + (uint64_t)right;
	ok = job->kind->allgather(job, &mine, 1);
	for (int i = 0; i < job->size; i++)
		if (!ok[i])
			return false;
	return true;
}

static void attach(struct shm *s)
{
	int me = s->ep.job->rank, n = s->ep.job->size;
	size_t bytes = round_up(ring_bytes(ring_size()), PAGE);
	struct bell *bells = (struct bell *)s->map;
	unsigned char *rings = s->map + round_up((size_t)n * sizeof(struct bell), PAGE);

	s->bell = &bells[me];
	for (int i = 0; i < n; i++) {
		struct peer *p = &s->peers[i];

		p->bell = &bells[i];
		ring_attach(&p->tx, (struct ring *)(rings + (size_t)(me * n + i) * bytes), ring_size());
		ring_attach(&p->rx, (struct ring *)(rings + (size_t)(i * n + me) * bytes), ring_size());
	}
}

static void lay_out(struct shm *s, size_t heap)
{
	size_t n = (size_t)s->ep.job->size;
	size_t before = round_up(n * sizeof(struct bell), PAGE) +
			n * n * round_up(ring_bytes(ring_size()), PAGE);

	heap = s->copy == COPY_AUTO ? heap : 0;
	s->map_len = before + n * heap;
	s->heap_at = before + (size_t)s->ep.job->rank * heap;
	s->heap_end = s->heap_at + heap;
}

static void close_shm(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);

	if (!s)
		return;
	if (s->map)
		munmap(s->map, s->map_len);
	free(s->peers);
	free(s->active);
	free(s->pool_mem);
	free(s);
}

static int open_map(struct shm *s, size_t heap)
{
	int fd = -1, err;

	lay_out(s, heap);
	err = map_shared(s, &fd);
	if (!err)
		s->ep.job->kind->barrier(s->ep.job);
	if (fd >= 0)
		close(fd);
	if (err)
		return err;
	attach(s);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	s->cma = s->copy != COPY_RING && probe_cma(s);
	if (s->copy == COPY_CMA && !s->cma)
		return error_unavailable("process_vm_readv between ranks is not permitted here; "
					 "try '--shm-copy ring'");
	s->membarrier = !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
	return ST_OK;
}

static int open_shm(struct endpoint **ep, struct job *job, size_t heap)
{
	struct shm *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return error("no memory for backend 'shm'");
	s->ep = (struct endpoint){
		.job = job,
		.caps = CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | CAP_CONTENT,
		.limits = { SIZE_MAX, UINT32_MAX / 4, UINT64_MAX, SIZE_MAX },
		.tick_s = host_clock.tick_s,
	};
	s->peers = calloc((size_t)job->size, sizeof(struct peer));
	s->active = calloc((size_t)job->size, sizeof(struct peer *));
	s->copy = (enum copy)opts.copy;
	s->eager = opts.copy == COPY_RING ? SIZE_MAX : opts.eager;
	s->patience = patience_for(job->local_size, job->cpus);
	if (!s->peers || !s->active) {
		close_shm(&s->ep);
		return error("no memory for %d peers", job->size);
	}
	err = open_map(s, heap);
	if (err) {
		close_shm(&s->ep);
		return err;
	}
	*ep = &s->ep;
	return ST_OK;
}

/* Private memory, with its length in the page before it. */
static void *alloc_private(size_t bytes)
{
	size_t *p = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	*p = bytes + PAGE;
	return (char *)p + PAGE;
}

/* Memory that all ranks map, unless messages are to come from private memory. */
static void *alloc(struct endpoint *ep, size_t len)
{
	struct shm *s = shm_of(ep);
	size_t bytes = round_up(len ? len : 1, PAGE);

	if (s->copy != COPY_AUTO)
		return alloc_private(bytes);
	if (bytes > s->heap_end - s->heap_at)
		return NULL;
	s->heap_at += bytes;
	return s->map + s->heap_at - bytes;
}

/* Mapped memory is given back with the mapping. */
static void release(struct endpoint *ep, void *buf)
{
	size_t *p;

	if (!buf || is_mapped(shm_of(ep), buf))
		return;
	p = (size_t *)((char *)buf - PAGE);
	munmap(p, *p);
}

static void describe(struct endpoint *ep, describe_fn put, void *arg)
{
	static const char *const how[] = {
		[COPY_AUTO] = "one copy by the receiver from memory that all ranks map",
		[COPY_CMA] = "one copy by the receiver with process_vm_readv from private memory",
		[COPY_RING] = "fragments through the ring from private memory",
	};
	const struct shm *s = shm_of(ep);
	char text[64];

	put(arg, "long_messages", how[s->copy]);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)opts.ring_size);
	put(arg, "ring_B", text);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)opts.eager);
	put(arg, "eager_B", s->copy == COPY_RING ? "all" : text);
	put(arg, "process_vm_readv", s->cma ? "permitted" : "not used");
	put(arg, "waiting", s->membarrier ? "spin, yield, futex with membarrier"
					  : "spin, yield, futex for 1 ms at most");
}

const struct backend backend_shm = {
	.name = "shm",
	.summary = "shared memory between processes of one machine",
	.abi = BACKEND_ABI,
	.caps = CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | CAP_CONTENT,
	.max_ranks = 256,
	.options = options,
	.values = &opts,
	.probe = probe,
	.check = check,
	.open = open_shm,
	.close = close_shm,
	.alloc = alloc,
	.release = release,
	.arm = arm,
	.run = run,
	.isend = isend,
	.irecv = irecv,
	.test = test,
	.wait = wait_for,
	.now = ticks,
	.compute = compute,
	.describe = describe,
};
