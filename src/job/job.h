/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs. A job gives each rank its number and a few collective operations. Benchmarks do not measure
 * these operations. All ranks must call them in the same order.
 *
 * In two kinds of job netbench starts the ranks itself: fork (processes on this machine) and sim
 * (fibers in virtual time). In the other two kinds, others start the ranks, each with its own
 * command line, and this process is one of them. Ranks of mpi are started by mpirun, or by srun
 * with PMIx or PMI2. Ranks of join are started by hand on several hosts, or by plain srun.
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

/* How others have started this process as a rank of a job. */
struct launch {
	/* the launcher: "mpirun", "srun", ...; NULL: the user started this process alone */
	const char *by;
	const char *kind;	/* kind of job that the launcher makes; NULL: none */
	const char *mpi;	/* variant of MPI that the launcher belongs to; NULL: any */
	int rank, size;		/* rank is -1, and size is 0, while they are not known */
	/* number of this rank among the ranks of its host; -1 if not known */
	int local;
	/*
	 * The three members below are for the watchdog, which watches the ranks from their start.
	 * Set them before calling run.
	 */
	const char *command;	/* name of the command; NULL: no watchdog */
	double stall_s;		/* value of --stall; 0: no limit */
	double limit_s;		/* value of --time-limit; 0: no limit */
	void *own;		/* private data of the kind of job, from enter to leave */
};

/*
 * Finds out which launcher started this process, from the environment variables that launchers set.
 * If `kind` is not NULL, considers only launchers for this kind of job.
 */
struct launch job_launch(const char *kind);

/* A kind of job. */
struct job_kind {
	const char *name, *summary;
	/* name of the default backend */
	const char *backend;
	int max_ranks;
	/* true: this kind of job can continue without a lost rank, if job->outlives is set */
	bool outlives_ranks;
	const struct opt *options;	/* this kind's own options; may be NULL */
	size_t options_size;		/* size of the struct for the options' values */

	/*
	 * Makes this process a rank of a job that others have started; NULL for other kinds. Called
	 * after the options are parsed and before anything is planned. Sets l->rank and l->size if
	 * they are known by then. If this rank takes its options from another rank, sets *argc and
	 * *argv to that rank's command line without the program's name, valid until leave. Returns
	 * ST_OK or an exit status.
	 */
	int (*enter)(const void *options, struct launch *l, int *argc, char ***argv);

	/*
	 * Frees l->own. Called after run, or without run if the process fails before. May be NULL.
	 */
	void (*leave)(struct launch *l);

	/*
	 * Called after enter. Runs body(job, arg) once on each of `size` ranks that netbench
	 * starts; the ranks on this host share `cpus` CPUs. If others have started the ranks, runs
	 * body once: on this process, which is one rank.
	 *
	 * Returns the exit status of the whole job: 0 if every rank returned 0, otherwise the first
	 * status that is not 0; 128 + signal if a signal interrupted it. If a rank dies, a message
	 * names it, and the other ranks end. This takes less than a second on one machine, and less
	 * than 10 s if a host no longer answers.
	 */
	int (*run)(const void *options, struct launch *l, int size, int cpus,
		   int (*body)(struct job *job, void *arg), void *arg);

	/* Waits until all ranks have called it. Collective. */
	void (*barrier)(struct job *job);

	/*
	 * Gathers `len` bytes of every rank on rank 0. `len` is at most JOB_GATHER_MAX and equal on
	 * all ranks. Rank 0 gets the bytes in rank order without padding; other ranks get NULL. The
	 * memory belongs to the job, and is valid until rank 0's next gather, bcast or allgather.
	 * The meaning of the bytes may differ between ranks. Time, memory and traffic grow in
	 * proportion to the number of ranks. Collective.
	 */
	const void *(*gather)(struct job *job, const void *mine, size_t len);

	/*
	 * Copies `len` bytes from rank 0's `data` to `data` on each other rank. `len` is at most
	 * JOB_GATHER_MAX and equal on all ranks. Time, memory and traffic grow like those of
	 * gather. Collective.
	 */
	void (*bcast)(struct job *job, void *data, size_t len);

	/*
	 * Like gather, but returns all bytes on every rank. Time, memory and traffic grow with the
	 * square of the number of ranks: call it when the job starts, never during a measurement.
	 * Collective.
	 */
	const void *(*allgather)(struct job *job, const void *mine, size_t len);

	/*
	 * Makes a key from a nonce that rank 0 has broadcast. Only ranks of this job can make the
	 * key, even if strangers have read the broadcast. job_key calls this hook. It is NULL if
	 * strangers cannot read broadcasts; the nonce itself is then the key. Not collective.
	 */
	void (*key)(struct job *job, const char *purpose, const unsigned char nonce[JOB_KEY],
		    unsigned char key[JOB_KEY]);

	/*
	 * Ends the whole job with this status. Any rank may call it at any time. The rank must have
	 * reported a fault before.
	 */
	void (*abort)(struct job *job, int status) __attribute__((noreturn));

	/* Writes facts about the job to the record; may be NULL. */
	void (*describe)(struct job *job, struct facts *f);
};

/* A job as one rank sees it. It is the first member of the struct that the kind of job uses. */
struct job {
	const struct job_kind *kind;
	int rank, size;
	/* job_locate may set these three members */
	int local_rank,		/* number of this rank among the ranks on this machine */
	    local_size,		/* number of ranks on this machine */
	    cpus;		/* number of CPUs that the ranks on this machine share */
	atomic_int *stop;	/* number of the signal with which the user ends the run; 0: none */
	/* where this rank writes what it is doing, for its watchdog (watchdog.h); NULL: nowhere */
	struct doing *doing;
	/* files to remove if this rank is killed (leavings.h); NULL: none */
	struct leavings *leavings;
	/*
	 * If true, the run continues when a connection is lost, if the backend can do so. The run
	 * also continues when a rank other than 0 is lost, if the kind of job can do so. In
	 * gathers, the data of lost ranks is then zeros. Set it before the endpoint is opened.
	 */
	atomic_bool outlives;
	/*
	 * Number of refused connections, on rank 0 of a job that listens for connections; otherwise
	 * NULL.
	 */
	const atomic_uint *strangers;
};

/*
 * Makes a key that all ranks share; each call makes a new one. Neither the key nor data that
 * reveals the key crosses a network unencrypted. The exception is job `mpi`, whose MPI may
 * broadcast the key unencrypted. Returns ST_OK or ST_FAILED (reported). Collective.
 */
NETBENCH_EXPORT int job_key(struct job *job, const char *purpose, unsigned char key[JOB_KEY]);

/*
 * Makes a random number that identifies the run. All ranks get the same number; each call makes a
 * new one. A backend puts the number into its messages, so that it recognises messages of
 * strangers. The number is as secret as a key of job_key. Returns ST_OK or ST_FAILED (reported).
 * Collective.
 */
NETBENCH_EXPORT int job_run_number(struct job *job, uint64_t *number);

/*
 * Returns true if a message that has arrived may be used (net/claim.h). Otherwise it comes from a
 * stranger: increments *strangers, and reports the first such message in a note.
 */
struct claim;
struct expected;
NETBENCH_EXPORT bool job_accepts_claim(const struct job *job, uint64_t *strangers,
				       const struct claim *c, const struct expected *x);

/* Returns the number of the signal that asks this run to end, or 0. */
static inline int job_stop(const struct job *job)
{
	return atomic_load_explicit(job->stop, memory_order_relaxed);
}

extern const struct job_kind job_fork, job_sim, job_join;

/*
 * Implements the hook `gather` by allgather, for kinds of job whose allgather costs no more than a
 * gather.
 */
const void *job_gather(struct job *job, const void *mine, size_t len);

/*
 * Finds a built-in kind of job by name; NULL if there is none. A kind that belongs to a backend is
 * the backend's member `job` (backend.h).
 */
const struct job_kind *job_find(const char *name);

/* The names of all kinds. Ends with NULL. */
extern const char *const job_names[];

#endif
