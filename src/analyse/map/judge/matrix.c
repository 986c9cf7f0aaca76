/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/matrix.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Sets all values to NaN, and all rounds to "not known". */
static void clear_values(struct matrix *m)
{
	for (size_t i = 0; i < matrix_at(m, m->nvisits, 0, 0); i++) {
		m->y[i] = NAN;
		if (m->round)
			m->round[i] = (uint16_t)m->nrounds;
	}
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
	clear_values(m);
	return ST_OK;
}

void matrix_free(struct matrix *m)
{
	free(m->y);
	free(m->round);
	*m = (struct matrix){ 0 };
}

struct matrix matrix_copy(struct scratch *room, const struct matrix *from, const uint32_t *hosts,
			  uint32_t n, uint32_t more)
{
	struct matrix to = *from;
	size_t cells = (size_t)(from->nvisits + more) * n * n;
	uint32_t *numbers = scratch_take(room, n, sizeof(*numbers));

	to.n = n;
	to.nvisits += more;
	to.host = numbers;
	to.y = scratch_take(room, cells, sizeof(*to.y));
	to.round = from->round ? scratch_take(room, cells, sizeof(*to.round)) : NULL;
	clear_values(&to);
	for (uint32_t i = 0; i < n; i++)
		numbers[i] = matrix_host(from, hosts ? hosts[i] : i);
	for (uint32_t v = 0; v < from->nvisits; v++) {
		for (uint32_t i = 0; i < n; i++) {
			size_t row = matrix_at(from, v, hosts ? hosts[i] : i, 0);

			for (uint32_t j = 0; j < n; j++) {
				size_t at = row + (hosts ? hosts[j] : j);

				to.y[matrix_at(&to, v, i, j)] = from->y[at];
				if (from->round)
					to.round[matrix_at(&to, v, i, j)] = from->round[at];
			}
		}
	}
	return to;
}
