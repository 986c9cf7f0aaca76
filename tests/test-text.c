/* SPDX-License-Identifier: Apache-2.0 */
/* Tests numbers in sentences, and how words are broken into lines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void no_number_in_a_sentence_has_an_exponent(void **state)
{
	static const struct {
		double value;
		int digits;
		const char *says;
	} rows[] = {
		{ 130, 2, "130" },	    { 134.6, 2, "130" },	 { 99.6, 2, "100" },
		{ 1048576, 6, "1048580" },  { 1048576, 7, "1048576" },	 { 12345.6, 4, "12350" },
		{ 0.92345, 4, "0.9234" },   { 1.5, 3, "1.5" },		 { 1, 3, "1" },
		{ 0.000123, 2, "0.00012" }, { 3.11e-12, 3, "0" },	 { -3.11e-12, 3, "0" },
		{ -0.5, 2, "-0.5" },	    { 9.9999, 3, "10" },	 { 0, 3, "0" },
		{ 100, 3, "100" },	    { 1e6, 3, "1000000" },	 { INFINITY, 2, "inf" },
		{ 3e20, 2, "more than 1000000000000" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(plain(rows[i].value, rows[i].digits).s, rows[i].says);
}

static void words_go_on_at_their_column(void **state)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	text_wrap(to, "a mean of 95.1 MB/s and more", 2, 16);
	assert_non_null(text_close(to, &text));
	assert_string_equal(text, "a mean of\n  95.1 MB/s and\n  more\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_number_in_a_sentence_has_an_exponent),
		cmocka_unit_test(words_go_on_at_their_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
