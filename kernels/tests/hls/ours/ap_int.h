/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of Vitis HLS's ap_uint as beff_xilinx.cpp uses, to run it on a processor where AMD's own
 * header is not: words of 64 bit. What was not set is no zero.
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
	/* Bits 64 i + 63 ... 64 i. */
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
	/* Sign-extended, as -1 is all ones. */
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
