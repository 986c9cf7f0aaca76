/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions of a benchmark's measurements by each model. Pure. */
#ifndef NETBENCH_MODEL_PREDICT_H
#define NETBENCH_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/loggp.h"

/* The kind of time that was measured. */
enum observed {
	/* half a round trip by half_rtt_epoch_s, `loops` of them; of reads one, read_epoch_s */
	OBSERVED_LATENCY,
	OBSERVED_GAP,		/* interval of a stream: gap_s */
	OBSERVED_WINDOW,	/* a message in windows that end with a reply: time_s */
	OBSERVED_ACKED,		/* a message in a window that slides, acknowledged by a message */
	OBSERVED_COMPLETED,	/* the same, acknowledged by the transport */
	OBSERVED_RING,		/* a loop of beff: time_min_s */
	OBSERVED_ATLAS,		/* an iteration: event_s */
	OBSERVED_COLLECTIVE,	/* an operation by an own algorithm: collective_s */
};

struct algorithm;

struct observation {
	enum observed what;
	uint64_t size, window, batch, loops, ranks;
	bool both;		/* windows both ways */
	bool read;		/* of reads, whose windows have no reply */
	const char *benchmark, *algorithm;	/* ATLAS; "" if none */
	uint64_t sources, stages, destinations, credits;
	double occupation;
	const struct algorithm *operation;	/* and its segments; adding takes no time */
	uint64_t segment;
	uint32_t root;
	double measured;	/* s */
	double predicted;	/* s; by one of the models below */
};

/*
 * The time of an observation by LogGP, s; NaN if the model does not predict it, as for reads.
 * `model` is a struct loggp in s; all predictions have this type, so that a caller may take any.
 */
double predict_loggp(const struct observation *o, const void *model);

/* The same with the parameters for the size: `model` is a struct loggp_pieces. */
double predict_by_size(const struct observation *o, const void *model);

/*
 * The same by the RDMA form (METHODS 1.6), `model` a struct rdma. Window that ends with a reply:
 * its messages follow one another at the pace of the slowest stage of eq. 34, because all fit into
 * the window; then come the last one's latency and the reply's. Sliding window: eq. 34 itself.
 * Reads, if the model is of reads, end with the last one's completion.
 */
double predict_rdma(const struct observation *o, const void *model);

/*
 * The same by the channels of a board (METHODS 35), `model` a struct board. A window's messages
 * follow each other on their channel. So do both directions of the ring if they share one kernel
 * pair. The time of a stream on a serial board is not known: its published measurement has none.
 */
double predict_board(const struct observation *o, const void *model);

#endif
