/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content of messages that reveals lost, repeated, misplaced and truncated messages. No byte is
 * zero. Each byte depends on the message's key and on its position. Pure.
 */
#ifndef NETBENCH_MEASURE_VERIFY_CONTENT_H
#define NETBENCH_MEASURE_VERIFY_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Identifies a message: sender, receiver, lane, sequence number. Messages that differ only in seq
 * differ in the first byte for 128 successive numbers. So even a message of one byte cannot be
 * mistaken for its predecessor.
 */
struct content_key {
	uint64_t seed;
	uint32_t src, dst, lane;
	uint64_t seq;
};

/* Fills len bytes with the content of a key. */
void content_fill(void *buf, size_t len, const struct content_key *key);

/*
 * Returns 0 if the bytes are what content_fill writes, else 1 + the index of the first wrong byte.
 */
size_t content_check(const void *buf, size_t len, const struct content_key *key);

/* Overwrites a receive buffer with zeros, which no message contains. */
void content_zero(void *buf, size_t len);

/*
 * Like the functions above, but for only the first word of every CONTENT_BLOCK bytes and the last
 * word of the message. These words distinguish messages and reveal a missing part; the cache lines
 * between them are not touched.
 * content_check_stamped expects the words of `stamp` there, and the content of `key` between them.
 */
#define CONTENT_BLOCK 4096
void content_stamp(void *buf, size_t len, const struct content_key *stamp);
void content_zero_stamp(void *buf, size_t len);
size_t content_check_stamped(const void *buf, size_t len, const struct content_key *key,
			     const struct content_key *stamp);

#endif
