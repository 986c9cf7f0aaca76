/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs. A job gives each rank its number and a few collective services. These services are never
 * what is measured. All ranks call them in the same order.
 *
 * In some kinds of job netbench starts the ranks itself: fork (processes on this machine) and sim
 * (fibers in virtual time). In other kinds others have started the ranks, each with its own command
 * line, and this process is one of them. These are mpi (mpirun, srun with PMIx or PMI2) and join
 * (by hand on several hosts, or plain srun).
 */
#ifndef NETBENCH_JOB_JOB_H
#define NETBENCH_JOB_JOB_H

#include <stdatomic.h>

#include "base/facts.h"
#include "options/arguments.h"

struct job;

#define JOB_KEY 32	/* bytes */

/* Largest contribution to a gather or allgather, and largest broadcast, in bytes. */
#define JOB_GATHER_MAX 8192

/* How this process became part of a job that others have started. */
struct launch {
	/* the launcher: "mpirun", "srun", ...; NULL: the user started this process alone */
	const char *by;
	const char *kind;	/* kind of job that the launcher makes; NULL: none */
	const char *mpi;	/* the MPI of the launcher; NULL: any MPI */
	int rank, size;		/* -1 and 0 if not known yet */
	int local;		/* number of this rank among those of its host, -1 if not known */
	/*
	 * For the watchdog, which watches the run from the first moment of the ranks. Set before
	 * run.
	 */
	const char *command;	/* name of the command; NULL: no watchdog */
	double stall_s;		/* value of --stall; 0: no limit */
	double limit_s;		/* value of --time-limit; 0: no limit */
	void *own;		/* data of the kind of job, from its enter to its leave */
};

/*
 * Finds what launched this process, by the environment variables that launchers set. If `kind` is
 * not NULL, only launchers that make this kind of job count.
 */
struct launch job_launch(const char *kind);

/* A kind of job. */
struct job_kind {
	const char *name, *summary;
	/* name of the backend that is used if the user asks for none */
	const char *backend;
	int max_ranks;
	bool outlives_ranks;		/* continues without a lost rank if job->outlives is set */
	/* The kind's own options, may be NULL, and the size of the struct for their values. */
	const struct opt *options;
	size_t options_size;

	/*
	 * For jobs whose ranks others start; NULL for other jobs. Called when the options are
	 * parsed and before anything is planned. Sets l->rank and l->size as far as they can be
	 * known. If this rank takes its options from another rank, sets *argc and *argv to that
	 * rank's command line, without the program. They are valid until leave. Returns ST_OK or an
	 * exit status.
	 */
	int (*enter)(const void *options, struct launch *l, int *argc, char ***argv);

	/* Frees l->own. Called after run, or instead of it. May be NULL. */
	void (*leave)(struct launch *l);

	/*
	 * Called after enter. Runs body(job, arg) once on each of `size` ranks that netbench
	 * starts; those on this host share `cpus` CPUs. If others have started the ranks, runs body
	 * on the one rank of this process.
	 *
	 * Returns the exit status of the whole job: 0 if every rank returned 0, otherwise the first
	 * other status; 128 + signal if it was interrupted. If a rank dies, stderr names it, and
	 * the other ranks end. That takes less than a second on one machine, and less than 10 s if
	 * a host no longer answers.
	 */
	int (*run)(const void *options, struct launch *l, int size, int cpus,
		   int (*body)(struct job *job, void *arg), void *arg);

	/* Returns when all ranks have called it. Collective. */
	void (*barrier)(struct job *job);

	/*
	 * Gathers `len` bytes of every rank (the same len <= JOB_GATHER_MAX everywhere). Returns
	 * them on rank 0, in rank order without padding; returns NULL on other ranks. The memory
	 * belongs to the job and is valid until rank 0's next call of gather, bcast or allgather.
	 * The meaning of the bytes may differ from rank to rank. Time, memory and traffic grow with
	 * the number of ranks. Collective.
	 */
	const void *(*gather)(struct job *job, const void *mine, size_t len);

	/*
	 * Copies rank 0's `len` bytes (the same len <= JOB_GATHER_MAX everywhere) from its `data`
	 * to `data` on each other rank. Costs grow as for gather. Collective.
	 */
	void (*bcast)(struct job *job, void *data, size_t len);

	/*
	 * Like gather, but returns all bytes on every rank. Costs grow with the square of the
	 * number of ranks: call it when the job starts, never during a measurement. Collective.
	 */
	const void *(*allgather)(struct job *job, const void *mine, size_t len);

	/*
	 * For job_key, in jobs whose broadcasts strangers may read. All ranks have the nonce that
	 * rank 0 broadcast. This function makes from it a key that only ranks of this job can make.
	 * NULL: the broadcast nonce itself is such a key. Not collective.
	 */
	void (*key)(struct job *job, const char *purpose, const unsigned char nonce[JOB_KEY],
		    unsigned char key[JOB_KEY]);

	/*
	 * Ends the whole job with this status. Any rank may call it at any time, after it has
	 * reported a fault.
	 */
	void (*abort)(struct job *job, int status) __attribute__((noreturn));

	/* Writes facts about the job to the record; may be NULL. */
	void (*describe)(struct job *job, struct facts *f);
};

/* One rank's view of its job. First member of the kind's own struct. */
struct job {
	const struct job_kind *kind;
	int rank, size;
	/*
	 * Number of this rank among those on this machine, number of those ranks, and number of
	 * CPUs they share. job_locate may set them.
	 */
	int local_rank, local_size, cpus;
	atomic_int *stop;	/* 0, or the user's signal to end the run */
	/* what this rank reports to its watchdog (watchdog.h); NULL: nothing */
	struct doing *doing;
	/* files to remove if this rank is killed (leavings.h); NULL: none */
	struct leavings *leavings;
	/*
	 * True: the run continues without connections that are lost, if the backend can. It also
	 * continues without lost ranks other than 0, if the kind of job can; gathers then contain
	 * zeros for these ranks. Set it before the endpoint is opened.
	 */
	atomic_bool outlives;
	/*
	 * On rank 0 of a job to which others may connect: number of refused connections. Otherwise
	 * NULL.
	 */
	const atomic_uint *strangers;
};

/*
 * Makes a key that all ranks share, and a different one for each call. The key never crosses a
 * network in clear, nor does other data that would reveal it. One exception: MPI may send the
 * broadcast of job `mpi` in clear. Returns ST_OK or ST_FAILED (reported). Collective.
 */
NETBENCH_EXPORT int job_key(struct job *job, const char *purpose, unsigned char key[JOB_KEY]);

/*
 * Makes a random number that identifies the run. Rank 0 makes it, all ranks get the same, and each
 * call gives another. A backend puts it into the messages of its ranks, and so recognises a
 * stranger's message. It is as secret as a key of job_key. Returns ST_OK or ST_FAILED (reported).
 * Collective.
 */
NETBENCH_EXPORT int job_run_number(struct job *job, uint64_t *number);

/*
 * Returns true if a message that has arrived may be used (net/claim.h). Otherwise it is a
 * stranger's: *strangers counts it, and a note reports the first.
 */
struct claim;
struct expected;
NETBENCH_EXPORT bool job_accepts_claim(const struct job *job, uint64_t *strangers,
				       const struct claim *c, const struct expected *x);

/* Returns the signal that asks this run to end, or 0. */
static inline int job_stop(const struct job *job)
{
	return atomic_load_explicit(job->stop, memory_order_relaxed);
}

extern const struct job_kind job_fork, job_sim, job_join;

/* The hook `gather` for kinds whose allgather is no more expensive. */
const void *job_gather(struct job *job, const void *mine, size_t len);

/*
 * Finds a built-in kind by name; NULL if none exists. The kind that comes with a backend is
 * member `job` of the backend (backend.h).
 */
const struct job_kind *job_find(const char *name);

/* The names of all kinds. Ends with NULL. */
extern const char *const job_names[];

#endif
