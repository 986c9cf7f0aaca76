/* SPDX-License-Identifier: Apache-2.0 */
/* Values of all pairs in all visits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "analyse/map/judge/matrix.h"

static void clear(struct matrix *m, size_t from, size_t cells)
{
	for (size_t i = from; i < cells; i++)
		m->y[i] = NAN;
	for (size_t i = from; i < cells && m->round; i++)
		m->round[i] = (uint16_t)m->nrounds;
}

int matrix_make(struct matrix *m, uint32_t n, uint32_t nvisits, uint32_t nrounds)
{
	size_t cells = (size_t)nvisits * n * n;

	*m = (struct matrix){ .n = n, .nvisits = nvisits, .nrounds = nrounds };
	m->y = malloc((cells + 1) * sizeof(*m->y));
	m->round = nrounds ? malloc((cells + 1) * sizeof(*m->round)) : NULL;
	if (!m->y || (nrounds && !m->round)) {
		matrix_free(m);
		return error_report("no memory for %u visits of all pairs of %u hosts", nvisits, n);
	}
	clear(m, 0, cells);
	return ST_OK;
}

void matrix_free(struct matrix *m)
{
	free(m->y);
	free(m->round);
	*m = (struct matrix){ 0 };
}

int matrix_take(struct matrix *to, const struct matrix *from, const uint32_t *hosts, uint32_t n)
{
	int err = matrix_make(to, n, from->nvisits, from->nrounds);

	for (uint32_t v = 0; v < from->nvisits && !err; v++) {
		for (uint32_t i = 0; i < n; i++) {
			for (uint32_t j = 0; j < n; j++) {
				size_t at = matrix_at(from, v, hosts[i], hosts[j]);

				to->y[matrix_at(to, v, i, j)] = from->y[at];
				if (from->round)
					to->round[matrix_at(to, v, i, j)] = from->round[at];
			}
		}
	}
	to->symmetric = from->symmetric;
	to->host = hosts;
	return err;
}

int matrix_extend(struct matrix *m, uint32_t more)
{
	size_t old = (size_t)m->nvisits * m->n * m->n, cells = old + (size_t)more * m->n * m->n;
	float *y = realloc(m->y, (cells + 1) * sizeof(*y));
	uint16_t *round;

	m->y = y ? y : m->y;
	round = y && m->round ? realloc(m->round, (cells + 1) * sizeof(*round)) : NULL;
	m->round = round ? round : m->round;
	if (!y || (m->round && !round))
		return error_report("no memory for %u visits more", more);
	m->nvisits += more;
	clear(m, old, cells);
	return ST_OK;
}
