/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a result by its first bytes, without a full read. */
#ifndef NETBENCH_RESULT_RECOGNISE_H
#define NETBENCH_RESULT_RECOGNISE_H

#include <stdbool.h>

enum { RECOGNISE_COMMAND = 32 };

/*
 * True if a regular file contains a result, which may be truncated. A result is JSON with a schema
 * and a command of netbench, or CSV with a full header. Sets `command` to the result's command.
 * Returns false if the file cannot be read.
 */
bool result_recognise(const char *path, char command[RECOGNISE_COMMAND]);

#endif
