/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From values to verdicts. A file tells its part:
 *
 *	tournament.c	who meets whom in which round
 *	matrix.c	what was measured, of all pairs in all visits
 *	fit.c		what hosts and pairs should reach: medians that faults do not move
 *	normal.c	whether most hosts are alike, or there is no normal
 *	unsteady.c, blocks.c, small.c	hosts that vary, groups behind a slow link, up to 4 hosts
 *	again.c		suspects are measured again, with partners that are none
 *	hosts.c, pairs.c	who of the suspects is named
 *	judge.c		all of this in its order
 *
 * Numbers in brackets, (1) to (14), are the equations of netbench-method(7).
 * Effects are logarithms unless they are called relative: an effect e is slower by 1 - exp(-e).
 */
#ifndef NETBENCH_CMD_MAP_JUDGE_JUDGE_H
#define NETBENCH_CMD_MAP_JUDGE_JUDGE_H

#include <jansson.h>

#include "base/sort.h"
#include "base/values.h"
#include "cmd/map/judge/matrix.h"

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
	size_t unjudged;	/* hosts of a side that is too small, or has no normal */
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
