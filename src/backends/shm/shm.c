/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `shm` carries messages between processes on one machine. All ranks map one anonymous
 * file. The file holds a ring (ring.h) for each ordered pair of ranks, a bell for each rank, and
 * the memory that hook alloc hands out.
 *
 * Short messages go through the ring. A long message is copied once, by the receiver. If all ranks
 * map the sender's buffer, the receiver copies directly from this buffer. Otherwise the receiver
 * uses process_vm_readv where the kernel permits it. If neither is possible, the message goes
 * through the ring in fragments.
 *
 * A waiting rank spins, then yields, then sleeps on its bell (a futex), because there may be more
 * ranks than cores. An option restricts the rank to one of these three ways of waiting.
 *
 * A writer checks the reader's bell with a plain load. This is safe because the sleeper calls
 * membarrier between setting the bell and its last poll.
 */
#include <linux/membarrier.h>
#include <sys/uio.h>

#include "backends/shm/open.h"
#include "transport/round.h"

/* ---- waking and waiting ---- */

/* Wakes the rank to which this bell belongs, if the rank sleeps. */
static inline void wake(struct bell *b)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&b->asleep, memory_order_relaxed), 0) &&
	    atomic_exchange(&b->asleep, 0))
		futex_wake(&b->asleep, 1);
}

/*
 * Called after a poll that moved nothing. The rank first spins. After more polls in a row that
 * moved nothing, it yields, and finally it sleeps.
 */
static void wait_longer(struct shm *s)
{
	uint64_t k = s->t.idle++;

	if (k < s->t.patience.spins) {
		if (k > 64)
			cpu_pause();
	} else if (k < s->t.patience.spins + s->t.patience.yields) {
		sched_yield();
	} else if (!atomic_load_explicit(&s->bell->asleep, memory_order_relaxed)) {
		atomic_store(&s->bell->asleep, 1);
		if (s->membarrier)
			syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
	} else {
		traffic_report_sleep(&s->t);
		futex_sleep(&s->bell->asleep, 1, s->membarrier ? 100 : 1);
	}
}

/* Called after a poll that moved something. The next wait begins with spinning again. */
static inline void reset_wait(struct shm *s)
{
	if (__builtin_expect(s->t.idle > s->t.patience.spins + s->t.patience.yields, 0))
		atomic_store_explicit(&s->bell->asleep, 0, memory_order_relaxed);
	s->t.idle = 0;
}

/* ---- sending ---- */

/*
 * Writes as much of the rest of a message as fits into the ring. Returns true if the whole message
 * is written.
 */
static bool write_message(struct shm *s, struct peer *p, struct request *r)
{
	size_t was = r->at;

	if (r->len <= CELL_DATA)
		return ring_put(&p->tx, CELL_INLINE, r->buf, (uint32_t)r->len);
	while (r->at < r->len) {
		uint32_t n = ring_fragment_len(&p->tx, r->len - r->at);

		if (!ring_put_fragment(&p->tx, (char *)r->buf + r->at, n, r->len))
			break;
		r->at += n;
	}
	s->t.moved |= r->at > was;
	return r->at == r->len;
}

/*
 * Sends the waiting messages to p in order, until the ring is full. Returns the number of completed
 * sends.
 */
static int send_waiting(struct shm *s, struct peer *p)
{
	int done = 0;

	while (p->base.sends.first) {
		struct request *r = p->base.sends.first;
		bool mapped = is_mapped(s, r->buf);
		const struct fetch f = {
			.where = (uint64_t)((uintptr_t)r->buf - (mapped ? (uintptr_t)s->map : 0)),
			.len = r->len, .mapped = mapped
		};
		/* true if the receiver will fetch the message from the sender's buffer */
		bool fetch = r->len > CELL_DATA &&
			     (mapped ? r->len > s->eager : s->cma && r->len > s->eager_cma);

		if (fetch ? !ring_put(&p->tx, CELL_FETCH, &f, sizeof(f)) : !write_message(s, p, r))
			break;
		queue_take(&p->base.sends);
		if (fetch) {
			r->id = ++p->tx.fetches;
			queue_add(&p->fetched, r);
		} else {
			pool_done(&s->t.pool, r);
			done++;
		}
		s->t.moved = true;
	}
	wake(p->bell);
	return done;
}

/* ---- receiving ---- */

static int report_too_long(const struct shm *s, uint64_t len, const struct request *r)
{
	return -error_report("rank %d received %llu bytes into a buffer of %zu", s->t.ep.job->rank,
			     (unsigned long long)len, r->room);
}

/* Copies a long message from the sender's buffer. Returns 0, or -1 after reporting a failure. */
static int fetch_message(struct shm *s, struct peer *p, const struct ring_cell *c,
			 struct request *r)
{
	struct fetch f;

	memcpy(&f, c->data, sizeof(f));
	if (f.len > r->room)
		return report_too_long(s, f.len, r);
	if (f.mapped)
		memcpy(r->buf, s->map + f.where, f.len);
	for (uint64_t at = 0; at < f.len && !f.mapped;) {
		struct iovec here = { (char *)r->buf + at, f.len - at };
		struct iovec there = { (void *)(uintptr_t)(f.where + at), f.len - at };
		ssize_t n = process_vm_readv(p->pid, &here, 1, &there, 1, 0);

		if (n <= 0)
			return -error_report("rank %d cannot read the memory of rank %d: %s",
					     s->t.ep.job->rank, p->base.rank, strerror(errno));
		at += (uint64_t)n;
	}
	r->len = f.len;
	ring_finish_fetch(&p->rx);
	wake(p->bell);
	return 0;
}

/*
 * Copies the content of a full cell into a request, and frees the cell. ring_peek must have
 * returned the cell. Returns 1 if the message is complete, 0 if more fragments follow, -1 after a
 * failure.
 */
static inline int receive_cell(struct shm *s, struct peer *p, const struct ring_cell *c,
			       enum cell_kind kind, uint32_t len, struct request *r)
{
	int done = 1;

	if (kind == CELL_INLINE) {
		if (__builtin_expect(len > r->room, 0))
			return report_too_long(s, len, r);
		copy_small(r->buf, c->data, len);
		r->len = len;
	} else if (kind == CELL_FRAGMENT) {
		struct fragment f = ring_fragment_of(c);

		if (f.total > r->room)
			return report_too_long(s, f.total, r);
		ring_get_fragment(&p->rx, (char *)r->buf + r->at, f.len);
		r->len = f.total;
		r->at += f.len;
		done = r->at == r->len;
	} else if (fetch_message(s, p, c, r)) {
		return -1;
	}
	s->t.moved = true;
	if (ring_pop(&p->rx, c))
		wake(p->bell);
	return done;
}

/*
 * Receives up to `most` messages from p. Returns the number of completed receives, or -1 after a
 * failure.
 */
static int receive_messages(struct shm *s, struct peer *p, int most)
{
	int done = 0;

	while (done < most) {
		enum cell_kind kind = CELL_INLINE;
		uint32_t len = 0;
		struct queue *q = match_queue(&s->t.match, &p->base.recvs);
		struct ring_cell *c = q ? ring_peek(&p->rx, &kind, &len) : NULL;
		struct request *r;
		int got;

		if (!c)
			return done;
		r = q->first;
		got = receive_cell(s, p, c, kind, len, r);
		if (got < 0)
			return got;
		if (!got) {		/* more fragments follow, also from p */
			match_bind(&s->t.match, &p->base.recvs);
			traffic_activate(&s->t, &p->base);
			continue;
		}
		queue_take(q);
		r->peer = p->base.rank;
		pool_done(&s->t.pool, r);
		done++;
	}
	return done;
}

/* ---- progress ---- */

static int receive_one(struct endpoint *ep, uint32_t rank)
{
	return receive_messages(shm_of(ep), &shm_of(ep)->peers[rank], 1);
}

static int progress_peer(struct traffic *t, struct partner *with)
{
	struct shm *s = (struct shm *)t;
	struct peer *p = (struct peer *)with;
	uint64_t fetched = p->fetched.first ? ring_fetched(&p->tx) : 0;
	int sent = 0, received = 0;

	for (; p->fetched.first && p->fetched.first->id <= fetched; sent++)
		pool_done(&s->t.pool, queue_take(&p->fetched));
	s->t.moved |= sent > 0;
	if (p->base.sends.first)
		sent += send_waiting(s, p);
	if (p->base.recvs.first)
		received = receive_messages(s, p, INT_MAX);
	return received < 0 ? received : sent + received;
}

static inline bool has_messages(const struct partner *p)
{
	return p->sends.first || p->recvs.first || ((const struct peer *)p)->fetched.first;
}

static int progress(struct shm *s)
{
	return traffic_progress(&s->t, progress_peer, has_messages, receive_one);
}

/* Largest number of polls in one call of poll_only_recv. */
#define TIGHT_POLLS 200

/* Returns true if this rank waits for nothing but the next message of one rank. */
static inline bool awaits_only_recv(const struct shm *s)
{
	const struct peer *p = (const struct peer *)s->t.active[0];

	return s->t.nactive == 1 && p->base.recvs.first && !p->base.sends.first &&
	       !p->fetched.first && !s->t.match.any.first;
}

/*
 * Polls for the only receive in flight. Returns 1 if the receive is complete, 0 if not, -1 after a
 * failure.
 */
static inline int poll_only_recv(struct shm *s)
{
	struct peer *p = (struct peer *)s->t.active[0];
	enum cell_kind kind = CELL_INLINE;
	struct ring_cell *c = NULL;
	uint32_t len = 0;
	int got;

	for (int i = 0; i < TIGHT_POLLS; i++) {
		c = ring_peek(&p->rx, &kind, &len);
		if (c)
			break;
		cpu_pause();
	}
	if (!c)
		return 0;
	got = receive_cell(s, p, c, kind, len, p->base.recvs.first);
	if (got <= 0)
		return got;
	p->base.recvs.first->peer = p->base.rank;
	pool_done(&s->t.pool, queue_take(&p->base.recvs));
	if (!p->base.recvs.first) {
		p->base.active = false;
		s->t.nactive = 0;
	}
	return 1;
}

static inline int poll_progress(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);
	bool tight = s->t.idle + TIGHT_POLLS <= s->t.patience.spins && awaits_only_recv(s);
	int done;

	s->t.moved = false;
	done = tight ? poll_only_recv(s) : progress(s);
	if (s->t.moved)
		reset_wait(s);
	else if (tight)
		s->t.idle += TIGHT_POLLS;
	else
		wait_longer(s);
	return done;
}

/* ---- starting transfers ---- */

static inline void queue_send(struct shm *s, struct peer *p, struct request *r)
{
	queue_add(&p->base.sends, r);
	traffic_activate(&s->t, &p->base);
}

/*
 * Sends a message without a request, but only if no earlier message waits and this message fits
 * into the ring now. Returns true if the message was sent.
 */
static inline bool try_send(struct shm *s, struct peer *p, const void *buf, size_t len)
{
	if (p->base.sends.first)
		return false;
	if (len <= CELL_DATA)
		return ring_put(&p->tx, CELL_INLINE, buf, (uint32_t)len);
	if (len > (is_mapped(s, buf) ? s->eager : s->eager_cma) || len > p->tx.size.data / 4)
		return false;
	return ring_put_fragment(&p->tx, buf, (uint32_t)len, len);
}

/*
 * Receives a message without a request, but only if no earlier receive waits and the whole message
 * is in the ring. Returns 1 if the message was received, 0 if not, -1 after a failure.
 */
static inline int try_receive(struct shm *s, struct peer *p, void *buf, size_t len)
{
	enum cell_kind kind = CELL_INLINE;
	uint32_t n = 0;
	struct request r = { .buf = buf, .room = len };
	struct ring_cell *c;

	if (p->base.recvs.first || s->t.match.any.first)
		return 0;
	c = ring_peek(&p->rx, &kind, &n);
	if (!c || (kind == CELL_FRAGMENT && ring_fragment_of(c).total != ring_fragment_of(c).len))
		return 0;
	reset_wait(s);
	return receive_cell(s, p, c, kind, n, &r);
}

static inline int post_transfer(struct endpoint *ep, const struct xfer *x)
{
	struct shm *s = shm_of(ep);
	struct peer *p = &s->peers[x->peer];
	int done;

	if (x->op == OP_SEND) {
		if (s->ring_bell != p->bell && s->ring_bell)
			wake(s->ring_bell);	/* wakes the receiver of the previous sends */
		s->ring_bell = p->bell;
		if (try_send(s, p, x->buf, x->len))
			return 1;
		queue_send(s, p, pool_take(&s->t.pool, x->buf, x->len));
		return 0;
	}
	done = try_receive(s, p, x->buf, x->len);
	if (!done)
		traffic_post_recv(&s->t, &p->base, pool_take(&s->t.pool, x->buf, x->len));
	return done;
}

/* The doorbell: wakes the receiver of the latest sends. */
static inline void flush(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);

	if (s->ring_bell) {
		wake(s->ring_bell);
		s->ring_bell = NULL;
	}
}

static int arm_round(struct endpoint *ep, const struct round *r)
{
	return pool_arm(&shm_of(ep)->t.pool, r);
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	return round_drive_host(ep, r, post_transfer, flush, poll_progress, seconds);
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct shm *s = shm_of(ep);
	struct peer *p = &s->peers[peer];

	request_init(r, (void *)(uintptr_t)buf, len);
	r->done = try_send(s, p, buf, len);
	if (r->done) {
		wake(p->bell);
	} else {
		queue_send(s, p, r);
		send_waiting(s, p);
	}
	return ST_OK;
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	struct shm *s = shm_of(ep);

	request_init(r, buf, len);
	traffic_post_recv(&s->t, peer == PEER_ANY ? NULL : &s->peers[peer].base, r);
	return ST_OK;
}

static int test_request(struct endpoint *ep, struct request *r)
{
	return progress(shm_of(ep)) < 0 ? ST_FAILED : ST_OK;
}

static int wait_for_request(struct endpoint *ep, struct request *r)
{
	return traffic_wait(ep, r, poll_progress);
}

const struct backend backend_shm = {
	.name = "shm", .summary = "shared memory between processes of one machine",
	.abi = BACKEND_ABI, .caps = SHM_CAPS, .max_ranks = 256,
	.options = shm_options, .options_size = sizeof(struct shm_opts),
	.probe = shm_probe,
	.check = shm_check,
	.open = shm_open_endpoint, .close = shm_close, .alloc = shm_alloc, .release = shm_release,
	.arm = arm_round, .run = run_round, .now = host_ticks, .compute = host_compute,
	.isend = isend, .irecv = irecv, .test = test_request, .wait = wait_for_request,
	.describe = shm_describe,
};
