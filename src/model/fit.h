/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP parameters from measurements (METHODS 2.2, 2.3): where the protocol switches, one line for
 * each quantity between two switches, intervals by bootstrap over rounds. Times and costs per byte
 * are at least 0. Pure. Times are in s, sizes in bytes.
 */
#ifndef NETBENCH_MODEL_FIT_H
#define NETBENCH_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/line.h"
#include "model/loggp.h"

/*
 * The series, each with a value at each size. latency: the one-way time, half a round trip. gap:
 * the interval of a stream of messages. send, receive: the time of a send call, and of a receive
 * call after the message has arrived.
 */
enum fit_series { FIT_LATENCY, FIT_GAP, FIT_SEND, FIT_RECEIVE, FIT_SERIES };
extern const char *const fit_series_names[];

/*
 * The values of all rounds. Each round has visited every size once, in random order. The memory is
 * the caller's.
 */
struct fit_input {
	size_t nsizes, nrounds;
	const double *size;			/* rising */
	const double *y[FIT_SERIES];		/* [round * nsizes + i]; NaN: no value */
	double systematic_s[FIT_SERIES];	/* error of all values, added to the intervals */
	size_t bootstraps;			/* 0: no intervals, lo and hi are v */
	uint64_t seed;
};

/*
 * A parameter with its 95 % interval, 0 <= lo <= v <= hi. v is NaN if the parameter is not
 * determined: its interval is wider than the value. For a cost per byte or a rate half the value is
 * the limit. All three are NaN if the segment lacks the parameter. lo and hi are NaN if rounds that
 * differ are fewer than FIT_BOUNDED.
 */
struct fit_value {
	double v, lo, hi;
};

#define FIT_SEGMENTS 7
#define FIT_BOUNDED 6		/* rounds; with fewer no 95 % interval is made of them */
#define FIT_FEWEST 4		/* sizes of a segment, and so of a fit */
#define FIT_NEAR 0.05		/* relative: a line this near to a value describes it */
#define FIT_FAR 0.25		/* relative: a line farther off does not, whatever the error is */

/*
 * The number of a segment's parameters; those of LogGP come first, and its times before its costs
 * per byte.
 */
#define FIT_PARAMETERS 12
#define FIT_OF_LOGGP 8
#define FIT_TIMES 4

/* Sizes that follow one protocol. */
struct fit_segment {
	size_t first, end;			/* sizes[first] to sizes[end - 1] */
	double upto;				/* largest size; INFINITY for the last segment */
	struct linear line[FIT_SERIES];		/* over the size; b, and y at 1 byte, >= 0 */
	/*
	 * True if the series follows its line: at most one value in four is off the line, and at
	 * most two in a row. A value is off if its distance is more than FIT_NEAR and, up to
	 * FIT_FAR, more than three times its error.
	 */
	bool follows[FIT_SERIES];
	/*
	 * True if LogGP describes the segment. All series then follow lines of parameters that are
	 * at least 0, and the interval is the longest of gap, send and receive. Else the segment
	 * has no parameters, and its lines are the nearest to each series by itself.
	 */
	bool described;
	union {
		struct {
			struct fit_value L, o_s, o_r, g, G, G_latency, O_s, O_r;
			struct fit_value r_inf, n_half, r_inf_latency, n_half_latency;
		};
		struct fit_value parameter[FIT_PARAMETERS];	/* the same, in this order */
	};
	/*
	 * L, o_s, o_r and g are at 1 byte; G, G_latency and O are per byte.
	 *
	 * The others are Hockney's view of two lines t = t0 + n/r_inf (METHODS 1.1): that of the
	 * interval, and that of the one-way time. r_inf is the rate of ever longer messages, B/s.
	 * n_half is the length at which the rate is half of that, t0 r_inf, B. Both are NaN if the
	 * series does not follow its line, or grows with the length by at most 1 % of t0. n_half is
	 * also NaN if t0 is negative.
	 */
	bool L_at_0, G_latency_at_0;	/* set to 0 because it would be negative; not determined */
	/* The interval of messages is the processor's time: g and G are upper bounds. */
	bool censored;
	double residual_p50, residual_max;	/* relative, of all series */
	size_t outliers;			/* points off by more than 3 sigma; they stay in */
	double lack_of_fit;			/* mean square of residuals/sigma */
};

struct fit {
	size_t nsegments;
	struct fit_segment seg[FIT_SEGMENTS];
};

/*
 * Estimates the parameters. Takes medians of the rounds, with errors pooled over neighbouring
 * sizes. Finds the segments of all series together by dynamic programming with a truncated loss and
 * BIC. Fits bisquare lines; where these would make a parameter negative, constrained least squares.
 * Joins neighbouring segments that LogGP does not describe, if their half round trips still follow
 * lines then. Makes the longest part of such a segment, from its start on, that LogGP describes a
 * segment of its own.
 * Returns 0, or -1 without memory or with fewer than FIT_FEWEST sizes or 2 rounds.
 */
int fit_estimate(const struct fit_input *in, struct fit *fit);

/* The segment that a size belongs to. */
const struct fit_segment *fit_segment_of(const struct fit *fit, double size);

/* The time of a size by a segment's line of a series. */
double fit_line(const struct fit_segment *g, enum fit_series q, double size);

/*
 * True if a size belongs to segment `seg`, false if to the next one. Compares the distances of both
 * segments' lines to the values y measured there: the sum over series of min(9, (d/1 %)^2) (METHODS
 * 2.3). For bisecting a switch.
 */
bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES]);

/* The parameters of a segment in LogGP's terms; NaN if not determined. */
struct loggp fit_loggp(const struct fit_segment *seg);

#endif
