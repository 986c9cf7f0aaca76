/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"

const struct quantity_name quantity_names[NQUANTITIES] = {
	[BANDWIDTH] = { "bandwidth", "bandwidth_Bps", "bandwidth", "Bps", "B/s", "bandwidth" },
	[LATENCY] = { "latency", "half_rtt_epoch_s", "half_rtt", "s", "s", "half round trip" },
	[BIDIRECTIONAL] = { "bidirectional", "bidirectional_Bps", "bidirectional", "Bps", "B/s",
			    "bandwidth both ways at once" },
};

/* ---- hosts and visits ---- */

bool study_find(const struct study *s, const char *name, uint32_t *host)
{
	const json_t *number = json_object_get(s->number, name);

	*host = (uint32_t)json_integer_value(number);
	return number;
}

/*
 * Replaces *grid, of n hosts with room for `room` and cells of `size` bytes, by one with room for
 * `more`. The new cells have all bits set: NaN, or STUDY_NO_ROUND. False without memory.
 */
static bool widen_grid(void *grid, size_t size, uint32_t n, uint32_t room, uint32_t more)
{
	char *old, *new = malloc((size_t)more * more * size);

	if (!new)
		return false;
	memcpy(&old, grid, sizeof(old));
	memset(new, 0xff, (size_t)more * more * size);
	for (uint32_t i = 0; i < n; i++)
		memcpy(new + (size_t)i * more * size, old + (size_t)i * room * size, n * size);
	free(old);
	memcpy(grid, &new, sizeof(new));
	return true;
}

/* Doubles the room for hosts in all members. */
static bool grow_study(struct study *s)
{
	uint32_t more = s->room ? 2 * s->room : 16;
	char **name = realloc(s->name, more * sizeof(*name));
	bool good = name;

	s->name = name ? name : s->name;
	for (uint32_t v = 0; v < s->nvisits && good; v++) {
		for (int q = 0; q < NQUANTITIES && good; q++)
			good = !s->grid[q][v] ||
			       widen_grid(&s->grid[q][v], sizeof(float), s->n, s->room, more);
		good = good && (!s->round[v] ||
				widen_grid(&s->round[v], sizeof(uint16_t), s->n, s->room, more));
	}
	s->room = good ? more : s->room;
	return good;
}

bool study_host(struct study *s, const char *name, uint32_t *host)
{
	if (study_find(s, name, host))
		return true;
	if (!s->number)
		s->number = json_object();
	if (s->n == STUDY_HOSTS || (s->n == s->room && !grow_study(s)))
		return false;
	s->name[s->n] = strdup(name);
	if (!s->name[s->n] ||
	    json_object_set_new_nocheck(s->number, name, json_integer(s->n))) {
		free(s->name[s->n]);
		return false;
	}
	*host = s->n++;
	return true;
}

bool study_visit(struct study *s, uint64_t label, uint32_t *visit)
{
	for (*visit = 0; *visit < s->nvisits; ++*visit)
		if (s->label[*visit] == label)
			return true;
	if (s->nvisits == STUDY_VISITS)
		return false;
	s->label[s->nvisits++] = label;
	return true;
}

/* ---- values ---- */

double study_unit(enum quantity q, double y)
{
	return q == LATENCY ? exp(-y) : exp(y);
}

enum put study_put(struct study *s, const struct measurement *o)
{
	size_t at = (size_t)o->sender * s->room + o->receiver;
	enum put done = PUT;
	bool any = false;

	for (int q = 0; q < NQUANTITIES; q++) {
		float **y = &s->grid[q][o->visit];

		if (isnan(o->value[q]))
			continue;
		any = true;
		if (!*y && !widen_grid(y, sizeof(**y), 0, 0, s->room))
			return PUT_NO_MEMORY;
		if (!isnan((*y)[at]))
			done = PUT_TWICE;
		(*y)[at] = (float)(q == LATENCY ? -log(o->value[q]) : log(o->value[q]));
	}
	if (!any && !study_keep_failure(s, o))
		return PUT_NO_MEMORY;
	if (o->round == STUDY_NO_ROUND)
		return done;
	if (!s->round[o->visit] &&
	    !widen_grid(&s->round[o->visit], sizeof(uint16_t), 0, 0, s->room))
		return PUT_NO_MEMORY;
	s->round[o->visit][at] = (uint16_t)o->round;
	if (o->round >= s->nrounds)
		s->nrounds = o->round + 1;
	return done;
}

/* ---- pairs that did not answer ---- */

static int by_place(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;

	if (x->sender != y->sender)
		return x->sender < y->sender ? -1 : 1;
	if (x->receiver != y->receiver)
		return x->receiver < y->receiver ? -1 : 1;
	return (x->when > y->when) - (x->when < y->when);
}

bool study_keep_failure(struct study *s, const struct measurement *o)
{
	struct failure *at = list_grow(s->failure, s->nfailures, sizeof(*at));

	if (!at)
		return false;
	s->failure = at;
	at[s->nfailures++] = (struct failure){ o->sender, o->receiver,
					       study_time(o->visit, o->round) };
	return true;
}

void study_sort_failures(struct study *s)
{
	if (s->nfailures)
		qsort(s->failure, s->nfailures, sizeof(*s->failure), by_place);
}

bool study_failed(const struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	struct failure at = { i, j, study_time(visit, 0) };
	const struct failure *f = s->failure;
	size_t low = 0, high = s->nfailures;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (by_place(&f[mid], &at) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->nfailures && f[low].sender == i && f[low].receiver == j &&
	       f[low].when >> 32 == visit;
}

/* ---- all of it ---- */

struct named {
	char *name;
	uint32_t old;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strverscmp(x->name, y->name);	/* n2 before n10 */
}

/* Sorts the hosts by name. Yields the number that each host had before, for free(). */
static uint32_t *sort_hosts(struct study *s)
{
	struct named *all = calloc(s->n + 1, sizeof(*all));
	uint32_t *old = calloc(2 * ((size_t)s->n + 1), sizeof(*old)), *new;

	if (!all || !old) {
		free(all);
		free(old);
		return NULL;
	}
	new = old + s->n;
	for (uint32_t i = 0; i < s->n; i++)
		all[i] = (struct named){ s->name[i], i };
	if (s->n)
		qsort(all, s->n, sizeof(*all), by_name);
	for (uint32_t i = 0; i < s->n; i++) {
		s->name[i] = all[i].name;
		old[i] = all[i].old;
		new[old[i]] = i;
		json_integer_set(json_object_get(s->number, s->name[i]), i);
	}
	for (size_t k = 0; k < s->nfailures; k++) {
		s->failure[k].sender = new[s->failure[k].sender];
		s->failure[k].receiver = new[s->failure[k].receiver];
	}
	free(all);
	return old;
}

/* Makes the matrix of a quantity, and frees its grids, where hosts have the numbers `old`. */
static int make_of_grids(struct study *s, enum quantity q, const uint32_t *old)
{
	struct matrix *m = &s->of[q];
	int err = matrix_make(m, s->n, s->nvisits, s->nrounds);

	for (uint32_t v = 0; v < s->nvisits && !err; v++) {
		float *y = s->grid[q][v];
		uint16_t *round = s->round[v];

		for (uint32_t i = 0; i < s->n && y; i++) {
			size_t from = (size_t)old[i] * s->room, to = matrix_at(m, v, i, 0);

			for (uint32_t j = 0; j < s->n; j++) {
				m->y[to + j] = y[from + old[j]];
				if (round && round[from + old[j]] != STUDY_NO_ROUND)
					m->round[to + j] = round[from + old[j]];
			}
		}
		free(y);
		s->grid[q][v] = NULL;
	}
	m->symmetric = q != BANDWIDTH;
	/* the two directions are one quantity: takes their mean if both were measured */
	for (uint32_t v = 0; v < s->nvisits && !err && m->symmetric; v++) {
		for (uint32_t i = 0; i < m->n; i++) {
			for (uint32_t j = 0; j < i; j++) {
				float *ij = &m->y[matrix_at(m, v, i, j)];
				float *ji = &m->y[matrix_at(m, v, j, i)];

				*ij = *ji = isnan(*ij) ? *ji : isnan(*ji) ? *ij : (*ij + *ji) / 2;
			}
		}
	}
	return err;
}

int study_finish(struct study *s)
{
	uint32_t *old = sort_hosts(s);
	int err = ST_OK;

	study_sort_failures(s);
	free(s->class);
	s->class = calloc(s->n + 1, sizeof(*s->class));
	if (!s->class || !old)
		err = error_report("no memory for %u hosts", s->n);
	for (int q = 0; q < NQUANTITIES && !err; q++)
		if (study_has(s, (enum quantity)q))
			err = make_of_grids(s, (enum quantity)q, old);
	for (uint32_t v = 0; v < STUDY_VISITS; v++) {
		free(s->round[v]);
		s->round[v] = NULL;
	}
	free(old);
	return err;
}

bool study_has(const struct study *s, enum quantity q)
{
	bool has = s->of[q].n > 0;

	for (uint32_t v = 0; v < s->nvisits && !has; v++)
		has = s->grid[q][v] != NULL;
	return has;
}

float study_value(const struct study *s, enum quantity q, uint32_t visit, uint32_t i, uint32_t j)
{
	const struct matrix *m = &s->of[q];
	const float *y = s->grid[q][visit];

	if (m->n)
		return m->y[matrix_at(m, visit, i, j)];
	return y ? y[(size_t)i * s->room + j] : NAN;
}

uint32_t study_round(const struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	for (int q = 0; q < NQUANTITIES; q++) {
		const struct matrix *m = &s->of[q];
		uint32_t k = m->n && m->round ? m->round[matrix_at(m, visit, i, j)] : m->nrounds;

		if (m->n)
			return k < m->nrounds ? k : STUDY_NO_ROUND;
	}
	return s->round[visit] ? s->round[visit][(size_t)i * s->room + j] : STUDY_NO_ROUND;
}

size_t study_visits(const struct study *s, enum quantity q, uint32_t i, uint32_t j, double *to)
{
	size_t n = 0;

	for (uint32_t v = 0; v < s->nvisits; v++) {
		to[n] = study_unit(q, study_value(s, q, v, i, j));
		n += !isnan(to[n]);
	}
	return n;
}

double study_y(const struct study *s, enum quantity q, uint32_t i, uint32_t j)
{
	double y[STUDY_VISITS];
	size_t n = 0;

	for (uint32_t v = 0; v < s->nvisits; v++) {
		y[n] = study_value(s, q, v, i, j);
		n += !isnan(y[n]);
	}
	return n == 1 ? y[0] : select_median(y, n);
}

void study_free(struct study *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		free(s->name[i]);
	for (uint32_t i = 0; i < s->nclasses; i++)
		free(s->class_name[i]);
	for (int q = 0; q < NQUANTITIES; q++) {
		for (uint32_t v = 0; v < STUDY_VISITS; v++)
			free(s->grid[q][v]);
		matrix_free(&s->of[q]);
	}
	for (uint32_t v = 0; v < STUDY_VISITS; v++)
		free(s->round[v]);
	free(s->failure);
	free(s->gone);
	free(s->name);
	free(s->class);
	free(s->class_name);
	free(s->leaf);
	free(s->machine);
	json_decref(s->number);
	json_decref(s->environment);
	json_decref(s->machines);
	*s = (struct study){ 0 };
}
