/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests facts: a name keeps its type with any value, in JSON and in lines. Two endpoints report
 * their own facts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/error.h"
#include "base/facts.h"
#include "job/job.h"
#include "transport/backend.h"

extern const struct backend backend_sim;

static void put_all(struct facts *f)
{
	fact_text(f, "text", "100");
	fact_int(f, "int", 100);
	fact_real(f, "real", 100);
	fact_text(f, "no_text", NULL);
	fact_real(f, "no_real", NAN);
	fact_real(f, "endless", INFINITY);
	fact_format(f, "made", "%s, %d", "mtu", 4096);
}

static void types_in_json(void **state)
{
	json_t *o = json_object();
	char *text;

	put_all(&(struct facts){ .object = o });
	text = json_dumps(o, JSON_COMPACT);
	assert_string_equal(text, "{\"text\":\"100\",\"int\":100,\"real\":100.0,\"no_text\":null,"
				  "\"no_real\":null,\"endless\":null,\"made\":\"mtu, 4096\"}");
	free(text);
	json_decref(o);
}

static void lines_in_a_file(void **state)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	put_all(&(struct facts){ .to = to });
	fact_text(&(struct facts){ .to = to }, "", "more of it");
	fclose(to);
	assert_string_equal(text,
			    "  text       100\n  int        100\n  real       100\n"
			    "  no_text    unknown\n  no_real    unknown\n  endless    unknown\n"
			    "  made       mtu, 4096\n"
			    "             more of it\n");
	free(text);
}

/* The option values of one endpoint, and the method that it reports. */
struct network {
	void *options;
	char method[160];
};

static int tell_method(struct job *job, void *arg)
{
	struct network *n = arg;
	json_t *o = json_object();
	struct endpoint *ep;
	int err = backend_sim.open(&ep, job, n->options, 0);

	if (err)
		return err;
	backend_sim.describe(ep, &(struct facts){ .object = o });
	snprintf(n->method, sizeof(n->method), "%s",
		 json_string_value(json_object_get(o, "method")));
	json_decref(o);
	backend_sim.close(ep);
	return ST_OK;
}

static void endpoints_share_nothing(void **state)
{
	static const char *const asked[] = { "L=1us", "L=2us" };
	struct network n[2];

	for (int i = 0; i < 2; i++) {	/* sets both before it opens either */
		char *argv[] = { (char *)(uintptr_t)"test", (char *)(uintptr_t)"--sim",
				 (char *)(uintptr_t)asked[i], NULL };
		struct opt_table table = { "sim", backend_sim.options,
					   calloc(1, backend_sim.options_size), NULL };
		struct arguments args = { 0 };

		n[i].options = table.values;
		assert_int_equal(arguments_read(&args, 3, argv, &table, 1, false), ST_OK);
		assert_int_equal(arguments_bind(&args, &table, 1, NULL), ST_OK);
		arguments_free(&args);
	}
	for (int i = 0; i < 2; i++) {
		struct launch l = { .rank = -1 };

		assert_int_equal(job_sim.run(NULL, &l, 2, 1, tell_method, &n[i]), ST_OK);
		free(n[i].options);
	}
	assert_string_equal(n[0].method, "LogGP L=1000ns o_s=0ns o_r=0ns g=0ns G=0ns");
	assert_string_equal(n[1].method, "LogGP L=2000ns o_s=0ns o_r=0ns g=0ns G=0ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_in_json),
		cmocka_unit_test(lines_in_a_file),
		cmocka_unit_test(endpoints_share_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
