/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What messages contain, so that a lost, repeated, misplaced or truncated one shows: every byte
 * is non-zero and depends on the message's key and on its position. Pure.
 */
#ifndef NETBENCH_MEASURE_CONTENT_H
#define NETBENCH_MEASURE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Identifies a message: who sent it to whom on which lane, and its sequence number. Messages that
 * differ only in seq differ in every first byte for 128 successive numbers, so that even a message of
 * one byte cannot be taken for its predecessor.
 */
struct content_key {
	uint64_t seed;
	uint32_t src, dst, lane;
	uint64_t seq;
};

/* Fills len bytes. */
void content_fill(void *buf, size_t len, const struct content_key *key);

/* Returns 0 if the bytes are as content_fill leaves them, else 1 + the index of the first wrong byte. */
size_t content_check(const void *buf, size_t len, const struct content_key *key);

/* Overwrites a receive buffer with what no message contains (zeros). */
void content_poison(void *buf, size_t len);

/*
 * The same for the first word of every CONTENT_BLOCK bytes and the last word of the message alone, the rest
 * being as it was: enough to tell this message from another, and to see a part of it missing, without
 * touching the lines between. content_check_stamped expects those words of `stamp`, and what `key` filled
 * in between.
 */
#define CONTENT_BLOCK 4096
void content_stamp(void *buf, size_t len, const struct content_key *stamp);
void content_poison_stamp(void *buf, size_t len);
size_t content_check_stamped(const void *buf, size_t len, const struct content_key *key,
			     const struct content_key *stamp);

#endif
