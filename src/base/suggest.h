/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name for the question "did you mean '...'?". */
#ifndef NETBENCH_BASE_SUGGEST_H
#define NETBENCH_BASE_SUGGEST_H

#include <stddef.h>

/*
 * Returns the candidate with the smallest edit distance from `word`; NULL if that distance is too
 * large for a misspelling. candidate(i, arg) returns candidate i; NULL after the final candidate.
 */
const char *suggest(const char *word, const char *(*candidate)(size_t i, void *arg), void *arg);

#endif
