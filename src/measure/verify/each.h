/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For --verify every and every-timed, each message of a round has its own buffer and its own
 * number. So all messages differ, and each message is verified before its buffer is overwritten.
 */
#ifndef NETBENCH_MEASURE_VERIFY_EACH_H
#define NETBENCH_MEASURE_VERIFY_EACH_H

#include <stddef.h>
#include <stdint.h>

#include "measure/state.h"

struct plan;
struct session;
struct spec;

/*
 * Returns the most bytes of the endpoint's memory that any rank needs for the messages of any spec.
 */
size_t each_memory_size(const struct plan *p);

/* Allocates the memory for the messages of all specs. Returns ST_OK, or ST_FAILED (reported). */
int each_open(struct session *s);
void each_close(struct session *s);

/*
 * Lists the transfers of all iterations of the session's round. If each_is_timed, lists the
 * transfers of only one iteration. Before the call, the round must be built and have its count.
 * Returns ST_OK, or ST_FAILED (reported).
 */
int each_list_transfers(struct session *s, const struct spec *spec);

/*
 * Returns the number, from 0, that transfer k of a listed round has among the messages of its two
 * ranks in its direction.
 */
static inline uint64_t each_number(const struct each *e, uint64_t k)
{
	return k / e->n * e->of_pair[k % e->n] + e->number[k % e->n];
}

#endif
