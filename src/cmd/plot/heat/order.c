/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the hosts in a heat map: by name, the slowest first, or those alike side by side. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "cmd/plot/heat/heat.h"

/* Hosts that clustering takes: its time is like their number's cube. */
#define CLUSTER_MOST 1024

/* How slow each pair is, on a logarithmic scale; NaN: no value. */
struct slowness {
	size_t n;
	float *at;		/* [sender * n + receiver] */
};

static float slow_at(const struct slowness *s, size_t i, size_t j)
{
	return s->at[i * s->n + j];
}

static bool measure(struct slowness *s, const struct heat *h)
{
	const struct heat_map *m = &h->map[0];
	size_t n = h->n * h->n;

	*s = (struct slowness){ h->n, malloc((n + 1) * sizeof(*s->at)) };
	for (size_t i = 0; i < n && s->at; i++) {
		s->at[i] = m->y[i] > 0 ? logf(m->y[i]) : NAN;
		s->at[i] = m->low_is_slow ? -s->at[i] : s->at[i];
	}
	return s->at;
}

/* ---- by effect ---- */

struct ranked {
	double by;
	size_t host;
};

/* The slowest first; without a value last. */
static int by_effect(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;

	if (isnan(p->by) != isnan(q->by))
		return isnan(p->by) - isnan(q->by);
	if (p->by > q->by || p->by < q->by)
		return order_doubles(q->by, p->by);
	return (p->host > q->host) - (p->host < q->host);
}

/* The median of what a host sends or of what it receives, of which the slower counts. */
static double effect_of(const struct slowness *s, size_t host, double *room)
{
	double sent;

	for (size_t k = 0; k < s->n; k++)
		room[k] = slow_at(s, host, k);
	sent = median(room, s->n);
	for (size_t k = 0; k < s->n; k++)
		room[k] = slow_at(s, k, host);
	return fmax(sent, median(room, s->n));
}

static int rank_hosts(const struct slowness *s, size_t *order)
{
	struct ranked *ranked = calloc(s->n + 1, sizeof(*ranked));
	double *room = calloc(s->n + 1, sizeof(*room));

	for (size_t i = 0; i < s->n && ranked && room; i++)
		ranked[i] = (struct ranked){ effect_of(s, i, room), i };
	if (ranked && room)
		qsort(ranked, s->n, sizeof(*ranked), by_effect);
	for (size_t i = 0; i < s->n && ranked && room; i++)
		order[i] = ranked[i].host;
	free(room);
	free(ranked);
	return ranked && room ? ST_OK : error_report("no memory for an order of hosts");
}

/* ---- by clusters ---- */

/* Hierarchical clustering by average linkage; a cluster is called by the first of its hosts. */
struct clusters {
	size_t n;
	float *apart;			/* [a * n + b]: how unlike two are */
	size_t *size;			/* 0: it is in another */
	size_t *last, *next;		/* the hosts of each in order, from the first */
	size_t *chain, nchain;		/* each nearest to the one before it */
};

/* The mean difference of two hosts with all others, in both directions. */
static float unlike(const struct slowness *s, size_t i, size_t j)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++) {
		float sent = fabsf(slow_at(s, i, k) - slow_at(s, j, k));
		float received = fabsf(slow_at(s, k, i) - slow_at(s, k, j));

		if (k == i || k == j)
			continue;
		sum += isnan(sent) ? 0 : sent;
		sum += isnan(received) ? 0 : received;
		n += !isnan(sent) + !isnan(received);
	}
	return n ? (float)(sum / (double)n) : FLT_MAX / 4;
}

static size_t nearest(const struct clusters *c, size_t a)
{
	size_t before = c->nchain > 1 ? c->chain[c->nchain - 2] : a, best = before;

	for (size_t b = 0; b < c->n; b++)
		if (b != a && c->size[b] &&
		    (best == a || c->apart[a * c->n + b] < c->apart[a * c->n + best]))
			best = b;
	return best;
}

static void join(struct clusters *c, size_t p, size_t q)
{
	size_t a = p < q ? p : q, b = p < q ? q : p;
	float of_a = (float)c->size[a], of_b = (float)c->size[b];

	for (size_t k = 0; k < c->n; k++) {
		float *ak = &c->apart[a * c->n + k];

		*ak = (of_a * *ak + of_b * c->apart[b * c->n + k]) / (of_a + of_b);
		c->apart[k * c->n + a] = *ak;
	}
	c->next[c->last[a]] = b;
	c->last[a] = c->last[b];
	c->size[a] += c->size[b];
	c->size[b] = 0;
}

/* Follows nearest neighbours until two are each other's, and joins these, until all are one. */
static void join_all(struct clusters *c)
{
	for (size_t left = c->n; left > 1;) {
		size_t top, to;

		if (!c->nchain) {
			for (top = 0; !c->size[top]; top++)
				;
			c->chain[c->nchain++] = top;
		}
		top = c->chain[c->nchain - 1];
		to = nearest(c, top);
		if (c->nchain > 1 && to == c->chain[c->nchain - 2]) {
			join(c, top, to);
			c->nchain -= 2;
			left--;
		} else {
			c->chain[c->nchain++] = to;
		}
	}
}

static int cluster_hosts(const struct slowness *s, size_t *order)
{
	size_t n = s->n, *room = calloc(4 * n + 1, sizeof(*room));
	struct clusters c = {
		.n = n, .apart = calloc(n * n + 1, sizeof(*c.apart)), .size = room,
		.last = room + n, .next = room + 2 * n, .chain = room + 3 * n,
	};
	int err = room && c.apart ? ST_OK : error_report("no memory for an order of hosts");

	for (size_t i = 0; i < n && !err; i++) {
		c.size[i] = 1;
		c.last[i] = i;
		for (size_t j = 0; j < i; j++)
			c.apart[i * n + j] = c.apart[j * n + i] = unlike(s, i, j);
	}
	if (!err)
		join_all(&c);
	for (size_t i = 0, host = 0; i < n && !err; i++, host = c.next[host])
		order[i] = host;
	free(c.apart);
	free(room);
	return err;
}

/* ---- the order ---- */

/* Moves what stands in order[i] to i. False without memory. */
static bool permute(void *of, size_t n, size_t size, const size_t *order)
{
	char *at = of, *to = malloc(n * n * size + 1);

	for (size_t i = 0; i < n && to; i++)
		for (size_t j = 0; j < n; j++)
			memcpy(to + (i * n + j) * size, at + (order[i] * n + order[j]) * size,
			       size);
	if (to)
		memcpy(at, to, n * n * size);
	free(to);
	return to;
}

static int put_in_order(struct heat *h, const size_t *order)
{
	const char **names = calloc(h->n + 1, sizeof(*names));
	bool done = names && permute(h->failed, h->n, sizeof(*h->failed), order);

	for (size_t i = 0; i < h->nmaps && done; i++)
		done = permute(h->map[i].y, h->n, sizeof(*h->map[i].y), order);
	for (size_t i = 0; i < h->n && done; i++)
		names[i] = h->names[order[i]];
	if (!done) {
		free(names);
		return error_report("no memory for an order of hosts");
	}
	free(h->names);
	h->names = names;
	return ST_OK;
}

int heat_sort(struct heat *h, enum plot_order by)
{
	struct slowness s = { 0, NULL };
	size_t *order;
	int err = ST_OK;

	if (by == ORDER_NAME)
		return ST_OK;
	if (by == ORDER_CLUSTER && h->n > CLUSTER_MOST)
		return error_usage("'--order cluster' is of up to %d hosts, these are %zu",
				   CLUSTER_MOST, h->n);
	order = calloc(h->n + 1, sizeof(*order));
	if (!order || !measure(&s, h))
		err = error_report("no memory for an order of hosts");
	if (!err)
		err = by == ORDER_EFFECT ? rank_hosts(&s, order) : cluster_hosts(&s, order);
	err = err ? err : put_in_order(h, order);
	free(s.at);
	free(order);
	return err;
}
