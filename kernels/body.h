/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels, for every shell. A shell that cannot choose a channel at run time includes this file
 * once for each pair, so it has no guard. The shell defines first:
 *
 *	NAME(name)			the name of the function, different for each pair
 *	CHANNEL_WIDTH, LANES		bytes of a chunk, channels of the pair
 *	CHUNK				type of a chunk: CHUNK_WORDS words of 64 bit
 *	PUT_WORD(c, w, value)		sets word w of chunk c
 *	GET_WORD(c, w)			returns word w of chunk c
 *	NO_CHUNK			initialiser of a chunk of zeros
 *	word32, word64			unsigned types
 *	OUT, TAKE, IN, GIVE		parameters for the channels of messages and of credits,
 *					in send and in recv; each ends in a comma unless empty
 *	STORE, STORES			parameters for the memory in which recv keeps a message:
 *					of one stage, of both stages
 *	PASS_OUT, PASS_IN, PASS_GIVE	the arguments for these parameters
 *	PASS_STORE(second)		the argument for STORE: stage 1 of STORES if second, else 0
 *	CHANNEL_WRITE(lane, chunk, beat, last)		writes a chunk; beat counts within the
 *							message, last: its last beat
 *	CHANNEL_READ(lane, chunk, beat, last)		reads a chunk
 *	CREDIT_WRITE(value), CREDIT_READ()		word64
 *	KEEP(really, k, chunk)		stores chunk k of the message in memory if `really`
 *	STATIC				`static` if the language has it
 *	UNROLL, IN_UNROLL		unroll a loop: before it, within it
 *	PIPELINE, IN_PIPELINE		pipeline a loop: before it, within it
 *	ONCE				keeps the next loop from being unrolled
 *
 * The time of a message beside the link is spent in the cycles of these loops. Hence these rules:
 *
 * No loop of send accesses memory. The only access in recv is a store, and nothing waits for it:
 * the iteration that reads the last beat also writes the credit. So neither the latency of the
 * store nor the end of the loop delays the credit.
 *
 * All messages of a stage go through one loop over beats. No cycle is lost between the messages of
 * a window, and the pipeline is filled once for the whole window.
 *
 * Each iteration begins one cycle after the previous one (II = 1). An iteration passes on only
 * counters, a 64 bit sum (at, first) after a selection, and the missing bits. No iteration reads
 * memory that another has written.
 *
 * Each channel has one call site. Therefore the stages are turns of one loop. The credits due after
 * a stage and before the next stage are read at one place. One more turn after the last stage reads
 * the remaining credits.
 *
 * Data, not fences or the order of loops, enforce the order of calls on different channels: a
 * message depends on the credit that precedes it, because its content is made with it. A credit
 * depends on all beats of its stage. The wait after a stage depends on the number of messages sent,
 * which is known when the loop ends.
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
/* A stage of send or recv. recv does not use the contents first, step, last and advance. */
struct stage_of_kernel {
	word32 beats, count, flags;	/* beats: of one message */
	word64 total;			/* beats of all messages */
	word64 first, step, last, advance;	/* advance: what the whole stage adds to first */
};

/* The position of a loop over beats. */
struct progress {
	word32 beat, message;
};
#define NO_MESSAGE 0xffffffffu
#endif

/*
 * Makes a stage. A message of 0 bytes takes one beat, too. This runs once a launch, so that no loop
 * multiplies.
 */
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

/* Makes the words of a chunk. `at` is first + (number of the chunk's first word) * GOLDEN. */
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

/* Returns the position of the next beat. */
STATIC struct progress NAME(go_on)(struct progress p, word32 beats)
{
	word32 ends = p.beat + 1 == beats;

	p.beat = ends ? 0 : p.beat + 1;
	p.message += ends;
	return p;
}

/*
 * Sends the messages of a stage. Message number `marked` is made of `last`. Returns the number of
 * messages sent.
 *
 * II = 1. Depth: a sum, the parallel sums of the chunk's words, the write. No memory.
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
	for (word64 t = 0; t <= turns; t++) {	/* the last turn only reads the credits still due */
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
 * Receives the messages of a stage, keeps number `kept`, and gives the credit.
 *
 * II = 1. Depth: the read; then the store, in parallel with the two steps to the credit. The credit
 * is the last action of a loop in every invocation, so that no later read can delay it in the
 * pipeline.
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
