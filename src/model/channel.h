/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FPGA boards with serial channels: the time of a message and the bandwidth that follows from it
 * (METHODS eq. 35, 36; section 6 for packet networks). Pure.
 */
#ifndef NETBENCH_MODEL_CHANNEL_H
#define NETBENCH_MODEL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* One board. Circuit-switched boards have channels, packet boards a line rate. */
struct board {
	const char *name;
	const char *summary;	/* the board and the source of its figures */
	uint64_t c;		/* channels of one kernel pair */
	uint64_t w;		/* width of a channel word, bytes */
	double f;		/* channel clock, Hz */
	double lat;		/* one-way latency, s */
	uint64_t R;		/* kernel pairs (replications) of a card */
	double line_rate;	/* packet boards: bit/s of a port; 0: circuit-switched */
	uint64_t payload;	/* packet boards: largest payload of a packet, bytes */
	bool serial;		/* send and receive loops one after the other: t -> 2t */
};

/* The boards shipped, ended by one without a name. */
extern const struct board boards[];

/*
 * Finds a shipped board, or reads "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2" (all
 * five required, none zero but lat; f in Hz, lat in s or with a unit). Reports an
 * unknown board with the names there are, or the faulty field. ST_OK or ST_USAGE.
 */
NETBENCH_EXPORT int board_find(const char *text, struct board *b);

/*
 * Time from the start of a message of len bytes to its end at the receiver, s:
 *	circuit   t(L) = ceil(L/(c w))/f + lat				(METHODS 35)
 *	packet    t(L) = lat + 8 L/(rate p/(p+66)),  p = min(L, payload)	(METHODS 6)
 * A serial board takes twice that. 0 bytes: circuit lat, packet lat and one packet's 66 B.
 */
NETBENCH_EXPORT double board_time(const struct board *b, uint64_t len);

/* The part of board_time, without serial's factor, during which the channel is busy: t - lat. */
double board_busy(const struct board *b, uint64_t len);

/* Bandwidth of one kernel pair, L/t(L), bytes/s; NaN for 0 bytes. */
double board_pair_bandwidth(const struct board *b, uint64_t len);

/*
 * b_eff of one kernel pair, bytes/s: arithmetic mean of its bandwidth over the sizes that have one,
 * which are all but 0. *counted is the number of these sizes; the result is NaN if it is 0. A card
 * has R times that, m cards m R times (METHODS 36).
 */
double board_pair_beff(const struct board *b, const uint64_t *sizes, size_t n, size_t *counted);

#endif
