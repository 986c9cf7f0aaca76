/* SPDX-License-Identifier: Apache-2.0 */
/* Changes between two results, in sentences. */
#ifndef NETBENCH_SHOW_MAP_CHANGE_WORDS_H
#define NETBENCH_SHOW_MAP_CHANGE_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "analyse/map/change/shift.h"

/* "B/A 0.7 (0.68 to 0.72), slower" */
void change_put_ratio(FILE *to, enum quantity q, const struct shift *s);

/* "n5, sending": the subject of verdict v; v NULL: of another possible cause. */
void change_put_cause(FILE *to, const struct changes *c, const struct cause *cause,
		      const struct map_verdict *v);

/* "n5, sending: B/A 0.7 (0.68 to 0.72), slower"; for free(), NULL without memory. */
char *change_sentence(const struct changes *c, const struct change_of *of,
		      const struct map_verdict *v, bool faster);

/* All changes, with lists of verdicts by enum had, as of had_match; for free(), as above. */
char *change_footer(const struct changes *c, const struct totals *t, json_t *const had[NHAD]);

#endif
