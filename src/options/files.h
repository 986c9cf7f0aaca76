/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a command line names, by the column `file` of its options' tables. */
#ifndef NETBENCH_OPTIONS_FILES_H
#define NETBENCH_OPTIONS_FILES_H

#include "options/options.h"

/*
 * Refuses a file that is read and written, or written twice, under whatever names; standard output
 * is one that is written. The n operands are read. Opens nothing. For the rank that writes, once
 * the tables have their values. ST_OK or ST_USAGE (reported), or ST_FAILED without memory.
 */
int files_check(const struct opt_table *tables, size_t ntables, char *const *operands, int n);

/*
 * The same of a file of another name than the option's that is written for it: refuses one of the
 * operands, which are read.
 */
int files_check_written(const char *option, const char *path, char *const *operands, int n);

/* True if this value of an option that is read names a file, and is none of the option's words. */
bool files_names_one(const struct opt *opt, const char *value);

#endif
