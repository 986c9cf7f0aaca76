/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the names that aoc knows and another OpenCL lacks, to run beff_intel.cl on this machine's
 * processor. A channel is a slot for one value in the host's memory, whose address is POOL. Pairs 0
 * and 1 face each other.
 */
#define channel typedef
#define io(name)
#define depth(chunks)
#define max_global_work_dim(n)

#define PLACE_transmit_0 0
#define PLACE_transmit_1 1
#define PLACE_transmit_2 2
#define PLACE_transmit_3 3
#define PLACE_receive_0 1
#define PLACE_receive_1 0
#define PLACE_receive_2 3
#define PLACE_receive_3 2
#define PLACE_credit_0 4
#define PLACE_credit_1 5

#define PLACE(name) ((__global volatile int *)POOL + 64 * PLACE_##name)

#define write_channel_intel(to, value) WRITE_PLACE(to, value)
#define WRITE_PLACE(to, value) \
	do { \
		while (*PLACE(to)) \
			; \
		mem_fence(CLK_GLOBAL_MEM_FENCE); \
		*(__global to *)(PLACE(to) + 32) = (value); \
		mem_fence(CLK_GLOBAL_MEM_FENCE); \
		*PLACE(to) = 1; \
	} while (0)

#define read_channel_intel(from) READ_PLACE(from)
#define READ_PLACE(from) \
	({ \
		from got; \
		while (!*PLACE(from)) \
			; \
		mem_fence(CLK_GLOBAL_MEM_FENCE); \
		got = *(__global from *)(PLACE(from) + 32); \
		mem_fence(CLK_GLOBAL_MEM_FENCE); \
		*PLACE(from) = 0; \
		got; \
	})
