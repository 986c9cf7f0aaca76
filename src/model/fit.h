/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP parameters from measurements (METHODS 2.2, 2.3): where the protocol switches, one line for
 * each quantity between two switches, intervals by bootstrap over rounds. Pure. Times are in s,
 * sizes in bytes.
 */
#ifndef NETBENCH_MODEL_FIT_H
#define NETBENCH_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	size_t bootstraps;			/* 0: no intervals */
	uint64_t seed;
};

/* A parameter with its 95 % interval; NaN where it cannot be identified. */
struct fit_value {
	double v, lo, hi;
};

#define FIT_SEGMENTS 7
#define FIT_FEWEST 4		/* sizes of a segment, and so of a fit */

/* Sizes that follow one protocol. */
struct fit_segment {
	size_t first, end;			/* sizes[first] to sizes[end - 1] */
	double upto;				/* largest size; INFINITY for the last segment */
	double a[FIT_SERIES], b[FIT_SERIES];	/* y = a + b size */
	struct fit_value L, o_s, O_s, o_r, O_r, g, G, G_latency;	/* O: per byte; at 1 byte */
	/*
	 * Hockney's view of two lines t = t0 + n/r_inf (METHODS 1.1), that of the interval and that
	 * of the one-way time: the rate, B/s, which ever longer messages would approach, and the
	 * length, B, at which it is half of that, t0 r_inf. NaN where the time does not grow with
	 * the length by more than 1 % of t0, n_half also if t0 is negative.
	 */
	struct fit_value r_inf, n_half, r_inf_latency, n_half_latency;
	/* The interval of messages is the processor's: g and G are at most what stands there. */
	bool censored;
	double residual_p50, residual_max;	/* relative, of all series */
	size_t outliers;			/* points off by more than 3 sigma; they stay in */
	double lack_of_fit;			/* mean square of residuals/sigma; lines fit to 4 */
};

struct fit {
	size_t nsegments;
	struct fit_segment seg[FIT_SEGMENTS];
};

/*
 * Estimates: medians of the rounds, their errors pooled over neighbouring sizes, segments found for
 * all series together by dynamic programming with a truncated loss and BIC, bisquare lines. 0, or
 * -1 without memory or with fewer than FIT_FEWEST sizes or 2 rounds.
 */
int fit_estimate(const struct fit_input *in, struct fit *fit);

/* The segment that a size belongs to, and what its line says of a series. */
const struct fit_segment *fit_segment_of(const struct fit *fit, double size);
double fit_predict(const struct fit *fit, enum fit_series series, double size);

/*
 * Between which two protocols a size is the first's: of the lines of seg and seg + 1 those nearer
 * to the values y measured there (sum over series of min(9, (d/1 %)^2), METHODS 2.3). For bisecting
 * a switch.
 */
bool fit_is_before(const struct fit_segment *seg, double size, const double y[FIT_SERIES]);

/* The parameters of a segment in LogGP's terms; those that are not identified are 0. */
struct loggp fit_loggp(const struct fit_segment *seg);

#endif
