/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the kernels of beff_xilinx.cpp, a thread each, two pairs that are wired to each other. */
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "beff_xilinx.cpp"

struct stage {
	word32 size, count, flags;
	word64 first;
};

struct test {
	const char *name;
	word32 iterations;
	stage send[2], recv[2];	/* of pairs 0 and 1 */
	word32 reply;
};

static const unsigned char GUARD = 0x5a;
static chunk memory[2048];

/* Passes packets on, counting those that are too long or end where no packet should. */
static unsigned forward(hls::stream<packet> &from, hls::stream<packet> &to, const test &t, int pair)
{
	const stage &s = t.send[pair];
	word32 beats = s.size ? (s.size + CHANNEL_WIDTH - 1) / CHANNEL_WIDTH : 1;
	unsigned faults = 0;

	for (word32 i = 0; i < t.iterations; i++) {
		for (word32 b = 0; b < beats * s.count; b++) {
			packet p = from.read();
			word32 beat = b % beats;
			bool ends = beat + 1 == beats || (beat + 1) % PACKET_BEATS == 0;

			faults += (p.last != 0) != ends;
			to.write(p);
		}
		for (word32 r = 0; r < t.reply; r++)
			to.write(from.read());
	}
	return faults;
}

static bool right(const unsigned char *b, const stage &sent, word32 iterations)
{
	word64 first = sent.first + (word64)sent.count * iterations - 1;

	for (word32 i = 0; i < sent.size + CHANNEL_WIDTH; i++) {
		word64 word = (first + i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;
		unsigned char want = (unsigned char)(word >> 8 * (i % 8));

		if (sent.flags & SEND_MEMORY)
			want = ((const unsigned char *)memory)[i];
		if (b[i] != (i < sent.size ? want : GUARD))
			return false;
	}
	return true;
}

static bool run(const test &t)
{
	hls::stream<packet> out[2], in[2];
	hls::stream<credit> credits[2];
	std::vector<chunk> got[2] = { std::vector<chunk>(2048), std::vector<chunk>(2048) };
	chunk reply[2];
	unsigned faults[2];
	std::vector<std::thread> threads;
	bool ok = true;

	for (int p = 0; p < 2; p++) {
		const stage &s = t.send[p], &r = t.recv[p];

		memset(static_cast<void *>(got[p].data()), GUARD, got[p].size() * sizeof(chunk));
		threads.emplace_back([&, p] {
			recv(t.iterations, got[p].data(), r.size, r.count, r.flags, &reply[p], 1,
			     t.reply, RECV_CREDIT, in[p], credits[p]);
		});
		threads.emplace_back([&, p] {
			send(t.iterations, memory, s.size, s.count, s.flags, s.first, 1, memory, 1,
			     t.reply, SEND_WAIT_AFTER, 5, 0, out[p], credits[p]);
		});
		threads.emplace_back([&, p] { faults[p] = forward(out[p], in[1 - p], t, p); });
	}
	for (std::thread &one : threads)
		one.join();
	for (int p = 0; p < 2; p++)
		ok = ok && !faults[p] && in[p].empty() && credits[p].empty() &&
		     right((const unsigned char *)got[p].data(), t.send[1 - p], t.iterations);
	return ok;
}

#define AFTER SEND_WAIT_AFTER
#define BEFORE SEND_WAIT_BEFORE
#define CREDITED RECV_CREDIT
#define EXCHANGE(size, flags) \
	{ "exchange " #size, 20, { { size, 1, flags, 1 }, { size, 1, flags, 9 } }, \
	  { { size, 1, CREDITED, 0 }, { size, 1, CREDITED, 0 } }, 0 }

static const test tests[] = {
	EXCHANGE(1, AFTER), EXCHANGE(63, AFTER), EXCHANGE(64, AFTER), EXCHANGE(65, AFTER),
	EXCHANGE(1024, AFTER), EXCHANGE(1025, AFTER), EXCHANGE(65537, AFTER),
	EXCHANGE(10001, (AFTER | SEND_MEMORY)),
	{ "ping-pong", 100, { { 100, 1, AFTER, 1 }, { 100, 1, BEFORE, 9 } },
	  { { 100, 1, CREDITED, 0 }, { 100, 1, CREDITED, 0 } }, 0 },
	{ "window", 10, { { 500, 64, AFTER, 1 }, { 1, 1, BEFORE, 9 } },
	  { { 1, 1, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, 0 },
	{ "windows both ways", 10, { { 500, 64, AFTER, 1 }, { 500, 64, AFTER, 9 } },
	  { { 500, 64, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, 1 },
};

int main()
{
	const size_t n = sizeof(tests) / sizeof(tests[0]);
	word32 record[DESCRIBE_WORDS];
	bool all;

	printf("1..%zu\n", n + 1);
	for (size_t i = 0; i < sizeof(memory); i++)
		((unsigned char *)memory)[i] = (unsigned char)(i * 37 | 1);
	describe(record);
	empty();
	all = record[DESCRIBE_WIDTH] == 64 && record[DESCRIBE_LANES] == 1;
	printf("%sok 1 - describe\n", all ? "" : "not ");
	for (size_t i = 0; i < n; i++) {
		bool ok = run(tests[i]);

		printf("%sok %zu - %s\n", ok ? "" : "not ", i + 2, tests[i].name);
		all = all && ok;
	}
	return !all;
}
