/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates the parameters of LogGP from measurements (METHODS 2.2, 2.3). Finds the sizes at which
 * the protocol switches, fits one line for each series between two switches, and gets intervals by
 * a bootstrap over rounds. Times and costs per byte are at least 0. Pure. Times are in s, sizes in
 * bytes.
 */
#ifndef NETBENCH_MODEL_FIT_H
#define NETBENCH_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/line.h"
#include "model/loggp.h"

/*
 * The measured series. Each has one value for each size.
 * latency: one-way time, half a round trip.
 * gap: interval between the messages of a stream.
 * send: time of a send call.
 * receive: time of a receive call after the message has arrived.
 */
enum fit_series { FIT_LATENCY, FIT_GAP, FIT_SEND, FIT_RECEIVE, FIT_SERIES };
extern const char *const fit_series_names[];

/*
 * The values of all rounds. A round visits every size once, in random order. The caller owns the
 * arrays.
 */
struct fit_input {
	size_t nsizes, nrounds;
	const double *size;			/* in rising order */
	/* value i of a round is y[..][round * nsizes + i]; NaN: no value */
	const double *y[FIT_SERIES];
	/* systematic error of each series, s; intervals are widened by this error */
	double systematic_s[FIT_SERIES];
	/* number of bootstrap resamples; 0: no intervals, lo = hi = v */
	size_t bootstraps;
	uint64_t seed;
};

/*
 * A parameter with its 95 % interval, 0 <= lo <= v <= hi.
 * v is NaN if the parameter is not determined: its interval is wider than the value (for a cost per
 * byte or a rate: wider than half the value). All three are NaN if the segment does not have the
 * parameter. lo and hi are NaN if the rounds differ and there are fewer than FIT_BOUNDED rounds.
 */
struct fit_value {
	double v, lo, hi;
};

#define FIT_SEGMENTS 7
#define FIT_BOUNDED 6		/* fewest rounds for a 95 % interval */
#define FIT_FEWEST 4		/* fewest sizes of a segment, and of a fit */
/* a line describes a value if its relative distance is at most this */
#define FIT_NEAR 0.05
/* a line with a larger relative distance does not describe the value, whatever its error */
#define FIT_FAR 0.25

/*
 * FIT_PARAMETERS: number of parameters of a segment. FIT_OF_LOGGP: number of LogGP's parameters,
 * which come first. FIT_TIMES: number of times among LogGP's parameters, which come before the
 * costs per byte.
 */
#define FIT_PARAMETERS 12
#define FIT_OF_LOGGP 8
#define FIT_TIMES 4

/* A range of sizes with the same protocol. */
struct fit_segment {
	/* the sizes of the segment are size[first] to size[end - 1] */
	size_t first, end;
	/*
	 * largest message size that belongs to the segment, bytes; INFINITY for the final segment
	 */
	double upto;
	/*
	 * the line of each series as a function of the size; the slope b and the value at 1 byte
	 * are >= 0
	 */
	struct linear line[FIT_SERIES];
	/*
	 * True if the series follows its line: at most one value in four is off the line, and at
	 * most two successive values are. A value is off if its relative distance from the line
	 * exceeds FIT_FAR, or exceeds both FIT_NEAR and three times the error of the value.
	 */
	bool follows[FIT_SERIES];
	/*
	 * True if LogGP describes the segment. The parameters are then at least 0, each series
	 * follows the line that these parameters give, and the interval between messages is the
	 * longest of gap, send and receive. If false, the segment has no parameters, and each
	 * series has its own nearest line.
	 */
	bool described;
	union {
		struct {
			struct fit_value L, o_s, o_r, g, G, G_latency, O_s, O_r;
			struct fit_value r_inf, n_half, r_inf_latency, n_half_latency;
		};
		/* the parameters above as an array, in the same order */
		struct fit_value parameter[FIT_PARAMETERS];
	};
	/*
	 * L, o_s, o_r and g are values at 1 byte; G, G_latency, O_s and O_r are costs per byte.
	 *
	 * The other parameters are Hockney's, t = t0 + n/r_inf (METHODS 1.1): r_inf and n_half
	 * belong to the line of gap. r_inf_latency and n_half_latency belong to the line of
	 * latency. r_inf is the rate of very long messages, B/s. n_half = t0 r_inf is the length at
	 * which the rate is half of r_inf, B. Both are NaN if the series does not follow its line,
	 * or if its growth over the segment is at most 1 % of t0. n_half is also NaN if t0 is
	 * negative.
	 */
	/*
	 * L_at_0, G_latency_at_0: L or G_latency would be negative, so it was set to 0 and is not
	 * determined
	 */
	bool L_at_0, G_latency_at_0;
	/*
	 * The time of the processor limits the interval of messages, so g and G are only upper
	 * bounds.
	 */
	bool censored;
	/* median and maximum of the relative residuals of all series */
	double residual_p50, residual_max;
	/*
	 * number of points that are more than 3 sigma from their line; the fit still uses these
	 * points
	 */
	size_t outliers;
	double lack_of_fit;			/* mean square of residual/sigma */
};

struct fit {
	size_t nsegments;
	struct fit_segment seg[FIT_SEGMENTS];
};

/*
 * Estimates the parameters, in these steps:
 * - Takes medians over the rounds. Their errors are pooled over neighbouring sizes.
 * - Finds segments common to all series, by dynamic programming with a truncated loss and BIC.
 * - Fits lines with bisquare weights. If these would make a parameter negative, uses constrained
 * least squares.
 * - Joins neighbouring segments that LogGP does not describe, if half the round trip still follows
 * a line in the joined segment.
 * - In each segment that LogGP does not describe, finds the longest part from its start that LogGP
 * describes, and makes this part a separate segment.
 * Returns 0; or -1 if memory runs out, or there are fewer than FIT_FEWEST sizes or fewer than 2
 * rounds.
 */
int fit_estimate(const struct fit_input *in, struct fit *fit);

/* Returns the segment to which a size belongs. */
const struct fit_segment *fit_segment_of(const struct fit *fit, double size);

/* Returns the time, s, that the segment's line of series q gives for a message of this size. */
double fit_line(const struct fit_segment *g, enum fit_series q, double size);

/*
 * Returns whether a size belongs to segment `seg` rather than to the next one. This serves to
 * bisect a switch. y are the values measured at this size, one for each series. The size belongs to
 * the segment whose lines are nearer. The distance is the sum over the series of min(9, (d/1 %)^2)
 * (METHODS 2.3).
 */
bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES]);

/* Returns the LogGP parameters of a segment. A parameter that is not determined is NaN. */
struct loggp fit_loggp(const struct fit_segment *seg);

#endif
