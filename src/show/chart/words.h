/* SPDX-License-Identifier: Apache-2.0 */
/* Names columns in plain words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#ifndef NETBENCH_SHOW_CHART_WORDS_H
#define NETBENCH_SHOW_CHART_WORDS_H

#include "base/text.h"

/*
 * Returns a column in words, such as "half round trip" or "processor share". For a column without
 * an entry, returns its name with blanks and without the unit.
 */
struct text words_of(const char *column);

#endif
