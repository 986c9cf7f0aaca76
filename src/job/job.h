/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs. A job gives each rank its number and a few collective services, which are never the thing
 * measured. All ranks call them in the same order.
 *
 * Either netbench makes the ranks itself: fork (processes on this machine), sim (fibers in virtual
 * time). Or others have started them, each with its own command line, and this process is one of
 * them. That is mpi (mpirun, srun with PMIx or PMI2) and join (by hand on several hosts, or plain
 * srun).
 */
#ifndef NETBENCH_JOB_JOB_H
#define NETBENCH_JOB_JOB_H

#include <stdatomic.h>

#include "base/facts.h"
#include "options/arguments.h"

struct job;

#define JOB_KEY 32	/* bytes */

/* Longest contribution to a gather or allgather, and longest broadcast, bytes. */
#define JOB_GATHER_MAX 8192

/* How a process came to be part of a job that others have started. */
struct launch {
	const char *by;		/* "mpirun", "srun", ...; NULL: the user alone */
	const char *kind;	/* of job that this is; NULL: none */
	const char *mpi;	/* the MPI that belongs to what launched it; NULL: any */
	int rank, size;		/* -1 and 0 if not known yet */
	int local;		/* which of its host's ranks this is, -1 if not known */
	/* what the watchdog of the run goes by, from the ranks' first moment; set before run */
	const char *command;	/* its name; NULL: nobody watches */
	double stall_s;		/* --stall; 0: none */
	double limit_s;		/* --time-limit; 0: none */
	void *own;		/* the kind's own data, from its enter to its leave */
};

/*
 * What launched this process, by the launchers' own environment variables; of several that speak of
 * this kind of job if one is named.
 */
struct launch job_launch(const char *kind);

/* A kind of job. */
struct job_kind {
	const char *name, *summary;
	const char *backend;		/* that carries the messages if no other is asked for */
	int max_ranks;
	bool outlives_ranks;		/* goes on without a lost rank if job->outlives is set */
	/* Its own options, may be NULL, and the size of the struct for their values. */
	const struct opt *options;
	size_t options_size;

	/*
	 * For jobs whose ranks others start, NULL for the rest. Called once the options are parsed
	 * and before anything is planned: completes l->rank and l->size as far as they can be
	 * known. A rank that takes its options from another yields that one's command line (*argc,
	 * *argv: without the program, valid until leave). ST_OK or an exit status.
	 */
	int (*enter)(const void *options, struct launch *l, int *argc, char ***argv);

	/* Frees l->own, after run or in its place. NULL: nothing. */
	void (*leave)(struct launch *l);

	/*
	 * After enter. Runs body(job, arg) once on each of `size` ranks that netbench starts; those
	 * on this host share `cpus` CPUs. If others start them, runs it on this process's one rank.
	 * Returns the exit status of the whole: 0 if every rank returned 0, else the first other
	 * status; 128 + signal if it was interrupted. If a rank dies, stderr names it and the
	 * others end: within a second on one machine, within 10 s where a host no longer answers.
	 */
	int (*run)(const void *options, struct launch *l, int size, int cpus,
		   int (*body)(struct job *job, void *arg), void *arg);

	/* Returns when all ranks have called it. Collective. */
	void (*barrier)(struct job *job);

	/*
	 * Returns on rank 0 every rank's `len` bytes (the same len <= JOB_GATHER_MAX everywhere),
	 * in rank order without padding; NULL elsewhere. They are in memory of the job, valid until
	 * rank 0's next call of gather, bcast or allgather. What the bytes mean may differ from
	 * rank to rank. Time, memory and traffic grow with the number of ranks. Collective.
	 */
	const void *(*gather)(struct job *job, const void *mine, size_t len);

	/*
	 * Copies rank 0's `len` bytes (the same len <= JOB_GATHER_MAX everywhere) from `data` there
	 * to `data` on each other rank. Grows as gather does. Collective.
	 */
	void (*bcast)(struct job *job, void *data, size_t len);

	/*
	 * As gather, but returns all bytes on every rank. Grows with the square of the number of
	 * ranks: for opening only, never within a measurement. Collective.
	 */
	const void *(*allgather)(struct job *job, const void *mine, size_t len);

	/*
	 * For job_key, where strangers may read a broadcast. All ranks have a nonce of rank 0's;
	 * this makes of it a key that only ranks of this job can make. NULL: the broadcast nonce is
	 * such a key. Not collective.
	 */
	void (*key)(struct job *job, const char *purpose, const unsigned char nonce[JOB_KEY],
		    unsigned char key[JOB_KEY]);

	/* Ends the whole job with this status, from any rank at any time, after a report. */
	void (*abort)(struct job *job, int status) __attribute__((noreturn));

	/* What the record should say about the job; may be NULL. */
	void (*describe)(struct job *job, struct facts *f);
};

/* One rank's view of its job; embedded first in the kind's own struct. */
struct job {
	const struct job_kind *kind;
	int rank, size;
	/* The ranks on this machine, and the CPUs they share; job_locate may set them. */
	int local_rank, local_size, cpus;
	atomic_int *stop;	/* 0, or the user's signal to end the run */
	struct doing *doing;	/* what this rank says to its watcher (watchdog.h); NULL: to none */
	struct leavings *leavings;	/* to remove if it is killed (leavings.h); NULL: none */
	/*
	 * The run outlives connections that are lost, where the backend can, and ranks other than
	 * 0, where the kind of job can: from then on these give zeros to gathers. Set before the
	 * endpoint is opened.
	 */
	atomic_bool outlives;
	/* On rank 0 of a job that others may connect to: how many were refused; else NULL. */
	const atomic_uint *strangers;
};

/*
 * Makes a key that all ranks share, and another each time. It never crosses a network in clear, nor
 * does anything from which it could be made; but MPI may send the broadcast of job `mpi` in clear.
 * ST_OK or ST_FAILED (reported). Collective.
 */
NETBENCH_EXPORT int job_key(struct job *job, const char *purpose, unsigned char key[JOB_KEY]);

/*
 * The run's number: random, made on rank 0, the same on all ranks, another for each call. A backend
 * puts it into what its ranks send each other, and so knows a stranger's message. As secret as a
 * key of job_key. ST_OK or ST_FAILED (reported). Collective.
 */
NETBENCH_EXPORT int job_run_number(struct job *job, uint64_t *number);

/*
 * Whether what has come may be used (net/claim.h). If not, it is a stranger's: *strangers counts
 * it, and a note reports the first.
 */
struct claim;
struct expected;
NETBENCH_EXPORT bool job_admits(const struct job *job, uint64_t *strangers, const struct claim *c,
				const struct expected *x);

/* The signal that asks this run to end, or 0. */
static inline int job_stop(const struct job *job)
{
	return atomic_load_explicit(job->stop, memory_order_relaxed);
}

extern const struct job_kind job_fork, job_sim, job_join;

/* Hook `gather` of a kind whose allgather costs no more. */
const void *job_gather(struct job *job, const void *mine, size_t len);

/* A built-in kind by name, or NULL. One that comes with a backend is its `job` (backend.h). */
const struct job_kind *job_find(const char *name);

/* The names of all kinds, NULL after the last. */
extern const char *const job_names[];

#endif
