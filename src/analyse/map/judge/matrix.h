/* SPDX-License-Identifier: Apache-2.0 */
/* Values of all pairs in all visits. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_MATRIX_H
#define NETBENCH_ANALYSE_MAP_JUDGE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/map/scratch.h"

/* One quantity of every ordered pair of n hosts, in some visits. */
struct matrix {
	uint32_t n, nvisits;
	float *y;		/* [visit][sender][receiver]: ln(bandwidth), -ln(time); or NaN */
	/* [visit][sender][receiver]: the round; nrounds: not known. NULL: no round is known */
	uint16_t *round;
	uint32_t nrounds;
	bool symmetric; /* y(i,j) = y(j,i); true for all quantities except bandwidth one way */
	const uint32_t *host; /* number of each host in the study; NULL: the numbers are the same */
};

static inline size_t matrix_at(const struct matrix *m, uint32_t visit, uint32_t i, uint32_t j)
{
	return ((size_t)visit * m->n + i) * m->n + j;
}

/* True for quick mode: each host has met only some others, in a single visit. */
static inline bool matrix_is_quick(const struct matrix *m)
{
	return m->nvisits == 1;
}

/* The number of a host in the study. */
static inline uint32_t matrix_host(const struct matrix *m, uint32_t host)
{
	return m->host ? m->host[host] : host;
}

/*
 * Allocates an empty matrix: all NaN, rounds not known. Returns ST_OK, or ST_FAILED without memory
 * (reported).
 */
int matrix_make(struct matrix *m, uint32_t n, uint32_t nvisits, uint32_t nrounds);
void matrix_free(struct matrix *m);

/*
 * Copies the values of the pairs among the n hosts in `hosts`, in that order. If `hosts` is NULL,
 * copies the pairs among all hosts. Adds `more` empty visits. The copy lives as long as the memory
 * in `room`.
 */
struct matrix matrix_copy(struct scratch *room, const struct matrix *from, const uint32_t *hosts,
			  uint32_t n, uint32_t more);

#endif
