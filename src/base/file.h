/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files for reading. */
#ifndef NETBENCH_BASE_FILE_H
#define NETBENCH_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/export.h"

/*
 * Opens a file, for fclose(). For a process that writes a FIFO it waits at most FILE_PATIENCE_S;
 * for data it waits as long as such a process is there. NULL with the reason, for a message, in
 * *why.
 */
#define FILE_PATIENCE_S 5
NETBENCH_EXPORT FILE *file_open(const char *path, const char **why);

/* Reads a file's first line without its newline. False if it is unreadable or has no byte. */
NETBENCH_EXPORT bool file_first_line(const char *path, char *line, size_t len);

/* Blanks between the parts of JSON. */
#define FILE_BLANKS " \t\r\n"

/* Copies what is left of a file. 0, or errno is set: it cannot be read, or `to` written. */
int file_copy(FILE *from, FILE *to);

/* Bytes of a UTF-8 byte order mark that a text begins with: 3 or 0. */
size_t file_mark(const char *bytes, size_t n);

/* Skips the mark of a file at its first byte. */
void file_skip_mark(FILE *f);

/* A path without its directories; all of it if it ends in '/'. */
const char *file_base_name(const char *path);

#endif
