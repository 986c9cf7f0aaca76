/* SPDX-License-Identifier: Apache-2.0 */
#include "job/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "job/local.h"

/* Data that all ranks share. */
struct world {
	struct fibers *fibers;
	struct sim_job *ranks;
	int size,
	    arrived;			/* number of ranks that have entered the barrier */
	struct area {
		unsigned char *bytes;
		size_t room;
	} area[2];			/* data of the two latest collectives */
	unsigned turn;			/* index of the area that is used next */
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

/*
 * The rank that arrives last sets the clocks of all ranks to the latest one. So a barrier takes no
 * time besides waiting.
 */
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

__attribute__((noreturn)) static void abort_job(struct job *job, int status)
{
	fibers_exit(job_sim_fibers(job), status);
}

/*
 * Copies `len` bytes of this rank to offset `at` of an area of `room` bytes, and waits for all
 * ranks. Returns the area. There are two areas, used alternately: a rank may begin the next
 * collective while others still read the data of this one.
 */
static unsigned char *exchange_in_area(struct job *job, const void *mine, size_t at, size_t len,
				       size_t room)
{
	struct world *w = ((struct sim_job *)job)->world;
	struct area *a = &w->area[w->turn];

	if (a->room < room) {
		free(a->bytes);
		a->bytes = malloc(room);
		a->room = a->bytes ? room : 0;
		if (!a->bytes)
			abort_job(job, error_report("no memory for %zu bytes of %d simulated ranks",
						    room, w->size));
	}
	if (len)
		memcpy(a->bytes + at, mine, len);
	if (w->arrived + 1 == w->size)
		w->turn ^= 1;
	barrier(job);
	return a->bytes;
}

/* Hook `allgather`, see job.h. */
static const void *allgather(struct job *job, const void *mine, size_t len)
{
	return exchange_in_area(job, mine, (size_t)job->rank * len, len, (size_t)job->size * len);
}

/* Hook `bcast`, see job.h. */
static void bcast(struct job *job, void *data, size_t len)
{
	const void *from = exchange_in_area(job, data, 0, job->rank ? 0 : len, len);

	if (job->rank)
		memcpy(data, from, len);
}

/* Runs the body on rank i, and keeps the first exit status that is not 0. */
static void rank_main(int i, void *arg)
{
	struct world *w = arg;
	int status = w->body(&w->ranks[i].job, w->arg);

	w->status = w->status ? w->status : status;
}

/* Hook `run`, see job.h. */
static int run(const void *options, struct launch *l, int size, int cpus,
	       int (*body)(struct job *, void *), void *arg)
{
	struct world w = { .fibers = fibers_new(size), .size = size, .body = body, .arg = arg,
			   .ranks = calloc((size_t)size, sizeof(*w.ranks)),
			   .stop = job_take_signals() };
	int err;

	for (int r = 0; r < size && w.ranks; r++)
		w.ranks[r] = (struct sim_job){
			.job = { .kind = &job_sim, .rank = r, .size = size, .local_rank = r,
				 .local_size = size, .cpus = size, .stop = w.stop },
			.world = &w,
		};
	if (!w.fibers || !w.ranks) {
		err = error_report("no memory for %d simulated ranks", size);
	} else {
		err = fibers_run(w.fibers, rank_main, &w);
		if (err < 0)
			err = error_report("deadlock in virtual time: every rank waits for "
					   "another");
		err = atomic_load(w.stop) ? 128 + atomic_load(w.stop) : err ? err : w.status;
	}
	fibers_free(w.fibers);
	free(w.ranks);
	free(w.area[0].bytes);
	free(w.area[1].bytes);
	return err;
}

const struct job_kind job_sim = {
	.name = "sim", .summary = "fibers of one process in virtual time",
	.backend = "sim", .max_ranks = JOB_SIM_RANKS,
	.run = run, .barrier = barrier, .gather = job_gather, .bcast = bcast,
	.allgather = allgather, .abort = abort_job,
};
