/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content of messages that shows lost, repeated, misplaced or truncated ones: no byte is zero,
 * each depends on the message's key and on its position. Pure.
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

/* Fills len bytes. */
void content_fill(void *buf, size_t len, const struct content_key *key);

/* Returns 0 if the bytes are as content_fill leaves them, else 1 + the index of the first wrong. */
size_t content_check(const void *buf, size_t len, const struct content_key *key);

/* Overwrites a receive buffer with zeros, which no message contains. */
void content_poison(void *buf, size_t len);

/*
 * The same for only the first word of every CONTENT_BLOCK bytes and the last word of the message.
 * That tells this message from another and shows a missing part, without touching the lines
 * between. content_check_stamped expects those words of `stamp`, and between them what `key` filled
 * in.
 */
#define CONTENT_BLOCK 4096
void content_stamp(void *buf, size_t len, const struct content_key *stamp);
void content_poison_stamp(void *buf, size_t len);
size_t content_check_stamped(const void *buf, size_t len, const struct content_key *key,
			     const struct content_key *stamp);

#endif
