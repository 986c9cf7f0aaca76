/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the changes between two results of map as sentences. */
#ifndef NETBENCH_SHOW_MAP_CHANGE_WORDS_H
#define NETBENCH_SHOW_MAP_CHANGE_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "analyse/map/change/shift.h"

/* Writes the ratio of a change, such as "B/A 0.7 (0.68 to 0.72), slower". */
void change_put_ratio(FILE *to, enum quantity q, const struct shift *s);

/*
 * Writes the subject of verdict v, such as "n5, sending". If v is NULL, writes the subject of the
 * possible cause `cause`.
 */
void change_put_cause(FILE *to, const struct changes *c, const struct cause *cause,
		      const struct map_verdict *v);

/*
 * Returns the sentence of a change, such as "n5, sending: B/A 0.7 (0.68 to 0.72), slower". The
 * caller frees it.
 */
char *change_sentence(const struct changes *c, const struct change_of *of,
		      const struct map_verdict *v, bool faster);

/*
 * Returns the lines about all changes. The caller frees them. `had` comes from match_verdicts: the
 * lists of verdicts that are new, gone or still there.
 */
char *change_footer(const struct changes *c, const struct totals *t, json_t *const had[NHAD]);

#endif
