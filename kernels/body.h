/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels themselves, for every shell. Included once a pair by a shell that cannot choose a
 * channel at run time, hence no guard. The shell defines before:
 *
 *	NAME(name)			name of the function, different for each pair
 *	CHANNEL_WIDTH, LANES		bytes of a chunk, channels of the pair
 *	struct chunk			{ word64 word[CHUNK_WORDS]; }
 *	word32, word64			unsigned types
 *	OUT, TAKE, IN, GIVE		parameters that lead to the channels of messages and of credits,
 *					in send and in recv, with a comma after them if any
 *	PASS_OUT, PASS_TAKE, PASS_IN, PASS_GIVE		the same as arguments
 *	CHANNEL_WRITE(lane, chunk, beat, last)		the message's beat, whether it is its last
 *	CHANNEL_READ(lane, chunk, beat, last)
 *	CREDIT_WRITE(value), CREDIT_READ()	word64
 *	STATIC				`static`, where the language has it
 *	GLOBAL				qualifier of pointers into global memory
 *	UNROLL, IN_UNROLL		what unrolls a loop: before it, within it
 *	IN_PIPELINE			what pipelines the loop that it stands in
 */

#define BEAT (CHANNEL_WIDTH * LANES)

/* Beats of a message; one of 0 bytes takes one, too. */
STATIC word32 NAME(count_beats)(word32 size)
{
	return size ? (size - 1) / BEAT + 1 : 1;
}

/* Words that a chunk of a message has, `at` being first + number of its first word * GOLDEN. */
STATIC struct chunk NAME(make_chunk)(word64 at)
{
	struct chunk c;

	UNROLL
	for (word32 w = 0; w < CHUNK_WORDS; w++) {
		IN_UNROLL
		c.word[w] = (at + w * (word64)KERNELS_GOLDEN) | KERNELS_ODD;
	}
	return c;
}

STATIC void NAME(send_message)(OUT GLOBAL const struct chunk *message, word32 size,
			       word32 flags, word64 first)
{
	word32 beats = NAME(count_beats)(size);

	for (word32 b = 0; b < beats; b++) {
		IN_PIPELINE
		UNROLL
		for (word32 lane = 0; lane < LANES; lane++) {
			IN_UNROLL
			struct chunk c;

			if (flags & SEND_MEMORY)
				c = message[b * LANES + lane];
			else
				c = NAME(make_chunk)(first);
			first += CHUNK_WORDS * (word64)KERNELS_GOLDEN;
			CHANNEL_WRITE(lane, c, b, b + 1 == beats);
		}
	}
}

/* A stage of send, in the last iteration or not; returns the content of the message after it. */
STATIC word64 NAME(send_stage)(OUT TAKE GLOBAL const struct chunk *message, word32 size,
			       word32 count, word32 flags, word64 first, word64 step, word32 last)
{
	if (count && (flags & SEND_WAIT_BEFORE))
		first += CREDIT_READ();
	for (word32 m = 0; m < count; m++) {
		word32 stored = last && m + 1 == count && (flags & SEND_LAST_MEMORY);

		NAME(send_message)(PASS_OUT message, size, stored ? SEND_MEMORY : flags, first);
		first += step;
	}
	if (count && (flags & SEND_WAIT_AFTER))
		first += CREDIT_READ();
	return first;
}

/* Bits of a chunk's word w that are of a message's first n bytes in this chunk. */
STATIC word64 NAME(mask_of)(word32 n, word32 w)
{
	if (n >= 8 * w + 8)
		return ~(word64)0;
	return n <= 8 * w ? 0 : ((word64)1 << 8 * (n - 8 * w)) - 1;
}

/* What memory gets as the last chunk, of which the first n bytes belong to the message. */
STATIC struct chunk NAME(merge)(struct chunk old, struct chunk c, word32 n)
{
	UNROLL
	for (word32 w = 0; w < CHUNK_WORDS; w++) {
		IN_UNROLL
		word64 mask = NAME(mask_of)(n, w);

		old.word[w] = (old.word[w] & ~mask) | (c.word[w] & mask);
	}
	return old;
}

/* Receives a message and stores it if `keep`; returns the bits that its first word lacks. */
STATIC word64 NAME(recv_message)(IN GLOBAL struct chunk *message, word32 size, word32 keep)
{
	word32 beats = NAME(count_beats)(size), whole = size / CHANNEL_WIDTH;
	word64 lacking = 0;
	struct chunk rest = { { 0 } };

	for (word32 b = 0; b < beats; b++) {
		IN_PIPELINE
		UNROLL
		for (word32 lane = 0; lane < LANES; lane++) {
			IN_UNROLL
			word32 k = b * LANES + lane;
			struct chunk c;

			CHANNEL_READ(lane, c, b, b + 1 == beats);
			if (k == 0)
				lacking = ~c.word[0] & KERNELS_ODD;
			if (k < whole && keep)
				message[k] = c;
			if (k == whole)
				rest = c;
		}
	}
	if (keep && size % CHANNEL_WIDTH)
		message[whole] = NAME(merge)(message[whole], rest, size % CHANNEL_WIDTH);
	return size >= 8 ? lacking : 0;
}

/* A stage of recv; in the last iteration the last message is kept. */
STATIC void NAME(recv_stage)(IN GIVE GLOBAL struct chunk *message, word32 size, word32 count,
			     word32 flags, word32 last)
{
	word64 lacking = 0;

	for (word32 m = 0; m < count; m++)
		lacking |= NAME(recv_message)(PASS_IN message, size, last && m + 1 == count);
	if (count && (flags & RECV_CREDIT))
		CREDIT_WRITE(lacking);
}

STATIC void NAME(send_body)(OUT TAKE word32 iterations, GLOBAL const struct chunk *message,
			    word32 size, word32 count, word32 flags, word64 first, word64 step,
			    GLOBAL const struct chunk *message1, word32 size1, word32 count1,
			    word32 flags1, word64 first1, word64 step1)
{
	for (word32 i = 0; i < iterations; i++) {
		word32 last = i + 1 == iterations;

		first = NAME(send_stage)(PASS_OUT PASS_TAKE message, size, count, flags, first,
					 step, last);
		first1 = NAME(send_stage)(PASS_OUT PASS_TAKE message1, size1, count1, flags1,
					  first1, step1, last);
	}
}

STATIC void NAME(recv_body)(IN GIVE word32 iterations, GLOBAL struct chunk *message, word32 size,
			    word32 count, word32 flags, GLOBAL struct chunk *message1, word32 size1,
			    word32 count1, word32 flags1)
{
	for (word32 i = 0; i < iterations; i++) {
		word32 last = i + 1 == iterations;

		NAME(recv_stage)(PASS_IN PASS_GIVE message, size, count, flags, last);
		NAME(recv_stage)(PASS_IN PASS_GIVE message1, size1, count1, flags1, last);
	}
}

#undef BEAT
