/* SPDX-License-Identifier: Apache-2.0 */
/* --fail-if: which verdicts fail the command, and whether they could have been seen. */
#ifndef NETBENCH_CMD_MAP_LIMITS_H
#define NETBENCH_CMD_MAP_LIMITS_H

#include "analyse/map/verdicts.h"

/* A kind of verdicts, and the least effect: relative, or s; both NaN: any. */
struct map_limit {
	const char *kind;
	double relative, seconds;
	char text[32];		/* as the user has it, cut if it is long */
};

struct map_limits {
	struct map_limit at[32];
	size_t n;
};

/*
 * Reads the list of --fail-if; NULL is an empty one. Limits below `min_effect` (relative), which
 * nobody is named by, are refused. ST_OK, or ST_* (reported).
 */
int limits_parse(struct map_limits *l, const char *fail_if, double min_effect);

/*
 * ST_FAILED if a verdict reaches a limit; else ST_NO_VERDICT if one could have gone unseen (either
 * reported); else ST_OK.
 */
int limits_check(const struct map_limits *l, const struct verdicts *all);

/* True of verdicts on a host that is slow. */
bool limits_host(enum map_kind kind);

#endif
