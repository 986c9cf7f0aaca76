/* SPDX-License-Identifier: Apache-2.0 */
/* Writes findings as sentences and as JSON. */
#ifndef NETBENCH_SHOW_FINDING_H
#define NETBENCH_SHOW_FINDING_H

#include <jansson.h>

#include "analyse/finding.h"
#include "result/row.h"

/*
 * The sentence templates of a kind of finding, one for each verdict. A verdict whose template is
 * NULL gets no sentence. A template holds names in braces: "subject", "quantity", "effect", "lo",
 * "hi", "why", or a member of the finding's evidence. The format after the name says how the value
 * is written:
 *
 *	{subject}	a text unchanged, a number in few digits
 *	{effect:%}	0.293 as "29 %"
 *	{effect:s}	with its unit, scaled: s, B/s, msg/s, B
 *	{hosts:#host}	a whole number with its noun: "1 host", "3 hosts"
 *	{size:KiB}	bytes in the largest exact binary unit: "16 KiB"
 *	{ratio:x}	a factor in two digits, below 2 in more: "2.3", "1.04", "1.001"
 *
 * The characters < and > of a template become [ and ]. A part between [ and ] is left out if one of
 * its values is missing or NaN.
 */
struct sentence {
	const char *kind;
	const char *words[NVERDICTS];
	const char *advice;	/* a template of the same form; NULL: no advice */
};

/*
 * Returns the sentence of a finding, made from the templates `by`, or NULL without memory. Returns
 * "" if `by` or its template for the verdict is NULL. The caller frees the sentence.
 */
char *finding_words(const struct finding *f, const struct sentence *by, enum rate_unit rates);

/*
 * Returns the templates of a kind. The table ends with an entry whose kind is NULL. An entry of
 * kind "" matches every kind. Returns NULL if no entry matches.
 */
const struct sentence *finding_sentence(const struct sentence *table, const char *kind);

/*
 * Reports each deciding finding whose verdict is VERDICT_YES or VERDICT_CANNOT_TELL on stderr.
 * Returns the exit status of all findings.
 */
int findings_report(const struct findings *all, const struct sentence *table, enum rate_unit rates);

/* Returns the array "summary.findings" of a result, a new reference. */
json_t *findings_json(const struct findings *all, const struct sentence *table,
		      enum rate_unit rates);

#endif
