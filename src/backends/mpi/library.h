/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Information that the MPI library used by this module gives about itself. These functions, except
 * mpi_record, may be called before MPI_Init.
 */
#ifndef NETBENCH_BACKENDS_MPI_LIBRARY_H
#define NETBENCH_BACKENDS_MPI_LIBRARY_H

#include "backends/mpi/job.h"

/* Returns true for Open MPI, and false for MPICH and libraries derived from MPICH. */
bool library_is_open_mpi(void);

/* Returns the library's name and version, such as "MPICH 4.0.2". */
const char *library_name(void);

/* Returns the file from which the library was loaded, or NULL if unknown. */
const char *library_file(void);

/*
 * Finds the value that follows a label, such as "Device", in the text of MPI_Get_library_version.
 * Returns false if the text has no such label.
 */
bool library_field(const char *label, char *value, size_t len);

/*
 * Writes the version of the library's binary interface to text, such as "MPICH 14:2:2" or "standard
 * 1.0". If the version is unknown, writes the numbers in the name of the library's file.
 */
void library_abi(char *text, size_t len);

/* Returns true if the library has the binary interface for which this module was built. */
bool library_fits(void);

/*
 * Records the library, its parameters, and the transport of its messages. Call this function after
 * MPI_Init.
 */
void mpi_record(const struct job *job, struct facts *f);

#endif
