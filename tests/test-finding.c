/* SPDX-License-Identifier: Apache-2.0 */
/* Tests findings: their sentences, their JSON and their exit status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "show/finding.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct sentence table[] = {
	{ "slow", { "{subject} is {effect:%} slower[ ({lo:%} to {hi:%})] than its peers",
		    "{subject} is as fast as its peers", "{subject}: {why}" },
	  "look at the cable of {subject}" },
	{ "late", { "{subject} is {effect:s} late, on {hosts:#host}[ of {model}]", NULL, NULL }, NULL },
	{ "plain", { "{quantity} is {value} of {limit:B/s}", NULL, NULL }, NULL },
	{ "times", { "{left}[ at {size:KiB}] is {ratio:x} times slower[ <{lo:x}, {hi:x}>]", NULL, NULL }, NULL },
	{ NULL, { NULL }, NULL },
};

static void a_finding_is_told_in_a_sentence(void **state)
{
	static const struct {
		const char *kind, *subject, *quantity, *evidence;
		double effect, lo, hi;
		enum verdict verdict;
		const char *want;
	} rows[] = {
		{ "slow", "n5", "bandwidth", NULL, 0.293, 0.281, 0.304, VERDICT_YES,
		  "n5 is 29 % slower (28 % to 30 %) than its peers" },
		{ "slow", "n5", "bandwidth", NULL, 0.293, NAN, NAN, VERDICT_YES, "n5 is 29 % slower than its peers" },
		{ "slow", "n5", "bandwidth", NULL, 0.0293, NAN, 1, VERDICT_YES, "n5 is 2.9 % slower than its peers" },
		{ "slow", "n5", "bandwidth", NULL, NAN, NAN, NAN, VERDICT_NO, "n5 is as fast as its peers" },
		{ "slow", "n5", "bandwidth", NULL, NAN, NAN, NAN, VERDICT_CANNOT_TELL, "n5: too few visits" },
		{ "late", "n5", "", "{\"hosts\": 1}", 5.076e-7, NAN, NAN, VERDICT_YES, "n5 is 507.6 ns late, on 1 host" },
		{ "late", "n5", "", "{\"hosts\": 3, \"model\": \"X\"}", 2e-6, NAN, NAN, VERDICT_YES,
		  "n5 is 2.000 us late, on 3 hosts of X" },
		{ "late", "n5", "", NULL, 2e-6, NAN, NAN, VERDICT_NO, "" },
		{ "times", "", "", "{\"left\": \"bcast\", \"size\": 16384, \"ratio\": 2.345}", NAN, 2.11, 2.599, VERDICT_YES,
		  "bcast at 16 KiB is 2.3 times slower [2.1, 2.6]" },
		{ "times", "", "", "{\"left\": \"<b>\", \"size\": null, \"ratio\": 1.0449}", NAN, NAN, NAN, VERDICT_YES,
		  "<b> is 1.04 times slower" },
		{ "times", "", "", "{\"left\": \"b\", \"ratio\": 1.00132, \"lo\": null, \"hi\": 1}", NAN, NAN, NAN, VERDICT_YES,
		  "b is 1.001 times slower" },
		{ "plain", "", "rate", "{\"value\": 12.3456, \"limit\": 1e10}", NAN, NAN, NAN, VERDICT_YES,
		  "rate is 12.35 of 10.00 GB/s" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		json_t *evidence = rows[i].evidence ? json_loads(rows[i].evidence, 0, NULL) : NULL;
		struct finding f = { .kind = rows[i].kind, .subject = (char *)(uintptr_t)rows[i].subject,
				     .quantity = rows[i].quantity, .unit = "", .effect = rows[i].effect, .lo = rows[i].lo,
				     .hi = rows[i].hi, .verdict = rows[i].verdict, .evidence = evidence,
				     .why = (char *)(uintptr_t) "too few visits" };
		char *got = finding_words(&f, finding_sentence(table, f.kind), RATE_BYTE);

		assert_string_equal(got, rows[i].want);
		free(got);
		json_decref(evidence);
	}
	assert_null(finding_sentence(table, "nothing"));
}

static void a_finding_has_all_its_members_in_json(void **state)
{
	struct findings all = { .n = 0 };
	struct finding f = { .kind = "slow", .subject = (char *)(uintptr_t) "n5", .quantity = "bandwidth_Bps", .effect = 0.25,
			     .lo = 0.2, .hi = NAN, .evidence = json_pack("{s:i}", "visits", 3) };
	json_t *list, *want = json_pack("[{s:s, s:s, s:s, s:f, s:f, s:n, s:s, s:s, s:s, s:s, s:s, s:{s:i}}]", "kind", "slow",
					"subject", "n5", "quantity", "bandwidth_Bps", "effect", 0.25, "lo", 0.2, "hi", "unit", "",
					"verdict", "yes", "why", "", "text", "n5 is 25 % slower than its peers", "advice",
					"look at the cable of n5", "evidence", "visits", 3);

	findings_add(&all, &f);
	list = findings_json(&all, table, RATE_BYTE);
	assert_true(json_equal(list, want));
	json_decref(list);
	json_decref(want);
	findings_free(&all);
	assert_int_equal(all.n, 0);
}

static void findings_that_decide_make_the_exit_status(void **state)
{
	static const struct {
		enum verdict verdict[3];
		bool decides[3];
		int want;
	} rows[] = {
		{ { VERDICT_YES, VERDICT_YES, VERDICT_YES }, { false }, ST_OK },
		{ { VERDICT_NO, VERDICT_NO, VERDICT_NO }, { true, true, true }, ST_OK },
		{ { VERDICT_NO, VERDICT_CANNOT_TELL, VERDICT_YES }, { true, true, false }, ST_NO_VERDICT },
		{ { VERDICT_CANNOT_TELL, VERDICT_YES, VERDICT_NO }, { true, true, true }, ST_FAILED },
		{ { VERDICT_CANNOT_TELL, VERDICT_NO, VERDICT_NO }, { false, true, true }, ST_OK },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct findings all = { .n = 0 };

		for (int k = 0; k < 3; k++) {
			struct finding f = { .kind = "slow", .verdict = rows[i].verdict[k],
					     .decides = rows[i].decides[k] };

			findings_add(&all, &f);
		}
		assert_int_equal(findings_status(&all), rows[i].want);
		findings_free(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_is_told_in_a_sentence),
		cmocka_unit_test(a_finding_has_all_its_members_in_json),
		cmocka_unit_test(findings_that_decide_make_the_exit_status),
	};

	return cmocka_run_group_tests_name("finding", tests, NULL, NULL);
}
