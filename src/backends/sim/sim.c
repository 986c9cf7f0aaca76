/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `sim` simulates a network in virtual time: LogGP, the RDMA form, or the channels of an
 * FPGA board. All ranks are fibers of one process. Times are in ns. rule.h describes the rule of
 * the network, and this file makes the ranks follow the rule. Sends leave in the order in which the
 * program posts them. A waiting program receives one message at a time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/acks.h"
#include "backends/sim/mail.h"
#include "backends/sim/options.h"
#include "backends/sim/uplinks.h"
#include "job/sim.h"
#include "transport/host.h"
#include "transport/round.h"

#define NS 1e-9

/*
 * Values of request.want: the owner of a request. OWN: the caller. DRIVEN: the round driver, which
 * only counts its requests; finished ones go back to the pool.
 */
enum { OWN, DRIVEN };

/*
 * A factor slightly below 1. Multiplying by it allows for rounding: equal times may differ slightly
 * if their terms are added in different orders.
 */
#define ROUNDING_MARGIN 0.999

/* number of sends after which a rank lets other ranks catch up; this bounds memory */
#define RUN_AHEAD 64
#define CAPS_BOARD (CAP_RING | CAP_WINDOW | CAP_STAMPS | CAP_VIRTUAL | CAP_CONTENT | \
		    CAP_EACH)
#define CAPS_LOGGP (CAPS_BOARD | CAP_PAIR | CAP_MSG | CAP_ANY | CAP_FLOW)
#define CAPS_RDMA (CAPS_LOGGP | CAP_ACKED | CAP_READ)

/* largest number of bytes that alloc_whole gives to all ranks together */
#define WHOLE_MOST (256U << 20)

/*
 * The first transfer of a rank's round. The exchanges of successive rounds show where a meeting of
 * two ranks ends and the next meeting begins.
 */
struct exchange {
	enum op op;
	int peer;
	size_t len;
};

/*
 * Largest number of exchanges in a meeting. In a map a meeting has three: round trips, and one
 * exchange for each direction.
 */
#define EXCHANGES 4
#define STRETCH 6		/* largest number of repetitions of an exchange, as in a map */

/* One simulated rank. */
struct node {
	struct endpoint ep;
	struct net *net;
	double *clock;
	struct request *pool;
	struct mailbox *box;		/* this rank's mailbox at rank `to` */
	int to;				/* the rank to which this rank sent its latest message */
	/* this rank's mailbox for the sender of the latest message that this rank received */
	struct mailbox *from;
	uint32_t ahead;
	/* this rank is blocked until a message or completion comes */
	bool waiting;
	struct mail mail;
	struct rank_ports sides;
	struct acks acks;
	/* messages posted to batch_peer since the latest doorbell */
	struct message_list batch;
	int batch_peer;
	/* the time at which all messages of this rank, and the answers to its reads, have left */
	double idle;
	const struct round *round;
	/* for each READ of this rank's round: the buffer that it reads */
	const void **exposed;
	/* number of EXPOSEs of the round whose readers have finished */
	uint32_t read;
	bool serving;			/* this rank is blocked until all readers have finished */
	bool whole;			/* the round's messages carry all their bytes */
	/* delay of this rank before the round's first transfer, ns */
	double held;
	/*
	 * The current moment. Its repetitions count armed rounds, which are equally many on all
	 * ranks.
	 */
	struct moment now;
	struct exchange has[EXCHANGES];	/* the exchanges of this meeting, in order */
	size_t nhas;
	/* number of this rank's meetings, including the current one */
	uint64_t meetings;
};

/* The network, which all ranks share. */
struct net {
	struct fibers *fibers;
	struct node **node;
	int open;
	struct sim_rule rule;
	struct message *spare;
	struct faults *faults;		/* NULL: none */
	double c;			/* time to add one byte of a sum, ns */
	size_t whole;			/* number of bytes that alloc_whole has given out */
	struct uplinks *uplinks;	/* links that ranks share; NULL: none */
	/* shortest time that a rank's next message takes from the rank's clock to a shared link */
	double soonest;
	struct sharing sharing;
};

/* Prefetches a message. If many ranks' messages are in flight, the next message is in no cache. */
static inline void prefetch_message(const struct message *m)
{
	__builtin_prefetch(m);
	__builtin_prefetch((const char *)m + 64);
}

static struct node *node_of(struct endpoint *ep)
{
	return (struct node *)ep;
}

static int report_no_memory(void)
{
	return error_report("no memory for simulated messages");
}

/* ---- sending ---- */

/* Returns a message without content, or NULL if there is no memory (reported). */
static struct message *new_message(struct net *net, enum message_kind kind, size_t len,
				   uint32_t lane)
{
	struct message *m = net->spare;

	if (m)
		net->spare = m->next;
	else
		m = malloc(sizeof(*m));
	prefetch_message(net->spare);
	if (!m) {
		report_no_memory();
		return NULL;
	}
	m->kind = kind;
	m->crossing = false;
	m->ack = NULL;
	m->whole = NULL;
	m->len = len;
	m->lane = net->rule.is_board ? lane % net->rule.lanes : 0;
	return m;
}

/* Sends a message that was posted at time `posted` to the peer's mailbox. */
static void send_message(struct node *n, double posted, int peer, struct mailbox *box,
			 struct message *m)
{
	struct net *net = n->net;
	struct node *to = net->node[peer];
	struct harm harm = { .factor = 1, .slowed = 1 };
	size_t bytes = m->kind == REQUEST ? 0 : m->len;

	if (net->faults)
		harm = faults_on_message(net->faults, n->ep.job->rank, peer, &n->now);
	m->flight = rule_leave(&net->rule, &n->sides, posted, m->lane, bytes, &harm);
	n->idle = rule_later(n->idle, n->sides.out_free);
	if (net->uplinks) {
		const struct crossing c = { .sender = n->ep.job->rank, .receiver = peer,
					    .message = m, .box = box,
					    .least = rule_bytes_time(&net->rule, m->len) };

		if (!uplinks_enter(net->uplinks, &c, n->sides.left, m->len, n->meetings - 1))
			fibers_exit(net->fibers, report_no_memory());
	}
	mail_add_coming(&to->mail, box, m);
	if (to->waiting && (m->kind == ANSWER || mail_is_wanted(&to->mail, box)))
		fibers_wake(net->fibers, peer, rule_later(*to->clock, m->flight.head));
}

static struct mailbox *accept_next(struct node *n);

/* Sends the answers to reads whose requests arrived before this rank's batch leaves. */
static void send_due_answers(struct node *n)
{
	struct rank_ports after = n->sides;
	struct mailbox *b;

	fibers_block(n->net->fibers, *n->clock);
	while ((b = mail_next_coming(&n->mail)) &&
	       rule_arrive(&n->net->rule, &after, b->coming.first->flight,
			   b->coming.first->kind == REQUEST ? 0 : b->coming.first->len) <=
		       *n->clock && accept_next(n))
		after = n->sides;
}

/*
 * Adds the ack of a message in the batch. `count` is the number of transfers that the ack
 * completes. Returns false if there is no memory.
 */
static bool add_ack(struct node *n, struct message *m, uint32_t count)
{
	struct ack *a = malloc(sizeof(*a));

	if (!a)
		return false;
	*a = (struct ack){ .owner = n->ep.job->rank, .peer = n->batch_peer, .count = count,
			   .head = m->flight.head };
	m->ack = a;
	acks_add_sent(&n->acks, a);
	return true;
}

/*
 * Rings the doorbell: all posted messages leave. The ack of the final message completes all of
 * them. For reads, each message has an ack of its own, which comes with the bytes that it reads.
 */
static int ring_doorbell(struct node *n, struct request *request)
{
	struct mailbox *box;
	uint32_t count = 0;

	if (!n->batch.first)
		return ST_OK;
	box = mail_find_box(&n->net->node[n->batch_peer]->mail, n->ep.job->rank);
	*n->clock = rule_ring(&n->net->rule, *n->clock);
	if (n->round && n->exposed)
		send_due_answers(n);
	for (struct message *next, *m = n->batch.first; m; m = next) {
		next = m->next;
		count++;
		send_message(n, *n->clock, n->batch_peer, box, m);
		if ((!next || m->kind == REQUEST) && !add_ack(n, m, next ? 0 : count))
			return report_no_memory();
		if (!next)
			m->ack->request = request;
	}
	n->batch.first = NULL;
	if ((n->ahead += count) >= RUN_AHEAD) {
		n->ahead = 0;
		fibers_block(n->net->fibers, *n->clock);
	}
	return ST_OK;
}

/*
 * Adds a message of the RDMA form to the batch. If the current batch goes to another rank, first
 * rings the doorbell of that batch. Returns ST_OK or ST_FAILED.
 */
static int add_to_batch(struct node *n, int peer, struct message *m)
{
	int err = n->batch.first && n->batch_peer != peer ? ring_doorbell(n, NULL) : ST_OK;

	n->batch_peer = peer;
	*n->clock = rule_post(&n->net->rule, *n->clock);
	messages_add(&n->batch, m);
	return err;
}

static int post_send(struct node *n, int peer, uint32_t lane, const void *buf, size_t len)
{
	struct net *net = n->net;
	int me = n->ep.job->rank, size = n->ep.job->size;
	struct message *m;

	if (n->to != peer || !n->box) {
		n->box = mail_find_box(&net->node[peer]->mail, me);
		n->to = peer;
	}
	if (!n->box)
		return report_no_memory();
	if (net->rule.is_board && (peer + 1) % size != me && (me + 1) % size != peer)
		return error_report("board '%s' has no channel from rank %d to rank %d",
				    net->rule.board.name, me, peer);
	m = new_message(net, MESSAGE, len, lane);
	if (!m)
		return ST_FAILED;
	if (n->whole && len > MAIL_CONTENT && !(m->whole = malloc(len)))
		return report_no_memory();
	memcpy(m->whole ? m->whole : m->content, buf,
	       m->whole || len < MAIL_CONTENT ? len : MAIL_CONTENT);
	if (net->rule.is_rdma)
		return add_to_batch(n, peer, m);
	*n->clock = rule_post(&net->rule, *n->clock);
	send_message(n, *n->clock, peer, n->box, m);
	if (++n->ahead % RUN_AHEAD == 0)
		fibers_block(net->fibers, *n->clock);
	return ST_OK;
}

/* ---- receiving ---- */

static int post_recv(struct node *n, int peer, void *buf, size_t len, struct request *r)
{
	struct mailbox *box = n->from;

	if (!box || box->src != peer)
		n->from = box = peer == PEER_ANY ? NULL : mail_find_box(&n->mail, peer);
	if (!box && peer != PEER_ANY)
		return report_no_memory();
	request_init(r, buf, len);
	mail_post_recv(&n->mail, box, r);
	return ST_OK;
}

/* Returns true if no message sent from now on can reach this rank before time `when`. */
static bool is_time_certain(const struct node *n, double when)
{
	double others;

	if (mail_is_next_certain(&n->mail))
		return true;
	others = fibers_next(n->net->fibers);
	return when <= others || when < rule_earliest_arrival(&n->net->rule, others);
}

/* Makes a completion visible to its owner, which may be waiting for it. */
static void make_completion_visible(struct net *net, struct ack *a, double when)
{
	struct node *owner = net->node[a->owner];

	a->visible = when;
	if (a->count)
		acks_add_visible(&owner->acks, a);
	else
		free(a);
	if (owner->waiting)
		fibers_wake(net->fibers, owner->ep.job->rank, rule_later(*owner->clock, when));
}

/*
 * Lets messages pass shared links in the order in which they reach the links. Stops at the time
 * from which a rank could still send an earlier message. This rank itself sends nothing before the
 * first coming head reaches it. Returns the mailbox of the first coming message, or NULL if that
 * message has not passed its links yet.
 */
static struct mailbox *serve_links(struct node *n)
{
	struct net *net = n->net;
	const struct crossing *passed;
	struct mailbox *box = mail_next_coming(&n->mail);

	while (box->coming.first->crossing) {
		double now = fmin(fibers_next(net->fibers), box->coming.first->flight.head);

		passed = uplinks_serve(net->uplinks, now, now + net->soonest);
		if (!passed)
			return NULL;
		for (; passed; passed = uplinks_serve(net->uplinks, now, now + net->soonest)) {
			struct message *m = passed->message;
			struct node *sender = net->node[passed->sender];

			/* the order of messages and acks, after a shared link has delayed one */
			if (m->ack)
				acks_delay(&sender->acks, m->ack, m->flight.head);
			if (passed->box->coming.first == m)
				mail_delay(&net->node[passed->receiver]->mail, passed->box);
		}
		box = mail_next_coming(&n->mail);
	}
	return box;
}

/* Sends the answer to a read whose request arrived at time `there`. */
static void send_answer(struct node *n, struct message *m, double there)
{
	struct node *reader = n->net->node[m->ack->owner];

	m->kind = ANSWER;
	send_message(n, there, m->ack->owner, mail_find_box(&reader->mail, n->ep.job->rank), m);
	reader->idle = rule_later(reader->idle, n->sides.out_free);
}

/*
 * Lets the input port accept the next coming message, unless a message that is still to be sent
 * could arrive before it. Returns the mailbox of the accepted message, or NULL if none was
 * accepted.
 */
static struct mailbox *accept_next(struct node *n)
{
	struct mailbox *box = mail_next_coming(&n->mail);
	struct net *net = n->net;
	struct message *m;
	double there;

	if (box && box->coming.first->crossing)
		box = serve_links(n);
	if (!box || !is_time_certain(n, box->coming.first->flight.head))
		return NULL;
	m = mail_remove_coming(&n->mail);
	if (box->coming.first)
		prefetch_message(box->coming.first);
	there = rule_arrive(&net->rule, &n->sides, m->flight, m->kind == REQUEST ? 0 : m->len);
	if (m->ack && m->kind != ANSWER)
		acks_remove_sent(&net->node[m->ack->owner]->acks, m->ack);
	if (m->kind == REQUEST) {
		send_answer(n, m, there);
	} else if (m->kind == ANSWER) {
		memcpy(m->read.to, m->read.from, m->len < MAIL_CONTENT ? m->len : MAIL_CONTENT);
		make_completion_visible(net, m->ack, there);
		m->next = net->spare;
		net->spare = m;
	} else {
		if (m->ack)
			make_completion_visible(net, m->ack,
						rule_completion_visible(&net->rule, there));
		m->flight.last = there;
		mail_add_here(&n->mail, box, m);
	}
	return box;
}

/*
 * Receives the first message of mailbox b that has arrived. Returns the number of completions, or a
 * negative number after a failure.
 */
static int complete_recv(struct node *n, struct mailbox *b)
{
	struct request *r;
	struct message *m = mail_receive(&n->mail, b, &r);

	if (m->len > r->room)
		return -error_report("rank %d received %zu bytes into a buffer of %zu",
				     n->ep.job->rank, m->len, r->room);
	*n->clock = rule_receive(&n->net->rule, &n->sides, *n->clock, m->flight.last, m->lane,
				 m->len);
	memcpy(r->buf, m->whole ? m->whole : m->content,
	       m->whole || m->len < MAIL_CONTENT ? m->len : MAIL_CONTENT);
	free(m->whole);
	r->len = m->len;
	r->peer = b->src;
	r->done = true;
	m->next = n->net->spare;
	n->net->spare = m;
	if (r->want == DRIVEN) {
		r->next = n->pool;
		n->pool = r;
	}
	return 1;
}

/*
 * Takes the first visible completion. Returns the number of transfers that the completion
 * completes.
 */
static int complete_sends(struct node *n)
{
	struct ack *a = n->acks.visible;
	int count = (int)a->count;

	n->acks.visible = a->next;
	*n->clock = rule_take_completion(&n->net->rule, *n->clock, a->visible);
	if (a->request)
		a->request->done = true;
	free(a);
	return count;
}

/*
 * Blocks until time `when`, or until an earlier message or completion comes. Returns the time at
 * which this rank continues; other ranks do nothing at earlier times any more.
 */
static double block_until(struct node *n, double when)
{
	n->waiting = true;
	when = fibers_block(n->net->fibers, rule_later(*n->clock, when));
	n->waiting = false;
	return when;
}

/*
 * Waits until the next posted receive completes. Returns the number of completions, or a negative
 * number after a failure.
 */
static int wait_for_recv(struct node *n)
{
	struct mailbox *b = mail_wanted_here(&n->mail);

	while (!b) {
		b = accept_next(n);
		if (!b) {
			b = mail_wanted_coming(&n->mail);
			block_until(n, b ? b->coming.first->flight.head : FIBERS_NEVER);
			/*
			 * while this rank was blocked, a sender may have caused the message to
			 * arrive
			 */
			b = mail_wanted_here(&n->mail);
		} else if (!mail_is_wanted(&n->mail, b)) {
			b = NULL;
		}
	}
	return complete_recv(n, b);
}

/*
 * A rank's next events. completion: the time of the earliest visible completion. message: the
 * mailbox with the earliest wanted message that has arrived. ready: the time from which the rank
 * can take the earlier of these two. head: the earliest arrival of a head in flight, which may
 * cause an event before `ready`.
 */
struct next_events {
	struct mailbox *message;
	double completion, ready, head;
	struct node *where;		/* the rank at which the head in flight arrives */
};

static struct next_events find_next_events(struct node *n)
{
	struct mailbox *next = mail_next_coming(&n->mail);
	const struct ack *sent = n->acks.sent;
	struct next_events o = { .message = mail_wanted_here(&n->mail), .completion = FIBERS_NEVER,
			     .head = FIBERS_NEVER, .where = n };

	if (n->acks.visible)
		o.completion = n->acks.visible->visible;
	o.ready = o.message ? fmin(o.completion, o.message->here.first->flight.last) : o.completion;
	o.ready = rule_later(o.ready, *n->clock);
	if (next)
		o.head = next->coming.first->flight.head;
	if (sent && sent->head < o.head) {
		o.head = sent->head;
		o.where = n->net->node[sent->peer];
	}
	return o;
}

/*
 * Waits for the next completion of a receive or of sends. Returns the number of completions, or a
 * negative number after a failure.
 */
static int progress(struct node *n)
{
	while (n->acks.sent || n->acks.visible || (n->exposed && mail_next_coming(&n->mail))) {
		struct next_events o = find_next_events(n);

		if (o.ready <= o.head && o.ready < FIBERS_NEVER && is_time_certain(n, o.ready))
			return o.completion <= o.ready ? complete_sends(n)
						       : complete_recv(n, o.message);
		if (!(o.head < FIBERS_NEVER && accept_next(o.where)))
			block_until(n, fmin(o.ready, o.head));
	}
	return wait_for_recv(n);
}

/* ---- rounds ---- */

/*
 * Finds the buffer that each READ of a round reads. The k-th READ from a rank reads the buffer of
 * that rank's k-th EXPOSE for this rank. Returns ST_OK or ST_FAILED.
 */
static int find_exposed_buffers(struct node *n, const struct round *r)
{
	int me = n->ep.job->rank, peer = -1;
	uint32_t at = 0;

	free(n->exposed);
	n->exposed = calloc((size_t)r->nxfers + 1, sizeof(*n->exposed));
	for (uint32_t i = 0; i < r->nxfers && n->exposed; i++) {
		const struct xfer *x = &r->xfers[i];
		const struct round *there;

		if (x->op != OP_READ)
			continue;
		there = n->net->node[x->peer]->round;
		at = x->peer == peer ? at + 1 : 0;
		peer = x->peer;
		while (at < there->nxfers && (there->xfers[at].op != OP_EXPOSE ||
					      there->xfers[at].peer != me))
			at++;
		if (at == there->nxfers)
			return error_report("rank %d reads a buffer that rank %d does not expose",
					    me, peer);
		n->exposed[i] = there->xfers[at].buf;
	}
	return n->exposed ? ST_OK : report_no_memory();
}

static int post_read(struct node *n, const struct xfer *x)
{
	struct message *m = new_message(n->net, REQUEST, x->len, 0);

	if (!m)
		return ST_FAILED;
	m->read.from = n->exposed[x - n->round->xfers];
	m->read.to = x->buf;
	if (!mail_find_box(&n->net->node[x->peer]->mail, n->ep.job->rank) ||
	    !mail_find_box(&n->mail, x->peer))
		return report_no_memory();
	return add_to_batch(n, x->peer, m);
}

/* Delays this rank by n->held. Only the first call in a round has an effect. */
static void apply_delay(struct node *n)
{
	*n->clock += n->held;
	n->held = 0;
}

static void add_summing_time(struct endpoint *ep, size_t len)
{
	*node_of(ep)->clock += node_of(ep)->net->c * (double)len;
}

static int post_transfer(struct endpoint *ep, const struct xfer *x)
{
	struct node *n = node_of(ep);
	struct request *r;

	apply_delay(n);
	if (x->op == OP_EXPOSE)
		return 1;
	if (x->op == OP_READ)
		return post_read(n, x) ? -1 : 0;
	if (x->op == OP_SEND)
		return post_send(n, x->peer, x->lane, x->buf, x->len) ? -1 : !n->net->rule.is_rdma;
	r = n->pool;
	if (r)
		n->pool = r->next;
	else
		r = malloc(sizeof(*r));
	if (!r)
		return -report_no_memory();
	r->want = DRIVEN;
	if (!post_recv(n, x->peer, x->buf, x->len, r))
		return 0;
	free(r);
	return -1;
}

static void flush(struct endpoint *ep)
{
	struct node *n = node_of(ep);

	if (n->batch.first && ring_doorbell(n, NULL))
		fibers_exit(n->net->fibers, ST_FAILED);
}

static int poll_progress(struct endpoint *ep)
{
	return progress(node_of(ep));
}

static double ticks(struct endpoint *ep)
{
	return *node_of(ep)->clock;
}

static bool is_same_exchange(const struct exchange *a, const struct exchange *b)
{
	return a->op == b->op && a->peer == b->peer && a->len == b->len;
}

/*
 * Counts a round, and decides whether a new stretch or meeting begins. A new meeting begins when
 * the peer changes. It also begins when an earlier exchange of the meeting comes again, or when an
 * exchange is repeated more than STRETCH times in a row. In both cases a benchmark has started
 * again.
 */
static void update_moment(struct node *n, const struct round *r)
{
	struct exchange x = { .op = OP_SEND, .peer = -1 };
	bool again = n->nhas == EXCHANGES;

	n->now.repetition++;
	if (r->nxfers)
		x = (struct exchange){ r->xfers[0].op, r->xfers[0].peer, r->xfers[0].len };
	if (n->nhas && is_same_exchange(&n->has[n->nhas - 1], &x) &&
	    n->now.repetition - n->now.stretch < STRETCH)
		return;
	for (size_t i = 0; i < n->nhas; i++)
		again |= n->has[i].peer != x.peer || is_same_exchange(&n->has[i], &x);
	n->nhas = again ? 0 : n->nhas;
	n->has[n->nhas++] = x;
	n->now.stretch = n->now.repetition;
	if (n->nhas > 1)
		return;
	n->now.meeting = n->now.repetition;
	n->meetings++;
}

/*
 * Prepares a round. The network is idle before every round and every farm, so this rank's clock
 * moves on to the time from which its ports are free. The barrier that follows sets the clocks of
 * all ranks to the latest clock.
 */
static int arm_round(struct endpoint *ep, const struct round *r)
{
	struct node *n = node_of(ep);
	struct mailbox *from;
	bool reads = false;

	update_moment(n, r);
	*n->clock = rule_later(*n->clock, rule_later(n->idle, n->sides.in_free));
	n->round = r;
	n->whole = r->block.on && !r->block.hollow;
	n->held = n->net->faults ? faults_start_delay(n->net->faults, n->ep.job->rank) : 0;
	mail_expect_any(&n->mail);
	free(n->exposed);
	n->exposed = NULL;
	n->read = 0;
	for (uint32_t i = 0; i < r->nxfers; i++)
		reads |= r->xfers[i].op == OP_READ || r->xfers[i].op == OP_EXPOSE;
	for (uint32_t i = 0; i < r->nxfers && !reads; i++) {
		if (r->xfers[i].op != OP_RECV)
			continue;
		from = mail_find_box(&n->mail, r->xfers[i].peer);
		if (!from)
			return report_no_memory();
		mail_expect_from(&n->mail, from);
	}
	return ST_OK;
}

/*
 * Tells other ranks that this rank has finished its reads. If this rank exposes buffers, waits
 * until all their readers have finished.
 */
static void finish_reads(struct node *n, const struct round *r)
{
	struct fibers *fibers = n->net->fibers;
	uint32_t exposed = 0;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		struct node *peer = n->net->node[r->xfers[i].peer];

		exposed += r->xfers[i].op == OP_EXPOSE;
		if (r->xfers[i].op != OP_READ)
			continue;
		peer->read++;
		if (peer->serving)
			fibers_wake(fibers, r->xfers[i].peer, rule_later(*peer->clock, *n->clock));
	}
	n->serving = true;
	while (n->read < exposed)
		fibers_block(fibers, FIBERS_NEVER);
	n->serving = false;
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post_transfer, .flush = flush, .poll = poll_progress,
				  .ticks = ticks, .added = add_summing_time };
	bool reads = false;
	int err;

	for (uint32_t i = 0; i < r->nxfers; i++)
		reads |= r->xfers[i].op == OP_READ;
	if (reads && find_exposed_buffers(node_of(ep), r))
		return ST_FAILED;
	err = round_drive(ep, r, d, seconds);
	if (node_of(ep)->net->rule.is_rdma)
		finish_reads(node_of(ep), r);
	return err;
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct node *n = node_of(ep);
	int err;

	apply_delay(n);
	err = post_send(n, peer, 0, buf, len);
	r->want = OWN;
	r->done = !n->net->rule.is_rdma;
	return err ? err : ring_doorbell(n, r);
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	r->want = OWN;
	apply_delay(node_of(ep));
	return post_recv(node_of(ep), peer, buf, len, r);
}

static int test_request(struct endpoint *ep, struct request *r)
{
	struct node *n = node_of(ep);
	struct next_events o;

	if (r->done)
		return ST_OK;
	fibers_block(n->net->fibers, *n->clock);
	do
		o = find_next_events(n);
	while (o.head <= *n->clock && accept_next(o.where));
	if (o.completion <= *n->clock)
		return complete_sends(n) < 0;
	if (o.message && o.message->here.first->flight.last <= *n->clock)
		return complete_recv(n, o.message) < 0 ? ST_FAILED : ST_OK;
	/* if a call took no virtual time, a loop around test would never end */
	*n->clock += rule_later(n->net->rule.p.o_r, 1);
	return ST_OK;
}

static int wait_for_request(struct endpoint *ep, struct request *r)
{
	while (!r->done)
		if (progress(node_of(ep)) < 0)
			return ST_FAILED;
	return ST_OK;
}

/*
 * Takes completions and messages until r is done or the clock reaches `until`. Returns ST_OK or
 * ST_FAILED.
 */
static int wait_until(struct endpoint *ep, struct request *r, double until)
{
	struct node *n = node_of(ep);

	while (!r->done && *n->clock < until) {
		struct next_events o = find_next_events(n);
		double next = fmin(o.ready, o.head);

		if (o.ready <= fmin(o.head, until) && is_time_certain(n, o.ready)) {
			bool batch = o.completion <= o.ready;

			if ((batch ? complete_sends(n) : complete_recv(n, o.message)) < 0)
				return ST_FAILED;
		} else if (!(o.head <= until && accept_next(o.where)) &&
			   block_until(n, fmin(next, until)) >= until) {
			o = find_next_events(n);
			if (fmin(o.ready, o.head) > until)
				*n->clock = until;
		}
	}
	return ST_OK;
}

static void compute(struct endpoint *ep, double seconds)
{
	*node_of(ep)->clock += seconds / NS;
}

/* ---- opening ---- */

/*
 * Sets the rule of the network that `of` describes, and creates the links that its ranks share.
 * Returns false if there is no memory.
 */
static bool set_network(struct net *net, const struct sim_network *of, uint64_t seed, int nranks)
{
	struct sim_rule *r = &net->rule;

	r->is_board = of->is_board;
	r->board = of->board;
	r->varies = net->faults;
	r->lanes = of->board.R < RULE_LANES ? (uint32_t)of->board.R : RULE_LANES;
	if (of->is_rdma)
		rule_set_rdma(r, &of->rdma);
	else if (!of->is_board)
		r->p = (struct loggp){ of->p.L / NS, of->p.o_s / NS, of->p.o_r / NS,
				       of->p.g / NS, of->p.G / NS };
	net->c = of->c / NS;
	net->sharing = of->sharing;
	if (!of->sharing.leaf && !(of->sharing.link > 0))
		return true;
	net->uplinks = uplinks_new(&of->sharing, seed, nranks, r->p.G, r->p.L);
	if (net->uplinks)
		net->soonest = ROUNDING_MARGIN * (rule_earliest_departure(r, 0) +
						  uplinks_first_leg(net->uplinks));
	return net->uplinks;
}

static struct net *net_open(struct job *job, const struct sim_opts *o)
{
	struct net *net = calloc(1, sizeof(*net));
	struct sim_network of;

	if (!net)
		return NULL;
	net->node = calloc((size_t)job->size, sizeof(struct node *));
	net->fibers = job_sim_fibers(job);
	if (net->node && !sim_read_network(o, &of) &&
	    !faults_read(&o->faults, o->seed, job->size, &net->faults) &&
	    set_network(net, &of, o->seed, job->size))
		return net;
	faults_free(net->faults);
	free(net->node);
	free(net);
	return NULL;
}

static unsigned network_caps(const struct net *net)
{
	return net->rule.is_board ? CAPS_BOARD : !net->rule.is_rdma ? CAPS_LOGGP
	       : net->uplinks ? CAPS_RDMA & ~(unsigned)CAP_READ : CAPS_RDMA;
}

static int open_node(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct net **shared = (struct net **)job_sim_shared(job), *net;
	struct node *n = calloc(1, sizeof(*n));

	if (!*shared || (*shared)->node[job->rank])	/* opens a new network for each session */
		*shared = net_open(job, options);
	net = *shared;
	if (!net || !n) {
		free(n);
		return error_report("no memory for simulated rank %d", job->rank);
	}
	n->net = net;
	n->clock = fibers_clock(net->fibers, job->rank);
	n->ep = (struct endpoint){ .job = job,
				   .caps = network_caps(net),
				   .limits = { SIZE_MAX, UINT32_MAX, UINT64_MAX, MAIL_CONTENT },
				   .tick_s = NS,
				   .whole_len = WHOLE_MOST / (size_t)job->size };
	net->node[job->rank] = n;
	net->open++;
	*ep = &n->ep;
	job->kind->barrier(job);	/* after this, every rank can receive */
	return ST_OK;
}

/* Frees a request if the round driver owns it. Other requests belong to the caller. */
static void request_free(struct request *r)
{
	if (r->want == DRIVEN)
		free(r);
}

static void message_free(struct message *m)
{
	free(m->whole);
	free(m);
}

static void net_close(struct net *net, struct job *job)
{
	struct net **shared = (struct net **)job_sim_shared(job);

	if (*shared == net)
		*shared = NULL;
	for (struct message *next, *m = net->spare; m; m = next) {
		next = m->next;
		free(m);
	}
	faults_free(net->faults);
	uplinks_free(net->uplinks);
	free(net->node);
	free(net);
}

static void close_node(struct endpoint *ep)
{
	struct node *n = node_of(ep);

	if (!n)
		return;
	mail_free(&n->mail, message_free, request_free);
	messages_free(&n->batch, message_free);
	acks_free(&n->acks);
	free(n->exposed);
	for (struct request *next, *r = n->pool; r; r = next) {
		next = r->next;
		free(r);
	}
	if (!--n->net->open)
		net_close(n->net, ep->job);
	free(n);
}

static void *alloc(struct endpoint *ep, size_t len)
{
	void *buf = aligned_alloc(64, MAIL_CONTENT);

	return buf ? memset(buf, 0, MAIL_CONTENT) : NULL;
}

/*
 * Returns memory for whole messages. Returns NULL if all ranks, which share one process, would
 * together have more than WHOLE_MOST bytes.
 */
static void *alloc_whole(struct endpoint *ep, size_t len)
{
	struct net *net = node_of(ep)->net;
	void *buf = NULL;

	if (len <= WHOLE_MOST - net->whole)
		buf = aligned_alloc(64, (len + 64) / 64 * 64);
	if (!buf)
		return NULL;
	net->whole += len;
	return memset(buf, 0, len);
}

/*
 * Stores the parameters of the RDMA form in *found, in s. For a LogGP network, all of them are
 * undetermined (NaN).
 */
static int get_rdma(struct endpoint *ep, struct rdma *found)
{
	const struct sim_rule *r = &node_of(ep)->net->rule;

	found->serial = r->rdma.serial;
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		found->parameter[i] = r->is_rdma ? r->rdma.parameter[i] * NS : NAN;
	return ST_OK;
}

/* Writes the parameters that are not 0 to text, such as "RDMA form o_wqe=20ns o_db=65ns". */
static void describe_rdma_form(const struct rdma *p, char *text, size_t len)
{
	size_t n = (size_t)snprintf(text, len, "RDMA form%s", p->serial ? ", serial" : "");

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		if (p->parameter[i] > 0 && n < len)
			n += (size_t)snprintf(text + n, len - n, " %s=%.10gns", rdma_names[i],
					      p->parameter[i]);
}

static void describe(struct endpoint *ep, struct facts *f)
{
	const struct net *net = node_of(ep)->net;
	const struct board *b = &net->rule.board;
	const struct loggp *p = &net->rule.p;
	char text[512];
	size_t n;

	if (net->rule.is_board)
		snprintf(text, sizeof(text), "board %s%s: %s", b->name,
			 b->serial ? " (serial)" : "", b->summary);
	else if (net->rule.is_rdma)
		describe_rdma_form(&net->rule.rdma, text, sizeof(text));
	else
		snprintf(text, sizeof(text),
			 "LogGP L=%.10gns o_s=%.10gns o_r=%.10gns g=%.10gns G=%.10gns%s",
			 p->L, p->o_s, p->o_r, p->g, p->G, net->faults ? ", with faults" : "");
	n = strlen(text);
	if (net->uplinks)
		sharing_describe(&net->sharing, ep->job->size, text + n, sizeof(text) - n);
	fact_text(f, "method", text);
	fact_text(f, "time", "virtual");
	if (!net->rule.is_board)
		fact_int(f, "sim_definition", RULE_DEFINITION);
	if (net->c > 0)
		fact_real(f, "c_s_per_B", net->c * NS);
	snprintf(text, sizeof(text), "the first %d bytes of a message; all bytes in a collective "
		 "operation", MAIL_CONTENT);
	fact_text(f, "content", text);
}

const struct backend backend_sim = {
	.name = "sim",
	.summary = "a simulated network in virtual time: LogGP, RDMA, or an FPGA board's channels",
	.abi = BACKEND_ABI, .caps = CAPS_RDMA, .job = &job_sim, .max_ranks = JOB_SIM_RANKS,
	.options = sim_options, .options_size = sizeof(struct sim_opts),
	.check = sim_check,
	.network = sim_network, .network_rdma = sim_network_rdma, .rdma = get_rdma,
	.open = open_node, .close = close_node, .alloc = alloc, .release = host_release,
	.alloc_whole = alloc_whole,
	.arm = arm_round, .run = run_round, .now = ticks, .compute = compute, .describe = describe,
	.isend = isend, .irecv = irecv, .test = test_request, .wait = wait_for_request,
	.wait_until = wait_until,
};
