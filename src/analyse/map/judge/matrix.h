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
	uint16_t *round;	/* in the same shape; nrounds: not known. NULL: none is known */
	uint32_t nrounds;
	bool symmetric;		/* y(i,j) = y(j,i), as for all quantities but bandwidth one way */
	const uint32_t *host;	/* numbers of the hosts in the study; NULL: the same */
};

static inline size_t matrix_at(const struct matrix *m, uint32_t visit, uint32_t i, uint32_t j)
{
	return ((size_t)visit * m->n + i) * m->n + j;
}

/* True for quick mode: hosts have met only some others, once. */
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
 * Copies the values between some hosts, in the order of `hosts` (NULL: all hosts), and adds `more`
 * empty visits. The copy lives as long as the room.
 */
struct matrix matrix_copy(struct scratch *room, const struct matrix *from, const uint32_t *hosts,
			  uint32_t n, uint32_t more);

#endif
