/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts in sentences. */
#ifndef NETBENCH_SHOW_MAP_WORDS_H
#define NETBENCH_SHOW_MAP_WORDS_H

#include <stdio.h>

#include "analyse/map/judge.h"
#include "result/row.h"

/* The verdict as a sentence, for free(); NULL without memory. */
char *words_verdict(const struct study *s, const struct map_verdict *v);

/* "n1", "n1 - n2", "n1 -> n2": what a cause names. */
void words_subject(FILE *to, char *const *name, const struct cause *c);

/* The names of n hosts: the first `most`, and how many more there are. */
void words_list(FILE *to, char *const *name, const uint32_t *hosts, size_t n, size_t most);

/* The reason for no verdict; never empty. */
const char *words_why(enum no_verdict why);

/* The same, with the names of faster hosts; for free(), NULL without memory. */
char *words_no_verdict(const struct study *s, const struct map_judged *j);

/* The whole table; for free(), NULL without memory. */
char *words_all(const struct verdicts *all, const char *title, enum rate_unit rates);

#endif
