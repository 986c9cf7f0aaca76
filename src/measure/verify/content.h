/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes and checks the content of messages. The content reveals lost, repeated, misplaced and
 * truncated messages. No byte is zero. Each byte depends on the key of the message and on its
 * position. Pure.
 */
#ifndef NETBENCH_MEASURE_VERIFY_CONTENT_H
#define NETBENCH_MEASURE_VERIFY_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Identifies a message by sender, receiver, lane and sequence number. If messages differ only in
 * seq, their first bytes differ for 128 successive values of seq. So even a message of one byte
 * cannot be mistaken for its predecessor.
 */
struct content_key {
	uint64_t seed;
	uint32_t src, dst, lane;
	uint64_t seq;
};

/* Fills len bytes with the content for a key. */
void content_fill(void *buf, size_t len, const struct content_key *key);

/*
 * Returns 0 if the bytes are those that content_fill writes; otherwise 1 + the index of the first
 * wrong byte.
 */
size_t content_check(const void *buf, size_t len, const struct content_key *key);

/* Overwrites a receive buffer with zeros, which no message contains. */
void content_zero(void *buf, size_t len);

/*
 * Like the functions above, the functions below write and check content, but only in the first word
 * of every CONTENT_BLOCK bytes and the last word of the message. These words distinguish messages
 * and reveal a missing part. The cache lines between them are not touched.
 * content_check_stamped expects the content of `stamp` in these words, and the content of `key`
 * between them.
 */
#define CONTENT_BLOCK 4096
void content_stamp(void *buf, size_t len, const struct content_key *stamp);
void content_zero_stamp(void *buf, size_t len);
size_t content_check_stamped(const void *buf, size_t len, const struct content_key *key,
			     const struct content_key *stamp);

#endif
