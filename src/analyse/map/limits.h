/* SPDX-License-Identifier: Apache-2.0 */
/* --fail-if of map: verdicts of a kind, from a least effect on, fail the run. Pure. */
#ifndef NETBENCH_ANALYSE_MAP_LIMITS_H
#define NETBENCH_ANALYSE_MAP_LIMITS_H

#include <stdbool.h>

/* A kind of verdicts, and the least effect: relative, or s; both NaN: any. */
struct map_limit {
	const char *kind;
	double relative, seconds;
	char text[32];		/* as the user has it, cut if it is long */
};

/*
 * Reads "host:10%", "pair:50us" or "group". False if it is none; then to->kind is NULL if the kind
 * is unknown.
 */
bool limit_read(struct map_limit *to, const char *text);

/* True if a limit has no effect, so that it is for all quantities. */
bool limit_is_any(const struct map_limit *limit);

/*
 * True if a limit forbids a verdict, by the name of its kind in results, and its effect: relative,
 * or for latency s; the other is NaN. "host" and "pair" are also those of one direction.
 */
bool limit_forbids(const struct map_limit *limit, const char *kind, double effect, double adds_s);

#endif
