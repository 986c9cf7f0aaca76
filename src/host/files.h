/* SPDX-License-Identifier: Apache-2.0 */
/* Files of one line, as the kernel has them below /sys and /proc, and directories of them. */
#ifndef NETBENCH_HOST_FILES_H
#define NETBENCH_HOST_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "base/file.h"

/* As file_first_line, but also false if the line is empty. */
bool file_line(const char *path, char *line, size_t len);

/* A whole number as a number, all else as text with single blanks; changes line. New reference. */
json_t *file_value(char *line);

/*
 * The value in a file of a directory's entry. New reference: null if it is missing, empty, or the
 * -1 of a driver that does not know.
 */
json_t *file_of_entry(const char *dir, const char *entry, const char *file);

/*
 * Calls add for the first 32 entries of a directory, in alphabetic order; it adds each to `list`.
 * Returns list, or NULL, after freeing it, if the directory is missing.
 */
json_t *file_list(json_t *list, const char *dir,
		  void (*add)(json_t *list, const char *dir, const char *entry));

#endif
