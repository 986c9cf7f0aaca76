/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_PROMISE_H
#define NETBENCH_ANALYSE_PROMISE_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/require.h"

/*
 * Bytes a second of content through a PCIe slot as records have it, "8.0 GT/s PCIe" and lanes;
 * infinite if it is not known.
 */
double slot_Bps(const char *speed, double lanes);

/* What a device promises, and what came of it. */
struct promise {
	char text[160];			/* "the 10 Gbit/s of eth0 in frames of 1500 B"; "": none */
	double Bps;			/* of message content, one way */
	double least_share;		/* that is asked of it; 0: it is not judged */
	bool asked;			/* that was asked for, not by default */
	/* set by promise_judge */
	const struct figure *shared;	/* the bandwidth that is compared with it; NULL: none */
	enum judgement judged;		/* unclear without `shared` */
};

/* From the environment of a record: of the device that rank 0's messages take, if it is known. */
struct promise promise_find(const json_t *environment);

/* Why the share of a link is not known. */
extern const char promise_no_link[];

/*
 * Judges the measured bandwidth by least_share, and adds a finding, which decides. Adds none if the
 * share is not judged. ST_OK or ST_FAILED (reported).
 */
int promise_judge(struct promise *p, const struct figures *measured, struct findings *found);

#endif
