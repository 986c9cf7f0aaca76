/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/study/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "result/row.h"

#define LEAST 6			/* ordered pairs that have something normal */

const char *const distance_names[] = { "same host", "same switch", "other" };

enum distance distance_of(const struct study *s, uint32_t i, uint32_t j)
{
	return s->machine[i] == s->machine[j] ? SAME_HOST
	       : s->leaf[i] == s->leaf[j]     ? SAME_SWITCH
					      : OTHER_SWITCH;
}

/* The pairs of a distance that have a value, and their median. */
static size_t median_of(const struct study *s, enum quantity q, enum distance d, double *y,
			double *median)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t j = 0; j < s->n; j++) {
			if (i == j || distance_of(s, i, j) != d)
				continue;
			y[n] = study_y(s, q, i, j);
			n += !isnan(y[n]);
		}
	}
	*median = n ? select_median(y, n) : NAN;
	return n;
}

enum distance distance_usual(const struct study *s)
{
	const size_t *n = s->at_distance[s->of[BANDWIDTH].n ? BANDWIDTH
					 : s->of[LATENCY].n ? LATENCY
							    : BIDIRECTIONAL];
	enum distance usual = OTHER_SWITCH;

	for (int d = 0; d < NDISTANCES; d++)
		usual = n[d] > n[usual] ? (enum distance)d : usual;
	return usual;
}

int distance_find(struct study *s)
{
	double *y = malloc(((size_t)s->n * s->n + 1) * sizeof(*y));

	if (!y)
		return error_report("no memory for all pairs of %u hosts", s->n);
	for (int q = 0; q < NQUANTITIES; q++)
		for (int d = 0; d < NDISTANCES && s->of[q].n; d++)
			s->at_distance[q][d] = median_of(s, (enum quantity)q, (enum distance)d, y,
							 &s->median[q][d]);
	free(y);
	return ST_OK;
}

/* ---- streams that share a link ---- */

#define SAMPLES 4096		/* of a load, from all visits */

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

static void streams_clear(struct streams *x)
{
	memset(x->leave[0], 0, 4 * (size_t)x->nleaves * sizeof(*x->leave[0]));
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
	struct pair {
		uint32_t i, j;
	} *by_round = calloc((size_t)m->nrounds * (m->n / 2 + 1) + 1, sizeof(*by_round));
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
						(struct pair){ i, j };
			}
		}
		for (uint32_t k = 0; k < m->nrounds; k++) {
			const struct pair *p = by_round + (size_t)k * (m->n / 2);

			streams_clear(&x);
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

	if (d != usual && s->at_distance[l->q][d] < LEAST)
		return NAN;
	if (d == OTHER_SWITCH && !isnan(l->at_load[load]))
		y = l->at_load[load];
	return y - s->median[l->q][usual];
}

int distance_level(struct levelled *l, struct matrix *to)
{
	const struct matrix *from = &l->s->of[l->q];
	size_t cells = (size_t)from->nvisits * from->n * from->n;
	uint16_t *load = NULL;
	int err = matrix_make(to, from->n, from->nvisits, from->nrounds);

	err = err ? err : measure_loads(l, &load);
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

int distance_level_round(void *arg, struct encounter *meetings, size_t n)
{
	const struct levelled *l = arg;
	struct streams x;
	int err = l->inner->round(l->inner->arg, meetings, n);

	if (!err && !streams_make(&x, l->s->nleaves))
		err = error_report("no memory for %u switches", l->s->nleaves);
	for (size_t k = 0; k < n && !err; k++)
		streams_add(&x, l->s, meetings[k].i, meetings[k].j);
	for (size_t k = 0; k < n && !err; k++) {
		uint32_t i = meetings[k].i, j = meetings[k].j;

		meetings[k].ij -= (float)offset_of(l, i, j,
						   streams_beside(&x, l->s, i, j, false));
		meetings[k].ji -= (float)offset_of(l, j, i,
						   streams_beside(&x, l->s, j, i, true));
	}
	if (!err)
		streams_free(&x);
	return err;
}

/* ---- hosts out of pairs ---- */

#define STAR 3			/* pairs, at least, that name their host */

static bool is_pair(const struct verdict_of *v)
{
	return (v->cause.kind == KIND_PAIR || v->cause.kind == KIND_DIRECTION) && !v->or.kind;
}

/* A pair of a host with another of a distance. */
static bool is_of(const struct study *s, const struct verdict_of *v, uint32_t host, enum distance d)
{
	return is_pair(v) && (v->cause.a == host || v->cause.b == host) &&
	       distance_of(s, v->cause.a, v->cause.b) == d;
}

/* What a host's pairs have in common. */
static struct cause cause_of(const struct verdict_of *pairs, size_t n, uint32_t host)
{
	size_t sends = 0, receives = 0;

	for (size_t k = 0; k < n; k++) {
		bool one_way = pairs[k].cause.kind == KIND_DIRECTION;

		sends += one_way && pairs[k].cause.a == host;
		receives += one_way && pairs[k].cause.b == host;
	}
	return (struct cause){ sends == n ? KIND_SEND : receives == n ? KIND_RECEIVE : KIND_HOST,
			       host, host };
}

static bool is_named(const struct judgement *j, uint32_t host)
{
	for (size_t k = 0; k < j->n; k++)
		if (!is_pair(&j->at[k]) && !j->at[k].nmembers && j->at[k].cause.a == host)
			return true;
	return false;
}

/* Takes verdicts on pairs of a host and a distance out of all others; returns how many. */
static size_t take_pairs(const struct study *s, struct judgement *j, uint32_t host,
			 enum distance d, struct verdict_of *to)
{
	size_t left = 0, n = 0;

	for (size_t k = 0; k < j->n; k++) {
		if (is_of(s, &j->at[k], host, d))
			to[n++] = j->at[k];
		else
			j->at[left++] = j->at[k];
	}
	j->n = left;
	return n;
}

/* One verdict for n on pairs. */
static int name_host(struct judgement *j, uint32_t host, const struct verdict_of *pairs, size_t n,
		     double *work)
{
	struct verdict_of *v = judgement_add(j, KIND_HOST);

	if (!v)
		return ST_FAILED;
	v->cause = cause_of(pairs, n, host);
	v->persistence = PERSISTENT;
	for (size_t k = 0; k < n; k++) {
		work[k] = pairs[k].effect;
		if (pairs[k].persistence != PERSISTENT)
			v->persistence = UNTESTED;
	}
	v->effect = select_median(work, n);
	for (size_t k = 0; k < n; k++)
		work[k] = pairs[k].se;
	v->se = select_median(work, n);
	j->slow[host] = fmax(j->slow[host], v->effect);
	return ST_OK;
}

/* How many of a host's pairs of a distance are named, and how many there are. */
static size_t count_pairs(const struct study *s, const struct judgement *j, uint32_t host,
			  enum distance d, size_t *partners)
{
	size_t n = 0;

	*partners = 0;
	for (uint32_t i = 0; i < s->n; i++)
		*partners += i != host && distance_of(s, host, i) == d;
	for (size_t k = 0; k < j->n; k++)
		n += is_of(s, &j->at[k], host, d);
	return n;
}

int distance_gather(const struct study *s, struct judgement *j)
{
	size_t room = j->n + 1, partners;
	struct verdict_of *pairs = calloc(room, sizeof(*pairs));
	double *work = calloc(room, sizeof(*work));
	int err = pairs && work ? ST_OK : error_report("no memory for %zu verdicts", j->n);

	for (uint32_t host = 0; host < s->n && !err; host++) {
		for (int d = 0; d < NDISTANCES && !err; d++) {
			size_t n = count_pairs(s, j, host, (enum distance)d, &partners);

			bool named = is_named(j, host);

			if (n < (named ? 2 : STAR) || 2 * n <= partners)
				continue;
			n = take_pairs(s, j, host, (enum distance)d, pairs);
			if (!named)
				err = name_host(j, host, pairs, n, work);
		}
	}
	free(pairs);
	free(work);
	return err;
}

/* ---- results ---- */

/* Ordered pairs, whatever was measured of them. */
static size_t pairs_at(const struct study *s, enum distance d)
{
	size_t n = 0;

	for (int q = 0; q < NQUANTITIES; q++)
		n = s->at_distance[q][d] > n ? s->at_distance[q][d] : n;
	return n;
}

void distance_lines(FILE *to, const struct study *s, enum rate_unit rates)
{
	for (int d = 0; d < NDISTANCES; d++) {
		size_t n = pairs_at(s, (enum distance)d);
		char text[32];

		if (!n)
			continue;
		fprintf(to, "%s: %zu ordered pair%s", distance_names[d], n, n == 1 ? "" : "s");
		for (int q = 0; q < NQUANTITIES; q++)
			if (s->at_distance[q][d])
				fprintf(to, ", %s %s", quantity_names[q].text,
					format_rate(text, sizeof(text),
						    study_unit((enum quantity)q, s->median[q][d]),
						    quantity_names[q].unit, rates));
		fprintf(to, "%s\n", n < LEAST && d != (int)distance_usual(s)
			? ": too few to be judged" : "");
	}
}

json_t *distance_json(const struct study *s)
{
	json_t *list = json_array();

	for (int d = 0; d < NDISTANCES; d++) {
		size_t n = pairs_at(s, (enum distance)d);
		json_t *one;

		if (!n)
			continue;
		one = json_pack("{s:s, s:I}", "class", distance_names[d], "pairs", (json_int_t)n);
		for (int q = 0; q < NQUANTITIES; q++) {
			char name[64];

			snprintf(name, sizeof(name), "%s_median_%s", quantity_names[q].part,
				 quantity_names[q].suffix);
			if (s->at_distance[q][d])
				json_object_set_new(one, name,
						    json_real(study_unit((enum quantity)q,
									 s->median[q][d])));
		}
		json_array_append_new(list, one);
	}
	return list;
}
