/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a result without reading it as one. */
#ifndef NETBENCH_RESULT_RECOGNISE_H
#define NETBENCH_RESULT_RECOGNISE_H

#include <stdbool.h>

enum { RECOGNISE_COMMAND = 32 };

/*
 * True if a regular file is a result by its content; its command is then in `command`. The file is
 * JSON with schema and command of netbench, or CSV with its full header; it may be cut short. False
 * if the file cannot be read.
 */
bool result_recognise(const char *path, char command[RECOGNISE_COMMAND]);

#endif
