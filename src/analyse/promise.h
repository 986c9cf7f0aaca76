/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_PROMISE_H
#define NETBENCH_ANALYSE_PROMISE_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/require.h"

/*
 * Payload bandwidth of a PCIe slot, B/s, from its entries in a record: a speed such as "8.0 GT/s
 * PCIe", and lanes. Infinite if either is unknown.
 */
double pcie_slot_Bps(const char *speed, double lanes);

/* The bandwidth that a device promises, and the comparison with the measured one. */
struct promise {
	char text[160];			/* "the 10 Gbit/s of eth0 in frames of 1500 B"; "": none */
	/* promised bandwidth of message content in one direction; 0 without a promise */
	double Bps;
	/* smallest share of the promise that is required; 0: the share is not judged */
	double least_share;
	bool asked;			/* the user set the share; false: it is the default */
	/* promise_judge() sets the following two members. */
	/* the measured bandwidth that is compared with the promise; NULL: none */
	const struct figure *shared;
	/* the verdict on the share; JUDGED_UNCLEAR if `shared` is NULL */
	enum judgement judged;
};

/*
 * Returns the promise of the device that carries the messages of rank 0. Reads it from a record's
 * environment. There is no promise if the device is not known.
 */
struct promise read_promise(const json_t *environment);

/* The reason why the share of a link is not known. */
extern const char promise_no_link[];

/*
 * Compares the measured bandwidth with least_share of the promise, and adds a finding that decides
 * the exit status. Adds no finding if the share is not judged.
 */
void promise_judge(struct promise *p, const struct figures *measured, struct findings *found);

#endif
