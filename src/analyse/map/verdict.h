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
#include "analyse/require.h"
#include "base/stats.h"

enum map_kind {
	KIND_NONE,
	KIND_HOST, KIND_SEND, KIND_RECEIVE,	/* a: the host */
	/* a, b: the two hosts; for KIND_DIRECTION the sender and the receiver */
	KIND_PAIR, KIND_DIRECTION,
	KIND_GROUP, /* members are slow with all other hosts, but not among themselves */
	/* members are slow with the hosts of the other side, equally in both directions */
	KIND_BLOCKS,
	KIND_HALVES,		/* like KIND_BLOCKS, but two of four hosts are members */
	KIND_ONE_WAY,		/* only two hosts: a to b is slower than b to a */
	KIND_UNSTEADY,		/* a: the host */
	KIND_UNREACHABLE,	/* a: the host; or members: the two hosts of a pair */
	KIND_SHARED,		/* pairs slow each other down; members: the hosts of the leaves */
	NKINDS
};
/* names of the kinds in results; KIND_BLOCKS has "group" */
extern const char *const map_kind_names[NKINDS];

/* PERSISTENT: a retest has confirmed the verdict. UNTESTED: no retest did. */
enum persistence { UNTESTED, PERSISTENT };
extern const char *const persistence_names[];

/* A possible cause of slow values. With up to 4 hosts, two causes may explain them equally well. */
struct cause {
	enum map_kind kind;
	uint32_t a, b;
};

/* A number and its interval. */
struct range {
	double is, lo, hi;
};

/*
 * How pairs share links. Used for KIND_SHARED, and for a KIND_GROUP whose members are a leaf with a
 * weak uplink.
 */
struct map_sharing {
	/* value of pairs of two leaves in visits, divided by their value alone */
	struct range together;
	/* what a leaf's links carry, in multiples of what one host sends alone; NaN: not known */
	struct range carries;
	double usual;		/* for a weak uplink: what the median leaf carries */
	double tested;		/* share of the pairs of two leaves that were measured alone */
	size_t nleaves;
	/* number of hosts of each leaf; the verdict's members are in the same order */
	uint32_t size[];
};

/*
 * Returns the oversubscription: the number of hosts of the largest leaf, divided by carries.is;
 * NaN: not known.
 */
double sharing_over(const struct map_sharing *s);

struct map_verdict {
	struct cause cause;
	struct cause or;	/* an equally good explanation; KIND_NONE: no other */
	/* hosts of a group, or of a pair without an answer; freed with the verdict */
	uint32_t *members;
	size_t nmembers;
	/* effect and its standard error, both logarithms; NaN: none */
	double effect, se;
	double share;		/* KIND_UNSTEADY: share of the host's measurements that are slow */
	double adds_s;		/* latency: seconds added to half a round trip; NaN: bandwidth */
	struct map_sharing *sharing;	/* NULL: the verdict is not about shared links */
	enum persistence persistence;
	json_t *evidence;	/* in the form of results; NULL: none was searched for */
};

/* Why no verdict is possible. */
enum no_verdict {
	JUDGED,
	NO_NORMAL,		/* half of the hosts or more differ from the others */
	NO_STEADY,		/* more than half of the hosts vary: the network is the cause */
	NO_HOSTS,		/* fewer than two hosts */
	NO_NOISE,		/* too few visits to estimate the noise of measurements */
	NO_THIRD,		/* few hosts with only two visits, and no retest */
	NO_CAUSE,	/* two hosts with equal directions: no comparison is possible */
};

/*
 * With NO_NORMAL: the hosts that are faster than the others. `rest` is the number of the others:
 * half of the hosts or more.
 */
struct faster {
	uint32_t *members;	/* numbers of the faster hosts; freed with the judgement */
	size_t n, rest;
	/* value of pairs of faster hosts minus value of pairs of the others, as logarithms */
	double by;
	/*
	 * true: they are also faster in this direction with the others; both false: they are faster
	 * only among themselves
	 */
	bool sending, receiving;
};

/* The judgement of n hosts. */
struct map_judged {
	uint32_t hosts;
	struct map_verdict *at;
	size_t n;
	enum no_verdict why;
	struct faster faster;
	bool all_vary; /* most hosts vary, also when pairs are alone; none is unsteady for that */
	size_t normal;		/* suspects that the retest found normal */
	size_t lost;		/* suspects that did not answer in the retest */
	/*
	 * hosts that were not judged: their class or distance has too few hosts, or no normal value
	 */
	size_t unjudged;
	/* pairs without a verdict that are slow in all visits, but possibly by chance */
	size_t chance;
	/* suspects that were not measured again alone, because there were too many */
	size_t beyond;
	/* smallest effect for a verdict on a host, and on a pair; NaN: not known */
	double least, least_pair;
	double *slow; /* [host]: how slow its slower direction is, a logarithm; NaN: not judged */
	/* value of good pairs, and standard deviation of a visit, both logarithms */
	double mu, sigma;
};

/* Makes an empty judgement of n hosts. Returns ST_OK, or ST_FAILED without memory (reported). */
int judged_make(struct map_judged *j, uint32_t n);
void judged_free(struct map_judged *j);

/* Removes all verdicts and reasons. */
void judged_clear(struct map_judged *j);

/*
 * Sets NO_NORMAL, and allocates j->faster.members for n hosts, which the caller fills in. Without
 * memory it behaves as judged_add().
 */
void judged_add_faster(struct scratch *room, struct map_judged *j, size_t n);

/* Removes the list of faster hosts. */
void judged_forget_faster(struct map_judged *j);

/*
 * Adds a verdict of this kind on host a, or on the pair of a and b, with space for n members. The
 * caller fills in the members and the effect. Without memory, reports that and ends the computation
 * in `room` early.
 */
struct map_verdict *judged_add(struct scratch *room, struct map_judged *j, enum map_kind kind,
			       uint32_t a, uint32_t b, size_t n);

/* Allocates v->sharing for this number of leaves. Without memory it behaves as judged_add(). */
struct map_sharing *judged_add_sharing(struct scratch *room, struct map_verdict *v, size_t nleaves);

/*
 * Sorts the verdicts in the order of display: hosts or pairs without an answer, groups, hosts,
 * unsteady hosts, pairs.
 */
void judged_sort(struct map_judged *j);

/* A host and its value. qsort() with by_falling_value() puts the largest value first. */
struct host_value {
	double value;
	uint32_t host;
};
int by_falling_value(const void *a, const void *b);

/*
 * Fills to[] with those of the n hosts that were judged, the slowest first. Returns their number.
 */
size_t judged_by_slowness(const struct map_judged *j, uint32_t n, uint32_t *to);

/* Converts an effect to a relative one: -ln(0.7) becomes 0.3. */
double verdict_relative(double effect);

/*
 * Returns the 95 % interval of a verdict's effect: two standard errors. The interval is relative,
 * for latency in s, and for KIND_SHARED it is the oversubscription. Without a standard error, both
 * ends are the effect.
 */
struct interval verdict_interval(const struct map_verdict *v);

/*
 * True if the verdict is only probable: its effect is less than 8 times its standard error. A
 * verdict on an unsteady host is probable if there was no retest.
 */
bool verdict_is_probable(const struct map_verdict *v);

/* The confidence of a verdict: "certain", "probable" or "ambiguous". */
const char *verdict_confidence(const struct map_verdict *v);

/* True for kinds of verdicts on a pair, or on one direction of a pair. */
bool kind_is_of_pair(enum map_kind kind);

/* True if a cause names two hosts, a and b. */
bool cause_names_two_hosts(const struct cause *c);

/* True if a cause slows messages from host i to host j. Ignores the members of a group. */
bool cause_slows(const struct cause *c, uint32_t i, uint32_t j);

/* ---- --fail-if: verdicts of a kind with a minimum effect fail the run ---- */

/*
 * A kind of verdicts and a minimum effect, which is relative or in s. If both are NaN, any effect
 * counts.
 */
struct map_limit {	/* for "shared" `relative` is a ratio: 3 means 3:1 */
	const char *kind;
	double relative, seconds;
	char text[32];		/* the user's text, truncated if it is long */
};

/*
 * Reads a limit: "host:10%", "pair:50us", "shared:3" or "group". Returns false if the text is not a
 * limit. In that case to->kind is NULL for an unknown kind, else the kind that was read.
 */
bool limit_read(struct map_limit *to, const char *text);

/* True if a limit applies to all quantities, because it has no minimum effect. */
bool limit_covers_all(const struct map_limit *limit);

/*
 * Judges a verdict by a limit. `kind` is the name of the verdict's kind in results. `relative` is
 * the 95 % interval of its effect; for latency `seconds` is; the other one is NaN. The effect of
 * "shared" is the oversubscription. JUDGED_FAIL: the whole interval is at or past the limit.
 * JUDGED_UNCLEAR: a part of it is, or it is not known. JUDGED_PASS: no part is, or the limit is for
 * other kinds. Limits on "host" and "pair" also apply to one direction of a host or pair.
 */
enum judgement limit_judge(const struct map_limit *limit, const char *kind,
			   struct interval relative, struct interval seconds);

#endif
