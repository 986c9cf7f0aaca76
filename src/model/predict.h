/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts the measurements of a benchmark by each model. Pure. */
#ifndef NETBENCH_MODEL_PREDICT_H
#define NETBENCH_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/loggp.h"

/* The kind of time that was measured. */
enum observed {
	/*
	 * half a round trip, by half_rtt_epoch_s, of `loops` round trips; for reads one read, by
	 * read_epoch_s
	 */
	OBSERVED_LATENCY,
	OBSERVED_GAP,		/* interval of a stream: gap_s */
	OBSERVED_WINDOW,	/* a message in windows that each end with a reply: time_s */
	OBSERVED_ACKED,		/* a message in a sliding window, acknowledged by a message */
	OBSERVED_COMPLETED,	/* a message in a sliding window, acknowledged by the transport */
	OBSERVED_RING,		/* one loop of beff: time_min_s */
	OBSERVED_ATLAS,		/* one iteration: event_s */
	OBSERVED_COLLECTIVE,	/* one operation by netbench's own algorithm: collective_s */
};

struct algorithm;

struct observation {
	enum observed what;
	uint64_t size, window, batch, loops, ranks;
	bool both;		/* windows both ways */
	bool read;		/* the messages are reads; their windows have no reply */
	/* number of the ATLAS benchmark, and its algorithm; "" if none */
	const char *benchmark, *algorithm;
	uint64_t sources, stages, destinations, credits;
	double occupation;
	/* algorithm of a collective operation; adding takes no time */
	const struct algorithm *operation;
	uint64_t segment;
	uint32_t root;
	double measured;	/* s */
	double predicted;	/* time predicted by one of the models below, s */
};

/*
 * Predicts the time of an observation by LogGP, s. NaN if the model does not cover it, for example
 * for reads. `model` is a struct loggp in s. All predictions have this type, so that a caller may
 * use any of them.
 */
double predict_loggp(const struct observation *o, const void *model);

/*
 * Like predict_loggp, with the parameters for the message size: `model` is a struct loggp_pieces.
 */
double predict_by_size(const struct observation *o, const void *model);

/*
 * Predicts the time by the RDMA form (METHODS 1.6); `model` is a struct rdma.
 * In a window that ends with a reply, messages follow one another at the pace of the slowest stage
 * of eq. 34, because all of them fit into the window. The latencies of the last message and of the
 * reply are added.
 * A sliding window follows eq. 34 itself. Reads need parameters of reads; they end with the
 * completion of the last one.
 */
double predict_rdma(const struct observation *o, const void *model);

/*
 * Predicts the time by the channels of a board (METHODS 35); `model` is a struct board. Messages of
 * a window follow each other on their channel. So do both directions of the ring if they share one
 * kernel pair. Streams on a serial board are not predicted, because its published measurement does
 * not contain any.
 */
double predict_board(const struct observation *o, const void *model);

#endif
