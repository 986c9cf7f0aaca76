/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files of one line, and directories of such files. The kernel provides them below /sys and
 * /proc.
 */
#ifndef NETBENCH_HOST_FILES_H
#define NETBENCH_HOST_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "base/file.h"

/* Like file_first_line, but also returns false if the line is empty. */
bool file_line(const char *path, char *line, size_t len);

/*
 * Returns the value of a line: a JSON number if it is a whole number, else a JSON string. In a
 * string, each tab becomes a blank. Changes `line`. New reference.
 */
json_t *file_value(char *line);

/*
 * Returns the value in the file DIR/ENTRYFILE: `file` begins with '/' or is "". Returns null if the
 * file is missing or empty, or if its value is negative: drivers write -1 for unknown values. New
 * reference.
 */
json_t *file_of_entry(const char *dir, const char *entry, const char *file);

/*
 * Calls `add` for the entries of a directory in alphabetic order, until `list` has 32 members.
 * `add` adds an entry to `list`. Returns `list`. If the directory is missing, frees `list` and
 * returns NULL.
 */
json_t *file_list(json_t *list, const char *dir,
		  void (*add)(json_t *list, const char *dir, const char *entry));

#endif
