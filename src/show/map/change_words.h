/* SPDX-License-Identifier: Apache-2.0 */
/* What has changed between two results, in sentences. */
#ifndef NETBENCH_SHOW_MAP_CHANGE_WORDS_H
#define NETBENCH_SHOW_MAP_CHANGE_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "analyse/map/change/totals.h"

/* "B/A 0.7 (0.68 to 0.72), slower" */
void change_put_ratio(FILE *to, enum quantity q, const struct shift *s);

/* "n5, sending": of v, or with NULL of the other cause that it may be. */
void change_put_cause(FILE *to, const struct changes *c, const struct cause *cause,
		      const struct map_verdict *v);

/* "n5, sending: B/A 0.7 (0.68 to 0.72), slower"; for free(), NULL without memory. */
char *change_sentence(const struct changes *c, const struct change_of *of,
		      const struct map_verdict *v, bool faster);

/* All of it, with lists of verdicts by enum had, of IS_STILL [of A, of B]; the same. */
char *change_footer(const struct changes *c, const struct totals *t, json_t *const had[NHAD]);

#endif
