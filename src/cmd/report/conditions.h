/* SPDX-License-Identifier: Apache-2.0 */
/* Where and how a result was measured, in sections. */
#ifndef NETBENCH_CMD_REPORT_CONDITIONS_H
#define NETBENCH_CMD_REPORT_CONDITIONS_H

#include <jansson.h>

#include "show/page/page.h"

/* The machine of rank 0; of computed results what they were computed for. */
void report_platform(struct page *to, const json_t *doc);

/* Which ranks ran on which host and CPUs, and what carries messages between them. */
void report_placement(struct page *to, const json_t *doc);

void report_language(struct page *to, const json_t *doc);

/* The operating system, and how its kernel is set. */
void report_system(struct page *to, const json_t *doc);

/* The backend, how the ranks came about, and what was counted. */
void report_communication(struct page *to, const json_t *doc);

/* The clocks, what ends a point, its repetitions, and whether messages were verified. */
void report_method(struct page *to, const json_t *doc);

/* The caches, and which of the messages fit into each. */
void report_caching(struct page *to, const json_t *doc);

/* The load at the start, and the cores that others used. */
void report_others(struct page *to, const json_t *doc);

#endif
