/* SPDX-License-Identifier: Apache-2.0 */
/* The MPI library that this module runs on, by what it says of itself; before MPI_Init, too. */
#ifndef NETBENCH_BACKENDS_MPI_LIBRARY_H
#define NETBENCH_BACKENDS_MPI_LIBRARY_H

#include "backends/mpi/job.h"

/* True if it is Open MPI, false for MPICH and its kin. */
bool library_is_open_mpi(void);

/* Its name and version: "MPICH 4.0.2". */
const char *library_name(void);

/* The file that it was loaded from, NULL if that is not known. */
const char *library_file(void);

/* What it says behind this word, "Device"; false if it says nothing. */
bool library_says(const char *word, char *value, size_t len);

/* Its binary interface: "MPICH 14:2:2", "standard 1.0", or the numbers of its file. */
void library_abi(char *text, size_t len);

/* True if it has the binary interface that this module was built for. */
bool library_fits(void);

/* What the record of a run says of the library. */
void mpi_record(const struct job *job, struct facts *f);

#endif
