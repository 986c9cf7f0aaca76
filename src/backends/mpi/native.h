/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations that use the MPI calls of a normal program (OP_NATIVE of xfer.h). */
#ifndef NETBENCH_BACKENDS_MPI_NATIVE_H
#define NETBENCH_BACKENDS_MPI_NATIVE_H

#include <mpi.h>
#include <stdint.h>

#include "base/clock.h"
#include "transport/xfer.h"

/* Those arguments of the MPI calls that the transfer does not contain. */
struct native_args {
	MPI_Comm comm;
	int *counts; /* reduce-scatter: number of elements of each rank; NULL: not needed yet */
	MPI_Op combine;	/* MPI_SUM or MPI_MAX */
	/*
	 * Transfers from `timed` on compute for this time after they have started, s; 0: they do
	 * not.
	 */
	double compute_s;
	const struct xfer *timed;
};

/*
 * Both functions return a set of operations, one bit per operation. native_operations returns all
 * operations, and native_persistent_operations those with a persistent form in this library.
 */
uint32_t native_operations(void);
uint32_t native_persistent_operations(void);

/* Names of the MPI calls for messages, indexed by enum operation. */
extern const char *const native_calls[];

/*
 * Prepares the arguments for the operations of a round: how they combine elements, and for a
 * reduce-scatter each rank's number of elements. All transfers of a round must have the same size,
 * and at most one of them is a reduce-scatter. Returns ST_OK, or ST_FAILED if there is no memory
 * (reported). native_close frees the memory.
 */
int native_prepare(struct native_args *a, const struct round *r);
void native_close(struct native_args *a);

/* Computes as the round says, after the operation of a transfer has started. */
static inline void native_compute(const struct native_args *a, const struct xfer *x)
{
	if (a->compute_s > 0 && x >= a->timed)
		clock_spin(a->compute_s);
}

/*
 * native_perform performs the operation of a transfer. native_start starts it as request *q. Both
 * return MPI's error code.
 */
int native_perform(const struct native_args *a, const struct xfer *x);
int native_start(const struct native_args *a, const struct xfer *x, MPI_Request *q);

/*
 * Creates the persistent request *q of an operation that native_persistent_operations() contains.
 * Returns MPI's error code.
 */
int native_make_persistent(const struct native_args *a, const struct xfer *x, MPI_Request *q);

#endif
