/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line between two cores, one way, as time: in which cycle a beat that a core hands over arrives
 * at the other. Testbench and emulated image have the same.
 *
 * With one clock a beat takes the latency, rounded up to a cycle, and one cycle for a crossing. A
 * line of another clock sees it after two flip-flops and a register, takes a cycle of its own, then
 * the latency; it is there at the core's next edge. In front of the line there is room for
 * LINE_DEPTH beats; then the core waits.
 */
#ifndef NETBENCH_KERNELS_RTL_LINE_H
#define NETBENCH_KERNELS_RTL_LINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LINE_DEPTH 16
#define LINE_CROSSING 3		/* cycles of the line, its own the last */
#define LINE_PHASE 0.37		/* of the line's first edge, in its cycles */

/* Cycles are those of the core, from the start of a launch. */
struct line {
	double latency, period;	/* period: of a beat on the line; 1: one clock */
	double phase;
	double free_at;		/* the edge of the line from which it is free */
};

/* A launch begins: the line is free. */
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

/* Whether there is room for a beat in this cycle. */
static inline bool line_ready(const struct line *l, uint64_t cycle)
{
	return line_has_one_clock(l) || l->free_at - LINE_DEPTH * l->period < (double)cycle;
}

/* The least cycles from handshake to handshake: with one clock all beats take them. */
static inline uint64_t line_least(const struct line *l)
{
	return (uint64_t)ceil(l->latency - 1e-9) + 1;
}

/* The cycle in which the other core can take a beat that is handed over in `cycle`. */
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
