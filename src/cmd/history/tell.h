/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_HISTORY_TELL_H
#define NETBENCH_CMD_HISTORY_TELL_H

#include "measure/plan/settings.h"

/* What is asked of a history. */
struct tell_ask {
	char **paths; /* the directory of a history, or results */
	int npaths;
	double least; /* changes by more, 0.05 for 5 % */
	const char *measure; /* a column; NULL: the main one */
	const char *plot; /* a file for a picture; NULL: none */
};

/*
 * Says of each series of a history since when what is slower or faster. ST_OK or ST_* (reported).
 */
int history_tell(const struct settings *st, const struct tell_ask *ask);

#endif
