/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the kernels of beff_xilinx.cpp, a thread each, two pairs that are wired to each other. */
#include <cstring>
#include <thread>
#include <vector>

#include "beff_xilinx.cpp"
#include "cases.h"

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

static bool run(const test *now)
{
	const test &t = *now;
	hls::stream<packet> out[2], in[2];
	hls::stream<credit> credits[2];
	std::vector<bits> got[2] = { std::vector<bits>(2048), std::vector<bits>(2048) };
	bits reply[2];
	unsigned faults[2];
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
		threads.emplace_back([&, p] { faults[p] = forward(out[p], in[1 - p], t, p); });
	}
	for (std::thread &one : threads)
		one.join();
	for (int p = 0; p < 2; p++)
		ok = ok && !faults[p] && in[p].empty() && credits[p].empty() &&
		     wrong_byte(got[p].data(), &t.send[1 - p]) < 0;
	return ok;
}

int main()
{
	word32 record[DESCRIBE_WORDS];

	describe(record);
	return run_all(run, record[DESCRIBE_WIDTH] == 64 && record[DESCRIBE_LANES] == 1);
}
