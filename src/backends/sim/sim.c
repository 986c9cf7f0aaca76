/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `sim`: a network in virtual time, LogGP or the channels of an FPGA board. All ranks are
 * fibers of one process; times are nanoseconds. rule.h has the rule, here ranks follow it:
 * sends leave in the order of the program, and a program that waits takes one message at a time.
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

/* request.want; the round driver only counts DRIVEN ones, which go back to the pool. */
enum { OWN, DRIVEN };

/* Sums in another order are rounded otherwise. */
#define SURELY 0.999

#define RUN_AHEAD 64		/* sends after which other ranks catch up, to bound memory */
#define CAPS_BOARD (CAP_RING | CAP_WINDOW | CAP_STAMPS | CAP_VIRTUAL | CAP_CONTENT | \
		    CAP_EACH)
#define CAPS_LOGGP (CAPS_BOARD | CAP_PAIR | CAP_MSG | CAP_ANY | CAP_FLOW)
#define CAPS_RDMA (CAPS_LOGGP | CAP_ACKED | CAP_READ)

/* The first transfer of a rank's round; it tells one meeting of two ranks from the next. */
struct exchange {
	enum op op;
	int peer;
	size_t len;
};

#define EXCHANGES 4		/* of a meeting: map has three, round trips and two directions */
#define STRETCH 6		/* repetitions of an exchange, as map has them */

/* One rank. */
struct node {
	struct endpoint ep;
	struct net *net;
	double *clock;
	struct request *pool;
	uint32_t ahead;
	bool waiting;			/* blocked for a message */
	struct mail mail;
	struct rank_sides sides;
	struct acks acks;
	struct letters batch;		/* posted since the last doorbell, to one rank */
	int batch_peer;
	double idle;			/* when its messages and their answers have left */
	const struct round *round;
	const void **exposed;		/* what each READ of the round reads; on readers */
	uint32_t read;			/* EXPOSEs of the round whose readers have ended theirs */
	bool serving;			/* blocked until all have */
	struct moment now;		/* by repetitions that were armed, as on all ranks */
	struct exchange has[EXCHANGES];	/* of this meeting, the last one last */
	size_t nhas;
	uint64_t meetings;		/* this rank's, this one included */
};

/* What the ranks share. */
struct net {
	struct fibers *fibers;
	struct node **node;
	int open;
	struct sim_rule rule;
	struct message *spare;
	struct faults *faults;		/* NULL: none */
	struct uplinks *uplinks;	/* that ranks share; NULL: none */
	double soonest;			/* from a rank's time to its next message before a link */
	struct sharing sharing;
};

static struct node *node_of(struct endpoint *ep)
{
	return (struct node *)ep;
}

static int no_memory(void)
{
	return error_report("no memory for simulated messages");
}

/* If nothing has arrived, looking takes this time, so that a loop around test ends. */
static double look_ns(const struct node *n)
{
	return fmax(n->net->rule.p.o_r, 1);
}

/* ---- sending ---- */

/* A message without content; NULL without memory (reported). */
static struct message *new_message(struct net *net, enum message_kind kind, size_t len,
				   uint32_t lane)
{
	struct message *m = net->spare;

	if (m)
		net->spare = m->next;
	else
		m = malloc(sizeof(*m));
	if (!m) {
		no_memory();
		return NULL;
	}
	m->kind = kind;
	m->crossing = false;
	m->ack = NULL;
	m->len = len;
	m->lane = net->rule.is_board ? lane % net->rule.lanes : 0;
	return m;
}

/* The message is on its way to the box, through links that ranks share. */
static void enter_links(struct node *n, int peer, struct mailbox *box, struct message *m)
{
	const struct crossing c = { .sender = n->ep.job->rank, .receiver = peer, .message = m,
				    .box = box,
				    .least = rule_bytes(&n->net->rule, m->len) };

	if (!uplinks_enter(n->net->uplinks, &c, n->sides.left, m->len, n->meetings - 1))
		fibers_exit(n->net->fibers, no_memory());
}

/* The message leaves a rank that has posted it, and is on its way to the box. */
static void leave(struct node *n, double posted, int peer, struct mailbox *box, struct message *m)
{
	struct net *net = n->net;
	struct node *to = net->node[peer];
	struct harm harm = { .factor = 1, .slowed = 1 };
	size_t bytes = m->kind == REQUEST ? 0 : m->len;

	if (net->faults)
		harm = faults_harm(net->faults, n->ep.job->rank, peer, &n->now);
	m->flight = rule_leave(&net->rule, &n->sides, posted, m->lane, bytes, &harm);
	n->idle = fmax(n->idle, n->sides.out_free);
	if (net->uplinks)
		enter_links(n, peer, box, m);
	mail_send(&to->mail, box, m);
	if (to->waiting && (m->kind == ANSWER || mail_is_wanted(&to->mail, box)))
		fibers_wake(net->fibers, peer, fmax(*to->clock, m->flight.head));
}

static struct mailbox *take_in(struct node *n);

/* Answers to reads that are here before a batch leave before it. */
static void let_answers_leave(struct node *n)
{
	struct rank_sides after = n->sides;
	struct mailbox *b;

	fibers_block(n->net->fibers, *n->clock);
	while ((b = mail_next(&n->mail)) &&
	       rule_arrive(&n->net->rule, &after, b->coming.first->flight,
			   b->coming.first->kind == REQUEST ? 0 : b->coming.first->len) <=
		       *n->clock && take_in(n))
		after = n->sides;
}

/* The ack of the batch's message; `count`: transfers that it completes. False without memory. */
static bool expect_ack(struct node *n, struct message *m, uint32_t count)
{
	struct ack *a = malloc(sizeof(*a));

	if (!a)
		return false;
	*a = (struct ack){ .owner = n->ep.job->rank, .peer = n->batch_peer, .count = count,
			   .head = m->flight.head };
	m->ack = a;
	acks_sent(&n->acks, a);
	return true;
}

/*
 * The doorbell: all that has been posted leaves. Its last message brings the completion of all; of
 * reads each brings its bytes.
 */
static int ring(struct node *n, struct request *request)
{
	struct mailbox *box;
	uint32_t count = 0;

	if (!n->batch.first)
		return ST_OK;
	box = mail_box(&n->net->node[n->batch_peer]->mail, n->ep.job->rank);
	*n->clock = rule_ring(&n->net->rule, *n->clock);
	if (n->round && n->exposed)
		let_answers_leave(n);
	for (struct message *next, *m = n->batch.first; m; m = next) {
		next = m->next;
		count++;
		leave(n, *n->clock, n->batch_peer, box, m);
		if ((!next || m->kind == REQUEST) && !expect_ack(n, m, next ? 0 : count))
			return no_memory();
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

/* Posts a message of the RDMA form; another rank has another doorbell. */
static int post_batch(struct node *n, int peer, struct message *m)
{
	int err = n->batch.first && n->batch_peer != peer ? ring(n, NULL) : ST_OK;

	n->batch_peer = peer;
	*n->clock = rule_post(&n->net->rule, *n->clock);
	letters_add(&n->batch, m);
	return err;
}

static int send_one(struct node *n, int peer, uint32_t lane, const void *buf, size_t len)
{
	struct net *net = n->net;
	int me = n->ep.job->rank, size = n->ep.job->size;
	struct mailbox *box = mail_box(&net->node[peer]->mail, me);
	struct message *m;

	if (!box)
		return no_memory();
	if (net->rule.is_board && (peer + 1) % size != me && (me + 1) % size != peer)
		return error_report("board '%s' has no channel from rank %d to rank %d",
				    net->rule.board.name, me, peer);
	m = new_message(net, MESSAGE, len, lane);
	if (!m)
		return ST_FAILED;
	memcpy(m->content, buf, len < MAIL_CONTENT ? len : MAIL_CONTENT);
	if (net->rule.is_rdma)
		return post_batch(n, peer, m);
	*n->clock = rule_post(&net->rule, *n->clock);
	leave(n, *n->clock, peer, box, m);
	if (++n->ahead % RUN_AHEAD == 0)
		fibers_block(net->fibers, *n->clock);
	return ST_OK;
}

/* ---- receiving ---- */

static int recv_post(struct node *n, int peer, void *buf, size_t len, struct request *r)
{
	struct mailbox *box = peer == PEER_ANY ? NULL : mail_box(&n->mail, peer);

	if (!box && peer != PEER_ANY)
		return no_memory();
	request_init(r, buf, len);
	mail_post(&n->mail, box, r);
	return ST_OK;
}

/* True if nothing that is still to be sent can come to a rank before this time. */
static bool is_sure(const struct node *n, double when)
{
	double others;

	if (mail_is_sure(&n->mail))
		return true;
	others = fibers_next(n->net->fibers);
	return when <= others || when < rule_soonest(&n->net->rule, others);
}

/* A completion that the owner of the ack can take, which it may wait for. */
static void become_visible(struct net *net, struct ack *a, double when)
{
	struct node *owner = net->node[a->owner];

	a->visible = when;
	if (a->count)
		acks_visible(&owner->acks, a);
	else
		free(a);
	if (owner->waiting)
		fibers_wake(net->fibers, owner->ep.job->rank, fmax(*owner->clock, when));
}

/* A message has passed a shared link. */
static void take_passed(struct net *net, const struct crossing *c)
{
	struct message *m = c->message;

	if (m->ack)
		acks_delay(&net->node[c->sender]->acks, m->ack, m->flight.head);
	if (c->box->coming.first == m)
		mail_delay(&net->node[c->receiver]->mail, c->box);
}

/*
 * Messages pass shared links, in the order in which they reach them, as far as no rank can still
 * send one that is there before; this rank does nothing before the first head on its way to it.
 * Yields the box with that head; NULL if it is not through.
 */
static struct mailbox *pass_links(struct node *n)
{
	struct net *net = n->net;
	const struct crossing *passed;
	struct mailbox *box = mail_next(&n->mail);

	while (box->coming.first->crossing) {
		double now = fmin(fibers_next(net->fibers), box->coming.first->flight.head);

		passed = uplinks_serve(net->uplinks, now, now + net->soonest);
		if (!passed)
			return NULL;
		for (; passed; passed = uplinks_serve(net->uplinks, now, now + net->soonest))
			take_passed(net, passed);
		box = mail_next(&n->mail);
	}
	return box;
}

/* A read's request is there: the answer leaves. */
static void answer(struct node *n, struct message *m, double there)
{
	struct node *reader = n->net->node[m->ack->owner];

	m->kind = ANSWER;
	leave(n, there, m->ack->owner, mail_box(&reader->mail, n->ep.job->rank), m);
	reader->idle = fmax(reader->idle, n->sides.out_free);
}

/*
 * The in side takes the next message that is on its way, if none that is still to be sent can come
 * before it. Yields its box, else NULL.
 */
static struct mailbox *take_in(struct node *n)
{
	struct mailbox *box = mail_next(&n->mail);
	struct net *net = n->net;
	struct message *m;
	double there;

	if (box && box->coming.first->crossing)
		box = pass_links(n);
	if (!box || !is_sure(n, box->coming.first->flight.head))
		return NULL;
	m = mail_arrive(&n->mail);
	there = rule_arrive(&net->rule, &n->sides, m->flight, m->kind == REQUEST ? 0 : m->len);
	if (m->ack && m->kind != ANSWER)
		acks_arrived(&net->node[m->ack->owner]->acks, m->ack);
	if (m->kind == REQUEST) {
		answer(n, m, there);
	} else if (m->kind == ANSWER) {
		memcpy(m->read.to, m->read.from, m->len < MAIL_CONTENT ? m->len : MAIL_CONTENT);
		become_visible(net, m->ack, there);
		m->next = net->spare;
		net->spare = m;
	} else {
		if (m->ack)
			become_visible(net, m->ack, rule_visible(&net->rule, there));
		m->flight.last = there;
		mail_keep(&n->mail, box, m);
	}
	return box;
}

/* Takes the first message that is here from the box. Number of completions, negative: failed. */
static int complete(struct node *n, struct mailbox *b)
{
	struct request *r;
	struct message *m = mail_take(&n->mail, b, &r);

	if (m->len > r->room)
		return -error_report("rank %d received %zu bytes into a buffer of %zu",
				     n->ep.job->rank, m->len, r->room);
	*n->clock = rule_take(&n->net->rule, &n->sides, *n->clock, m->flight.last, m->lane, m->len);
	memcpy(r->buf, m->content, m->len < MAIL_CONTENT ? m->len : MAIL_CONTENT);
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

/* Takes the first completion. */
static int complete_batch(struct node *n)
{
	struct ack *a = n->acks.visible;
	int count = (int)a->count;

	n->acks.visible = a->next;
	*n->clock = rule_complete(&n->net->rule, *n->clock, a->visible);
	if (a->request)
		a->request->done = true;
	free(a);
	return count;
}

/* Blocks until a time, or until a message or a completion is there before it. */
static void wait_until(struct node *n, double when)
{
	n->waiting = true;
	fibers_block(n->net->fibers, fmax(*n->clock, when));
	n->waiting = false;
}

/* Waits for the next of the receives posted to complete. */
static int take_message(struct node *n)
{
	struct mailbox *b = mail_wanted_here(&n->mail);

	while (!b) {
		b = take_in(n);
		if (!b) {
			b = mail_wanted_coming(&n->mail);
			wait_until(n, b ? b->coming.first->flight.head : FIBERS_NEVER);
			b = mail_wanted_here(&n->mail);	/* a sender may have looked */
		} else if (!mail_is_wanted(&n->mail, b)) {
			b = NULL;
		}
	}
	return complete(n, b);
}

/*
 * The earliest of what a rank with messages on their way may take: a completion, or a message; and
 * the first head of a message that decides about it and has not arrived.
 */
struct lookout {
	struct mailbox *message;
	double completion, ready, head;
	struct node *where;		/* that head arrives */
};

static struct lookout look_out(struct node *n)
{
	struct mailbox *next = mail_next(&n->mail);
	const struct ack *sent = n->acks.sent;
	struct lookout o = { .message = mail_wanted_here(&n->mail), .completion = FIBERS_NEVER,
			     .head = FIBERS_NEVER, .where = n };

	if (n->acks.visible)
		o.completion = n->acks.visible->visible;
	o.ready = o.message ? fmin(o.completion, o.message->here.first->flight.last) : o.completion;
	o.ready = fmax(o.ready, *n->clock);
	if (next)
		o.head = next->coming.first->flight.head;
	if (sent && sent->head < o.head) {
		o.head = sent->head;
		o.where = n->net->node[sent->peer];
	}
	return o;
}

/* Waits for the next completion of a receive, or of sends. Their number, negative: failed. */
static int progress(struct node *n)
{
	while (n->acks.sent || n->acks.visible || (n->exposed && mail_next(&n->mail))) {
		struct lookout o = look_out(n);

		if (o.ready <= o.head && o.ready < FIBERS_NEVER && is_sure(n, o.ready))
			return o.completion <= o.ready ? complete_batch(n)
						       : complete(n, o.message);
		if (!(o.head < FIBERS_NEVER && take_in(o.where)))
			wait_until(n, fmin(o.ready, o.head));
	}
	return take_message(n);
}

/* ---- rounds ---- */

/* The k-th READ of a round from a rank gets the buffer of the k-th EXPOSE there for this one. */
static int find_exposed(struct node *n, const struct round *r)
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
			return error_report("rank %d reads what rank %d does not expose", me, peer);
		n->exposed[i] = there->xfers[at].buf;
	}
	return n->exposed ? ST_OK : no_memory();
}

static int read_one(struct node *n, const struct xfer *x)
{
	struct message *m = new_message(n->net, REQUEST, x->len, 0);

	if (!m)
		return ST_FAILED;
	m->read.from = n->exposed[x - n->round->xfers];
	m->read.to = x->buf;
	if (!mail_box(&n->net->node[x->peer]->mail, n->ep.job->rank) ||
	    !mail_box(&n->mail, x->peer))
		return no_memory();
	return post_batch(n, x->peer, m);
}

static int post(struct endpoint *ep, const struct xfer *x)
{
	struct node *n = node_of(ep);
	struct request *r;

	if (x->op == OP_EXPOSE)
		return 1;
	if (x->op == OP_READ)
		return read_one(n, x) ? -1 : 0;
	if (x->op == OP_SEND)
		return send_one(n, x->peer, x->lane, x->buf, x->len) ? -1 : !n->net->rule.is_rdma;
	r = n->pool;
	if (r)
		n->pool = r->next;
	else
		r = malloc(sizeof(*r));
	if (!r)
		return -no_memory();
	r->want = DRIVEN;
	if (!recv_post(n, x->peer, x->buf, x->len, r))
		return 0;
	free(r);
	return -1;
}

static void flush(struct endpoint *ep)
{
	struct node *n = node_of(ep);

	if (n->batch.first && ring(n, NULL))
		fibers_exit(n->net->fibers, ST_FAILED);
}

static int poll(struct endpoint *ep)
{
	return progress(node_of(ep));
}

static double ticks(struct endpoint *ep)
{
	return *node_of(ep)->clock;
}

static bool is_same(const struct exchange *a, const struct exchange *b)
{
	return a->op == b->op && a->peer == b->peer && a->len == b->len;
}

/*
 * Another peer is another meeting, and so is what has been exchanged before in this one, or for
 * long: a benchmark begins anew.
 */
static void notice(struct node *n, const struct round *r)
{
	struct exchange x = { .op = OP_SEND, .peer = -1 };
	bool again = n->nhas == EXCHANGES;

	n->now.repetition++;
	if (r->nxfers)
		x = (struct exchange){ r->xfers[0].op, r->xfers[0].peer, r->xfers[0].len };
	if (n->nhas && is_same(&n->has[n->nhas - 1], &x) &&
	    n->now.repetition - n->now.stretch < STRETCH)
		return;
	for (size_t i = 0; i < n->nhas; i++)
		again |= n->has[i].peer != x.peer || is_same(&n->has[i], &x);
	n->nhas = again ? 0 : n->nhas;
	n->has[n->nhas++] = x;
	n->now.stretch = n->now.repetition;
	if (n->nhas > 1)
		return;
	n->now.meeting = n->now.repetition;
	n->meetings++;
}

/*
 * The network is idle before every round and every farm: a rank goes on when its sides are free.
 * The barrier that follows sets all clocks to the latest.
 */
static int arm(struct endpoint *ep, const struct round *r)
{
	struct node *n = node_of(ep);
	struct mailbox *from;
	bool reads = false;

	notice(n, r);
	*n->clock = fmax(*n->clock, fmax(n->idle, n->sides.in_free));
	n->round = r;
	mail_forget(&n->mail);
	free(n->exposed);
	n->exposed = NULL;
	n->read = 0;
	for (uint32_t i = 0; i < r->nxfers; i++)
		reads |= r->xfers[i].op == OP_READ || r->xfers[i].op == OP_EXPOSE;
	for (uint32_t i = 0; i < r->nxfers && !reads; i++) {
		if (r->xfers[i].op != OP_RECV)
			continue;
		from = mail_box(&n->mail, r->xfers[i].peer);
		if (!from)
			return no_memory();
		mail_expect(&n->mail, from);
	}
	return ST_OK;
}

/* Tells ranks that this one has read; a rank that exposes stays until all have read. */
static void end_reads(struct node *n, const struct round *r)
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
			fibers_wake(fibers, r->xfers[i].peer, fmax(*peer->clock, *n->clock));
	}
	n->serving = true;
	while (n->read < exposed)
		fibers_block(fibers, FIBERS_NEVER);
	n->serving = false;
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post, .flush = flush, .poll = poll, .ticks = ticks };
	bool reads = false;
	int err;

	for (uint32_t i = 0; i < r->nxfers; i++)
		reads |= r->xfers[i].op == OP_READ;
	if (reads && find_exposed(node_of(ep), r))
		return ST_FAILED;
	err = round_drive(ep, r, d, seconds);
	if (node_of(ep)->net->rule.is_rdma)
		end_reads(node_of(ep), r);
	return err;
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct node *n = node_of(ep);
	int err = send_one(n, peer, 0, buf, len);

	r->want = OWN;
	r->done = !n->net->rule.is_rdma;
	return err ? err : ring(n, r);
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	r->want = OWN;
	return recv_post(node_of(ep), peer, buf, len, r);
}

static int test(struct endpoint *ep, struct request *r)
{
	struct node *n = node_of(ep);
	struct lookout o;

	if (r->done)
		return ST_OK;
	fibers_block(n->net->fibers, *n->clock);
	do
		o = look_out(n);
	while (o.head <= *n->clock && take_in(o.where));
	if (o.completion <= *n->clock)
		return complete_batch(n) < 0;
	if (o.message && o.message->here.first->flight.last <= *n->clock)
		return complete(n, o.message) < 0 ? ST_FAILED : ST_OK;
	*n->clock += look_ns(n);
	return ST_OK;
}

static int wait(struct endpoint *ep, struct request *r)
{
	while (!r->done)
		if (progress(node_of(ep)) < 0)
			return ST_FAILED;
	return ST_OK;
}

static void compute(struct endpoint *ep, double seconds)
{
	*node_of(ep)->clock += seconds / NS;
}

/* ---- opening ---- */

/* The rule of a network, and the links that its ranks share. False without memory. */
static bool take_network(struct net *net, const struct sim_network *of, uint64_t seed, int nranks)
{
	struct sim_rule *r = &net->rule;

	r->is_board = of->is_board;
	r->board = of->board;
	r->varies = net->faults;
	r->lanes = of->board.R < RULE_LANES ? (uint32_t)of->board.R : RULE_LANES;
	if (of->is_rdma)
		rule_take_rdma(r, &of->rdma);
	else if (!of->is_board)
		r->p = (struct loggp){ of->p.L / NS, of->p.o_s / NS, of->p.o_r / NS,
				       of->p.g / NS, of->p.G / NS };
	net->sharing = of->sharing;
	if (!of->sharing.leaf && !(of->sharing.link > 0))
		return true;
	net->uplinks = uplinks_new(&of->sharing, seed, nranks, r->p.G, r->p.L);
	if (net->uplinks)
		net->soonest = SURELY * (rule_left(r, 0) + uplinks_first_leg(net->uplinks));
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
	if (net->node && !sim_network_read(o, &of) &&
	    !faults_read(&o->faults, o->seed, job->size, &net->faults) &&
	    take_network(net, &of, o->seed, job->size))
		return net;
	faults_free(net->faults);
	free(net->node);
	free(net);
	return NULL;
}

static unsigned caps_of(const struct net *net)
{
	return net->rule.is_board ? CAPS_BOARD : !net->rule.is_rdma ? CAPS_LOGGP
	       : net->uplinks ? CAPS_RDMA & ~(unsigned)CAP_READ : CAPS_RDMA;
}

static int open_node(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct net **shared = (struct net **)job_sim_shared(job), *net;
	struct node *n = calloc(1, sizeof(*n));

	if (!*shared || (*shared)->node[job->rank])	/* each session has a network of its own */
		*shared = net_open(job, options);
	net = *shared;
	if (!net || !n) {
		free(n);
		return error_report("no memory for simulated rank %d", job->rank);
	}
	n->net = net;
	n->clock = fibers_clock(net->fibers, job->rank);
	n->ep = (struct endpoint){ .job = job,
				   .caps = caps_of(net),
				   .limits = { SIZE_MAX, UINT32_MAX, UINT64_MAX, MAIL_CONTENT },
				   .tick_s = NS };
	net->node[job->rank] = n;
	net->open++;
	*ep = &n->ep;
	job->kind->barrier(job);	/* every rank can now receive */
	return ST_OK;
}

/* Frees a request of the round driver; others are the caller's. */
static void request_free(struct request *r)
{
	if (r->want == DRIVEN)
		free(r);
}

static void message_free(struct message *m)
{
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
	letters_free(&n->batch, message_free);
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

/* The parameters, s; of a LogGP network none is determined. */
static int rdma_of(struct endpoint *ep, struct rdma *found)
{
	const struct sim_rule *r = &node_of(ep)->net->rule;

	found->serial = r->rdma.serial;
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		found->parameter[i] = r->is_rdma ? r->rdma.parameter[i] * NS : NAN;
	return ST_OK;
}

/* "RDMA form o_wqe=20ns o_db=65ns", without what is 0. */
static void describe_form(const struct rdma *p, char *text, size_t len)
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
		describe_form(&net->rule.rdma, text, sizeof(text));
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
	snprintf(text, sizeof(text), "the first %d bytes of a message", MAIL_CONTENT);
	fact_text(f, "content", text);
}

const struct backend backend_sim = {
	.name = "sim",
	.summary = "a simulated network in virtual time: LogGP, RDMA, or an FPGA board's channels",
	.abi = BACKEND_ABI, .caps = CAPS_RDMA, .job = &job_sim, .max_ranks = JOB_SIM_RANKS,
	.options = sim_options, .options_size = sizeof(struct sim_opts),
	.check = sim_check,
	.network = sim_network, .network_rdma = sim_network_rdma, .rdma = rdma_of,
	.open = open_node, .close = close_node, .alloc = alloc, .release = host_release,
	.arm = arm, .run = run, .now = ticks, .compute = compute, .describe = describe,
	.isend = isend, .irecv = irecv, .test = test, .wait = wait,
};
