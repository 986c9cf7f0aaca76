/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/leaves.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

#define MOST_HOSTS 1024		/* with more hosts leaves_find() finds no leaves */
/* compute_mean_values() clips values at this distance below the median of a visit */
#define CLIP 1.5
#define SWEEPS 8 /* sweeps over all hosts that estimate each one's typical nearness to others */
/* clusters join if they have this share of the usual nearness; JOINS_LATENCY is for round trips */
#define JOINS 0.5
#define JOINS_LATENCY 0.65
#define HOSTS_LEAST 3		/* fewest hosts of a leaf */
#define HOSTS_SPLIT 6		/* split_clusters() splits no leaf with fewer hosts */
#define CONTRAST_LEAST 0.05
/*
 * merge_two_clusters() joins clusters if their contrast is below this share of the contrast of all
 */
#define CONTRAST_MERGED 0.3
/* drop_clusters() drops clusters if their contrast is below this share of the contrast of all */
#define CONTRAST_SHARE 0.4
/*
 * the visit kept for tests must show at least this share of the contrast of the other visits, which
 * chose the leaves
 */
#define CONTRAST_KEPT 0.5
/*
 * has_slowed_pairs(): smallest slowdown of a slowed pair, a logarithm, and smallest share of slowed
 * pairs
 */
#define SLOWED_LEAST 0.12
#define SLOWED_SHARE 0.15
/*
 * smallest contrast of leaves within a leaf: absolute, and SPLIT_SHARE relative to the outer
 * contrast
 */
#define SPLIT_LEAST 0.1
#define SPLIT_SHARE 0.25
#define HOSTS_SHARE 0.6		/* smallest share of the hosts that must be in leaves */

/*
 * x[i][j]: nearness of hosts i and j. e[i][j]: x[i][j] minus the typical nearness of i and of j to
 * other hosts.
 */
struct near {
	double *x, *e;
};

#define NONE UINT32_MAX		/* the cluster of a host that is in no cluster */

/* Clusters of hosts: of[host] is the host's cluster, or NONE; n is their number. */
struct clustering {
	uint32_t *of, n;
};

/* Allocates one number for each ordered pair of n hosts. */
static double *allocate_square(struct scratch *room, uint32_t n)
{
	return scratch_take(room, (size_t)n * n + 1, sizeof(double));
}

/*
 * Sets x[i][j] to the mean of both directions over visits `from` to `to` - 1. For round trips, sets
 * x[i][j] to the best visit's value.
 */
static void compute_mean_values(const struct matrix *m, uint32_t from, uint32_t to, double *work,
				double *x)
{
	double c[64];

	for (uint32_t v = from; v < to; v++) {
		size_t n = 0;

		for (size_t at = 0; at < (size_t)m->n * m->n; at++) {
			work[n] = m->y[matrix_at(m, v, 0, 0) + at];
			n += !isnan(work[n]);
		}
		c[v - from] = select_median(work, n);
	}
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			double sum = 0, best = -INFINITY, n = 0;

			for (uint32_t v = from; v < to; v++) {
				double y = (m->y[matrix_at(m, v, i, j)] +
					    m->y[matrix_at(m, v, j, i)]) / 2 - c[v - from];

				if (isnan(y))
					continue;
				sum += fmax(y, -CLIP);
				best = fmax(best, fmax(y, -CLIP));
				n++;
			}
			x[i * m->n + j] = x[j * m->n + i] = !n ? NAN
							    : m->symmetric ? best : sum / n;
		}
		x[i * m->n + i] = NAN;
	}
}

/* Computes the nearness of hosts from visits `from` to `to` - 1. */
static struct near compute_nearness(const struct matrix *m, uint32_t from, uint32_t to,
				    struct scratch *room)
{
	uint32_t n = m->n;
	struct near to_fill = { allocate_square(room, n), allocate_square(room, n) };
	double *host = scratch_take(room, n, sizeof(*host));
	double *work = allocate_square(room, n);

	compute_mean_values(m, from, to, work, to_fill.x);
	for (uint32_t k = 0; k < SWEEPS * n; k++) {
		uint32_t i = k % n, values = 0;

		for (uint32_t j = 0; j < n; j++) {
			work[values] = to_fill.x[i * n + j] - host[j];
			values += !isnan(work[values]);
		}
		host[i] = values ? select_median(work, values) : 0;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			to_fill.e[i * n + j] = to_fill.x[i * n + j] - host[i] - host[j];
	return to_fill;
}

/* ---- clusters (S1) ---- */

/* Median over the hosts of each host's second largest e. */
static double usual_nearness(const double *e, uint32_t n, double *work)
{
	size_t hosts = 0;

	for (uint32_t i = 0; i < n; i++) {
		double first = -INFINITY, second = -INFINITY;

		for (uint32_t j = 0; j < n; j++) {
			double x = e[i * n + j];

			if (x > first) {
				second = first;
				first = x;
			} else if (x > second) {
				second = x;
			}
		}
		if (second > -INFINITY)
			work[hosts++] = second;
	}
	return select_median(work, hosts);
}

/*
 * Average linkage: repeatedly joins the two nearest clusters, while their nearness is at least
 * `least`.
 */
static void link_clusters(const double *e, uint32_t n, double least, struct clustering *c,
			  struct scratch *room)
{
	double *mean = allocate_square(room, n);
	uint32_t *size = scratch_take(room, n, sizeof(*size));

	memcpy(mean, e, (size_t)n * n * sizeof(*mean));
	for (uint32_t i = 0; i < n; i++) {
		c->of[i] = i;
		size[i] = 1;
	}
	for (;;) {
		uint32_t a = n, b = n;
		double best = least;

		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < i && size[i]; j++)
				if (size[j] && mean[i * n + j] >= best) {
					best = mean[i * n + j];
					a = j;
					b = i;
				}
		if (a == n)
			break;
		for (uint32_t k = 0; k < n; k++) {
			double x = mean[a * n + k], y = mean[b * n + k];

			x = isnan(x) ? y : isnan(y) ? x : (x * size[a] + y * size[b]) /
							  (size[a] + size[b]);
			mean[a * n + k] = mean[k * n + a] = x;
		}
		size[a] += size[b];
		size[b] = 0;
		for (uint32_t i = 0; i < n; i++)
			if (c->of[i] == b)
				c->of[i] = a;
	}
}

/* Number of hosts of a cluster. */
static uint32_t cluster_size(const struct clustering *c, uint32_t n, uint32_t cluster)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < n; i++)
		size += c->of[i] == cluster;
	return size;
}

/* Numbers the clusters from 0. Dissolves clusters that are too small: their hosts get NONE. */
static void number_clusters(struct clustering *c, uint32_t n, struct scratch *room)
{
	uint32_t *number = scratch_take(room, n + 1, sizeof(*number)), *to;

	to = scratch_take(room, n, sizeof(*to));
	c->n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (c->of[i] != NONE && !number[c->of[i]] &&
		    cluster_size(c, n, c->of[i]) >= HOSTS_LEAST)
			number[c->of[i]] = ++c->n;
	for (uint32_t i = 0; i < n; i++)
		to[i] = c->of[i] != NONE && number[c->of[i]] ? number[c->of[i]] - 1 : NONE;
	memcpy(c->of, to, n * sizeof(*to));
}

/* Puts each host without a cluster into the nearest cluster, if its nearness is above `least`. */
static void join_nearest_clusters(const double *e, uint32_t n, double least, struct clustering *c,
				  double *work)
{
	for (uint32_t i = 0; i < n; i++) {
		double best = least;

		for (uint32_t k = 0, was = c->of[i]; k < c->n && was == NONE; k++) {
			size_t values = 0;

			for (uint32_t j = 0; j < n; j++)
				if (j != i && c->of[j] == k && !isnan(e[i * n + j]))
					work[values++] = e[i * n + j];
			if (!values || !(select_median(work, values) > best))
				continue;
			best = select_median(work, values);
			c->of[i] = k;
		}
	}
}

/* ---- tests with the kept visit ---- */

/*
 * Returns the mean of e over pairs within a cluster if `within` is true, else over pairs of the
 * cluster with other hosts. If `cluster` is n, the mean is over all clusters.
 */
static double mean_residual(const double *e, uint32_t n, const struct clustering *c,
			    uint32_t cluster, bool within)
{
	double sum = 0, values = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < n; j++) {
			bool same = c->of[i] == c->of[j] && c->of[i] != NONE;

			if (i == j || isnan(e[i * n + j]) || same != within ||
			    (cluster < n && c->of[i] != cluster))
				continue;
			sum += e[i * n + j];
			values++;
		}
	}
	return sum / values;
}

/*
 * Returns the contrast: how much nearer the hosts of a cluster are to each other than to other
 * hosts.
 */
static double contrast_of(const double *e, uint32_t n, const struct clustering *c, uint32_t cluster)
{
	return mean_residual(e, n, c, cluster, true) - mean_residual(e, n, c, cluster, false);
}

/* Median of e over the pairs within a cluster. */
static double median_within(const double *e, uint32_t n, const struct clustering *c,
			    uint32_t cluster, double *work)
{
	size_t values = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < i; j++)
			if (c->of[i] == cluster && c->of[j] == cluster && !isnan(e[i * n + j]))
				work[values++] = e[i * n + j];
	return select_median(work, values);
}

/*
 * Merges the first two clusters that have too little contrast between them (S2). Returns false if
 * it found none.
 */
static bool merge_two_clusters(const double *kept, uint32_t n, struct clustering *c, double *work)
{
	double least = fmax(CONTRAST_LEAST, CONTRAST_MERGED * contrast_of(kept, n, c, n));

	for (uint32_t a = 0; a < c->n; a++) {
		for (uint32_t b = a + 1; b < c->n; b++) {
			double sum = 0, values = 0, within;

			for (uint32_t i = 0; i < n; i++)
				for (uint32_t j = 0; j < n; j++)
					if (c->of[i] == a && c->of[j] == b &&
					    !isnan(kept[i * n + j])) {
						sum += kept[i * n + j];
						values++;
					}
			within = fmin(median_within(kept, n, c, a, work),
				      median_within(kept, n, c, b, work));
			if (!(within - sum / values <= least))
				continue;
			for (uint32_t i = 0; i < n; i++) {
				c->of[i] = c->of[i] == b ? a : c->of[i];
				c->of[i] -= c->of[i] != NONE && c->of[i] > b;
			}
			c->n--;
			return true;
		}
	}
	return false;
}

/* True if too many pairs of a cluster were slower in the kept visit than in their best visit. */
static bool has_slowed_pairs(const struct matrix *m, const struct clustering *c, uint32_t cluster,
			     double contrast)
{
	double least = fmax(SLOWED_LEAST, contrast / 3);
	uint32_t pairs = 0, slowed = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			double best = -INFINITY, y = NAN;

			if (c->of[i] != cluster || c->of[j] != cluster)
				continue;
			for (uint32_t v = 0; v < m->nvisits; v++) {
				y = (m->y[matrix_at(m, v, i, j)] + m->y[matrix_at(m, v, j, i)]) / 2;
				best = y > best ? y : best;
			}
			pairs += !isnan(y);
			slowed += best - y > least;
		}
	}
	return slowed > 1 && slowed > SLOWED_SHARE * pairs;
}

/* Dissolves the clusters that are not leaves, by (S3). */
static void drop_clusters(const struct matrix *m, const struct near *kept, struct clustering *c)
{
	uint32_t n = m->n;
	double e = fmax(CONTRAST_LEAST, CONTRAST_SHARE * contrast_of(kept->e, n, c, n));
	double x = fmax(CONTRAST_LEAST, CONTRAST_SHARE * contrast_of(kept->x, n, c, n));
	const struct clustering before = *c;
	bool drop[MOST_HOSTS];

	for (uint32_t k = 0; k < c->n; k++) {
		double contrast = contrast_of(kept->e, n, &before, k);

		drop[k] = cluster_size(&before, n, k) < HOSTS_LEAST || !(contrast > e) ||
			  !(contrast_of(kept->x, n, &before, k) > x) ||
			  has_slowed_pairs(m, &before, k, contrast);
	}
	for (uint32_t i = 0; i < n; i++)
		if (c->of[i] != NONE && drop[c->of[i]])
			c->of[i] = NONE;
}

/*
 * Puts a host without a cluster into the nearest one, judged by all visits together. Its nearness
 * must exceed the midpoint between pairs within clusters and other pairs.
 */
static void join_hosts_left(const struct near *chosen, const struct near *kept, uint32_t n,
			    struct clustering *c, double *work)
{
	double *e = kept->x;	/* no longer used */

	for (size_t at = 0; at < (size_t)n * n; at++)
		e[at] = (chosen->e[at] + kept->e[at]) / 2;
	join_nearest_clusters(e, n,
			      midpoint(mean_residual(e, n, c, n, true),
				       mean_residual(e, n, c, n, false)), c, work);
}

/* ---- leaves ---- */

static struct clustering find_clusters(const struct matrix *m, double least, struct scratch *room);

/* Does the final part of (S4): replaces a leaf that contains smaller leaves by the smaller ones. */
static void split_clusters(const struct matrix *m, struct clustering *c, double least,
			   struct scratch *room)
{
	uint32_t *hosts = scratch_take(room, m->n, sizeof(*hosts)), before = c->n;

	for (uint32_t k = 0; k < before; k++) {
		struct clustering part;
		struct matrix side;
		uint32_t n = 0;

		for (uint32_t i = 0; i < m->n; i++)
			if (c->of[i] == k)
				hosts[n++] = i;
		if (n < HOSTS_SPLIT || n == m->n)
			continue;
		side = matrix_copy(room, m, hosts, n, 0);
		part = find_clusters(&side, least, room);
		/* the first of the smaller leaves keeps the leaf's number */
		for (uint32_t i = 0; i < n && part.n; i++)
			if (part.of[i])
				c->of[hosts[i]] = part.of[i] == NONE ? NONE
								     : c->n + part.of[i] - 1;
		c->n += part.n ? part.n - 1 : 0;
	}
}

/* Finds clusters whose contrast in the kept visit is at least `least`. */
static struct clustering find_clusters(const struct matrix *m, double least, struct scratch *room)
{
	uint32_t n = m->n, in = 0, kept_visit = m->nvisits - 1;
	struct clustering c = { .of = scratch_take(room, n, sizeof(*c.of)) };
	struct near chosen = compute_nearness(m, 0, kept_visit, room);
	struct near kept = compute_nearness(m, kept_visit, m->nvisits, room);
	double *work = allocate_square(room, n), high = usual_nearness(chosen.e, n, work);
	double join = m->symmetric ? JOINS_LATENCY : JOINS, contrast;

	if (!(high > 0))
		return c;
	link_clusters(chosen.e, n, join * high, &c, room);
	number_clusters(&c, n, room);
	join_nearest_clusters(chosen.e, n, high / 2, &c, work);
	while (merge_two_clusters(kept.e, n, &c, work))
		;
	drop_clusters(m, &kept, &c);
	number_clusters(&c, n, room);
	join_hosts_left(&chosen, &kept, n, &c, work);
	for (uint32_t i = 0; i < n; i++)
		in += c.of[i] != NONE;
	contrast = contrast_of(kept.e, n, &c, n);
	if (c.n < 2 || in < HOSTS_SHARE * n || !(contrast > least) ||
	    !(contrast >= CONTRAST_KEPT * contrast_of(chosen.e, n, &c, n)))
		c.n = 0;
	else
		split_clusters(m, &c, fmax(SPLIT_LEAST, SPLIT_SHARE * contrast), room);
	return c;
}

struct leaves leaves_make(struct scratch *room, uint32_t *of, uint32_t n, uint32_t hosts)
{
	struct leaves l = { .of = of, .n = n };
	uint32_t at = 0;

	l.order = scratch_take(room, hosts, sizeof(*l.order));
	l.first = scratch_take(room, n + 2, sizeof(*l.first));
	for (uint32_t k = 0; k <= n; k++) {
		l.first[k] = at;
		for (uint32_t i = 0; i < hosts; i++)
			if (of[i] == k)
				l.order[at++] = i;
	}
	l.first[n + 1] = at;
	return l;
}

struct leaves leaves_find(const struct matrix *m, const struct rules *rules)
{
	uint32_t *of = scratch_take(rules->room, m->n, sizeof(*of));
	struct clustering c = { .of = of };

	if (m->nvisits > 1 && m->n <= MOST_HOSTS)
		c = find_clusters(m, CONTRAST_LEAST, rules->room);
	for (uint32_t i = 0; i < m->n; i++)
		of[i] = c.n && c.of[i] != NONE ? c.of[i] : c.n;
	return leaves_make(rules->room, of, c.n, m->n);
}
