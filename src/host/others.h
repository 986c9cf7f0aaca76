/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU time that others use of this machine during a run. Rank 0. */
#ifndef NETBENCH_HOST_OTHERS_H
#define NETBENCH_HOST_OTHERS_H

/* What the machine had worked at a moment. */
struct cpu_usage {
	double busy_s, wall_s;
};

/* Reads it: before the run. */
void others_start(struct cpu_usage *u);

/*
 * How many cores others (and the hypervisor: steal) have kept busy since. These are the CPU seconds
 * beyond own_cpu_s, those of netbench's own ranks, divided by the wall time. Kernel work for
 * netbench that the kernel charges to nobody (interrupts) counts as others'. Negative if /proc does
 * not tell.
 */
double others_cores(const struct cpu_usage *start, double own_cpu_s);

#endif
