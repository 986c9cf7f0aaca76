/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

/*
 * For each unit of enum from_unit: the quantity that has this unit, and the factor to base units.
 */
static const struct {
	enum quantity quantity;
	double factor;
} units[NFROM_UNITS] = {
	[FROM_BPS] = { BANDWIDTH, 1 },		[FROM_MBPS] = { BANDWIDTH, 1e6 },
	[FROM_MIBPS] = { BANDWIDTH, 1048576 },	[FROM_GBITPS] = { BANDWIDTH, 1.25e8 },
	[FROM_US] = { LATENCY, 1e-6 },
};

struct partial_matrix {
	size_t n, rows;
	bool named;		/* each row begins with a name */
	char **columns;		/* names of the columns, in reading.before; NULL: none */
	double value[];		/* values, [row][column] */
};

/* Returns whether a line is a row: numbers, perhaps after a name. */
static bool is_row(const struct reading *r, char **cells, size_t n)
{
	double value;

	(void)r;
	for (size_t k = 1; k < n; k++)
		if (!format_number(cells[k], &value))
			return false;
	return n > 2 || (n == 2 && format_number(cells[0], &value));
}

/* Begins a matrix at its first row. The previous line may have the names of the columns. */
static void begin_matrix(struct reading *r, char **cells, size_t n)
{
	double value;
	bool named = !format_number(cells[0], &value);
	size_t wide = n - named, before = r->before.n;
	struct partial_matrix *s = r->own =
		memory_new(1, sizeof(*s) + wide * wide * sizeof(*s->value));

	r->names.at = memory_new(wide, sizeof(*r->names.at));
	s->n = wide;
	s->named = named;
	/* there may be one more word, above the names of rows */
	if (before == wide || (named && before == wide + 1))
		s->columns = r->before.at + (before - wide);
}

static int read_row(struct reading *r, char **cells, size_t n, size_t line)
{
	struct partial_matrix *s;

	if (!r->own)
		begin_matrix(r, cells, n);
	s = r->own;
	if (n != s->n + s->named || s->rows == s->n)
		return error_usage("file '%s', line %zu: expected %zu rows of %zu numbers%s",
				   r->rows.path, line, s->n, s->n,
				   s->named ? " after a name" : "");
	if (s->named)
		r->names.at[r->names.n++] = memory_or_exit(strdup(cells[0]));
	for (size_t k = 0; k < s->n; k++)
		if (!format_number(cells[k + s->named], &s->value[s->rows * s->n + k]))
			return error_usage("file '%s', line %zu: '%s' is no number of 0 or more",
					   r->rows.path, line, cells[k + s->named]);
	s->rows++;
	return ST_OK;
}

/*
 * Finds the host of row or column k. The host has the name by[k] or, if `by` is NULL, other[k]. If
 * both are NULL, it is the host of rank k. Returns ST_* (reported).
 */
static int find_host_of_index(struct reading *r, char **by, char **other, size_t k, uint32_t *host)
{
	char **names = by ? by : other;

	if (!names)
		return format_find_rank(r, k, k + 1, host);
	return rows_find_host(&r->rows, "host", names[k] + strspn(names[k], " "), k + 1,
			      host);
}

static int end_matrix(struct reading *r)
{
	const struct partial_matrix *s = r->own;
	struct measurement *o = &r->rows.last;
	double factor = units[r->unit].factor;
	char **rows = s->named ? r->names.at : NULL;
	int err = ST_OK;

	if (s->rows < s->n)
		return error_usage("file '%s' has %zu rows of %zu numbers: a matrix of all pairs "
				   "has equally many rows and "
				   "columns", r->rows.path, s->rows, s->n);
	r->counts = true;
	o->round = STUDY_NO_ROUND;
	if (!study_add_visit(r->rows.s, r->visits_before + 1, &o->visit))
		return error_usage("file '%s' is beyond the limit of %d "
				   "files", r->rows.path, STUDY_VISITS);
	for (int q = 0; q < NQUANTITIES; q++)
		o->value[q] = NAN;
	for (size_t i = 0; i < s->n && !err; i++) {
		err = find_host_of_index(r, rows, s->columns, i, &o->sender);
		for (size_t j = 0; j < s->n && !err; j++) {
			double one = s->value[i * s->n + j], back = s->value[j * s->n + i];

			o->value[units[r->unit].quantity] = factor * one;
			err = find_host_of_index(r, s->columns, rows, j, &o->receiver);
			/*
			 * if only one direction of a pair has a value, the other direction was not
			 * measured
			 */
			if (!err && !(isnan(one) && !isnan(back)))
				err = format_put(r, o, i + 1);
		}
	}
	if (!err && r->rows.s->n != s->n)
		err = error_usage("file '%s' has %zu rows and %u names of hosts", r->rows.path,
				  s->n, r->rows.s->n);
	return err;
}

const struct map_format matrix_format = {
	.name = "a matrix",
	.begins = is_row,
	.take = read_row,
	.end = end_matrix,
};
