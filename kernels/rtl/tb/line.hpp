/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line between two cores, one way, as time: when a beat that a core hands over arrives at the
 * other. Testbench and emulated image have the same.
 *
 * With one clock a beat takes latency, rounded up to a cycle, and one cycle for a crossing. With a
 * line of another clock it is seen by the line after two flip-flops and a register, takes a cycle
 * of the line, then the latency, and is there at the next edge of the core. The line has room for
 * LINE_DEPTH beats in front of it; then the core waits.
 */
#ifndef NETBENCH_KERNELS_RTL_LINE_HPP
#define NETBENCH_KERNELS_RTL_LINE_HPP

#include <cmath>
#include <cstdint>

#define LINE_DEPTH 16
#define LINE_CROSSING 3		/* cycles of the line before a beat's own */

struct line {
	double latency;		/* cycles of the core */
	double period;		/* of a beat on the line, cycles of the core; 1: one clock */
	double phase;		/* of the line's first edge, 0 to period */
	double free_at;		/* edge of the line from which it is free */

	void open(double core_hz, double line_hz, double latency_s)
	{
		latency = latency_s * core_hz;
		period = core_hz / line_hz;
		phase = one_clock() ? 0 : 0.37 * period;
		start();
	}

	/* A launch begins: cycles count from 0, the line is free. */
	void start()
	{
		free_at = 0;
	}

	bool one_clock() const
	{
		return std::fabs(period - 1) < 1e-9;
	}

	/* Whether there is room for a beat in this cycle. */
	bool ready(uint64_t cycle) const
	{
		return one_clock() || free_at - LINE_DEPTH * period < (double)cycle;
	}

	/* The cycle in which the other core can take a beat that this one hands over in `cycle`. */
	uint64_t arrival(uint64_t cycle)
	{
		double edge;

		if (one_clock())
			return cycle + fixed_cycles();
		edge = std::ceil(((double)cycle - phase) / period) * period + phase;
		edge += (LINE_CROSSING - 1) * period;
		if (edge < free_at)
			edge = free_at;
		free_at = edge + period;
		return (uint64_t)std::ceil(free_at + latency);
	}

	/* D with one clock; the least there is with two. */
	uint64_t fixed_cycles() const
	{
		return (uint64_t)std::ceil(latency - 1e-9) + 1;
	}
};

#endif
