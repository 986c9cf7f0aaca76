/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wire between cores of the testbench: the beats on their way, and the faults that may hit them.
 */
#ifndef NETBENCH_KERNELS_RTL_WIRE_HPP
#define NETBENCH_KERNELS_RTL_WIRE_HPP

#include <deque>
#include <functional>

#include "card.hpp"
#include "line.h"

/* Random numbers, the same in each run: xorshift64*. */
struct dice {
	uint64_t state;

	explicit dice(uint64_t seed) : state(seed * 2 + 1)
	{
	}

	uint64_t next()
	{
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		return state * UINT64_C(0x2545f4914f6cdd1d);
	}

	/* True once in n. */
	bool once_in(uint64_t n)
	{
		return next() / 2 % n == 0;
	}
};

struct wire {
	struct line line;
	std::deque<std::pair<uint64_t, beat_t>> beats;	/* arrival, content */
	uint64_t carried = 0;
	size_t depth = SIZE_MAX;			/* largest number of beats on the way */
	/*
	 * jitter: extra cycles for a beat; fault: may change a beat, and returns false if it is
	 * lost. Empty: none.
	 */
	std::function<uint64_t(uint64_t number)> jitter;
	std::function<bool(uint64_t number, beat_t &b)> fault;
	std::function<bool()> holds;			/* the wire takes no beat in this cycle */

	bool ready(uint64_t now) const
	{
		return line_ready(&line, now) && beats.size() < depth && !(holds && holds());
	}

	void take(uint64_t now, beat_t b)
	{
		uint64_t at = line_arrival(&line, now) + (jitter ? jitter(carried) : 0);

		if (!beats.empty() && at <= beats.back().first)
			at = beats.back().first + 1;
		if (!fault || fault(carried, b))
			beats.push_back({ at, b });
		carried++;
	}

	bool offers(uint64_t now) const
	{
		return !beats.empty() && beats.front().first <= now;
	}
};

/*
 * Two cores with a wire in each direction, or one core whose wire leads back to it. All have one
 * clock.
 */
struct bench {
	card cards[2];
	struct wire wires[2];		/* wires[i] carries what card i sends */
	int ncards;
	uint64_t cycle = 0;

	/* The wires take d cycles from handshake to handshake. */
	bench(int n, uint64_t d) : ncards(n)
	{
		for (auto &w : wires) {
			line_open(&w.line, 1, 1, (double)d - 1);
		}
		for (int i = 0; i < 4; i++)
			tick(nullptr, nullptr);
		for (auto &c : cards)
			c.top.ap_rst_n = 1;
		for (int i = 0; i < 4; i++)
			tick(nullptr, nullptr);
	}

	void set_line(double core_hz, double line_hz, double latency_s)
	{
		for (auto &w : wires)
			line_open(&w.line, core_hz, line_hz, latency_s);
		wires[1].line.phase *= 0.5;
	}

	void tick(register_access *a, register_access *b)
	{
		register_access *const todo[2] = { a, b };

		for (int i = 0; i < ncards; i++) {
			card &c = cards[i];
			struct wire &in = wires[ncards == 2 ? 1 - i : 0];
			bool offers = in.offers(cycle), ready = wires[i].ready(cycle);

			if (todo[i])
				todo[i]->drive();
			c.settle(ready, offers, offers ? &in.beats.front().second : nullptr);
			if (todo[i])
				todo[i]->look();
		}
		for (int i = 0; i < ncards; i++)
			if (cards[i].takes())
				wires[ncards == 2 ? 1 - i : 0].beats.pop_front();
		for (int i = 0; i < ncards; i++)
			if (cards[i].sends())
				wires[i].take(cycle, cards[i].sent());
		for (int i = 0; i < ncards; i++)
			cards[i].edge();
		cycle++;
	}

	void run(register_access &a)
	{
		while (!a.done)
			tick(a.of == &cards[0] ? &a : nullptr, a.of == &cards[1] ? &a : nullptr);
		a.drive();
	}

	void write32(int i, uint32_t offset, uint32_t value)
	{
		register_access a(cards[i], offset, value);

		run(a);
	}

	uint32_t read32(int i, uint32_t offset)
	{
		register_access a(cards[i], offset);

		run(a);
		return a.value;
	}

	uint64_t read64(int i, uint32_t offset)
	{
		uint32_t low = read32(i, offset);

		return (uint64_t)read32(i, offset + 4) << 32 | low;
	}

	uint32_t read_bits(int i, uint32_t offset, std::integral_constant<int, 32>)
	{
		return read32(i, offset);
	}

	uint64_t read_bits(int i, uint32_t offset, std::integral_constant<int, 64>)
	{
		return read64(i, offset);
	}

	void set(int i, const struct program &p)
	{
#define NB_FIELD(NAME, name, offset, bits, meaning) \
		write32(i, offset, (uint32_t)p.name); \
		if (bits == 64) \
			write32(i, offset + 4, (uint32_t)((uint64_t)p.name >> 32));
		NB_ARGUMENTS(NB_FIELD)
#undef NB_FIELD
	}

	struct report get(int i)
	{
		struct report r;

#define NB_FIELD(NAME, name, offset, bits, meaning) \
		r.name = read_bits(i, offset, std::integral_constant<int, bits>());
		NB_RESULTS(NB_FIELD)
#undef NB_FIELD
		return r;
	}

	/* Starts both cores in the same cycle, or the second one `skew` cycles later. */
	void start(uint64_t skew = 0)
	{
		register_access a(cards[0], NB_CONTROL, NB_START);
		register_access b(cards[ncards - 1], NB_CONTROL, NB_START);

		if (ncards == 2 && !skew) {
			while (!a.done || !b.done)
				tick(&a, &b);
			a.drive();
			b.drive();
			return;
		}
		run(a);
		for (uint64_t t = 0; t < skew; t++)
			tick(nullptr, nullptr);
		if (ncards == 2)
			run(b);
	}

	/* Waits until all launches have ended. False if one has not after `most` cycles. */
	bool await(uint64_t most = 4000000)
	{
		uint64_t end = cycle + most;
		bool over[2] = { false, ncards == 1 };

		while ((!over[0] || !over[1]) && cycle < end) {
			for (int t = 0; t < 32; t++)
				tick(nullptr, nullptr);
			for (int i = 0; i < ncards; i++)
				over[i] = over[i] || (read32(i, NB_CONTROL) & NB_IDLE);
		}
		return over[0] && over[1];
	}

	/* Sets both programs, starts both cores and waits for both. */
	bool launch(const struct program &a, const struct program &b, uint64_t skew = 0)
	{
		set(0, a);
		if (ncards == 2)
			set(1, b);
		start(skew);
		return await();
	}
};

#endif
