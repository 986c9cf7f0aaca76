/* SPDX-License-Identifier: Apache-2.0 */
/* Columns in words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#ifndef NETBENCH_SHOW_CHART_WORDS_H
#define NETBENCH_SHOW_CHART_WORDS_H

#include "base/text.h"

/*
 * A few words for a column: "half round trip", "processor share". A name without words of its own
 * is spelt with blanks and without its unit.
 */
struct text words_of(const char *column);

#endif
