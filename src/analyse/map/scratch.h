/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Working memory of a computation, freed all at once. The computation ends early if memory runs
 * out or its input ends, so its functions have no error to pass on:
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
	jmp_buf *out;			/* where an early end goes */
};

/*
 * Runs compute(arg), and frees everything that it took. ST_OK, or ST_FAILED if it ended early. May
 * be called within a computation, with a room of its own.
 */
int scratch_run(struct scratch *room, void (*compute)(void *arg), void *arg);

/* Zeroed memory for n members of `size` bytes. Without memory: reports that and ends early. */
void *scratch_take(struct scratch *room, size_t n, size_t size);

/* Frees what was taken since room->last was `mark`. */
void scratch_free(struct scratch *room, struct scratch_piece *mark);

/* Ends the computation early: scratch_run yields ST_FAILED. What is wrong was reported before. */
__attribute__((noreturn)) void scratch_give_up(struct scratch *room);

#endif
