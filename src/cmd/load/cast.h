/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who does what in a run of `load`: which ranks are victims, which are aggressors, and to whom each
 * of these sends. Pure but for messages on bad lists.
 */
#ifndef NETBENCH_CMD_LOAD_CAST_H
#define NETBENCH_CMD_LOAD_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/values.h"

enum load_victim { VICTIM_PINGPONG, VICTIM_BANDWIDTH };
extern const char *const load_victim_names[];

/* Patterns of aggressors; several at once are bits of a set. */
enum load_aggressor {
	LOAD_INCAST, LOAD_ALLTOALL, LOAD_PERMUTATION, LOAD_BROADCAST, LOAD_AGGRESSORS
};
extern const char *const load_aggressor_names[];

enum load_place { PLACE_RANDOM, PLACE_STRIPED, PLACE_SAME_HOST };
extern const char *const load_place_names[];

enum load_role { LOAD_IDLE, LOAD_ASKS, LOAD_ANSWERS, LOAD_PRESSES };
extern const char *const load_role_names[];

/*
 * The same on all ranks. Victims come in pairs, and the first of a pair asks. A permutation sends
 * `shift` places along the aggressors, 1 to naggressors - 1.
 */
struct cast {
	int *victim, *aggressor;	/* ranks, each once; a rank is at most in one */
	int nvictims, naggressors, shift;
	int *at;			/* of each rank: its place in its list */
	enum load_role *role;		/* of each rank */
	int ranks;
};

/*
 * Gives each rank a role: by the lists, or by a placement if both are empty. `host` has the number
 * of each rank's host; NULL: there is one host. A placement makes a fifth of the ranks victims, two
 * at least and an even number. ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int cast_make(struct cast *c, int ranks, const struct numbers *victims,
	      const struct numbers *aggressors, enum load_place place, const int *host,
	      uint64_t seed);
void cast_free(struct cast *c);

/* The other rank of a victim's pair. */
int cast_partner(const struct cast *c, int rank);

/* The number of victims in a placement of `ranks` ranks. */
int cast_usual_victims(int ranks);

/* Place among the aggressors of the one to which the aggressor at place `from` sends message k. */
int cast_target(const struct cast *c, unsigned patterns, int from, uint64_t k);

/* Whether the aggressor at a place ever sends to the one at another, in any of the patterns. */
bool cast_sends(const struct cast *c, unsigned patterns, int from, int to);

/* Whether the aggressor at a place sends to any. */
bool cast_sends_any(const struct cast *c, unsigned patterns, int from);

#endif
