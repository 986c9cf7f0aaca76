/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, for people. */
#ifndef NETBENCH_SHOW_MAP_WORDS_H
#define NETBENCH_SHOW_MAP_WORDS_H

#include "analyse/map/verdicts.h"
#include "result/row.h"

/* The verdict as a sentence, for free(); NULL without memory. */
char *words_verdict(const struct study *s, const struct map_verdict *v);

/* Why there is no verdict on this; never empty. */
const char *words_why(enum no_verdict why);

/* The same with the hosts that are faster, if that is why: for free(); NULL without memory. */
char *words_no_verdict(const struct study *s, const struct map_judged *j);

/* All of it, for the table: for free(); NULL without memory. */
char *words_all(const struct verdicts *all, const char *title, enum rate_unit rates);

#endif
