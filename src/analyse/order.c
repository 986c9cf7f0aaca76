/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/values.h"

/* ---- by effect ---- */

struct ranked {
	double by;
	size_t host;
};

/* Sorts the slowest host first, and hosts without a value last. */
static int compare_effects(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;
	int order = isnan(p->by) - isnan(q->by);

	if (!order)
		order = order_doubles(q->by, p->by);
	return order ? order : (p->host > q->host) - (p->host < q->host);
}

void order_by_effect(size_t *order, const float *slow, size_t n)
{
	struct ranked *ranked = memory_new(n, sizeof(*ranked));
	double *room = memory_new(n, sizeof(*room));

	/* a host's effect is its median as sender or as receiver, whichever is slower */
	for (size_t i = 0; i < n; i++) {
		double sent;

		for (size_t k = 0; k < n; k++)
			room[k] = slow[i * n + k];
		sent = median(room, n);
		for (size_t k = 0; k < n; k++)
			room[k] = slow[k * n + i];
		ranked[i] = (struct ranked){ fmax(sent, median(room, n)), i };
	}
	qsort(ranked, n, sizeof(*ranked), compare_effects);
	for (size_t i = 0; i < n; i++)
		order[i] = ranked[i].host;
	free(room);
	free(ranked);
}

/* ---- by clusters ---- */

/*
 * State of hierarchical clustering by average linkage. The number of a cluster is that of its first
 * host.
 */
struct clusters {
	size_t n;
	float *apart;			/* [a * n + b]: dissimilarity of clusters a and b */
	size_t *size; /* number of hosts; 0: the cluster has been joined to another one */
	/*
	 * the hosts of a cluster as a list: final host of each cluster, and next host of each host
	 */
	size_t *last, *next;
	/* nearest-neighbour chain: each cluster is the nearest one to the cluster before it */
	size_t *chain, nchain;
};

/*
 * Returns the mean absolute difference between the values of hosts i and j with each other host, in
 * both directions.
 */
static float mean_difference(const float *slow, size_t nhosts, size_t i, size_t j)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < nhosts; k++) {
		float sent = fabsf(slow[i * nhosts + k] - slow[j * nhosts + k]);
		float received = fabsf(slow[k * nhosts + i] - slow[k * nhosts + j]);

		if (k == i || k == j)
			continue;
		sum += isnan(sent) ? 0 : sent;
		sum += isnan(received) ? 0 : received;
		n += !isnan(sent) + !isnan(received);
	}
	return n ? (float)(sum / (double)n) : FLT_MAX / 4;
}

/*
 * Returns the cluster nearest to a. If several are equally near, prefers the cluster before a in
 * the chain.
 */
static size_t nearest_cluster(const struct clusters *c, size_t a)
{
	size_t before = c->nchain > 1 ? c->chain[c->nchain - 2] : a, best = before;

	for (size_t b = 0; b < c->n; b++)
		if (b != a && c->size[b] &&
		    (best == a || c->apart[a * c->n + b] < c->apart[a * c->n + best]))
			best = b;
	return best;
}

/* Joins two clusters; the joined cluster has the lower of their numbers. */
static void join_clusters(struct clusters *c, size_t p, size_t q)
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

/*
 * Follows nearest neighbours until two clusters are each other's nearest, and joins these two.
 * Repeats this until one cluster is left.
 */
static void join_all_clusters(struct clusters *c)
{
	for (size_t left = c->n; left > 1;) {
		size_t top, to;

		if (!c->nchain) {
			for (top = 0; !c->size[top]; top++)
				;
			c->chain[c->nchain++] = top;
		}
		top = c->chain[c->nchain - 1];
		to = nearest_cluster(c, top);
		if (c->nchain > 1 && to == c->chain[c->nchain - 2]) {
			join_clusters(c, top, to);
			c->nchain -= 2;
			left--;
		} else {
			c->chain[c->nchain++] = to;
		}
	}
}

void order_by_cluster(size_t *order, const float *slow, size_t n)
{
	size_t *room = memory_new(4 * n, sizeof(*room));
	struct clusters c = {
		.n = n, .apart = memory_new(n * n, sizeof(*c.apart)), .size = room,
		.last = room + n, .next = room + 2 * n, .chain = room + 3 * n,
	};

	for (size_t i = 0; i < n; i++) {
		c.size[i] = 1;
		c.last[i] = i;
		for (size_t j = 0; j < i; j++)
			c.apart[i * n + j] = c.apart[j * n + i] = mean_difference(slow, n, i, j);
	}
	join_all_clusters(&c);
	for (size_t i = 0, host = 0; i < n; i++, host = c.next[host])
		order[i] = host;
	free(c.apart);
	free(room);
}
