/* SPDX-License-Identifier: Apache-2.0 */
/* Tests LogGP parameters that are read from a file. */
#include "model/parameters.h"
#include "model/predict.h"

#include "base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WHOLE "{\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": 5e-10}"

static char said[512];		/* what the last read_text printed on stderr */

/*
 * Returns the status of parameters_read for a file with this text. Counts the lines that it prints.
 */
static int read_text(const char *text, struct loggp *p, int *lines)
{
	size_t n;

	char path[] = "/tmp/netbench-like-XXXXXX";
	int fd = mkstemp(path), saved = dup(STDERR_FILENO), status;
	FILE *f = fdopen(fd, "w"), *tmp = tmpfile();

	assert_true(f && tmp && saved >= 0);
	fputs(text, f);
	fclose(f);
	fflush(stderr);
	dup2(fileno(tmp), STDERR_FILENO);
	status = parameters_read(path, p, NULL);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	unlink(path);
	rewind(tmp);
	n = fread(said, 1, sizeof(said) - 1, tmp);
	said[n] = '\0';
	for (*lines = 0; n; n--)
		*lines += said[n - 1] == '\n';
	fclose(tmp);
	return status;
}

static void assert_whole(const struct loggp *p)
{
	static const double want[] = { 1e-6, 2e-7, 3e-7, 4e-7, 5e-10 };
	const double got[] = { p->L, p->o_s, p->o_r, p->g, p->G };

	assert_memory_equal(got, want, sizeof(want));
}

static void parameters_are_found_wherever_a_result_has_them(void **state)
{
	static const char *const texts[] = {
		"{\"loggp\": " WHOLE "}",
		"{\"summary\": {\"loggp\": " WHOLE "}}",
		"{\"schema\": \"netbench-json/1\", \"rows\": [{\"L_s\": 7}], \"summary\": {\"series\": [], \"loggp\": " WHOLE "}}",
		"{\"loggp\": " WHOLE ", \"summary\": {\"loggp\": {\"L_s\": 7}}}",
	};
	int lines;

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct loggp p = { 0 };

		assert_int_equal(read_text(texts[i], &p, &lines), ST_OK);
		assert_int_equal(lines, 0);
		assert_whole(&p);
	}
}

static void whole_numbers_are_numbers(void **state)
{
	struct loggp p = { .L = 1 };
	int lines;

	assert_int_equal(read_text("{\"loggp\": {\"L_s\": 0, \"o_s_s\": 1, \"o_r_s\": 2, \"g_s\": 3, \"G_s_per_B\": 0}}", &p,
				   &lines), ST_OK);
	assert_true(p.L <= 0 && p.G <= 0 && p.o_s >= 1 && p.o_r >= 2 && p.g >= 3);
}

static void what_has_no_parameters_is_refused(void **state)
{
	static const char *const texts[] = {
		"", "{", "[]", "{}", "7", "null", "{\"summary\": {}}", "{\"summary\": []}", "{\"loggp\": []}", "{\"loggp\": null}",
		"{\"loggp\": {}}",
		"{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7}}",
		"{\"loggp\": {\"L_s\": \"1e-6\", \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": 5e-10}}",
		"{\"loggp\": {\"L_s\": null, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": 5e-10}}",
		"{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": -2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": 5e-10}}",
		"{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": -5e-10}}",
		"{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 4e-7, \"G_s_per_B\": NaN}}",
	};
	struct loggp p = { 0 };
	int lines;

	for (size_t i = 0; i < COUNT(texts); i++) {
		if (read_text(texts[i], &p, &lines) != ST_USAGE || lines != 1)
			fail_msg("'%s' is taken, or told of in %d lines", texts[i], lines);
	}
}

/* Reasons why a parameter is refused. None of these counts as 0. */
static void why_a_parameter_is_not_taken_is_told(void **state)
{
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ "{}", "has no LogGP parameters" },
		{ "{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": null, \"G_s_per_B\": 0}}",
		  "parameter 'g_s' is not determined" },
		{ "{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 1}}",
		  "parameter 'G_s_per_B' is missing" },
		{ "{\"loggp\": {\"L_s\": -1e-6, \"o_s_s\": 2e-7, \"o_r_s\": 3e-7, \"g_s\": 1, \"G_s_per_B\": 0}}",
		  "parameter 'L_s' is negative" },
		{ "{\"loggp\": {\"L_s\": 1e-6, \"o_s_s\": \"1\", \"o_r_s\": 3e-7, \"g_s\": 1, \"G_s_per_B\": 0}}",
		  "parameter 'o_s_s' is not a number" },
	};
	struct loggp p;
	int lines;

	for (size_t i = 0; i < COUNT(cases); i++)
		if (read_text(cases[i].text, &p, &lines) != ST_USAGE || !strstr(said, cases[i].reason))
			fail_msg("'%s': %s", cases[i].text, said);
}

/* A parameter that the fit of a segment has not determined is not a number. */
static void a_parameter_that_a_segment_lacks_is_no_number(void **state)
{
	json_t *doc = json_loads("{\"loggp\": " WHOLE ", \"summary\": {\"segments\": [{\"L_s\": -1e-7, \"o_s_s\": 2e-7, "
				 "\"o_r_s\": null, \"g_s\": 4e-7, \"G_s_per_B\": 5e-10, \"upto_B\": 64}, "
				 WHOLE "]}}", 0, NULL);
	struct loggp_pieces pieces;

	assert_true(parameters_pieces(doc, &pieces));
	assert_int_equal(pieces.n, 2);
	assert_true(isnan(pieces.p[0].o_r) && pieces.p[0].L < 0 && pieces.upto[0] > 63);
	assert_whole(&pieces.p[1]);
	assert_string_equal(loggp_missing(&pieces.p[0]), "o_r");
	assert_true(isnan(predict_by_size(&(struct observation){ .what = OBSERVED_GAP, .size = 8 }, &pieces)));
	assert_true(predict_by_size(&(struct observation){ .what = OBSERVED_GAP, .size = 100 }, &pieces) > 0);
	json_decref(doc);
}

static void parameters_are_read_as_they_were_written(void **state)
{
	const struct loggp p = { .L = 1e-6, .o_s = 2e-7, .o_r = 3e-7, .g = 4e-7, .G = 5e-10 };
	json_t *whole = json_object();
	struct loggp got = { 0 };
	char *text;
	int lines;

	json_object_set_new(whole, "loggp", parameters_object(&p));
	assert_true(parameters_get(whole, &got));
	assert_whole(&got);
	text = json_dumps(whole, 0);
	got = (struct loggp){ 0 };
	assert_int_equal(read_text(text, &got, &lines), ST_OK);
	assert_whole(&got);
	free(text);
	json_decref(whole);
	assert_false(parameters_get(NULL, &got));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_found_wherever_a_result_has_them),
		cmocka_unit_test(whole_numbers_are_numbers),
		cmocka_unit_test(what_has_no_parameters_is_refused),
		cmocka_unit_test(why_a_parameter_is_not_taken_is_told),
		cmocka_unit_test(a_parameter_that_a_segment_lacks_is_no_number),
		cmocka_unit_test(parameters_are_read_as_they_were_written),
	};

	return cmocka_run_group_tests_name("like", tests, NULL, NULL);
}
