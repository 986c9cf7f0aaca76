/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/collective/round.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "host/cache.h"
#include "measure/collective/adding.h"
#include "measure/session.h"
#include "model/schedule/compose.h"

/* ---- memory ---- */

struct footprint collective_footprint(const struct collective *c)
{
	struct extent e = operation_extent(c->op, &c->shape, 0);
	struct footprint f = { .len = { e.in, e.out } };
	const struct composition *composed =
		c->algorithm ? composition_of(c->algorithm) : c->composed;

	if (composed)
		composition_memory(composed, &c->shape, f.len);
	if (c->algorithm)
		f.len[VECTOR_SCRATCH] = algorithm_scratch(c->algorithm, &c->shape);
	for (int i = 0; i < VECTORS; i++)
		f.all += f.len[i];
	return f;
}

#define VARIANTS_MOST 1000
/* Copies of a vector begin this many bytes apart, or a multiple of it, so no two share lines. */
#define COPIES_APART 256

static size_t copy_stride(uint64_t len)
{
	return (len + COPIES_APART - 1) / COPIES_APART * COPIES_APART;
}

uint64_t collective_max_loops(const struct collective *c)
{
	struct footprint f = collective_footprint(c);
	uint64_t all = 0, n;

	if (!c->cold)
		return UINT64_MAX;
	for (int i = 0; i < VECTORS; i++)
		all += copy_stride(f.len[i]);
	n = all ? COLD_MOST / all : VARIANTS_MOST;
	return n < 1 ? 1 : n < VARIANTS_MOST ? n : VARIANTS_MOST;
}

/*
 * Returns the largest length of each vector, over all operations of the plan that need at most
 * `most` bytes each.
 */
static struct footprint largest_vectors(const struct plan *p, uint64_t most)
{
	struct footprint all = { .all = 0 };

	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++) {
		struct footprint f = { .all = UINT64_MAX };

		if (spec->collective && !spec->cannot)
			f = collective_footprint(spec->collective);
		for (int i = 0; i < VECTORS && f.all <= most; i++) {
			uint64_t len = f.len[i];

			if (spec->collective->cold)
				len = copy_stride(len) * collective_max_loops(spec->collective);
			all.len[i] = len > all.len[i] ? len : all.len[i];
		}
	}
	for (int i = 0; i < VECTORS; i++)
		all.all += all.len[i];
	return all;
}

bool plan_has_operations(const struct plan *p)
{
	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++)
		if (spec->collective)
			return true;
	return false;
}

size_t collective_memory_size(const struct plan *p)
{
	return plan_has_operations(p) ? largest_vectors(p, COLLECTIVE_MOST).all +
						(size_t)VECTORS * 2 * BACKEND_PAGE : 0;
}

/* Allocates memory for cold caches. Returns ST_OK or ST_FAILED (reported). */
static int open_flush(struct session *s)
{
	struct vectors *v = &s->part.vectors;
	size_t share = 2 * cache_largest_size() / (size_t)s->job->local_size;

	v->flush_len = share < FLUSH_MOST ? share : FLUSH_MOST;
	v->flush = calloc(v->flush_len, 1);
	v->order = calloc(VARIANTS_MOST, sizeof(*v->order));
	return v->flush && v->order ? ST_OK : error_report("no memory for %zu bytes", v->flush_len);
}

int collective_open(struct session *s)
{
	const struct backend *be = s->ep->be;
	struct vectors *v = &s->part.vectors;
	bool whole = s->ep->limits.content_len == SIZE_MAX;
	uint64_t most = whole ? COLLECTIVE_MOST : s->ep->whole_len;
	bool cold = false;
	struct footprint f;

	if (!plan_has_operations(s->plan))
		return ST_OK;
	for (const struct spec *spec = s->plan->specs; spec < s->plan->specs + s->plan->n; spec++)
		cold |= spec->collective && spec->collective->cold;
	if (cold && open_flush(s))
		return ST_FAILED;
	f = largest_vectors(s->plan, most);
	/* the largest input and the largest result may belong to different operations */
	for (; !whole && f.all > s->ep->whole_len; f = largest_vectors(s->plan, most))
		most /= 2;
	for (int i = 0; i < VECTORS; i++) {
		bool some = whole || !f.len[i] || !be->alloc_whole;

		v->at[i] = some ? be->alloc(s->ep, f.len[i]) : be->alloc_whole(s->ep, f.len[i]);
		if (!v->at[i])
			return error_report("no memory for vectors of %llu bytes",
					    (unsigned long long)f.len[i]);
		v->len[i] = whole || be->alloc_whole ? f.len[i] : 0;
		/* after this write the pages exist, in memory near the rank */
		memset(v->at[i], 1, v->len[i]);
	}
	for (const struct spec *spec = s->plan->specs; spec < s->plan->specs + s->plan->n; spec++)
		if (spec->collective && operation_adds(spec->collective->op) && !spec->cannot &&
		    !(spec->pattern->needs & ~s->ep->caps)) {
			v->sum_s_per_B = adding_measure(s, spec->collective->reduce_op);
			break;
		}
	return ST_OK;
}

void collective_close(struct session *s)
{
	for (int i = 0; i < VECTORS; i++)
		if (s->part.vectors.at[i])
			s->ep->be->release(s->ep, s->part.vectors.at[i]);
	free(s->part.vectors.flush);
	free(s->part.vectors.order);
	free(s->part.vectors.starts);
	free(s->part.vectors.mine);
}

/* ---- rounds ---- */

/* Returns the rank that is the root of the current block. */
static int current_root(const struct session *s, const struct collective *c)
{
	return c->root == ROOT_ROTATES ? (int)(s->part.vectors.turn % c->shape.P) : c->root;
}

uint32_t collective_place(const struct session *s, const struct collective *c)
{
	uint32_t P = c->shape.P;

	return ((uint32_t)s->job->rank + P - (uint32_t)current_root(s, c)) % P;
}

/*
 * Returns the memory of a part of a vector. If the vectors are too short (hollow), all messages
 * share the first bytes of a vector.
 */
static unsigned char *span_memory(const struct vectors *v, struct span part)
{
	return v->at[part.vector] + (v->hollow ? 0 : part.at) +
	       v->copy * v->stride[part.vector];
}

static int add_move(struct session *s, const struct move *m, int root, uint32_t P)
{
	struct round *r = &s->part.round;
	unsigned char *buf = span_memory(&s->part.vectors, m->part);
	int peer = (int)((m->peer + (uint32_t)root) % P);

	switch (m->kind) {
	case MOVE_SEND: return round_add(r, OP_SEND, peer, 0, buf, m->len);
	case MOVE_RECEIVE: return round_add(r, OP_RECV, peer, 0, buf, m->len);
	case MOVE_COPY:
	case MOVE_ADD:
		return round_add_local(r, (struct local){ m->kind == MOVE_ADD, buf,
							  span_memory(&s->part.vectors, m->from),
							  m->len });
	}
	return -1;
}

/* Adds the steps of a schedule to the round. Returns 0, or non-zero if memory runs out. */
static int add_schedule(struct session *s, const struct algorithm *of, const struct shape *a,
			uint32_t place, int root)
{
	struct schedule made = { 0 };
	int err = algorithm_schedule(of, a, place, &made);

	for (uint32_t i = 0; i < made.nsteps && !err; i++) {
		uint32_t first = made.first[i], end = made.first[i + 1];

		err = first < end ? round_step(&s->part.round, 1, 1, 1) : 0;
		for (uint32_t k = first; k < end && !err; k++)
			err = add_move(s, &made.moves[k], root, a->P);
	}
	schedule_free(&made);
	return err;
}

/*
 * Adds one of the transport's own operations to the round. For an operation in place, the memory of
 * the result also holds the input. Returns 0, or non-zero if memory runs out.
 */
static int add_native(struct session *s, const struct component *one, uint32_t place, int root)
{
	const struct vectors *v = &s->part.vectors;
	bool in_place = one->shape.in_place && (!operation_has_root(one->op) || !place);
	const void *from = span_memory(v, one->in);
	void *buf = span_memory(v, one->out);

	if (in_place && one->op == OPERATION_SCATTER)
		buf = NULL;
	else if (in_place || one->op == OPERATION_BCAST)
		from = NULL;
	return round_step(&s->part.round, 1, 1, 1) ||
	       round_add_native(&s->part.round, one->op, root, from, buf, one->shape.k);
}

/* Adds the copies of a part of a composition to the round, like add_native. */
static int add_copies(struct session *s, const struct component *one)
{
	const struct vectors *v = &s->part.vectors;
	uint64_t len = one->shape.k;
	int err = round_step(&s->part.round, 1, 1, 1);

	for (uint32_t i = 0; i < one->copies && len && !err; i++)
		err = round_add_local(&s->part.round, (struct local){
			false, span_memory(v, span_after(one->out, i * len)),
			span_memory(v, one->in), len });
	return err;
}

/*
 * Adds a composition of the transport's own operations to the round. They number blocks by rank.
 * Returns 0, or non-zero if memory runs out.
 */
static int add_composed(struct session *s, const struct collective *c, uint32_t place, int root)
{
	int err = 0;

	for (uint32_t i = 0; i < c->composed->nparts && !err; i++) {
		struct component one = composition_component(c->composed, i, &c->shape, place,
							     (uint32_t)s->job->rank);

		err = one.kind == PART_OPERATION ? add_native(s, &one, place, root)
						 : add_copies(s, &one);
	}
	return err;
}

/*
 * Chooses the copies of the vectors that the variants of an operation use: as many as there are
 * loops, but at most `most`. Their order is random, so that the processor does not load a copy in
 * advance. Returns their number.
 */
static uint32_t draw_copies(struct vectors *v, uint64_t loops, uint64_t most)
{
	uint32_t n = (uint32_t)(loops < most ? loops : most);
	struct rng rng;

	rng_seed(&rng, n);
	rng_permutation(&rng, v->order, n);
	return n;
}

/* Adds a barrier to the round. Returns 0, or non-zero if memory runs out. */
static int add_barrier(struct session *s, const struct collective *c)
{
	struct shape none = { .P = c->shape.P };

	if (!c->algorithm && s->ep->natives & 1U << OPERATION_BARRIER)
		return round_step(&s->part.round, 1, 1, 1) ||
		       round_add_native(&s->part.round, OPERATION_BARRIER, 0, NULL, NULL, 0);
	return add_schedule(s, algorithm_find(OPERATION_BARRIER, "dissemination"), &none,
			    (uint32_t)s->job->rank, 0);
}

unsigned collective_natives(const struct collective *c)
{
	if (c->algorithm)
		return 0;
	return c->composed ? composition_operations(c->composed) : 1U << c->op;
}

void collective_build(struct session *s, const struct collective *c, uint64_t loops, bool head)
{
	struct vectors *v = &s->part.vectors;
	struct round *r = &s->part.round;
	struct footprint f = collective_footprint(c);
	struct component whole = { .op = c->op, .shape = c->shape, .in = span_in(0),
				   .out = span_out(0) };
	uint32_t place = collective_place(s, c);
	int root = current_root(s, c), err = 0;

	round_reset(r);
	r->timed = s->job->rank < (int)c->shape.P;
	r->block.on = true;
	r->count = loops;
	v->hollow = false;
	for (int i = 0; i < VECTORS; i++) {
		v->hollow |= f.len[i] > v->len[i];
		v->stride[i] = copy_stride(f.len[i]);
	}
	v->copy = 0;
	v->variants = 1;
	if (c->cold)
		v->variants = draw_copies(v, loops, collective_max_loops(c));
	r->block.hollow = v->hollow;
	r->block.compute_s = v->compute_s;
	r->block.max = c->reduce_op == REDUCE_MAX;
	if (!r->timed)
		return;
	r->roles = ROLE_SENDER | ROLE_RECEIVER;
	if (head)
		err = add_barrier(s, c);
	r->block.head = r->nsteps;
	for (uint32_t i = 0; i < v->variants && !err; i++) {
		v->copy = c->cold ? v->order[i] : 0;
		if (c->algorithm)
			err = add_schedule(s, c->algorithm, &c->shape, place, root);
		else
			err = c->composed ? add_composed(s, c, place, root)
					  : add_native(s, &whole, place, root);
	}
	r->block.per = c->cold ? (r->nsteps - r->block.head) / v->variants : 0;
	if (err)
		session_abort(s, error_report("no memory for a round"));
}

void collective_cool(struct session *s, const struct collective *c)
{
	struct vectors *v = &s->part.vectors;
	struct footprint f = collective_footprint(c);

	if (!c->cold)
		return;
	for (uint32_t k = 1; k < v->variants && !v->hollow; k++) {
		memcpy(v->at[VECTOR_IN] + k * v->stride[VECTOR_IN], v->at[VECTOR_IN],
		       f.len[VECTOR_IN]);
		memcpy(v->at[VECTOR_OUT] + k * v->stride[VECTOR_OUT], v->at[VECTOR_OUT],
		       f.len[VECTOR_OUT]);
	}
	if (s->part.round.stamps || c->in_a_row)
		cache_fill(v->flush, v->flush_len);
}

unsigned char *collective_last_result(const struct session *s)
{
	const struct vectors *v = &s->part.vectors;
	uint64_t last = (s->part.round.count - 1) % v->variants;

	return v->at[VECTOR_OUT] + (v->variants > 1 ? v->order[last] * v->stride[VECTOR_OUT] : 0);
}
