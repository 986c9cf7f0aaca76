/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of beff_xilinx.cpp. Each kernel, and each process of a dataflow region
 * (dataflow.py), is a thread. The two pairs are wired to each other.
 */
#include <cstring>
#include <thread>
#include <vector>

#include <unistd.h>

#include "xilinx_processes.hpp"
#include "cases.h"

#define LINK_DEPTH 2		/* depth of a kernel's port, as v++ makes it */
#define CREDIT_DEPTH 16		/* as in alveo_*.cfg */
#define FRAME_BEATS 16	/* largest packet, in beats: 1024 bytes, which fit into an Ethernet frame */
#define STUCK_S 40		/* s; a test that takes longer hangs */

/* A link from a pair to the other pair, which checks every beat. */
struct link {
	hls::stream<packet> &from, &to;
	hls::stream<credit> &credits;	/* credits of the receiving pair */
	bool damages;			/* damages the first beat */
	unsigned faults;
	unsigned long given;		/* credits that the receiver must have given */
};

/*
 * True if a beat belongs to a message with this first word, and TLAST is set exactly where a packet
 * should end.
 */
static bool is_right(packet p, word64 first, word32 beat, bool last)
{
	bool ends = last || (beat + 1) % FRAME_BEATS == 0, right = (p.last != 0) == ends;

#if STREAM_DEST
	right = right && p.dest == 0;
#endif
	for (int w = 0; w < CHUNK_WORDS; w++)
		right = right &&
			(word64)p.data.range(64 * w + 63, 64 * w) ==
				((first + (beat * CHUNK_WORDS + w) * KERNELS_GOLDEN) | KERNELS_ODD);
	return right && (word64)p.keep == ~(word64)0;
}

/*
 * Returns a beat as the link layer delivers it. AuroraFlow without framing delivers only the data.
 */
static packet carried(packet p, bool damaged)
{
	if (damaged)
		p.data.range(63, 0) = 0;
#if !STREAM_DEST
	p.last = !(p.last != 0);
	p.keep = 1;
#endif
	return p;
}

/*
 * Carries a message. Checks that the receiver has given no credit for a stage before the last beat
 * of the stage.
 */
static void carry(struct link &l, word64 first, word32 size, bool ends_stage)
{
	word32 beats = size ? (size + CHANNEL_WIDTH - 1) / CHANNEL_WIDTH : 1;

	for (word32 b = 0; b < beats; b++) {
		packet p = l.from.read();

		l.faults += !is_right(p, first, b, b + 1 == beats);
		if (ends_stage && b + 1 == beats) {
			l.to.await_reader();
			l.faults += l.credits.written() != l.given;
		}
		l.to.write(carried(p, l.damages));
		l.damages = false;
	}
}

static void carry_all(struct link &l, const test &t, int pair)
{
	const stage &s = t.send[pair], &r = t.recv[1 - pair];
	word64 first = s.first;

	for (word32 i = 0; i < t.iterations; i++) {
		bool last = i + 1 == t.iterations;

		for (word32 m = 0; m < s.count; m++, first++)
			carry(l, last && m + 1 == s.count ? LAST_OF(s.first) : first, s.size,
			      m + 1 == s.count);
		l.given += s.count && (r.flags & RECV_CREDIT);
		for (word32 m = 0; m < t.reply; m++)
			carry(l, last ? LAST_OF(5) : 5, 1, true);
		l.given += t.reply;
	}
}

/*
 * Runs a case. If the link to pair 1 damages a beat, only the reply is judged: it must show the
 * damage.
 */
static bool run_over(const test &t, bool damaged)
{
	hls::stream<packet> out[2] = { { LINK_DEPTH }, { LINK_DEPTH } },
			    in[2] = { { LINK_DEPTH }, { LINK_DEPTH } };
	hls::stream<credit> credits[2] = { { CREDIT_DEPTH }, { CREDIT_DEPTH } };
	struct link links[2] = { { out[0], in[1], credits[1], damaged, 0, 0 },
				 { out[1], in[0], credits[0], false, 0, 0 } };
	std::vector<bits> got[2] = { std::vector<bits>(2048), std::vector<bits>(2048) };
	bits reply[2];
	std::vector<std::thread> threads;
	bool ok = true;

	for (int p = 0; p < 2; p++) {
		const stage &s = t.send[p], &r = t.recv[p];

		memset(static_cast<void *>(got[p].data()), GUARD, got[p].size() * sizeof(bits));
		threads.emplace_back([&, p] {
			recv(t.iterations, r.size, r.count, r.flags, got[p].data(), 1, t.reply,
			     RECV_CREDIT, &reply[p], in[p], credits[p]);
		});
		threads.emplace_back([&, p] {
			send(t.iterations, s.size, s.count, s.flags, s.first, 1, LAST_OF(s.first),
			     1, t.reply, SEND_WAIT_AFTER, 5, 0, LAST_OF(5), out[p], credits[p]);
		});
		threads.emplace_back([&, p] { carry_all(links[p], t, p); });
	}
	for (std::thread &one : threads)
		one.join();
	for (int p = 0; p < 2; p++)
		ok = ok && !links[p].faults && in[p].empty() && credits[p].empty() &&
		     wrong_byte(got[p].data(), &t.send[1 - p]) < 0;
	return damaged ? wrong_byte(got[0].data(), &t.send[1]) >= 0 : ok;
}

static bool run(const test *t)
{
	return run_over(*t, false);
}

int main()
{
	static const test exchange = EXCHANGE(1000, AFTER);
	word32 record[DESCRIBE_WORDS];

	alarm(STUCK_S);
	describe(record);
	if (!run_over(exchange, true)) {
		printf("1..1\nnot ok 1 - bits that a link damages are seen in the next message\n");
		return 1;
	}
	return run_all(run, record[DESCRIBE_MAGIC] == KERNELS_MAGIC &&
				    record[DESCRIBE_VERSION] == KERNELS_VERSION &&
				    record[DESCRIBE_WIDTH] == 64 && record[DESCRIBE_LANES] == 1 &&
				    record[DESCRIBE_PAIRS] == 2);
}
