/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels themselves, for every shell. Included once a pair by a shell that cannot choose a
 * channel at run time, hence no guard. The shell defines before:
 *
 *	NAME(name)			name of the function, different for each pair
 *	CHANNEL_WIDTH, LANES		bytes of a chunk, channels of the pair
 *	CHUNK				type of a chunk: CHUNK_WORDS words of 64 bit
 *	PUT_WORD(c, w, value)		makes it word w of chunk c
 *	GET_WORD(c, w)			word w of it
 *	NO_CHUNK			initialiser of one whose words are 0
 *	word32, word64			unsigned types
 *	OUT, TAKE, IN, GIVE		parameters that lead to channels of messages and of credits,
 *					in send and in recv, with a comma after them if any
 *	STORE, STORES			the same, to where recv keeps a message, of a stage or both
 *	PASS_OUT, PASS_IN, PASS_GIVE	the same as arguments
 *	PASS_STORE(second)		of STORES that of stage 0 or, if second, 1
 *	CHANNEL_WRITE(lane, chunk, beat, last)		the message's beat, whether it is its last
 *	CHANNEL_READ(lane, chunk, beat, last)
 *	CREDIT_WRITE(value), CREDIT_READ()	word64
 *	KEEP(really, k, chunk)		makes this chunk k of the message in memory, or does nothing
 *	STATIC				`static`, where the language has it
 *	UNROLL, IN_UNROLL		what unrolls a loop: before it, within it
 *	PIPELINE, IN_PIPELINE		what pipelines the loop that it stands before, and in
 *	ONCE				what keeps the loop behind it from being unrolled
 *
 * What a message takes beside the link is cycles of these loops, so this is how they are built:
 *
 * No loop of send has access to memory. In recv's the only one is a store, on which nothing waits:
 * the credit is written in the loop, by the iteration that reads the last beat, so that neither the
 * depth of the store nor the loop's end lies between that beat and the credit.
 *
 * All messages of a stage go through one loop over beats. Between a window's messages there is no
 * cycle; the loop is filled once for the whole window.
 *
 * Each iteration begins one cycle after the one before (II = 1): what one hands to the next is
 * counters, a 64 bit sum (at, first) behind a choice, and the bits that were lacking. No iteration
 * reads what another has put into memory.
 *
 * Each channel has one call site. So stages are turns of one loop, and what waits after a stage and
 * before the next one is read at one place, of which the last turn has nothing else.
 *
 * No order of calls on different channels hangs on a fence, or on compilers keeping loops apart. A
 * message is sent after the credit since its content is made with it; a credit is written after the
 * last beat since it is made of all beats; and whether a credit is waited for after a stage, the
 * number of messages says that the loop has counted, which is known when it ends.
 */

#define BEAT (CHANNEL_WIDTH * LANES)

#ifndef CHUNK
#define CHUNK struct chunk	/* { word64 word[CHUNK_WORDS]; } */
#define PUT_WORD(c, w, value) (c).word[w] = (value)
#define GET_WORD(c, w) (c).word[w]
#define NO_CHUNK { { 0 } }
#endif

#ifndef NETBENCH_BODY_H
#define NETBENCH_BODY_H
/* A stage; of recv without contents. */
struct stage_of_kernel {
	word32 beats, count, flags;	/* beats of a message */
	word64 total;			/* beats */
	word64 first, step, last, advance;	/* advance: of first, by the whole stage */
};

/* Where a loop over beats stands. */
struct progress {
	word32 beat, message;
};
#define NO_MESSAGE 0xffffffffu
#endif

/* One of 0 bytes takes a beat, too. A launch does this once: no loop multiplies. */
STATIC struct stage_of_kernel NAME(make_stage)(word32 size, word32 count, word32 flags,
					       word64 first, word64 step, word64 last)
{
	struct stage_of_kernel s;

	s.beats = size ? (size - 1) / BEAT + 1 : 1;
	s.count = count;
	s.flags = flags;
	s.total = (word64)s.beats * count;
	s.first = first;
	s.step = step;
	s.last = last;
	s.advance = count * step;
	return s;
}

/* Words that a chunk of a message has, `at` being first + number of its first word * GOLDEN. */
STATIC CHUNK NAME(make_chunk)(word64 at)
{
	CHUNK c;

	UNROLL
	for (word32 w = 0; w < CHUNK_WORDS; w++) {
		IN_UNROLL
		PUT_WORD(c, w, (at + w * (word64)KERNELS_GOLDEN) | KERNELS_ODD);
	}
	return c;
}

/* The beat after this one. */
STATIC struct progress NAME(go_on)(struct progress p, word32 beats)
{
	word32 ends = p.beat + 1 == beats;

	p.beat = ends ? 0 : p.beat + 1;
	p.message += ends;
	return p;
}

/*
 * Sends a stage's messages; number `marked` is made of `last`. Returns how many it were.
 *
 * II = 1. Depth: a sum, the chunk's sums beside each other, the write. No memory.
 */
STATIC word32 NAME(send_messages)(OUT struct stage_of_kernel s, word32 marked)
{
	struct progress p = { 0, 0 };
	word64 first = s.first, at = marked == 0 ? s.last : first;

	PIPELINE
	for (word64 b = 0; b < s.total; b++) {
		IN_PIPELINE
		word32 ends = p.beat + 1 == s.beats;

		UNROLL
		for (word32 lane = 0; lane < LANES; lane++) {
			IN_UNROLL
			CHUNK c = NAME(make_chunk)(at + lane * CHUNK_WORDS *
						   (word64)KERNELS_GOLDEN);

			if (!(s.flags & LANE_OFF(lane)))
				CHANNEL_WRITE(lane, c, p.beat, ends);
		}
		p = NAME(go_on)(p, s.beats);
		first += ends ? s.step : 0;
		at = !ends ? at + LANES * CHUNK_WORDS * (word64)KERNELS_GOLDEN
			   : p.message == marked ? s.last : first;
	}
	return p.message;
}

STATIC void NAME(send_body)(OUT TAKE word32 iterations, word32 size, word32 count, word32 flags,
			    word64 first, word64 step, word64 last, word32 size1, word32 count1,
			    word32 flags1, word64 first1, word64 step1, word64 last1)
{
	struct stage_of_kernel s0 = NAME(make_stage)(size, count, flags, first, step, last);
	struct stage_of_kernel s1 = NAME(make_stage)(size1, count1, flags1, first1, step1, last1);
	word32 stages = count1 ? 2 : 1, second = 0, due = 0;
	word64 turns = (word64)iterations * stages;

	ONCE
	for (word64 t = 0; t <= turns; t++) {	/* in the last turn: what is still due */
		struct stage_of_kernel s = second ? s1 : s0;
		word32 sends = t < turns && s.count, sent;
		word64 credits = 0;

		s.total = sends ? s.total : 0;
		due += sends && (s.flags & SEND_WAIT_BEFORE);
		PIPELINE
		for (word32 i = 0; i < due; i++) {
			IN_PIPELINE
			credits += CREDIT_READ();
		}
		s.first += credits;
		s.last += credits;
		sent = NAME(send_messages)(PASS_OUT s, t + stages >= turns ? s.count - 1
									   : NO_MESSAGE);
		due = sent && sent == s.count && (s.flags & SEND_WAIT_AFTER);
		s.first += s.advance;
		if (second) {
			s1.first = s.first;
			s1.last = s.last;
		} else {
			s0.first = s.first;
			s0.last = s.last;
		}
		second = stages == 2 && !second;
	}
}

/*
 * Receives a stage's messages, keeps number `kept`, gives the credit.
 *
 * II = 1. Depth: the read, then beside each other the store and two steps to the credit. The credit
 * is a loop's last act in every invocation, so that no later read can hold it up in the pipeline.
 */
STATIC void NAME(recv_messages)(IN GIVE STORE struct stage_of_kernel s, word32 kept)
{
	struct progress p = { 0, 0 };
	word64 lacking = 0;

	PIPELINE
	for (word64 b = 0; b < s.total; b++) {
		IN_PIPELINE
		UNROLL
		for (word32 lane = 0; lane < LANES; lane++) {
			IN_UNROLL
			CHUNK c = NO_CHUNK;

			if (!(s.flags & LANE_OFF(lane)))
				CHANNEL_READ(lane, c, p.beat, p.beat + 1 == s.beats);
			lacking |= ~GET_WORD(c, 0) & KERNELS_ODD;
			KEEP(p.message == kept, (word64)p.beat * LANES + lane, c);
		}
		if (b + 1 == s.total && (s.flags & RECV_CREDIT))
			CREDIT_WRITE(lacking);
		p = NAME(go_on)(p, s.beats);
	}
}

STATIC void NAME(recv_body)(IN GIVE STORES word32 iterations, word32 size, word32 count,
			    word32 flags, word32 size1, word32 count1, word32 flags1)
{
	struct stage_of_kernel s0 = NAME(make_stage)(size, count, flags, 0, 0, 0);
	struct stage_of_kernel s1 = NAME(make_stage)(size1, count1, flags1, 0, 0, 0);
	word32 stages = count1 ? 2 : 1, second = 0;
	word64 turns = (word64)iterations * stages;

	ONCE
	for (word64 t = 0; t < turns; t++) {
		struct stage_of_kernel s = second ? s1 : s0;

		NAME(recv_messages)(PASS_IN PASS_GIVE PASS_STORE(second) s,
				    t + stages >= turns ? s.count - 1 : NO_MESSAGE);
		second = stages == 2 && !second;
	}
}

#undef BEAT
