/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes part. A job gives each rank its number and three collective services, which
 * are never the thing measured. Kinds: fork (processes on this machine), sim (fibers in virtual time).
 */
#ifndef NETBENCH_JOB_H
#define NETBENCH_JOB_H

#include <stdatomic.h>
#include <stddef.h>

struct job;

/* Longest contribution to an allgather, bytes. */
#define JOB_GATHER_MAX 8192

/* A kind of job. */
struct job_kind {
	const char *name, *summary;
	int max_ranks;

	/*
	 * Runs body(job, arg) once on each of `size` ranks, of which those on this host share `cpus` CPUs, and
	 * returns the exit status of the
	 * whole: 0 if every rank returned 0, else the first other status; 128 + signal if it was
	 * interrupted. A rank that dies is named on stderr and ends the others within a second.
	 * Called once, on the process that the user started.
	 */
	int (*run)(int size, int cpus, int (*body)(struct job *job, void *arg), void *arg);

	/* Returns when all ranks have called it. Collective. */
	void (*barrier)(struct job *job);

	/*
	 * Returns every rank's `len` bytes (the same len <= JOB_GATHER_MAX everywhere), in rank
	 * order without padding, in memory of the job that is valid until the next call. Collective.
	 */
	const void *(*allgather)(struct job *job, const void *mine, size_t len);

	/* Ends the whole job with this status, from any rank at any time. What failed was said before. */
	void (*abort)(struct job *job, int status) __attribute__((noreturn));
};

/* One rank's view of its job; embedded first in the kind's own struct. */
struct job {
	const struct job_kind *kind;
	int rank, size;
	int local_rank, local_size;	/* among the ranks on this host */
	int cpus;			/* that the ranks on this host may use together */
	const atomic_int *stop;		/* 0, or the signal by which the user wants the run to end */
};

/* The signal that asks this run to end, or 0. */
static inline int job_stop(const struct job *job)
{
	return atomic_load_explicit(job->stop, memory_order_relaxed);
}

extern const struct job_kind job_fork, job_sim;

/* The kinds by name, for --job: NULL-terminated names, and the kind itself (NULL: unknown). */
extern const char *const job_names[];
const struct job_kind *job_find(const char *name);

#endif
