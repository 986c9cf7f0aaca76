/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `sim`: a network in virtual time, LogGP or the channels of an FPGA board. All ranks are
 * fibers of one process; times are nanoseconds.
 *
 * LogGP (METHODS 1.0): a send starts at s = max(processor free, previous send start + gamma), holds
 * the processor for o_s, and its last byte arrives at s + o_s + (k-1) G + L; a receive starts at
 * r = max(processor free, arrival, previous receive start + gamma) and holds the processor for o_r.
 * In a round, sends are done in the order posted, then receives in the order of arrival. Messages
 * are eager. isend holds the processor for o_s at once; only its start on the network waits for the
 * gap.
 *
 * Board (METHODS 35): a channel is busy for ceil(L/(c w))/f, the message arrives lat later; the
 * processor takes no part.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/faults.h"
#include "base/heap.h"
#include "job/sim.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "transport/host.h"
#include "transport/match.h"
#include "transport/round.h"

#define NS 1e-9

/* request.want; the round driver only counts DRIVEN ones, which go back to the pool. */
enum { RECEIVING, DRIVEN, SENDING };

#define CONTENT 64		/* bytes of a message that are carried */
#define RUN_AHEAD 64		/* sends after which other ranks catch up, to bound memory */
#define LANES 2
#define CAPS_BOARD (CAP_RING | CAP_WINDOW | CAP_STAMPS | CAP_VIRTUAL | CAP_CONTENT | \
		    CAP_EACH)
#define CAPS_LOGGP (CAPS_BOARD | CAP_PAIR | CAP_MSG | CAP_ANY | CAP_FLOW)

struct sim_opts {
	const char *sim, *board;
	bool serial;
	struct texts faults;
	uint64_t fault_seed;
	bool is_like;		/* `like`, a measured network, replaces --sim */
	struct loggp like;	/* s */
};

static const struct opt sim_options[] = {
	{ 0, "sim", "params", OPT_TEXT, offsetof(struct sim_opts, sim),
	  .def = "L=1us,o=200ns,g=300ns,G=0.1ns",
	  .help = "LogGP network: L, o (or o_s and o_r), g, G; ns unless a unit is given, 0 if not "
		  "named" },
	{ 0, "board", "name", OPT_TEXT, offsetof(struct sim_opts, board),
	  .help = "FPGA board's channels instead of LogGP: 520n, ..., or "
		  "custom:c=..,w=..,f=..,lat=..,R=.." },
	{ 0, "serial", NULL, OPT_FLAG, offsetof(struct sim_opts, serial),
	  .help = "board: send and receive loops one after the other" },
	{ 0, "sim-fault", "fault", OPT_TEXTS, offsetof(struct sim_opts, faults),
	  .help = "a fault of the LogGP network, may be given several times: host:17,send,0.7 "
		  "(or receive, both), pair:3-9,0.6, direction:3-9,0.75, latency:5,+200us, "
		  "group:8-15,0.8, flap:4,0.5,0.5, noise:5%" },
	{ 0, "sim-seed", "number", OPT_UINT, offsetof(struct sim_opts, fault_seed), .def = "1",
	  .max = 9007199254740992.0, .help = "of the chance in --sim-fault flap and noise" },
	{ 0 },
};

struct message {
	struct message *next;
	double arrival;
	size_t len;
	uint32_t lane;
	unsigned char content[CONTENT];
};

/* Messages that rank `src` has sent to a node, and receives posted for it; both in order. */
struct mailbox {
	int src;
	uint32_t at;		/* place in the node's heap while there are messages */
	struct message *first, **last;
	struct queue posted;
};

/* The first transfer of a rank's round; it tells one meeting of two ranks from the next. */
struct exchange {
	enum op op;
	int peer;
	size_t len;
};

#define EXCHANGES 4		/* of a meeting: map has three, round trips and two directions */
#define STRETCH 6		/* repetitions of an exchange, as map has them */

/* A rank's sides of the network, where its messages leave and arrive; zeroed: idle. ns. */
struct rank_sides {
	double send_next, recv_next;	/* earliest start that the gap allows */
	double handed_over;		/* end of the last send's overhead */
	double lane_free[LANES], lane_sent[LANES], lane_read[LANES];
};

/* One rank. */
struct node {
	struct endpoint ep;
	struct net *net;
	double *clock;
	struct rank_sides sides;
	struct mailbox **boxes;		/* open addressing by src; room is a power of two */
	struct mailbox **heap;		/* with messages; first arrival, then lowest src, on top */
	uint32_t nboxes, room, nheap;
	uint32_t starving;		/* boxes with a receive posted and no message */
	struct match match;
	uint32_t ahead;
	struct moment now;		/* by repetitions that were armed, as on all ranks */
	struct exchange has[EXCHANGES];	/* of this meeting, the last one last */
	size_t nhas;
	bool waiting;			/* blocked for a message */
	struct request *pool;
};

/* What the ranks share. */
struct net {
	struct fibers *fibers;
	struct node **node;
	int open;
	bool is_board;
	struct loggp p;			/* ns */
	struct board board;
	uint32_t lanes;			/* a card's kernel pairs that the ring's directions use */
	struct message *spare;
	struct faults *faults;		/* NULL: none */
};

static struct node *node_of(struct endpoint *ep)
{
	return (struct node *)ep;
}

static int no_memory(void)
{
	return error_report("no memory for simulated messages");
}

/* ---- the rule: when a message leaves and arrives ---- */

/*
 * Sends on a network of LogGP. A send that does not block holds the processor for o_s at once; only
 * the network waits for the gap.
 */
static double send_by_loggp(struct node *n, int peer, size_t len, bool blocks)
{
	struct rank_sides *s = &n->sides;
	struct loggp p = n->net->p;
	double start = fmax(*n->clock, s->send_next);
	struct harm harm = { .factor = 1, .slowed = 1 };

	if (n->net->faults)
		harm = faults_harm(n->net->faults, n->ep.job->rank, peer, &n->now);
	p.G *= harm.slowed / harm.factor;
	p.L *= harm.slowed;
	*n->clock = (blocks ? start : *n->clock) + p.o_s;
	s->handed_over = start + p.o_s;
	s->send_next = start + loggp_gamma(&p, len);
	return start + p.o_s + loggp_tail(len) * p.G + p.L + harm.late;
}

/* Sends a message: advances the clock, and returns when the message arrives. */
static double leave(struct node *n, int peer, uint32_t lane, size_t len, bool blocks)
{
	const struct board *b = &n->net->board;
	struct rank_sides *s = &n->sides;

	if (!n->net->is_board)
		return send_by_loggp(n, peer, len, blocks);
	s->lane_free[lane] = fmax(*n->clock, s->lane_free[lane]) + board_busy(b, len) / NS;
	s->lane_sent[lane] = s->lane_free[lane] + b->lat / NS;
	return s->lane_sent[lane];
}

/* Receives a message that arrives at `when`: advances the clock to where the rank has it. */
static void arrive(struct node *n, double when, uint32_t lane, size_t len)
{
	const struct board *b = &n->net->board;
	struct rank_sides *s = &n->sides;

	if (!n->net->is_board) {
		when = fmax(fmax(*n->clock, when), s->recv_next);
		s->recv_next = when + loggp_gamma(&n->net->p, len);
		*n->clock = when + n->net->p.o_r;
		return;
	}
	if (b->serial) {	/* a kernel pair first sends its own messages, then takes as long */
		s->lane_read[lane] = fmax(fmax(when, s->lane_sent[lane]), s->lane_read[lane]) +
				     board_busy(b, len) / NS;
		when = s->lane_read[lane] + b->lat / NS;
	}
	*n->clock = fmax(*n->clock, when);
}

/* If nothing has arrived, looking takes this time, so that a loop around test ends. */
static double look_ns(const struct node *n)
{
	return fmax(n->net->p.o_r, 1);
}

/* ---- boxes ---- */

/* Where the box of a source is in the table, or would be. */
static struct mailbox **box_place(struct mailbox **table, uint32_t room, int src)
{
	uint32_t i = (uint32_t)src * 2654435769U & (room - 1);

	while (table[i] && table[i]->src != src)
		i = (i + 1) & (room - 1);
	return &table[i];
}

/* Doubles a table that is half full. */
static int boxes_grow(struct node *n)
{
	uint32_t room = n->room ? 2 * n->room : 8;
	struct mailbox **table = calloc(room, sizeof(*table));
	struct mailbox **heap = realloc(n->heap, room * sizeof(*heap));

	n->heap = heap ? heap : n->heap;
	if (!table || !heap) {
		free(table);
		return no_memory();
	}
	for (uint32_t i = 0; i < n->room; i++)
		if (n->boxes[i])
			*box_place(table, room, n->boxes[i]->src) = n->boxes[i];
	free(n->boxes);
	n->boxes = table;
	n->room = room;
	return ST_OK;
}

/* The box of one source, made on first use; NULL without memory (reported). */
static struct mailbox *box_of(struct node *n, int src)
{
	struct mailbox **place;

	if (2 * n->nboxes >= n->room && boxes_grow(n))
		return NULL;
	place = box_place(n->boxes, n->room, src);
	if (*place)
		return *place;
	*place = malloc(sizeof(**place));
	if (!*place) {
		no_memory();
		return NULL;
	}
	**place = (struct mailbox){ .src = src, .last = &(*place)->first };
	n->nboxes++;
	return *place;
}

/* ---- the heap of boxes with messages ---- */

static bool before(const struct mailbox *a, const struct mailbox *b)
{
	double ta = a->first->arrival, tb = b->first->arrival;

	return ta < tb || (ta <= tb && a->src < b->src);
}

#define moved(b, place) ((b)->at = (place))
HEAP(arrivals, struct mailbox *, before, moved)

/* True if a receive is posted that matches messages of the box. */
static bool wanted(const struct node *n, const struct mailbox *b)
{
	return b->posted.first || n->match.any.first;
}

static bool starves(const struct mailbox *b)
{
	return b->posted.first && !b->first;
}

/* ---- sending ---- */

static int send_one(struct node *n, int peer, uint32_t lane, const void *buf, size_t len,
		    bool blocks)
{
	struct net *net = n->net;
	struct node *to = net->node[peer];
	int me = n->ep.job->rank, size = n->ep.job->size;
	struct mailbox *box = box_of(to, me);
	struct message *m = net->spare;

	if (!box)
		return ST_FAILED;
	if (net->is_board && (peer + 1) % size != me && (me + 1) % size != peer)
		return error_report("board '%s' has no channel from rank %d to rank %d",
				    net->board.name, me, peer);
	if (m)
		net->spare = m->next;
	else if (!(m = malloc(sizeof(*m))))
		return no_memory();
	m->next = NULL;
	m->len = len;
	m->lane = net->is_board ? lane % net->lanes : 0;
	m->arrival = leave(n, peer, m->lane, len, blocks);
	memcpy(m->content, buf, len < CONTENT ? len : CONTENT);
	to->starving -= starves(box);
	*box->last = m;
	box->last = &m->next;
	if (box->first == m)
		arrivals_push(to->heap, &to->nheap, box);
	if (to->waiting && wanted(to, box))
		fibers_wake(net->fibers, peer, fmax(*to->clock, m->arrival));
	if (++n->ahead % RUN_AHEAD == 0)
		fibers_block(net->fibers, *n->clock);
	return ST_OK;
}

/* ---- receiving ---- */

static int recv_post(struct node *n, int peer, void *buf, size_t len, struct request *r)
{
	struct mailbox *box = peer == PEER_ANY ? NULL : box_of(n, peer);

	if (!box && peer != PEER_ANY)
		return ST_FAILED;
	request_init(r, buf, len);
	n->starving -= box && starves(box);
	match_post(&n->match, box ? &box->posted : NULL, r);
	n->starving += box && starves(box);
	return ST_OK;
}

/*
 * The box whose message arrives first, among those with a message and a receive posted. *certain:
 * every box with a receive posted has a message, so none still to be sent could come before it.
 */
static struct mailbox *earliest(const struct node *n, bool *certain)
{
	struct mailbox *best = NULL;

	*certain = !n->match.any.first && !n->starving;
	if (n->nheap && wanted(n, n->heap[0]))
		return n->heap[0];
	for (uint32_t i = 1; i < n->nheap; i++)
		if (wanted(n, n->heap[i]) && (!best || before(n->heap[i], best)))
			best = n->heap[i];
	return best;
}

static int complete(struct node *n, struct mailbox *b)
{
	struct message *m = b->first;
	struct request *r = match_take(&n->match, &b->posted);

	b->first = m->next;
	if (b->first) {
		arrivals_sink(n->heap, n->nheap, b->at, b);
	} else {
		b->last = &b->first;
		arrivals_remove(n->heap, &n->nheap, b->at);
	}
	n->starving += starves(b);
	if (m->len > r->room)
		return error_report("rank %d received %zu bytes into a buffer of %zu",
				    n->ep.job->rank, m->len, r->room);
	arrive(n, m->arrival, m->lane, m->len);
	memcpy(r->buf, m->content, m->len < CONTENT ? m->len : CONTENT);
	r->len = m->len;
	r->peer = b->src;
	r->done = true;
	m->next = n->net->spare;
	n->net->spare = m;
	if (r->want == DRIVEN) {
		r->next = n->pool;
		n->pool = r;
	}
	return ST_OK;
}

/* Waits for the next of the receives posted to complete. */
static int progress(struct node *n)
{
	for (double reached = -1;;) {
		bool certain;
		struct mailbox *b = earliest(n, &certain);
		double when = b ? fmax(*n->clock, b->first->arrival) : FIBERS_NEVER;

		if (b && (certain || when <= reached))
			return complete(n, b);
		n->waiting = true;
		reached = fibers_block(n->net->fibers, when);
		n->waiting = false;
	}
}

/* ---- rounds ---- */

static int post(struct endpoint *ep, const struct xfer *x)
{
	struct node *n = node_of(ep);
	struct request *r;

	if (x->op == OP_SEND)
		return send_one(n, x->peer, x->lane, x->buf, x->len, true) ? -1 : 1;
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

static int poll(struct endpoint *ep)
{
	return progress(node_of(ep)) ? -1 : 1;
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
	if (n->nhas == 1)
		n->now.meeting = n->now.repetition;
}

/* The network is idle before every round and every farm. */
static int arm(struct endpoint *ep, const struct round *r)
{
	struct node *n = node_of(ep);

	notice(n, r);
	n->sides = (struct rank_sides){ 0 };
	return ST_OK;
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post, .poll = poll, .ticks = ticks };

	return round_drive(ep, r, d, seconds);
}

/* ---- message operations ---- */

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct node *n = node_of(ep);
	int err = send_one(n, peer, 0, buf, len, false);

	r->want = SENDING;
	r->when = n->sides.handed_over;
	r->done = r->when <= *n->clock;
	return err;
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	r->want = RECEIVING;
	return recv_post(node_of(ep), peer, buf, len, r);
}

static int test(struct endpoint *ep, struct request *r)
{
	struct node *n = node_of(ep);
	bool certain;
	struct mailbox *b;

	if (!r->done && r->want == SENDING)
		r->done = r->when <= *n->clock;
	if (r->done)
		return ST_OK;
	fibers_block(n->net->fibers, *n->clock);
	b = earliest(n, &certain);
	if (b && b->first->arrival <= *n->clock)
		return complete(n, b);
	*n->clock += look_ns(n);
	return ST_OK;
}

static int wait(struct endpoint *ep, struct request *r)
{
	int err = ST_OK;

	if (!r->done && r->want == SENDING) {
		*node_of(ep)->clock = fmax(*node_of(ep)->clock, r->when);
		r->done = true;
	}
	while (!r->done && !err)
		err = progress(node_of(ep));
	return err;
}

static void compute(struct endpoint *ep, double seconds)
{
	*node_of(ep)->clock += seconds / NS;
}

/* ---- opening ---- */

/* The network of the options: LogGP in s, or a board. ST_OK or ST_USAGE. */
static int parameters(const struct sim_opts *o, struct loggp *p, struct board *board)
{
	if (o->board) {
		int err = board_find(o->board, board);

		board->serial |= o->serial;
		return err;
	}
	*p = o->like;
	return o->is_like ? ST_OK : loggp_parse(o->sim, p, NULL);
}

static int network(void *options, const struct loggp *like, struct loggp *found,
		   struct board *board, bool *is_board)
{
	struct sim_opts *o = options;

	o->is_like = like;
	o->like = like ? *like : (struct loggp){ 0 };
	*is_board = o->board;
	return parameters(o, found, board);
}

static int check(void *options, const struct arguments *given, int nranks)
{
	const struct sim_opts *o = options;
	struct board board = { 0 };
	struct faults *faults;
	struct loggp p;
	int err = faults_read(&o->faults, o->fault_seed, nranks, &faults);

	faults_free(faults);
	if (err || arguments_exclude(given, "sim-fault", "board"))
		return ST_USAGE;
	if (arguments_given(given, "sim-seed") && !o->faults.n)
		return error_usage("option '--sim-seed' needs '--sim-fault'");
	if (o->serial && !o->board)
		return error_usage("option '--serial' needs '--board'");
	if (arguments_exclude(given, "like", "sim") || arguments_exclude(given, "like", "board"))
		return ST_USAGE;
	return arguments_exclude(given, "sim", "board") ? ST_USAGE : parameters(o, &p, &board);
}

static struct net *net_open(struct job *job, const struct sim_opts *o)
{
	struct net *net = calloc(1, sizeof(*net));
	struct loggp p;

	if (!net)
		return NULL;
	net->node = calloc((size_t)job->size, sizeof(struct node *));
	net->fibers = job_sim_fibers(job);
	net->is_board = o->board;
	if (net->node && !parameters(o, &p, &net->board) &&
	    !faults_read(&o->faults, o->fault_seed, job->size, &net->faults)) {
		net->lanes = net->board.R < LANES ? (uint32_t)net->board.R : LANES;
		if (!o->board)
			net->p = (struct loggp){ p.L / NS, p.o_s / NS, p.o_r / NS, p.g / NS,
						 p.G / NS };
		return net;
	}
	free(net->node);
	free(net);
	return NULL;
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
	n->ep = (struct endpoint){ .job = job, .caps = net->is_board ? CAPS_BOARD : CAPS_LOGGP,
				   .limits = { SIZE_MAX, UINT32_MAX, UINT64_MAX, CONTENT },
				   .tick_s = NS };
	net->node[job->rank] = n;
	net->open++;
	*ep = &n->ep;
	job->kind->barrier(job);	/* every rank can now receive */
	return ST_OK;
}

/* Those of the round driver; others are the caller's. */
static void requests_free(struct request *r)
{
	for (struct request *next; r; r = next) {
		next = r->next;
		if (r->want == DRIVEN)
			free(r);
	}
}

static void messages_free(struct message *m)
{
	for (struct message *next; m; m = next) {
		next = m->next;
		free(m);
	}
}

static void close_node(struct endpoint *ep)
{
	struct node *n = node_of(ep);

	if (!n)
		return;
	for (uint32_t i = 0; i < n->room; i++)
		if (n->boxes[i]) {
			messages_free(n->boxes[i]->first);
			requests_free(n->boxes[i]->posted.first);
			free(n->boxes[i]);
		}
	requests_free(n->pool);
	free(n->boxes);
	free(n->heap);
	if (!--n->net->open) {
		struct net **shared = (struct net **)job_sim_shared(ep->job);

		if (*shared == n->net)
			*shared = NULL;
		messages_free(n->net->spare);
		faults_free(n->net->faults);
		free(n->net->node);
		free(n->net);
	}
	free(n);
}

static void *alloc(struct endpoint *ep, size_t len)
{
	void *buf = aligned_alloc(64, CONTENT);

	return buf ? memset(buf, 0, CONTENT) : NULL;
}

static void describe(struct endpoint *ep, struct facts *f)
{
	const struct net *net = node_of(ep)->net;
	const struct loggp *p = &net->p;
	char text[160];

	if (net->is_board)
		snprintf(text, sizeof(text), "board %s%s: %s", net->board.name,
			 net->board.serial ? " (serial)" : "", net->board.summary);
	else
		snprintf(text, sizeof(text),
			 "LogGP L=%.10gns o_s=%.10gns o_r=%.10gns g=%.10gns G=%.10gns%s",
			 p->L, p->o_s, p->o_r, p->g, p->G, net->faults ? ", with faults" : "");
	fact_text(f, "method", text);
	fact_text(f, "time", "virtual");
	snprintf(text, sizeof(text), "the first %d bytes of a message", CONTENT);
	fact_text(f, "content", text);
}

const struct backend backend_sim = {
	.name = "sim",
	.summary = "a simulated network in virtual time: LogGP, or an FPGA board's channels",
	.abi = BACKEND_ABI, .caps = CAPS_LOGGP, .job = &job_sim, .max_ranks = JOB_SIM_RANKS,
	.options = sim_options, .options_size = sizeof(struct sim_opts),
	.check = check,
	.network = network,
	.open = open_node, .close = close_node, .alloc = alloc, .release = host_release,
	.arm = arm, .run = run, .now = ticks, .compute = compute, .describe = describe,
	.isend = isend, .irecv = irecv, .test = test, .wait = wait,
};
