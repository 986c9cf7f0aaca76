/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_CHECK_H
#define NETBENCH_SHOW_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/promise.h"
#include "analyse/require.h"
#include "show/finding.h"

/* The data that the report of check shows. The members are in the order of the report. */
struct check_report {
	const char *title;
	const json_t *warnings;
	const struct figures *found;
	const struct promise *promise;	/* the device's nominal bandwidth, already judged */
	const struct requirements *required;
	enum judgement verdict;		/* verdict on the whole check */
	bool nothing_judged;
	bool over;			/* the run ended early */
	int ranks;
	/* number of runs; if more than 1, the figures are medians over the runs */
	size_t runs;
	enum rate_unit rates;
};

/* The sentences for the findings of check. */
extern const struct sentence check_sentences[];

/*
 * Returns the report in lines of at most 79 columns, or NULL without memory. The caller frees it.
 */
char *check_words(const struct check_report *r);

#endif
