/* SPDX-License-Identifier: Apache-2.0 */
/* The job of ranks that mpirun or srun started, for mpi.c, which moves their messages. */
#ifndef NETBENCH_BACKENDS_MPI_JOB_H
#define NETBENCH_BACKENDS_MPI_JOB_H

#include <mpi.h>

#include "job/star.h"

struct mpi_job {
	struct star_job base;		/* its star only watches */
	MPI_Comm control, data;		/* collective services; messages */
	unsigned char *area;		/* of the last gather or allgather */
	size_t room;
	bool connected;			/* the star; false: no TCP to rank 0, or it is alone */
	char (*host)[64];		/* of every rank */
	atomic_uint refused;		/* rank 0: connections, while the star was made */
	int node_size;			/* ranks on this rank's node, as MPI sees it */
};

/* Reports a call that did not succeed, with the rank it concerns (-1: none). ST_FAILED. */
int mpi_failed(const struct job *job, const char *call, int peer, int code);

extern const struct job_kind job_mpi;

#endif
