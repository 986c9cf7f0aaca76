/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a result of `load` says: how much each load slows the victims. */
#ifndef NETBENCH_CMD_REPORT_LOADED_H
#define NETBENCH_CMD_REPORT_LOADED_H

#include <jansson.h>
#include <stdbool.h>

#include "show/page/page.h"

/* Returns whether a result comes from `load`. */
bool report_is_load(const json_t *doc);

/* Writes an item for each row: its factors, or why it has none. */
void report_load(struct page *to, const json_t *doc);

#endif
