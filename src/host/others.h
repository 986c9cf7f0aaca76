/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time that other processes use on this machine during a run. Called on rank 0. */
#ifndef NETBENCH_HOST_OTHERS_H
#define NETBENCH_HOST_OTHERS_H

/* CPU time that the machine had used, and the time of day, at one moment. */
struct cpu_usage {
	/* CPU seconds of all processes since boot, negative if unknown; and clock_wall */
	double busy_s, wall_s;
};

/* Reads the CPU time. Call it before the run. */
void cpu_usage_start(struct cpu_usage *u);

/*
 * Returns how many cores others, including the hypervisor (steal), have kept busy since `start`.
 * That is the CPU seconds beyond own_cpu_s, those of netbench's own ranks, divided by the wall
 * time. Kernel work for netbench that the kernel charges to no process (interrupts) counts as
 * others'. Returns a negative number if /proc does not tell.
 */
double cpu_usage_by_others(const struct cpu_usage *start, double own_cpu_s);

#endif
