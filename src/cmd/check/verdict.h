/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the figures that check measured in one or several runs. Call it on rank 0. */
#ifndef NETBENCH_CMD_CHECK_VERDICT_H
#define NETBENCH_CMD_CHECK_VERDICT_H

#include "measure/plan/settings.h"
#include "result/record.h"
#include "show/check.h"

/* Values of check's own options. */
struct check_options {
	double time, tolerance, share;
	uint64_t runs;
	bool collectives;
	struct texts require;
	const char *resume;
};

/*
 * Judges the figures r->found by the requirements of --require and by the nominal bandwidth of the
 * device in the record's environment. Writes the verdict to the record's summary, and completes r.
 * Sets *text to the lines for people, which the caller frees; NULL without memory. Returns the exit
 * status.
 */
int check_judge(const struct settings *st, struct record *rec, struct check_report *r,
		char **text);

#endif
