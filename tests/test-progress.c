/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/sink/progress.h"

static void progress_is_told_in_its_words(void **state)
{
	static const struct {
		size_t done, n;
		uint64_t size;
		size_t repetitions;
		double slow_s, elapsed_s;
		const char *text;
		uint64_t visit, visits;
	} rows[] = {
		{ 0, 21, 1, 0, 0, 0.1, "[1/21] size 1: pilot", 0, 0 },
		{ 0, 21, 1, 1, 0, 0.5, "[1/21] size 1: 1 repetition", 0, 0 },
		{ 1, 21, 2, 7, 0, 2, "[2/21] size 2: 7 repetitions, about 40 s left", 0, 0 },
		{ 20, 21, 1 << 20, 5, 0, 20, "[21/21] size 1048576: 5 repetitions, about 1 s left", 0, 0 },
		/* long points are announced before the first ends */
		{ 0, 21, 1 << 20, 0, 9.13, 2, "[1/21] size 1048576: 0 repetitions, slow: 9.1 s each", 0, 0 },
		{ 20, 21, 1 << 20, 1, 1.25, 40,
		  "[21/21] size 1048576: 1 repetition, slow: 1.2 s each, about 2 s left", 0, 0 },
		/* more points than were planned, as when switches are bisected */
		{ 21, 21, 700, 5, 0, 21, "[22/22] size 700: 5 repetitions, about 1 s left", 0, 0 },
		{ 820, 420, 700, 5, 0, 82, "[821/821] size 700: 5 repetitions, about 0 s left", 0, 0 },
		/* visits are counted if points have several */
		{ 0, 126, 64, 0, 0, 0.1, "[1/126] size 64, visit 1 of 6: pilot", 0, 6 },
		{ 63, 126, 64, 2, 0, 9, "[64/126] size 64, visit 4 of 6: 2 repetitions, about 9 s left", 3, 6 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[PROGRESS_TEXT];

		progress_text(text, rows[i].done, rows[i].n,
			      &(struct progress_point){ rows[i].size, rows[i].repetitions, rows[i].slow_s,
							 rows[i].visit, rows[i].visits },
			      rows[i].elapsed_s);
		assert_string_equal(text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(progress_is_told_in_its_words) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
