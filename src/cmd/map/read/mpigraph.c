/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/mpigraph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

#define MIB 1048576.0

struct graph {
	bool receiving;		/* the current table is "Recv" */
	uint32_t ntables;	/* number of tables; each table is a visit */
	size_t n;
	uint32_t host[];	/* host of each rank */
};

/* Parses the number after the rightmost colon of "NAME:3". Returns false if there is no number. */
static bool parse_rank(const char *word, uint64_t *rank)
{
	const char *at = strrchr(word, ':');

	return at && at > word && (at++, scan_whole(&at, false, rank) == V_OK) && !*at;
}

/* Returns whether a line begins a table: "Send NAME:0 NAME:1", or "Recv NAME:0 ..". */
static bool is_table(const struct reading *r, char **cells, size_t n)
{
	uint64_t rank;

	(void)r;
	if (n < 3 || (strcmp(cells[0], "Send") != 0 && strcmp(cells[0], "Recv") != 0))
		return false;
	for (size_t k = 1; k < n; k++)
		if (!parse_rank(cells[k], &rank) || rank != k - 1)
			return false;
	return true;
}

/*
 * Removes the ranks (":3") from the names if all names still differ without ranks. Returns whether
 * the ranks were removed.
 */
static bool strip_ranks(char **names, size_t n)
{
	json_t *seen = json_object();
	bool differ;

	for (size_t k = 0; k < n; k++) {
		*strrchr(names[k], ':') = '\0';
		json_object_set_new_nocheck(seen, names[k], json_true());
	}
	differ = json_object_size(seen) == n;
	json_decref(seen);
	for (size_t k = 0; k < n && !differ; k++)
		names[k][strlen(names[k])] = ':';
	return differ;
}

static int begin_table(struct reading *r, char **cells, size_t n, size_t line)
{
	struct graph *g = r->own;
	uint32_t ntables = g ? g->ntables + 1 : 1;

	if (g && g->n != n - 1)
		return error_usage("file '%s', line %zu: a table of %zu ranks after one of %zu",
				   r->rows.path, line, n - 1, g->n);
	g = r->own = g ? g : memory_new(1, sizeof(*g) + n * sizeof(*g->host));
	g->n = n - 1;
	g->ntables = ntables;
	g->receiving = !strcmp(cells[0], "Recv");
	if (!study_add_visit(r->rows.s, r->visits_before + ntables, &r->rows.last.visit))
		return error_usage("file '%s', line %zu: more than %d visits", r->rows.path, line,
				   STUDY_VISITS);
	strip_ranks(cells + 1, g->n);
	for (size_t k = 0; k < g->n; k++)
		if (rows_find_host(&r->rows, "rank", cells[k + 1], line, &g->host[k]))
			return ST_USAGE;
	r->counts = true;
	return ST_OK;
}

/*
 * Reads a row such as "NAME:0 to 0.000 5432.100 ..". In round d rank r sends to rank r + d, modulo
 * the number of ranks. Returns ST_OK or an error (reported).
 */
static int read_line(struct reading *r, char **cells, size_t n, size_t line)
{
	struct measurement *o = &r->rows.last;
	const struct graph *g = r->own;
	uint64_t row;

	if (is_table(r, cells, n))
		return begin_table(r, cells, n, line);
	if (n < 2 || strcmp(cells[1], g->receiving ? "from" : "to") != 0)
		return ST_OK;
	if (n != g->n + 2 || !parse_rank(cells[0], &row) || row >= g->n)
		return error_usage("file '%s', line %zu is no row of %zu ranks", r->rows.path,
				   line, g->n);
	o->value[LATENCY] = o->value[BIDIRECTIONAL] = NAN;
	for (size_t k = 0; k < g->n; k++) {
		size_t from = g->receiving ? k : row, to = g->receiving ? row : k;

		if (!format_number(cells[k + 2], &o->value[BANDWIDTH]))
			return error_usage("file '%s', line %zu: '%s' is no rate", r->rows.path,
					   line, cells[k + 2]);
		o->value[BANDWIDTH] *= MIB;
		o->sender = g->host[from];
		o->receiver = g->host[to];
		o->round = (uint32_t)((to + g->n - from) % g->n);
		if (from != to && format_put(r, o, line))
			return ST_USAGE;
	}
	return ST_OK;
}

const struct map_format mpigraph_format = {
	.name = "output of mpiGraph",
	.begins = is_table,
	.take = read_line,
	.only = "bandwidths while all hosts send and receive",
};
