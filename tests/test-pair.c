/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how the limits of --fail-if are judged from an interval. */
#include "analyse/compare/pair.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* a ratio of times of 1.05 that is rounded to less */
#define ROUNDED (1.05 * (1 - 1e-12))

/* As for an exact outcome, a ratio that misses the limit only by rounding reaches it. */
static void an_interval_reaches_a_limit_within_rounding(void **state)
{
	static const struct {
		struct interval ratio;
		bool rate;
		enum outcome found;
		enum verdict limit;
	} cases[] = {
		{ { ROUNDED, 1.2 }, false, SLOWER, VERDICT_YES },
		{ { ROUNDED, 1.2 }, true, FASTER, VERDICT_NO },
		{ { 1 / 1.2, 1 / ROUNDED }, true, SLOWER, VERDICT_YES },
		{ { 1.01, ROUNDED }, false, SLOWER, VERDICT_CANNOT_TELL },
		{ { 1.01, 1.049 }, false, SLOWER, VERDICT_NO },
		{ { 1.049, 1.2 }, false, SLOWER, VERDICT_CANNOT_TELL },
	};
	const struct fail_if slower = { .asked = true, .factor = { NAN, NAN, 1.05, NAN } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct measure m = { .rate = cases[i].rate };
		struct row_pair pair = { .outcome = cases[i].found, .interval = cases[i].ratio };

		pair_judge_limits(&slower, &m, &pair);
		if (pair.limit[SLOWER] != cases[i].limit)
			fail_msg("case %zu: %d, not %d", i, pair.limit[SLOWER], cases[i].limit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_reaches_a_limit_within_rounding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
