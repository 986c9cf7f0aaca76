/* SPDX-License-Identifier: Apache-2.0 */
/* What models say of the very thing that a benchmark has measured. Pure. */
#ifndef NETBENCH_MODEL_PREDICT_H
#define NETBENCH_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/loggp.h"

/* What was measured: whose time, of what. */
enum observed {
	/* half a round trip: half_rtt_s, `loops` round trips; of reads one read: read_s */
	OBSERVED_LATENCY,
	OBSERVED_GAP,		/* interval of a stream: gap_s */
	OBSERVED_WINDOW,	/* a message in windows that end with a reply: time_s */
	OBSERVED_ACKED,		/* a message in a window that slides, acknowledged by a message */
	OBSERVED_COMPLETED,	/* the same, acknowledged by the transport */
	OBSERVED_RING,		/* a loop of beff: time_min_s */
	OBSERVED_ATLAS,		/* an iteration: event_s */
};

struct observation {
	enum observed what;
	uint64_t size, window, batch, loops, ranks;
	bool both;		/* windows both ways */
	bool read;		/* of reads, whose windows have no reply */
	const char *benchmark, *algorithm;	/* ATLAS; "" if none */
	uint64_t sources, stages, destinations, credits;
	double occupation;
	double measured;	/* s */
	double predicted;	/* s; by one of the models below, for who compares the two */
};

/*
 * The time that it takes, s, for LogGP's parameters in s (`model` is a struct loggp, so that this
 * is one of several kinds of prediction); NaN where the model says nothing, as of reads.
 */
double predict_loggp(const struct observation *o, const void *model);

/* The same with the parameters for its size: `model` is a struct loggp_pieces. */
double predict_by_size(const struct observation *o, const void *model);

/*
 * The same by the RDMA form (METHODS 1.6), `model` a struct rdma. A window that ends with a reply:
 * its messages follow one another as the slowest stage of eq. 34 lets them (all fit into the
 * window), then the last one's latency and the reply's. A window that slides: eq. 34 itself. Reads,
 * if the model is of them, end with the last one's completion.
 */
double predict_rdma(const struct observation *o, const void *model);

/*
 * The same by the channels of a board (METHODS 35), `model` a struct board. A window's messages
 * follow each other on their channel, and so do both directions of the ring if they share one
 * kernel pair. The time of a stream on a serial board is not known: its published measurement has
 * none.
 */
double predict_board(const struct observation *o, const void *model);

#endif
