/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface that hosts, kernels, the image writer and the emulator share: names, arguments,
 * channels, content of messages. Outside of plain C it has only macros, so that OpenCL C and HLS
 * can read it as well.
 *
 * A card has `pairs` (replications) of kernels `send` and `recv`. Pair p has the external channels
 * p, p + pairs, ..., one for each lane and direction, numbered as in HPCC_FPGA. Hardware demands
 * that each end of a channel belongs to one kernel: send_p writes the channels, recv_p reads them.
 * A channel on the card leads from recv_p to send_p. Over it recv_p gives credits: each says that
 * messages have arrived. Every measurement is one program of these two kernels, which the arguments
 * choose:
 *
 *	iterations x ( stage 0, stage 1 )
 *
 *	send's stage	[wait for a credit]  `count` messages of `size` bytes  [wait for a credit]
 *	recv's stage	`count` messages of `size` bytes  [give a credit]
 *
 * A stage with count 0 does nothing. The patterns use these stages (W: window, L: bytes of a
 * message, A: bytes of the answer):
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
 * A pair must wait for as many credits as it gives; otherwise a credit stays in the channel for the
 * next run. Kernel `describe`, which returns the geometry of the image, uses no channel; neither
 * does send with 0 iterations.
 */
#ifndef NETBENCH_KERNELS_H
#define NETBENCH_KERNELS_H

/* Increases when an argument or its meaning changes. `describe` returns it. */
#define KERNELS_VERSION 4

/* The kernels. Their compute units are "send_0", "send_1", ...; describe has only number 0. */
#define KERNEL_SEND "send"
#define KERNEL_RECV "recv"
#define KERNEL_DESCRIBE "describe"
#define KERNELS_MAX_PAIRS 8
#define KERNELS_MAX_LANES 4
#define KERNELS_MAX_CHANNELS (KERNELS_MAX_PAIRS * KERNELS_MAX_LANES)

/* The external channel of a lane of a pair, on a card with this number of pairs. */
#define CHANNEL_OF(pairs, pair, lane) ((lane) * (pairs) + (pair))

/* Arguments by number: iterations, then those of stage 0 and of stage 1. */
#define ARG_ITERATIONS 0	/* 32 bit */
#define ARG_STAGES 1		/* first argument of stage 0 */
#define STAGE_SIZE 0		/* 32 bit, bytes of a message; 0: one beat that carries nothing */
#define STAGE_COUNT 1		/* 32 bit, messages */
#define STAGE_FLAGS 2		/* 32 bit, below */
#define STAGE_FIRST 3		/* 64 bit, only send: content of the first message, see below */
#define STAGE_STEP 4		/* 64 bit, only send: what each message adds to it */
#define STAGE_LAST 5		/* 64 bit, only send: content of the very last message */
#define STAGE_MESSAGE 3		/* global memory, only recv: where the very last message is kept */
#define SEND_STAGE_ARGS 6
#define RECV_STAGE_ARGS 4
#define SEND_ARG(stage, which) (ARG_STAGES + SEND_STAGE_ARGS * (stage) + (which))
#define RECV_ARG(stage, which) (ARG_STAGES + RECV_STAGE_ARGS * (stage) + (which))
#define STAGES 2
#define DESCRIBE_RECORD 0	/* global memory, DESCRIBE_WORDS words of 32 bit */

/* Flags of the stages of send and of recv. */
#define SEND_WAIT_BEFORE 1u
#define SEND_WAIT_AFTER 2u
#define RECV_CREDIT 1u
/* both kernels: the stage does not use this channel */
#define LANE_OFF(lane) (0x100u << (lane))

/* What `describe` writes. */
#define DESCRIBE_MAGIC 0	/* KERNELS_MAGIC */
#define DESCRIBE_VERSION 1	/* KERNELS_VERSION */
#define DESCRIBE_WIDTH 2	/* bytes of a chunk: width of a channel */
#define DESCRIBE_LANES 3	/* channels of a pair */
#define DESCRIBE_PAIRS 4	/* pairs */
#define DESCRIBE_WORDS 8
#define KERNELS_MAGIC 0x6e62656eu

/*
 * The content of a message. A message consists of beats, with one chunk on each channel of the
 * pair. Byte i of it travels in beat i / (lanes * width), on lane i / width mod lanes. The last
 * beat is filled up. The sending card makes every message without access to memory. In words of 64
 * bit, least significant byte first,
 *
 *	word i = (first + i * KERNELS_GOLDEN) | KERNELS_ODD		as in src/measure/content.c
 *
 * so no byte is zero. The next message of the stage, in this iteration or the next one, uses first
 * + step. Only the last message of the last iteration uses `last`, so that a receiver can keep it
 * and a host verify it. A credit carries the bits of KERNELS_ODD that were missing in the first
 * word of each received chunk: none, except after a fault. The value of a credit is added to first
 * and last of the stage that follows it. So messages depend on their credit, and no compiler can
 * send them earlier.
 *
 * In the last iteration recv stores the last message of a stage in memory, in whole beats. So
 * buffers begin at a multiple of the width and have room for whole beats. The host must restore the
 * bytes that follow the message in its last beat.
 */
#define KERNELS_GOLDEN 0x9e3779b97f4a7c15UL
#define KERNELS_ODD 0x0101010101010101UL

/*
 * Types of a kernel's arguments, in order: p is a pointer into global memory, i has 32 bit, l has
 * 64 bit. Their names are for an image's metadata.
 */
#define SEND_TYPES "iiiillliiilll"
#define SEND_NAMES "iterations size count flags first step last " \
	"size1 count1 flags1 first1 step1 last1"
#define RECV_TYPES "iiiipiiip"
#define RECV_NAMES "iterations size count flags message size1 count1 flags1 message1"
#define DESCRIBE_TYPES "p"
#define DESCRIBE_NAMES "record"

/*
 * The offset of the register of the first argument. In HLS's layout an argument of 32 bit takes 8
 * bytes, any other 12.
 */
#define REGISTERS_START 0x10
#define REGISTER_ROOM(type) ((type) == 'i' ? 8 : 12)

#endif
