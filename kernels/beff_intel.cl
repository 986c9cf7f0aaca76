/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels for boards with serial channels, for the Intel FPGA SDK for OpenCL. This file fits
 * BittWare's 520N with its four external channels: pair 0 has channels 0 and 2, pair 1 has 1 and 3,
 * as in HPCC_FPGA. Here each compute unit is a kernel of its own, named "send_0" and so on.
 */
#pragma OPENCL EXTENSION cl_intel_channels : enable

#include "kernels.h"

#ifndef CHANNEL_WIDTH
#define CHANNEL_WIDTH 32
#endif
#define LANES 2
#define PAIRS 2
#define CHUNK_WORDS (CHANNEL_WIDTH / 8)
#define CREDITS 16	/* depth of the channel on the card */

typedef uint word32;
typedef ulong word64;

struct chunk {
	word64 word[CHUNK_WORDS];
};

channel struct chunk transmit_0 __attribute__((io("kernel_output_ch0")));
channel struct chunk transmit_1 __attribute__((io("kernel_output_ch1")));
channel struct chunk transmit_2 __attribute__((io("kernel_output_ch2")));
channel struct chunk transmit_3 __attribute__((io("kernel_output_ch3")));
channel struct chunk receive_0 __attribute__((io("kernel_input_ch0")));
channel struct chunk receive_1 __attribute__((io("kernel_input_ch1")));
channel struct chunk receive_2 __attribute__((io("kernel_input_ch2")));
channel struct chunk receive_3 __attribute__((io("kernel_input_ch3")));
channel word64 credit_0 __attribute__((depth(CREDITS)));
channel word64 credit_1 __attribute__((depth(CREDITS)));

#ifndef STATIC
#define STATIC		/* empty, because OpenCL C has `static` only from 1.2 on */
#endif
#define UNROLL _Pragma("unroll")
#define ONCE _Pragma("unroll 1")
#define IN_UNROLL
#define PIPELINE	/* empty: aoc pipelines every loop of a single work-item kernel */
#define IN_PIPELINE
#define OUT
#define IN
#define TAKE
#define GIVE
#define STORE __global struct chunk *message,
#define STORES __global struct chunk *restrict message, __global struct chunk *restrict message1,
#define PASS_OUT
#define PASS_IN
#define PASS_GIVE
#define PASS_STORE(second) (second) ? message1 : message,
#define CHANNEL_WRITE(lane, chunk, beat, last) \
	do { \
		if ((lane) == 0) \
			write_channel_intel(TRANSMIT_A, chunk); \
		else \
			write_channel_intel(TRANSMIT_B, chunk); \
	} while (0)
#define CHANNEL_READ(lane, chunk, beat, last) \
	do { \
		if ((lane) == 0) \
			chunk = read_channel_intel(RECEIVE_A); \
		else \
			chunk = read_channel_intel(RECEIVE_B); \
	} while (0)
#define CREDIT_WRITE(value) write_channel_intel(CREDIT, value)
#define CREDIT_READ() read_channel_intel(CREDIT)
#define KEEP(really, k, chunk) \
	do { \
		if (really) \
			message[k] = chunk; \
	} while (0)

#define SEND_PARAMETERS \
	const word32 iterations, const word32 size, const word32 count, const word32 flags, \
	const word64 first, const word64 step, const word64 last, const word32 size1, \
	const word32 count1, const word32 flags1, const word64 first1, const word64 step1, \
	const word64 last1
#define SEND_ARGUMENTS \
	iterations, size, count, flags, first, step, last, size1, count1, flags1, first1, step1, \
	last1
#define RECV_PARAMETERS \
	const word32 iterations, const word32 size, const word32 count, const word32 flags, \
	__global struct chunk *restrict message, const word32 size1, const word32 count1, \
	const word32 flags1, __global struct chunk *restrict message1
#define RECV_ARGUMENTS message, message1, iterations, size, count, flags, size1, count1, flags1

/* ---- pair 0 ---- */

#define NAME(name) name##_of_0
#define TRANSMIT_A transmit_0
#define TRANSMIT_B transmit_2
#define RECEIVE_A receive_0
#define RECEIVE_B receive_2
#define CREDIT credit_0
#include "body.h"

__attribute__((max_global_work_dim(0)))
__kernel void send_0(SEND_PARAMETERS)
{
	send_body_of_0(SEND_ARGUMENTS);
}

__attribute__((max_global_work_dim(0)))
__kernel void recv_0(RECV_PARAMETERS)
{
	recv_body_of_0(RECV_ARGUMENTS);
}

#undef NAME
#undef TRANSMIT_A
#undef TRANSMIT_B
#undef RECEIVE_A
#undef RECEIVE_B
#undef CREDIT

/* ---- pair 1 ---- */

#define NAME(name) name##_of_1
#define TRANSMIT_A transmit_1
#define TRANSMIT_B transmit_3
#define RECEIVE_A receive_1
#define RECEIVE_B receive_3
#define CREDIT credit_1
#include "body.h"

__attribute__((max_global_work_dim(0)))
__kernel void send_1(SEND_PARAMETERS)
{
	send_body_of_1(SEND_ARGUMENTS);
}

__attribute__((max_global_work_dim(0)))
__kernel void recv_1(RECV_PARAMETERS)
{
	recv_body_of_1(RECV_ARGUMENTS);
}

/* ---- the card ---- */

__attribute__((max_global_work_dim(0)))
__kernel void describe_0(__global word32 *restrict record)
{
	for (word32 i = 0; i < DESCRIBE_WORDS; i++)
		record[i] = 0;
	record[DESCRIBE_MAGIC] = KERNELS_MAGIC;
	record[DESCRIBE_VERSION] = KERNELS_VERSION;
	record[DESCRIBE_WIDTH] = CHANNEL_WIDTH;
	record[DESCRIBE_LANES] = LANES;
	record[DESCRIBE_PAIRS] = PAIRS;
}
