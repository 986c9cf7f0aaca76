/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/atlas/farm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "job/job.h"
#include "measure/verify/content.h"
#include "measure/session.h"

/* Messages in flight: data packets of each source (1 for more than FEW), and control packets. */
#define FEW 64
#define DATA_DEPTH 4
#define CONTROL_DEPTH 16

/* Credits of a farm with few destinations: an event's round trip takes longer than its work. */
#define FEWEST_CREDITS 16

/* Length of a repetition, and its loops in virtual time: enough for a steady pace. */
#define TARGET_S 50e-3
#define STEADY_LOOPS 1024
#define STEADY_TURNS 16		/* of each destination that a supervisor gives events, at least */

const char *const farm_role_names[] = { "supervisor", "source", "stage", "destination", NULL };

/* A control packet: an event, and its destination. */
struct control {
	uint64_t event;
	uint32_t destination, zero;
};
_Static_assert(sizeof(struct control) == FARM_CONTROL && FARM_CONTROL <= PROGRAM_BUFFER,
	       "control packets fit into any buffer");

/* Messages of one length from or to one rank (or any), several of them in flight, in order. */
struct box {
	int peer;
	size_t len;
	uint32_t depth;
	uint64_t total;			/* receives of this run */
	uint64_t posted, taken;
	struct request *req;
	void *const *buf;
	uint64_t sum;			/* expected, of the content of each data packet */
};

struct farm {
	struct endpoint *ep;
	const struct backend *be;
	struct farm_plan plan;
	size_t len;			/* of a data packet */
	enum farm_role role;
	int rank;
	void *const *bufs;		/* buffers without a box so far */
	uint64_t loops, share;		/* events of all ranks, and of this one */
	struct box control_in, control_out, data_out;
	struct box *data_in;		/* a box for each rank that sends data here */
	int ndata_in;
	/* control packets so far from each destination; NULL on ranks with one sender */
	uint64_t *heard;
	double *stamps;
	uint64_t checked, errors;
	struct farm_tally tally;	/* in ticks */
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

/* Messages of an event. push has 2 S + 1, and counts as pull with its 2 S + 2. */
static uint64_t count_messages(const void *args)
{
	const struct farm_plan *p = args;
	uint64_t sources = (uint64_t)p->sources;

	return p->kind == FARM_PIPELINE ? sources + (uint64_t)p->stages : 2 * sources + 2;
}

static uint64_t steady_loops(const void *args)
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

/* The first member that feeds member j, where `from` members feed `to` members in order. */
static int first_feeding(int j, int from, int to)
{
	return (int)(((int64_t)j * from + to - 1) / to);
}

/* The number of ranks that send data to a rank, and the first of them. */
static int feeders(const struct farm_plan *p, int rank, int *first)
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
	*first += first_feeding(i, from, to);
	return first_feeding(i + 1, from, to) - first_feeding(i, from, to);
}

static uint32_t data_depth(const struct farm_plan *p)
{
	return p->sources <= FEW ? DATA_DEPTH : 1;
}

static bool sends_data(const struct farm_plan *p, int rank)
{
	return farm_role(p, rank) == FARM_SOURCE || farm_role(p, rank) == FARM_STAGE;
}

static bool has_control(const struct farm_plan *p, int rank)
{
	return p->kind != FARM_PIPELINE && farm_role(p, rank) != FARM_ROLES;
}

static int count_buffers(const void *args, int rank)
{
	const struct farm_plan *p = args;
	int first, data = feeders(p, rank, &first) * (int)data_depth(p);

	return data + (has_control(p, rank) ? 2 * CONTROL_DEPTH : 0) +
	       (sends_data(p, rank) ? DATA_DEPTH : 0);
}

static int count_most_buffers(const void *args)
{
	const struct farm_plan *p = args;
	int A = p->sources, B = p->stages, C = p->destinations, depth = (int)data_depth(p);
	int stage = B ? (A + B - 1) / B * depth + DATA_DEPTH : 0;

	if (p->kind == FARM_PIPELINE)	/* the stage, or the destination, with most that feed it */
		return stage > (B + C - 1) / C * depth ? stage : (B + C - 1) / C * depth;
	return 2 * CONTROL_DEPTH + (A * depth > DATA_DEPTH ? A * depth : DATA_DEPTH);
}

/* ---- content ---- */

/* Bytes of a data packet that the backend carries. */
static inline size_t carried(const struct farm *f)
{
	return f->len < f->ep->limits.content_len ? f->len : f->ep->limits.content_len;
}

/* Bytes at the head of a data packet that hold the event's number, as far as it fits. */
static inline size_t head_len(const struct farm *f)
{
	size_t len = carried(f);

	return len < sizeof(uint64_t) ? len : sizeof(uint64_t);
}

/* A sum over all bytes and their positions. */
static inline uint64_t sum_of(const unsigned char *p, size_t len)
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

	content_fill(buf, carried(f), &key);
}

/* ---- one rank's part ---- */

static int box_open(struct farm *f, struct box *b, int peer, size_t len, uint32_t depth)
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
	return box_open(f, &f->control_in, from_any ? PEER_ANY : 0, FARM_CONTROL,
			pull && destination ? 1 : CONTROL_DEPTH) ||
	       box_open(f, &f->control_out, 0, FARM_CONTROL, CONTROL_DEPTH);
}

static int open_data(struct farm *f)
{
	int first, n = feeders(&f->plan, f->rank, &first), peer = 0;
	int64_t A = f->plan.sources, B = f->plan.stages, C = f->plan.destinations;
	size_t head = head_len(f);

	f->data_in = calloc((size_t)n + 1, sizeof(*f->data_in));
	if (!f->data_in)
		return -1;
	while (f->ndata_in < n) {
		struct box *b = &f->data_in[f->ndata_in];

		if (box_open(f, b, first + f->ndata_in++, f->len, data_depth(&f->plan)))
			return -1;
		fill_packet(f, b->buf[0], b->peer);
		b->sum = sum_of((unsigned char *)b->buf[0] + head, carried(f) - head);
		memset(b->buf[0], 0, carried(f));
	}
	if (!sends_data(&f->plan, f->rank))
		return 0;
	if (f->plan.kind == FARM_PIPELINE)	/* its stage, or its destination */
		peer = (int)(f->rank < B + C ? (f->rank - C) * C / B
					     : C + (f->rank - B - C) * B / A);
	for (uint32_t i = 0; i < DATA_DEPTH; i++)
		fill_packet(f, f->bufs[i], f->rank);
	return box_open(f, &f->data_out, peer, f->len, DATA_DEPTH);
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
	if (!open_data(f) && (!has_control(plan, rank) || !open_control(f)))
		return f;
	close_farm(f);
	return NULL;
}

/* ---- messages: compiled twice, with and without the clock readings of an observed run ---- */

#define INLINE static inline __attribute__((always_inline))

INLINE double now(const struct farm *f)
{
	return f->be->now(f->ep);
}

/*
 * Takes the next message of a box in order; NULL after a fault. If the message has already arrived,
 * the time counts as communication, else as waiting.
 */
INLINE struct request *take_message(struct farm *f, struct box *b, const bool observed)
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

/* The same for a message that the rank needs to go on. */
INLINE struct request *take_work(struct farm *f, struct box *b, const bool observed)
{
	double waited = observed ? f->tally.waited_s : 0;
	struct request *r = take_message(f, b, observed);

	if (observed)
		f->tally.starved_s += f->tally.waited_s - waited;
	return r;
}

INLINE void *taken_buf(const struct box *b)
{
	return b->buf[b->taken % b->depth];
}

/* Posts the next receive of a box, if its run has one more. */
INLINE int post_receive(struct farm *f, struct box *b)
{
	uint64_t slot = b->posted % b->depth;

	if (b->posted == b->total)
		return ST_OK;
	b->posted++;
	return f->be->irecv(f->ep, b->peer, b->buf[slot], b->len, &b->req[slot]);
}

/* Gives the buffer of the message that was taken to the next receive. */
INLINE int release_taken(struct farm *f, struct box *b, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err;

	b->taken++;
	err = post_receive(f, b);
	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

/* Sends the next message of a box, whose first n bytes are `head`, once its buffer is free. */
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

INLINE int give_control(struct farm *f, int peer, uint64_t event, uint32_t destination,
			const bool observed)
{
	const struct control c = { event, destination, 0 };

	return send_next(f, &f->control_out, peer, &c, sizeof(c), observed);
}

INLINE int give_data(struct farm *f, int peer, uint64_t event, const bool observed)
{
	return send_next(f, &f->data_out, peer, &event, head_len(f), observed);
}

/* ---- events ---- */

/* Verifies every byte of a data packet, then occupies the processor. */
INLINE void read_packet(struct farm *f, const struct box *b, const struct request *r,
			uint64_t event, const bool observed)
{
	double from = observed ? now(f) : 0, then;
	const unsigned char *p = taken_buf(b);
	size_t head = head_len(f);
	uint64_t sum = sum_of(p + head, carried(f) - head);

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

/* Takes one packet of the event from each rank that sends here. */
INLINE int build_event(struct farm *f, uint64_t event, const bool observed)
{
	bool asked = f->plan.kind == FARM_PULL;

	for (int i = 0; i < f->ndata_in; i++) {
		struct box *b = &f->data_in[i];
		struct request *r = observed && !i && !asked ? take_work(f, b, observed)
							     : take_message(f, b, observed);

		if (!r)
			return ST_FAILED;
		read_packet(f, b, r, event, observed);
		if (release_taken(f, b, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Tells the sources, or the destination, of an event. */
INLINE int assign(struct farm *f, uint64_t event, const bool observed)
{
	const struct farm_plan *p = &f->plan;
	uint32_t d = (uint32_t)(event % (uint64_t)p->destinations);
	int err = ST_OK;

	if (p->kind == FARM_PULL)
		return give_control(f, first_destination(p) + (int)d, event, d, observed);
	for (int s = 0; s < p->sources && !err; s++)
		err = give_control(f, first_source(p) + s, event, d, observed);
	return err;
}

/* Counts the control packet that was taken, and whether it says what it must. */
INLINE void check_control(struct farm *f, const struct request *r, uint64_t event,
			  uint32_t destination)
{
	const struct control *c = taken_buf(&f->control_in);

	f->checked++;
	f->errors += r->len != FARM_CONTROL || c->event != event || c->destination != destination;
}

/* The destination that a control packet came from; -1 if its sender is not one. */
INLINE int destination_of(const struct farm *f, const struct request *r)
{
	int d = r->peer - first_destination(&f->plan);

	return d < f->plan.destinations && d >= 0 ? d : -1;
}

/* The event that the next control packet of a destination must be about. */
INLINE uint64_t next_event(struct farm *f, int d)
{
	return f->heard[d]++ * (uint64_t)f->plan.destinations + (uint64_t)d;
}

/* `starved`: no credit is left until this decision. */
INLINE int take_decision(struct farm *f, bool starved, const bool observed)
{
	struct request *r = observed && starved ? take_work(f, &f->control_in, observed)
						: take_message(f, &f->control_in, observed);
	int d = r ? destination_of(f, r) : -1;

	if (!r)
		return ST_FAILED;
	if (d >= 0) {
		check_control(f, r, next_event(f, d), (uint32_t)d);
	} else {	/* from a rank that decides nothing */
		f->checked++;
		f->errors++;
	}
	return release_taken(f, &f->control_in, observed);
}

INLINE int supervise(struct farm *f, const bool observed)
{
	uint64_t sent = 0;

	for (uint64_t done = 0; done < f->loops; done++) {
		for (; sent < f->loops && sent - done < f->plan.credits; sent++)
			if (assign(f, sent, observed))
				return ST_FAILED;
		if (take_decision(f, sent < f->loops, observed))
			return ST_FAILED;
		if (observed)
			f->stamps[done + 1] = now(f);
	}
	return ST_OK;
}

/*
 * A source of a push or pull farm: sends one data packet for each request. After a wrong request it
 * sends the packet of the right one, so that no other rank waits for ever.
 */
INLINE int serve(struct farm *f, const bool pull, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		struct request *r = take_message(f, &f->control_in, observed);
		int d = (int)(i % (uint64_t)f->plan.destinations);
		uint64_t event = i;

		if (!r)
			return ST_FAILED;
		if (pull && (d = destination_of(f, r)) < 0)
			return error_report("rank %d got a request from rank %d, which is not a "
					    "destination", f->rank, r->peer);
		if (pull)
			event = next_event(f, d);
		check_control(f, r, event, (uint32_t)d);
		if (release_taken(f, &f->control_in, observed) ||
		    give_data(f, first_destination(&f->plan) + d, event, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* A destination of a push or pull farm. With pull it takes its next event after its decision. */
INLINE int decide(struct farm *f, const bool pull, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - first_destination(&f->plan));

	for (uint64_t i = 0; i < f->share; i++) {
		struct request *r = pull ? take_work(f, &f->control_in, observed) : NULL;
		uint64_t event = i * (uint64_t)f->plan.destinations + me;

		if (pull && !r)
			return ST_FAILED;
		if (pull)
			check_control(f, r, event, me);
		for (int s = 0; pull && s < f->plan.sources; s++)
			if (give_control(f, first_source(&f->plan) + s, event, me, observed))
				return ST_FAILED;
		if (build_event(f, event, observed) || give_control(f, 0, event, me, observed))
			return ST_FAILED;
		if (pull && release_taken(f, &f->control_in, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* A rank of a pipeline. */
INLINE int relay(struct farm *f, const bool receives, const bool sends, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		if (receives && build_event(f, i, observed))
			return ST_FAILED;
		if (sends && give_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
		if (!sends && observed && f->rank == 0)
			f->stamps[i + 1] = now(f);
	}
	return ST_OK;
}

INLINE int play_role(struct farm *f, const bool observed)
{
	enum farm_kind kind = f->plan.kind;

	switch (f->role) {
	case FARM_SUPERVISOR:
		return supervise(f, observed);
	case FARM_SOURCE:
		return kind == FARM_PIPELINE ? relay(f, false, true, observed)
		       : kind == FARM_PULL   ? serve(f, true, observed)
					     : serve(f, false, observed);
	case FARM_STAGE:
		return relay(f, true, true, observed);
	case FARM_DESTINATION:
		return kind == FARM_PUSH   ? decide(f, false, observed)
		       : kind == FARM_PULL ? decide(f, true, observed)
					   : relay(f, true, false, observed);
	default:
		return ST_OK;
	}
}

/* ---- runs ---- */

static int begin_receives(struct farm *f, struct box *b)
{
	int err = ST_OK;

	b->posted = b->taken = 0;
	b->total = f->share;
	for (uint32_t i = 0; i < b->depth && !err; i++)
		err = post_receive(f, b);
	return err;
}

static int arm_farm(void *part, uint64_t loops)
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
		err = begin_receives(f, &f->data_in[i]);
	if (!err && f->control_in.depth && !(destination && f->plan.kind == FARM_PUSH))
		err = begin_receives(f, &f->control_in);
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
 * Verifies every packet when it is taken: source, event and content. Counts a wrong control packet,
 * and goes on as after the right one.
 */
static int run_farm_epoch(void *part, double *stamps, double *seconds)
{
	struct farm *f = part;
	double start = now(f), end;
	int err;

	f->stamps = stamps;
	err = stamps ? play_role(f, true) : play_role(f, false);
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

/* Data and control packets. */
static uint64_t take_farm_verdict(void *part, uint64_t *errors)
{
	struct farm *f = part;
	uint64_t checked = f->checked;

	*errors = f->errors;
	f->checked = f->errors = 0;
	return checked;
}

static void add_scaled(struct farm_tally *a, const struct farm_tally *b, double scale)
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

/* The tally of one rank since the last call. */
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

	add_scaled(&mine.did, &f->tally, f->ep->tick_s);
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

		/* a rank that ended earlier waited for the others */
		did.waited_s += longest_s - did.total_s;
		did.starved_s += longest_s - did.total_s;
		did.total_s = longest_s;
		if (all[r].role != FARM_ROLES)
			add_scaled(&roles[all[r].role], &did, 1);
	}
	return roles;
}

static void add_tallies(void *all, const void *more)
{
	struct farm_tally *roles = all;
	const struct farm_tally *visit = more;

	for (int i = 0; i < FARM_ROLES; i++)
		add_scaled(&roles[i], &visit[i], 1);
}

const struct program farm_program = {
	.target_s = TARGET_S,
	.ranks = count_ranks,
	.messages = count_messages,
	.steady = steady_loops,
	.longest = longest_event_s,
	.buffers = count_buffers,
	.most_buffers = count_most_buffers,
	.is_timed = is_timed,
	.open = open_farm,
	.arm = arm_farm,
	.run = run_farm_epoch,
	.verdict = take_farm_verdict,
	.tally = gather_tallies,
	.add = add_tallies,
	.close = close_farm,
};

#define FARM(words) \
	{ .name = words, .needs = CAP_PAIR | CAP_MSG | CAP_ANY, .program = &farm_program }

const struct pattern pattern_push = FARM("push farm");
const struct pattern pattern_pull = FARM("pull farm");
const struct pattern pattern_pipeline = FARM("pipeline");
