/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of nb_link: Verilator runs the SystemVerilog that is used on a card. main NAME runs one
 * test. The output is TAP. The closed forms are those in the header of nb_link.sv.
 */
#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

#include "wire.hpp"

double sc_time_stamp()
{
	return 0;
}

/* ---- TAP ---- */

static int tests, failed;

__attribute__((format(printf, 2, 3)))
static void ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++tests);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	failed += !good;
}

/* ---- programs ---- */

enum { BEFORE = 1, AFTER = 2, CREDIT = 1 };

#define FIRST UINT64_C(0x1122334455667788)
#define STEP UINT64_C(0x9e3779b97f4a7c15)

static struct program base(uint32_t iterations, uint32_t skip, uint32_t group, int side)
{
	struct program p = {};

	p.iterations = iterations;
	p.skip = skip;
	p.flags = NB_FLAG_CLEAR | NB_FLAG_GROUP(group);
	p.timeout = 64;
	p.s_first = FIRST + (uint64_t)side * 0x1000000;
	p.r_first = FIRST + (uint64_t)(1 - side) * 0x1000000;
	p.s_step = p.r_step = STEP;
	return p;
}

static struct program exchange(uint32_t size, uint32_t iterations, uint32_t skip, uint32_t group,
			       int side)
{
	struct program p = base(iterations, skip, group, side);

	p.s_size0 = p.r_size0 = size;
	p.s_count0 = p.r_count0 = 1;
	p.s_flags0 = AFTER;
	p.r_flags0 = CREDIT;
	return p;
}

static struct program pingpong(uint32_t size, uint32_t iterations, uint32_t skip, int side)
{
	struct program p = exchange(size, iterations, skip, 1, side);

	p.s_flags0 = side ? BEFORE : AFTER;
	return p;
}

/*
 * A window of w messages of `size` from side 0, which side 1 answers with a message of `answer`
 * bytes.
 */
static struct program window(uint32_t w, uint32_t size, uint32_t answer, uint32_t iterations,
			     int side)
{
	struct program p = base(iterations, 2, 1, side);

	p.s_size0 = side ? answer : size;
	p.s_count0 = side ? 1 : w;
	p.s_flags0 = side ? BEFORE : AFTER;
	p.r_size0 = side ? size : answer;
	p.r_count0 = side ? w : 1;
	p.r_flags0 = CREDIT;
	return p;
}

static struct program one_way(uint32_t size, uint32_t iterations, int side)
{
	struct program p = base(iterations, 2, 16, side);

	p.s_size0 = p.r_size0 = size;
	p.s_count0 = !side;
	p.r_count0 = side;
	return p;
}

/* ---- tests ---- */

static bool clean(const struct report &r)
{
	return r.wrong_beats == 0 && r.wrong_words == 0 && !(r.status & (NB_TIMED_OUT | NB_WRONG));
}

static uint64_t bucket_sum(bench &b, int side)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < NB_BUCKETS; i++)
		sum += b.read32(side, NB_HISTOGRAM + 4 * i);
	return sum;
}

/* Writes bytes of a register that the strobes select. */
static void write_strobed(bench &b, uint32_t offset, uint32_t value, uint32_t strobes)
{
	register_access part(b.cards[0], offset, value);

	while (!part.done) {
		part.drive();
		b.cards[0].top.s_axi_control_wstrb = strobes;
		b.cards[0].settle(true, false, nullptr);
		part.look();
		b.cards[0].edge();
	}
	part.drive();
}

/* Lets a number of cycles pass. */
static void pass(bench &b, int cycles)
{
	for (int i = 0; i < cycles; i++)
		b.tick(nullptr, nullptr);
}

static void test_arguments(bench &b)
{
	struct program p = {};
	uint32_t value = 0x01020304, bad = 0;

	ok(b.read32(0, NB_R_MAGIC) == NB_MAGIC, "magic");
	ok(b.read32(0, NB_R_VERSION) == NB_VERSION, "version");
	ok(b.read32(0, NB_SHAPE) == (NB_TURN << 24 | 10u << 16 | BEAT_BYTES),
	   "turn, histogram, width");
	ok(b.read32(0, NB_CONTROL) == NB_IDLE, "idle after reset");
#define NB_FIELD(NAME, name, offset, bits, meaning) p.name = (value += 0x11111111);
	NB_ARGUMENTS(NB_FIELD)
#undef NB_FIELD
	b.set(0, p);
#define NB_FIELD(NAME, name, offset, bits, meaning) \
	bad += b.read32(0, offset) != (uint32_t)p.name;
	NB_ARGUMENTS(NB_FIELD)
#undef NB_FIELD
	ok(!bad, "arguments are read as they were written: %u are not", bad);
	b.write32(0, NB_ITERATIONS, 0x12345678);
	write_strobed(b, NB_ITERATIONS, 0xffffffff, 2);
	ok(b.read32(0, NB_ITERATIONS) == 0x1234ff78, "byte strobes");
	b.write32(0, NB_R_MAGIC, 0);
	ok(b.read32(0, NB_R_MAGIC) == NB_MAGIC, "results cannot be written");
	ok(b.read32(0, 0xf0) == 0, "a register that is none reads 0");
}

static void test_now(bench &b)
{
	uint64_t before = b.read64(0, NB_NOW), after;
	uint32_t low;

	pass(b, 1000);
	after = b.read64(0, NB_NOW);
	ok(after - before > 1000 && after - before < 1020, "now counts cycles: %" PRIu64,
	   after - before);
	low = b.read32(0, NB_NOW);
	pass(b, 50);
	ok(low && b.read32(0, NB_NOW + 4) == 0, "the high half of now");
}

/* The handshake of a launch, ap_ctrl_hs, with its interrupt and auto-restart. */
static void test_control(bench &b)
{
	struct program p = {};

	b.write32(0, 0x4, 1);
	b.write32(0, 0x8, 1);
	p.flags = NB_FLAG_CLEAR;
	b.set(0, p);
	b.start();
	ok(!(b.read32(0, NB_CONTROL) & NB_IDLE), "not idle while it clears");
	b.await();
	ok(b.cards[0].top.__SYM__interrupt, "interrupt when done");
	b.write32(0, 0xc, 1);
	ok(!b.cards[0].top.__SYM__interrupt, "interrupt is taken back");
	p.flags = 0;
	b.set(0, p);
	b.start();
	pass(b, 60);
	ok(b.read32(0, NB_CONTROL) == (NB_IDLE | NB_DONE | 8),
	   "done and ready after a launch of no iterations");
	ok(b.read32(0, NB_CONTROL) == NB_IDLE, "done is cleared by reading");
	ok(bucket_sum(b, 0) == 0, "the histogram is clear");
	b.write32(0, NB_CONTROL, NB_START | 0x80);
	pass(b, 200);
	ok(b.read32(0, NB_CONTROL) & NB_DONE, "auto-restart: done");
	ok(b.read32(0, NB_CONTROL) & 0x80, "auto-restart goes on");
	b.write32(0, NB_CONTROL, 0);
	ok(b.await(), "auto-restart ends");
}

static void test_registers()
{
	bench b(1, 5);

	test_arguments(b);
	test_now(b);
	test_control(b);
}

/*
 * An exchange takes n + D + 2 cycles from credit to credit in each sample, a ping-pong twice that.
 */
static void exact_size(uint32_t size, uint64_t d, uint32_t iterations)
{
	bench b(2, d);
	uint64_t n = beats_of(size), cycles = n + d + 2;
	struct report r[2];
	bool over = b.launch(exchange(size, iterations, 2, 1, 0),
			     exchange(size, iterations, 2, 1, 1));

	r[0] = b.get(0);
	r[1] = b.get(1);
	ok(over && r[0].least == cycles && r[0].greatest == cycles && r[1].least == cycles &&
	   r[1].greatest == cycles && r[0].samples == iterations - 2 &&
	   r[0].s_end - r[0].s_begin == cycles * (iterations - 2) && clean(r[0]) && clean(r[1]) &&
	   r[0].r_messages == iterations && r[0].s_messages == iterations && r[0].missed == 0,
	   "exchange of %u B, D = %" PRIu64 ": %u to %u of %" PRIu64 " cycles", size, d, r[0].least,
	   r[0].greatest, cycles);
	ok(bucket_sum(b, 0) == iterations - 2 && r[0].r_gap == 0 && r[0].s_stall == 0,
	   "exchange of %u B: all samples are in the histogram, no stall, no gap", size);
	over = b.launch(pingpong(size, iterations, 2, 0), pingpong(size, iterations, 2, 1));
	r[0] = b.get(0);
	r[1] = b.get(1);
	ok(over && r[0].least == 2 * cycles && r[0].greatest == 2 * cycles && clean(r[0]) &&
		   clean(r[1]) && r[0].s_end - r[0].s_begin == 2 * cycles * (iterations - 2),
	   "ping-pong of %u B: %u to %u of %" PRIu64 " cycles", size, r[0].least, r[0].greatest,
	   2 * cycles);
}

static void test_exact(bool all)
{
	static const uint64_t delays[] = { 2, 5, 40, 500 };
	static const struct {
		uint32_t size;
		uint64_t cycles;
	} golden[] = { { 1, 86 }, { 4096, 149 }, { 65536, 1109 }, { 1048576, 16469 } };

	for (auto &g : golden)
		if (BEAT_BYTES == 64)
			ok(beats_of(g.size) + 83 + 2 == g.cycles,
			   "D = 83, %u B: %" PRIu64 " cycles", g.size, g.cycles);
	for (auto &g : golden)
		if (all || g.size < 1048576)
			exact_size(g.size, 83, g.size > 65536 ? 5 : 8);
	if (all)
		for (int i = 0; i <= 20; i++)
			exact_size(1u << i, 81, i > 16 ? 5 : 12);
	else
		for (uint32_t size : { 0u, 64u, 65u, 1000u, 16384u })
			exact_size(size, 81, 12);
	for (uint64_t d : delays)
		for (uint32_t size : { 0u, 65u, 4096u })
			exact_size(size, d, 10);
}

static void windows_of(uint32_t w, uint32_t size, uint64_t d)
{
	bench b(2, d);
	uint64_t n = beats_of(size), cycles = w * n + 1 + 2 * (d + 2);
	bool over = b.launch(window(w, size, 1, 12, 0), window(w, size, 1, 12, 1));
	struct report r = b.get(0), q = b.get(1);
	struct program p[2];

	ok(over && r.least == cycles && r.greatest == cycles && clean(r) && clean(q) &&
		   q.r_messages == 12 * w,
	   "window of %u x %u B, answered: %u to %u of %" PRIu64 " cycles", w, size, r.least,
	   r.greatest, cycles);
	for (int side = 0; side < 2; side++) {
		p[side] = exchange(size, 12, 2, 1, side);
		p[side].s_count0 = p[side].r_count0 = w;
	}
	over = b.launch(p[0], p[1]);
	r = b.get(0);
	cycles = w * n + d + 2;
	ok(over && r.least == cycles && r.greatest == cycles && clean(r) && clean(b.get(1)),
	   "window of %u x %u B both ways: %u to %u of %" PRIu64 " cycles", w, size, r.least,
	   r.greatest, cycles);
	over = b.launch(one_way(size, 100, 0), one_way(size, 100, 1));
	r = b.get(0);
	q = b.get(1);
	ok(over && r.s_end - r.s_begin == 98 * n && q.r_end - q.r_begin == 98 * n && clean(q) &&
		   q.r_messages == 100 && q.r_gap == 0 && r.greatest == 16 * n &&
		   r.samples == 98 / 16 && q.samples == 98 / 16,
	   "one way, %u B: %" PRIu64 " cycles of %" PRIu64, size, q.r_end - q.r_begin, 98 * n);
}

/* Windows in both directions, each answered separately: two stages on each side. */
static void two_stages()
{
	bench b(2, 30);
	struct program p[2];
	struct report r;
	bool over;

	for (int side = 0; side < 2; side++) {
		p[side] = base(10, 2, 1, side);
		p[side].s_size0 = p[side].r_size0 = 200;
		p[side].s_count0 = p[side].r_count0 = 3;
		p[side].s_size1 = p[side].r_size1 = 1;
		p[side].s_count1 = p[side].r_count1 = 1;
		p[side].s_flags0 = p[side].s_flags1 = AFTER;
		p[side].r_flags0 = p[side].r_flags1 = CREDIT;
	}
	over = b.launch(p[0], p[1]);
	r = b.get(0);
	ok(over && r.least == 3 * beats_of(200) + 1 + 2 * 32 && r.least == r.greatest && clean(r) &&
		   clean(b.get(1)) && r.r_messages == 40,
	   "two stages both ways: %u to %u cycles", r.least, r.greatest);
	p[0].s_count0 = p[1].r_count0 = p[1].s_count0 = p[0].r_count0 = 0;
	over = b.launch(p[0], p[1]);
	r = b.get(0);
	ok(over && r.least == 1 + 32 && r.greatest == 1 + 32 && clean(r) && r.r_messages == 10,
	   "stage 1 alone");
	p[0] = base(6, 2, 1, 0);
	p[0].s_count0 = p[0].s_count1 = p[0].r_count0 = p[0].r_count1 = 1;
	p[0].s_flags0 = BEFORE;
	p[0].s_flags1 = AFTER;
	p[0].r_flags0 = p[0].r_flags1 = CREDIT;
	p[1] = p[0];
	p[1].s_flags0 = AFTER;
	p[1].s_flags1 = BEFORE;
	p[1].s_first = p[0].r_first;
	p[1].r_first = p[0].s_first;
	over = b.launch(p[0], p[1]);
	r = b.get(0);
	ok(over && clean(r) && clean(b.get(1)) && r.s_messages == 12 && r.r_messages == 12,
	   "a wait after one stage and before the next");
}

/*
 * The content of every beat: word i of message m, over stages and iterations; with a loop-back
 * plug.
 */
static void test_content()
{
	bench b(1, 9);
	std::vector<beat_t> seen;
	struct program p = exchange(3 * BEAT_BYTES, 4, 0, 1, 0);
	struct report r;
	unsigned bad = 0, lasts = 0;
	std::vector<bool> last;

	p.r_first = p.s_first;
	b.set(0, p);
	b.start();
	for (int t = 0; t < 4000; t++) {
		b.tick(nullptr, nullptr);
		if (b.wires[0].carried != seen.size())
			seen.push_back(b.wires[0].beats.back().second);
	}
	for (size_t i = 0; i < seen.size(); i++)
		bad += seen[i] != make_beat(p.s_first + i / 3 * STEP + i % 3 * BEAT_WORDS * GOLDEN);
	r = b.get(0);
	ok(seen.size() == 12 && !bad, "content of %zu beats: %u are wrong", seen.size(), bad);
	ok(clean(r) && r.last_word == ((p.s_first + 3 * STEP) | ODD),
	   "a plug: what comes back is as made; the last message's first word");
	ok(r.s_begin < r.s_end && r.samples == 4,
	   "skip 0 begins at the first beat: %" PRIu64 " samples", r.samples);
	b.set(0, p);
	b.start();
	for (int t = 0; t < 3000; t++) {
		b.cards[0].settle(true, false, nullptr);
		if (b.cards[0].top.out_tvalid)
			lasts += b.cards[0].top.out_tlast;
		b.tick(nullptr, nullptr);
	}
	ok(lasts == 4, "TLAST with each message's last beat: %u of 4", lasts);
	ok(b.cards[0].top.out_tkeep == (UINT64_MAX >> (64 - BEAT_BYTES)), "TKEEP: whole beats");
}

static void test_patterns(bool all)
{
	test_content();
	for (uint32_t size : { 1u, 64u, 200u, 4096u })
		windows_of(7, size, 20);
	if (all)
		for (uint32_t w : { 1u, 2u, 64u })
			for (uint32_t size : { 0u, 65u, 1000u })
				windows_of(w, size, 81);
	two_stages();
}

/* A skewed start does not change the time of a round. The samples of a group of two are exact. */
static void test_skew()
{
	bench b(2, 81);
	struct report r;
	bool over = b.launch(exchange(1, 40, 2, 1, 0), exchange(1, 40, 2, 1, 1), 20);

	r = b.get(0);
	ok(over && r.least < 84 && r.greatest > 84 && r.least + r.greatest == 2 * 84,
	   "skewed start, group 1: %u and %u cycles of 84", r.least, r.greatest);
	over = b.launch(exchange(1, 42, 2, 2, 0), exchange(1, 42, 2, 2, 1), 20);
	r = b.get(0);
	ok(over && r.least == 168 && r.greatest == 168 && r.samples == 20,
	   "skewed start, group 2: %u to %u of 168", r.least, r.greatest);
	ok(r.s_end - r.s_begin == 40 * 84, "skewed start: %" PRIu64 " cycles of %d",
	   r.s_end - r.s_begin, 40 * 84);
	over = b.launch(exchange(1, 42, 2, 2, 0), exchange(1, 42, 2, 2, 1), 300);
	r = b.get(0);
	ok(over && clean(r) && r.s_end - r.s_begin == 40 * 84,
	   "start 300 cycles apart: %" PRIu64 " cycles of %d", r.s_end - r.s_begin, 40 * 84);
}

/* Drains both cores, as a host does after a fault. */
static bool drain(bench &b, uint64_t dropped[2])
{
	struct program p = {};
	bool over;

	p.flags = NB_FLAG_CLEAR | NB_FLAG_DRAIN;
	over = b.launch(p, p);
	for (int i = 0; i < b.ncards; i++)
		dropped[i] = b.read64(i, NB_DRAINED);
	return over;
}

/* The messages of the next two tests, and the beat of them at which the link is at fault. */
static const uint64_t n = 4, iterations = 50, k = 77;

static void test_flipped_bit(bench &b)
{
	struct report r[2];
	bool over;

	b.wires[0].fault = [&](uint64_t number, beat_t &beat) {
		if (number == k)
			beat[5 % BEAT_WORDS] ^= UINT64_C(1) << 41;
		return true;
	};
	over = b.launch(exchange(n * BEAT_BYTES, iterations, 2, 2, 0),
			exchange(n * BEAT_BYTES, iterations, 2, 2, 1));
	r[1] = b.get(1);
	ok(over && r[1].wrong_beats == 1 && r[1].wrong_words == 1 && r[1].wrong_first == k &&
		   r[1].status == NB_WRONG && clean(b.get(0)),
	   "a flipped bit: one word of beat %" PRIu64, r[1].wrong_first);
	beat_t want = make_beat(FIRST + k / n * STEP + k % n * BEAT_WORDS * GOLDEN), got;
	for (int i = 0; i < BEAT_WORDS; i++)
		got[i] = b.read64(1, NB_WRONG_BEAT + 8 * i);
	want[5 % BEAT_WORDS] ^= UINT64_C(1) << 41;
	ok(got == want, "the first wrong beat is kept");
	b.wires[0].fault = nullptr;
	over = b.launch(exchange(n * BEAT_BYTES, iterations, 2, 2, 0),
			exchange(n * BEAT_BYTES, iterations, 2, 2, 1));
	ok(over && clean(b.get(0)) && clean(b.get(1)), "the launch after it is clean");
}

static void test_lost_beat(bench &b)
{
	struct report r[2];
	uint64_t dropped[2];
	bool over;

	b.wires[0].carried = 0;
	b.wires[0].fault = [&](uint64_t number, beat_t &) { return number != k; };
	over = b.launch(exchange(n * BEAT_BYTES, iterations, 2, 2, 0),
			exchange(n * BEAT_BYTES, iterations, 2, 2, 1));
	r[0] = b.get(0);
	r[1] = b.get(1);
	ok(over && (r[1].status & NB_TIMED_OUT) && !(r[0].status & NB_TIMED_OUT),
	   "a lost beat: the launch that lacks it ends by the time-out");
	beat_t got;
	for (int i = 0; i < BEAT_WORDS; i++)
		got[i] = b.read64(1, NB_WRONG_BEAT + 8 * i);
	ok(r[1].wrong_first == k &&
		   got == make_beat(FIRST + (k + 1) / n * STEP + (k + 1) % n * BEAT_WORDS * GOLDEN),
	   "the first wrong beat is what the next should be");
	b.wires[0].fault = nullptr;
	over = b.launch(exchange(n * BEAT_BYTES, iterations, 2, 2, 0),
			exchange(n * BEAT_BYTES, iterations, 2, 2, 1));
	over = drain(b, dropped);	/* before its results are read */
	ok(over, "drained: %" PRIu64 " and %" PRIu64 " beats", dropped[0], dropped[1]);
	over = b.launch(exchange(n * BEAT_BYTES, iterations, 2, 2, 0),
			exchange(n * BEAT_BYTES, iterations, 2, 2, 1));
	r[0] = b.get(0);
	ok(over && clean(r[0]) && clean(b.get(1)) && r[0].s_end - r[0].s_begin == 48 * (n + 42),
	   "usable after it, without a reset");
}

static void test_credits_and_dead_link(bench &b)
{
	struct report r[2];
	uint64_t dropped[2];
	bool over;

	/* a credit that nobody awaits must not count in the next launch */
	struct program unasked[2] = { one_way(64, 10, 0), one_way(64, 10, 1) };
	unasked[0].r_count0 = unasked[1].s_count0 = 1;
	unasked[0].r_flags0 = unasked[1].r_flags0 = CREDIT;
	over = b.launch(unasked[0], unasked[1]) &&
	       b.launch(exchange(64, 20, 2, 2, 0), exchange(64, 20, 2, 2, 1));
	r[0] = b.get(0);
	ok(over && clean(r[0]) && r[0].s_end - r[0].s_begin == 18 * (64 / BEAT_BYTES + 42),
	   "credits of a launch are not the next one's");

	/* a dead link takes no beat, then works again */
	b.wires[0].holds = [] { return true; };
	over = b.launch(exchange(64, 20, 2, 2, 0), exchange(64, 20, 2, 2, 1));
	r[0] = b.get(0);
	ok(over && r[0].status == NB_TIMED_OUT && r[0].s_messages == 0 && r[0].s_stall > 60000,
	   "a dead link: %" PRIu64 " cycles of stall", r[0].s_stall);
	b.wires[0].holds = nullptr;
	over = drain(b, dropped);
	ok(over && dropped[1] == 1, "what had been offered is dropped: %" PRIu64, dropped[1]);
	for (uint64_t i = 1; i <= 10; i++)
		b.wires[0].beats.push_back({ b.cycle + 2000 * i, make_beat(i) });
	over = drain(b, dropped);
	ok(over && dropped[1] == 10, "a drain goes on until nothing comes: %" PRIu64 " dropped",
	   dropped[1]);
	over = b.launch(exchange(64, 20, 2, 2, 0), exchange(64, 20, 2, 2, 1));
	ok(over && clean(b.get(0)) && clean(b.get(1)), "usable after it");

	/* without a time-out a launch waits for ever */
	struct program p[2] = { exchange(64, 20, 2, 2, 0), exchange(64, 20, 2, 2, 1) };
	bool held = true;
	p[0].timeout = p[1].timeout = 0;
	b.wires[1].holds = [&] { return held; };
	b.set(0, p[0]);
	b.set(1, p[1]);
	b.start();
	ok(!b.await(100000), "time-out 0: a launch waits");
	held = false;
	ok(b.await() && clean(b.get(0)), "and goes on");
	b.wires[1].holds = nullptr;
}

/* A link loses one beat in a million: each loss is detected and survived. */
static void test_many_losses(bench &b)
{
	uint64_t dropped[2];
	bool over;

	dice d(7);
	uint64_t lost = 0, told = 0, launches = 0;
	b.wires[0].fault = [&](uint64_t, beat_t &) {
		bool away = d.once_in(1000000);
		lost += away;
		return !away;
	};
	while (b.wires[0].carried < 3000000 && launches < 100) {
		uint64_t before = lost;
		over = b.launch(exchange(65536, 100, 2, 2, 0), exchange(65536, 100, 2, 2, 1));
		bool stopped = b.get(1).status & NB_TIMED_OUT;
		told += stopped;
		launches++;
		if (stopped != (lost > before) || (stopped && !drain(b, dropped)) ||
		    (!stopped && !clean(b.get(1))))
			break;
	}
	ok(b.wires[0].carried >= 3000000 && told > 0,
	   "one beat in a million lost: %" PRIu64 " lost, %" PRIu64 " launches of %" PRIu64
	   " told it, all others were right",
	   lost, told, launches);
}

/* One bench for all: after each fault the link works again. */
static void test_faults(bool all)
{
	bench b(2, 40);

	test_flipped_bit(b);
	test_lost_beat(b);
	test_credits_and_dead_link(b);
	if (all)
		test_many_losses(b);
}

/* Random back-pressure on both wires of bounded depth: every beat arrives unchanged. */
static void test_rough(bool all)
{
	for (int seed = 1; seed <= (all ? 12 : 3); seed++) {
		bench b(2, 2 + (uint64_t)seed % 7);
		dice d((uint64_t)seed);
		struct report r[2];
		bool over = true;

		for (auto &w : b.wires) {
			w.holds = [&d, seed] { return !d.once_in(1 + (uint64_t)seed % 3); };
			w.jitter = [&d](uint64_t) { return d.once_in(5) ? d.next() % 9 : 0; };
			w.depth = 4;
		}
		for (uint32_t size : { 1u, 65u, 1000u, 5000u }) {
			over = over && b.launch(exchange(size, 30, 2, 2, 0),
						exchange(size, 30, 2, 2, 1), (uint64_t)seed);
			r[0] = b.get(0);
			r[1] = b.get(1);
			over = over && clean(r[0]) && clean(r[1]) && r[0].r_messages == 30 &&
			       r[1].r_messages == 30;
			over = over &&
			       b.launch(window(5, size, 200, 20, 0), window(5, size, 200, 20, 1));
			r[1] = b.get(1);
			over = over && clean(b.get(0)) && clean(r[1]) && r[1].r_messages == 100;
			over = over && b.launch(one_way(size, 100, 0), one_way(size, 100, 1));
			over = over && clean(b.get(1)) && b.get(1).r_messages == 100;
			over = over && b.launch(one_way(size, 100, 0), one_way(size, 100, 1), 300);
			over = over && clean(b.get(1)) && b.get(1).r_messages == 100 &&
			       b.get(1).s_stall == 0;
		}
		r[0] = b.get(0);
		ok(over, "back-pressure, seed %d: every message arrives as made", seed);
		ok(r[0].s_stall > 0 && b.get(1).r_gap > 0,
		   "back-pressure, seed %d: %" PRIu64 " cycles of stall, gaps %" PRIu64, seed,
		   r[0].s_stall, b.get(1).r_gap);
	}
}

/* The histogram shows the jitter of a wire, with each sample in its bucket. */
static void test_jitter(bool all)
{
	bench b(2, 81);
	dice d(3);
	std::vector<uint64_t> made;
	struct program p[2] = { pingpong(1, 1002, 2, 0), pingpong(1, 1002, 2, 1) };
	uint64_t bad = 0, seen = 0;
	std::vector<uint32_t> want(NB_BUCKETS);
	bool over;

	p[0].base = 150;
	b.wires[0].jitter = [&](uint64_t) {
		uint64_t j = d.once_in(50) ? d.next() % 100000 : d.next() % 40;
		made.push_back(j);
		return j;
	};
	p[0].timeout = p[1].timeout = 1000;
	over = b.launch(p[0], p[1]);
	for (size_t i = 2; i < made.size(); i++) {
		uint64_t x = 168 + made[i] - 150;
		unsigned e = 0;
		while (x >> e >= 128)
			e++;
		want[x < 64 ? x : (e + 1) * 64 + (x >> e) % 64]++;
	}
	for (uint32_t i = 0; i < NB_BUCKETS; i++) {
		uint32_t n = b.read32(0, NB_HISTOGRAM + 4 * i);
		unsigned least, greatest;

		nb_bucket_range(i, &least, &greatest);
		bad += n != want[i] || least > greatest;
		seen += n;
	}
	ok(over && !bad && seen == 1000,
	   "a link with jitter: %" PRIu64 " samples, %" PRIu64 " buckets are not as made", seen,
	   bad);
	uint64_t least = *std::min_element(made.begin() + 2, made.end()),
		 greatest = *std::max_element(made.begin() + 2, made.end());
	ok(clean(b.get(0)) && b.get(0).least == 168 + least && b.get(0).greatest == 168 + greatest,
	   "a link with jitter: %u to %u cycles", b.get(0).least, b.get(0).greatest);
	p[0].flags &= ~NB_FLAG_CLEAR;
	b.wires[0].jitter = nullptr;
	over = b.launch(p[0], p[1]);
	ok(over && bucket_sum(b, 0) == 2000 && b.get(0).samples == 2000,
	   "without flag 0 the histogram goes on");
	p[0].base = 1000;
	p[0].flags |= NB_FLAG_CLEAR;
	b.launch(p[0], p[1]);
	ok(b.read32(0, NB_HISTOGRAM) == 1000, "a sample below the base is in bucket 0");
	if (!all)
		return;
	p[0].base = 0;
	p[0].iterations = p[1].iterations = 4;
	p[0].timeout = p[1].timeout = 0;
	b.wires[0].jitter = [&](uint64_t) { return (UINT64_C(1) << 21) + 5; };
	b.launch(p[0], p[1]);
	over = b.await(16000000);
	ok(over && b.read32(0, NB_HISTOGRAM + 4 * (NB_BUCKETS - 1)) == 2,
	   "from 2^21 on a sample is in the last bucket");
}

/*
 * A sample within 4 cycles after another is missed, and reported as missed. A group counts all of
 * them.
 */
static void test_missed()
{
	bench b(2, 5);
	struct program p[2] = { one_way(1, 102, 0), one_way(1, 102, 1) };
	struct report r;

	p[0].flags = p[1].flags = NB_FLAG_CLEAR | NB_FLAG_GROUP(1);
	b.launch(p[0], p[1]);
	r = b.get(0);
	ok(r.samples == 25 && r.missed == 75 && r.status == NB_MISSED_SAMPLES,
	   "a sample a cycle: %" PRIu64 " counted, %" PRIu64 " missed", r.samples, r.missed);
	p[0].flags = NB_FLAG_CLEAR | NB_FLAG_GROUP(4);
	b.launch(p[0], p[1]);
	r = b.get(0);
	ok(r.samples == 25 && r.missed == 0 && r.least == 4 && r.greatest == 4,
	   "a sample every 4 cycles: %" PRIu64 " counted", r.samples);
	ok(r.status == 0, "no sample is missed");
}

/* The reference values of boards: mean times with the clocks of the line and of the cores. */
static void board(const char *name, double core_hz, double line_hz, double latency_s, bool all,
		  const double want[4], double beff)
{
	static const uint32_t sizes[] = { 1, 4096, 65536, 1048576 };
	double sum = 0, allowed = core_hz == line_hz ? 0 : 0.5;	/* cycles */

	for (int i = 0; i <= 20; i++) {
		uint32_t size = 1u << i, iterations = i > 18 ? 8 : i > 16 ? 16 : 102, skip = 2;
		bench b(2, 81);
		struct report r;
		double mean;
		int g = 0;

		if (!all && size != 1 && size != 4096 && size != 65536)
			continue;
		b.set_line(core_hz, line_hz, latency_s);
		b.launch(exchange(size, iterations, skip, 2, 0),
			 exchange(size, iterations, skip, 2, 1));
		r = b.get(0);
		mean = (double)(r.s_end - r.s_begin) / (iterations - skip);
		sum += 2 * (double)size / mean * core_hz;
		while (g < 4 && sizes[g] != size)
			g++;
		if (g < 4)
			ok(std::fabs(mean - want[g]) <= (size > 65536 ? 1.5 : 1) * allowed &&
				   clean(r),
			   "%s, %u B: %.2f of %.1f cycles", name, size, mean, want[g]);
		else if (!clean(r))
			ok(false, "%s, %u B: wrong", name, size);
	}
	if (all)
		ok(std::fabs(sum / 21e9 - beff) < (core_hz == line_hz ? 0.00005 : 0.006),
		   "%s: b_eff %.4f of %.4f GB/s", name, sum / 21e9, beff);
}

static void test_boards(bool all)
{
	static const double same[] = { 86, 149, 1109, 16469 },
			    fast[] = { 166.5, 287.9, 2130.8, 31621.0 },
			    u280[] = { 188.9, 285.7, 1760.2, 25353.3 };

	board("520N, 156.25 MHz", 156.25e6, 156.25e6, 520e-9, all, same, 7.7100);
	board("520N, cores 300 MHz", 300e6, 156.25e6, 520e-9, all, fast, 7.6989);
	board("U280, 300 MHz", 300e6, 100e9 / 512, 600e-9, all, u280, 9.0196);
}

int main(int argc, char **argv)
{
	std::string name = argc > 1 ? argv[1] : "";
	bool all = argc > 2;

	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (name == "registers")
		test_registers();
	else if (name == "exact")
		test_exact(all);
	else if (name == "patterns")
		test_patterns(all);
	else if (name == "faults")
		test_faults(all);
	else if (name == "rough")
		test_rough(all);
	else if (name == "times") {
		test_skew();
		test_jitter(all);
		test_missed();
	} else if (name == "boards")
		test_boards(all);
	else
		return 2;
	printf("1..%d\n", tests);
	return failed > 0;
}
