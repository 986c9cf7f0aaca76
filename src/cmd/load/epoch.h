/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank is asked to do in an epoch of `load`, and what it did. */
#ifndef NETBENCH_CMD_LOAD_EPOCH_H
#define NETBENCH_CMD_LOAD_EPOCH_H

#include <stddef.h>

#include "cmd/load/cast.h"

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
	bool rotates;			/* each epoch has another target of incast */
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
	struct load_traffic traffic;
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
	/* share of its messages that an aggressor could post: below 1 if it had no processor */
	double posted;
};

#endif
