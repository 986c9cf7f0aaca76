/* SPDX-License-Identifier: Apache-2.0 */
/* Columns in words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#ifndef NETBENCH_SHOW_CHART_WORDS_H
#define NETBENCH_SHOW_CHART_WORDS_H

#include <stddef.h>

/* What a column is, in a few words: "half round trip", "processor share". Returns buf. */
char *words_of(char *buf, size_t len, const char *column);

#endif
