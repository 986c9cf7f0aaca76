/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --verify every and every-timed: each message of a round has a buffer and a number of its own, so
 * that none can be taken for another and none is overwritten before it is verified.
 */
#ifndef NETBENCH_MEASURE_VERIFY_EACH_H
#define NETBENCH_MEASURE_VERIFY_EACH_H

#include <stddef.h>
#include <stdint.h>

#include "transport/backend.h"

struct plan;
struct session;
struct settings;
struct spec;

/* One rank's messages. */
struct each {
	unsigned char *memory;	/* of the backend's alloc */
	void **cells;		/* instead, where a backend carries less than a message */
	uint64_t ncells;
	uint32_t n;		/* transfers of an iteration */
	/* of each of them: its number among those of its pair of ranks, and how many that has */
	uint32_t *number, *of_pair;
	struct request *requests;	/* every-timed: one for each of them */
	uint64_t checked, errors;	/* every-timed: messages of the last round */
};

/* True if the rounds of a spec are verified so. */
bool each_is_asked(const struct settings *st, const struct spec *spec);

/* True if this is done message by message, within the time. */
bool each_is_timed(const struct settings *st, const struct spec *spec);

/*
 * Iterations that a round may have: as many as fit into 65536 messages and 64 MiB a rank, but at
 * least one; 0: one takes more than 1 GiB. Without each_is_asked any number, UINT64_MAX. The same
 * on all ranks.
 */
uint64_t each_most_loops(const struct plan *p, const struct spec *spec);

/* Capabilities that the specs of a plan need for it; 0: none is to be verified so. */
unsigned each_needs(const struct plan *p);

/* Bytes of the endpoint's memory that any rank needs at most for all specs. */
size_t each_heap(const struct plan *p);

/* Allocates them. ST_OK, or ST_FAILED (reported). */
int each_open(struct session *s);
void each_close(struct session *s);

/*
 * Lists the transfers of all iterations of the session's round, which has been built and has its
 * count; for each_is_timed of one iteration. ST_OK, or ST_FAILED (reported).
 */
int each_list(struct session *s, const struct spec *spec);

/* The number of the k-th transfer of a listed round among the messages of its pair of ranks. */
static inline uint64_t each_number(const struct each *e, uint64_t k)
{
	return k / e->n * e->of_pair[k % e->n] + e->number[k % e->n];
}

#endif
