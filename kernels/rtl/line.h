/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timing of one direction of the line between two cores: the cycle in which a beat handed over
 * by one core arrives at the other. The testbench and the emulated image share it.
 *
 * If line and cores have the same clock, a beat takes the latency, rounded up to a cycle, and one
 * cycle for a crossing. If the line has another clock, the beat passes two flip-flops and a
 * register, takes one cycle of the line, then the latency. It arrives at the core's next clock
 * edge. A buffer in front of the line has room for LINE_DEPTH beats; then the core waits.
 */
#ifndef NETBENCH_KERNELS_RTL_LINE_H
#define NETBENCH_KERNELS_RTL_LINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LINE_DEPTH 16
#define LINE_CROSSING 3		/* cycles of the line; the last is the beat's own */
#define LINE_PHASE 0.37		/* phase of the line's first edge, in its cycles */

/* Times are in cycles of the core from the start of a launch. */
struct line {
	double latency, period;	/* period: cycles a beat on the line; 1: same clock */
	double phase;
	double free_at;		/* the clock edge from which the line is free */
};

/* Begins a launch: the line is free. */
static inline void line_start(struct line *l)
{
	l->free_at = 0;
}

static inline bool line_has_one_clock(const struct line *l)
{
	return fabs(l->period - 1) < 1e-9;
}

static inline void line_open(struct line *l, double core_hz, double line_hz, double latency_s)
{
	l->latency = latency_s * core_hz;
	l->period = core_hz / line_hz;
	l->phase = line_has_one_clock(l) ? 0 : LINE_PHASE * l->period;
	line_start(l);
}

/* True if there is room for a beat in this cycle. */
static inline bool line_ready(const struct line *l, uint64_t cycle)
{
	return line_has_one_clock(l) || l->free_at - LINE_DEPTH * l->period < (double)cycle;
}

/*
 * Returns the least number of cycles from handshake to handshake. With the same clock all beats
 * take this number.
 */
static inline uint64_t line_least(const struct line *l)
{
	return (uint64_t)ceil(l->latency - 1e-9) + 1;
}

/* Returns the cycle in which the other core can take a beat that is handed over in `cycle`. */
static inline uint64_t line_arrival(struct line *l, uint64_t cycle)
{
	double edge;

	if (line_has_one_clock(l))
		return cycle + line_least(l);
	edge = ceil(((double)cycle - l->phase) / l->period) * l->period + l->phase;
	edge += (LINE_CROSSING - 1) * l->period;
	if (edge < l->free_at)
		edge = l->free_at;
	l->free_at = edge + l->period;
	return (uint64_t)ceil(l->free_at + l->latency);
}

#endif
