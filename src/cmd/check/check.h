/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the usual quantities of a network in one run, in words, and judged: by what the device
 * promises (promise.c) and by requirements (cmd/require.c). Rank 0.
 */
#ifndef NETBENCH_CMD_CHECK_CHECK_H
#define NETBENCH_CMD_CHECK_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/require.h"
#include "result/report.h"

/* ---- what the device promises ---- */

struct promise {
	char text[160];			/* "the 10 Gbit/s of eth0 in frames of 1500 B"; "": none */
	double Bps;			/* of message content, one way */
};

/* From the environment of a record: of the device that rank 0's messages take, if it is known. */
struct promise promise_find(const json_t *environment);

/* ---- in words ---- */

/* What is said, in this order. */
struct check_report {
	const char *title;
	const json_t *warnings;
	const struct figures *found;
	const struct promise *promise;
	double least_share;		/* of the promise; 0: it is not judged */
	enum judgement promise_judged;	/* unclear without `shared` */
	bool link_asked;		/* least_share was asked for, not by default */
	const struct figure *shared;	/* the bandwidth that is compared with it; NULL: none */
	const struct requirements *required;
	enum judgement verdict;
	bool nothing_judged;
	bool over;			/* the run ended early */
	int ranks;
	enum rate_unit rates;
};

/* Why nothing is said of the share of a link. */
extern const char check_no_link[];

/* The lines, of 79 columns at most, for free(); NULL without memory. */
char *check_words(const struct check_report *r);

#endif
