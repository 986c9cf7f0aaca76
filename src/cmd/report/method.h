/* SPDX-License-Identifier: Apache-2.0 */
/* How a result was measured: communication, method, caches, other users. */
#ifndef NETBENCH_CMD_REPORT_METHOD_H
#define NETBENCH_CMD_REPORT_METHOD_H

#include <jansson.h>

#include "show/page/page.h"

/* The backend, how the ranks came about, and what was counted. */
void report_communication(struct page *to, const json_t *doc);

/* The clocks, what ends a point, its repetitions, and whether messages were verified. */
void report_method(struct page *to, const json_t *doc);

/* The caches, and which of the messages fit into each. */
void report_caching(struct page *to, const json_t *doc);

/* The load at the start, and the cores that others used. */
void report_others(struct page *to, const json_t *doc);

#endif
