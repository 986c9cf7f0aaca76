/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/uplinks.h"

#include <stdlib.h>

#include "base/heap.h"

/* Offsets that make the numbers to be hashed differ between meetings and between pairs. */
#define MEETINGS_FROM 1000003
#define SENDERS_APART 65536

/*
 * Messages that reach links one after the other. They all come from the same sender, or all from
 * the same uplink.
 */
struct line {
	struct crossing *first, **last;
};

/*
 * The first message of a line. x: the time at which the message's head reaches its link. sender:
 * its sender.
 */
struct front {
	double x;
	int sender;
	uint32_t line;
};

struct uplinks {
	/*
	 * leaf: number of ranks in a leaf, or on the first side. width: number of links of a leaf.
	 */
	uint32_t nranks, leaf, width;
	/* nleaves: number of leaves. nlinks: number of links on a path between two leaves. */
	uint32_t nleaves, nlinks;
	/*
	 * leg: latencies before, between and after the links of a path, ns. L: latency of a whole
	 * path, ns.
	 */
	double leg[3], L;
	double per_byte;
	enum link_hash hash;
	uint64_t seed;
	/* the time from which each link is free; first the uplinks, then the downlinks */
	double *free;
	struct line *line;		/* the lines: one for each rank, then one for each uplink */
	struct front *front;		/* heap of the lines that are not empty */
	uint32_t nfront;
	/* spare: unused crossings. through: the crossing that the latest uplinks_serve returned. */
	struct crossing *spare, *through;
};

static bool front_is_earlier(struct front a, struct front b)
{
	return a.x < b.x || (a.x <= b.x && a.sender < b.sender);
}

HEAP(fronts, struct front, front_is_earlier, HEAP_UNTRACKED)

/* ---- creating the links ---- */

/*
 * Sets the layout of the links. With two sides, the latency is L / 2 before the link and L / 2
 * after it. With leaves, the latency is L / 4 before the uplink, L / 4 between the two links, and L
 * / 2 after the downlink.
 */
static void set_layout(struct uplinks *u, const struct sharing *t, double G, double L)
{
	bool sides = t->link > 0;
	uint64_t half = t->side ? t->side : u->nranks / 2;

	u->leaf = (uint32_t)(sides ? half : t->leaf);
	u->width = t->hash == HASH_NONE ? 1 : (uint32_t)t->uplinks;
	u->nlinks = sides ? 1 : 2;
	u->nleaves = sides ? 2 : (u->nranks + u->leaf - 1) / u->leaf;
	u->leg[0] = u->leg[1] = sides ? L / 2 : L / 4;
	u->leg[2] = L / 2;
	u->L = L;
	u->per_byte = sides ? t->link * 1e9 : G / t->rate;
	if (!sides && t->hash == HASH_NONE)
		u->per_byte /= (double)t->uplinks;
	u->hash = t->hash;
}

struct uplinks *uplinks_new(const struct sharing *t, uint64_t seed, int nranks, double G, double L)
{
	struct uplinks *u = calloc(1, sizeof(*u));
	size_t nup, nlines;

	if (!u)
		return NULL;
	u->nranks = (uint32_t)nranks;
	u->seed = seed;
	set_layout(u, t, G, L);
	nup = (size_t)u->nleaves * u->width;
	nlines = (size_t)nranks + (u->nlinks > 1 ? nup : 0);
	u->free = calloc(u->nlinks * nup, sizeof(*u->free));
	u->line = calloc(nlines, sizeof(*u->line));
	u->front = calloc(nlines, sizeof(*u->front));
	if (u->free && u->line && u->front)
		return u;
	uplinks_free(u);
	return NULL;
}

static void free_list(struct crossing *c)
{
	for (struct crossing *next; c; c = next) {
		next = c->next;
		free(c);
	}
}

void uplinks_free(struct uplinks *u)
{
	if (!u)
		return;
	for (uint32_t i = 0; i < u->nfront; i++)
		free_list(u->line[u->front[i].line].first);
	free_list(u->spare);
	free(u->through);
	free(u->free);
	free(u->line);
	free(u->front);
	free(u);
}

double uplinks_first_leg(const struct uplinks *u)
{
	return u->leg[0];
}

/* ---- the path of a message ---- */

/* splitmix64 */
static uint64_t mix_bits(uint64_t x)
{
	x += 0x9e3779b97f4a7c15U;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
	x = (x ^ x >> 27) * 0x94d049bb133111ebU;
	return x ^ x >> 31;
}

void uplinks_draw(uint64_t seed, int sender, int receiver, uint64_t meeting, uint32_t width,
		  uint32_t drawn[2])
{
	uint64_t pair = (uint64_t)sender * SENDERS_APART + (uint64_t)receiver;
	uint64_t h = mix_bits(mix_bits(seed) ^ mix_bits(pair) ^ mix_bits(meeting + MEETINGS_FROM));

	drawn[0] = (uint32_t)(h % width);
	drawn[1] = (uint32_t)((h >> 32) % width);
}

static uint32_t leaf_of(const struct uplinks *u, int rank)
{
	if (u->nlinks == 1)
		return (uint32_t)rank >= u->leaf;
	return (uint32_t)rank / u->leaf;
}

/*
 * Returns the time, in ns, that a message's head takes from the moment at which its next link
 * begins to serve the message to its arrival at the receiver.
 */
static double time_to_receiver(const struct uplinks *u, const struct crossing *c)
{
	return c->n - c->at == 2 ? u->leg[1] + c->end : c->end;
}

/* ---- lines ---- */

/*
 * Adds a crossing at the end of a line. The crossing must not reach its link before any other
 * crossing of the line.
 */
static void add_to_line(struct uplinks *u, uint32_t at, struct crossing *c)
{
	struct line *l = &u->line[at];

	c->next = NULL;
	if (l->first) {
		*l->last = c;
	} else {
		l->first = c;
		fronts_push(u->front, &u->nfront, (struct front){ c->x, c->sender, at });
	}
	l->last = &c->next;
}

/* Removes and returns the crossing that reaches its link before all others. */
static struct crossing *take_first_crossing(struct uplinks *u)
{
	struct front f = u->front[0];
	struct line *l = &u->line[f.line];
	struct crossing *c = l->first;

	l->first = c->next;
	if (l->first)
		fronts_sink(u->front, u->nfront, 0,
			    (struct front){ l->first->x, l->first->sender, f.line });
	else
		fronts_pop(u->front, &u->nfront);
	return c;
}

bool uplinks_enter(struct uplinks *u, const struct crossing *c, double left, size_t bytes,
		   uint64_t meeting)
{
	uint32_t from = leaf_of(u, c->sender), to = leaf_of(u, c->receiver);
	uint32_t drawn[2] = { 0, 0 };
	struct flight *f = &c->message->flight;
	struct crossing *new = u->spare;
	double late = f->head - (left + u->L);

	if (from == to)
		return true;
	if (new)
		u->spare = new->next;
	else
		new = malloc(sizeof(*new));
	if (!new)
		return false;
	*new = *c;
	new->x = left + u->leg[0];
	new->work = (double)bytes * u->per_byte;
	new->least = f->last - f->head < new->least ? f->last - f->head : new->least;
	/* noise may have shortened the message's latency */
	new->end = u->leg[2] + late > 0 ? u->leg[2] + late : 0;
	new->at = 0;
	if (u->width > 1)
		uplinks_draw(u->seed, c->sender, c->receiver, u->hash == HASH_PAIR ? 0 : meeting,
			     u->width, drawn);
	new->n = u->nlinks;
	new->link[0] = from * u->width + drawn[0];
	new->link[1] = (u->nleaves + to) * u->width + drawn[1];
	f->head = new->x + time_to_receiver(u, new);
	c->message->crossing = true;
	add_to_line(u, (uint32_t)c->sender, new);
	return true;
}

const struct crossing *uplinks_serve(struct uplinks *u, double now, double then)
{
	double begun, remaining, *link;
	struct crossing *c;
	struct flight *f;

	if (!u->nfront || !(u->front[0].x < then || u->front[0].x <= now))
		return NULL;
	if (u->through) {
		u->through->next = u->spare;
		u->spare = u->through;
		u->through = NULL;
	}
	c = take_first_crossing(u);
	f = &c->message->flight;
	/* the head waits until the link is free; the last byte has passed the link `work` later */
	link = &u->free[c->link[c->at]];
	begun = *link > c->x ? *link : c->x;
	remaining = time_to_receiver(u, c);
	*link = begun + c->work;
	f->last = *link + remaining > f->last ? *link + remaining : f->last;
	f->head = begun + remaining;
	c->x = begun + u->leg[++c->at];
	if (c->at < c->n) {
		add_to_line(u, u->nranks + c->link[0], c);
		return c;
	}
	f->last = f->last > f->head + c->least ? f->last : f->head + c->least;
	c->message->crossing = false;
	u->through = c;
	return c;
}
