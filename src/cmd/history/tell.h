/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_HISTORY_TELL_H
#define NETBENCH_CMD_HISTORY_TELL_H

#include "measure/plan/settings.h"

/*
 * Says of each series of a directory's history since when what is slower or faster by more than
 * `least`, 0.05 for 5 %. `measure` names a column, NULL: the main one. ST_OK or ST_* (reported).
 */
int history_tell(const struct settings *st, const char *directory, double least,
		 const char *measure);

#endif
