/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The single definition of the registers of nb_link. The host's side, the testbench, the emulated
 * image and the image writer include it. pack/registers.py makes kernel.xml and the table in the
 * manual from it, and a test compares them.
 *
 *	NB_ARGUMENT(NAME, name, offset, bits, meaning)	the host writes it and can read it back; a
 *							launch takes it
 *	NB_RESULT(NAME, name, offset, bits, meaning)	read-only
 */
#ifndef NETBENCH_KERNELS_RTL_REGISTERS_H
#define NETBENCH_KERNELS_RTL_REGISTERS_H

#define NB_KERNEL "nb_link"
#define NB_MAGIC 0x6e627274u	/* "nbrt" */
#define NB_VERSION 1u
#define NB_TURN 3u	/* cycles from the last beat received to the next beat, which it allows */
#define NB_BUCKETS 1024
#define NB_RANGE 0x2000		/* size of the address range, bytes */

#define NB_ARGUMENTS(NB_ARGUMENT) \
	NB_ARGUMENT(ITERATIONS, iterations, 0x010, 32, "iterations of stage 0 and stage 1") \
	NB_ARGUMENT(SKIP, skip, 0x018, 32, "first iterations that are run but not measured") \
	NB_ARGUMENT(FLAGS, flags, 0x020, 32, \
		"bit 0: clear times and histogram, 1: drain first, 31:16: iterations a sample") \
	NB_ARGUMENT(TIMEOUT, timeout, 0x028, 32, \
		"units of 1024 cycles without a beat after which a launch ends; 0: never") \
	NB_ARGUMENT(BASE, base, 0x030, 32, \
		"subtracted from a sample before the histogram counts it") \
	NB_ARGUMENT(S_SIZE0, s_size0, 0x038, 32, "bytes of a message to send; 0: one beat") \
	NB_ARGUMENT(S_COUNT0, s_count0, 0x040, 32, "messages to send in stage 0") \
	NB_ARGUMENT(S_FLAGS0, s_flags0, 0x048, 32, \
		"bit 0: wait for a credit before stage 0, bit 1: after it") \
	NB_ARGUMENT(R_SIZE0, r_size0, 0x050, 32, "bytes of a message to receive") \
	NB_ARGUMENT(R_COUNT0, r_count0, 0x058, 32, "messages to receive in stage 0") \
	NB_ARGUMENT(R_FLAGS0, r_flags0, 0x060, 32, "bit 0: give a credit after stage 0") \
	NB_ARGUMENT(S_SIZE1, s_size1, 0x068, 32, "bytes of a message to send in stage 1") \
	NB_ARGUMENT(S_COUNT1, s_count1, 0x070, 32, "messages to send in stage 1") \
	NB_ARGUMENT(S_FLAGS1, s_flags1, 0x078, 32, "as s_flags0, for stage 1") \
	NB_ARGUMENT(R_SIZE1, r_size1, 0x080, 32, "bytes of a message to receive in stage 1") \
	NB_ARGUMENT(R_COUNT1, r_count1, 0x088, 32, "messages to receive in stage 1") \
	NB_ARGUMENT(R_FLAGS1, r_flags1, 0x090, 32, "as r_flags0, for stage 1") \
	NB_ARGUMENT(S_FIRST, s_first, 0x098, 64, "first word of the first message to send") \
	NB_ARGUMENT(S_STEP, s_step, 0x0a4, 64, "what each message adds to s_first") \
	NB_ARGUMENT(R_FIRST, r_first, 0x0b0, 64, "first word of the first message expected") \
	NB_ARGUMENT(R_STEP, r_step, 0x0bc, 64, "what each message adds to r_first")

#define NB_RESULTS(NB_RESULT) \
	NB_RESULT(R_MAGIC, magic, 0x100, 32, "\"nbrt\"") \
	NB_RESULT(R_VERSION, version, 0x104, 32, \
		"increases when a register or its meaning changes") \
	NB_RESULT(SHAPE, shape, 0x108, 32, \
		"31:24: turn, 23:16: bits of the histogram, 15:0: bytes of a beat") \
	NB_RESULT(STATUS, status, 0x10c, 32, "bit 0: time-out, 1: wrong beats, 2: samples missed") \
	NB_RESULT(NOW, now, 0x110, 64, "cycles since the reset; read its low half first") \
	NB_RESULT(S_BEGIN, s_begin, 0x118, 64, \
		"end of the sender's last skipped iteration, cycles") \
	NB_RESULT(S_END, s_end, 0x120, 64, "end of the sender's last iteration, cycles") \
	NB_RESULT(R_BEGIN, r_begin, 0x128, 64, \
		"end of the receiver's last skipped iteration, cycles") \
	NB_RESULT(R_END, r_end, 0x130, 64, "end of the receiver's last iteration, cycles") \
	NB_RESULT(S_MESSAGES, s_messages, 0x138, 64, "messages sent") \
	NB_RESULT(R_MESSAGES, r_messages, 0x140, 64, "messages received") \
	NB_RESULT(S_STALL, s_stall, 0x148, 64, "cycles in which the link did not take a beat") \
	NB_RESULT(R_GAP, r_gap, 0x150, 64, "cycles without a beat inside a message") \
	NB_RESULT(WRONG_BEATS, wrong_beats, 0x158, 64, \
		"beats with other content than the sender made") \
	NB_RESULT(WRONG_WORDS, wrong_words, 0x160, 64, "wrong words of 64 bit in these beats") \
	NB_RESULT(WRONG_FIRST, wrong_first, 0x168, 64, "number of the first wrong beat") \
	NB_RESULT(LAST_WORD, last_word, 0x170, 64, "first word of the last message received") \
	NB_RESULT(DRAINED, drained, 0x178, 64, "beats that the drain of this launch dropped") \
	NB_RESULT(LEAST, least, 0x180, 32, "least sample, cycles") \
	NB_RESULT(GREATEST, greatest, 0x184, 32, "greatest sample; at most 2^32 - 1") \
	NB_RESULT(SAMPLES, samples, 0x188, 64, "samples counted") \
	NB_RESULT(MISSED, missed, 0x190, 64, "samples within 4 cycles after another, not counted")

/* Registers that are no single values: control, the first wrong beat, the histogram. */
#define NB_CONTROL 0x000	/* 0 start, 1 done, 2 idle, 3 ready, 7 auto-restart */
#define NB_WRONG_BEAT 0x1c0	/* 64 bytes */
#define NB_HISTOGRAM 0x1000	/* NB_BUCKETS words of 32 bit */

enum nb_offset {
#define NB_OFFSET(NAME, name, offset, bits, meaning) NB_##NAME = offset,
	NB_ARGUMENTS(NB_OFFSET) NB_RESULTS(NB_OFFSET)
#undef NB_OFFSET
};

/* The numbers of the arguments, as a host passes them to XRT, and the number of arguments. */
enum nb_argument {
#define NB_NUMBER(NAME, name, offset, bits, meaning) NB_ARG_##NAME,
	NB_ARGUMENTS(NB_NUMBER) NB_ARGUMENT_COUNT
#undef NB_NUMBER
};

#define NB_START 0x1u
#define NB_DONE 0x2u
#define NB_IDLE 0x4u

#define NB_FLAG_CLEAR 0x1u
#define NB_FLAG_DRAIN 0x2u
#define NB_FLAG_GROUP(iterations) ((unsigned)(iterations) << 16)
#define NB_GROUP_MOST 65535u

#define NB_TIMED_OUT 0x1u
#define NB_WRONG 0x2u
#define NB_MISSED_SAMPLES 0x4u

/*
 * Sets the least and the greatest value of (sample - base) that a bucket counts. The greatest of
 * the last bucket is UINT32_MAX.
 */
static inline void nb_bucket_range(unsigned bucket, unsigned *least, unsigned *greatest)
{
	unsigned e = bucket < 128 ? 0 : bucket / 64 - 1;

	*least = bucket < 128 ? bucket : (64 + bucket % 64) << e;
	*greatest = bucket == NB_BUCKETS - 1 ? 0xffffffffu : *least + (1u << e) - 1;
}

#endif
