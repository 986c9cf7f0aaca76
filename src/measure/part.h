/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This rank's part in a spec: a round of its pattern, or what it plays by messages; built, and done
 * once between two readings of the clock.
 */
#ifndef NETBENCH_MEASURE_PART_H
#define NETBENCH_MEASURE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/verify/each.h"
#include "transport/xfer.h"

struct program;
struct plan;
struct session;
struct spec;

/*
 * How long the rounds of a spec take on all ranks, s, for the watchdog: an iteration, and what is
 * around them. Zeroed where another spec begins.
 */
struct pace {
	uint64_t count;			/* iterations of the longest rounds so far; 0: none yet */
	double iteration_s, around_s[2];	/* of the last such round, and the one before */
	uint64_t last_count;		/* iterations of the last round, and their time */
	double last_s;
};

struct part {
	void **bufs;
	int nbufs;
	int *drawn;                     /* room for a list of the job's ranks,
		where specs draw them; else NULL */
	struct round round, single;	/* single: each transfer of round once, for verification */
	struct each each;		/* messages of round, if it lists each of them */
	bool timed;			/* which are verified within the time */
	const struct program *program;	/* NULL: a round */
	void *state;			/* what program->open has made */
	bool spaced;                    /* the round is done by message operations,
		with pause_s between messages */
	double pause_s;
	double *stamps;			/* of single iterations, rank 0 */
	uint64_t room_stamps;
	/* the round is one of those whose single iterations count */
	bool observed;
	uint64_t start;			/* of the last round, clock_count */
	struct pace pace;
	uint64_t size;			/* bytes of a message */
	double guess_s;			/* of an iteration whose pace is not known */
	int peer;			/* the only rank that the round has to do with, or -1 */
	/* a peer is lost (CAP_LOSS): rounds are left out until the caller says false again */
	bool lost;
	double work;			/* by this rank's computing task, during the last round */
	/*
	 * Processor time of the two while they waited for the last round and did it, and how long
	 * that was.
	 */
	double processor_s, around_s;
};

/*
 * Bytes of the endpoint's memory that any rank needs at most for all specs, for messages of `len`
 * bytes at most.
 */
size_t part_heap(const struct plan *p, size_t len);

/*
 * Allocates the buffers that this rank needs for all specs. *timed says whether its clock counts in
 * any of them. ST_OK, or ST_FAILED (reported).
 */
int part_open(struct session *s, size_t len, bool *timed);
void part_close(struct session *s);

/* Builds this rank's part in a spec; aborts the job without memory. */
void part_build(struct session *s, const struct spec *spec, uint64_t loops);

/* Room for a stamp per iteration, on rank 0 or on each, touched before the clock runs. */
void part_make_stamps(struct session *s, uint64_t loops, bool each);

/* Tells this rank's watchdog that so many iterations begin. */
void part_begin(struct session *s, uint64_t count);

/*
 * Does it, after all ranks have come here; returns its time, s. With `late_s` they start as --sync
 * says, and the time counts from the common start. Aborts the job if a transfer fails, unless a
 * peer is lost: part->lost.
 */
double part_run(struct session *s, double *late_s);

#endif
