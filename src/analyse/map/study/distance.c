/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

#define LEAST 6	/* fewest ordered pairs of a distance, or values of a load, for a median */

const char *const distance_names[NDISTANCES] = { "same host", "same switch", "other" };

enum distance distance_of(const struct study *s, uint32_t i, uint32_t j)
{
	return s->machine[i] == s->machine[j] ? SAME_HOST
	       : s->leaf[i] == s->leaf[j]     ? SAME_SWITCH
					      : OTHER_SWITCH;
}

enum distance most_common_distance(const struct study *s)
{
	const size_t *n = s->at_distance[s->of[BANDWIDTH].n ? BANDWIDTH
					 : s->of[LATENCY].n ? LATENCY
							    : BIDIRECTIONAL];
	enum distance usual = OTHER_SWITCH;

	for (int d = 0; d < NDISTANCES; d++)
		usual = n[d] > n[usual] ? (enum distance)d : usual;
	return usual;
}

int distance_count(struct study *s)
{
	double *y = malloc((study_count_cells(s) + 1) * sizeof(*y));

	if (!y)
		return error_report("no memory for all pairs of %u hosts", s->n);
	for (int q = 0; q < NQUANTITIES; q++) {
		for (int d = 0; d < NDISTANCES && s->of[q].n; d++) {
			size_t n = 0;

			for (struct met p = STUDY_BEGIN; study_next(s, &p);) {
				if (distance_of(s, p.i, p.j) != (enum distance)d)
					continue;
				y[n] = study_y(s, (enum quantity)q, p.i, p.j);
				n += !isnan(y[n]);
			}
			s->at_distance[q][d] = n;
			s->median[q][d] = select_median(y, n);
		}
	}
	free(y);
	return ST_OK;
}

size_t distance_pairs(const struct study *s, enum distance d)
{
	size_t n = 0;

	for (int q = 0; q < NQUANTITIES; q++)
		n = s->at_distance[q][d] > n ? s->at_distance[q][d] : n;
	return n;
}

bool distance_is_judged(const struct study *s, enum distance d, size_t pairs)
{
	return d == most_common_distance(s) || pairs >= LEAST;
}

#define SAMPLES 4096		/* largest number of values of a load, over all visits */

/* ---- streams that share a link ---- */

/*
 * Numbers of streams that leave and enter each leaf in a round. The index is the direction: all
 * pairs send from i to j (0), or from j to i (1).
 */
struct streams {
	const struct study *s;
	struct {
		uint16_t leave[2], enter[2];
	} *at;				/* [round][leaf] */
	size_t n;
};

/* Allocates the streams of nrounds rounds. */
static struct streams allocate_streams(struct scratch *room, const struct study *s,
				       uint32_t nrounds)
{
	struct streams x = { .s = s, .n = (size_t)nrounds * s->nleaves };

	x.at = scratch_take(room, x.n, sizeof(*x.at));
	return x;
}

/*
 * Adds the streams of a pair of hosts: from i to j in direction 0, and from j to i in direction 1.
 */
static void add_streams(struct streams *x, uint32_t round, uint32_t i, uint32_t j)
{
	const uint32_t *leaf = x->s->leaf;
	size_t first = (size_t)round * x->s->nleaves;

	if (leaf[i] == leaf[j])
		return;
	x->at[first + leaf[i]].leave[0]++;
	x->at[first + leaf[j]].enter[0]++;
	x->at[first + leaf[j]].leave[1]++;
	x->at[first + leaf[i]].enter[1]++;
}

/*
 * Load of a stream: the number of streams at the more loaded end of its path; 0 if it stays in its
 * leaf.
 */
static uint16_t stream_load(const struct streams *x, uint32_t round, uint32_t i, uint32_t j,
			    bool back)
{
	const uint32_t *leaf = x->s->leaf;
	size_t first = (size_t)round * x->s->nleaves;
	uint16_t leave = x->at[first + leaf[i]].leave[back];
	uint16_t enter = x->at[first + leaf[j]].enter[back];

	return leaf[i] == leaf[j] ? 0 : leave > enter ? leave : enter;
}

/* Returns the load of every stream, indexed like y; 0: no load, or unknown. */
static uint16_t *count_loads(const struct study *s, const struct matrix *m, struct scratch *room)
{
	uint16_t *load = scratch_take(room, matrix_at(m, m->nvisits, 0, 0), sizeof(*load));
	uint32_t *met = scratch_take(room, m->nrounds, sizeof(*met));
	struct streams x = allocate_streams(room, s, m->nrounds);

	/*
	 * Each visit has two passes: the first counts the streams of all rounds, and the second
	 * sets loads.
	 */
	for (uint32_t pass = 0; pass < 2 * m->nvisits && m->round; pass++) {
		uint32_t v = pass / 2;
		bool counts = pass % 2 == 0;

		if (counts)
			memset(x.at, 0, x.n * sizeof(*x.at));
		memset(met, 0, m->nrounds * sizeof(*met));
		for (uint32_t i = 0; i < m->n; i++) {
			for (uint32_t j = i + 1; j < m->n; j++) {
				size_t ij = matrix_at(m, v, i, j), ji = matrix_at(m, v, j, i);
				uint32_t k = m->round[ij];

				if (k >= m->nrounds || met[k]++ >= m->n / 2)
					continue;
				if (counts) {
					add_streams(&x, k, i, j);
					continue;
				}
				load[ij] = stream_load(&x, k, i, j, false);
				load[ji] = stream_load(&x, k, j, i, true);
			}
		}
	}
	return load;
}

/*
 * Values of y at one load. `count` is the number of values. y[] is an evenly spread sample of at
 * most SAMPLES of them.
 */
struct load {
	size_t count, seen, n;
	double *y;
};

/*
 * Sets at_load. For round trips at_load is NaN, because links do not limit them. Returns the loads
 * of all streams.
 */
static uint16_t *measure_loads(struct levelled *l, const struct matrix *m, struct scratch *room)
{
	size_t cells = (size_t)m->nvisits * m->n * m->n;
	uint32_t n = m->n / 2 + 2;
	struct load *of = scratch_take(room, n, sizeof(*of));
	double *values = scratch_take(room, (size_t)n * SAMPLES, sizeof(*values));
	uint16_t *load = count_loads(l->s, m, room);

	l->at_load = scratch_take(room, n, sizeof(*l->at_load));
	for (uint32_t k = 0; k < n; k++)
		of[k].y = values + (size_t)k * SAMPLES;
	for (size_t at = 0; at < cells; at++)
		of[load[at]].count += !isnan(m->y[at]);
	for (size_t at = 0; at < cells; at++) {
		struct load *one = &of[load[at]];

		if (!isnan(m->y[at]) && one->seen++ % ((one->count - 1) / SAMPLES + 1) == 0)
			one->y[one->n++] = m->y[at];
	}
	for (uint32_t k = 0; k < n; k++)
		l->at_load[k] = !k || l->q == LATENCY || of[k].n < LEAST
					? NAN : select_median(of[k].y, of[k].n);
	/* a load with too few values takes the median of the nearest other load */
	for (uint32_t k = 2; k < n; k++)
		l->at_load[k] = isnan(l->at_load[k]) ? l->at_load[k - 1] : l->at_load[k];
	for (uint32_t k = n; k-- > 2;)
		l->at_load[k - 1] = isnan(l->at_load[k - 1]) ? l->at_load[k] : l->at_load[k - 1];
	return load;
}

/* ---- levelling ---- */

/*
 * Returns how much y of a pair usually differs from y of pairs of the usual distance; NaN: the pair
 * is not judged.
 */
static double level_offset(const struct levelled *l, uint32_t i, uint32_t j, uint32_t load)
{
	const struct study *s = l->s;
	enum distance d = distance_of(s, i, j), usual = most_common_distance(s);
	double y = s->median[l->q][d];

	if (!distance_is_judged(s, d, s->at_distance[l->q][d]))
		return NAN;
	if (d == OTHER_SWITCH && !isnan(l->at_load[load]))
		y = l->at_load[load];
	return y - s->median[l->q][usual];
}

struct matrix make_levelled_matrix(struct levelled *l, struct scratch *room)
{
	struct matrix to = study_matrix(l->s, l->q, room);
	const uint16_t *load = measure_loads(l, &to, room);

	for (size_t at = 0; at < matrix_at(&to, to.nvisits, 0, 0); at++) {
		uint32_t i = (uint32_t)(at / to.n % to.n), j = (uint32_t)(at % to.n);

		if (i != j && !isnan(to.y[at]))
			to.y[at] -= (float)level_offset(l, i, j, load[at]);
	}
	return to;
}

void level_round(const struct levelled *l, struct scratch *room, struct encounter *meetings,
		 size_t n)
{
	struct scratch_piece *mark = room->last;
	struct streams x = allocate_streams(room, l->s, 1);

	for (size_t k = 0; k < n; k++)
		add_streams(&x, 0, meetings[k].i, meetings[k].j);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = meetings[k].i, j = meetings[k].j;

		meetings[k].ij -= (float)level_offset(l, i, j, stream_load(&x, 0, i, j, false));
		meetings[k].ji -= (float)level_offset(l, j, i, stream_load(&x, 0, j, i, true));
	}
	scratch_free(room, mark);
}
