/* SPDX-License-Identifier: Apache-2.0 */
/* Job `sim`: all ranks are fibers of one process under a virtual clock in nanoseconds. */
#ifndef NETBENCH_JOB_SIM_H
#define NETBENCH_JOB_SIM_H

#include "job/job.h"
#include "job/fibers.h"

/* Largest number of ranks; memory may allow fewer. */
#define JOB_SIM_RANKS 1000000

/*
 * Call these functions only for jobs of kind job_sim. job_sim_fibers returns the fibers of the job;
 * fiber i is rank i. job_sim_shared returns the address of a pointer that all ranks share. The
 * backend stores its network there; the first rank that needs the network creates it.
 */
struct fibers *job_sim_fibers(struct job *job);
void **job_sim_shared(struct job *job);

#endif
