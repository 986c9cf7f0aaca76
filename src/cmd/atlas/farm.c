/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/atlas/farm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "job/job.h"
#include "measure/verify/content.h"
#include "measure/session.h"

/*
 * Limits of messages in flight: DATA_DEPTH data packets of each source, and CONTROL_DEPTH control
 * packets. With more than FEW sources, a receiver accepts only 1 data packet of each source.
 */
#define FEW 64
#define DATA_DEPTH 4
#define CONTROL_DEPTH 16

/*
 * Least number of credits. With few destinations the round trip of an event takes longer than the
 * work on it. Destinations are then busy only if there are more than DATA_DEPTH events in progress
 * for each of them.
 */
#define FEWEST_CREDITS 16

/*
 * Length of a repetition: TARGET_S seconds in real time, STEADY_LOOPS loops in virtual time. Either
 * is long enough for a steady pace.
 */
#define TARGET_S 50e-3
#define STEADY_LOOPS 1024
#define STEADY_TURNS 16 /* least number of events per destination in a repetition */

const char *const farm_role_names[] = { "supervisor", "source", "stage", "destination", NULL };

/* A control packet names an event and its destination. */
struct control {
	uint64_t event;
	uint32_t destination, zero;
};
_Static_assert(sizeof(struct control) == FARM_CONTROL && FARM_CONTROL <= PROGRAM_BUFFER,
	       "control packets fit into any buffer");

/*
 * A queue of messages of equal length that one rank sends or receives in order. The peer is one
 * rank, or any rank. Up to `depth` messages are in flight.
 */
struct box {
	int peer;
	size_t len;
	uint32_t depth;
	uint64_t total;			/* number of messages to receive in this run */
	uint64_t posted, taken;
	struct request *req;
	void *const *buf;
	uint64_t sum;			/* expected checksum of each data packet */
};

struct farm {
	struct endpoint *ep;
	const struct backend *be;
	struct farm_plan plan;
	size_t len;			/* length of a data packet, bytes */
	enum farm_role role;
	int rank;
	void *const *bufs;		/* buffers not yet given to a box */
	/* number of events of the run; number of events that this rank handles */
	uint64_t loops, share;
	struct box control_in, control_out, data_out;
	struct box *data_in;		/* one box for each rank that sends data to this rank */
	int ndata_in;
	/* Control packets received from each destination; NULL on ranks with one sender. */
	uint64_t *heard;
	double *stamps;
	uint64_t checked, errors;
	struct farm_tally tally;	/* tally of this rank, with times in ticks */
};

/* ---- the plan ---- */

uint32_t farm_credits(uint64_t destinations)
{
	uint64_t credits = DATA_DEPTH * destinations;

	return credits > FEWEST_CREDITS ? (uint32_t)credits : FEWEST_CREDITS;
}

int farm_ranks(const struct farm_plan *p)
{
	return p->sources + p->stages + p->destinations + (p->kind != FARM_PIPELINE);
}

uint64_t farm_events(const struct farm_plan *p, uint64_t loops)
{
	return p->kind == FARM_PIPELINE ? loops * (uint64_t)p->destinations : loops;
}

static int count_ranks(const void *args)
{
	return farm_ranks(args);
}

/*
 * Returns the number of messages per event. With S sources a pull farm sends 2 S + 2. A push farm
 * sends 2 S + 1, but 2 S + 2 are counted.
 */
static uint64_t count_messages(const void *args)
{
	const struct farm_plan *p = args;
	uint64_t sources = (uint64_t)p->sources;

	return p->kind == FARM_PIPELINE ? sources + (uint64_t)p->stages : 2 * sources + 2;
}

static uint64_t loops_for_steady_pace(const void *args)
{
	const struct farm_plan *p = args;
	uint64_t turns = STEADY_TURNS * (uint64_t)p->destinations;

	return p->kind == FARM_PIPELINE || turns < STEADY_LOOPS ? STEADY_LOOPS : turns;
}

static double longest_event_s(const void *args, double message_s)
{
	const struct farm_plan *p = args;

	return farm_ranks(p) * (message_s + p->occupation_s) * (double)farm_events(p, 1);
}

static int first_source(const struct farm_plan *p)
{
	return p->kind == FARM_PIPELINE ? p->destinations + p->stages : 1;
}

static int first_destination(const struct farm_plan *p)
{
	return p->kind == FARM_PIPELINE ? 0 : 1 + p->sources;
}

enum farm_role farm_role(const struct farm_plan *p, int rank)
{
	int source = rank - first_source(p), destination = rank - first_destination(p);

	if (rank >= farm_ranks(p))
		return FARM_ROLES;
	if (source >= 0 && source < p->sources)
		return FARM_SOURCE;
	if (destination >= 0 && destination < p->destinations)
		return FARM_DESTINATION;
	return p->kind == FARM_PIPELINE ? FARM_STAGE : FARM_SUPERVISOR;
}

static bool is_timed(const void *args, int rank)
{
	const struct farm_plan *p = args;
	enum farm_role timed = p->kind == FARM_PIPELINE ? FARM_DESTINATION : FARM_SUPERVISOR;

	return farm_role(p, rank) == timed;
}

/*
 * Returns the index of the first sender of receiver j. `from` senders are split evenly, in order,
 * among `to` receivers.
 */
static int first_sender_index(int j, int from, int to)
{
	return (int)(((int64_t)j * from + to - 1) / to);
}

/*
 * Returns the number of ranks that send data to `rank`. Sets *first to the lowest of these ranks.
 */
static int find_data_senders(const struct farm_plan *p, int rank, int *first)
{
	enum farm_role role = farm_role(p, rank);
	int from = p->stages, to = p->destinations, i = rank;

	*first = first_source(p);
	if (role == FARM_DESTINATION && p->kind != FARM_PIPELINE)
		return p->sources;
	if (role == FARM_STAGE) {
		i -= to;
		to = from;
		from = p->sources;
	} else if (role == FARM_DESTINATION) {
		*first = to;
	} else {
		return 0;
	}
	*first += first_sender_index(i, from, to);
	return first_sender_index(i + 1, from, to) - first_sender_index(i, from, to);
}

static uint32_t data_depth(const struct farm_plan *p)
{
	return p->sources <= FEW ? DATA_DEPTH : 1;
}

static bool sends_data(const struct farm_plan *p, int rank)
{
	return farm_role(p, rank) == FARM_SOURCE || farm_role(p, rank) == FARM_STAGE;
}

static bool exchanges_control(const struct farm_plan *p, int rank)
{
	return p->kind != FARM_PIPELINE && farm_role(p, rank) != FARM_ROLES;
}

static int count_buffers(const void *args, int rank)
{
	const struct farm_plan *p = args;
	int first, data = find_data_senders(p, rank, &first) * (int)data_depth(p);

	return data + (exchanges_control(p, rank) ? 2 * CONTROL_DEPTH : 0) +
	       (sends_data(p, rank) ? DATA_DEPTH : 0);
}

static int buffers_of_any_rank(const void *args)
{
	const struct farm_plan *p = args;
	int A = p->sources, B = p->stages, C = p->destinations, depth = (int)data_depth(p);
	int stage = B ? (A + B - 1) / B * depth + DATA_DEPTH : 0;

	/* counts the buffers of the stage or destination that has the most senders */
	if (p->kind == FARM_PIPELINE)
		return stage > (B + C - 1) / C * depth ? stage : (B + C - 1) / C * depth;
	return 2 * CONTROL_DEPTH + (A * depth > DATA_DEPTH ? A * depth : DATA_DEPTH);
}

/* ---- content ---- */

/* Returns the number of bytes of a data packet that the backend really carries. */
static inline size_t carried_len(const struct farm *f)
{
	return f->len < f->ep->limits.content_len ? f->len : f->ep->limits.content_len;
}

/*
 * Returns how many bytes at the start of a data packet hold the event's number: 8, or all bytes of
 * a shorter packet.
 */
static inline size_t event_number_len(const struct farm *f)
{
	size_t len = carried_len(f);

	return len < sizeof(uint64_t) ? len : sizeof(uint64_t);
}

/* Returns a checksum of all bytes and their positions. */
static inline uint64_t content_sum(const unsigned char *p, size_t len)
{
	uint64_t sum = 0, word;
	size_t i = 0;

	for (; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		sum += word ^ i;
	}
	for (; i < len; i++)
		sum += (uint64_t)p[i] << 8 * (i % 8);
	return sum;
}

static void fill_packet(const struct farm *f, void *buf, int source)
{
	struct content_key key = { .seed = f->plan.seed, .src = (uint32_t)source };

	content_fill(buf, carried_len(f), &key);
}

/* ---- one rank's part ---- */

static int open_box(struct farm *f, struct box *b, int peer, size_t len, uint32_t depth)
{
	*b = (struct box){ .peer = peer, .len = len, .depth = depth, .buf = f->bufs };
	f->bufs += depth;
	b->req = calloc(depth, sizeof(*b->req));
	for (uint32_t i = 0; i < depth && b->req; i++)
		b->req[i].done = true;
	return b->req ? 0 : -1;
}

static int open_control(struct farm *f)
{
	bool pull = f->plan.kind == FARM_PULL, destination = f->role == FARM_DESTINATION;
	bool from_any = f->role == FARM_SUPERVISOR || (pull && !destination);

	if (from_any)
		f->heard = calloc((size_t)f->plan.destinations, sizeof(*f->heard));
	if (from_any && !f->heard)
		return -1;
	return open_box(f, &f->control_in, from_any ? PEER_ANY : 0, FARM_CONTROL,
			pull && destination ? 1 : CONTROL_DEPTH) ||
	       open_box(f, &f->control_out, 0, FARM_CONTROL, CONTROL_DEPTH);
}

static int open_data(struct farm *f)
{
	int first, n = find_data_senders(&f->plan, f->rank, &first), peer = 0;
	int64_t A = f->plan.sources, B = f->plan.stages, C = f->plan.destinations;
	size_t head = event_number_len(f);

	f->data_in = calloc((size_t)n + 1, sizeof(*f->data_in));
	if (!f->data_in)
		return -1;
	while (f->ndata_in < n) {
		struct box *b = &f->data_in[f->ndata_in];

		if (open_box(f, b, first + f->ndata_in++, f->len, data_depth(&f->plan)))
			return -1;
		fill_packet(f, b->buf[0], b->peer);
		b->sum = content_sum((unsigned char *)b->buf[0] + head, carried_len(f) - head);
		memset(b->buf[0], 0, carried_len(f));
	}
	if (!sends_data(&f->plan, f->rank))
		return 0;
	if (f->plan.kind == FARM_PIPELINE)	/* the rank to which this rank sends its data */
		peer = (int)(f->rank < B + C ? (f->rank - C) * C / B
					     : C + (f->rank - B - C) * B / A);
	for (uint32_t i = 0; i < DATA_DEPTH; i++)
		fill_packet(f, f->bufs[i], f->rank);
	return open_box(f, &f->data_out, peer, f->len, DATA_DEPTH);
}

static void close_farm(void *part)
{
	struct farm *f = part;

	if (!f)
		return;
	for (int i = 0; i < f->ndata_in; i++)
		free(f->data_in[i].req);
	free(f->control_in.req);
	free(f->control_out.req);
	free(f->data_out.req);
	free(f->data_in);
	free(f->heard);
	free(f);
}

static void *open_farm(struct endpoint *ep, const void *args, size_t len, void *const *bufs)
{
	const struct farm_plan *plan = args;
	struct farm *f = calloc(1, sizeof(*f));
	int rank = ep->job->rank;

	if (!f)
		return NULL;
	*f = (struct farm){ .ep = ep, .be = ep->be, .plan = *plan, .len = len, .rank = rank,
			    .role = farm_role(plan, rank), .bufs = bufs };
	if (!open_data(f) && (!exchanges_control(plan, rank) || !open_control(f)))
		return f;
	close_farm(f);
	return NULL;
}

/*
 * ---- messages: compiled twice, with clock readings for observed runs and without for others ----
 */

#define INLINE static inline __attribute__((always_inline))

INLINE double now(const struct farm *f)
{
	return f->be->now(f->ep);
}

/*
 * Waits for the next message of a box. Returns its request, or NULL after a fault. The elapsed time
 * counts as communication if the message had already arrived, else as waiting.
 */
INLINE struct request *wait_message(struct farm *f, struct box *b, const bool observed)
{
	struct request *r = &b->req[b->taken % b->depth];
	double from = observed ? now(f) : 0;
	int err = observed ? f->be->test(f->ep, r) : ST_OK;
	bool arrived = observed && r->done;

	if (!err && !arrived)
		err = f->be->wait(f->ep, r);
	if (observed)
		*(arrived ? &f->tally.communicated_s : &f->tally.waited_s) += now(f) - from;
	return err ? NULL : r;
}

/*
 * Like wait_message, but for a message without which the rank has no work. The waiting time also
 * counts as starved time.
 */
INLINE struct request *wait_work(struct farm *f, struct box *b, const bool observed)
{
	double waited = observed ? f->tally.waited_s : 0;
	struct request *r = wait_message(f, b, observed);

	if (observed)
		f->tally.starved_s += f->tally.waited_s - waited;
	return r;
}

INLINE void *current_buf(const struct box *b)
{
	return b->buf[b->taken % b->depth];
}

/*
 * Posts the next receive of a box, unless all receives of the run are posted. Returns ST_OK or
 * another ST_*.
 */
INLINE int post_receive(struct farm *f, struct box *b)
{
	uint64_t slot = b->posted % b->depth;

	if (b->posted == b->total)
		return ST_OK;
	b->posted++;
	return f->be->irecv(f->ep, b->peer, b->buf[slot], b->len, &b->req[slot]);
}

/*
 * Releases the oldest message of a box. Posts the next receive into its buffer. Returns ST_OK or
 * another ST_*.
 */
INLINE int release_message(struct farm *f, struct box *b, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err;

	b->taken++;
	err = post_receive(f, b);
	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

/*
 * Waits until the next buffer of a box is free. Copies n bytes of `head` to the buffer's start,
 * then sends the buffer. Returns ST_OK or another ST_*.
 */
INLINE int send_next(struct farm *f, struct box *b, int peer, const void *head, size_t n,
		const bool observed)
{
	uint64_t slot = b->posted++ % b->depth;
	double from = observed ? now(f) : 0;
	int err = b->req[slot].done ? ST_OK : f->be->wait(f->ep, &b->req[slot]);

	if (!err) {
		memcpy(b->buf[slot], head, n);
		err = f->be->isend(f->ep, peer, b->buf[slot], b->len, &b->req[slot]);
	}
	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

INLINE int send_control(struct farm *f, int peer, uint64_t event, uint32_t destination,
			const bool observed)
{
	const struct control c = { event, destination, 0 };

	return send_next(f, &f->control_out, peer, &c, sizeof(c), observed);
}

INLINE int send_data(struct farm *f, int peer, uint64_t event, const bool observed)
{
	return send_next(f, &f->data_out, peer, &event, event_number_len(f), observed);
}

/* ---- events ---- */

/* Verifies every byte of a data packet, then keeps the processor busy for occupation_s. */
INLINE void read_packet(struct farm *f, const struct box *b, const struct request *r,
			uint64_t event, const bool observed)
{
	double from = observed ? now(f) : 0, then;
	const unsigned char *p = current_buf(b);
	size_t head = event_number_len(f);
	uint64_t sum = content_sum(p + head, carried_len(f) - head);

	f->checked++;
	f->errors += r->len != f->len || sum != b->sum || memcmp(p, &event, head) != 0;
	then = observed ? now(f) : 0;
	if (f->plan.occupation_s > 0)
		f->be->compute(f->ep, f->plan.occupation_s);
	if (observed) {
		double end = now(f);

		f->tally.computed_s += end - from;
		f->tally.occupied_s += end - then;
		f->tally.packets++;
	}
}

/*
 * Receives one packet of the event from each rank that sends data to this one. Returns ST_OK or
 * another ST_*.
 */
INLINE int receive_event(struct farm *f, uint64_t event, const bool observed)
{
	bool asked = f->plan.kind == FARM_PULL;

	for (int i = 0; i < f->ndata_in; i++) {
		struct box *b = &f->data_in[i];
		struct request *r = observed && !i && !asked ? wait_work(f, b, observed)
							     : wait_message(f, b, observed);

		if (!r)
			return ST_FAILED;
		read_packet(f, b, r, event, observed);
		if (release_message(f, b, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/*
 * Announces an event to its destination (pull farm) or to all sources (push farm). Returns ST_OK or
 * another ST_*.
 */
INLINE int announce_event(struct farm *f, uint64_t event, const bool observed)
{
	const struct farm_plan *p = &f->plan;
	uint32_t d = (uint32_t)(event % (uint64_t)p->destinations);
	int err = ST_OK;

	if (p->kind == FARM_PULL)
		return send_control(f, first_destination(p) + (int)d, event, d, observed);
	for (int s = 0; s < p->sources && !err; s++)
		err = send_control(f, first_source(p) + s, event, d, observed);
	return err;
}

/*
 * Counts a received control packet as checked. Also counts an error unless the packet names the
 * expected event and destination.
 */
INLINE void check_control(struct farm *f, const struct request *r, uint64_t event,
			  uint32_t destination)
{
	const struct control *c = current_buf(&f->control_in);

	f->checked++;
	f->errors += r->len != FARM_CONTROL || c->event != event || c->destination != destination;
}

/*
 * Returns the index of the destination that sent a control packet, or -1 if a rank of another role
 * sent it.
 */
INLINE int sender_destination(const struct farm *f, const struct request *r)
{
	int d = r->peer - first_destination(&f->plan);

	return d < f->plan.destinations && d >= 0 ? d : -1;
}

/* Returns the event that the next control packet of destination d must name. */
INLINE uint64_t expected_event(struct farm *f, int d)
{
	return f->heard[d]++ * (uint64_t)f->plan.destinations + (uint64_t)d;
}

/*
 * Receives a destination's decision. `starved` means that the supervisor has no credit left until
 * the decision arrives. Returns ST_OK or another ST_*.
 */
INLINE int receive_decision(struct farm *f, bool starved, const bool observed)
{
	struct request *r = observed && starved ? wait_work(f, &f->control_in, observed)
						: wait_message(f, &f->control_in, observed);
	int d = r ? sender_destination(f, r) : -1;

	if (!r)
		return ST_FAILED;
	if (d >= 0) {
		check_control(f, r, expected_event(f, d), (uint32_t)d);
	} else {	/* the sender is not a destination */
		f->checked++;
		f->errors++;
	}
	return release_message(f, &f->control_in, observed);
}

INLINE int run_supervisor(struct farm *f, const bool observed)
{
	uint64_t sent = 0;

	for (uint64_t done = 0; done < f->loops; done++) {
		for (; sent < f->loops && sent - done < f->plan.credits; sent++)
			if (announce_event(f, sent, observed))
				return ST_FAILED;
		if (receive_decision(f, sent < f->loops, observed))
			return ST_FAILED;
		if (observed)
			f->stamps[done + 1] = now(f);
	}
	return ST_OK;
}

/*
 * Runs a source of a push or pull farm: it sends one data packet for each request. After a wrong
 * request it still sends the packet that was due, so that no rank waits for ever. Returns ST_OK or
 * another ST_*.
 */
INLINE int run_source(struct farm *f, const bool pull, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		struct request *r = wait_message(f, &f->control_in, observed);
		int d = (int)(i % (uint64_t)f->plan.destinations);
		uint64_t event = i;

		if (!r)
			return ST_FAILED;
		if (pull && (d = sender_destination(f, r)) < 0)
			return error_report("rank %d got a request from rank %d, which is not a "
					    "destination", f->rank, r->peer);
		if (pull)
			event = expected_event(f, d);
		check_control(f, r, event, (uint32_t)d);
		if (release_message(f, &f->control_in, observed) ||
		    send_data(f, first_destination(&f->plan) + d, event, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/*
 * Runs a destination of a push or pull farm. In a pull farm it starts its next event only after it
 * has sent its decision. Returns ST_OK or another ST_*.
 */
INLINE int run_destination(struct farm *f, const bool pull, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - first_destination(&f->plan));

	for (uint64_t i = 0; i < f->share; i++) {
		struct request *r = pull ? wait_work(f, &f->control_in, observed) : NULL;
		uint64_t event = i * (uint64_t)f->plan.destinations + me;

		if (pull && !r)
			return ST_FAILED;
		if (pull)
			check_control(f, r, event, me);
		for (int s = 0; pull && s < f->plan.sources; s++)
			if (send_control(f, first_source(&f->plan) + s, event, me, observed))
				return ST_FAILED;
		if (receive_event(f, event, observed) || send_control(f, 0, event, me, observed))
			return ST_FAILED;
		if (pull && release_message(f, &f->control_in, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Runs a rank of a pipeline. Returns ST_OK or another ST_*. */
INLINE int run_pipeline_rank(struct farm *f, const bool receives, const bool sends,
			     const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		if (receives && receive_event(f, i, observed))
			return ST_FAILED;
		if (sends && send_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
		if (!sends && observed && f->rank == 0)
			f->stamps[i + 1] = now(f);
	}
	return ST_OK;
}

INLINE int run_role(struct farm *f, const bool observed)
{
	enum farm_kind kind = f->plan.kind;

	switch (f->role) {
	case FARM_SUPERVISOR:
		return run_supervisor(f, observed);
	case FARM_SOURCE:
		return kind == FARM_PIPELINE ? run_pipeline_rank(f, false, true, observed)
		       : kind == FARM_PULL   ? run_source(f, true, observed)
					     : run_source(f, false, observed);
	case FARM_STAGE:
		return run_pipeline_rank(f, true, true, observed);
	case FARM_DESTINATION:
		return kind == FARM_PUSH   ? run_destination(f, false, observed)
		       : kind == FARM_PULL ? run_destination(f, true, observed)
					   : run_pipeline_rank(f, true, false, observed);
	default:
		return ST_OK;
	}
}

/* ---- runs ---- */

static int post_first_receives(struct farm *f, struct box *b)
{
	int err = ST_OK;

	b->posted = b->taken = 0;
	b->total = f->share;
	for (uint32_t i = 0; i < b->depth && !err; i++)
		err = post_receive(f, b);
	return err;
}

static int prepare_farm_run(void *part, uint64_t loops)
{
	struct farm *f = part;
	bool destination = f->role == FARM_DESTINATION && f->plan.kind != FARM_PIPELINE;
	uint64_t n = (uint64_t)f->plan.destinations;
	int err = ST_OK;

	f->loops = f->share = loops;
	if (destination)
		f->share = loops / n +
			   ((uint64_t)(f->rank - first_destination(&f->plan)) < loops % n);
	for (int i = 0; i < f->ndata_in && !err; i++)
		err = post_first_receives(f, &f->data_in[i]);
	if (!err && f->control_in.depth && !(destination && f->plan.kind == FARM_PUSH))
		err = post_first_receives(f, &f->control_in);
	if (f->heard)
		memset(f->heard, 0, n * sizeof(*f->heard));
	return err;
}

static int complete_sends(struct farm *f, struct box *b)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < b->depth && !err; i++)
		if (!b->req[i].done)
			err = f->be->wait(f->ep, &b->req[i]);
	return err;
}

/*
 * Runs all events of one repetition. Verifies source, event and content of every packet it
 * receives. A wrong control packet counts as an error, and the run goes on as if the packet had
 * been right. Returns ST_OK or another ST_*.
 */
static int run_farm_epoch(void *part, double *stamps, double *seconds)
{
	struct farm *f = part;
	double start = now(f), end;
	int err;

	f->stamps = stamps;
	err = stamps ? run_role(f, true) : run_role(f, false);
	end = now(f);
	*seconds = (end - start) * f->ep->tick_s;
	if (stamps && f->rank == 0)
		stamps[0] = start;
	if (stamps)
		f->tally.total_s += end - start;
	if (!err)
		err = complete_sends(f, &f->control_out);
	return err ? err : complete_sends(f, &f->data_out);
}

/*
 * Returns the number of checked data and control packets. Sets *errors to the number of wrong
 * packets.
 */
static uint64_t collect_check_counts(void *part, uint64_t *errors)
{
	struct farm *f = part;
	uint64_t checked = f->checked;

	*errors = f->errors;
	f->checked = f->errors = 0;
	return checked;
}

static void add_scaled_tally(struct farm_tally *a, const struct farm_tally *b, double scale)
{
	a->computed_s += b->computed_s * scale;
	a->communicated_s += b->communicated_s * scale;
	a->waited_s += b->waited_s * scale;
	a->occupied_s += b->occupied_s * scale;
	a->starved_s += b->starved_s * scale;
	a->total_s += b->total_s * scale;
	a->packets += b->packets;
}

/* ---- tallies ---- */

/* One rank's times and packets since the previous call of gather_tallies. */
struct rank_tally {
	struct farm_tally did;
	enum farm_role role;
};

static void *gather_tallies(struct session *s, void *part)
{
	struct farm *f = part;
	struct rank_tally mine = { .role = f->role };
	const struct rank_tally *all;
	struct farm_tally *roles;
	double longest_s = 0;

	add_scaled_tally(&mine.did, &f->tally, f->ep->tick_s);
	f->tally = (struct farm_tally){ 0 };
	all = session_gather(s, &mine, sizeof(mine));

	if (!session_is_root(s))
		return NULL;
	roles = calloc(FARM_ROLES, sizeof(*roles));
	if (!roles)
		session_abort(s, error_report("no memory for a farm"));
	for (int r = 0; r < s->job->size; r++)
		longest_s = fmax(longest_s, all[r].did.total_s);
	for (int r = 0; r < s->job->size; r++) {
		struct farm_tally did = all[r].did;

		/* a rank that ended early waited for the slowest rank */
		did.waited_s += longest_s - did.total_s;
		did.starved_s += longest_s - did.total_s;
		did.total_s = longest_s;
		if (all[r].role != FARM_ROLES)
			add_scaled_tally(&roles[all[r].role], &did, 1);
	}
	return roles;
}

static void add_tallies(void *all, const void *more)
{
	struct farm_tally *roles = all;
	const struct farm_tally *visit = more;

	for (int i = 0; i < FARM_ROLES; i++)
		add_scaled_tally(&roles[i], &visit[i], 1);
}

const struct program farm_program = {
	.target_s = TARGET_S,
	.ranks = count_ranks,
	.messages = count_messages,
	.steady = loops_for_steady_pace,
	.longest = longest_event_s,
	.buffers = count_buffers,
	.most_buffers = buffers_of_any_rank,
	.is_timed = is_timed,
	.open = open_farm,
	.arm = prepare_farm_run,
	.run = run_farm_epoch,
	.verdict = collect_check_counts,
	.tally = gather_tallies,
	.add = add_tallies,
	.close = close_farm,
};

#define FARM(words) \
	{ .name = words, .needs = CAP_PAIR | CAP_MSG | CAP_ANY, .program = &farm_program }

const struct pattern pattern_push = FARM("push farm");
const struct pattern pattern_pull = FARM("pull farm");
const struct pattern pattern_pipeline = FARM("pipeline");
