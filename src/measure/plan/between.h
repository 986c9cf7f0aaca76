/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranks the pairs of latency, msgrate and bandwidth are made of: --between. */
#ifndef NETBENCH_MEASURE_PLAN_BETWEEN_H
#define NETBENCH_MEASURE_PLAN_BETWEEN_H

#include "options/options.h"

enum between {
	BETWEEN_RANKS,		/* 0 and 1, 2 and 3, ... */
	BETWEEN_HOSTS,		/* ranks on different hosts, as far as there are any */
	BETWEEN_TWO,		/* these two */
};

/* Of a plan; all zero: BETWEEN_RANKS. */
struct pairing {
	enum between how;
	int two[2];
};

/* The option; its text is at an offset in the values of a command's own options. */
#define BETWEEN_OPTION(at)                                                                         \
	{ 0, "between", "whom", OPT_TEXT, at, .def = "hosts", \
	  .help = "which ranks are a pair; hosts: those on different hosts, where there are " \
		  "several; ranks: 0 and 1, 2 and 3, ...; A:B: ranks A and B" }

/*
 * Reads "hosts", "ranks" or "3:7" for a job with this number of ranks. ST_OK or ST_USAGE
 * (reported).
 */
int between_parse(const char *text, int ranks, struct pairing *pairing);

/*
 * Orders n ranks so that those at places 2i and 2i + 1 are on different hosts for as many i as
 * this finds; rank 0 stays at place 0. host[r]: the number of rank r's host, from 0 on, below n.
 * Yields how many such i there are, from 0 on.
 */
int between_order(const int *host, int n, int *order);

/*
 * The same where ranks reach their neighbours in a ring alone: those at places 2i and 2i + 1 are
 * neighbours, n >= 2. Rank 0 is at place 0, beside one on another host if it has such a neighbour.
 */
int between_neighbours(const int *host, int n, int *order);

#endif
