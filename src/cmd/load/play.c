/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/play.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/stats.h"
#include "job/job.h"
#include "measure/plan/program.h"
#include "transport/backend.h"

#define ACK 1		/* bytes of an aggressor's answer to a message */
#define MARK UINT64_MAX	/* number of the final message of an epoch */
#define DEPTH 64	/* receives that an aggressor has posted */
#define LATE 0.05	/* a send is late if its delay exceeds this share of the median latency */

/* The first bytes of an aggressor's message. */
struct head {
	uint64_t number, from;
};
_Static_assert(sizeof(struct head) == LOAD_AGGRESSOR_LEAST, "a head fits into any message");

/* A ring of requests that are used in turn. Each request has a buffer. */
struct message_slots {
	struct request *req;
	void *const *buf;
	uint32_t n;
	uint64_t posted, taken;
};

/* Times of a victim's event, in ticks. */
struct event {
	double due, sent, ended;
};

struct actor {
	struct endpoint *ep;
	const struct backend *be;
	struct load_args args;
	struct load_epoch epoch;
	enum load_role role;
	/* place: index in the list of its role; partner: the other victim of its pair */
	int rank, place, partner;
	struct message_slots in, out, acks;
	struct event *events;		/* events of this rank, an asking victim */
	size_t room, nevents, nended;
	double *due;			/* times at which a paced aggressor sends, in ticks */
	size_t ndue;
	/* begin of the epoch, begin of the counted part, and end of the epoch, in ticks */
	double begin, counted, end;
	struct load_outcome did;
};

/* ---- buffers ---- */

static uint32_t victim_depth(const struct load_args *a)
{
	if (a->victim == VICTIM_BANDWIDTH)
		return a->victim_window;
	return a->rate > 0 ? a->outstanding : 1;
}

static uint32_t count_slots(const struct load_args *a)
{
	return a->window > LOAD_PACED ? a->window : LOAD_PACED;
}

/* Returns the largest number of buffers of any role, because any rank may get any role. */
static int buffers_of_any_role(const void *args)
{
	const struct load_args *a = args;
	int victim = 2 * (int)victim_depth(a), aggressor = (int)(2 * DEPTH + count_slots(a));

	return victim > aggressor ? victim : aggressor;
}

static int count_buffers(const void *args, int rank)
{
	return buffers_of_any_role(args);
}

/* ---- a rank's part ---- */

static int open_ring(struct message_slots *r, uint32_t n, void *const **bufs)
{
	*r = (struct message_slots){ .req = calloc(n, sizeof(*r->req)), .buf = *bufs, .n = n };
	*bufs += n;
	for (uint32_t i = 0; i < n && r->req; i++)
		r->req[i].done = true;
	return r->req ? 0 : -1;
}

static void close_actor(void *state)
{
	struct actor *a = state;

	if (!a)
		return;
	free(a->in.req);
	free(a->out.req);
	free(a->acks.req);
	free(a->events);
	free(a->due);
	free(a);
}

/* Returns the largest number of events that a victim may have in an epoch. */
static size_t most_events(const struct load_args *a)
{
	double planned = a->rate * a->epoch_s;

	if (!(a->rate > 0) || planned > LOAD_MOST_EVENTS / 2)
		return LOAD_MOST_EVENTS;
	return (size_t)(planned + 10 * sqrt(planned) + 16);
}

static int open_rings(struct actor *a, void *const *bufs)
{
	uint32_t depth = victim_depth(&a->args);

	if (a->role == LOAD_ROLE_AGGRESSOR)
		return open_ring(&a->in, DEPTH, &bufs) || open_ring(&a->acks, DEPTH, &bufs) ||
		       open_ring(&a->out, count_slots(&a->args), &bufs);
	if (a->role == LOAD_ROLE_IDLE)
		return 0;
	a->partner = cast_partner(a->args.cast, a->rank);
	if (a->role == LOAD_ROLE_ASKER) {
		a->room = most_events(&a->args);
		a->events = calloc(a->room, sizeof(*a->events));
		if (!a->events)
			return -1;
	}
	return open_ring(&a->in, depth, &bufs) || open_ring(&a->out, depth, &bufs);
}

static void *open_actor(struct endpoint *ep, const void *args, size_t len, void *const *bufs)
{
	struct actor *a = calloc(1, sizeof(*a));
	int rank = ep->job->rank;

	if (!a)
		return NULL;
	*a = (struct actor){ .ep = ep, .be = ep->be, .args = *(const struct load_args *)args,
			     .rank = rank };
	a->role = a->args.cast->role[rank];
	a->place = a->args.cast->at[rank];
	if (!open_rings(a, bufs))
		return a;
	close_actor(a);
	return NULL;
}

/* ---- messages ---- */

#define INLINE static inline __attribute__((always_inline))

INLINE double now(const struct actor *a)
{
	return a->be->now(a->ep);
}

/* Returns the oldest posted receive. */
INLINE struct request *next_receive(struct actor *a)
{
	return &a->in.req[a->in.taken % a->in.n];
}

INLINE void *next_receive_buf(struct actor *a)
{
	return a->in.buf[a->in.taken % a->in.n];
}

INLINE int post_receive(struct actor *a, size_t room)
{
	uint64_t slot = a->in.posted++ % a->in.n;
	int peer = a->role == LOAD_ROLE_AGGRESSOR ? PEER_ANY : a->partner;

	return a->be->irecv(a->ep, peer, a->in.buf[slot], room, &a->in.req[slot]);
}

/* Posts the next receive into the buffer of the received message. Returns ST_OK or another ST_*. */
INLINE int release_buffer(struct actor *a, size_t room)
{
	a->in.taken++;
	return post_receive(a, room);
}

/*
 * Waits until the next slot of a ring is free. Copies n bytes of `head` to its buffer, then sends
 * the first `len` bytes of the buffer. Returns ST_OK or another ST_*.
 */
INLINE int send_from_ring(struct actor *a, struct message_slots *r, int peer, const void *head,
			  size_t n, size_t len)
{
	uint64_t slot = r->posted++ % r->n;
	int err = r->req[slot].done ? ST_OK : a->be->wait(a->ep, &r->req[slot]);

	if (err)
		return err;
	memcpy(r->buf[slot], head, n);
	return a->be->isend(a->ep, peer, r->buf[slot], len, &r->req[slot]);
}

/*
 * Waits until a receive completes, or until the time `until` (ticks). Returns ST_OK or another
 * ST_*.
 */
INLINE int wait_until(struct actor *a, struct request *r, double until)
{
	bool shares = a->ep->job->local_size > a->ep->job->cpus;
	int err = ST_OK;

	if (a->be->wait_until)
		return a->be->wait_until(a->ep, r, until);
	while (!err && !r->done && now(a) < until) {
		err = a->be->test(a->ep, r);
		if (shares && !r->done)
			sched_yield();
	}
	return err;
}

static int complete_sends(struct actor *a, struct message_slots *r)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < r->n && r->req && !err; i++)
		if (!r->req[i].done)
			err = a->be->wait(a->ep, &r->req[i]);
	return err;
}

/* ---- victims ---- */

/*
 * Sends the messages of an event. Each message begins with the number of the event. Returns ST_OK
 * or another ST_*.
 */
INLINE int send_event(struct actor *a, uint64_t number, const uint32_t messages)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < messages && !err; i++)
		err = send_from_ring(a, &a->out, a->partner, &number, sizeof(number),
				     a->args.victim_size);
	return err;
}

/* Receives the reply to event i and stores the time of its end. Returns ST_OK or another ST_*. */
INLINE int receive_reply(struct actor *a, size_t i)
{
	uint64_t number;

	memcpy(&number, next_receive_buf(a), sizeof(number));
	a->did.checked++;
	a->did.errors += number != i;
	a->events[i].ended = now(a);
	a->nended++;
	return release_buffer(a, a->args.victim_size);
}

/* Closed loop: an event begins when the previous event has ended. */
INLINE int run_closed_loop(struct actor *a, const uint32_t messages)
{
	for (double t = now(a); t < a->end && a->nevents < a->room; t = now(a)) {
		size_t i = a->nevents++;

		a->events[i].due = a->events[i].sent = t;
		if (send_event(a, i, messages) || a->be->wait(a->ep, next_receive(a)) ||
		    receive_reply(a, i))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Open loop: events begin at times that were drawn before the epoch. */
INLINE int run_open_loop(struct actor *a, const uint32_t messages)
{
	size_t sent = 0, backlog, due = 0;

	for (double t = now(a), until; t < a->end; t = now(a)) {
		bool more;

		while (due < a->nevents && a->events[due].due <= t)
			due++;
		backlog = due - a->nended;
		if (backlog > a->did.backlog_most)
			a->did.backlog_most = backlog;
		more = sent - a->nended < a->args.outstanding;
		if (sent < due && more) {
			a->events[sent].sent = t;
			if (send_event(a, sent, messages))
				return ST_FAILED;
			sent++;
			continue;
		}
		until = sent < a->nevents && more ? fmin(a->events[sent].due, a->end) : a->end;
		if (wait_until(a, next_receive(a), until))
			return ST_FAILED;
		if (next_receive(a)->done && receive_reply(a, a->nended))
			return ST_FAILED;
	}
	a->did.unanswered = due - a->nended;
	for (size_t i = a->nended; i < sent; i++, a->in.taken++)
		if (a->be->wait(a->ep, next_receive(a)) || post_receive(a, a->args.victim_size))
			return ST_FAILED;
	return ST_OK;
}

INLINE int answer_events(struct actor *a, const uint32_t messages)
{
	size_t len = a->args.victim == VICTIM_BANDWIDTH ? LOAD_VICTIM_LEAST : a->args.victim_size;

	for (;;) {
		uint64_t number = 0;

		for (uint32_t i = 0; i < messages; i++) {
			if (a->be->wait(a->ep, next_receive(a)))
				return ST_FAILED;
			memcpy(&number, next_receive_buf(a), sizeof(number));
			if (release_buffer(a, a->args.victim_size))
				return ST_FAILED;
			if (number == MARK)
				return ST_OK;
		}
		if (send_from_ring(a, &a->out, a->partner, &number, sizeof(number), len))
			return ST_FAILED;
	}
}

INLINE int run_victim(struct actor *a, const uint32_t messages)
{
	int err;

	if (a->role == LOAD_ROLE_ANSWERER)
		return answer_events(a, messages);
	err = a->args.rate > 0 ? run_open_loop(a, messages) : run_closed_loop(a, messages);
	return err ? err : send_event(a, MARK, 1);	/* the mark stops the answering victim */
}

/* ---- aggressors ---- */

/* An aggressor's messages in flight, and the marks that it has received. */
struct aggressor_state {
	uint64_t sent, in_flight;
	int marks;		/* marks received from ranks that send here */
};

INLINE int send_pattern_message(struct actor *a, struct aggressor_state *p)
{
	const struct cast *c = a->args.cast;
	int to = cast_receiver(c, a->args.patterns, a->place, p->sent);
	struct head head = { p->sent++, (uint64_t)a->rank };

	p->in_flight++;
	return send_from_ring(a, &a->out, c->aggressor[to], &head, sizeof(head),
			      a->args.aggressor_size);
}

/*
 * Handles a received message: an acknowledgement, a mark, or data. Data is acknowledged. Returns
 * ST_OK or another ST_*.
 */
INLINE int handle_message(struct actor *a, struct aggressor_state *p)
{
	const struct request *r = next_receive(a);
	double t = now(a);
	struct head head;
	char ack = 1;

	if (r->len == ACK) {
		p->in_flight--;
		return release_buffer(a, a->args.aggressor_size);
	}
	memcpy(&head, next_receive_buf(a), sizeof(head));
	if (head.number == MARK) {
		p->marks++;
		return release_buffer(a, a->args.aggressor_size);
	}
	a->did.checked++;
	a->did.errors += head.from != (uint64_t)r->peer || r->len != a->args.aggressor_size;
	if (t >= a->counted && t < a->end)
		a->did.bytes += (double)r->len;
	if (send_from_ring(a, &a->acks, r->peer, &ack, sizeof(ack), ACK))
		return ST_FAILED;
	return release_buffer(a, a->args.aggressor_size);
}

/*
 * Sends until the end of the epoch: at the drawn times if `paced`, else whenever the window allows.
 * Handles all messages that arrive. Returns ST_OK or another ST_*.
 */
INLINE int send_until_end(struct actor *a, struct aggressor_state *p, const bool paced)
{
	bool sends = cast_sends_any(a->args.cast, a->args.patterns, a->place);
	uint32_t most = paced ? count_slots(&a->args) : a->args.window;

	for (double t = now(a), until; t < a->end; t = now(a)) {
		bool more = sends && p->in_flight < most && (!paced || p->sent < a->ndue);

		if (more && (!paced || a->due[p->sent] <= t)) {
			if (paced)
				a->did.late_s = fmax(a->did.late_s, t - a->due[p->sent]);
			if (send_pattern_message(a, p))
				return ST_FAILED;
			continue;
		}
		until = more ? fmin(a->due[p->sent], a->end) : a->end;
		if (wait_until(a, next_receive(a), until))
			return ST_FAILED;
		if (next_receive(a)->done && handle_message(a, p))
			return ST_FAILED;
	}
	return ST_OK;
}

static int run_aggressor(struct actor *a)
{
	const struct cast *c = a->args.cast;
	struct aggressor_state p = { .sent = 0 };
	struct head mark = { MARK, (uint64_t)a->rank };
	int senders = 0, err;

	for (int i = 0; i < c->naggressors; i++)
		senders += cast_sends(c, a->args.patterns, i, a->place);
	err = a->epoch.gap_s > 0 ? send_until_end(a, &p, true) : send_until_end(a, &p, false);
	for (int i = 0; i < c->naggressors && !err; i++)
		if (cast_sends(c, a->args.patterns, a->place, i))
			err = send_from_ring(a, &a->out, c->aggressor[i], &mark, sizeof(mark),
					     sizeof(mark));
	while (!err && (p.marks < senders || p.in_flight)) {
		err = a->be->wait(a->ep, next_receive(a));
		if (!err)
			err = handle_message(a, &p);
	}
	return err;
}

/* ---- epochs ---- */

void load_set_epoch(void *state, const struct load_epoch *epoch)
{
	((struct actor *)state)->epoch = *epoch;
}

static bool takes_part(const struct actor *a)
{
	if (a->role == LOAD_ROLE_IDLE)
		return false;
	return a->role == LOAD_ROLE_AGGRESSOR ? a->epoch.aggressors : a->epoch.victims;
}

/* Draws the gap until the next event or message, as a multiple of the mean gap. */
static double draw_gap(struct rng *rng, bool periodic)
{
	if (periodic)
		return 1;
	return -log(1 - (double)(rng_next(rng) >> 11) * 0x1p-53);
}

/* Draws the times of a victim's events, in ticks from the begin of the epoch. */
static void draw_events(struct actor *a, struct rng *rng)
{
	double gap = 1 / a->args.rate / a->ep->tick_s, end = a->args.epoch_s / a->ep->tick_s;

	for (double t = gap * draw_gap(rng, a->args.victims_periodic);
	     t < end && a->nevents < a->room; t += gap * draw_gap(rng, a->args.victims_periodic))
		a->events[a->nevents++].due = t;
}

/*
 * Draws the times of an aggressor's messages, in ticks from the begin of the epoch. Returns 0, or
 * -1 without memory.
 */
static int draw_messages(struct actor *a, struct rng *rng)
{
	double planned = a->args.epoch_s / a->epoch.gap_s;
	size_t room = (size_t)(planned + 10 * sqrt(planned) + 16);
	double gap = a->epoch.gap_s / a->ep->tick_s, end = a->args.epoch_s / a->ep->tick_s;

	free(a->due);
	a->due = malloc(room * sizeof(*a->due));
	if (!a->due)
		return -1;
	for (double t = gap * draw_gap(rng, a->args.aggressors_periodic); t < end && a->ndue < room;
	     t += gap * draw_gap(rng, a->args.aggressors_periodic))
		a->due[a->ndue++] = t;
	return 0;
}

static int arm_actor(void *state, uint64_t loops)
{
	struct actor *a = state;
	bool presses = a->role == LOAD_ROLE_AGGRESSOR;
	struct rng rng;
	int err = ST_OK;

	a->did = (struct load_outcome){ 0 };
	a->nevents = a->nended = a->ndue = 0;
	if (!takes_part(a))
		return ST_OK;
	rng_seed(&rng, a->args.seed ^ (a->epoch.number + 1) << 24 ^ (uint64_t)a->rank << 44);
	if (a->role == LOAD_ROLE_ASKER && a->args.rate > 0)
		draw_events(a, &rng);
	if (presses && a->epoch.gap_s > 0 && draw_messages(a, &rng))
		return error_report("no memory for the instants of an epoch");
	a->in.posted = a->in.taken = 0;
	for (uint32_t i = 0; i < a->in.n && !err; i++)
		err = post_receive(a, presses ? a->args.aggressor_size : a->args.victim_size);
	return err;
}

static int run_load_epoch(void *state, double *stamps, double *seconds)
{
	struct actor *a = state;
	double length = a->args.epoch_s / a->ep->tick_s;
	int err = ST_OK;

	a->begin = now(a);
	a->counted = a->begin + LOAD_SETTLES * length;
	a->end = a->begin + length;
	/* the drawn times count from the begin of the epoch */
	for (size_t i = 0; i < a->nevents; i++)
		a->events[i].due += a->begin;
	for (size_t i = 0; i < a->ndue; i++)
		a->due[i] += a->begin;
	if (takes_part(a) && a->role == LOAD_ROLE_AGGRESSOR)
		err = run_aggressor(a);
	else if (takes_part(a) && a->args.victim == VICTIM_BANDWIDTH)
		err = run_victim(a, a->args.victim_window);
	else if (takes_part(a))
		err = run_victim(a, 1);
	*seconds = (now(a) - a->begin) * a->ep->tick_s;
	if (!err)
		err = complete_sends(a, &a->out);
	return err ? err : complete_sends(a, &a->acks);
}

int load_complete_receives(void *state)
{
	struct actor *a = state;
	const struct cast *c = a->args.cast;
	struct head head = { MARK, (uint64_t)a->rank };
	bool presses = a->role == LOAD_ROLE_AGGRESSOR;
	size_t len = presses ? sizeof(head) : LOAD_VICTIM_LEAST;
	int err = ST_OK, to;

	if (!takes_part(a))
		return ST_OK;
	to = presses ? c->aggressor[(a->place + 1) % c->naggressors] : a->partner;
	for (uint32_t i = 0; i < a->in.n && !err; i++) {
		err = send_from_ring(a, &a->out, to, &head, len, len);
		if (!err)
			err = a->be->wait(a->ep, &a->in.req[a->in.taken++ % a->in.n]);
	}
	return err ? err : complete_sends(a, &a->out);
}

/* ---- collecting the measurements ---- */

/* Returns whether a time is within the counted part of the epoch. */
static bool is_in_counted_part(const struct actor *a, double t)
{
	return t >= a->counted && t < a->end;
}

/*
 * Returns the number of sends that were late: delayed by more than LATE times the median of the n
 * latencies (s).
 */
static uint64_t count_late(const struct actor *a, const double *latency, size_t n)
{
	double *copy = malloc((n + 1) * sizeof(*copy)), most;
	uint64_t late = 0;

	if (!copy || !n) {
		free(copy);
		return 0;
	}
	memcpy(copy, latency, n * sizeof(*copy));
	most = LATE * median(copy, n) / a->ep->tick_s;
	free(copy);
	for (size_t i = 0; i < a->nended; i++)
		late += is_in_counted_part(a, a->events[i].due) &&
			a->events[i].sent - a->events[i].due > most;
	return late;
}

/* Converts ticks to s, rounded to whole picoseconds, so that equal durations give equal numbers. */
static double to_whole_ps(const struct actor *a, double ticks)
{
	return round(ticks * a->ep->tick_s * 1e12) * 1e-12;
}

int load_collect(void *state, struct load_outcome *did, struct series *latency,
		 struct series *service)
{
	struct actor *a = state;
	size_t first = latency->n;
	int err = 0;

	/* if there was no room for more events, the counted part ended with the last event */
	if (a->role == LOAD_ROLE_ASKER && !(a->args.rate > 0) && a->nended == a->room)
		a->end = a->events[a->room - 1].ended;
	for (size_t i = 0; i < a->nevents; i++)
		a->did.due += is_in_counted_part(a, a->events[i].due);
	for (size_t i = 0; i < a->nended && !err; i++) {
		const struct event *e = &a->events[i];

		a->did.ended += is_in_counted_part(a, e->ended);
		if (is_in_counted_part(a, e->due))
			err = series_push(latency, to_whole_ps(a, e->ended - e->due)) ||
			      series_push(service, to_whole_ps(a, e->ended - e->sent));
	}
	if (a->role == LOAD_ROLE_ASKER && !err)
		a->did.late_sends = count_late(a, latency->s + first, latency->n - first);
	a->did.counted_s = (a->end - a->counted) * a->ep->tick_s;
	a->did.late_s *= a->ep->tick_s;
	*did = a->did;
	return err ? -1 : 0;
}

/* ---- the program ---- */

static int count_ranks(const void *args)
{
	const struct load_args *a = args;

	return a->cast ? a->cast->ranks : 0;
}

static uint64_t always_one(const void *args)
{
	return 1;
}

static double longest_epoch(const void *args, double message_s)
{
	const struct load_args *a = args;

	return 2 * a->epoch_s + 10 * DEPTH * message_s;
}

static bool is_timed(const void *args, int rank)
{
	return true;
}

/* Reports no checks and no errors, because the outcome of each epoch already has them. */
static uint64_t report_no_verdict(void *state, uint64_t *errors)
{
	*errors = 0;
	return 0;
}

static void *make_no_tally(struct session *s, void *state)
{
	return NULL;
}

static const struct program load_program = {
	.ranks = count_ranks,
	.messages = always_one,
	.steady = always_one,
	.longest = longest_epoch,
	.buffers = count_buffers,
	.most_buffers = buffers_of_any_role,
	.is_timed = is_timed,
	.open = open_actor,
	.arm = arm_actor,
	.run = run_load_epoch,
	.verdict = report_no_verdict,
	.tally = make_no_tally,
	.close = close_actor,
};

const struct pattern pattern_load = {
	.name = "load", .needs = CAP_PAIR | CAP_MSG | CAP_ANY, .program = &load_program,
};
