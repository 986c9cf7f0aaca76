/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests two sessions in one process. Each has settings, an endpoint, a plan and files of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/error.h"
#include "cli/command.h"
#include "measure/open.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"

extern const struct backend backend_sim;

/* A command line, and the plan made from it. */
struct plans {
	struct command_line line;
	struct plan plan;
	char path[32];
};

static void prepare(struct plans *p, const char *sim, const char *sizes)
{
	char *words[] = { (char *)(uintptr_t)"latency", (char *)(uintptr_t)"--sim", (char *)(uintptr_t)sim,
			  (char *)(uintptr_t)"--sizes", (char *)(uintptr_t)sizes, (char *)(uintptr_t)"-n",
			  (char *)(uintptr_t)"2", (char *)(uintptr_t)"-q", (char *)(uintptr_t)"-o", p->path, NULL };
	struct settings *st = &p->line.settings;
	int fd;

	strcpy(p->path, "/tmp/netbench-XXXXXX.json");
	fd = mkstemps(p->path, 5);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(command_line_read(&p->line, command_find("latency"), 10, words), ST_OK);
	st->be = &backend_sim;
	assert_int_equal(command_line_add(&p->line), ST_OK);
	assert_int_equal(command_line_bind(&p->line), ST_OK);
	st->job = &job_sim;
	st->why_job = "as the test has it";
	st->launch = (struct launch){ .rank = -1 };
	assert_int_equal(plan_make(&p->plan, st, p->line.cmd.bench), ST_OK);
	st->options = json_object();
}

/* Opens both sessions, and measures in them by turns. */
static int play(struct job *job, void *arg)
{
	struct plans *p = arg;
	struct session s[2];
	int verdict;

	for (int i = 0; i < 2; i++)
		session_open(&s[i], &p[i].plan, job, "");
	for (size_t k = 0; k < 3; k++)
		for (int i = 0; i < 2; i++)
			if (!sweep_spec(&s[i], &p[i].plan.specs[k]))
				return ST_FAILED;
	for (int i = 0; i < 2; i++) {
		if (session_is_root(&s[i]) &&
		    (sink_conclude(&s[i], &verdict) || sink_close(&s[i], ST_OK)))
			return ST_FAILED;
		session_close(&s[i]);
	}
	return ST_OK;
}

/* Half the round trip of LogGP at each size: o_s + L + o_r + (k - 1) G. */
static void check(const struct plans *p, double L, const double *size)
{
	json_t *doc = json_load_file(p->path, 0, NULL), *rows = json_object_get(doc, "rows");

	assert_int_equal(json_array_size(rows), 3);
	assert_string_equal(json_string_value(json_object_get(doc, "status")), "complete");
	for (size_t i = 0; i < 3; i++) {
		const json_t *row = json_array_get(rows, i);
		double want = L + 2 * 100e-9 + (size[i] > 1 ? size[i] - 1 : 0) * 1e-9;
		double got = json_number_value(json_object_get(row, "half_rtt_epoch_s"));

		assert_int_equal(json_integer_value(json_object_get(row, "size_B")), (int)size[i]);
		assert_int_equal(json_integer_value(json_object_get(row, "errors")), 0);
		assert_true(got > want * (1 - 1e-9) && got < want * (1 + 1e-9));
	}
	json_decref(doc);
}

static void two_sessions_share_nothing(void **state)
{
	struct plans p[2];
	struct launch l = { .rank = -1 };
	int out, null;

	prepare(&p[0], "L=1us,o=100ns,g=100ns,G=1ns", "8,64,512");
	prepare(&p[1], "L=5us,o=100ns,g=100ns,G=1ns", "1,2,4096");
	fflush(stdout);	/* both write tables to standard output, which belongs to the test */
	out = dup(STDOUT_FILENO);
	null = dup2(fileno(tmpfile()), STDOUT_FILENO);
	assert_true(null >= 0);
	assert_int_equal(job_sim.run(NULL, &l, 2, 1, play, p), ST_OK);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	check(&p[0], 1e-6, (const double[]){ 8, 64, 512 });
	check(&p[1], 5e-6, (const double[]){ 1, 2, 4096 });
	for (int i = 0; i < 2; i++) {
		unlink(p[i].path);
		plan_free(&p[i].plan);
		json_decref(p[i].line.settings.options);
		p[i].line.settings.options = NULL;
		command_line_free(&p[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(two_sessions_share_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
