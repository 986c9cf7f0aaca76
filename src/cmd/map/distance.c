/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/distance.h"

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
	*median = n ? middle(y, n) : NAN;
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

/* NaN: such a pair is not judged. */
static double offset_of(const struct study *s, enum quantity q, uint32_t i, uint32_t j)
{
	enum distance d = distance_of(s, i, j), usual = distance_usual(s);

	if (d == usual)
		return 0;
	return s->at_distance[q][d] < LEAST ? NAN : s->median[q][d] - s->median[q][usual];
}

int distance_level(const struct study *s, enum quantity q, struct matrix *to)
{
	const struct matrix *from = &s->of[q];
	size_t cells = (size_t)from->nvisits * from->n * from->n;
	int err = matrix_make(to, from->n, from->nvisits, from->nrounds);

	if (err)
		return err;
	to->symmetric = from->symmetric;
	to->host = from->host;
	if (from->round && to->round)
		memcpy(to->round, from->round, cells * sizeof(*to->round));
	for (uint32_t i = 0; i < from->n; i++) {
		for (uint32_t j = 0; j < from->n; j++) {
			float offset = i == j ? 0 : (float)offset_of(s, q, i, j);

			for (uint32_t v = 0; v < from->nvisits; v++)
				to->y[matrix_at(to, v, i, j)] =
					from->y[matrix_at(from, v, i, j)] - offset;
		}
	}
	return ST_OK;
}

int distance_level_round(void *arg, struct encounter *meetings, size_t n)
{
	const struct levelled *l = arg;
	int err = l->inner->round(l->inner->arg, meetings, n);

	for (size_t k = 0; k < n && !err; k++) {
		float offset = (float)offset_of(l->s, l->q, meetings[k].i, meetings[k].j);

		meetings[k].ij -= offset;
		meetings[k].ji -= offset;
	}
	return err;
}

/* ---- hosts out of pairs ---- */

#define STAR 3			/* pairs, at least, that are their host's */

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
	v->effect = middle(work, n);
	for (size_t k = 0; k < n; k++)
		work[k] = pairs[k].se;
	v->se = middle(work, n);
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

			if (n < STAR || 2 * n <= partners)
				continue;
			n = take_pairs(s, j, host, (enum distance)d, pairs);
			if (!is_named(j, host))
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
