/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP parameters from measurements (METHODS 2.2, 2.3): where the protocol switches, one line for
 * each quantity between two switches, intervals by bootstrap over rounds. No time and no cost per
 * byte is below 0. Pure. Times are in s, sizes in bytes.
 */
#ifndef NETBENCH_MODEL_FIT_H
#define NETBENCH_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/line.h"
#include "model/loggp.h"

/*
 * What is measured at each size: the one-way time (half a round trip), the interval of a stream of
 * messages, the time of a send call and of a receive call whose message has come.
 */
enum fit_series { FIT_LATENCY, FIT_GAP, FIT_SEND, FIT_RECEIVE, FIT_SERIES };
extern const char *const fit_series_names[];

/* Rounds, each of which has visited every size once, in random order. The caller's. */
struct fit_input {
	size_t nsizes, nrounds;
	const double *size;			/* rising */
	const double *y[FIT_SERIES];		/* [round * nsizes + i]; NaN: no value */
	double systematic_s[FIT_SERIES];	/* error of all values, added to the intervals */
	size_t bootstraps;			/* 0: no intervals, lo and hi are v */
	uint64_t seed;
};

/*
 * A parameter with its 95 % interval, 0 <= lo <= v <= hi. v is NaN where it is not determined: the
 * interval is wider than the value, or than half of it if it is a cost per byte or made of one. All
 * are NaN where there is no such parameter.
 */
struct fit_value {
	double v, lo, hi;
};

#define FIT_SEGMENTS 7
#define FIT_FEWEST 4		/* sizes of a segment, and so of a fit */
#define FIT_NEAR 0.05		/* of a value: a line as far off still describes it */
#define FIT_FAR 0.25		/* no line that is farther off does, whatever the error is */

/* Parameters of a segment; the first are LogGP's, of which the first are times. */
#define FIT_PARAMETERS 12
#define FIT_OF_LOGGP 8
#define FIT_TIMES 4

/* Sizes that follow one protocol. */
struct fit_segment {
	size_t first, end;			/* sizes[first] to sizes[end - 1] */
	double upto;				/* largest size; INFINITY for the last segment */
	struct linear line[FIT_SERIES];		/* over the size; b, and y at 1 byte, >= 0 */
	/*
	 * No more than one value in four, and no three in a row, are off that line by more than
	 * FIT_NEAR or, up to FIT_FAR, three times their error.
	 */
	bool follows[FIT_SERIES];
	/*
	 * LogGP describes the segment: all series follow lines of parameters that are not negative,
	 * the interval the longest of gap, send and receive. Else there are no parameters, and the
	 * lines are those nearest to each series by itself.
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
	 * L, o_s, o_r and g are at 1 byte, G, G_latency and O are per byte.
	 *
	 * Hockney's view of two lines t = t0 + n/r_inf (METHODS 1.1), that of the interval and that
	 * of the one-way time: the rate, B/s, which ever longer messages would approach, and the
	 * length, B, at which it is half of that, t0 r_inf. NaN where the time does not grow with
	 * the length by more than 1 % of t0 or does not follow its line, n_half also if t0 is
	 * negative.
	 */
	bool L_at_0, G_latency_at_0;	/* else it would be negative, so it is not determined */
	/* The interval of messages is the processor's: g and G are at most what stands there. */
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
 * Estimates: medians of the rounds, their errors pooled over neighbouring sizes, segments found for
 * all series together by dynamic programming with a truncated loss and BIC, bisquare lines; where
 * these would make a parameter negative, the least squares without. Neighbouring segments that
 * LogGP does not describe are joined, unless their half round trips follow lines and would not
 * then; of one that it does not describe the longest part from its start on that it describes is a
 * segment. 0, or -1 without memory or with fewer than FIT_FEWEST sizes or 2 rounds.
 */
int fit_estimate(const struct fit_input *in, struct fit *fit);

/* The segment that a size belongs to. */
const struct fit_segment *fit_segment_of(const struct fit *fit, double size);

/* The time of a size by a segment's line of a series. */
double fit_line(const struct fit_segment *g, enum fit_series q, double size);

/*
 * Between which two protocols a size is the first's: of the lines of seg and seg + 1 those nearer
 * to the values y measured there (sum over series of min(9, (d/1 %)^2), METHODS 2.3). For bisecting
 * a switch.
 */
bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES]);

/* The parameters of a segment in LogGP's terms; those that are not determined are NaN. */
struct loggp fit_loggp(const struct fit_segment *seg);

#endif
