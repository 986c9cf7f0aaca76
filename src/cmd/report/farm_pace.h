/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pace of a farm whose formula is only a bound. This program simulates it on a network that is
 * like a measured one.
 */
#ifndef NETBENCH_CMD_REPORT_FARM_PACE_H
#define NETBENCH_CMD_REPORT_FARM_PACE_H

#include <stdint.h>

struct farm_question {
	const char *result;	/* file of a measured result with LogGP parameters */
	const char *benchmark;	/* "2.1" or "2.2" */
	uint64_t size;		/* bytes of a packet */
	double occupation;	/* seconds */
	uint64_t sources, destinations, credits;
};

/*
 * Simulates two lengths of a run, so that filling and emptying the farm cancels. Returns events a
 * second, or NaN if a simulation failed.
 */
double simulated_farm_pace(const struct farm_question *q);

#endif
