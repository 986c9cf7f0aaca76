/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence and the JSON of a finding. */
#ifndef NETBENCH_SHOW_FINDING_H
#define NETBENCH_SHOW_FINDING_H

#include <jansson.h>

#include "analyse/finding.h"
#include "result/row.h"

/*
 * The words of a kind, by verdict; a verdict without words is not told. In braces stand parts of
 * the finding, "subject", "quantity", "effect", "lo", "hi", "why", or members of its evidence, and
 * how they are written:
 *
 *	{subject}	a text as it is, a number in few digits
 *	{effect:%}	0.293 as "29 %"
 *	{effect:s}	with its unit, scaled: s, B/s, msg/s, B
 *	{hosts:#host}	a whole number with its noun: "1 host", "3 hosts"
 *
 * Words between [ and ] are left out if a number in them is NaN, or a part is missing.
 */
struct sentence {
	const char *kind;
	const char *words[NVERDICTS];
	const char *advice;	/* in the same form; NULL: none */
};

/*
 * A finding in words by a sentence of its kind; "" if it is not told, or `by` is NULL. For free();
 * NULL without memory.
 */
char *finding_words(const struct finding *f, const struct sentence *by, enum rate_unit rates);

/*
 * The row of a kind in a table that ends with an empty one, or the row of kind "", which is of all
 * others; NULL: it has none.
 */
const struct sentence *finding_sentence(const struct sentence *table, const char *kind);

/*
 * Reports the findings that decide, but for those of VERDICT_NO, and returns their exit status.
 */
int findings_say(const struct findings *all, const struct sentence *table, enum rate_unit rates);

/* A list for "summary.findings" of a result; a new reference. */
json_t *findings_json(const struct findings *all, const struct sentence *table,
		      enum rate_unit rates);

#endif
