/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core that Verilator makes from the SystemVerilog, with its registers by AXI4-Lite and its
 * stream ports. The testbench and the emulated image use it.
 */
#ifndef NETBENCH_KERNELS_RTL_CARD_HPP
#define NETBENCH_KERNELS_RTL_CARD_HPP

#include <array>
#include <cstdint>
#include <cstring>

#include "Vnb_link.h"
#include "registers.h"

#ifndef NB_W
#define NB_W 512
#endif
#define BEAT_BYTES (NB_W / 8)
#define BEAT_WORDS (BEAT_BYTES / 8)
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define ODD UINT64_C(0x0101010101010101)

typedef std::array<uint64_t, BEAT_WORDS> beat_t;

/* Returns the beat whose first word is made of `at`. */
static inline beat_t make_beat(uint64_t at)
{
	beat_t b;

	for (int i = 0; i < BEAT_WORDS; i++)
		b[i] = (at + i * GOLDEN) | ODD;
	return b;
}

static inline uint64_t beats_of(uint64_t size)
{
	return size ? (size - 1) / BEAT_BYTES + 1 : 1;
}

/* The arguments of a launch; `flags` has the group. */
struct program {
#define NB_FIELD(NAME, name, offset, bits, meaning) uint##bits##_t name;
	NB_ARGUMENTS(NB_FIELD)
#undef NB_FIELD
};

/* The results of a launch in the registers. */
struct report {
#define NB_FIELD(NAME, name, offset, bits, meaning) uint##bits##_t name;
	NB_RESULTS(NB_FIELD)
#undef NB_FIELD
};

class card {
public:
	Vnb_link top;
	uint64_t cycle = 0;

	card()
	{
		top.ap_clk = 0;
		top.ap_rst_n = 0;
		top.eval();
	}

	/* Applies the inputs before the clock edge. The outputs are then stable until `edge`. */
	void settle(bool out_ready, bool in_valid, const beat_t *in)
	{
		top.out_tready = out_ready;
		top.in_tvalid = in_valid;
		if (in_valid)
			memcpy(&top.in_tdata, in->data(), sizeof(*in));
		top.ap_clk = 0;
		top.eval();
	}

	void edge()
	{
		top.ap_clk = 1;
		top.eval();
		cycle++;
	}

	bool sends() const
	{
		return top.out_tvalid && top.out_tready;
	}

	bool takes() const
	{
		return top.in_tvalid && top.in_tready;
	}

	beat_t sent() const
	{
		beat_t b;

		memcpy(b.data(), &top.out_tdata, sizeof(b));
		return b;
	}
};

/* One access to the registers. In each cycle call drive, settle, look and edge, until `done`. */
struct register_access {
	card *of;
	uint32_t offset, value;
	bool writes, addressed = false, done = false;

	register_access(card &c, uint32_t at) : of(&c), offset(at), value(0), writes(false)
	{
	}

	register_access(card &c, uint32_t at, uint32_t v)
		: of(&c), offset(at), value(v), writes(true)
	{
	}

	/* Call it before settle. */
	void drive()
	{
		Vnb_link &t = of->top;

		t.s_axi_control_awvalid = t.s_axi_control_wvalid = writes && !addressed && !done;
		t.s_axi_control_awaddr = offset;
		t.s_axi_control_wdata = value;
		t.s_axi_control_wstrb = 15;
		t.s_axi_control_arvalid = !writes && !addressed && !done;
		t.s_axi_control_araddr = offset;
		t.s_axi_control_bready = t.s_axi_control_rready = 1;
	}

	/* Call it between settle and edge. */
	void look()
	{
		const Vnb_link &t = of->top;

		if (writes && t.s_axi_control_awvalid && t.s_axi_control_awready)
			addressed = true;
		else if (writes && t.s_axi_control_bvalid)
			done = true;
		if (!writes && t.s_axi_control_arvalid && t.s_axi_control_arready)
			addressed = true;
		else if (!writes && t.s_axi_control_rvalid) {
			value = t.s_axi_control_rdata;
			done = true;
		}
	}
};

#endif
