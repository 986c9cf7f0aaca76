/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the files that a command line names. Member `file` of struct opt says whether an option's
 * value names a file.
 */
#ifndef NETBENCH_OPTIONS_FILES_H
#define NETBENCH_OPTIONS_FILES_H

#include "options/options.h"

/*
 * Reports a file that is both read and written, or written twice, even under different names.
 * Standard output counts as written, and the n operands as read. Opens no file. Call it on the rank
 * that writes, once the tables have their values. Returns ST_OK, ST_USAGE (reported), or ST_FAILED
 * if memory is short.
 */
int files_check(const struct opt_table *tables, size_t ntables, char *const *operands, int n);

/*
 * Like files_check, for one file: an option causes file `path` to be written, but `path` is not the
 * option's value. Reports the file if it is one of the n operands, because operands are read.
 */
int files_check_written(const char *option, const char *path, char *const *operands, int n);

/* Returns true if the option's value is the name of a file, not one of the option's words. */
bool files_value_is_path(const struct opt *opt, const char *value);

#endif
