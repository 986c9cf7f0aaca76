/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `tcp` uses one connection for each pair of ranks. Before each message, the sender sends
 * the message's length in 8 bytes.
 *
 * Short messages are collected until a doorbell, which sends them with one system call. Long
 * messages are not copied (choose_buffers, list_unsent). A send is done when the kernel has
 * accepted all its bytes. Only an answer shows that a message has arrived, so every pattern ends
 * with an answer.
 *
 * A waiting rank polls without a pause, then yields between polls, then sleeps in poll(2). Each
 * poll is a system call. In the middle of a long message the rank polls only every 10 us.
 *
 * In a run that continues after a loss (CAP_LOSS), connect.c makes a connection when a round first
 * needs it. connect.c closes the connection when a later round does not need it.
 */
#include <poll.h>
#include <sys/uio.h>

#include "backends/tcp/connect.h"
#include "backends/tcp/open.h"
#include "transport/round.h"

#define PIECES 128		/* number of pieces of memory that one system call sends */
#define SPINS_PER_CHECK 65536	/* number of polls between two checks of the clock */
/* bytes; if more bytes of a message are missing, they take longer than one pause to arrive */
#define MUCH_MISSING (256u << 10)
#define PAUSE_NS 10000
#define PAUSE_POLLS 16		/* number of polls that take about as long as one pause */

/* ---- a connection breaks ---- */

/*
 * Reports a broken connection. First waits 0.3 s: if the peer has died, the job reports the death
 * more clearly meanwhile. With CAP_LOSS the function does not wait, and only notes the loss.
 * Returns a negative number.
 */
static int report_lost_peer(struct tcp *t, const struct tcp_peer *p, int err)
{
	static const char format[] = "rank %d on host '%s' lost rank %d on host '%s': %s";
	const char *why = err ? strerror(err) : "it closed the connection";
	struct timespec nap = { 0, 300000000L };
	int peer = p->base.rank, me = t->t.ep.job->rank;

	if (t->mesh) {
		t->lost = true;
		error_note(format, me, t->host[me], peer, t->host[peer], why);
		return -ST_LOST;
	}
	nanosleep(&nap, NULL);
	return -error_report(format, me, t->host[me], peer, t->host[peer], why);
}

static bool is_transient(int err)
{
	return err == EAGAIN || err == EINTR;
}

/* ---- sending ---- */

/*
 * Lists the memory that is still to be sent to p, in order: the stage, then the length and content
 * of each waiting message. Returns the number of pieces. Stores their total length in *bytes.
 */
static int list_unsent(struct tcp_peer *p, struct iovec v[PIECES], size_t *bytes)
{
	int n = 0;

	*bytes = 0;
	if (p->out_at < p->out_end)
		v[n++] = (struct iovec){ p->stage_out + p->out_at, p->out_end - p->out_at };
	for (struct request *r = p->base.sends.first; r && n + 2 <= PIECES; r = r->next) {
		if (r->at < TCP_HEAD)
			v[n++] = (struct iovec){ (char *)&r->id + r->at, TCP_HEAD - r->at };
		if (r->len && r->at < TCP_HEAD + r->len) {
			size_t at = r->at > TCP_HEAD ? r->at - TCP_HEAD : 0;

			v[n++] = (struct iovec){ (char *)r->buf + at, r->len - at };
		}
	}
	for (int i = 0; i < n; i++)
		*bytes += v[i].iov_len;
	return n;
}

/*
 * Called after the kernel has accepted n more bytes for p. Returns the number of sends that these
 * complete.
 */
static int note_sent(struct tcp *t, struct tcp_peer *p, size_t n)
{
	size_t staged = p->out_end - p->out_at;
	int done = 0;

	p->out_at += (uint32_t)(n < staged ? n : staged);
	n -= n < staged ? n : staged;
	if (p->out_at == p->out_end)
		p->out_at = p->out_end = 0;
	while (p->base.sends.first && p->out_end == 0) {
		struct request *r = p->base.sends.first;
		size_t left = TCP_HEAD + r->len - r->at;

		if (n < left) {
			r->at += n;
			break;
		}
		n -= left;
		pool_done(&t->t.pool, queue_take(&p->base.sends));
		done++;
	}
	return done;
}

static inline bool has_unsent(const struct tcp_peer *p)
{
	return p->out_end || p->base.sends.first;
}

/*
 * Sends as many of p's waiting bytes as the kernel accepts. Returns the number of completed sends,
 * or a negative number after a failure.
 */
static int send_pending(struct tcp *t, struct tcp_peer *p)
{
	int done = 0;

	while (has_unsent(p)) {
		struct iovec v[PIECES];
		size_t bytes;
		ssize_t n;

		if (!p->base.sends.first) {
			bytes = p->out_end - p->out_at;
			n = send(p->out, p->stage_out + p->out_at, bytes,
				 MSG_DONTWAIT | MSG_NOSIGNAL);
		} else {
			struct msghdr m = { .msg_iov = v,
					    .msg_iovlen = (size_t)list_unsent(p, v, &bytes) };

			n = sendmsg(p->out, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return is_transient(errno) ? done : report_lost_peer(t, p, errno);
		t->t.moved = true;
		done += note_sent(t, p, (size_t)n);
		if ((size_t)n < bytes)
			break;
	}
	return done;
}

/*
 * Copies a short message into the stage, unless other messages wait or the stage lacks room.
 * Returns true if the message was copied. A copied send is complete.
 */
static inline bool try_send(struct tcp_peer *p, const void *buf, size_t len)
{
	uint64_t head = len;

	if (p->base.sends.first || len > TCP_COPY || p->out_end + TCP_HEAD + len > TCP_STAGE)
		return false;
	memcpy(p->stage_out + p->out_end, &head, TCP_HEAD);
	memcpy(p->stage_out + p->out_end + TCP_HEAD, buf, len);
	p->out_end += (uint32_t)(TCP_HEAD + len);
	return true;
}

static inline void queue_send(struct tcp *t, struct tcp_peer *p, struct request *r)
{
	r->id = r->len;
	queue_add(&p->base.sends, r);
	traffic_activate(&t->t, &p->base);
}

/* ---- receiving ---- */

/*
 * Starts the receive of a message whose length has arrived. Returns 0, or -1 if the message is too
 * long.
 */
static int begin_recv(struct tcp *t, struct tcp_peer *p, struct queue *q, uint64_t len)
{
	struct request *r = q->first;

	if (len > r->room)
		return -error_report("rank %d received %llu bytes into a buffer of %zu",
				     t->t.ep.job->rank, (unsigned long long)len, r->room);
	p->cur = queue_take(q);
	traffic_activate(&t->t, &p->base);
	r->len = len;
	r->peer = p->base.rank;
	return 0;
}

/* Completes the receive in progress. Returns 1. */
static inline int finish_recv(struct tcp *t, struct tcp_peer *p)
{
	struct request *r = p->cur;

	p->cur = NULL;
	pool_done(&t->t.pool, r);
	t->t.moved = true;
	return 1;
}

/*
 * Copies received bytes from the stage into the buffers of up to `most` receives. Returns the
 * number of completed receives, or a negative number after a failure.
 */
static int deliver_stage(struct tcp *t, struct tcp_peer *p, int most)
{
	int done = 0;

	while (done < most) {
		uint32_t have = p->in_end - p->in_at;
		struct queue *q;
		size_t n;

		if (!p->cur) {
			uint64_t len;

			if (have < TCP_HEAD || !(q = match_queue(&t->t.match, &p->base.recvs)))
				return done;
			memcpy(&len, p->stage_in + p->in_at, TCP_HEAD);
			p->in_at += TCP_HEAD;
			have -= TCP_HEAD;
			if (begin_recv(t, p, q, len))
				return -1;
		}
		n = p->cur->len - p->cur->at;
		n = n < have ? n : have;
		memcpy((char *)p->cur->buf + p->cur->at, p->stage_in + p->in_at, n);
		p->in_at += (uint32_t)n;
		p->cur->at += n;
		if (p->in_at == p->in_end)
			p->in_at = p->in_end = 0;
		if (p->cur->at < p->cur->len)
			return done;
		done += finish_recv(t, p);
	}
	return done;
}

/*
 * Chooses the buffers for the next read, and returns their number. In the middle of a long message,
 * the buffers are the message's buffer, then the stage for the next length. Before a message that
 * is probably long, they are the stage for the length, then the buffer of the receive that probably
 * matches. Otherwise only the stage is used.
 */
static int choose_buffers(struct tcp *t, struct tcp_peer *p, struct iovec v[2])
{
	struct queue *q = p->cur ? NULL : match_queue(&t->t.match, &p->base.recvs);
	size_t left = p->cur ? p->cur->len - p->cur->at : 0;

	if (left > TCP_COPY) {
		v[0] = (struct iovec){ (char *)p->cur->buf + p->cur->at, left };
		v[1] = (struct iovec){ p->stage_in, TCP_HEAD };
		return 2;
	}
	if (q && q->first->room > TCP_COPY && p->in_end == 0) {
		size_t likely = q->first->room < TCP_STAGE / 2 ? q->first->room : TCP_STAGE / 2;

		v[0] = (struct iovec){ p->stage_in, TCP_HEAD };
		v[1] = (struct iovec){ q->first->buf, likely };
		return 2;
	}
	if (p->in_at) {
		memmove(p->stage_in, p->stage_in + p->in_at, p->in_end - p->in_at);
		p->in_end -= p->in_at;
		p->in_at = 0;
	}
	v[0] = (struct iovec){ p->stage_in + p->in_end, TCP_STAGE - p->in_end };
	return 1;
}

/*
 * Called after a read of n bytes: a length into the stage, and content into the buffer of the
 * receive that probably matches. Returns 1 if that receive is complete, 0 if not, -1 after a
 * failure.
 */
static int finish_likely_recv(struct tcp *t, struct tcp_peer *p, size_t n)
{
	struct request *r = match_queue(&t->t.match, &p->base.recvs)->first;
	uint64_t len;
	size_t content;

	p->in_end = (uint32_t)(n < TCP_HEAD ? n : TCP_HEAD);
	if (n < TCP_HEAD)
		return 0;
	memcpy(&len, p->stage_in, TCP_HEAD);
	content = n - TCP_HEAD;
	p->in_end = 0;
	if (content > len) {	/* the remaining bytes belong to later messages */
		p->in_end = (uint32_t)(content - len);
		memcpy(p->stage_in, (char *)r->buf + len, p->in_end);
		content = len;
	}
	if (begin_recv(t, p, match_queue(&t->t.match, &p->base.recvs), len))
		return -1;
	p->cur->at = content;
	return content == len ? finish_recv(t, p) : 0;
}

/*
 * Reads once from the socket. Sets *more to whether the socket may hold more bytes. Returns the
 * number of completed receives, or a negative number after a failure.
 */
static int read_socket(struct tcp *t, struct tcp_peer *p, bool *more)
{
	struct iovec v[2];
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };
	int pieces = choose_buffers(t, p, v);
	size_t room = v[0].iov_len + (pieces > 1 ? v[1].iov_len : 0);
	ssize_t n = pieces == 1 ? recv(p->in, v[0].iov_base, v[0].iov_len, MSG_DONTWAIT)
				: recvmsg(p->in, &m, MSG_DONTWAIT);

	*more = n > 0 && (size_t)n == room;
	if (n == 0)
		return report_lost_peer(t, p, 0);
	if (n < 0)
		return is_transient(errno) ? 0 : report_lost_peer(t, p, errno);
	t->t.moved = true;
	if (pieces == 1) {
		p->in_end += (uint32_t)n;
		return 0;
	}
	if (!p->cur)
		return finish_likely_recv(t, p, (size_t)n);
	if ((size_t)n < v[0].iov_len) {
		p->cur->at += (size_t)n;
		return 0;
	}
	p->in_end = (uint32_t)((size_t)n - v[0].iov_len);
	return finish_recv(t, p);
}

/*
 * Receives up to `most` messages from p. Returns the number of completed receives, or a negative
 * number after a failure.
 */
static int receive_messages(struct tcp *t, struct tcp_peer *p, int most)
{
	bool more = true;
	int done = 0;

	while (done < most && (p->cur || match_queue(&t->t.match, &p->base.recvs))) {
		int n = deliver_stage(t, p, most - done);

		if (n < 0)
			return n;
		done += n;
		if (done >= most || !more || !(p->cur || match_queue(&t->t.match, &p->base.recvs)))
			break;
		n = read_socket(t, p, &more);
		if (n < 0)
			return n;
		done += n;
		if (!n && !p->in_end && !more)
			break;
	}
	return done;
}

static inline bool awaits_message(const struct tcp *t, const struct tcp_peer *p)
{
	return p->base.recvs.first || p->cur || t->t.match.any.first;
}

/* ---- progress and waiting ---- */

/*
 * Lists the sockets for which this rank waits, in the form that poll(2) needs. Returns the number
 * of sockets.
 */
static nfds_t list_awaited_sockets(struct tcp *t)
{
	bool any = t->t.match.any.first;
	uint32_t n = any ? (uint32_t)t->t.ep.job->size : t->t.nactive;
	nfds_t k = 0;

	traffic_report_sleep(&t->t);
	for (uint32_t i = 0; i < n; i++) {
		struct tcp_peer *p = any ? &t->peers[i] : active_peer(t, i);

		if (awaits_message(t, p))
			t->polled[k++] = (struct pollfd){ .fd = p->in, .events = POLLIN };
		if (has_unsent(p))
			t->polled[k++] = (struct pollfd){ .fd = p->out, .events = POLLOUT };
	}
	return k;
}

/*
 * CAP_LOSS: called after many polls that moved nothing. Treats a peer as lost if no byte has moved
 * on the peer's connection for ENDPOINT_SILENCE_S.
 */
static void check_silence(struct tcp *t)
{
	double now = clock_wall();
	uint64_t bytes;

	if (!t->t.nactive || (t->still_s > 0 && now - t->still_s < ENDPOINT_SILENCE_S))
		return;
	/*
	 * on a slow link the kernel may hold all messages; then the bytes that the kernel delivers
	 * count as progress
	 */
	bytes = tcp_bytes_exchanged(active_peer(t, 0));
	if (!(t->still_s > 0) || bytes != t->still_B) {
		t->still_s = now;
		t->still_B = bytes;
		return;
	}
	report_lost_peer(t, active_peer(t, 0), ETIMEDOUT);
	t->failed = true;
}

/*
 * Pauses for PAUSE_NS if more than MUCH_MISSING bytes of this message and the next are missing.
 * Frequent small reads do harm, because each read locks the socket and makes the kernel send an
 * acknowledgement. If the kernel paces the sender, these acknowledgements cost the sender a sixth
 * of its bandwidth.
 */
static void pause_in_message(struct tcp *t)
{
	const struct tcp_peer *p = t->t.nactive == 1 ? active_peer(t, 0) : NULL;
	const struct request *next = p ? p->base.recvs.first : NULL;
	uint64_t begun;

	if (!p || !p->cur || p->cur->len - p->cur->at + (next ? next->room : 0) <= MUCH_MISSING)
		return;
	t->t.idle += PAUSE_POLLS;
	for (begun = clock_raw_ns(); clock_raw_ns() - begun < PAUSE_NS;)
		cpu_pause();
}

/*
 * Called after a poll that moved nothing. The rank first spins. After more polls in a row that
 * moved nothing, it yields, and finally it sleeps.
 */
static void wait_longer(struct tcp *t)
{
	uint64_t k = t->t.idle++;

	if (t->mesh && (k >= t->t.patience.spins || k % SPINS_PER_CHECK == SPINS_PER_CHECK - 1))
		check_silence(t);
	if (k < t->t.patience.spins)
		pause_in_message(t);
	else if (k < t->t.patience.spins + t->t.patience.yields)
		sched_yield();
	else
		poll(t->polled, list_awaited_sockets(t), 100);
}

static int progress_peer(struct traffic *all, struct partner *with)
{
	struct tcp *t = (struct tcp *)all;
	struct tcp_peer *p = (struct tcp_peer *)with;
	int sends = has_unsent(p) ? send_pending(t, p) : 0, recvs;

	if (sends < 0)
		return sends;
	recvs = p->base.recvs.first || p->cur ? receive_messages(t, p, INT_MAX) : 0;
	return recvs < 0 ? recvs : sends + recvs;
}

static int receive_one(struct endpoint *ep, uint32_t rank)
{
	return receive_messages(tcp_of(ep), &tcp_of(ep)->peers[rank], 1);
}

static inline bool has_messages(const struct partner *with)
{
	const struct tcp_peer *p = (const struct tcp_peer *)with;

	return has_unsent(p) || with->recvs.first || p->cur;
}

static int progress(struct tcp *t)
{
	return traffic_progress(&t->t, progress_peer, has_messages, receive_one);
}

/*
 * Polls all sockets. The result includes the sends that doorbells have completed since the previous
 * poll.
 */
static inline int poll_sockets(struct endpoint *ep)
{
	struct tcp *t = tcp_of(ep);
	int done, early = t->early;

	if (t->failed)
		return -1;
	t->t.moved = false;
	done = progress(t);
	t->early = 0;
	if (t->t.moved || early) {
		t->t.idle = 0;
		t->still_s = 0;
	} else {
		wait_longer(t);
	}
	return done < 0 ? done : done + early;
}

/* ---- rounds ---- */

/*
 * Receives a message without a request. Does so only if no earlier receive waits and the whole
 * message is next in the stage. Returns 1 if the message was received, else 0.
 */
static inline int try_receive(struct tcp *t, struct tcp_peer *p, void *buf, size_t len)
{
	uint64_t n;

	if (p->in_end - p->in_at < TCP_HEAD + len || awaits_message(t, p))
		return 0;
	memcpy(&n, p->stage_in + p->in_at, TCP_HEAD);
	if (n != len)
		return 0;
	memcpy(buf, p->stage_in + p->in_at + TCP_HEAD, len);
	p->in_at += (uint32_t)(TCP_HEAD + len);
	if (p->in_at == p->in_end)
		p->in_at = p->in_end = 0;
	return 1;
}

/* The doorbell. Bytes that the kernel does not accept now are sent later by progress(). */
static inline void flush(struct endpoint *ep)
{
	struct tcp *t = tcp_of(ep);
	struct tcp_peer *p = t->flush;
	int n;

	t->flush = NULL;
	if (!p || t->failed)
		return;
	n = send_pending(t, p);
	t->failed = n < 0;
	t->early += n > 0 ? n : 0;
	if (has_unsent(p))
		traffic_activate(&t->t, &p->base);
}

static inline int post_transfer(struct endpoint *ep, const struct xfer *x)
{
	struct tcp *t = tcp_of(ep);
	struct tcp_peer *p = &t->peers[x->peer];

	if (x->op == OP_SEND) {
		if (t->flush && t->flush != p)
			flush(ep);
		t->flush = p;
		if (try_send(p, x->buf, x->len))
			return 1;
		queue_send(t, p, pool_take(&t->t.pool, x->buf, x->len));
		return 0;
	}
	if (try_receive(t, p, x->buf, x->len))
		return 1;
	traffic_post_recv(&t->t, &p->base, pool_take(&t->t.pool, x->buf, x->len));
	return 0;
}

/*
 * CAP_LOSS: discards a lost round, so that none of its messages reaches the next round. Returns
 * ST_LOST.
 */
static int discard_lost_round(struct tcp *t)
{
	tcp_disconnect(t);
	pool_free(&t->t.pool);
	t->t.match = (struct match){ .posted = 0 };
	t->t.nactive = 0;
	t->flush = NULL;
	t->early = 0;
	t->t.idle = 0;
	t->still_s = 0;
	t->failed = t->lost = false;
	return ST_LOST;
}

static int arm_round(struct endpoint *ep, const struct round *r)
{
	struct tcp *t = tcp_of(ep);
	int err = t->mesh ? tcp_connect_round(t, r) : ST_OK;

	return err == ST_LOST ? discard_lost_round(t) : err ? err : pool_arm(&t->t.pool, r);
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	int err = round_drive_host(ep, r, post_transfer, flush, poll_sockets, seconds);
	struct tcp *t = tcp_of(ep);

	/* sends the bytes left in the stages, because nothing calls progress() after a round */
	for (uint32_t i = 0; i < t->t.nactive && !err;) {
		bool staged = has_unsent(active_peer(t, i));

		i = staged ? 0 : i + 1;
		if (staged && poll_sockets(ep) < 0)
			err = ST_FAILED;
	}
	return t->lost ? discard_lost_round(t) : err;
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct tcp *t = tcp_of(ep);

	request_init(r, (void *)(uintptr_t)buf, len);
	queue_send(t, &t->peers[peer], r);
	return send_pending(t, &t->peers[peer]) < 0 ? ST_FAILED : ST_OK;
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	struct tcp *t = tcp_of(ep);

	request_init(r, buf, len);
	traffic_post_recv(&t->t, peer == PEER_ANY ? NULL : &t->peers[peer].base, r);
	return ST_OK;
}

static int test_request(struct endpoint *ep, struct request *r)
{
	return progress(tcp_of(ep)) < 0 ? ST_FAILED : ST_OK;
}

static int wait_for_request(struct endpoint *ep, struct request *r)
{
	return traffic_wait(ep, r, poll_sockets);
}

const struct backend backend_tcp = {
	.name = "tcp", .summary = "TCP, one connection per pair of ranks",
	.abi = BACKEND_ABI, .caps = TCP_CAPS, .max_ranks = 1024,
	.options = tcp_options, .options_size = sizeof(struct tcp_opts),
	.probe = tcp_probe,
	.check = tcp_check,
	.open = tcp_open_endpoint, .close = tcp_close, .alloc = host_alloc, .release = host_release,
	.arm = arm_round, .run = run_round, .now = host_ticks, .compute = host_compute,
	.isend = isend, .irecv = irecv, .test = test_request, .wait = wait_for_request,
	.describe = tcp_describe, .counters = tcp_counters,
};
