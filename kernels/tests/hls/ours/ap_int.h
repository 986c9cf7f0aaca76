/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of Vitis HLS's ap_uint that beff_xilinx.cpp uses, in words of 64 bit, to run it on a
 * processor without AMD's header. Bits that were not set are not zero.
 */
#ifndef NETBENCH_CHECK_AP_INT_H
#define NETBENCH_CHECK_AP_INT_H

#include <cassert>
#include <cstdint>

template <int BITS> class ap_uint
{
	static const int WORDS = (BITS + 63) / 64;
	uint64_t words[WORDS];

public:
	/* The word of bits 64 i to 64 i + 63. */
	class part
	{
		uint64_t &word;

	public:
		explicit part(uint64_t &w) : word(w)
		{
		}
		void operator=(uint64_t value)
		{
			word = value;
		}
		operator uint64_t() const
		{
			return word;
		}
	};

	ap_uint()
	{
		for (int i = 0; i < WORDS; i++)
			words[i] = 0xa5a5a5a5a5a5a5a5;
	}
	/* Sign-extends the value, so that -1 is all ones. */
	ap_uint(long value)
	{
		for (int i = 0; i < WORDS; i++)
			words[i] = i ? (value < 0 ? ~(uint64_t)0 : 0) : (uint64_t)value;
	}
	operator uint64_t() const
	{
		return BITS < 64 ? words[0] & (((uint64_t)1 << BITS % 64) - 1) : words[0];
	}
	part range(int high, int low)
	{
		assert(low % 64 == 0 && high == low + 63 && high < BITS);
		return part(words[low / 64]);
	}
};

#endif
