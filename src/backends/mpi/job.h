/* SPDX-License-Identifier: Apache-2.0 */
/* The job for ranks that mpirun or srun has started. mpi.c moves the messages of these ranks. */
#ifndef NETBENCH_BACKENDS_MPI_JOB_H
#define NETBENCH_BACKENDS_MPI_JOB_H

#include <mpi.h>

#include "job/star.h"

struct mpi_job {
	/* the job's TCP connections (star.h) only detect lost ranks */
	struct star_job base;
	/* control: communicator of the job's own collectives. data: communicator of messages. */
	MPI_Comm control, data;
	unsigned char *area;		/* buffer of the latest gather or allgather */
	size_t room;
	/*
	 * True if all ranks have TCP connections to rank 0. False if a rank cannot reach rank 0, or
	 * if the job has a single rank.
	 */
	bool connected;
	char (*host)[64];		/* host name of every rank */
	/* rank 0: number of connections refused while the star was made */
	atomic_uint refused;
	int node_size;			/* number of ranks on this rank's node, according to MPI */
};

/*
 * Reports that an MPI call failed with error `code`. `peer` is the other rank concerned, or -1.
 * Returns ST_FAILED.
 */
int mpi_report_failure(const struct job *job, const char *call, int peer, int code);

extern const struct job_kind job_mpi;

#endif
