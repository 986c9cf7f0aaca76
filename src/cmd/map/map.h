/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: which host, which link, is the bad one? Every pair of hosts is measured in the rounds of a
 * tournament, several times (visits), and hosts, pairs and groups that are slower than their peers
 * are named. A file tells its part:
 *
 *	tournament.c	who meets whom in which round
 *	matrix.c	what was measured, of all pairs in all visits
 *	fit.c		what hosts and pairs should reach: medians that faults do not move
 *	normal.c	whether most hosts are alike, or there is no normal
 *	unsteady.c, blocks.c, small.c	hosts that vary, groups behind a slow link, up to 4 hosts
 *	again.c		suspects are measured again, with partners that are none
 *	hosts.c, pairs.c	who of the suspects is named
 *	judge.c		all of this in its order
 *	silent.c	hosts and pairs that did not answer
 *	limits.c	--fail-if
 *	study.c, from.c	what was measured, as a whole; reading it from files
 *	machines.c, evidence.c	what hosts are like, and have counted, beside a verdict
 *	topology.c, distance.c	which hosts share a switch; pairs that do, and pairs that do not
 *	words.c, write.c	what is found, in sentences and in files
 *	change.c, change_words.c, compare.c	what has changed between two results
 *	measure.c, map.c	measuring, from plan to rows; the command, and judging a file
 *	players.c, play.c, visit.c	who is measured, pairs at the same time, all pairs once
 *	journal.c	what is measured before the rows of pairs are known
 *
 * Numbers in brackets, (1) to (14), are the equations of netbench-method(7).
 * Effects are logarithms unless they are called relative: an effect e is slower by 1 - exp(-e).
 */
#ifndef NETBENCH_CMD_MAP_MAP_H
#define NETBENCH_CMD_MAP_MAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/sort.h"
#include "base/values.h"

/* ---- tournaments ---- */

/* The rounds in which n hosts all meet: one fewer than hosts, or as many if their number is odd. */
uint32_t tournament_rounds(uint32_t n);

/* Whom a host meets in a round, by (1); itself: none. Both from 0. */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host);

/*
 * A visit: the hosts in random order, which (1) is applied to, and its rounds in random order;
 * quick ones are random matchings instead.
 */
struct tournament {
	uint32_t n, nrounds;
	uint32_t *place;	/* of a host in (1), and, behind these, the host at a place */
	uint32_t *order;	/* of the rounds; quick: NULL */
	uint32_t *partner;	/* quick: of each host in this round; else NULL */
};

/*
 * Rounds of all pairs, or with quick > 0 so many matchings. ST_OK, or ST_FAILED without memory
 * (reported).
 */
int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng);
void tournament_free(struct tournament *t);

/* Before each round in turn: draws the matching of a quick one. */
void tournament_draw(struct tournament *t, struct rng *rng);

/* Whom a host meets in round k of the visit, of quick ones the one drawn last; itself: none. */
uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host);

/* ---- what was measured ---- */

/* One quantity of every ordered pair of n hosts, in some visits. */
struct matrix {
	uint32_t n, nvisits;
	float *y;		/* [visit][sender][receiver]: ln(bandwidth), -ln(time); or NaN */
	uint16_t *round;	/* the same shape; nrounds: not known. NULL: none is known */
	uint32_t nrounds;
	bool symmetric;		/* but for bandwidths one way: y(i,j) = y(j,i) */
	const uint32_t *host;	/* numbers that the hosts have elsewhere; NULL: the same */
};

static inline size_t matrix_at(const struct matrix *m, uint32_t visit, uint32_t i, uint32_t j)
{
	return ((size_t)visit * m->n + i) * m->n + j;
}

/* Quick mode: hosts have met some others, once. */
static inline bool matrix_quick(const struct matrix *m)
{
	return m->nvisits == 1;
}

/* An empty one (all NaN, rounds not known). ST_OK, or ST_FAILED without memory (reported). */
int matrix_make(struct matrix *m, uint32_t n, uint32_t nvisits, uint32_t nrounds);
void matrix_free(struct matrix *m);

/* Of some of its hosts, in the order of `hosts`, which the new one keeps. As matrix_make. */
int matrix_take(struct matrix *to, const struct matrix *from, const uint32_t *hosts, uint32_t n);

/* Adds empty visits. As matrix_make. */
int matrix_extend(struct matrix *m, uint32_t more);

/* The median of n numbers, none of them NaN, which it reorders; NaN if n is 0. */
double middle(double *x, size_t n);

/* 1.4826 times the median distance from `centre`; overwrites x, which has no NaN. */
double spread(double *x, size_t n, double centre);

/* ---- measuring again ---- */

/* Two hosts in a round, and what they then measured: y of both directions; NaN: no answer. */
struct encounter {
	uint32_t i, j;
	float ij, ji;
};

/* Measures again: the meetings of a round, all at once, of disjoint pairs. ST_*, passed on. */
struct retest {
	int (*round)(void *arg, struct encounter *meetings, size_t n);
	void *arg;
};

/* ---- verdicts ---- */

enum kind {
	KIND_NONE,
	KIND_HOST, KIND_SEND, KIND_RECEIVE,	/* a: the host */
	KIND_PAIR, KIND_DIRECTION,		/* a, b: hosts; sender and receiver */
	KIND_GROUP,		/* members: slow with others, not among themselves */
	KIND_BLOCKS,		/* members: slow with the rest, as the rest is with them */
	KIND_HALVES,		/* n = 4: members are two, else as KIND_BLOCKS */
	KIND_ONE_WAY,		/* n = 2: a to b is slower than b to a */
	KIND_UNSTEADY,		/* a */
	KIND_UNREACHABLE,	/* a: the host; or members: the two of a pair */
	NKINDS
};
extern const char *const kind_names[NKINDS];	/* as in results; of blocks "group" */

/* Whether what was found once is found again. */
enum persistence { UNTESTED, PERSISTENT };
extern const char *const persistence_names[];

/* What may be the cause: of up to 4 hosts, which of two is sometimes not known. */
struct cause {
	enum kind kind;
	uint32_t a, b;
};

struct verdict_of {
	struct cause cause;
	struct cause or;	/* or this; KIND_NONE: no other */
	uint32_t *members;	/* of a group, and of a pair without answer; for free() */
	size_t nmembers;
	double effect, se;	/* logs; NaN: none. Effect over se is z */
	double share;		/* KIND_UNSTEADY: of its measurements that are slow */
	double adds_s;		/* latency: seconds added; NaN: it is bandwidth */
	enum persistence persistence;
	json_t *evidence;	/* evidence.h; NULL: none was looked for */
};

/* Why there is no verdict at all. */
enum no_verdict {
	JUDGED,
	NO_NORMAL,		/* half of the hosts or more differ */
	NO_STEADY,		/* more than half vary: it is the network */
	NO_HOSTS,		/* fewer than two */
	NO_NOISE,		/* too few visits to know how much measurements vary */
	NO_THIRD,		/* two visits, of few hosts, and nothing is measured again */
	NO_CAUSE,		/* two hosts, both directions alike: nothing can be compared */
};

/* Hosts that are faster than the rest, where the rest is half or more: NO_NORMAL. */
struct faster {
	uint32_t *members;	/* for free() */
	size_t n;
	double by;		/* of pairs of them over pairs of the rest, log */
	bool sending, receiving;	/* with the rest as well; neither: among themselves */
};

/* What was found among n hosts. */
struct judgement {
	struct verdict_of *at;
	size_t n;
	enum no_verdict why;
	struct faster faster;
	size_t normal;		/* suspects that were measured again and are normal */
	size_t lost;		/* suspects that did not answer then */
	size_t chance;		/* pairs, slow in all visits, of which chance yields as many */
	/* what a host, and a pair, has to be slower by to be named; NaN: not known */
	double least, least_pair;
	double *slow;		/* of each host, the slower of its directions; NaN: not judged */
	double mu, sigma;	/* what good pairs reach, and by how much a visit varies */
};

/* An empty one. ST_OK, or ST_FAILED without memory (reported). */
int judgement_make(struct judgement *j, uint32_t n);
void judgement_free(struct judgement *j);

/* Adds an empty verdict of this kind. NULL without memory (reported). */
struct verdict_of *judgement_add(struct judgement *j, enum kind kind);

/* From which effects on hosts and pairs are suspects, pass a second time, are named; logs. */
struct thresholds {
	double host_suspect, host_again, host_other, host;
	double pair_suspect, pair_quick, pair_again, pair;
};

/* For hosts that are slower by the share `effect`, and pairs by 1.6 of that. */
#define PAIR_TO_HOST 1.6
struct thresholds thresholds_of(double effect);

/* All of them in proportion, so that hosts are slower by the effect `host`, if that is more. */
void thresholds_raise(struct thresholds *t, double host);

/* Hosts whose residuals tell the noise of one visit, as of mode quick. */
#define QUICK_HOSTS 8

/* How to judge. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* of partners in a retest */
	const struct retest *again;	/* NULL: first visits only; then nothing is PERSISTENT */
};

/* Adds what is found in m to j, by the numbers that its hosts have elsewhere. ST_*. */
int judge(const struct matrix *m, const struct rules *rules, struct judgement *j);

#endif
