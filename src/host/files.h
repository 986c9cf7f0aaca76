/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel tells in files of one line, as below /sys and /proc, and in directories of them.
 */
#ifndef NETBENCH_HOST_FILES_H
#define NETBENCH_HOST_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The first line of a file without its newline; false if unreadable, file_line also if it is empty.
 */
bool file_first_line(const char *path, char *line, size_t len);
bool file_line(const char *path, char *line, size_t len);

/*
 * A whole number as such, all else as text with one blank between words; changes line. New
 * reference.
 */
json_t *file_value(char *line);

/*
 * What stands in a file of a directory's entry. New reference: null if nothing does, or the -1 of a
 * driver that does not know.
 */
json_t *file_of_entry(const char *dir, const char *entry, const char *file);

/*
 * Calls add for the first 32 entries of a directory, in alphabetic order; it adds to list what the
 * entry is. False if there is no such directory.
 */
bool file_list(json_t *list, const char *dir,
	       void (*add)(json_t *list, const char *dir, const char *entry));

#endif
