/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts with each model what a benchmark measures. Pure. */
#ifndef NETBENCH_MODEL_PREDICT_H
#define NETBENCH_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of time that was measured. */
enum observed {
	/*
	 * half of a round trip, averaged over `loops` round trips (half_rtt_epoch_s); for reads:
	 * one read (read_epoch_s)
	 */
	OBSERVED_LATENCY,
	OBSERVED_GAP,		/* interval between the messages of a stream: gap_s */
	OBSERVED_WINDOW,	/* time per message in windows that each end with a reply: time_s */
	/* time per message in a sliding window, if each message is acknowledged by a message */
	OBSERVED_ACKED,
	/* time per message in a sliding window, if the transport acknowledges */
	OBSERVED_COMPLETED,
	OBSERVED_RING,		/* one loop of beff: time_min_s */
	OBSERVED_ATLAS,		/* one iteration: event_s */
	/* one collective operation with an algorithm of netbench: collective_s */
	OBSERVED_COLLECTIVE,
};

struct algorithm;

struct observation {
	enum observed what;
	uint64_t size, window, batch, loops, ranks;
	bool both;		/* both sides send windows */
	bool read;		/* the messages are reads; their windows have no reply */
	/*
	 * benchmark: number of the ATLAS benchmark. algorithm: its algorithm. "" if there is none.
	 */
	const char *benchmark, *algorithm;
	uint64_t sources, stages, destinations, credits;
	double occupation;
	/* algorithm of a collective operation */
	const struct algorithm *operation;
	double sum_s_per_B;	/* time to add one byte of a vector to another, s */
	uint64_t segment;
	uint32_t root;
	double measured;	/* measured time, s */
	double predicted;	/* time predicted by one of the models below, s */
};

/*
 * Returns the time of an observation predicted with LogGP, s. Returns NaN if the model does not
 * cover the observation, for example a read. `model` is a struct loggp in s. All prediction
 * functions have this type, so that a caller may use any of them.
 */
double predict_loggp(const struct observation *o, const void *model);

/*
 * Like predict_loggp, but uses the parameters for the message size of the observation. `model` is a
 * struct loggp_pieces.
 */
double predict_by_size(const struct observation *o, const void *model);

/*
 * Returns the time predicted with the RDMA form, s (METHODS 1.6). `model` is a struct rdma.
 * In a window that ends with a reply, all messages fit into the window. So they follow each other
 * at the pace of the slowest stage of eq. 34. The latencies of the final message and of the reply
 * are added.
 * A sliding window follows eq. 34 itself. Reads need parameters of reads. A window of reads ends
 * when its last read has completed.
 */
double predict_rdma(const struct observation *o, const void *model);

/*
 * Returns the time predicted with the channels of a board, s (METHODS 35). `model` is a struct
 * board. Messages of a window follow each other on their channel. If both directions of the ring
 * share one kernel pair, their messages also follow each other. Streams on a serial board are not
 * predicted, because the published measurement of this board contains no streams.
 */
double predict_board(const struct observation *o, const void *model);

#endif
