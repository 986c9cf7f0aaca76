/* SPDX-License-Identifier: Apache-2.0 */
/* What has changed between two results, as ratios B/A and in sentences. */
#ifndef NETBENCH_CMD_MAP_CHANGE_CHANGE_WORDS_H
#define NETBENCH_CMD_MAP_CHANGE_CHANGE_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "cmd/map/change/change.h"

enum finding { NO_VERDICT, FASTER, SLOWER, NO_DIFFERENCE, NFINDINGS };
extern const char *const change_findings[];

/* Verdicts of A and B, by what they say of whom. */
enum had { IS_NEW, IS_GONE, IS_STILL, NHAD };

#define LISTED 10		/* verdicts, hosts and pairs of a list for people */

/* A pair and its shift. */
struct shifted {
	uint32_t i, j;
	double by;
};

/* Of all pairs of a quantity. */
struct totals {
	size_t of[NFINDINGS];
	struct shifted worst[LISTED];	/* of those that are slower, the slowest first */
	size_t nworst;
};

/* "bandwidth", "latency" */
const char *change_quantity(enum quantity q);

/* Of values, B/A; NaN without an interval. */
struct ratio_of_two {
	double ratio, lo, hi;
};
struct ratio_of_two change_ratios(enum quantity q, const struct shift *s);

enum finding change_finding(const struct shift *s);

/* With intervals: of a pair by itself. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * What a verdict on the ratios says: of a pair all of its change, of hosts and groups theirs beside
 * the network's. One without an error has no interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct verdict_of *v, bool faster);

/* The same beside the network's, and of a pair also beside that of its hosts. */
struct shift change_beside(const struct verdict_of *v, bool faster);

/* "B/A 0.7 (0.68 to 0.72), slower" */
void change_put_ratio(FILE *to, enum quantity q, const struct shift *s);

/* "n5, sending": of v, or with NULL of the other cause that it may be. */
void change_put_cause(FILE *to, const struct changes *c, const struct cause *cause,
		      const struct verdict_of *v);

/* "n5, sending: B/A 0.7 (0.68 to 0.72), slower"; for free(), NULL without memory. */
char *change_sentence(const struct changes *c, const struct change_of *of,
		      const struct verdict_of *v, bool faster);

/* All of it, with lists of verdicts by enum had, of IS_STILL [of A, of B]; the same. */
char *change_footer(const struct changes *c, const struct totals *t, json_t *const had[NHAD]);

#endif
