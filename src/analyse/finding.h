/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding is the result of any kind of judgement. It contains no sentences; show/finding.h
 * converts it to sentences and JSON. Pure.
 */
#ifndef NETBENCH_ANALYSE_FINDING_H
#define NETBENCH_ANALYSE_FINDING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The answer to the question that the kind of a finding asks, such as "is it slower?". */
enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_CANNOT_TELL, NVERDICTS };
extern const char *const verdict_names[];	/* names of the verdicts in results */

struct finding {
	const char *kind;	/* such as "slower" or "host_send"; a constant string */
	const char *subject; /* a host, a pair, a group, a point; "": everything that was judged */
	/* the quantity that differs: the name of a column, or a plain name; constant; "": none */
	const char *quantity;
	const char *unit;	/* unit of the effect; "": the effect is relative, 0.3 is 30 % */
	double effect, lo, hi;	/* effect and its 95 % interval; NaN: none */
	enum verdict verdict;
	/* true: the finding decides the exit status, because the user asked for this check */
	bool decides;
	const char *why;	/* reason for VERDICT_CANNOT_TELL; else "" */
	json_t *evidence;	/* an object of numbers and texts by name; NULL: none */
	size_t of;		/* index of the subject in a list of the caller */
};

struct findings {
	struct finding *at;
	size_t n;
};

/*
 * Adds a copy of a finding, with copies of its subject and its reason (NULL becomes ""). The list
 * takes over the reference to the evidence.
 */
void findings_add(struct findings *all, const struct finding *f);

void findings_free(struct findings *all);

/*
 * Considers the findings of this kind that decide and have VERDICT_YES. Returns the one with the
 * largest effect, or NULL if there are none. Sets *n to their number.
 */
const struct finding *findings_worst(const struct findings *all, const char *kind, size_t *n);

/* Adds the number of findings with each verdict to count[]. Counts only findings that decide. */
void findings_count(const struct findings *all, size_t count[NVERDICTS]);

/*
 * Exit status of the findings that decide: ST_FAILED if any is VERDICT_YES, else ST_NO_VERDICT if
 * any is VERDICT_CANNOT_TELL, else ST_OK. Reports nothing.
 */
int findings_status(const struct findings *all);

#endif
