/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the CPU time that other processes use on this machine during a run. Called on rank 0. */
#ifndef NETBENCH_HOST_OTHERS_H
#define NETBENCH_HOST_OTHERS_H

/* The CPU time used by this machine up to one moment, and that moment. */
struct cpu_usage {
	double busy_s,	/* CPU seconds of all processes since boot; negative if unknown */
	       wall_s;	/* the moment: a value of clock_wall */
};

/* Reads the CPU time. Call it before the run. */
void cpu_usage_start(struct cpu_usage *u);

/*
 * Returns how many cores other processes and the hypervisor (steal) have kept busy since `start`.
 * This number is the machine's CPU seconds minus own_cpu_s, divided by the elapsed time. own_cpu_s
 * is the CPU time of netbench's own ranks. Interrupts belong to no process, so they count as other
 * processes even if netbench causes them. Returns a negative number if /proc has no CPU times.
 */
double cpu_usage_by_others(const struct cpu_usage *start, double own_cpu_s);

#endif
