/* SPDX-License-Identifier: Apache-2.0 */
/* Names columns in plain words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#ifndef NETBENCH_SHOW_CHART_WORDS_H
#define NETBENCH_SHOW_CHART_WORDS_H

#include "base/text.h"

/*
 * Returns a column in words: "half round trip", "processor share". For a column without words of
 * its own it returns the name with blanks and without its unit.
 */
struct text words_of(const char *column);

#endif
