/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of a report about where and how a result was measured. Each function writes one section.
 */
#ifndef NETBENCH_CMD_REPORT_CONDITIONS_H
#define NETBENCH_CMD_REPORT_CONDITIONS_H

#include <jansson.h>

#include "show/page/page.h"

/* The machine of rank 0. For computed results: the network that was assumed. */
void report_platform(struct page *to, const json_t *doc);

/* The hosts and CPUs on which ranks ran, and the transport between them. */
void report_placement(struct page *to, const json_t *doc);

void report_language(struct page *to, const json_t *doc);

/* The operating system, and the settings of its kernel. */
void report_system(struct page *to, const json_t *doc);

/* The backend, how the ranks were started, and its counters. */
void report_communication(struct page *to, const json_t *doc);

/* The clocks, the stopping rule of a point, its repetitions, and the verification of messages. */
void report_method(struct page *to, const json_t *doc);

/* The caches, and the message sizes that fit into each. */
void report_caching(struct page *to, const json_t *doc);

/* Other users: the load at the start, and the cores that other processes used. */
void report_others(struct page *to, const json_t *doc);

#endif
