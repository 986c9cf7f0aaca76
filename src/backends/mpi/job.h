/* SPDX-License-Identifier: Apache-2.0 */
/* The job for ranks that mpirun or srun has started. mpi.c moves the messages of these ranks. */
#ifndef NETBENCH_BACKENDS_MPI_JOB_H
#define NETBENCH_BACKENDS_MPI_JOB_H

#include <mpi.h>

#include "job/star.h"

struct mpi_job {
	struct star_job base;		/* its TCP connections (star.h) only detect lost ranks */
	/* control: communicator of the job's own collectives. data: communicator of messages. */
	MPI_Comm control, data;
	unsigned char *area;		/* buffer of the last gather or allgather */
	size_t room;
	/*
	 * The star has its connections. False if some rank cannot reach rank 0 by TCP, or if this
	 * is the only rank.
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
