/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines the pace of a farm for which the formula is only a bound. Runs netbench's simulation
 * with the parameters of a measured network.
 */
#ifndef NETBENCH_CMD_REPORT_FARM_PACE_H
#define NETBENCH_CMD_REPORT_FARM_PACE_H

#include <stdint.h>

struct farm_question {
	const char *result;	/* file of a measured result with LogGP parameters */
	const char *benchmark;	/* number of the benchmark, "2.1" or "2.2" */
	uint64_t size;		/* bytes of a packet */
	double occupation;	/* time for which a receiver computes after each packet, s */
	uint64_t sources, destinations, credits;
};

/*
 * Simulates a short and a long run. In their difference the times to fill and to empty the farm
 * cancel. Returns events per second, or NaN if a simulation failed.
 */
double simulated_farm_pace(const struct farm_question *q);

#endif
