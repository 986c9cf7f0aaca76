/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_HISTORY_TELL_H
#define NETBENCH_CMD_HISTORY_TELL_H

#include "measure/plan/settings.h"

/* A request to report the changes in a history. */
struct history_request {
	char **paths; /* the directory of a history, or files of results */
	int npaths;
	double least; /* only larger changes are reported; 0.05 for 5 % */
	const char *measure; /* a column; NULL: the main one */
	const char *plot; /* file for a picture; NULL: none */
};

/*
 * Reports for each series of a history what became slower or faster, and when. Returns ST_OK or
 * another ST_* (reported).
 */
int history_report_changes(const struct settings *st, const struct history_request *ask);

#endif
