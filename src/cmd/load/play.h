/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays one rank's role in an epoch of `load`: an asking victim, an answering victim or an
 * aggressor. It uses message operations only. The clock ends an epoch. Then each aggressor sends
 * one last, marked message to each of its receivers, and all ranks receive what is still in flight.
 */
#ifndef NETBENCH_CMD_LOAD_PLAY_H
#define NETBENCH_CMD_LOAD_PLAY_H

#include "cmd/load/cast.h"
#include "measure/plan/pattern.h"

/* Share of an epoch, at its start, in which the load settles. This part is not counted. */
#define LOAD_SETTLES 0.1

/*
 * Shortest messages, B. A victim's message holds the number of the event. An aggressor's message
 * holds a number and the sender's rank.
 */
#define LOAD_VICTIM_LEAST 8
#define LOAD_AGGRESSOR_LEAST 16

/* Largest number of events that a victim stores in an epoch. */
#define LOAD_MOST_EVENTS (1 << 18)

/* Limit of messages that a paced aggressor has in flight. */
#define LOAD_PACED 64

/* Arguments of the program, the same on all ranks. */
struct load_args {
	const struct cast *cast;	/* roles; NULL while only buffers are counted */
	enum load_victim victim;
	unsigned patterns;		/* set of patterns: a bit for each enum load_aggressor */
	size_t victim_size, aggressor_size;
	uint32_t victim_window;		/* bandwidth: number of messages before a reply */
	uint32_t window;		/* limit of messages that an aggressor has in flight */
	double rate;			/* events per second of each victim; 0: closed loop */
	uint32_t outstanding;		/* open loop: limit of events in flight */
	bool victims_periodic, aggressors_periodic;
	double epoch_s;
	uint64_t seed;
};

/* What happens in an epoch. */
struct load_epoch {
	uint64_t number; /* number of the epoch, part of the seed of the drawn times */
	bool victims, aggressors;	/* whether victims and aggressors take part */
	/* mean time between messages of an aggressor, s; 0: closed loop */
	double gap_s;
};

/* The outcome of an epoch on one rank. The rank is an asking victim or a receiving aggressor. */
struct load_outcome {
	double bytes, counted_s; /* bytes received in the counted part; length of that part, s */
	/*
	 * Number of events that were due in the counted part, and number of events that ended in
	 * this part.
	 */
	uint64_t due, ended;
	uint64_t unanswered, late_sends, backlog_most;
	uint64_t checked, errors;
	double late_s;			/* longest delay of an aggressor's send, s */
};

struct series;

/* Sets what happens in the next epoch. Call it on every rank before part_run. */
void load_set_epoch(void *state, const struct load_epoch *epoch);

/*
 * Call it after part_run. Sets *did to the outcome of this rank. An asking victim appends the times
 * of its events, s, to `latency` and `service`. `latency` counts from the time at which an event
 * was due, `service` from its real send. Returns 0, or -1 without memory.
 */
int load_collect(void *state, struct load_outcome *did, struct series *latency,
		 struct series *service);

/*
 * Completes the receives that are still posted: ranks send each other messages for them. Call it
 * when all ranks have ended the epoch. Returns ST_OK or ST_FAILED.
 */
int load_complete_receives(void *state);

extern const struct pattern pattern_load;

#endif
