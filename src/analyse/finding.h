/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding is the result of a judgement of any kind. It has no sentence: show/finding.h makes
 * sentences and JSON from it. Pure.
 */
#ifndef NETBENCH_ANALYSE_FINDING_H
#define NETBENCH_ANALYSE_FINDING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the statement of the kind is true. */
enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_CANNOT_TELL, NVERDICTS };
extern const char *const verdict_names[];	/* as in results */

struct finding {
	const char *kind;	/* "slower", "host_send": constant */
	const char *subject;	/* a host, a pair, a group, a point; "": all */
	const char *quantity;	/* what differs, a column or its plain name: constant; "": none */
	const char *unit;	/* of the effect; "": it is relative, 0.3 is 30 % */
	double effect, lo, hi;	/* with its 95 % interval; NaN: none */
	enum verdict verdict;
	bool decides;		/* the user asked for it: it decides the exit status */
	const char *why;	/* the gap behind VERDICT_CANNOT_TELL; else "" */
	json_t *evidence;	/* an object of numbers and texts by name; NULL: none */
	size_t of;		/* the number of the subject in the caller's list */
};

struct findings {
	struct finding *at;
	size_t n;
};

/*
 * Adds a copy of a finding, also of its subject and its reason (NULL is ""); its evidence belongs
 * to the list from then on, also after a fault. ST_OK or ST_FAILED without memory (reported).
 */
int findings_add(struct findings *all, const struct finding *f);

void findings_free(struct findings *all);

/*
 * Counts in *n the deciding findings of a kind with VERDICT_YES, and returns the largest by its
 * effect; NULL: none.
 */
const struct finding *findings_worst(const struct findings *all, const char *kind, size_t *n);

/* Adds to `count` the number of deciding findings with each verdict. */
void findings_count(const struct findings *all, size_t count[NVERDICTS]);

/*
 * The exit status of the findings that decide: ST_FAILED if one of them is VERDICT_YES, else
 * ST_NO_VERDICT if one is VERDICT_CANNOT_TELL, else ST_OK. Reports nothing.
 */
int findings_status(const struct findings *all);

#endif
