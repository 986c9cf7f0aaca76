/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a file is a result, without reading it as one. */
#ifndef NETBENCH_RESULT_RECOGNISE_H
#define NETBENCH_RESULT_RECOGNISE_H

#include <stdbool.h>

enum { RECOGNISE_COMMAND = 32 };

/*
 * True if a regular file says in its content what result_read asks for first: JSON with schema and
 * command of netbench, or CSV with its full header; also one that was cut short. Its command is in
 * `command` then. False of a file that cannot be read.
 */
bool result_recognise(const char *path, char command[RECOGNISE_COMMAND]);

#endif
