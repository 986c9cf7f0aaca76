/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean '...'?" */
#ifndef NETBENCH_BASE_SUGGEST_H
#define NETBENCH_BASE_SUGGEST_H

#include <stddef.h>

/*
 * The candidate with the least edit distance from `word`, NULL if even that is too far to be
 * what was meant. `candidate(i, arg)` yields the i-th, NULL after the last.
 */
const char *suggest(const char *word, const char *(*candidate)(size_t i, void *arg), void *arg);

#endif
