/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of a report about where and how a result was measured. Each function writes one section.
 */
#ifndef NETBENCH_CMD_REPORT_CONDITIONS_H
#define NETBENCH_CMD_REPORT_CONDITIONS_H

#include <jansson.h>

#include "show/page/page.h"

/* Writes about the machine of rank 0 or, for computed results, about the assumed network. */
void report_platform(struct page *to, const json_t *doc);

/* Writes the hosts and CPUs on which ranks ran, and the transport between the ranks. */
void report_placement(struct page *to, const json_t *doc);

void report_language(struct page *to, const json_t *doc);

/* Writes the operating system, and the settings of its kernel. */
void report_system(struct page *to, const json_t *doc);

/* Writes the backend, the backend's counters, and how the ranks were started. */
void report_communication(struct page *to, const json_t *doc);

/* Writes the clocks, the stopping rule and repetitions of points, and the check of messages. */
void report_method(struct page *to, const json_t *doc);

/* Writes the caches, and the message sizes that fit into each cache. */
void report_caching(struct page *to, const json_t *doc);

/* Writes what other users did: the load at the start, and the cores that other processes used. */
void report_others(struct page *to, const json_t *doc);

#endif
