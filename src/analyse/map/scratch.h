/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Working memory of a computation, all freed at once. A computation ends early if memory or its
 * input runs out, so its functions need not return errors:
 *
 *	static void compute(void *arg) { ... x = scratch_take(room, n, sizeof(*x)); ... }
 *	err = scratch_run(room, compute, arg);
 */
#ifndef NETBENCH_ANALYSE_MAP_SCRATCH_H
#define NETBENCH_ANALYSE_MAP_SCRATCH_H

#include <setjmp.h>
#include <stddef.h>

struct scratch {
	struct scratch_piece *last;
	jmp_buf *out;			/* a jump to this target ends the computation early */
};

/*
 * Runs compute(arg), and then frees all memory that the computation took. Returns ST_OK, or
 * ST_FAILED if the computation ended early. A computation may itself call scratch_run() with
 * another `room`.
 */
int scratch_run(struct scratch *room, void (*compute)(void *arg), void *arg);

/*
 * Allocates zeroed memory for n members of `size` bytes. If there is no memory, reports that and
 * ends the computation early.
 */
void *scratch_take(struct scratch *room, size_t n, size_t size);

/* Frees all memory that was taken after room->last had the value `mark`. */
void scratch_free(struct scratch *room, struct scratch_piece *mark);

/*
 * Ends the computation early, so that scratch_run() returns ST_FAILED. The caller has reported the
 * fault.
 */
__attribute__((noreturn)) void scratch_give_up(struct scratch *room);

#endif
