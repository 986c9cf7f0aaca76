/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/level.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

#define LEAST 6			/* values of a load that has a median */
#define SAMPLES 4096		/* of a load, from all visits */

/* ---- streams that share a link ---- */

/* Streams that leave each leaf at the same time, and that enter it; of two directions. */
struct streams {
	uint16_t *leave[2], *enter[2];
	uint32_t nleaves;
};

static struct streams streams_make(struct scratch *room, uint32_t nleaves)
{
	uint16_t *at = scratch_take(room, 4 * (size_t)nleaves, sizeof(*at));

	return (struct streams){ { at, at + 2 * nleaves }, { at + nleaves, at + 3 * nleaves },
				 nleaves };
}

/* Adds two hosts that meet: a stream one way, and later a stream the other way. */
static void streams_add(struct streams *x, const struct study *s, uint32_t i, uint32_t j)
{
	if (s->leaf[i] == s->leaf[j])
		return;
	x->leave[0][s->leaf[i]]++;
	x->enter[0][s->leaf[j]]++;
	x->leave[1][s->leaf[j]]++;
	x->enter[1][s->leaf[i]]++;
}

/* Streams on the more loaded end of a stream's way; 0: it does not leave its leaf. */
static uint32_t streams_beside(const struct streams *x, const struct study *s, uint32_t i,
			       uint32_t j, bool back)
{
	uint32_t leave = x->leave[back][s->leaf[i]], enter = x->enter[back][s->leaf[j]];

	return s->leaf[i] == s->leaf[j] ? 0 : leave > enter ? leave : enter;
}

/* The load of every stream, in the shape of y; 0: it has none, or it is unknown. */
static uint16_t *find_loads(const struct study *s, const struct matrix *m, struct scratch *room)
{
	size_t cells = (size_t)m->n * m->n, half = m->n / 2;
	uint16_t *load = scratch_take(room, cells * m->nvisits, sizeof(*load));
	struct encounter *by_round = scratch_take(room, m->nrounds * half, sizeof(*by_round));
	uint32_t *met = scratch_take(room, m->nrounds, sizeof(*met));
	struct streams x = streams_make(room, s->nleaves);

	for (uint32_t v = 0; v < m->nvisits && m->round; v++) {
		memset(met, 0, m->nrounds * sizeof(*met));
		for (uint32_t i = 0; i < m->n; i++) {
			for (uint32_t j = i + 1; j < m->n; j++) {
				uint32_t k = m->round[matrix_at(m, v, i, j)];

				if (k < m->nrounds && met[k] < half)
					by_round[k * half + met[k]++] =
						(struct encounter){ .i = i, .j = j };
			}
		}
		for (uint32_t k = 0; k < m->nrounds; k++) {
			const struct encounter *p = by_round + k * half;

			memset(x.leave[0], 0, 4 * (size_t)x.nleaves * sizeof(*x.leave[0]));
			for (uint32_t at = 0; at < met[k]; at++)
				streams_add(&x, s, p[at].i, p[at].j);
			for (uint32_t at = 0; at < met[k]; at++) {
				uint32_t i = p[at].i, j = p[at].j;

				load[matrix_at(m, v, i, j)] =
					(uint16_t)streams_beside(&x, s, i, j, false);
				load[matrix_at(m, v, j, i)] =
					(uint16_t)streams_beside(&x, s, j, i, true);
			}
		}
	}
	return load;
}

/* Values of y at one load: their number, and at most SAMPLES of them, spread over all. */
struct load {
	size_t count, seen, n;
	double *y;
};

/* Sets at_load of a quantity that links limit; of round trips nothing. Returns all loads. */
static uint16_t *measure_loads(struct levelled *l, struct scratch *room)
{
	const struct matrix *m = &l->s->of[l->q];
	size_t cells = (size_t)m->nvisits * m->n * m->n;
	uint32_t n = m->n / 2 + 2;
	struct load *of = scratch_take(room, n, sizeof(*of));
	double *values = scratch_take(room, (size_t)n * SAMPLES, sizeof(*values));
	uint16_t *load = find_loads(l->s, m, room);

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

/* ---- as if at one distance ---- */

/* The usual difference of such a pair from pairs of the usual distance; NaN: it is not judged. */
static double offset_of(const struct levelled *l, uint32_t i, uint32_t j, uint32_t load)
{
	const struct study *s = l->s;
	enum distance d = distance_of(s, i, j), usual = distance_usual(s);
	double y = s->median[l->q][d];

	if (!distance_is_judged(s, d, s->at_distance[l->q][d]))
		return NAN;
	if (d == OTHER_SWITCH && !isnan(l->at_load[load]))
		y = l->at_load[load];
	return y - s->median[l->q][usual];
}

struct matrix level_make(struct levelled *l, struct scratch *room)
{
	const struct matrix *from = &l->s->of[l->q];
	struct matrix to = matrix_take(room, from, NULL, from->n, 0);
	const uint16_t *load = measure_loads(l, room);

	for (uint32_t v = 0; v < to.nvisits; v++) {
		for (uint32_t i = 0; i < to.n; i++) {
			for (uint32_t j = 0; j < to.n; j++) {
				size_t at = matrix_at(&to, v, i, j);

				if (i != j && !isnan(to.y[at]))
					to.y[at] -= (float)offset_of(l, i, j, load[at]);
			}
		}
	}
	return to;
}

void level_round(const struct levelled *l, struct scratch *room, struct encounter *meetings,
		 size_t n)
{
	struct scratch_piece *mark = room->last;
	struct streams x = streams_make(room, l->s->nleaves);

	for (size_t k = 0; k < n; k++)
		streams_add(&x, l->s, meetings[k].i, meetings[k].j);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = meetings[k].i, j = meetings[k].j;

		meetings[k].ij -= (float)offset_of(l, i, j,
						   streams_beside(&x, l->s, i, j, false));
		meetings[k].ji -= (float)offset_of(l, j, i,
						   streams_beside(&x, l->s, j, i, true));
	}
	scratch_free(room, mark);
}
