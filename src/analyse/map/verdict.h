/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verdicts on hosts, pairs and groups, reasons why no verdict is possible, and limits of verdicts.
 * An effect is a logarithm unless it is called relative: an effect e means slower by 1 - exp(-e).
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
	KIND_GROUP,		/* members are slow with other hosts, but not among themselves */
	KIND_BLOCKS,	/* members are slow with the other hosts, in both directions alike */
	KIND_HALVES,		/* of four hosts two are members, else as KIND_BLOCKS */
	KIND_ONE_WAY,		/* of two hosts: a to b is slower than b to a */
	KIND_UNSTEADY,		/* a: the host */
	KIND_UNREACHABLE,	/* a: the host; or members: the two hosts of a pair */
	KIND_SHARED,		/* pairs slow each other down; members: the hosts of the leaves */
	NKINDS
};
extern const char *const map_kind_names[NKINDS]; /* the words in results; for KIND_BLOCKS "group" */

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

/*
 * How pairs share links: for KIND_SHARED, and for a KIND_GROUP that is a leaf with a weak uplink.
 */
struct map_sharing {
	/* what pairs of two leaves reach in visits, divided by what they reach alone */
	struct range together;
	/* what a leaf's links carry, in multiples of one host; NaN: not known */
	struct range carries;
	double usual;		/* weak uplink: what the other leaves' uplinks carry */
	double tested;		/* share of the pairs of two leaves that were measured alone */
	size_t nleaves;
	uint32_t size[];	/* hosts of each leaf, in the order of the members */
};

/* Hosts of a leaf divided by what its links carry, in multiples of one host; NaN: not known. */
double sharing_over(const struct map_sharing *s);

struct map_verdict {
	struct cause cause;
	struct cause or;	/* an equally good explanation; KIND_NONE: no other */
	/* hosts of a group, or of a pair without answer; freed with the verdict */
	uint32_t *members;
	size_t nmembers;
	/* effect and its standard error, logarithms; NaN: none. z = effect / se */
	double effect, se;
	double share;		/* KIND_UNSTEADY: share of its measurements that are slow */
	double adds_s;		/* latency: seconds that it adds; NaN: bandwidth */
	struct map_sharing *sharing;	/* NULL: the verdict is not about shared links */
	enum persistence persistence;
	json_t *evidence;	/* as in results; NULL: none was searched for */
};

/* Why no verdict is possible. */
enum no_verdict {
	JUDGED,
	NO_NORMAL,		/* half of the hosts or more differ from the others */
	NO_STEADY,		/* more than half of the hosts vary: the network is the cause */
	NO_HOSTS,		/* fewer than two hosts */
	NO_NOISE,		/* too few visits to know the noise of measurements */
	NO_THIRD,		/* few hosts with two visits, and nothing is measured again */
	NO_CAUSE,	/* two hosts with both directions alike: no comparison is possible */
};

/*
 * Hosts that are faster than the others, with NO_NORMAL. The others (`rest`) are half of the hosts
 * or more.
 */
struct faster {
	uint32_t *members;	/* for free() */
	size_t n, rest;
	double by;		/* value of their pairs relative to the others' pairs, log */
	/* faster also with the others, in this direction; neither: only among themselves */
	bool sending, receiving;
};

/* The judgement of n hosts. */
struct map_judged {
	uint32_t hosts;
	struct map_verdict *at;
	size_t n;
	enum no_verdict why;
	struct faster faster;
	size_t normal;		/* suspects that a new measurement found normal */
	size_t lost;		/* suspects that did not answer in it */
	size_t unjudged; /* hosts whose class or distance is too small, or has no normal value */
	size_t chance;		/* pairs that are slow in all visits, but possibly by chance */
	size_t beyond;		/* suspects that were too many to be measured again alone */
	/* smallest effect of a named host, and of a named pair; NaN: not known */
	double least, least_pair;
	double *slow;		/* each host's slower direction, log; NaN: not judged */
	double mu, sigma;	/* value of good pairs, and standard deviation of a visit, logs */
};

/* Makes an empty judgement of n hosts. Returns ST_OK, or ST_FAILED without memory (reported). */
int judged_make(struct map_judged *j, uint32_t n);
void judged_free(struct map_judged *j);

/* Removes everything that was found. */
void judged_clear(struct map_judged *j);

/*
 * Sets NO_NORMAL and allocates n members for the faster hosts, which the caller fills in. Without
 * memory: as judged_add().
 */
void judged_add_faster(struct scratch *room, struct map_judged *j, size_t n);

/* Removes the list of faster hosts. */
void judged_forget_faster(struct map_judged *j);

/*
 * Adds a verdict of this kind on host a or pair a, b, with room for n members. The caller fills in
 * the members and the effect. Without memory: reports that and gives up the room's computation.
 */
struct map_verdict *judged_add(struct scratch *room, struct map_judged *j, enum map_kind kind,
			       uint32_t a, uint32_t b, size_t n);

/*
 * Allocates the sharing of a verdict, for this number of leaves. Without memory: as judged_add().
 */
struct map_sharing *judged_add_sharing(struct scratch *room, struct map_verdict *v, size_t nleaves);

/*
 * Sorts the verdicts in the order in which they are shown: no answer, groups, hosts, unsteady
 * hosts, pairs.
 */
void judged_sort(struct map_judged *j);

/* A host and its value. Sort with by_falling_value() and qsort: the largest value first. */
struct host_value {
	double value;
	uint32_t host;
};
int by_falling_value(const void *a, const void *b);

/* Lists in to[] those of the n hosts that were judged, the slowest first. Returns their number. */
size_t judged_by_slowness(const struct map_judged *j, uint32_t n, uint32_t *to);

/* Converts an effect to a relative one: ln 0.7 negated becomes 0.3. */
double verdict_relative(double effect);

/*
 * True if the effect is less than 8 of its standard errors. For an unsteady host: true if it was
 * not retested.
 */
bool verdict_is_probable(const struct map_verdict *v);

/* The confidence of a verdict: "certain", "probable" or "ambiguous". */
const char *verdict_confidence(const struct map_verdict *v);

/* True for kinds of verdicts on a pair, or on one direction of a pair. */
bool kind_is_of_pair(enum map_kind kind);

/* True if a cause names two hosts, a and b. */
bool cause_names_two_hosts(const struct cause *c);

/* True if a cause slows messages from host i to host j. Does not look at the members of a group. */
bool cause_slows(const struct cause *c, uint32_t i, uint32_t j);

/* ---- --fail-if: verdicts of a kind with a minimum effect fail the run ---- */

/* A kind of verdicts and a minimum effect: relative, or in s. Both NaN: any effect. */
struct map_limit {	/* for "shared" relative is a ratio: 3 means 3:1 */
	const char *kind;
	double relative, seconds;
	char text[32];		/* the user's text, truncated if it is long */
};

/*
 * Reads a limit: "host:10%", "pair:50us", "shared:3" or "group". Returns false if the text is not a
 * limit; to->kind is then NULL if the kind is unknown.
 */
bool limit_read(struct map_limit *to, const char *text);

/* True if a limit has no minimum effect, so that it applies to all quantities. */
bool limit_covers_all(const struct map_limit *limit);

/*
 * True if a limit forbids a verdict. `kind` is the name of its kind in results. Its effect is
 * relative, or for latency in s; the other argument is NaN. The effect of "shared" is the
 * oversubscription. Limits on "host" and "pair" also apply to one direction of them.
 */
bool limit_forbids(const struct map_limit *limit, const char *kind, double effect, double adds_s);

#endif
