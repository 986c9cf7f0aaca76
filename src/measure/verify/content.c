/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify/content.h"

#include <endian.h>
#include <string.h>

#define ODD 0x0101010101010101U	/* mask that sets the lowest bit of each byte, so no byte is 0 */

/* Returns x, mixed by the finaliser of splitmix64. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return x ^ (x >> 31);
}

/*
 * Returns word 0 of a message, which determines all other words. The bits of ODD are set. seq is
 * added above the lowest of these bits, so that 128 successive values of seq give different words.
 */
static uint64_t first_word(const struct content_key *k)
{
	uint64_t ends = ((uint64_t)k->src << 40) + ((uint64_t)k->dst << 16) + k->lane + 1;
	uint64_t h = mix(k->seed + ends);

	return ((h & ~UINT64_C(0xff)) + mix(k->seq) * 256 + ((h + 2 * k->seq) & 0xfe)) | ODD;
}

/*
 * Returns word i of a message as stored in memory, lowest byte first, so that messages shorter than
 * a word also differ. The multiplier is odd, so the words of a message repeat only after 2^63
 * words.
 */
static inline uint64_t word(uint64_t first, size_t i)
{
	return htole64((first + i * 0x9e3779b97f4a7c15U) | ODD);
}

/* Fills bytes from..to-1 of a message; `from` is a multiple of 8. */
static void fill_range(unsigned char *b, size_t from, size_t to, const struct content_key *key)
{
	uint64_t first = first_word(key), w;
	size_t i;

	for (i = from / 8; i < to / 8; i++) {
		w = word(first, i);
		memcpy(b + 8 * i, &w, 8);
	}
	w = word(first, i);
	if (to % 8)
		memcpy(b + 8 * i, &w, to % 8);
}

/*
 * Compares n bytes at `got` with the first n bytes of a word. Returns the index (from 0) of the
 * first byte that differs; n if none differs.
 */
static size_t first_wrong_byte(const unsigned char *got, uint64_t expected, size_t n)
{
	unsigned char want[8];
	size_t i = 0;

	memcpy(want, &expected, 8);
	while (i < n && got[i] == want[i])
		i++;
	return i;
}

/*
 * Checks bytes from..to-1; `from` is a multiple of 8. Returns 0, or 1 + the index of the first
 * wrong byte.
 */
static size_t check_range(const unsigned char *b, size_t from, size_t to,
			  const struct content_key *key)
{
	uint64_t first = first_word(key), wrong = 0;
	size_t words = to / 8, i;

	for (i = from / 8; i < words; i++) {
		uint64_t w;

		memcpy(&w, b + 8 * i, 8);
		wrong |= w ^ word(first, i);
	}
	if (!wrong && first_wrong_byte(b + 8 * words, word(first, words), to % 8) == to % 8)
		return 0;
	for (i = from / 8; i < words; i++)
		if (first_wrong_byte(b + 8 * i, word(first, i), 8) < 8)
			break;
	return 1 + 8 * i + first_wrong_byte(b + 8 * i, word(first, i), i < words ? 8 : to % 8);
}

void content_fill(void *buf, size_t len, const struct content_key *key)
{
	fill_range(buf, 0, len, key);
}

size_t content_check(const void *buf, size_t len, const struct content_key *key)
{
	return check_range(buf, 0, len, key);
}

void content_zero(void *buf, size_t len)
{
	memset(buf, 0, len);
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the offset, in bytes, of the last word of a message. This word may be incomplete. */
static size_t tail_start(size_t len)
{
	return len ? (len - 1) / 8 * 8 : 0;
}

void content_stamp(void *buf, size_t len, const struct content_key *stamp)
{
	for (size_t at = 0; at < len; at += CONTENT_BLOCK)
		fill_range(buf, at, min_size(at + 8, len), stamp);
	fill_range(buf, tail_start(len), len, stamp);
}

void content_zero_stamp(void *buf, size_t len)
{
	unsigned char *b = buf;

	for (size_t at = 0; at < len; at += CONTENT_BLOCK)
		memset(b + at, 0, min_size(8, len - at));
	memset(b + tail_start(len), 0, len - tail_start(len));
}

size_t content_check_stamped(const void *buf, size_t len, const struct content_key *key,
			     const struct content_key *stamp)
{
	size_t tail = tail_start(len), wrong = 0;

	for (size_t at = 0; at < len && !wrong; at += CONTENT_BLOCK) {
		size_t word = min_size(at + 8, len), end = min_size(at + CONTENT_BLOCK, tail);

		wrong = check_range(buf, at, word, stamp);
		if (!wrong && end > word)
			wrong = check_range(buf, word, end, key);
	}
	return wrong ? wrong : check_range(buf, tail, len, stamp);
}
