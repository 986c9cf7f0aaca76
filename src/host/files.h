/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files of one line, as the kernel provides them below /sys and /proc, and directories of
 * such files.
 */
#ifndef NETBENCH_HOST_FILES_H
#define NETBENCH_HOST_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "base/file.h"

/* Like file_first_line, but also returns false if the line is empty. */
bool file_line(const char *path, char *line, size_t len);

/*
 * Returns a whole number as a number, and other text with single blanks in place of tabs. Changes
 * `line`. New reference.
 */
json_t *file_value(char *line);

/*
 * Returns the value in `file` of the directory's entry `entry`. Returns null if the file is missing
 * or empty, or if it contains the -1 of a driver that does not know the value. New reference.
 */
json_t *file_of_entry(const char *dir, const char *entry, const char *file);

/*
 * Calls `add` for the first 32 entries of a directory, in alphabetic order; `add` adds each to
 * `list`. Returns `list`. If the directory is missing, frees `list` and returns NULL.
 */
json_t *file_list(json_t *list, const char *dir,
		  void (*add)(json_t *list, const char *dir, const char *entry));

#endif
