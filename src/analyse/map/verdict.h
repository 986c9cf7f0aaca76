/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verdicts on hosts, pairs and groups, or why no verdict is possible; and limits of these.
 * Effects are logarithms unless they are called relative: an effect e is slower by 1 - exp(-e).
 */
#ifndef NETBENCH_ANALYSE_MAP_VERDICT_H
#define NETBENCH_ANALYSE_MAP_VERDICT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/map/scratch.h"

enum map_kind {
	KIND_NONE,
	KIND_HOST, KIND_SEND, KIND_RECEIVE,	/* a: the host */
	KIND_PAIR, KIND_DIRECTION,		/* a, b: hosts; sender and receiver */
	KIND_GROUP,		/* members: slow with others, not among themselves */
	KIND_BLOCKS,		/* members: slow with the rest, as the rest is with them */
	KIND_HALVES,		/* n = 4: members are two, else as KIND_BLOCKS */
	KIND_ONE_WAY,		/* n = 2: a to b is slower than b to a */
	KIND_UNSTEADY,		/* a */
	KIND_UNREACHABLE,	/* a: the host; or members: the two of a pair */
	KIND_SHARED,		/* pairs slow each other down; members: hosts of leaves */
	NKINDS
};
extern const char *const map_kind_names[NKINDS];	/* as in results; of blocks "group" */

/* Whether a retest has confirmed a verdict. */
enum persistence { UNTESTED, PERSISTENT };
extern const char *const persistence_names[];

/* A possible cause. With up to 4 hosts, two causes may explain the values equally well. */
struct cause {
	enum map_kind kind;
	uint32_t a, b;
};

/* A number and its interval. */
struct range {
	double is, lo, hi;
};

/* How pairs share links; of KIND_SHARED, and of the leaf of a weak uplink, a KIND_GROUP. */
struct map_sharing {
	/* what pairs of two leaves reach in visits, as a part of what they reach alone */
	struct range together;
	struct range carries;	/* of a leaf, in times of one host; NaN: not known */
	double usual;		/* of a weak uplink: what others carry */
	double tested;		/* share of the pairs of two leaves that were measured alone */
	size_t nleaves;
	uint32_t size[];	/* hosts of each leaf, in the order of the members */
};

/* Hosts of a leaf over what its links carry, in times of one host; NaN: not known. */
double sharing_over(const struct map_sharing *s);

struct map_verdict {
	struct cause cause;
	struct cause or;	/* or this; KIND_NONE: no other */
	uint32_t *members;	/* of a group, and of a pair without answer; for free() */
	size_t nmembers;
	double effect, se;	/* logs; NaN: none. Effect over se is z */
	double share;		/* KIND_UNSTEADY: the share of its measurements that are slow */
	double adds_s;		/* latency: seconds added; NaN: it is bandwidth */
	struct map_sharing *sharing;	/* NULL: of no network */
	enum persistence persistence;
	json_t *evidence;	/* as in results; NULL: none was looked for */
};

/* Why no verdict is possible. */
enum no_verdict {
	JUDGED,
	NO_NORMAL,		/* half of the hosts or more differ */
	NO_STEADY,		/* more than half vary: the network is the cause */
	NO_HOSTS,		/* fewer than two */
	NO_NOISE,		/* too few visits to know how much measurements vary */
	NO_THIRD,		/* two visits, of few hosts, and nothing is measured again */
	NO_CAUSE,		/* two hosts, both directions alike: nothing can be compared */
};

/* Hosts that are faster than the rest, if the rest is half or more: NO_NORMAL. */
struct faster {
	uint32_t *members;	/* for free() */
	size_t n, rest;
	double by;		/* of pairs of them over pairs of the rest, log */
	bool sending, receiving;	/* with the rest as well; neither: among themselves */
};

/* The verdicts on n hosts. */
struct map_judged {
	uint32_t hosts;
	struct map_verdict *at;
	size_t n;
	enum no_verdict why;
	struct faster faster;
	size_t normal;		/* suspects that were measured again and are normal */
	size_t lost;		/* suspects that did not answer then */
	size_t unjudged;	/* hosts of a side that is too small, or has no normal */
	size_t chance;		/* pairs that are slow in all visits, but may be so by chance */
	size_t beyond;		/* suspects that were too many to be measured again alone */
	/* the least effect of a named host, and of a named pair; NaN: not known */
	double least, least_pair;
	double *slow;		/* of each host, the slower of its directions; NaN: not judged */
	double mu, sigma;	/* the value of good pairs, and the noise of a visit */
};

/* An empty one. ST_OK, or ST_FAILED without memory (reported). */
int judged_make(struct map_judged *j, uint32_t n);
void judged_free(struct map_judged *j);

/* Forgets all that was found. */
void judged_clear(struct map_judged *j);

/*
 * Sets NO_NORMAL and makes room for n faster hosts, for the caller to add. Without memory: as
 * judged_add.
 */
void judged_faster(struct scratch *room, struct map_judged *j, size_t n);

/* Forgets which hosts are faster. */
void judged_forget_faster(struct map_judged *j);

/*
 * Adds a verdict of this kind on host or pair a, b, with room for n members; the caller adds the
 * members and the effect. Without memory: reports that and gives up the room's computation.
 */
struct map_verdict *judged_add(struct scratch *room, struct map_judged *j, enum map_kind kind,
			       uint32_t a, uint32_t b, size_t n);

/* Gives a verdict its sharing, of so many leaves. Without memory: as judged_add. */
struct map_sharing *judged_sharing(struct scratch *room, struct map_verdict *v, size_t nleaves);

/* Sorts the verdicts as they are shown: no answer, groups, hosts, unsteady hosts, pairs. */
void judged_sort(struct map_judged *j);

/* A host and its value; for qsort: the largest value first. */
struct host_value {
	double value;
	uint32_t host;
};
int by_falling_value(const void *a, const void *b);

/* Lists the hosts of n that were judged, the slowest first, in `to[n]`. Returns how many. */
size_t judged_worst(const struct map_judged *j, uint32_t n, uint32_t *to);

/* Relative: 0.3 for an effect of -ln 0.7. */
double verdict_relative(double effect);

/* True if the effect is less than 8 of its errors; of an unsteady host if it was not retested. */
bool verdict_is_probable(const struct map_verdict *v);

/* "certain", "probable" or "ambiguous". */
const char *verdict_confidence(const struct map_verdict *v);

/* True of verdicts on a pair, or a direction of one. */
bool kind_is_of_pair(enum map_kind kind);

/* True of a cause that names two hosts, a and b. */
bool cause_is_of_two(const struct cause *c);

/* True if a cause slows messages from i to j. Does not look at the members of a group. */
bool cause_has(const struct cause *c, uint32_t i, uint32_t j);

/* ---- --fail-if: verdicts of a kind, from a least effect on, fail the run ---- */

/* A kind of verdicts, and the least effect: relative, or s; both NaN: any. */
struct map_limit {	/* of "shared" relative is a ratio: 3 of 3:1 */
	const char *kind;
	double relative, seconds;
	char text[32];		/* as the user has it, cut if it is long */
};

/*
 * Reads "host:10%", "pair:50us", "shared:3" or "group". False if it is none; then to->kind is NULL
 * if the kind is unknown.
 */
bool limit_read(struct map_limit *to, const char *text);

/* True if a limit has no effect, so that it is for all quantities. */
bool limit_is_any(const struct map_limit *limit);

/*
 * True if a limit forbids a verdict, by the name of its kind in results, and its effect: relative,
 * or for latency s; the other is NaN. The effect of "shared" is the oversubscription. "host" and
 * "pair" are also those of one direction.
 */
bool limit_forbids(const struct map_limit *limit, const char *kind, double effect, double adds_s);

#endif
