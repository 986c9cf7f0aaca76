/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

#define LEAST 6			/* values of a load that say something */
#define SAMPLES 4096		/* of a load, from all visits */

/* ---- streams that share a link ---- */


/* Streams that leave each leaf at the same time, and that enter it; of two directions. */
struct streams {
	uint16_t *leave[2], *enter[2];
	uint32_t nleaves;
};

static bool streams_make(struct streams *x, uint32_t nleaves)
{
	uint16_t *room = calloc(4 * ((size_t)nleaves + 1), sizeof(*room));

	*x = (struct streams){ .nleaves = nleaves };
	for (int back = 0; back < 2 && room; back++) {
		x->leave[back] = room + (size_t)back * 2 * nleaves;
		x->enter[back] = x->leave[back] + nleaves;
	}
	return room;
}

static void streams_free(struct streams *x)
{
	free(x->leave[0]);
}

/* Two hosts that meet: one stream one way, and later one the other way. */
static void streams_add(struct streams *x, const struct study *s, uint32_t i, uint32_t j)
{
	if (s->leaf[i] == s->leaf[j])
		return;
	x->leave[0][s->leaf[i]]++;
	x->enter[0][s->leaf[j]]++;
	x->leave[1][s->leaf[j]]++;
	x->enter[1][s->leaf[i]]++;
}

/* Those on the more loaded end of a stream's way; 0: it does not leave its leaf. */
static uint32_t streams_beside(const struct streams *x, const struct study *s, uint32_t i,
			       uint32_t j, bool back)
{
	uint32_t leave = x->leave[back][s->leaf[i]], enter = x->enter[back][s->leaf[j]];

	return s->leaf[i] == s->leaf[j] ? 0 : leave > enter ? leave : enter;
}

/* The load of every stream, as y has them; 0: not known, or none. For free(). */
static uint16_t *find_loads(const struct study *s, const struct matrix *m)
{
	size_t cells = (size_t)m->n * m->n;
	uint16_t *load = calloc(cells * m->nvisits + 1, sizeof(*load));
	struct encounter *by_round = calloc((size_t)m->nrounds * (m->n / 2 + 1) + 1,
					    sizeof(*by_round));
	uint32_t *met = calloc((size_t)m->nrounds + 1, sizeof(*met));
	struct streams x = { .nleaves = 0 };
	bool room = streams_make(&x, s->nleaves) && load && by_round && met;

	for (uint32_t v = 0; v < m->nvisits && room && m->round; v++) {
		memset(met, 0, m->nrounds * sizeof(*met));
		for (uint32_t i = 0; i < m->n; i++) {
			for (uint32_t j = i + 1; j < m->n; j++) {
				uint32_t k = m->round[matrix_at(m, v, i, j)];

				if (k < m->nrounds && met[k] < m->n / 2)
					by_round[(size_t)k * (m->n / 2) + met[k]++] =
						(struct encounter){ .i = i, .j = j };
			}
		}
		for (uint32_t k = 0; k < m->nrounds; k++) {
			const struct encounter *p = by_round + (size_t)k * (m->n / 2);

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
	streams_free(&x);
	free(by_round);
	free(met);
	if (!room) {
		free(load);
		load = NULL;
	}
	return load;
}

/* Values of y at one load: so many, of which at most SAMPLES are kept, spread over all. */
struct load {
	size_t count, seen, n;
	double *y;
};

/* Keeps values of each load in `room`, for n loads. */
static void gather_loads(const struct matrix *m, const uint16_t *load, struct load *of, uint32_t n,
			 double *room)
{
	size_t cells = (size_t)m->nvisits * m->n * m->n;

	for (uint32_t k = 0; k < n; k++)
		of[k].y = room + (size_t)k * SAMPLES;
	for (size_t at = 0; at < cells; at++)
		of[load[at]].count += !isnan(m->y[at]);
	for (size_t at = 0; at < cells; at++) {
		struct load *l = &of[load[at]];

		if (!isnan(m->y[at]) && l->seen++ % ((l->count - 1) / SAMPLES + 1) == 0)
			l->y[l->n++] = m->y[at];
	}
}

/* Loads that are too seldom take the nearest one that is not. */
static void fill_gaps(double *at_load, uint32_t n)
{
	for (uint32_t k = 2; k < n; k++)
		at_load[k] = isnan(at_load[k]) ? at_load[k - 1] : at_load[k];
	for (uint32_t k = n; k-- > 2;)
		at_load[k - 1] = isnan(at_load[k - 1]) ? at_load[k] : at_load[k - 1];
}

/* Of a quantity that links limit; of round trips nothing. */
static int measure_loads(struct levelled *l, uint16_t **load)
{
	const struct matrix *m = &l->s->of[l->q];
	uint32_t n = m->n / 2 + 2;
	struct load *of = calloc(n, sizeof(*of));
	double *room = malloc((size_t)n * SAMPLES * sizeof(*room));
	int err = ST_OK;

	l->at_load = malloc(n * sizeof(*l->at_load));
	*load = find_loads(l->s, m);
	if (!of || !room || !l->at_load || !*load) {
		err = error_report("no memory for all pairs of %u hosts", m->n);
		free(*load);
		*load = NULL;
	} else {
		gather_loads(m, *load, of, n, room);
	}
	for (uint32_t k = 0; k < n && !err; k++)
		l->at_load[k] = !k || l->q == LATENCY || of[k].n < LEAST
					? NAN : select_median(of[k].y, of[k].n);
	if (!err)
		fill_gaps(l->at_load, n);
	free(of);
	free(room);
	return err;
}

/* ---- as if at one distance ---- */

/* By how much y is above the usual; NaN: such a pair is not judged. */
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

int level_make(struct levelled *l, struct matrix *to)
{
	const struct matrix *from = &l->s->of[l->q];
	size_t cells = (size_t)from->nvisits * from->n * from->n;
	uint16_t *load = NULL;
	int err = matrix_make(to, from->n, from->nvisits, from->nrounds);

	if (!err)
		err = measure_loads(l, &load);
	if (err)
		return err;
	to->symmetric = from->symmetric;
	to->host = from->host;
	if (from->round && to->round)
		memcpy(to->round, from->round, cells * sizeof(*to->round));
	for (uint32_t v = 0; v < from->nvisits; v++) {
		for (uint32_t i = 0; i < from->n; i++) {
			for (uint32_t j = 0; j < from->n; j++) {
				size_t at = matrix_at(from, v, i, j);

				if (i != j && !isnan(from->y[at]))
					to->y[at] = from->y[at] -
						    (float)offset_of(l, i, j, load[at]);
			}
		}
	}
	free(load);
	return ST_OK;
}

int level_round(const struct levelled *l, struct encounter *meetings, size_t n)
{
	struct streams x;

	if (!streams_make(&x, l->s->nleaves))
		return error_report("no memory for %u switches", l->s->nleaves);
	for (size_t k = 0; k < n; k++)
		streams_add(&x, l->s, meetings[k].i, meetings[k].j);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = meetings[k].i, j = meetings[k].j;

		meetings[k].ij -= (float)offset_of(l, i, j,
						   streams_beside(&x, l->s, i, j, false));
		meetings[k].ji -= (float)offset_of(l, j, i,
						   streams_beside(&x, l->s, j, i, true));
	}
	streams_free(&x);
	return ST_OK;
}
