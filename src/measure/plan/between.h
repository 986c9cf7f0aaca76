/* SPDX-License-Identifier: Apache-2.0 */
/* Option --between: how latency, msgrate and bandwidth choose their pairs of ranks. */
#ifndef NETBENCH_MEASURE_PLAN_BETWEEN_H
#define NETBENCH_MEASURE_PLAN_BETWEEN_H

#include "options/options.h"

enum between {
	BETWEEN_RANKS,		/* 0 and 1, 2 and 3, ... */
	BETWEEN_HOSTS,		/* ranks on different hosts, for as many pairs as possible */
	BETWEEN_TWO,		/* the two ranks in struct pairing */
};

/* How a plan pairs its ranks. A zeroed struct means BETWEEN_RANKS. */
struct pairing {
	enum between how;
	int two[2];
};

/*
 * Entry of --between in an option table. `at` is the offset of the option's text in the values of
 * the command's own options.
 */
#define BETWEEN_OPTION(at)                                                                         \
	{ 0, "between", "whom", OPT_TEXT, at, .def = "hosts", \
	  .help = "which ranks form a pair; hosts: ranks on different hosts, if there are " \
		  "several hosts; ranks: 0 and 1, 2 and 3, ...; A:B: ranks A and B" }

/*
 * Parses "hosts", "ranks" or two ranks such as "3:7" for a job of `ranks` ranks. Returns ST_OK or
 * ST_USAGE (reported).
 */
int between_parse(const char *text, int ranks, struct pairing *pairing);

/*
 * Orders n ranks so that the ranks at places 2i and 2i + 1 are on different hosts, for as many i as
 * a greedy search finds. Rank 0 stays at place 0. host[r] is the number of the host of rank r, 0 to
 * n - 1. Returns the number of pairs whose ranks are on different hosts. These pairs come first.
 */
int between_order(const int *host, int n, int *order);

/*
 * Like between_order, for a ring (n >= 2), where a rank reaches only its neighbours. The ranks at
 * places 2i and 2i + 1 are neighbours. Rank 0 is at place 0. If a neighbour of rank 0 is on another
 * host, that neighbour is at place 1. Returns the number of pairs on different hosts.
 */
int between_neighbours(const int *host, int n, int *order);

#endif
