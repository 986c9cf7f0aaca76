/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the figures that check has measured in one run or in several. Rank 0. */
#ifndef NETBENCH_CMD_CHECK_VERDICT_H
#define NETBENCH_CMD_CHECK_VERDICT_H

#include "measure/plan/settings.h"
#include "result/record.h"
#include "show/check.h"

/* Values of check's own options. */
struct check_options {
	double time, tolerance, share;
	uint64_t runs;
	struct texts require;
	const char *resume;
};

/*
 * Judges r->found by --require, and by the bandwidth that the device in the record's environment
 * promises. Puts the verdict into the record's summary, and completes r. *text gets the lines for
 * people, for free(); NULL without memory. Returns the exit status.
 */
int check_judge(const struct settings *st, struct record *rec, struct check_report *r,
		char **text);

#endif
