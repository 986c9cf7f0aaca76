/* SPDX-License-Identifier: Apache-2.0 */
/* Job `sim`: all ranks are fibers of one process under a virtual clock in nanoseconds. */
#ifndef NETBENCH_JOB_SIM_H
#define NETBENCH_JOB_SIM_H

#include "job/job.h"
#include "job/fibers.h"

/* Largest number of ranks; memory may allow fewer. */
#define JOB_SIM_RANKS 1000000

/*
 * job_sim_fibers returns the fibers of this job; their numbers are the ranks. job_sim_shared
 * returns the address of one pointer that the ranks share: the backend's network, made by the first
 * rank that needs it. Only for jobs of kind job_sim.
 */
struct fibers *job_sim_fibers(struct job *job);
void **job_sim_shared(struct job *job);

#endif
