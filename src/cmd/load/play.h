/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rank's part in an epoch of `load`, by message operations: a victim that asks or answers, or
 * an aggressor. An epoch ends by the clock. Then aggressors send one last, marked message to each
 * of their receivers, and all take what is still on its way.
 */
#ifndef NETBENCH_CMD_LOAD_PLAY_H
#define NETBENCH_CMD_LOAD_PLAY_H

#include "cmd/load/cast.h"
#include "measure/plan/pattern.h"

/* The load settles in this part of an epoch, which is not counted. */
#define LOAD_SETTLES 0.1

/* Shortest messages: a victim's has the number of the event, an aggressor's also who sent it. */
#define LOAD_VICTIM_LEAST 8
#define LOAD_AGGRESSOR_LEAST 16

/* Events that a victim keeps of an epoch at most, the first ones. */
#define LOAD_MOST_EVENTS (1 << 18)

/* Messages that an aggressor has in flight at most where it sends by the clock. */
#define LOAD_PACED 64

/* Arguments of the program, the same on all ranks. */
struct load_args {
	const struct cast *cast;	/* NULL while only buffers are counted */
	enum load_victim victim;
	unsigned patterns;		/* of aggressors: a bit for each enum load_aggressor */
	size_t victim_size, aggressor_size;
	uint32_t victim_window;		/* bandwidth: messages before a reply */
	uint32_t window;		/* messages that an aggressor has in flight */
	double rate;			/* a victim's events a second; 0: closed loop */
	uint32_t outstanding;		/* open loop: events in flight at most */
	bool victims_periodic, aggressors_periodic;
	double epoch_s;
	uint64_t seed;
};

/* What an epoch is. */
struct load_epoch {
	uint64_t number;		/* draws the instants */
	bool victims, aggressors;	/* who plays */
	double gap_s;			/* between messages of an aggressor; 0: closed loop */
};

/* What a rank did in an epoch; of victims that ask, and of aggressors that receive. */
struct load_outcome {
	double bytes, counted_s;	/* received, in the time that counts */
	/* of that time: events that should have begun in it, and that have ended in it */
	uint64_t due, ended;
	uint64_t unanswered, late_sends, backlog_most;
	uint64_t checked, errors;
	double late_s;			/* an aggressor's longest delay */
};

struct series;

/* Says what the next run is; before part_run, on every rank. */
void load_prepare(void *state, const struct load_epoch *epoch);

/*
 * After part_run: yields what this rank did. A victim that asks appends the times of its events, s.
 * `latency` counts from the instant at which each should have begun, `service` from its real send.
 * 0, or -1 without memory.
 */
int load_take(void *state, struct load_outcome *did, struct series *latency,
	      struct series *service);

/*
 * Sends and takes messages that complete the receives which are still posted; when all ranks have
 * ended the epoch. ST_OK or ST_FAILED.
 */
int load_settle(void *state);

extern const struct pattern pattern_load;

#endif
