/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations by the calls that a program would use (OP_NATIVE of xfer.h). */
#ifndef NETBENCH_BACKENDS_MPI_NATIVE_H
#define NETBENCH_BACKENDS_MPI_NATIVE_H

#include <mpi.h>
#include <stdint.h>

#include "transport/xfer.h"

/* What calls need beside the transfer. */
struct native_args {
	MPI_Comm comm;
	int *counts; /* of a round's reduce-scatter: elements of each rank */
};

/* Operations, a bit for each: all, and those with a persistent form in this library. */
uint32_t native_all(void);
uint32_t native_persistent(void);

/* Names of calls by enum operation, for messages. */
extern const char *const native_calls[];

/*
 * Counts the elements of each rank if the round has a reduce-scatter; one size a round. ST_OK, or
 * ST_FAILED without memory (reported). native_close frees them.
 */
int native_arm(struct native_args *a, const struct round *r);
void native_close(struct native_args *a);

/* Does it, or starts it with *q. Yields what MPI yields. */
int native_do(const struct native_args *a, const struct xfer *x);
int native_start(const struct native_args *a, const struct xfer *x, MPI_Request *q);

/* Makes the persistent request of an operation that has one. */
int native_init(const struct native_args *a, const struct xfer *x, MPI_Request *q);

#endif
