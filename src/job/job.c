/* SPDX-License-Identifier: Apache-2.0 */
#include "job/job.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "net/handshake.h"

static const struct job_kind *const kinds[] = { &job_fork, &job_sim, &job_join };

const char *const job_names[] = { "fork", "mpi", "join", "sim", NULL };

/* Launchers by the variables that they set for each process, the most particular first. */
static const struct {
	const char *by, *kind, *rank, *size;
} launchers[] = {
	{ "mpirun", "mpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
	{ "srun --mpi=pmix", "mpi", "PMIX_RANK", "SLURM_STEP_NUM_TASKS" },
	{ "srun", "join", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" },
	{ "a launcher of MPICH's kind (PMI_RANK)", NULL, "PMI_RANK", "PMI_SIZE" },
};

const struct job_kind *job_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

/* A variable's whole number, -1 if it has none. */
static int number_in(const char *variable)
{
	const char *text = getenv(variable), *end = text;
	uint64_t value;

	if (!text || scan_whole(&end, false, &value) || *end || value > 1 << 24)
		return -1;
	return (int)value;
}

struct launch job_launch(void)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		int rank = number_in(launchers[i].rank), size = number_in(launchers[i].size);
		bool alone = size == 1 && strcmp(launchers[i].by, "mpirun") != 0;

		/* one process that srun has started may well make ranks of its own */
		if (rank >= 0 && size > rank && !alone)
			return (struct launch){ .by = launchers[i].by, .kind = launchers[i].kind,
						.rank = rank, .size = size };
	}
	return (struct launch){ .rank = -1 };
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
