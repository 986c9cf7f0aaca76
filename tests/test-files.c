/* SPDX-License-Identifier: Apache-2.0 */
#include "options/files.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "options/arguments.h"

struct values {
	const char *from, *how, *note, *script;
	struct texts outputs;
};

static const char *const words[] = { "ring", NULL };

static const struct opt options[] = {
	{ 0, "from", "file", OPT_TEXT, offsetof(struct values, from), .file = OPT_READ },
	{ 0, "how", "how", OPT_TEXT, offsetof(struct values, how), .file = OPT_READ,
	  .choices = words },
	{ 0, "note", "text", OPT_TEXT, offsetof(struct values, note), .help = "" },
	{ 0, "script", "file", OPT_TEXT, offsetof(struct values, script), .file = OPT_WRITTEN },
	{ 'o', "output", "file", OPT_TEXTS, offsetof(struct values, outputs), .file = OPT_WRITTEN },
	{ 0 },
};

static char dir[] = "/tmp/test-files-XXXXXX", said[1024];

static void keep(const char *text, int status)
{
	snprintf(said, sizeof(said), "%s", text);
}

static void make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0666);

	assert_true(fd >= 0);
	close(fd);
}

/* Files a, b and ring exist, a directory d, other names of a and d, and a name of nothing. */
static int setup(void **state)
{
	if (!mkdtemp(dir) || chdir(dir) || mkdir("d", 0777) || symlink("a", "soft") ||
	    symlink("d", "e") || symlink("soft", "softer") || symlink("new", "dangling") ||
	    symlink("../new", "d/dangling") || symlink("loop", "loop"))
		return -1;
	make("a");
	make("b");
	make("ring");
	error_route(keep);
	return link("a", "hard") || link("ring", "also-ring");
}

static int teardown(void **state)
{
	static const char *const names[] = { "a", "b", "ring", "also-ring", "hard", "soft",
					     "softer", "dangling", "d/dangling", "e", "loop" };

	error_route(NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	return rmdir("d") || chdir("/") || rmdir(dir);
}

static const struct {
	const char *line, *said;	/* NULL: all files are different */
} cases[] = {
	{ "", NULL }, { "-o x", NULL },
	{ "--from a -o b -o x x", "'x' of '--output' is also read, as 'x'" },
	{ "--from a -o b b", "'b' of '--output' is also read, as 'b'" },
	{ "--from a -o b --script c d/x", NULL },
	{ "--from a -o a", "'a' of '--output' is also read, as 'a' of '--from'" },
	{ "--from a -o x -o ./a", "'./a' of '--output' is also read, as 'a' of '--from'" },
	{ "--from a --script soft", "'soft' of '--script' is also read, as 'a' of '--from'" },
	{ "--from softer -o d/../hard", "'d/../hard' of '--output' is also read, as 'softer'" },
	{ "--from e/../a -o hard", "is also read" }, { "-o a --from a", "is also read" },
	{ "-o hard -- b a", "'hard' of '--output' is also read, as 'a'" },
	{ "-o b -- a hard", NULL },	/* an input may be given twice */
	{ "--from a --how a -o b", NULL },
	{ "--note a -o a", NULL },
	{ "--how a -o hard", "'hard' of '--output' is also read, as 'a' of '--how'" },
	{ "--how ring -o also-ring", NULL }, { "--how ./ring -o also-ring", "is also read" },
	{ "-o a -o a", "'a' of '--output' is given twice" },
	{ "-o x -o x", "'x' of '--output' is given twice" },
	{ "-o x -o ./x", "'./x' of '--output' is given twice, also as 'x' of '--output'" },
	{ "-o a -o y --script hard", "is given twice, also as" },
	{ "-o d/x -o e/x", "'e/x' of '--output' is given twice, also as 'd/x'" },
	{ "-o d/x -o x", NULL }, { "-o d/x -o e/y", NULL },
	{ "-o new -o dangling", "is given twice" }, { "-o d/dangling -o ./new", "is given twice" },
	{ "--from new -o dangling", "is also read" },
	{ "-o none/x -o none/y", NULL }, { "-o none/x -o none/x", NULL },	/* cannot be opened */
	{ "-o /nosuch -o //nosuch", "is given twice" },
	{ "-o loop -o x", NULL },
};

static void files_that_are_read_and_written_are_refused(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[256], *argv[16] = { (char[]){ "x" } };
		struct values values;
		const struct opt_table table = { NULL, options, &values, NULL };
		struct arguments a;
		int argc = 1, status;

		strcpy(line, cases[i].line);
		for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
			argv[argc++] = word;
		assert_int_equal(arguments_read(&a, argc, argv, &table, 1, false), ST_OK);
		assert_int_equal(arguments_bind(&a, &table, 1, NULL), ST_OK);
		*said = '\0';
		status = files_check(&table, 1, a.operands, a.noperands);
		if (status != (cases[i].said ? ST_USAGE : ST_OK) ||
		    (cases[i].said && !strstr(said, cases[i].said)))
			fail_msg("'%s': status %d: %s", cases[i].line, status, said);
		arguments_free(&a);
	}
}

/* A file whose name is derived from that of an option. */
static void a_file_that_an_option_names_is_not_written(void **state)
{
	char *operands[] = { (char[]){ "b" }, (char[]){ "hard" } };

	assert_int_equal(files_check_written("output", "x", operands, 2), ST_OK);
	assert_int_equal(files_check_written("output", "soft", operands, 1), ST_OK);
	assert_int_equal(files_check_written("output", "soft", operands, 2), ST_USAGE);
	assert_non_null(strstr(said, "'soft' of '--output' is also read, as 'hard'"));
}

/* Standard output also counts as a written file if it is a file. */
static void a_file_that_is_standard_output_counts_as_written(void **state)
{
	char *operand[] = { (char[]){ "hard" } };
	struct values values = { .from = "a" };
	const struct opt_table table = { NULL, options, &values, NULL };
	int saved = dup(STDOUT_FILENO), to = open("a", O_WRONLY), status[3];

	assert_true(saved >= 0 && to >= 0);
	fflush(stdout);
	dup2(to, STDOUT_FILENO);
	status[0] = files_check(&table, 1, NULL, 0);
	values.from = "b";
	status[1] = files_check(&table, 1, operand, 1);
	status[2] = files_check(&table, 1, NULL, 0);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(to);
	assert_int_equal(status[0], ST_USAGE);
	assert_int_equal(status[1], ST_USAGE);
	assert_string_equal(said, "'hard' is the standard output: name another file");
	assert_int_equal(status[2], ST_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_are_read_and_written_are_refused),
		cmocka_unit_test(a_file_that_an_option_names_is_not_written),
		cmocka_unit_test(a_file_that_is_standard_output_counts_as_written),
	};

	return cmocka_run_group_tests_name("files", tests, setup, teardown);
}
