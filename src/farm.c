/* SPDX-License-Identifier: Apache-2.0 */
#include "farm.h"

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "error.h"

#define INLINE static inline __attribute__((always_inline))

/* Messages in flight: data packets to one receiver from each of few or of many sources, control packets. */
#define FEW 64
#define DATA_DEPTH 4
#define CONTROL_DEPTH 16

const char *const farm_role_names[] = { "supervisor", "source", "stage", "destination", NULL };

/* A control packet: an event, and the destination that it goes to or the one that has decided. */
struct control {
	uint64_t event;
	uint32_t destination, zero;
};
_Static_assert(sizeof(struct control) == FARM_CONTROL, "control packets are of 16 bytes");

/* Messages of one length from or to one rank (or any), several of them in flight, done in order. */
struct box {
	int peer;
	size_t len;
	uint32_t depth;
	uint64_t total;			/* receives of this run */
	uint64_t posted, taken;
	struct request *req;
	void *const *buf;
	uint64_t sum;			/* of the content of the data packets that come here */
};

struct farm {
	struct endpoint *ep;
	const struct backend *be;
	struct farm_plan plan;
	size_t len;			/* of a data packet */
	enum farm_role role;
	int rank;
	void *const *bufs;		/* those not yet taken */
	uint64_t loops;
	struct box control_in, control_out, data_out;
	struct box *data_in;		/* a box for each rank that sends data here */
	int ndata_in;
	uint64_t *decided;		/* supervisor: by each destination */
	double *stamps;
	uint64_t checked, errors;
	struct farm_tally tally;
};

/* ---- the plan ---- */

int farm_ranks(const struct farm_plan *p)
{
	return p->sources + p->stages + p->destinations + (p->kind != FARM_PIPELINE);
}

uint64_t farm_events(const struct farm_plan *p, uint64_t loops)
{
	return p->kind == FARM_PIPELINE ? loops * (uint64_t)p->destinations : loops;
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

bool farm_is_timed(const struct farm_plan *p, int rank)
{
	return farm_role(p, rank) == (p->kind == FARM_PIPELINE ? FARM_DESTINATION : FARM_SUPERVISOR);
}

/* Of `from` members i, spread over `to` in order, which one i feeds; and the first that feeds j. */
static int fed_by(int i, int from, int to)
{
	return (int)((int64_t)i * to / from);
}

static int first_feeding(int j, int from, int to)
{
	return (int)(((int64_t)j * from + to - 1) / to);
}

/* Events that destination d of a push or pull farm gets. */
static uint64_t share_of(const struct farm *f, int d)
{
	uint64_t n = (uint64_t)f->plan.destinations;

	return f->loops / n + ((uint64_t)d < f->loops % n);
}

/* ---- memory ---- */

static int box_open(struct farm *f, struct box *b, int peer, size_t len, uint32_t depth)
{
	*b = (struct box){ .peer = peer, .len = len, .depth = depth, .buf = f->bufs };
	f->bufs += depth;
	b->req = calloc(depth, sizeof(*b->req));
	for (uint32_t i = 0; i < depth && b->req; i++)
		b->req[i].done = true;
	return b->req ? 0 : -1;
}

/* ---- content ---- */

static size_t carried(const struct farm *f)
{
	size_t most = f->ep->limits.content_len;

	return f->len < most ? f->len : most;
}

/* The event's number in as many bytes as there are, at the head of a packet. */
static size_t head_len(const struct farm *f)
{
	size_t len = carried(f);

	return len < sizeof(uint64_t) ? len : sizeof(uint64_t);
}

/* Every byte behind the head. */
INLINE uint64_t sum_bytes(const unsigned char *p, size_t len)
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

static void learn_sum(struct farm *f, struct box *b)
{
	size_t head = head_len(f);

	fill_packet(f, b->buf[0], b->peer);
	b->sum = sum_bytes((unsigned char *)b->buf[0] + head, carried(f) - head);
	memset(b->buf[0], 0, carried(f));
}

/* ---- messages ---- */

INLINE double now(const struct farm *f)
{
	return f->be->now(f->ep);
}

/* What has come while we were busy counts as communication, what we have to wait for as waiting. */
INLINE int wait_for(struct farm *f, struct request *r, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err = observed ? f->be->test(f->ep, r) : ST_OK;

	if (observed && r->done) {
		f->tally.communicated_s += now(f) - from;
		return err;
	}
	if (!err)
		err = f->be->wait(f->ep, r);
	if (observed)
		f->tally.waited_s += now(f) - from;
	return err;
}

/* The next message in order, or NULL if it failed. */
INLINE struct request *take(struct farm *f, struct box *b, const bool observed)
{
	struct request *r = &b->req[b->taken % b->depth];

	return wait_for(f, r, observed) ? NULL : r;
}

INLINE void *taken_buf(const struct box *b)
{
	return b->buf[b->taken % b->depth];
}

/* The message is done with; its place gets another. */
INLINE int post(struct farm *f, struct box *b)
{
	uint64_t slot = b->posted % b->depth;

	if (b->posted == b->total)
		return ST_OK;
	b->posted++;
	return f->be->irecv(f->ep, b->peer, b->buf[slot], b->len, &b->req[slot]);
}

INLINE int next(struct farm *f, struct box *b, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err;

	b->taken++;
	err = post(f, b);
	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

/* A buffer that is free to be filled and sent, or NULL if a send has failed. */
INLINE void *room(struct farm *f, struct box *b, const bool observed)
{
	uint64_t slot = b->posted % b->depth;
	double from = observed ? now(f) : 0;
	int err = b->req[slot].done ? ST_OK : f->be->wait(f->ep, &b->req[slot]);

	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err ? NULL : b->buf[slot];
}

INLINE int give(struct farm *f, struct box *b, int peer, const bool observed)
{
	uint64_t slot = b->posted++ % b->depth;
	double from = observed ? now(f) : 0;
	int err = f->be->isend(f->ep, peer, b->buf[slot], b->len, &b->req[slot]);

	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

INLINE int give_control(struct farm *f, int peer, uint64_t event, uint32_t destination, const bool observed)
{
	struct control *c = room(f, &f->control_out, observed);

	if (!c)
		return ST_FAILED;
	*c = (struct control){ event, destination, 0 };
	return give(f, &f->control_out, peer, observed);
}

INLINE int give_data(struct farm *f, int peer, uint64_t event, const bool observed)
{
	void *packet = room(f, &f->data_out, observed);

	if (!packet)
		return ST_FAILED;
	memcpy(packet, &event, head_len(f));
	return give(f, &f->data_out, peer, observed);
}

/* Until all sends are done. */
static int settle(struct farm *f, struct box *b)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < b->depth && !err; i++)
		if (!b->req[i].done)
			err = f->be->wait(f->ep, &b->req[i]);
	return err;
}

/* ---- events ---- */

/* Reads a data packet: every byte, and whether it is the right one. */
INLINE void read_packet(struct farm *f, const struct box *b, const struct request *r, uint64_t event)
{
	const unsigned char *p = taken_buf(b);
	size_t head = head_len(f);
	uint64_t sum = sum_bytes(p + head, carried(f) - head);
	bool right = r->len == f->len && sum == b->sum && !memcmp(p, &event, head);

	f->checked++;
	f->errors += !right;
}

INLINE void digest_packet(struct farm *f, const struct box *b, const struct request *r, uint64_t event,
			  const bool observed)
{
	double from = observed ? now(f) : 0, then;

	read_packet(f, b, r, event);
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

/* One packet of the event from everyone who sends here. */
INLINE int build_event(struct farm *f, uint64_t event, const bool observed)
{
	for (int i = 0; i < f->ndata_in; i++) {
		struct box *b = &f->data_in[i];
		struct request *r = take(f, b, observed);

		if (!r)
			return ST_FAILED;
		digest_packet(f, b, r, event, observed);
		if (next(f, b, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Tells those who have to know of an event: the sources, or its destination. */
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

/* A decision must come from the event's destination, and be its next. */
INLINE int take_decision(struct farm *f, const bool observed)
{
	uint64_t n = (uint64_t)f->plan.destinations;
	struct request *r = take(f, &f->control_in, observed);
	const struct control *c = taken_buf(&f->control_in);
	bool right;

	if (!r)
		return ST_FAILED;
	right = r->len == FARM_CONTROL && c->destination < n &&
		r->peer == first_destination(&f->plan) + (int)c->destination &&
		c->event == f->decided[c->destination] * n + c->destination;
	if (right)
		f->decided[c->destination]++;
	f->checked++;
	f->errors += !right;
	return next(f, &f->control_in, observed);
}

INLINE int supervise(struct farm *f, const bool observed)
{
	uint64_t sent = 0;

	for (uint64_t done = 0; done < f->loops; done++) {
		for (; sent < f->loops && sent - done < f->plan.credits; sent++)
			if (assign(f, sent, observed))
				return ST_FAILED;
		if (take_decision(f, observed))
			return ST_FAILED;
		if (observed)
			f->stamps[done + 1] = now(f);
	}
	return ST_OK;
}

/* Source of a farm: one data packet for each that is asked for, by the supervisor or by a destination. */
INLINE int serve(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		struct request *r = take(f, &f->control_in, observed);
		struct control c;

		if (!r)
			return ST_FAILED;
		c = *(const struct control *)taken_buf(&f->control_in);
		f->errors += c.destination >= (uint32_t)f->plan.destinations;
		c.destination %= (uint32_t)f->plan.destinations;
		if (next(f, &f->control_in, observed) ||
		    give_data(f, first_destination(&f->plan) + (int)c.destination, c.event, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Destination of a push farm. */
INLINE int collect(struct farm *f, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - first_destination(&f->plan));
	uint64_t n = share_of(f, (int)me);

	for (uint64_t i = 0; i < n; i++) {
		uint64_t event = i * (uint64_t)f->plan.destinations + me;

		if (build_event(f, event, observed) || give_control(f, 0, event, me, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Destination of a pull farm: it does not look for its next event before it has decided on this one. */
INLINE int fetch(struct farm *f, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - first_destination(&f->plan));
	uint64_t n = share_of(f, (int)me);

	for (uint64_t i = 0; i < n; i++) {
		struct request *r = take(f, &f->control_in, observed);
		uint64_t event;

		if (!r)
			return ST_FAILED;
		event = ((const struct control *)taken_buf(&f->control_in))->event;
		for (int s = 0; s < f->plan.sources; s++)
			if (give_control(f, first_source(&f->plan) + s, event, me, observed))
				return ST_FAILED;
		if (build_event(f, event, observed) || give_control(f, 0, event, me, observed) ||
		    next(f, &f->control_in, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Source of a pipeline. */
INLINE int feed(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++)
		if (give_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
	return ST_OK;
}

/* Stage of a pipeline, and its destination, which has none to send to. */
INLINE int relay(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		if (build_event(f, i, observed))
			return ST_FAILED;
		if (f->role == FARM_STAGE && give_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
		if (observed && f->rank == 0)
			f->stamps[i + 1] = now(f);
	}
	return ST_OK;
}

INLINE int play(struct farm *f, const bool observed)
{
	enum farm_kind kind = f->plan.kind;

	switch (f->role) {
	case FARM_SUPERVISOR:
		return supervise(f, observed);
	case FARM_SOURCE:
		return kind == FARM_PIPELINE ? feed(f, observed) : serve(f, observed);
	case FARM_DESTINATION:
		return kind == FARM_PUSH ? collect(f, observed) : kind == FARM_PULL ? fetch(f, observed) : relay(f, observed);
	case FARM_STAGE:
		return relay(f, observed);
	default:
		return ST_OK;
	}
}

/* ---- one rank's part ---- */

static uint32_t data_depth(const struct farm_plan *p)
{
	return p->sources <= FEW ? DATA_DEPTH : 1;
}

/* From how many ranks a rank gets data, and the first of them. */
static int feeders(const struct farm_plan *p, int rank, int *first)
{
	enum farm_role role = farm_role(p, rank);
	int A = p->sources, B = p->stages, C = p->destinations, from, i;

	*first = first_source(p);
	if (role == FARM_DESTINATION && p->kind != FARM_PIPELINE)
		return A;
	if (role != FARM_DESTINATION && role != FARM_STAGE)
		return 0;
	i = role == FARM_STAGE ? rank - C : rank;
	from = role == FARM_STAGE ? first_feeding(i, A, B) : first_feeding(i, B, C);
	*first = role == FARM_STAGE ? first_source(p) + from : C + from;
	return (role == FARM_STAGE ? first_feeding(i + 1, A, B) : first_feeding(i + 1, B, C)) - from;
}

/* To whom a rank of a pipeline sends its data. */
static int pipeline_peer(const struct farm_plan *p, int rank)
{
	int A = p->sources, B = p->stages, C = p->destinations;

	if (farm_role(p, rank) == FARM_SOURCE)
		return C + fed_by(rank - first_source(p), A, B);
	return fed_by(rank - C, B, C);
}

static bool sends_data(const struct farm_plan *p, int rank)
{
	return farm_role(p, rank) == FARM_SOURCE || farm_role(p, rank) == FARM_STAGE;
}

static bool has_control(const struct farm_plan *p, int rank)
{
	return p->kind != FARM_PIPELINE && farm_role(p, rank) != FARM_ROLES;
}

int farm_bufs(const struct farm_plan *p, int rank)
{
	int first;

	return feeders(p, rank, &first) * (int)data_depth(p) + (has_control(p, rank) ? 2 * CONTROL_DEPTH : 0) +
	       (sends_data(p, rank) ? DATA_DEPTH : 0);
}

int farm_most_bufs(const struct farm_plan *p)
{
	int most = 0;

	for (int r = 0; r < farm_ranks(p); r++)
		most = farm_bufs(p, r) > most ? farm_bufs(p, r) : most;
	return most;
}

static int open_control(struct farm *f)
{
	bool asked_by_many = f->role == FARM_SUPERVISOR || (f->role == FARM_SOURCE && f->plan.kind == FARM_PULL);
	uint32_t depth = f->role == FARM_DESTINATION && f->plan.kind == FARM_PULL ? 1 : CONTROL_DEPTH;
	int err = box_open(f, &f->control_in, asked_by_many ? PEER_ANY : 0, FARM_CONTROL, depth);

	return err ? err : box_open(f, &f->control_out, 0, FARM_CONTROL, CONTROL_DEPTH);
}

static int open_data(struct farm *f)
{
	int first, n = feeders(&f->plan, f->rank, &first), err = 0;

	f->data_in = calloc((size_t)n + 1, sizeof(*f->data_in));
	f->decided = calloc((size_t)f->plan.destinations, sizeof(*f->decided));
	if (!f->data_in || !f->decided)
		return -1;
	for (f->ndata_in = 0; f->ndata_in < n && !err; f->ndata_in++) {
		struct box *b = &f->data_in[f->ndata_in];

		err = box_open(f, b, first + f->ndata_in, f->len, data_depth(&f->plan));
		learn_sum(f, b);
	}
	if (!err && sends_data(&f->plan, f->rank)) {
		int peer = f->plan.kind == FARM_PIPELINE ? pipeline_peer(&f->plan, f->rank) : 0;

		err = box_open(f, &f->data_out, peer, f->len, DATA_DEPTH);
		for (uint32_t i = 0; i < DATA_DEPTH; i++)
			fill_packet(f, f->data_out.buf[i], f->rank);
	}
	return err;
}

struct farm *farm_open(struct endpoint *ep, const struct farm_plan *plan, size_t len, void *const *bufs)
{
	struct farm *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->ep = ep;
	f->be = ep->be;
	f->plan = *plan;
	f->len = len;
	f->rank = ep->job->rank;
	f->role = farm_role(plan, f->rank);
	f->bufs = bufs;
	if (open_data(f) || (has_control(plan, f->rank) && open_control(f))) {
		farm_close(f);
		return NULL;
	}
	return f;
}

void farm_close(struct farm *f)
{
	if (!f)
		return;
	for (int i = 0; i < f->ndata_in; i++)
		free(f->data_in[i].req);
	free(f->control_in.req);
	free(f->control_out.req);
	free(f->data_out.req);
	free(f->data_in);
	free(f->decided);
	free(f);
}

static int begin(struct farm *f, struct box *b, uint64_t total)
{
	int err = ST_OK;

	b->posted = b->taken = 0;
	b->total = total;
	for (uint32_t i = 0; i < b->depth && !err; i++)
		err = post(f, b);
	return err;
}

int farm_arm(struct farm *f, uint64_t loops)
{
	bool destination = f->role == FARM_DESTINATION && f->plan.kind != FARM_PIPELINE;
	int err = ST_OK;
	uint64_t mine;

	f->loops = loops;
	mine = destination ? share_of(f, f->rank - first_destination(&f->plan)) : loops;
	for (int i = 0; i < f->ndata_in && !err; i++)
		err = begin(f, &f->data_in[i], mine);
	if (!err && f->control_in.depth && !(destination && f->plan.kind == FARM_PUSH))
		err = begin(f, &f->control_in, mine);
	if (f->decided)
		memset(f->decided, 0, (size_t)f->plan.destinations * sizeof(*f->decided));
	return err;
}

int farm_run(struct farm *f, double *stamps, double *seconds)
{
	double start = now(f), end;
	int err;

	f->stamps = stamps;
	err = stamps ? play(f, true) : play(f, false);
	end = now(f);
	*seconds = (end - start) * f->ep->tick_s;
	if (stamps && f->rank == 0)
		stamps[0] = start;
	if (stamps)
		f->tally.total_s += end - start;
	err = err ? err : settle(f, &f->control_out);
	return err ? err : settle(f, &f->data_out);
}

uint64_t farm_verdict(struct farm *f, uint64_t *errors)
{
	uint64_t checked = f->checked;

	*errors = f->errors;
	f->checked = f->errors = 0;
	return checked;
}

struct farm_tally farm_tally(struct farm *f, enum farm_role *role)
{
	struct farm_tally t = f->tally;
	double tick = f->ep->tick_s;

	t.computed_s *= tick;
	t.communicated_s *= tick;
	t.waited_s *= tick;
	t.occupied_s *= tick;
	t.total_s *= tick;
	f->tally = (struct farm_tally){ 0 };
	*role = f->role;
	return t;
}

void farm_tally_add(struct farm_tally *a, const struct farm_tally *b)
{
	a->computed_s += b->computed_s;
	a->communicated_s += b->communicated_s;
	a->waited_s += b->waited_s;
	a->occupied_s += b->occupied_s;
	a->total_s += b->total_s;
	a->packets += b->packets;
}
