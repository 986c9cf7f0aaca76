/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files for reading, and changes files in ways that survive a kill. */
#ifndef NETBENCH_BASE_FILE_H
#define NETBENCH_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/export.h"

/*
 * Opens a file, which the caller closes with fclose(). If it is a FIFO, waits at most
 * FILE_PATIENCE_S seconds for a process that opens it for writing. After that, reads wait for data
 * as long as a writing process exists. On failure returns NULL and sets *why to the reason, a text
 * for a message.
 */
#define FILE_PATIENCE_S 5
NETBENCH_EXPORT FILE *file_open(const char *path, const char **why);

/*
 * Reads the first line of a file, without its newline. Returns false if the file cannot be read or
 * is empty.
 */
NETBENCH_EXPORT bool file_first_line(const char *path, char *line, size_t len);

/* Blank characters that JSON allows between its elements. */
#define FILE_BLANKS " \t\r\n"

/*
 * Copies the rest of `from` to `to`. Returns 0, or -1 with errno set if reading or writing failed.
 */
int file_copy(FILE *from, FILE *to);

/*
 * Replaces a file by one with this text. Writes a temporary file in the same directory, waits until
 * the disk has it, and renames it. So a reader sees either the old or the new content. Returns 0,
 * or -1 with errno set; the old file is then unchanged.
 */
int file_replace(const char *path, const char *text, size_t len);

/*
 * Removes the last line of a text file if it has no newline: a kill or a full disk may have cut it.
 * Returns 0, or -1 without a change if the file does not begin with the text `begin`, or cannot be
 * changed.
 */
int file_drop_torn_line(const char *path, const char *begin);

/*
 * Returns the offset at which row `nrows` of a table ends. Lines that begin with '#' are no rows,
 * and the first other line names the columns. Returns -1 if the file has fewer rows.
 */
off_t file_end_of_row(const char *path, size_t nrows);

/* Returns the length in bytes of the UTF-8 byte order mark at the beginning of a text: 3 or 0. */
size_t byte_order_mark_length(const char *bytes, size_t n);

/* Skips a byte order mark. The file must be at its first byte. */
void file_skip_byte_order_mark(FILE *f);

/* Returns a path without its directories, or the whole path if it ends in '/'. */
const char *file_base_name(const char *path);

#endif
