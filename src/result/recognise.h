/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a result by its first bytes, without a full read. */
#ifndef NETBENCH_RESULT_RECOGNISE_H
#define NETBENCH_RESULT_RECOGNISE_H

#include <stdbool.h>

enum { RECOGNISE_COMMAND = 32 };

/*
 * True if the content of a regular file is that of a result; `command` is then its command. The
 * file is JSON with schema and command of netbench, or CSV with its full header; it may be
 * truncated. False if the file cannot be read.
 */
bool result_recognise(const char *path, char command[RECOGNISE_COMMAND]);

#endif
