/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one rank does in an epoch of `load`, with message operations: it is an asking or answering
 * victim, or an aggressor. The clock ends an epoch. Then each aggressor sends one last, marked
 * message to each of its receivers, and all ranks receive what is still in flight.
 */
#ifndef NETBENCH_CMD_LOAD_PLAY_H
#define NETBENCH_CMD_LOAD_PLAY_H

#include "cmd/load/cast.h"
#include "measure/plan/pattern.h"

/* First share of an epoch, while the load settles. It is not counted. */
#define LOAD_SETTLES 0.1

/*
 * Shortest messages. A victim's has the number of the event; an aggressor's has the sender's rank
 * too.
 */
#define LOAD_VICTIM_LEAST 8
#define LOAD_AGGRESSOR_LEAST 16

/* Most events that a victim keeps in an epoch. */
#define LOAD_MOST_EVENTS (1 << 18)

/* Most messages that a paced aggressor has in flight. */
#define LOAD_PACED 64

/* Arguments of the program, the same on all ranks. */
struct load_args {
	const struct cast *cast;	/* NULL while only buffers are counted */
	enum load_victim victim;
	unsigned patterns;		/* set of patterns: a bit for each enum load_aggressor */
	size_t victim_size, aggressor_size;
	uint32_t victim_window;		/* bandwidth: messages before a reply */
	uint32_t window;		/* messages that an aggressor has in flight */
	double rate;			/* events per second of a victim; 0: closed loop */
	uint32_t outstanding;		/* open loop: most events in flight */
	bool victims_periodic, aggressors_periodic;
	double epoch_s;
	uint64_t seed;
};

/* What happens in an epoch. */
struct load_epoch {
	uint64_t number;		/* part of the seed of the drawn times */
	bool victims, aggressors;	/* which of the two take part */
	/* mean time between messages of an aggressor, s; 0: closed loop */
	double gap_s;
};

/* What a rank did in an epoch: an asking victim, or a receiving aggressor. */
struct load_outcome {
	double bytes, counted_s;	/* bytes received in the counted part, and its length, s */
	/* Events that were due in the counted part, and those that ended in it. */
	uint64_t due, ended;
	uint64_t unanswered, late_sends, backlog_most;
	uint64_t checked, errors;
	double late_s;			/* longest delay of an aggressor's send, s */
};

struct series;

/* Sets what happens in the next epoch. Call it on every rank before part_run. */
void load_set_epoch(void *state, const struct load_epoch *epoch);

/*
 * Call it after part_run. Sets *did to what this rank did. An asking victim appends the times of
 * its events, s. `latency` counts from the time at which an event was due, `service` from its real
 * send. 0, or -1 without memory.
 */
int load_collect(void *state, struct load_outcome *did, struct series *latency,
		 struct series *service);

/*
 * Completes the receives that are still posted, by sending messages between ranks. Call it once all
 * ranks have ended the epoch. ST_OK or ST_FAILED.
 */
int load_complete_receives(void *state);

extern const struct pattern pattern_load;

#endif
