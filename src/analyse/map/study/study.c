/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"

#define SPARSE_HOSTS 8		/* fewest hosts of mode quick */

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

/* Doubles the allocated number of hosts in all members. */
static bool grow_study(struct study *s)
{
	uint32_t more = s->room ? 2 * s->room : 16;
	char **name = realloc(s->name, more * sizeof(*name));
	bool good = name;

	s->name = name ? name : s->name;
	for (uint32_t v = 0; v < s->nvisits && good; v++) {
		struct study_row *row;

		if (!s->row[v])
			continue;
		row = realloc(s->row[v], more * sizeof(*row));
		good = row;
		if (row)
			memset(row + s->room, 0, (more - s->room) * sizeof(*row));
		s->row[v] = row ? row : s->row[v];
	}
	s->room = good ? more : s->room;
	return good;
}

bool study_add_host(struct study *s, const char *name, uint32_t *host)
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

bool study_add_visit(struct study *s, uint64_t label, uint32_t *visit)
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

/* Returns the index of a receiver in a row, or the index at which it would be inserted. */
static uint32_t find_receiver(const struct study_row *row, uint32_t receiver)
{
	uint32_t low = 0, high = row->n;

	if (high && row->at[high - 1].receiver < receiver)
		return high;
	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (row->at[mid].receiver < receiver)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Returns the cell of an ordered pair in a visit; NULL if the pair has none. */
static struct cell *find_cell(const struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	const struct study_row *row = s->row[visit] ? &s->row[visit][i] : NULL;
	uint32_t at = row ? find_receiver(row, j) : 0;

	return row && at < row->n && row->at[at].receiver == j ? &row->at[at] : NULL;
}

/* Finds or adds the cell of a pair. Returns NULL without memory. */
static struct cell *find_or_add_cell(struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	struct study_row *row;
	uint32_t at;

	if (!s->row[visit])
		s->row[visit] = calloc(s->room, sizeof(*s->row[visit]));
	if (!s->row[visit])
		return NULL;
	row = &s->row[visit][i];
	at = find_receiver(row, j);
	if (at < row->n && row->at[at].receiver == j)
		return &row->at[at];
	if (row->n == row->room) {
		uint32_t more = row->room ? 2 * row->room : 8;
		struct cell *cells = realloc(row->at, more * sizeof(*cells));

		if (!cells)
			return NULL;
		row->at = cells;
		row->room = more;
	}
	memmove(&row->at[at + 1], &row->at[at], (row->n++ - at) * sizeof(*row->at));
	row->at[at] = (struct cell){ .receiver = (uint16_t)(j & INT16_MAX),
				     .round = STUDY_NO_ROUND };
	for (int q = 0; q < NQUANTITIES; q++)
		row->at[at].y[q] = NAN;
	return &row->at[at];
}

enum put study_add(struct study *s, const struct measurement *o)
{
	enum put done = PUT;
	bool any = false;
	struct cell *to;

	for (int q = 0; q < NQUANTITIES; q++)
		any |= !isnan(o->value[q]);
	if (!any)
		return study_keep_failure(s, o) ? PUT : PUT_NO_MEMORY;
	to = find_or_add_cell(s, o->visit, o->sender, o->receiver);
	if (!to)
		return PUT_NO_MEMORY;
	for (int q = 0; q < NQUANTITIES; q++) {
		if (isnan(o->value[q]))
			continue;
		if (!isnan(to->y[q]))
			done = PUT_TWICE;
		s->has[q] = true;
		to->y[q] = (float)(q == LATENCY ? -log(o->value[q]) : log(o->value[q]));
	}
	if (o->round == STUDY_NO_ROUND)
		return done;
	to->round = (uint16_t)o->round;
	if (o->round >= s->nrounds)
		s->nrounds = o->round + 1;
	return done;
}

/* ---- pairs that did not answer ---- */

static int compare_failures(const void *a, const void *b)
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
		qsort(s->failure, s->nfailures, sizeof(*s->failure), compare_failures);
}

bool study_failed(const struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	struct failure at = { i, j, study_time(visit, 0) };
	const struct failure *f = s->failure;
	size_t low = 0, high = s->nfailures;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (compare_failures(&f[mid], &at) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->nfailures && f[low].sender == i && f[low].receiver == j &&
	       f[low].when >> 32 == visit;
}

/* ---- the complete study ---- */

struct named {
	char *name;
	uint32_t old;
};

static int compare_names(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strverscmp(x->name, y->name);	/* n2 before n10 */
}

/*
 * Sorts the hosts by name. Returns a list of 2n numbers: the old number of each host, then the new
 * number for each old number. The caller frees the list.
 */
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
		qsort(all, s->n, sizeof(*all), compare_names);
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

static int compare_receivers(const void *a, const void *b)
{
	return (int)((const struct cell *)a)->receiver - (int)((const struct cell *)b)->receiver;
}

/* Renumbers the hosts in the rows of a visit. Returns false without memory. */
static bool renumber_rows(struct study *s, uint32_t visit, const uint32_t *new)
{
	struct study_row *rows = s->row[visit], *to = calloc(s->room, sizeof(*to));

	for (uint32_t i = 0; i < s->n && to; i++) {
		struct study_row *row = &to[new[i]];

		*row = rows[i];
		for (uint32_t k = 0; k < row->n; k++)
			row->at[k].receiver = (uint16_t)(new[row->at[k].receiver] & INT16_MAX);
		if (row->n)
			qsort(row->at, row->n, sizeof(*row->at), compare_receivers);
	}
	if (!to)
		return false;
	free(rows);
	s->row[visit] = to;
	return true;
}

/*
 * Sets both directions of a symmetric quantity to their mean. If only one has a value, sets both to
 * it.
 */
static bool average_directions(struct study *s, uint32_t visit)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct study_row *row = &s->row[visit][i];

		for (uint32_t k = 0; k < row->n; k++) {
			struct cell *ij = &row->at[k];
			struct cell *ji = find_or_add_cell(s, visit, ij->receiver, i);

			if (!ji)
				return false;
			if (ji->round == STUDY_NO_ROUND)
				ji->round = ij->round;
			for (int q = LATENCY; q < NQUANTITIES; q++) {
				float x = ij->y[q], y = ji->y[q];

				ij->y[q] = ji->y[q] = isnan(x) ? y : isnan(y) ? x : (x + y) / 2;
			}
		}
	}
	return true;
}

int study_finish(struct study *s)
{
	uint32_t *old = sort_hosts(s);
	bool good = old, same = true;

	study_sort_failures(s);
	free(s->class);
	s->class = calloc(s->n + 1, sizeof(*s->class));
	for (uint32_t i = 0; i < s->n && good; i++)
		same &= old[i] == i;
	for (uint32_t v = 0; v < s->nvisits && good; v++) {
		if (!s->row[v])
			continue;
		good = same || renumber_rows(s, v, old + s->n);
		if (s->has[LATENCY] || s->has[BIDIRECTIONAL])
			good = good && average_directions(s, v);
	}
	free(old);
	if (!good || !s->class)
		return error_report("no memory for %u hosts", s->n);
	for (int q = 0; q < NQUANTITIES; q++)
		if (s->has[q])
			s->of[q] = (struct matrix){ .n = s->n, .nvisits = s->nvisits,
						    .nrounds = s->nrounds,
						    .symmetric = q != BANDWIDTH };
	return ST_OK;
}

bool study_has(const struct study *s, enum quantity q)
{
	return s->has[q];
}

struct matrix study_matrix(const struct study *s, enum quantity q, struct scratch *room)
{
	struct matrix m = s->of[q];
	size_t cells = matrix_at(&m, m.nvisits, 0, 0);

	if (m.y || !m.n)
		return m;
	m.y = scratch_take(room, cells, sizeof(*m.y));
	m.round = m.nrounds ? scratch_take(room, cells, sizeof(*m.round)) : NULL;
	for (size_t at = 0; at < cells; at++)
		m.y[at] = NAN;
	for (size_t at = 0; at < cells && m.round; at++)
		m.round[at] = (uint16_t)m.nrounds;
	for (uint32_t v = 0; v < m.nvisits; v++) {
		for (uint32_t i = 0; i < m.n && s->row[v]; i++) {
			const struct study_row *row = &s->row[v][i];

			for (uint32_t k = 0; k < row->n; k++) {
				size_t at = matrix_at(&m, v, i, row->at[k].receiver);

				m.y[at] = row->at[k].y[q];
				if (m.round && row->at[k].round != STUDY_NO_ROUND)
					m.round[at] = row->at[k].round;
			}
		}
	}
	return m;
}

/* ---- ordered pairs that have values ---- */

bool study_next(const struct study *s, struct met *at)
{
	uint32_t from = at->j + 1, next = UINT32_MAX;

	for (; at->i < s->n; at->i++, from = 0) {
		for (uint32_t v = 0; v < s->nvisits; v++) {
			const struct study_row *row = s->row[v] ? &s->row[v][at->i] : NULL;
			uint32_t k = row ? find_receiver(row, from) : 0;

			if (row && k < row->n && row->at[k].receiver < next)
				next = row->at[k].receiver;
		}
		if (next != UINT32_MAX)
			break;
	}
	at->j = next;
	return at->i < s->n;
}

size_t study_count_cells(const struct study *s)
{
	size_t n = 0;

	for (uint32_t v = 0; v < s->nvisits; v++)
		for (uint32_t i = 0; i < s->n && s->row[v]; i++)
			n += s->row[v][i].n;
	return n;
}

bool study_is_sparse(const struct study *s)
{
	return s->nvisits == 1 && s->n >= SPARSE_HOSTS &&
	       2 * study_count_cells(s) <= (size_t)s->n * (s->n - 1);
}

void study_mark_written(struct study *s, uint32_t i, uint32_t j)
{
	struct cell *at = find_cell(s, s->nvisits - 1, i, j);

	if (at)
		at->written = 1;
}

bool study_was_written(const struct study *s, uint32_t i, uint32_t j)
{
	const struct cell *at = find_cell(s, s->nvisits - 1, i, j);

	return at && at->written;
}

float study_value(const struct study *s, enum quantity q, uint32_t visit, uint32_t i, uint32_t j)
{
	const struct cell *at = find_cell(s, visit, i, j);

	return at ? at->y[q] : NAN;
}

uint32_t study_round(const struct study *s, uint32_t visit, uint32_t i, uint32_t j)
{
	const struct cell *at = find_cell(s, visit, i, j);

	return at ? at->round : STUDY_NO_ROUND;
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
	for (uint32_t v = 0; v < STUDY_VISITS; v++) {
		for (uint32_t i = 0; i < s->n && s->row[v]; i++)
			free(s->row[v][i].at);
		free(s->row[v]);
	}
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
