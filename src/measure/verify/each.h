/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --verify every and every-timed: each message of a round has a buffer and a number of its own. So
 * messages differ, and each is verified before its buffer is written again.
 */
#ifndef NETBENCH_MEASURE_VERIFY_EACH_H
#define NETBENCH_MEASURE_VERIFY_EACH_H

#include <stddef.h>
#include <stdint.h>

#include "measure/state.h"

struct plan;
struct session;
struct spec;

/* Bytes of the endpoint's memory that any rank needs at most for all specs. */
size_t each_memory_size(const struct plan *p);

/* Allocates that memory. Returns ST_OK, or ST_FAILED (reported). */
int each_open(struct session *s);
void each_close(struct session *s);

/*
 * Lists the transfers of all iterations of the session's round; if each_is_timed, of one iteration.
 * The round has been built and has its count. Returns ST_OK, or ST_FAILED (reported).
 */
int each_list_transfers(struct session *s, const struct spec *spec);

/* The number of a listed round's k-th transfer among the messages of its pair of ranks. */
static inline uint64_t each_number(const struct each *e, uint64_t k)
{
	return k / e->n * e->of_pair[k % e->n] + e->number[k % e->n];
}

#endif
