/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What hosts, kernels, the writer of images and the emulator agree on: names, arguments, channels,
 * content of messages. Macros alone outside of plain C, so that OpenCL C and HLS read it as well.
 *
 * A card has `pairs` (replications) of kernels, `send` and `recv`; pair p has the external channels
 * p, p + pairs, ..., one for each lane, both ways, as HPCC_FPGA pairs them. Each end of a channel
 * belongs to one kernel, as hardware demands: send_p writes them, recv_p reads them. From recv_p to
 * send_p leads a channel on the card, over which recv_p tells that messages have arrived: a credit.
 * All that is measured is one program of these two kernels, given by arguments:
 *
 *	iterations x ( stage 0, stage 1 )
 *
 *	send's stage	[wait for a credit]  `count` messages of `size` bytes  [wait for a credit]
 *	recv's stage	`count` messages of `size` bytes  [give a credit]
 *
 * A stage with count 0 does nothing. What the patterns need (W: window, A: bytes of the answer):
 *
 *	pattern			send, stages 0 | 1		recv, stages 0 | 1
 *	b_eff, exchange		1 x L, after			1 x L, credit
 *	ping-pong, first	1 x L, after			1 x L, credit
 *	ping-pong, second	1 x L, before			1 x L, credit
 *	one way			1 x L				1 x L
 *	window, sender		W x L, after			1 x A, credit
 *	window, receiver	1 x A, before			W x L, credit
 *	windows both ways	W x L, after | 1 x A, after	W x L, credit | 1 x A, credit
 *
 * Waits and credits of a pair must be equal in number, or one stays in the channel for the next
 * run. Kernel `describe` (geometry of the image) uses no channel, nor does send with 0 iterations.
 */
#ifndef NETBENCH_KERNELS_H
#define NETBENCH_KERNELS_H

/* Grows when an argument or its meaning changes; `describe` yields it. */
#define KERNELS_VERSION 4

/* Kernels, and their compute units "send_0", "send_1", ...; describe has number 0 alone. */
#define KERNEL_SEND "send"
#define KERNEL_RECV "recv"
#define KERNEL_DESCRIBE "describe"
#define KERNELS_MAX_PAIRS 8
#define KERNELS_MAX_LANES 4
#define KERNELS_MAX_CHANNELS (KERNELS_MAX_PAIRS * KERNELS_MAX_LANES)

/* The external channel of a pair's lane, on a card with so many pairs. */
#define CHANNEL_OF(pairs, pair, lane) ((lane) * (pairs) + (pair))

/* Arguments by number: iterations, then those of stage 0 and of stage 1. */
#define ARG_ITERATIONS 0	/* 32 bit */
#define ARG_STAGES 1		/* first argument of stage 0 */
#define STAGE_SIZE 0		/* 32 bit, bytes of a message; 0: one beat that carries nothing */
#define STAGE_COUNT 1		/* 32 bit, messages */
#define STAGE_FLAGS 2		/* 32 bit, below */
#define STAGE_FIRST 3		/* 64 bit, send alone: content of the first message, see below */
#define STAGE_STEP 4		/* 64 bit, send alone: what each message adds to it */
#define STAGE_LAST 5		/* 64 bit, send alone: content of the last message of all */
#define STAGE_MESSAGE 3		/* global memory, recv alone: where the last message of all goes */
#define SEND_STAGE_ARGS 6
#define RECV_STAGE_ARGS 4
#define SEND_ARG(stage, which) (ARG_STAGES + SEND_STAGE_ARGS * (stage) + (which))
#define RECV_ARG(stage, which) (ARG_STAGES + RECV_STAGE_ARGS * (stage) + (which))
#define STAGES 2
#define DESCRIBE_RECORD 0	/* global memory, DESCRIBE_WORDS words of 32 bit */

/* Flags of send's stages, and of recv's. */
#define SEND_WAIT_BEFORE 1u
#define SEND_WAIT_AFTER 2u
#define RECV_CREDIT 1u
#define LANE_OFF(lane) (0x100u << (lane))	/* of both: the stage leaves out this channel */

/* What `describe` writes. */
#define DESCRIBE_MAGIC 0	/* KERNELS_MAGIC */
#define DESCRIBE_VERSION 1	/* KERNELS_VERSION */
#define DESCRIBE_WIDTH 2	/* bytes of a chunk: width of a channel */
#define DESCRIBE_LANES 3	/* channels of a pair */
#define DESCRIBE_PAIRS 4	/* pairs */
#define DESCRIBE_WORDS 8
#define KERNELS_MAGIC 0x6e62656eu

/*
 * Content. A message is made of beats, one chunk on each channel of the pair; byte i of it travels
 * in beat i / (lanes * width), on lane i / width mod lanes. The last beat is filled up. The sending
 * card makes every message, without looking at memory; in words of 64 bit, least significant byte
 * first,
 *
 *	word i = (first + i * KERNELS_GOLDEN) | KERNELS_ODD		as in src/measure/content.c
 *
 * so no byte is zero. The next message of the stage, in this iteration or the next, has first +
 * step; only the last message of the last iteration has `last`, so that a receiver can keep and a
 * host verify it. What a credit carries is added to first and last of the stage that follows it:
 * the bits of KERNELS_ODD that were missing in the words with which the received chunks begin, none
 * but after a fault. The messages hang on it, so no compiler can send them before.
 *
 * recv leaves the last message of a stage in the last iteration in memory, whole beats. So buffers
 * begin at a multiple of the width and have room for whole beats, and what is behind the message in
 * its last beat is for the host to restore.
 */
#define KERNELS_GOLDEN 0x9e3779b97f4a7c15UL
#define KERNELS_ODD 0x0101010101010101UL

/*
 * Types of a kernel's arguments, in order: p pointer into global memory, i 32 bit, l 64 bit; and
 * their names, for an image's metadata.
 */
#define SEND_TYPES "iiiillliiilll"
#define SEND_NAMES "iterations size count flags first step last " \
	"size1 count1 flags1 first1 step1 last1"
#define RECV_TYPES "iiiipiiip"
#define RECV_NAMES "iterations size count flags message size1 count1 flags1 message1"
#define DESCRIBE_TYPES "p"
#define DESCRIBE_NAMES "record"

/* Register of the first argument; one of 32 bit takes 8 bytes, others 12: as HLS lays them out. */
#define REGISTERS_START 0x10
#define REGISTER_ROOM(type) ((type) == 'i' ? 8 : 12)

#endif
