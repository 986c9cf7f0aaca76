/* SPDX-License-Identifier: Apache-2.0 */
#include "job/job.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "net/claim.h"
#include "net/handshake.h"

static const struct job_kind *const kinds[] = { &job_fork, &job_sim, &job_join };

const char *const job_names[] = { "fork", "mpi", "join", "sim", NULL };

/*
 * Launchers, and the environment variables that they set for each process. The most specific
 * launcher comes first. Processes started by an MPI's launcher can find each other only through
 * that MPI's library. Within Slurm, launchers of MPICH and its relatives use srun to start a proxy
 * on each host, so their ranks also have srun's variables.
 */
static const struct launcher {
	const char *by, *kind, *mpi, *rank, *size, *local;
	const char *witness;	/* this VARIABLE or VARIABLE=value must be set too; may be NULL */
	/* true: if the launcher starts only one process, that process may itself start ranks */
	bool step;
} launchers[] = {
	{ "mpirun of Open MPI", "mpi", "openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
	  "OMPI_COMM_WORLD_LOCAL_RANK", NULL, false },
	{ "a launcher of PALS", "mpi", "mpich", "PMI_RANK", "PMI_SIZE", "PALS_LOCAL_RANKID",
	  "PALS_RANKID", false },
	{ "mpirun of Intel MPI", "mpi", "mpich", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
	  "I_MPI_HYDRA_UUID", false },
	{ "mpirun of MPICH", "mpi", "mpich", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
	  "MPI_LOCALRANKID", false },
	{ "mpirun_rsh of MVAPICH", "mpi", "mpich", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE",
	  "MV2_COMM_WORLD_LOCAL_RANK", NULL, false },
	{ "srun --mpi=pmix", "mpi", "openmpi", "PMIX_RANK", "SLURM_STEP_NUM_TASKS",
	  "SLURM_LOCALID", NULL, true },
	{ "srun --mpi=pmi2", "mpi", "mpich", "PMI_RANK", "PMI_SIZE", "SLURM_LOCALID",
	  "SLURM_PROCID", true },
	{ "srun --mpi=cray_shasta", "mpi", "mpich", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
	  "SLURM_LOCALID", "SLURM_MPI_TYPE=cray_shasta", true },
	{ "a launcher that sets PMI_RANK", "mpi", "mpich", "PMI_RANK", "PMI_SIZE",
	  "PMI_LOCAL_RANK", NULL, true },
	{ "srun", "join", NULL, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL,
	  true },
};

const struct job_kind *job_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

/* Returns the whole number in an environment variable; -1 if there is none. */
static int variable_number(const char *variable)
{
	const char *text = getenv(variable), *end = text;
	uint64_t value;

	if (!text || scan_whole(&end, false, &value) || *end || value > 1 << 24)
		return -1;
	return (int)value;
}

/* Returns true if `witness` is NULL, or if the environment has this VARIABLE or VARIABLE=value. */
static bool is_set(const char *witness)
{
	size_t len = witness ? strlen(witness) : 0;

	for (char **e = environ; witness && *e; e++)
		if (!strncmp(*e, witness, len) && (*e)[len] == (strchr(witness, '=') ? '\0' : '='))
			return true;
	return !witness;
}

struct launch job_launch(const char *kind)
{
	struct launch none = { .rank = -1, .local = -1 };

	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const struct launcher *l = &launchers[i];
		int rank = variable_number(l->rank), size = variable_number(l->size);

		if (rank < 0 || size <= rank || !is_set(l->witness) ||
		    (kind && strcmp(l->kind, kind) != 0))
			continue;
		if (!(l->step && size == 1))
			return (struct launch){ .by = l->by, .kind = l->kind, .mpi = l->mpi,
						.rank = rank, .size = size,
						.local = variable_number(l->local) };
		none.mpi = none.mpi ? none.mpi : l->mpi;
	}
	return none;
}

int job_key(struct job *job, const char *purpose, unsigned char key[JOB_KEY])
{
	unsigned char nonce[JOB_KEY];

	if (handshake_init())
		return ST_FAILED;
	if (job->rank == 0)
		randombytes_buf(nonce, sizeof(nonce));
	job->kind->bcast(job, nonce, sizeof(nonce));
	if (job->kind->key)
		job->kind->key(job, purpose, nonce, key);
	else
		memcpy(key, nonce, sizeof(nonce));
	return ST_OK;
}

const void *job_gather(struct job *job, const void *mine, size_t len)
{
	const void *all = job->kind->allgather(job, mine, len);

	return job->rank ? NULL : all;
}

int job_run_number(struct job *job, uint64_t *number)
{
	unsigned char key[JOB_KEY];
	int err = job_key(job, "number of the run", key);

	if (!err)
		memcpy(number, key, sizeof(*number));
	return err;
}

bool job_accepts_claim(const struct job *job, uint64_t *strangers, const struct claim *c,
		const struct expected *x)
{
	const char *why = claim_fault(c, x);

	if (why && !(*strangers)++)
		error_note("rank %d refused a message that is not of this run: %s", job->rank, why);
	return !why;
}
