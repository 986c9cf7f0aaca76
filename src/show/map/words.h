/* SPDX-License-Identifier: Apache-2.0 */
/* Writes verdicts of map as sentences. */
#ifndef NETBENCH_SHOW_MAP_WORDS_H
#define NETBENCH_SHOW_MAP_WORDS_H

#include <stdio.h>

#include "analyse/map/judge.h"
#include "result/row.h"

/* Returns a verdict as a sentence, or NULL without memory. The caller frees it. */
char *words_verdict(const struct study *s, const struct map_verdict *v);

/* Writes the host or the pair that a cause names: "n1", "n1 - n2", "n1 -> n2". */
void words_put_subject(FILE *to, char *const *name, const struct cause *c);

/* Writes the first `most` names of n hosts, and the number of the remaining hosts. */
void words_put_hosts(FILE *to, char *const *name, const uint32_t *hosts, size_t n, size_t most);

/* Returns the reason why there is no verdict. The text is never empty. */
const char *words_reason(enum no_verdict why);

/*
 * Returns the reason why there is no verdict, with the names of faster hosts. Returns NULL without
 * memory. The caller frees it.
 */
char *words_no_verdict(const struct study *s, const struct map_judged *j);

/* Returns the whole report, or NULL without memory. The caller frees it. */
char *words_report(const struct verdicts *all, const char *title, enum rate_unit rates);

#endif
