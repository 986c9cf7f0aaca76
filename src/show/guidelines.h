/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what was found about performance guidelines of collective operations. */
#ifndef NETBENCH_SHOW_GUIDELINES_H
#define NETBENCH_SHOW_GUIDELINES_H

#include <jansson.h>

#include "analyse/guidelines.h"
#include "show/finding.h"

/* The sentences of findings of kind "guideline" (analyse/guidelines.h). */
extern const struct sentence guideline_sentences[];

/*
 * Returns the lines under the table: how many guidelines were judged, each violation, and for each
 * operation from which size on which algorithm is the quickest. The violations are in falling order
 * of their ratio; after GUIDELINE_LINES of them only their number follows. The text begins with a
 * newline. The caller frees it. Returns NULL if memory runs out.
 */
#define GUIDELINE_LINES 20
char *guideline_words(const struct findings *found, const struct quickest *quickest, size_t n);

/* Returns the array "summary.quickest" of a result, a new reference. */
json_t *quickest_json(const struct quickest *quickest, size_t n);

#endif
