/* SPDX-License-Identifier: Apache-2.0 */
#include "content.h"

#include <string.h>

#define ODD 0x0101010101010101U	/* sets the lowest bit of each byte: none is zero */

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return x ^ (x >> 31);
}

/* Word 0 of a message; seq enters above the bit that ODD sets, so 128 in a row differ. */
static uint64_t first_word(const struct content_key *k)
{
	uint64_t who = mix(k->seed + ((uint64_t)k->src << 40) + ((uint64_t)k->dst << 16) + k->lane + 1);

	return (who & ~UINT64_C(0xff)) + mix(k->seq) * 256 + ((who + 2 * k->seq) & 0xfe);
}

/* Word i of a message. The multiplier is odd, so words repeat only after 2^63. */
static inline uint64_t word(uint64_t first, size_t i)
{
	return (first + i * 0x9e3779b97f4a7c15U) | ODD;
}

void content_fill(void *buf, size_t len, const struct content_key *key)
{
	unsigned char *b = buf;
	uint64_t first = first_word(key), last;
	size_t words = len / 8;

	for (size_t i = 0; i < words; i++) {
		uint64_t w = word(first, i);

		memcpy(b + 8 * i, &w, 8);
	}
	last = word(first, words);
	if (len % 8)
		memcpy(b + 8 * words, &last, len % 8);
}

/* Index of the first byte in which two words' memory differs, from 0; n bytes are compared. */
static size_t first_wrong(const unsigned char *got, uint64_t expected, size_t n)
{
	unsigned char want[8];
	size_t i = 0;

	memcpy(want, &expected, 8);
	while (i < n && got[i] == want[i])
		i++;
	return i;
}

size_t content_check(const void *buf, size_t len, const struct content_key *key)
{
	const unsigned char *b = buf;
	uint64_t first = first_word(key), wrong = 0;
	size_t words = len / 8, i;

	for (i = 0; i < words; i++) {
		uint64_t w;

		memcpy(&w, b + 8 * i, 8);
		wrong |= w ^ word(first, i);
	}
	if (!wrong && first_wrong(b + 8 * words, word(first, words), len % 8) == len % 8)
		return 0;
	for (i = 0; i < words; i++)
		if (first_wrong(b + 8 * i, word(first, i), 8) < 8)
			break;
	return 1 + 8 * i + first_wrong(b + 8 * i, word(first, i), i < words ? 8 : len % 8);
}

void content_poison(void *buf, size_t len)
{
	memset(buf, 0, len);
}
