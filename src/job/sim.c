/* SPDX-License-Identifier: Apache-2.0 */
#include "job/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "job/local.h"

/* What the ranks share. */
struct world {
	struct fibers *fibers;
	struct sim_job *ranks;
	int size, arrived;
	unsigned area;
	unsigned char *gather[2];
	void *shared;
	int (*body)(struct job *job, void *arg);
	void *arg;
	atomic_int *stop;
	int status;
};

struct sim_job {
	struct job job;
	struct world *world;
};

struct fibers *job_sim_fibers(struct job *job)
{
	return ((struct sim_job *)job)->world->fibers;
}

void **job_sim_shared(struct job *job)
{
	return &((struct sim_job *)job)->world->shared;
}

/* The last to arrive sets all clocks to the latest of them: a barrier costs nothing but waiting. */
static void barrier(struct job *job)
{
	struct world *w = ((struct sim_job *)job)->world;
	double latest = 0;

	if (++w->arrived < w->size) {
		fibers_block(w->fibers, FIBERS_NEVER);
		return;
	}
	w->arrived = 0;
	for (int r = 0; r < w->size; r++)
		if (*fibers_clock(w->fibers, r) > latest)
			latest = *fibers_clock(w->fibers, r);
	for (int r = 0; r < w->size; r++) {
		*fibers_clock(w->fibers, r) = latest;
		if (r != job->rank)
			fibers_wake(w->fibers, r, latest);
	}
}

/*
 * Two areas by turns, as with processes; the turn is the world's, and changes when the last rank
 * has arrived, so all of one gathering use the same.
 */
static const void *allgather(struct job *job, const void *mine, size_t len)
{
	struct world *w = ((struct sim_job *)job)->world;
	unsigned char *area = w->gather[w->area];

	memcpy(area + (size_t)job->rank * len, mine, len);
	if (w->arrived + 1 == w->size)
		w->area ^= 1;
	barrier(job);
	return area;
}

__attribute__((noreturn)) static void abort_job(struct job *job, int status)
{
	fibers_exit(job_sim_fibers(job), status);
}

static void rank_main(int i, void *arg)
{
	struct world *w = arg;
	int status = w->body(&w->ranks[i].job, w->arg);

	if (status && !w->status)
		w->status = status;
}

static int world_open(struct world *w, int size)
{
	w->size = size;
	w->fibers = fibers_new(size);
	w->ranks = calloc((size_t)size, sizeof(*w->ranks));
	w->gather[0] = malloc((size_t)size * JOB_GATHER_MAX);
	w->gather[1] = malloc((size_t)size * JOB_GATHER_MAX);
	if (!w->fibers || !w->ranks || !w->gather[0] || !w->gather[1])
		return error_report("no memory for %d simulated ranks", size);
	for (int r = 0; r < size; r++)
		w->ranks[r] = (struct sim_job){
			.job = { .kind = &job_sim, .rank = r, .size = size, .local_rank = r,
				 .local_size = size, .cpus = size, .stop = w->stop },
			.world = w,
		};
	return ST_OK;
}

static void world_close(struct world *w)
{
	fibers_free(w->fibers);
	free(w->ranks);
	free(w->gather[0]);
	free(w->gather[1]);
}

static int run(const void *options, struct launch *l, int size, int cpus,
	       int (*body)(struct job *, void *), void *arg)
{
	struct world w = { .body = body, .arg = arg, .stop = job_take_signals() };
	int err = world_open(&w, size);

	(void)options;
	(void)l;
	(void)cpus;
	if (!err) {
		err = fibers_run(w.fibers, rank_main, &w);
		if (err < 0)
			err = error_report("deadlock in virtual time: every rank waits for another");
		if (!err)
			err = w.status;
		if (atomic_load(w.stop))
			err = 128 + atomic_load(w.stop);
	}
	world_close(&w);
	return err;
}

const struct job_kind job_sim = {
	.name = "sim",
	.summary = "fibers of one process in virtual time",
	.backend = "sim",
	.max_ranks = 16384,
	.run = run,
	.barrier = barrier,
	.allgather = allgather,
	.abort = abort_job,
};
