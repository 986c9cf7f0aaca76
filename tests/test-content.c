/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/verify/content.h"

#define LONGEST 5000

static const struct content_key base = { .seed = 1, .src = 0, .dst = 1, .lane = 0, .seq = 0 };

static void what_was_filled_is_right(void **state)
{
	unsigned char buf[LONGEST];

	for (size_t len = 0; len < LONGEST; len = len < 70 ? len + 1 : 3 * len) {
		content_fill(buf, len, &base);
		assert_int_equal(content_check(buf, len, &base), 0);
	}
}

static void no_byte_is_zero(void **state)
{
	unsigned char buf[LONGEST];

	for (uint64_t seq = 0; seq < 300; seq++) {
		struct content_key key = base;

		key.seq = seq;
		content_fill(buf, LONGEST, &key);
		assert_null(memchr(buf, 0, LONGEST));
	}
}

static void an_untouched_buffer_is_wrong(void **state)
{
	unsigned char buf[64];

	for (size_t len = 1; len <= sizeof(buf); len++) {
		content_zero(buf, len);
		assert_int_equal(content_check(buf, len, &base), 1);
	}
}

static void every_wrong_byte_is_found(void **state)
{
	unsigned char buf[100];

	for (size_t i = 0; i < sizeof(buf); i++) {
		content_fill(buf, sizeof(buf), &base);
		buf[i] ^= 0x10;
		assert_int_equal(content_check(buf, sizeof(buf), &base), i + 1);
	}
}

/* A constant fill misses this case: the one byte is that of the message before. */
static void one_byte_tells_successive_messages_apart(void **state)
{
	unsigned char byte;

	for (uint64_t seq = 0; seq < 1000; seq++) {
		struct content_key key = base;

		key.seq = seq;
		content_fill(&byte, 1, &key);
		for (uint64_t later = 1; later < 128; later++) {
			key.seq = seq + later;
			assert_int_equal(content_check(&byte, 1, &key), 1);
		}
	}
}

static void shifted_content_is_wrong(void **state)
{
	unsigned char buf[LONGEST];

	content_fill(buf, LONGEST, &base);
	for (size_t shift = 1; shift < 200; shift++)
		assert_int_not_equal(content_check(buf + shift, LONGEST - shift, &base), 0);
}

static void who_and_where_matter(void **state)
{
	struct content_key other[] = { base, base, base, base };
	unsigned char buf[16];

	other[0].seed = 2;
	other[1].src = 2;
	other[2].dst = 2;
	other[3].lane = 1;
	for (size_t i = 0; i < 4; i++) {
		content_fill(buf, sizeof(buf), &other[i]);
		assert_int_not_equal(content_check(buf, sizeof(buf), &base), 0);
	}
}

/* Only the first word of a block and the last word are new. Each part of the message is checked. */
static void stamps_replace_few_words(void **state)
{
	static unsigned char buf[2 * CONTENT_BLOCK + 20];
	struct content_key stamp = base;

	stamp.seq = 1;
	for (size_t len = 0; len <= sizeof(buf); len = len < 300 ? len + 1 : len + CONTENT_BLOCK / 4 + 3) {
		content_fill(buf, len, &base);
		content_zero_stamp(buf, len);
		assert_int_equal(content_check_stamped(buf, len, &base, &stamp), len ? 1 : 0);
		content_stamp(buf, len, &stamp);
		assert_int_equal(content_check_stamped(buf, len, &base, &stamp), 0);
		for (size_t i = 0; i < len; i++) {
			buf[i] ^= 0x10;
			assert_int_equal(content_check_stamped(buf, len, &base, &stamp), i + 1);
			buf[i] ^= 0x10;
		}
		if (len)
			assert_int_not_equal(content_check(buf, len, &base), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_filled_is_right),
		cmocka_unit_test(no_byte_is_zero),
		cmocka_unit_test(an_untouched_buffer_is_wrong),
		cmocka_unit_test(every_wrong_byte_is_found),
		cmocka_unit_test(one_byte_tells_successive_messages_apart),
		cmocka_unit_test(shifted_content_is_wrong),
		cmocka_unit_test(who_and_where_matter),
		cmocka_unit_test(stamps_replace_few_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
