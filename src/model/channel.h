/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FPGA boards with serial channels: time of a message and bandwidth (METHODS eq. 35, 36; section 6
 * for packet networks). Pure.
 */
#ifndef NETBENCH_MODEL_CHANNEL_H
#define NETBENCH_MODEL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* One board. A circuit-switched board has channels; a packet board has a line rate. */
struct board {
	const char *name;
	const char *summary;	/* the board and the source of its figures */
	uint64_t c;		/* number of channels of a kernel pair */
	uint64_t w;		/* width of a channel word, bytes */
	double f;		/* channel clock, Hz */
	double lat;		/* one-way latency of a message, s */
	uint64_t R;		/* kernel pairs (replications) per card */
	double line_rate;	/* packet boards: line rate of a port, bit/s; 0: circuit-switched */
	uint64_t payload;	/* packet boards: largest payload of a packet, bytes */
	/* send loop and receive loop run one after the other, so times double */
	bool serial;
};

/* The built-in boards. An entry without a name ends the array. */
extern const struct board boards[];

/*
 * Finds a built-in board, or parses "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2". All five fields
 * are required, and only lat may be zero. f is in Hz, lat in s or with a unit. Reports a faulty
 * field, or an unknown board together with the known names. Returns ST_OK or ST_USAGE.
 */
NETBENCH_EXPORT int board_find(const char *text, struct board *b);

/*
 * Returns the time from the start of a message of len bytes to its end at the receiver, s.
 *	circuit   t(L) = ceil(L/(c w))/f + lat				(METHODS 35)
 *	packet    t(L) = lat + 8 L/(rate p/(p+66)),  p = min(L, payload)	(METHODS 6)
 * On a serial board the time is twice as long. A message of 0 bytes takes lat on a circuit. On a
 * packet board it takes lat and the time of 66 B.
 */
NETBENCH_EXPORT double board_time(const struct board *b, uint64_t len);

/*
 * Returns the time for which a message keeps the channel busy, s: board_time - lat, without the
 * factor of serial boards.
 */
double board_busy(const struct board *b, uint64_t len);

/* Returns the bandwidth of one kernel pair, L/t(L), bytes/s; NaN for 0 bytes. */
double board_pair_bandwidth(const struct board *b, uint64_t len);

/*
 * Returns b_eff of one kernel pair, bytes/s: the arithmetic mean of its bandwidth over all sizes
 * but 0. Sets *counted to the number of these sizes. If this number is 0, the result is NaN. A card
 * has R times this b_eff, and m cards have m R times (METHODS 36).
 */
double board_pair_beff(const struct board *b, const uint64_t *sizes, size_t n, size_t *counted);

#endif
