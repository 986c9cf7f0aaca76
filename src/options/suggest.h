/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean '...'?" */
#ifndef NETBENCH_OPTIONS_SUGGEST_H
#define NETBENCH_OPTIONS_SUGGEST_H

#include <stddef.h>

/*
 * The candidate nearest to `word` by edit distance, NULL if none is near enough
 * to be what was meant. `candidate(i, arg)` yields the i-th, NULL after the last.
 */
const char *nearest(const char *word, const char *(*candidate)(size_t i, void *arg), void *arg);

#endif
