/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/farm.h"

#include <stdlib.h>

#include "measure/content.h"
#include "base/error.h"
#include "job/job.h"
#include "measure/farm_play.h"

/* Messages in flight: data packets to one receiver from each of few or of many sources, control packets. */
#define FEW 64
#define DATA_DEPTH 4
#define CONTROL_DEPTH 16

const char *const farm_role_names[] = { "supervisor", "source", "stage", "destination", NULL };

/* ---- the plan ---- */

int farm_ranks(const struct farm_plan *p)
{
	return p->sources + p->stages + p->destinations + (p->kind != FARM_PIPELINE);
}

uint64_t farm_events(const struct farm_plan *p, uint64_t loops)
{
	return p->kind == FARM_PIPELINE ? loops * (uint64_t)p->destinations : loops;
}

enum farm_role farm_role(const struct farm_plan *p, int rank)
{
	int source = rank - farm_first_source(p), destination = rank - farm_first_destination(p);

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

static void fill_packet(const struct farm *f, void *buf, int source)
{
	struct content_key key = { .seed = f->plan.seed, .src = (uint32_t)source };

	content_fill(buf, farm_carried(f), &key);
}

static void learn_sum(struct farm *f, struct box *b)
{
	size_t head = farm_head(f);

	fill_packet(f, b->buf[0], b->peer);
	b->sum = farm_sum((unsigned char *)b->buf[0] + head, farm_carried(f) - head);
	memset(b->buf[0], 0, farm_carried(f));
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

	*first = farm_first_source(p);
	if (role == FARM_DESTINATION && p->kind != FARM_PIPELINE)
		return A;
	if (role != FARM_DESTINATION && role != FARM_STAGE)
		return 0;
	i = role == FARM_STAGE ? rank - C : rank;
	from = role == FARM_STAGE ? first_feeding(i, A, B) : first_feeding(i, B, C);
	*first = role == FARM_STAGE ? farm_first_source(p) + from : C + from;
	return (role == FARM_STAGE ? first_feeding(i + 1, A, B) : first_feeding(i + 1, B, C)) - from;
}

/* To whom a rank of a pipeline sends its data. */
static int pipeline_peer(const struct farm_plan *p, int rank)
{
	int A = p->sources, B = p->stages, C = p->destinations;

	if (farm_role(p, rank) == FARM_SOURCE)
		return C + fed_by(rank - farm_first_source(p), A, B);
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
		err = farm_post(f, b);
	return err;
}

int farm_arm(struct farm *f, uint64_t loops)
{
	bool destination = f->role == FARM_DESTINATION && f->plan.kind != FARM_PIPELINE;
	int err = ST_OK;

	f->loops = loops;
	f->share = destination ? share_of(f, f->rank - farm_first_destination(&f->plan)) : loops;
	for (int i = 0; i < f->ndata_in && !err; i++)
		err = begin(f, &f->data_in[i], f->share);
	if (!err && f->control_in.depth && !(destination && f->plan.kind == FARM_PUSH))
		err = begin(f, &f->control_in, f->share);
	if (f->decided)
		memset(f->decided, 0, (size_t)f->plan.destinations * sizeof(*f->decided));
	return err;
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

int farm_run(struct farm *f, double *stamps, double *seconds)
{
	double start = f->be->now(f->ep), end;
	int err;

	f->stamps = stamps;
	err = farm_play(f, stamps != NULL);
	end = f->be->now(f->ep);
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
