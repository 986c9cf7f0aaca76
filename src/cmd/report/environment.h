/* SPDX-License-Identifier: Apache-2.0 */
/* Where a result was measured: the machine, the compiler, the operating system. */
#ifndef NETBENCH_CMD_REPORT_ENVIRONMENT_H
#define NETBENCH_CMD_REPORT_ENVIRONMENT_H

#include <jansson.h>

#include "show/page/page.h"

/* The machine of rank 0; of computed results what they were computed for. */
void report_platform(struct page *to, const json_t *doc);

/* Which ranks ran on which host and CPUs, and what carries messages between them. */
void report_placement(struct page *to, const json_t *doc);

void report_language(struct page *to, const json_t *doc);

/* The operating system, and how its kernel is set. */
void report_system(struct page *to, const json_t *doc);

#endif
