/* SPDX-License-Identifier: Apache-2.0 */
/* What the record of a run says of the MPI library. */
#ifndef NETBENCH_BACKENDS_MPI_RECORD_H
#define NETBENCH_BACKENDS_MPI_RECORD_H

#include "job/job.h"

void mpi_record(const struct job *job, struct facts *f);

#endif
