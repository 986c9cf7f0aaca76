/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels for Alveo cards, for Vitis HLS. A pair has one channel: an AXI4-Stream of 512 bit to
 * a network layer in front of a QSFP port, or to the other pair on the same card. A link
 * configuration says which (alveo_aurora.cfg, alveo_vnx.cfg, alveo_loopback.cfg), and what pairs
 * there are.
 *
 * A message is sent as packets of PACKET_BEATS beats. TLAST marks the end of each packet and of the
 * message. Layers on UDP neither repeat lost packets nor hold the sender back: after a loss recv
 * waits for ever.
 */
#include <ap_axi_sdata.h>
#include <ap_int.h>
#include <hls_stream.h>

#include "kernels.h"

#define CHANNEL_WIDTH 64
#define LANES 1
#ifndef PAIRS
#define PAIRS 2
#endif
#ifndef PACKET_BEATS
#define PACKET_BEATS 16		/* 1024 bytes: a power of two, and within an Ethernet frame */
#endif
#define CHUNK_WORDS (CHANNEL_WIDTH / 8)

typedef unsigned int word32;
typedef unsigned long word64;

#ifndef STREAM_DEST
#define STREAM_DEST 0		/* bits of TDEST: none for AuroraFlow, 16 for VNx */
#endif

typedef ap_axiu<8 * CHANNEL_WIDTH, 0, 0, STREAM_DEST> packet;
typedef ap_axiu<64, 0, 0, 0> credit;
typedef ap_uint<8 * CHANNEL_WIDTH> bits;	/* of a chunk, a port's whole width */
#define CHUNK bits
#define PUT_WORD(c, w, value) (c).range(64 * (w) + 63, 64 * (w)) = (value)
#define GET_WORD(c, w) (word64)(c).range(64 * (w) + 63, 64 * (w))
#define NO_CHUNK 0

/*
 * Chunks on their way from recv's channel into memory. So many it may be ahead of the memory, which
 * has one message a launch to take, before the channel is held up.
 */
#define STORE_DEPTH 256
typedef hls::stream<bits, STORE_DEPTH> store;

static void write_chunk(hls::stream<packet> &out, bits c, word32 beat, bool last)
{
#pragma HLS INLINE
	packet p;

	p.data = c;
	p.keep = -1;
#if STREAM_DEST
	p.dest = 0;
#endif
	p.last = last || beat % PACKET_BEATS == PACKET_BEATS - 1;
	out.write(p);
}

static bits read_chunk(hls::stream<packet> &in)
{
#pragma HLS INLINE
	return in.read().data;
}

static void write_credit(hls::stream<credit> &give, word64 value)
{
#pragma HLS INLINE
	credit c;

	c.data = value;
	c.keep = -1;
	c.last = 1;
	give.write(c);
}

#define NAME(name) name
#define STATIC static
#define UNROLL
#define ONCE
#define IN_UNROLL _Pragma("HLS UNROLL")
#define PIPELINE
#define IN_PIPELINE _Pragma("HLS PIPELINE II=1")
#define OUT hls::stream<packet> &out,
#define IN hls::stream<packet> &in,
#define TAKE hls::stream<credit> &take,
#define GIVE hls::stream<credit> &give,
#define STORE store &chunks,
#define STORES STORE
#define PASS_OUT out,
#define PASS_IN in,
#define PASS_GIVE give,
#define PASS_STORE(second) chunks,
#define CHANNEL_WRITE(lane, chunk, beat, last) write_chunk(out, chunk, beat, last)
#define CHANNEL_READ(lane, chunk, beat, last) chunk = read_chunk(in)
#define CREDIT_WRITE(value) write_credit(give, value)
#define CREDIT_READ() (word64)take.read().data
#define KEEP(really, k, chunk) \
	do { \
		if (really) \
			chunks.write(chunk); \
	} while (0)
#include "body.h"

/*
 * A process that runs beside recv's. It consists of bursts only, and the length of each burst is
 * known before it begins.
 */
static void store_messages(store &chunks, bits *message, word32 size, word32 count, bits *message1,
			   word32 size1, word32 count1, word32 iterations)
{
	word64 whole = iterations ? make_stage(size, count != 0, 0, 0, 0, 0).total : 0;
	word64 whole1 = iterations ? make_stage(size1, count1 != 0, 0, 0, 0, 0).total : 0;

	for (word64 k = 0; k < whole; k++) {
#pragma HLS PIPELINE II=1
		message[k] = chunks.read();
	}
	for (word64 k = 0; k < whole1; k++) {
#pragma HLS PIPELINE II=1
		message1[k] = chunks.read();
	}
}

extern "C" {

void send(word32 iterations, word32 size, word32 count, word32 flags, word64 first, word64 step,
	  word64 last, word32 size1, word32 count1, word32 flags1, word64 first1, word64 step1,
	  word64 last1, hls::stream<packet> &out, hls::stream<credit> &take)
{
#pragma HLS INTERFACE axis port = out
#pragma HLS INTERFACE axis port = take
#pragma HLS INTERFACE s_axilite port = return
	send_body(out, take, iterations, size, count, flags, first, step, last, size1, count1,
		  flags1, first1, step1, last1);
}

void recv(word32 iterations, word32 size, word32 count, word32 flags, bits *message, word32 size1,
	  word32 count1, word32 flags1, bits *message1, hls::stream<packet> &in,
	  hls::stream<credit> &give)
{
#pragma HLS INTERFACE m_axi port = message offset = slave bundle = gmem
#pragma HLS INTERFACE m_axi port = message1 offset = slave bundle = gmem1
#pragma HLS INTERFACE axis port = in
#pragma HLS INTERFACE axis port = give
#pragma HLS INTERFACE s_axilite port = return
#pragma HLS DATAFLOW
	store chunks;

	recv_body(in, give, chunks, iterations, size, count, flags, size1, count1, flags1);
	store_messages(chunks, message, size, count, message1, size1, count1, iterations);
}

void describe(word32 *record)
{
#pragma HLS INTERFACE m_axi port = record offset = slave bundle = gmem
#pragma HLS INTERFACE s_axilite port = return
	for (int i = 0; i < DESCRIBE_WORDS; i++)
		record[i] = 0;
	record[DESCRIBE_MAGIC] = KERNELS_MAGIC;
	record[DESCRIBE_VERSION] = KERNELS_VERSION;
	record[DESCRIBE_WIDTH] = CHANNEL_WIDTH;
	record[DESCRIBE_LANES] = LANES;
	record[DESCRIBE_PAIRS] = PAIRS;
}

}
