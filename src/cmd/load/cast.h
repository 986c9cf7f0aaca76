/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines the roles of ranks in a run of `load`: the victims, the aggressors, and the receivers
 * of each. The functions have no side effects, except that they report bad lists.
 */
#ifndef NETBENCH_CMD_LOAD_CAST_H
#define NETBENCH_CMD_LOAD_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/values.h"

enum load_victim { VICTIM_PINGPONG, VICTIM_BANDWIDTH, VICTIM_ALLREDUCE };
extern const char *const load_victim_names[];

/* Patterns of aggressors. A set of patterns is a mask with bit 1 << pattern for each pattern. */
enum load_aggressor {
	LOAD_INCAST, LOAD_ALLTOALL, LOAD_PERMUTATION, LOAD_BROADCAST, LOAD_AGGRESSORS
};
extern const char *const load_aggressor_names[];

enum load_place {
	PLACE_RANDOM, PLACE_STRIPED, PLACE_SAME_HOST, PLACE_SAME_SWITCH, PLACE_APART
};
extern const char *const load_place_names[];

enum load_role { LOAD_ROLE_IDLE, LOAD_ROLE_ASKER, LOAD_ROLE_ANSWERER, LOAD_ROLE_AGGRESSOR };

/*
 * The roles of all ranks, the same on all ranks. Victims form groups: the first asks, the others
 * answer. In pattern permutation the aggressor at index i sends to index i + shift (modulo
 * naggressors); shift is 1 to naggressors - 1.
 */
struct cast {
	int *victim, *aggressor;	/* lists of ranks; a rank is in at most one */
	int nvictims, naggressors, shift;
	int group;			/* number of victims in a group: 2, or all victims */
	int *at;			/* index of each rank in its list */
	enum load_role *role;		/* role of each rank */
	int ranks;
};

/* How ranks get their roles. */
struct casting {
	struct numbers victims, aggressors;	/* lists of ranks; empty: by `place` */
	enum load_place place;
	const int *host;	/* number of each rank's host; NULL: all ranks are on one host */
	/* number of each rank's switch; NULL: all ranks are on one switch */
	const int *leaf;
	bool together;		/* all victims are one group; false: they form pairs */
	uint64_t seed;
};

/*
 * Gives each rank a role. A placement makes about a fifth of the ranks victims; their number is
 * even and at least two. With PLACE_APART no aggressor is on a victim's switch: other ranks there
 * are idle. Returns ST_OK, ST_USAGE or ST_FAILED (reported). Call cast_free in each
 * case.
 */
int cast_make(struct cast *c, int ranks, const struct casting *how);
void cast_free(struct cast *c);

/* Returns the other rank of a victim's pair. Victims must form pairs. */
int cast_partner(const struct cast *c, int rank);

/* The traffic of an epoch. Incast goes to the aggressor at index `target`. */
struct load_traffic {
	unsigned patterns;
	int target;
};

/* Returns the number of victims that a placement chooses among `ranks` ranks. */
int cast_default_victims(int ranks);

/*
 * Parses a set of patterns such as "incast+alltoall". Returns the set, or 0 if a word is not a
 * pattern (reported).
 */
unsigned cast_parse_patterns(const char *word);

/* Returns the index of the aggressor that receives message k of the aggressor at index `from`. */
int cast_receiver(const struct cast *c, struct load_traffic t, int from, uint64_t k);

/*
 * Returns whether the aggressor at index `from` sends to the one at index `to` in any of the
 * patterns.
 */
bool cast_sends(const struct cast *c, struct load_traffic t, int from, int to);

/* Returns whether the aggressor at index `from` sends anything. */
bool cast_sends_any(const struct cast *c, struct load_traffic t, int from);

#endif
