/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which data from a peer a rank may use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/values.h"
#include "net/claim.h"

#define RUN 0x0123456789abcdefULL

/* A receiver that awaits 8 to 64 bytes from ranks 2 and 3. */
static const struct expected expected = { RUN, 2, 4, 8, 64 };

static const struct {
	struct claim claim;
	const char *fault;
} cases[] = {
	{ { RUN, 2, 8, true }, NULL },
	{ { RUN, 3, 64, true }, NULL },
	{ { RUN, 2, 7, true }, "its length is wrong" },
	{ { RUN, 2, 65, true }, "its length is wrong" },
	{ { RUN, 2, UINT64_MAX, true }, "its length is wrong" },
	{ { 0, 2, 8, true }, "it belongs to another run" },
	{ { RUN ^ 1ULL << 63, 2, 8, true }, "it belongs to another run" },
	{ { RUN ^ 1, 2, 8, true }, "it belongs to another run" },
	{ { RUN, 1, 8, true }, "its rank is out of range" },
	{ { RUN, 4, 8, true }, "its rank is out of range" },
	{ { RUN, 0x7ffffff, 8, true }, "its rank is out of range" },
	{ { RUN, UINT64_MAX, 8, true }, "its rank is out of range" },
	{ { RUN, 2, 8, false }, "such a message is not allowed now" },
	{ { 0, 9, 0, false }, "its length is wrong" },
};

static void each_claim_has_its_fault_or_none(void **state)
{
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const char *fault = claim_fault(&cases[i].claim, &expected);

		if (!cases[i].fault)
			assert_null(fault);
		else
			assert_string_equal(fault, cases[i].fault);
	}
}

/* On a channel, which proves that data belong to the run. */
static void a_claim_without_a_number_is_judged(void **state)
{
	const struct expected any = { .first = 1, .end = 2, .most = UINT32_MAX };

	assert_null(claim_fault(&(struct claim){ .from = 1, .timely = true }, &any));
	assert_non_null(claim_fault(&(struct claim){ .from = 0, .timely = true }, &any));
	assert_non_null(claim_fault(&(struct claim){ .run = 1, .from = 1, .timely = true }, &any));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_claim_has_its_fault_or_none),
		cmocka_unit_test(a_claim_without_a_number_is_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
