/* SPDX-License-Identifier: Apache-2.0 */
/* The job whose ranks mpirun or srun has started. mpi.c moves the messages of these ranks. */
#ifndef NETBENCH_BACKENDS_MPI_JOB_H
#define NETBENCH_BACKENDS_MPI_JOB_H

#include <mpi.h>

#include "job/star.h"

struct mpi_job {
	struct star_job base;		/* its star only detects lost ranks */
	/* communicators: of the job's own collectives; of messages */
	MPI_Comm control, data;
	unsigned char *area;		/* buffer of the last gather or allgather */
	size_t room;
	/*
	 * the star has connections; false: some rank has no TCP to rank 0, or this is the only rank
	 */
	bool connected;
	char (*host)[64];		/* host name of every rank */
	atomic_uint refused;		/* rank 0: connections refused while the star was made */
	int node_size;			/* number of ranks on this rank's node, according to MPI */
};

/*
 * Reports that an MPI call failed with error `code`. `peer` is the other rank concerned, or -1.
 * Returns ST_FAILED.
 */
int mpi_report_failure(const struct job *job, const char *call, int peer, int code);

extern const struct job_kind job_mpi;

#endif
