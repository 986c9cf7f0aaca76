/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The test cases of the shells for real cards, for C and C++. Each case says what pairs 0 and 1,
 * which are wired to each other, send and receive, and what memory must then contain. The test of
 * each shell defines `run`.
 */
#ifndef NETBENCH_TESTS_CASES_H
#define NETBENCH_TESTS_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels.h"

/* fills memory before a case, and must be left after the last beat received */
#define GUARD 0x5a

/*
 * The arguments of stage 0 of all kernels in a case. The reply of stage 1 has one byte. The very
 * last message is made of LAST_OF(first).
 */
struct stage {
	uint32_t size, count, flags;
	uint64_t first;
};
#define LAST_OF(first) ((first) * 0x0123456789abcdefU)

struct test {
	const char *name;
	uint32_t iterations;
	struct stage send[2], recv[2];	/* stages of pairs 0 and 1 */
	bool reply;
};

#define AFTER SEND_WAIT_AFTER
#define BEFORE SEND_WAIT_BEFORE
#define CREDITED RECV_CREDIT
#define EXCHANGE(size, flags) \
	{ "exchange " #size ", " #flags, 20, { { size, 1, flags, 1 }, { size, 1, flags, 9 } }, \
	  { { size, 1, CREDITED, 0 }, { size, 1, CREDITED, 0 } }, false }

static const struct test tests[] = {
	EXCHANGE(0, AFTER), EXCHANGE(1, AFTER), EXCHANGE(31, AFTER), EXCHANGE(32, AFTER),
	EXCHANGE(63, AFTER), EXCHANGE(64, AFTER), EXCHANGE(65, AFTER), EXCHANGE(1000, AFTER),
	EXCHANGE(1024, AFTER), EXCHANGE(1025, AFTER), EXCHANGE(65537, AFTER),
	{ "ping-pong", 100, { { 100, 1, AFTER, 1 }, { 100, 1, BEFORE, 9 } },
	  { { 100, 1, CREDITED, 0 }, { 100, 1, CREDITED, 0 } }, false },
	{ "window", 10, { { 500, 64, AFTER, 1 }, { 1, 1, BEFORE, 9 } },
	  { { 1, 1, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, false },
	{ "one way", 10, { { 500, 64, 0, 1 }, { 0, 0, 0, 0 } },
	  { { 0, 0, 0, 0 }, { 500, 64, 0, 0 } }, false },
	{ "windows both ways", 10, { { 500, 64, AFTER, 1 }, { 500, 64, AFTER, 9 } },
	  { { 500, 64, CREDITED, 0 }, { 500, 64, CREDITED, 0 } }, true },
};

/*
 * Returns the index of the first wrong byte that a pair has stored; -1: there is none. The bytes
 * after its last beat of 64 bytes must be unchanged.
 */
static long wrong_byte(const void *got, const struct stage *sent)
{
	uint32_t stored = sent->count ? (sent->size ? (sent->size + 63) / 64 : 1) * 64 : 0;
	const unsigned char *b = (const unsigned char *)got;

	for (uint32_t i = 0; i < stored + 64; i++) {
		uint64_t word = (LAST_OF(sent->first) + i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;

		if (b[i] != (i < stored ? (unsigned char)(word >> 8 * (i % 8)) : GUARD))
			return (long)i;
	}
	return -1;
}

/* Runs all cases and prints TAP. Returns the exit status. */
static int run_all(bool (*run)(const struct test *t), bool described)
{
	size_t n = sizeof(tests) / sizeof(tests[0]);
	bool all = described;

	printf("1..%zu\n%sok 1 - describe\n", n + 1, described ? "" : "not ");
	for (size_t i = 0; i < n; i++) {
		bool ok = run(&tests[i]);

		printf("%sok %zu - %s\n", ok ? "" : "not ", i + 2, tests[i].name);
		all = all && ok;
	}
	return !all;
}

#endif
