/* SPDX-License-Identifier: Apache-2.0 */
/* All verdicts on a study. */
#ifndef NETBENCH_ANALYSE_MAP_VERDICTS_H
#define NETBENCH_ANALYSE_MAP_VERDICTS_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/* One quantity of one class of hosts, judged. */
struct found {
	enum quantity quantity;
	uint32_t class;
	struct map_judged j;		/* by the study's numbers of hosts */
};

/* A quantity over all pairs of a study: NaN if it was not measured. */
struct overview {
	double median, low, high;	/* half of the pairs are from low to high */
	double slowest;
	uint32_t from, to;		/* the slowest pair */
	size_t pairs, missing;		/* with a value; without one */
};

struct verdicts {
	const struct study *s;
	struct rules rules;
	bool again;			/* suspects are measured again */
	struct found *at;		/* bandwidth first */
	size_t n;
	struct overview over[NQUANTITIES];
	json_t *differences;		/* between hosts; NULL: none were looked for */
};

/* Frees the verdicts; the study and the rules stay. */
void verdicts_free(struct verdicts *all);

/* How much slower a host is than most: relative, or for latency in s. */
double verdicts_slower(const struct verdicts *all, const struct found *f, uint32_t host);

/* The overview of a quantity; it has 0 pairs if the quantity was not measured. */
struct overview overview_of(const struct study *s, enum quantity q);

#endif
