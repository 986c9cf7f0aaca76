/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The roles of ranks in a run of `load`: which are victims, which are aggressors, and to which
 * ranks each sends. Functions without side effects, except that they report bad lists.
 */
#ifndef NETBENCH_CMD_LOAD_CAST_H
#define NETBENCH_CMD_LOAD_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/values.h"

enum load_victim { VICTIM_PINGPONG, VICTIM_BANDWIDTH };
extern const char *const load_victim_names[];

/* Patterns of aggressors. A set of patterns has bit 1 << pattern for each. */
enum load_aggressor {
	LOAD_INCAST, LOAD_ALLTOALL, LOAD_PERMUTATION, LOAD_BROADCAST, LOAD_AGGRESSORS
};
extern const char *const load_aggressor_names[];

enum load_place { PLACE_RANDOM, PLACE_STRIPED, PLACE_SAME_HOST };
extern const char *const load_place_names[];

enum load_role { LOAD_ROLE_IDLE, LOAD_ROLE_ASKER, LOAD_ROLE_ANSWERER, LOAD_ROLE_AGGRESSOR };
extern const char *const load_role_names[];

/*
 * The roles of all ranks, the same on all ranks. The first victim of a pair asks, the second
 * answers. In pattern permutation the aggressor at index i sends to index i + shift (modulo
 * naggressors); shift is 1 to naggressors - 1.
 */
struct cast {
	int *victim, *aggressor;	/* lists of ranks; a rank is in at most one */
	int nvictims, naggressors, shift;
	int *at;			/* index of each rank in its list */
	enum load_role *role;		/* role of each rank */
	int ranks;
};

/*
 * Gives each rank a role: by the lists, or by `place` if both are empty. host[r] is the number of
 * rank r's host; NULL: all ranks are on one host. A placement makes a fifth of the ranks victims;
 * their number is even and at least two. ST_OK, ST_USAGE or ST_FAILED (reported). Call cast_free in
 * each case.
 */
int cast_make(struct cast *c, int ranks, const struct numbers *victims,
	      const struct numbers *aggressors, enum load_place place, const int *host,
	      uint64_t seed);
void cast_free(struct cast *c);

/* The other rank of a victim's pair. */
int cast_partner(const struct cast *c, int rank);

/* The number of victims among `ranks` ranks in a placement. */
int cast_default_victims(int ranks);

/* Index of the aggressor that gets message k of the aggressor at index `from`. */
int cast_receiver(const struct cast *c, unsigned patterns, int from, uint64_t k);

/* Whether the aggressor at index `from` sends to that at index `to` in any of the patterns. */
bool cast_sends(const struct cast *c, unsigned patterns, int from, int to);

/* Whether the aggressor at index `from` sends at all. */
bool cast_sends_any(const struct cast *c, unsigned patterns, int from);

#endif
