/* SPDX-License-Identifier: Apache-2.0 */
#include "options/arguments.h"

#include "base/error.h"
#include "base/read/fields.h"
#include "base/suggest.h"
#include "options/help.h"
#include "options/types.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { MAX_ARGS = 32, TEXT_MAX = 4096 };

static const char *const formats[] = { "table", "csv", "json", NULL };

struct common {
	bool verbose;
	uint64_t max_size;
	uint64_t limit;
	double factor;
	double time;
	uint64_t format;
	const char *output;
};

struct lists {
	struct numbers window;
	struct numbers sizes;
	struct numbers columns;
	struct texts set;
	uint64_t repeat;
	uint64_t any;
};

#define AT(member) offsetof(struct common, member)
static const struct opt common_options[] = {
	{ 'v', "verbose", NULL, OPT_FLAG, AT(verbose), .help = "say what is done and why" },
	{ 'm', "max-size", "log2", OPT_UINT, AT(max_size),
	  .def = "20", .max = 30, .help = "largest message, as a power of two" },
	{ 0, "limit", "bytes", OPT_SIZE, AT(limit),
	  .def = "4k", .min = 1, .max = 1 << 30, .help = "size limit", .was = "bound" },
	{ 0, "factor", "x", OPT_REAL, AT(factor), .min = -1.5, .max = 1.5, .help = "factor" },
	{ 't', "time", "time", OPT_SECONDS, AT(time),
	  .def = "1s", .min = 0.001, .max = 3600, .help = "time" },
	{ 'f', "format", "name", OPT_CHOICE, AT(format),
	  .def = "table", .choices = formats, .help = "output format" },
	{ 'o', "output", "file", OPT_TEXT, AT(output), .help = "where to write" },
	{ .name = NULL },
};
#undef AT

#define AT(member) offsetof(struct lists, member)
static const struct opt list_options[] = {
	{ 'w', "window", "n,...", OPT_UINTS, AT(window),
	  .def = "64", .min = 1, .max = 65536, .help = "messages in flight" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .help = "sizes of messages" },
	{ 'c', "columns", "name,...", OPT_CHOICES, AT(columns),
	  .choices = formats, .help = "what to show" },
	{ 's', "set", "key=value", OPT_TEXTS, AT(set), .def = "a=1", .help = "set a key" },
	{ 'r', "repeat", "n", OPT_UINT, AT(repeat),
	  .def = "auto", .min = 1, .word = "auto", .help = "repetitions" },
	{ 0, "any", "n", OPT_UINT, AT(any), .help = "any number" },
	{ .name = NULL },
};
#undef AT

struct fixture {
	struct common common;
	struct lists lists;
	struct opt_table tables[2];
	struct arguments args;
	char *argv[MAX_ARGS + 1];
	int argc;
	char text[TEXT_MAX];
	char said[TEXT_MAX];
};

static void fixture_init(struct fixture *f)
{
	memset(f, 0xaa, sizeof(*f));
	f->tables[0] = (struct opt_table){ "General options", common_options, &f->common, NULL };
	f->tables[1] = (struct opt_table){ "Lists", list_options, &f->lists, NULL };
}

/* Output to stderr between the two calls is copied to `said`. */
static int capture_start(FILE *tmp)
{
	int saved = dup(STDERR_FILENO);

	assert_true(saved >= 0);
	assert_true(dup2(fileno(tmp), STDERR_FILENO) >= 0);
	return saved;
}

static void capture_end(FILE *tmp, int saved, char *said)
{
	ssize_t n = pread(fileno(tmp), said, TEXT_MAX - 1, 0);

	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	fclose(tmp);
	assert_true(n >= 0);
	said[n] = '\0';
}

/* Cuts a line at its blanks; '_' stands for an empty argument. */
static void fixture_args(struct fixture *f, const char *line)
{
	snprintf(f->text, sizeof(f->text), "%s", line);
	f->argc = 0;
	f->argv[f->argc++] = (char *)"netbench";
	for (char *word = strtok(f->text, " "); word; word = strtok(NULL, " ")) {
		assert_true(f->argc < MAX_ARGS);
		f->argv[f->argc++] = strcmp(word, "_") ? word : word + 1;
	}
	f->argv[f->argc] = NULL;
}

static int parse(struct fixture *f, const char *line)
{
	FILE *tmp = tmpfile();
	int saved, status;

	assert_non_null(tmp);
	fixture_init(f);
	fixture_args(f, line);
	saved = capture_start(tmp);
	status = arguments_read(&f->args, f->argc, f->argv, f->tables, 2, false);
	status = status ? status : arguments_bind(&f->args, f->tables, 2, NULL);
	capture_end(tmp, saved, f->said);
	return status;
}

static void done(struct fixture *f)
{
	arguments_free(&f->args);
}

static void assert_real(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

static void assert_numbers(const struct numbers *list, size_t n, const uint64_t *v)
{
	assert_int_equal(list->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(list->v[i], v[i]);
	if (!n)
		assert_null(list->v);
}

static void options_that_are_not_given_have_their_defaults(void **state)
{
	struct fixture f;

	assert_int_equal(parse(&f, ""), ST_OK);
	assert_string_equal(f.said, "");
	assert_false(f.args.help);
	assert_int_equal(f.args.noperands, 0);
	assert_false(f.common.verbose);
	assert_int_equal(f.common.max_size, 20);
	assert_int_equal(f.common.limit, 4096);
	assert_real(f.common.factor, 0);
	assert_real(f.common.time, 1);
	assert_int_equal(f.common.format, 0);
	assert_null(f.common.output);
	assert_numbers(&f.lists.window, 1, (uint64_t[]){ 64 });
	assert_numbers(&f.lists.sizes, 0, NULL);
	assert_numbers(&f.lists.columns, 0, NULL);
	assert_int_equal(f.lists.set.n, 1);
	assert_string_equal(f.lists.set.v[0], "a=1");
	assert_true(f.lists.repeat == OPT_AUTO);
	assert_false(arguments_given(&f.args, "window"));
	done(&f);
	assert_null(f.lists.window.v);
	assert_null(f.lists.set.v);
	done(&f);
}

static void values_of_all_types_are_read(void **state)
{
	struct fixture f;

	assert_int_equal(parse(&f, "-vm0 --limit=2M --factor -1.5 -t 250ms -f json "
				   "--output=x=y"), ST_OK);
	assert_true(f.common.verbose);
	assert_int_equal(f.common.max_size, 0);
	assert_int_equal(f.common.limit, 2 << 20);
	assert_real(f.common.factor, -1.5);
	assert_real(f.common.time, 0.25);
	assert_int_equal(f.common.format, 2);
	assert_string_equal(f.common.output, "x=y");
	assert_true(arguments_given(&f.args, "verbose"));
	assert_true(arguments_given(&f.args, "max-size"));
	assert_false(arguments_given(&f.args, "window"));
	assert_false(arguments_given(&f.args, "no-such"));
	done(&f);
}

static void a_former_name_sets_the_option(void **state)
{
	static const char *const lines[] = { "--bound 2M", "--bound=2M", "--limit 1 --bound 2M" };
	struct fixture f;

	for (size_t i = 0; i < COUNT(lines); i++) {
		assert_int_equal(parse(&f, lines[i]), ST_OK);
		assert_int_equal(f.common.limit, 2 << 20);
		assert_true(arguments_given(&f.args, "limit"));
		assert_string_equal(arguments_value(&f.args, "limit"), "2M");
		done(&f);
	}
}

static void lists_are_read_in_every_form(void **state)
{
	struct fixture f;

	assert_int_equal(parse(&f, "-w 1,2 --window 1:16:*2,65536 --sizes 0,1k:4k:+1k -c json,csv "
				   "-s x=1 -s y=2 -r 7"), ST_OK);
	assert_numbers(&f.lists.window, 6, (uint64_t[]){ 1, 2, 4, 8, 16, 65536 });
	assert_numbers(&f.lists.sizes, 5, (uint64_t[]){ 0, 1024, 2048, 3072, 4096 });
	assert_numbers(&f.lists.columns, 2, (uint64_t[]){ 2, 1 });
	assert_int_equal(f.lists.set.n, 2);
	assert_string_equal(f.lists.set.v[0], "x=1");
	assert_string_equal(f.lists.set.v[1], "y=2");
	assert_int_equal(f.lists.repeat, 7);
	done(&f);
}

static void the_largest_number_is_read(void **state)
{
	struct fixture f;

	assert_int_equal(parse(&f, "--any 18446744073709551615"), ST_OK);
	assert_true(f.lists.any == UINT64_MAX);
	done(&f);
}

static void operands_stand_anywhere(void **state)
{
	static const struct {
		const char *line, *first;
		int n;
	} rows[] = {
		{ "a b", "a", 2 },
		{ "a -v b -m 3", "a", 2 },
		{ "-v -- -m", "-m", 1 },
		{ "-m 3 -", "-", 1 },
		{ "-v", NULL, 0 },
	};
	struct fixture f;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(parse(&f, rows[i].line), ST_OK);
		assert_int_equal(f.args.noperands, rows[i].n);
		if (rows[i].first)
			assert_string_equal(f.args.operands[0], rows[i].first);
		done(&f);
	}
}

static void help_is_asked_for_in_every_form(void **state)
{
	static const char *const lines[] = { "-h", "--help", "-vh", "a --help --no-such", "--he" };
	struct fixture f;

	for (size_t i = 0; i < COUNT(lines); i++) {
		assert_int_equal(parse(&f, lines[i]), ST_OK);
		assert_true(f.args.help);
		assert_string_equal(f.said, "");
		done(&f);
	}
}

static void what_is_given_is_that_of_the_last_parse(void **state)
{
	struct fixture f;

	assert_int_equal(parse(&f, "--ver --col csv"), ST_OK);
	assert_true(arguments_given(&f.args, "verbose"));
	assert_true(arguments_given(&f.args, "columns"));
	done(&f);
	assert_int_equal(parse(&f, ""), ST_OK);
	assert_false(arguments_given(&f.args, "verbose"));
	done(&f);
}

#define NUMBER_LIST "is not a number list (1,2,4 or 1:64:*2)"

static const struct {
	const char *line, *said;
} faults[] = {
	{ "-m -1", "value '-1' of '--max-size' is out of range: 0 to 30" },
	{ "-m 31", "value '31' of '--max-size' is out of range: 0 to 30" },
	{ "-m 18446744073709551616",
	  "value '18446744073709551616' of '--max-size' is out of range: 0 to 30" },
	{ "--any 18446744073709551616", "value '18446744073709551616' of '--any' is too large" },
	{ "--any -3", "value '-3' of '--any' is out of range: 0 or more" },
	{ "-m 4k", "value '4k' of '--max-size' is not a whole number" },
	{ "-m +4", "value '+4' of '--max-size' is not a whole number" },
	{ "-m 0x4", "value '0x4' of '--max-size' is not a whole number" },
	{ "-m 1.5", "value '1.5' of '--max-size' is not a whole number" },
	{ "-m _", "value '' of '--max-size' is not a whole number" },
	{ "--max-size=", "value '' of '--max-size' is not a whole number" },
	{ "-m a\nb", "value 'a?b' of '--max-size' is not a whole number" },
	{ "--limit 2G", "value '2G' of '--limit' is out of range: 1 to 1G" },
	{ "--limit 0", "value '0' of '--limit' is out of range: 1 to 1G" },
	{ "--limit 17179869184G",
	  "value '17179869184G' of '--limit' is out of range: 1 to 1G" },
	{ "--limit 4x", "value '4x' of '--limit' is not a size (64, 4k, 1M, 2G)" },
	{ "--factor 2", "value '2' of '--factor' is out of range: -1.5 to 1.5" },
	{ "--factor nan", "value 'nan' of '--factor' is not a number" },
	{ "--factor 1e999", "value '1e999' of '--factor' is out of range: -1.5 to 1.5" },
	{ "-t -1", "value '-1' of '--time' is out of range: 0.001 s to 3600 s" },
	{ "-t 2h", "value '2h' of '--time' is out of range: 0.001 s to 3600 s" },
	{ "-t 5parsec", "value '5parsec' of '--time' is not a time (2, 100ms, 5us, 3m)" },
	{ "-f xml", "value 'xml' of '--format' is not one of: table, csv, json" },
	{ "-f _", "value '' of '--format' is not one of: table, csv, json" },
	{ "-c csv,xml", "value 'xml' in 'csv,xml' of '--columns' is not one of: table, csv, json" },
	{ "-c csv,", "value '' in 'csv,' of '--columns' is not one of: table, csv, json" },
	{ "--window abc", "value 'abc' of '--window' " NUMBER_LIST },
	{ "--window _", "value '' of '--window' " NUMBER_LIST },
	{ "-w 1,,2", "value '' in '1,,2' of '--window' is not a number or a range" },
	{ "-w 1,", "value '' in '1,' of '--window' is not a number or a range" },
	{ "-w 1,2x", "value '2x' in '1,2x' of '--window' is not a number or a range" },
	{ "-w 1k", "value '1k' of '--window' " NUMBER_LIST },
	{ "-w 1:8:2", "value '1:8:2' of '--window' " NUMBER_LIST },
	{ "-w 1:8:*2x", "value '1:8:*2x' of '--window' " NUMBER_LIST },
	{ "-w 1:", "value '1:' of '--window' " NUMBER_LIST },
	{ "-w 4,0,x", "value '0' in '4,0,x' of '--window' is out of range: 1 to 65536" },
	{ "-w 4,-1", "value '-1' in '4,-1' of '--window' is out of range: 1 to 65536" },
	{ "-w 1:200000:*2",
	  "value '131072' in '1:200000:*2' of '--window' is out of range: 1 to 65536" },
	{ "--sizes 1:0", "value '1:0' of '--sizes' is a range that does not rise" },
	{ "--sizes 3,4:4", "value '4:4' in '3,4:4' of '--sizes' is a range that does not rise" },
	{ "--sizes 0:8:*2", "value '0:8:*2' of '--sizes' is a range that does not rise" },
	{ "--sizes 1:8:*1", "value '1:8:*1' of '--sizes' is a range that does not rise" },
	{ "--sizes 1:8:+0", "value '1:8:+0' of '--sizes' is a range that does not rise" },
	{ "--sizes 0:1M", "value '0:1M' of '--sizes' is a range of more than 65536 numbers" },
	{ "--sizes 1,99999999999G", "value '99999999999G' in '1,99999999999G' of '--sizes' "
				    "is too large" },
	{ "--sizes x", "value 'x' of '--sizes' is not a list of sizes (64,4k or 1k:1M:*2)" },
	{ "-r 0", "value '0' of '--repeat' is out of range: 1 or more or 'auto'" },
	{ "-r aut", "value 'aut' of '--repeat' is not a whole number or 'auto'" },
	{ "-r 18446744073709551615", "value '18446744073709551615' of '--repeat' is too large" },
	{ "--bound 4x", "value '4x' of '--limit' is not a size (64, 4k, 1M, 2G)" },
	{ "--boun 4", "unknown option '--boun'" },
	{ "--bound", "option '--limit' needs an argument" },
	{ "--widnow 4", "unknown option '--widnow', did you mean '--window'?" },
	{ "--widnow=4", "unknown option '--widnow', did you mean '--window'?" },
	{ "--hlep", "unknown option '--hlep', did you mean '--help'?" },
	{ "--no-such=3", "unknown option '--no-such'" },
	{ "a --no-such b", "unknown option '--no-such'" },
	{ "--=3", "unknown option '--'" },
	{ "-x", "unknown option '-x'" },
	{ "-vx", "unknown option '-x'" },
	{ "--s 1", "option '--s' is ambiguous: --sizes, --set" },
	{ "--window", "option '--window' needs an argument" },
	{ "-v -w", "option '--window' needs an argument" },
	{ "--verbose=1", "option '--verbose' takes no argument" },
	{ "--help=1", "option '--help' takes no argument" },
};

static void each_fault_is_told_in_its_words(void **state)
{
	char expected[TEXT_MAX];
	struct fixture f;

	for (size_t i = 0; i < COUNT(faults); i++) {
		assert_int_equal(parse(&f, faults[i].line), ST_USAGE);
		snprintf(expected, sizeof(expected), "netbench: %s\n", faults[i].said);
		assert_string_equal(f.said, expected);
		assert_null(f.lists.window.v);
		done(&f);
	}
}

static void a_long_value_is_cut_in_a_message(void **state)
{
	char line[600] = "-m ";
	struct fixture f;

	memset(line + 3, 'x', 500);
	line[503] = '\0';
	assert_int_equal(parse(&f, line), ST_USAGE);
	assert_non_null(strstr(f.said, "xxx...' of '--max-size' is not a whole number\n"));
	done(&f);
}

static void a_bad_default_is_a_fault(void **state)
{
	static const struct opt options[] = {
		{ 0, "n", "n", OPT_UINT, 0, .def = "0", .min = 1, .max = 2, .help = "n" },
		{ .name = NULL },
	};
	char *argv[] = { (char *)"netbench", NULL }, said[TEXT_MAX];
	FILE *tmp = tmpfile();
	uint64_t n;
	const struct opt_table table = { NULL, options, &n, NULL };
	struct arguments args;
	int saved, status;

	assert_non_null(tmp);
	saved = capture_start(tmp);
	status = arguments_read(&args, 1, argv, &table, 1, false);
	status = status ? status : arguments_bind(&args, &table, 1, NULL);
	capture_end(tmp, saved, said);
	arguments_free(&args);
	assert_int_equal(status, ST_USAGE);
	assert_string_equal(said,
			    "netbench: default: value '0' of '--n' is out of range: 1 to 2\n");
}

static void without_tables_operands_are_read(void **state)
{
	char *argv[] = { (char *)"netbench", (char *)"x", NULL };
	struct arguments args;

	assert_int_equal(arguments_read(&args, 2, argv, NULL, 0, false), ST_OK);
	assert_int_equal(arguments_bind(&args, NULL, 0, NULL), ST_OK);
	assert_int_equal(args.noperands, 1);
	assert_string_equal(args.operands[0], "x");
	arguments_free(&args);
}

static void a_value_is_known_before_tables_are_bound(void **state)
{
	static const struct {
		const char *line, *name, *value;
	} rows[] = {
		{ "--format csv", "format", "csv" },
		{ "--no-such x -f csv y --format=bad", "format", "bad" },
		{ "x -vfcsv", "format", "csv" },
		{ "--form csv -h --zzz", "format", "csv" },
		{ "-f", "format", NULL },
		{ "-- -f csv", "format", NULL },
		{ "-v", "format", NULL },
		{ "-f csv", "no-such", NULL },
	};
	struct fixture f;

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *before[MAX_ARGS + 1];
		const char *value;

		fixture_init(&f);
		fixture_args(&f, rows[i].line);
		memcpy(before, f.argv, sizeof(before));
		assert_int_equal(arguments_read(&f.args, f.argc, f.argv, f.tables, 2, false), ST_OK);
		value = arguments_value(&f.args, rows[i].name);
		if (rows[i].value)
			assert_string_equal(value, rows[i].value);
		else
			assert_null(value);
		assert_memory_equal(before, f.argv, (size_t)f.argc * sizeof(*before));
		done(&f);
	}
}

struct late {
	const char *wire;
	uint64_t width;
	bool xtra, yes;
};

#define AT(member) offsetof(struct late, member)
static const struct opt late_options[] = {
	{ 0, "wire", "name", OPT_TEXT, AT(wire), .help = "wire" },
	{ 'W', "width", "n", OPT_UINT, AT(width), .help = "width" },
	{ 'x', "xtra", NULL, OPT_FLAG, AT(xtra), .help = "more" },
	{ 'y', "yes", NULL, OPT_FLAG, AT(yes), .help = "yes" },
	{ .name = NULL },
};
#undef AT

/* Reads with the first tables, adds the late table, and binds all three. */
static int parse_late(struct fixture *f, struct late *late, const char *line)
{
	struct opt_table all[3];
	FILE *tmp = tmpfile();
	int saved, status;

	assert_non_null(tmp);
	fixture_init(f);
	fixture_args(f, line);
	all[0] = f->tables[0];
	all[1] = f->tables[1];
	all[2] = (struct opt_table){ "Late", late_options, late, NULL };
	saved = capture_start(tmp);
	status = arguments_read(&f->args, f->argc, f->argv, f->tables, 2, false);
	status = status ? status : arguments_add(&f->args, &all[2]);
	status = status ? status : arguments_bind(&f->args, all, 3, NULL);
	capture_end(tmp, saved, f->said);
	return status;
}

static void a_table_that_comes_late_is_read(void **state)
{
	static const struct {
		const char *line, *wire, *operand;
		uint64_t width, max_size;
		bool xtra, yes, verbose;
	} rows[] = {
		{ "--wire a -m 3", "a", NULL, 0, 3, false, false, false },
		{ "-m 3 --wire=a b", "a", "b", 0, 3, false, false, false },
		{ "--xtra b -W 5", NULL, "b", 5, 20, true, false, false },
		{ "-W5 --yes", NULL, NULL, 5, 20, false, true, false },
		{ "--wire -m -m 3", "-m", NULL, 0, 3, false, false, false },
		{ "--wire -m 3", "-m", "3", 0, 20, false, false, false },
		{ "--wire --xtra", "--xtra", NULL, 0, 20, false, false, false },
		{ "-xyv b", NULL, "b", 0, 20, true, true, true },
		{ "-vxW5 b", NULL, "b", 5, 20, true, false, true },
		{ "-xW 5", NULL, NULL, 5, 20, true, false, false },
		{ "--wir a --wid 7 --x", "a", NULL, 7, 20, true, false, false },
		{ "-- --wire a", NULL, "--wire", 0, 20, false, false, false },
	};
	struct fixture f;
	struct late late;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(parse_late(&f, &late, rows[i].line), ST_OK);
		assert_string_equal(f.said, "");
		if (rows[i].wire)
			assert_string_equal(late.wire, rows[i].wire);
		else
			assert_null(late.wire);
		assert_int_equal(late.width, rows[i].width);
		assert_int_equal(f.common.max_size, rows[i].max_size);
		assert_int_equal(late.xtra, rows[i].xtra);
		assert_int_equal(late.yes, rows[i].yes);
		assert_int_equal(f.common.verbose, rows[i].verbose);
		assert_int_equal(f.args.noperands > 0, rows[i].operand != NULL);
		if (rows[i].operand)
			assert_string_equal(f.args.operands[0], rows[i].operand);
		done(&f);
	}
}

static void faults_of_a_late_table_are_told(void **state)
{
	static const struct {
		const char *line, *said;
	} rows[] = {
		{ "--wire", "option '--wire' needs an argument" },
		{ "--width many", "value 'many' of '--width' is not a whole number" },
		{ "--xtra=1", "option '--xtra' takes no argument" },
		{ "--wrie a", "unknown option '--wrie', did you mean '--wire'?" },
		/* unique in the first tables */
		{ "--w 1", "option '--w' is ambiguous: --window, --wire, --width" },
		{ "-xz", "unknown option '-z'" },
	};
	char expected[TEXT_MAX];
	struct fixture f;
	struct late late;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(parse_late(&f, &late, rows[i].line), ST_USAGE);
		snprintf(expected, sizeof(expected), "netbench: %s\n", rows[i].said);
		assert_string_equal(f.said, expected);
		done(&f);
	}
}

/*
 * Three modes, chosen by no option, by --far, and by --rule two. The last has a table of its own;
 * the others share one.
 */
enum { NEAR = 1, FAR = 2, TWO = 4 };

struct ways {
	bool far, near;
	const char *rule;
	uint64_t count, size, more;
};

#define AT(member) offsetof(struct ways, member)
static const struct opt shared_options[] = {
	{ 0, "far", NULL, OPT_FLAG, AT(far), .help = "far" },
	{ 0, "rule", "name", OPT_TEXT, AT(rule), .help = "rule" },
	{ 'n', "count", "n", OPT_UINT, AT(count), .help = "count" },
	{ 0, "near", NULL, OPT_FLAG, AT(near), .help = "near" },
	{ 0, "size", "n", OPT_UINT, AT(size), .max = 10, .help = "size" },
	{ .name = NULL },
};
static const struct opt two_options[] = {
	{ 0, "rule", "name", OPT_TEXT, AT(rule), .help = "rule" },
	{ 'n', "number", "n", OPT_UINT, AT(count), .max = 5, .help = "number" },
	{ 0, "size", "n", OPT_UINT, AT(size), .max = 1000, .help = "size" },
	{ 0, "more", "n", OPT_UINT, AT(more), .help = "more" },
	{ .name = NULL },
};
#undef AT

static int parse_mode(struct fixture *f, struct ways *ways, unsigned mode, const char *line)
{
	static const struct opt_mode none = { .shared = shared_options,
					       .names = "far rule count near" };
	static const struct opt_mode far = { "far", .shared = shared_options,
					      .names = "far rule count size" };
	static const struct opt_mode two = { "rule", .value = "two" };
	const struct opt_table all[] = {
		{ "Shared", shared_options, ways, NULL }, { "Two", two_options, ways, &two },
	};
	FILE *tmp = tmpfile();
	int saved, status;

	assert_non_null(tmp);
	memset(f, 0, sizeof(*f));
	fixture_args(f, line);
	saved = capture_start(tmp);
	status = arguments_read(&f->args, f->argc, f->argv, all, 2, false);
	if (!status)
		status = arguments_bind(&f->args, &all[mode == TWO], 1,
					mode == TWO ? &two : mode == FAR ? &far : &none);
	capture_end(tmp, saved, f->said);
	return status;
}

static void an_option_applies_in_its_modes_alone(void **state)
{
	static const struct {
		unsigned mode;
		const char *line, *said;
		uint64_t count, size;
	} rows[] = {
		{ NEAR, "-n 3 --near", NULL, 3, 0 },
		{ FAR, "--far -n 3 --size 7", NULL, 3, 7 },
		{ FAR, "--far --si 7", NULL, 0, 7 },
		{ TWO, "--rule two -n 3 --size 999", NULL, 3, 999 },
		{ TWO, "--ru two --nu 3", NULL, 3, 0 },		/* does not match --near */
		{ TWO, "--rule two --n 3", NULL, 3, 0 },	/* --near takes no argument */
		{ NEAR, "--n x", NULL, 0, 0 },			/* --number takes one */
		{ TWO, "--rule two -n 6", "value '6' of '--number' is out of range: 0 to 5", 0, 0 },
		{ FAR, "--far --size 11", "value '11' of '--size' is out of range: 0 to 10", 0, 0 },
		{ FAR, "--far --near", "option '--near' does not go with '--far'", 0, 0 },
		{ FAR, "--far --mo 1", "option '--more' does not go with '--far'", 0, 0 },
		{ TWO, "--rule two --far", "option '--far' does not go with '--rule two'", 0, 0 },
		{ TWO, "--rule two --count 1", "option '--count' does not go with '--rule two'",
		  0, 0 },
		{ NEAR, "--more 1", "option '--more' needs '--rule two'", 0, 0 },
		{ NEAR, "--size 1", "unknown option '--size'", 0, 0 },
		{ NEAR, "--far --mroe 1", "unknown option '--mroe'", 0, 0 },
	};
	char expected[TEXT_MAX];
	struct fixture f;
	struct ways ways;

	for (size_t i = 0; i < COUNT(rows); i++) {
		int status = parse_mode(&f, &ways, rows[i].mode, rows[i].line);

		snprintf(expected, sizeof(expected), "netbench: %s\n", rows[i].said);
		assert_string_equal(f.said, rows[i].said ? expected : "");
		assert_int_equal(status, rows[i].said ? ST_USAGE : ST_OK);
		if (!rows[i].said) {
			assert_int_equal(ways.count, rows[i].count);
			assert_int_equal(ways.size, rows[i].size);
		}
		done(&f);
	}
}

/* A second line follows the first and overrides it. */
static void a_second_line_overrules_the_first(void **state)
{
	struct fixture f, own;

	assert_int_equal(parse(&own, "-m 7 --output x"), ST_OK);
	fixture_init(&f);
	fixture_args(&f, "-m 3 -v");
	assert_int_equal(arguments_read(&f.args, f.argc, f.argv, f.tables, 2, false), ST_OK);
	assert_int_equal(arguments_append(&f.args, &own.args), ST_OK);
	done(&own);
	assert_int_equal(arguments_bind(&f.args, f.tables, 2, NULL), ST_OK);
	assert_int_equal(f.common.max_size, 7);
	assert_string_equal(f.common.output, "x");
	assert_true(f.common.verbose);
	assert_true(arguments_given(&f.args, "output"));
	assert_int_equal(f.args.nappended, 4);
	assert_string_equal(f.args.appended[3], "x");
	done(&f);
}

static const char help_text[] =
	"\n"
	"most used:\n"
	"  -t, --time=time           time\n"
	"  -w, --window=n,...        messages in flight\n"
	"\n"
	"General options:\n"
	"  -v, --verbose             say what is done and why\n"
	"  -m, --max-size=log2       largest message, as a power of two (default 20,\n"
	"                            0 to 30)\n"
	"      --limit=bytes         size limit (default 4k, 1 to 1G)\n"
	"      --factor=x            factor (-1.5 to 1.5)\n"
	"  -t, --time=time           time (default 1s, 0.001 s to 3600 s)\n"
	"  -f, --format=name         output format (default table, one of: table, csv,\n"
	"                            json)\n"
	"  -o, --output=file         where to write\n"
	"\n"
	"Lists:\n"
	"  -w, --window=n,...        messages in flight (default 64, 1 to 65536)\n"
	"      --sizes=list          sizes of messages\n"
	"  -c, --columns=name,...    what to show (any of: table, csv, json)\n"
	"  -s, --set=key=value       set a key (default a=1)\n"
	"  -r, --repeat=n            repetitions (default auto, or 1 or more)\n"
	"      --any=n               any number\n";

static void help_is_laid_out_as_it_should_be(void **state)
{
	struct fixture f;
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	fixture_init(&f);
	opts_help(to, f.tables, 2, "time none window");
	fclose(to);
	assert_string_equal(text, help_text);
	free(text);
}

static void help_tells_ranges_and_defaults(void **state)
{
	static const struct opt options[] = {
		{ 0, "huge", "n", OPT_UINT, 0, .min = 1, .max = 1 << 30, .help = "a" },
		{ 0, "any", "n", OPT_UINT, 0, .def = "1", .max = 1 << 30, .help = "a" },
		{ 0, "large", "n", OPT_SIZE, 0, .min = 1, .max = 1e15, .help = "a" },
		{ 0, "top", "n", OPT_UINT, 0, .def = "auto", .max = 30, .word = "auto",
		  .help = "a" },
		{ 0, "word", "n", OPT_UINT, 0, .def = "5", .max = 30, .word = "auto", .help = "a" },
		{ .name = NULL },
	};
	const struct opt_table table = { NULL, options, NULL, NULL };
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	opts_help(to, &table, 1, NULL);
	fclose(to);
	assert_string_equal(text,
			    "\n"
			    "      --huge=n              a (1 or more)\n"
			    "      --any=n               a (default 1)\n"
			    "      --large=n             a (1 or more)\n"
			    "      --top=n               a (default auto, or 0 to 30)\n"
			    "      --word=n              a (default 5, 0 to 30 or auto)\n");
	free(text);
}

static void long_names_of_options_have_their_own_line(void **state)
{
	static const struct opt options[] = {
		{ 0, "a-name-that-is-too-long", "argument", OPT_TEXT, 0,
		  .help = "begins on a line of its own and is wrapped where the seventy-nine "
			  "columns end" },
		{ 0, "abcdefghijklmnop", "x", OPT_TEXT, 0, .help = "just fits" },
		{ 0, "abcdefghijklmnopq", "x", OPT_TEXT, 0, .help = "does not" },
		{ 0, "no-help", "x", OPT_TEXT, 0, .help = NULL },
		{ .name = NULL },
	};
	const struct opt_table tables[] = { { .opts = NULL }, { .opts = options } };
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	opts_help(to, tables, 2, NULL);
	fclose(to);
	assert_string_equal(text,
			    "\n"
			    "      --a-name-that-is-too-long=argument\n"
			    "                            begins on a line of its own and is wrapped "
			    "where\n"
			    "                            the seventy-nine columns end\n"
			    "      --abcdefghijklmnop=x  just fits\n"
			    "      --abcdefghijklmnopq=x\n"
			    "                            does not\n"
			    "      --no-help=x\n");
	free(text);
}

static void usage_names_every_option(void **state)
{
	struct fixture f;
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	fixture_init(&f);
	opts_usage(to, &f.tables[0]);
	fclose(to);
	assert_string_equal(text, " [-v] [-m log2] [--limit bytes] [--factor x] [-t time] [-f name]"
				  " [-o file]");
	free(text);
}

static void assert_dump(const char *line, const char *expected)
{
	struct fixture f;
	json_t *json;
	char *text;

	assert_int_equal(parse(&f, line), ST_OK);
	json = opts_as_json(f.tables, 2);
	text = json_dumps(json, JSON_COMPACT);
	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
	json_decref(json);
	done(&f);
}

static void options_are_recorded_as_given(void **state)
{
	assert_dump("", "{\"verbose\":false,\"max-size\":20,\"limit\":4096,\"factor\":0.0,"
			"\"time\":1.0,\"format\":\"table\",\"output\":null,\"window\":[64],"
			"\"sizes\":[],\"columns\":[],\"set\":[\"a=1\"],\"repeat\":\"auto\","
			"\"any\":0}");
	assert_dump("-v -t 500ms -f csv -o x\xff -w 1:3 -c json -s b -s c -r 2 "
		    "--any 18446744073709551615",
		    "{\"verbose\":true,\"max-size\":20,\"limit\":4096,\"factor\":0.0,"
		    "\"time\":0.5,\"format\":\"csv\",\"output\":\"x?\",\"window\":[1,2,3],"
		    "\"sizes\":[],\"columns\":[\"json\"],\"set\":[\"b\",\"c\"],\"repeat\":2,"
		    "\"any\":1.8446744073709552e19}");
}

static void sizes_are_read_or_refused(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {
		{ "0", 0 }, { "64", 64 }, { "007", 7 }, { "4k", 4096 }, { "4K", 4096 },
		{ "1M", 1 << 20 }, { "2G", UINT64_C(2) << 30 },
		{ "18446744073709551615", UINT64_MAX },
		{ "17179869183G", UINT64_C(17179869183) << 30 },
	};
	static const char *const bad[] = {
		"", " 1", "1 ", "-1", "+1", "k", "4kk", "4KB", "1.5k", "0x10",
		"18446744073709551616", "17179869184G", "99999999999999999999k",
	};
	uint64_t bytes;

	for (size_t i = 0; i < COUNT(good); i++) {
		assert_true(parse_size(good[i].text, &bytes));
		assert_true(bytes == good[i].bytes);
	}
	bytes = 5;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(parse_size(bad[i], &bytes));
	assert_int_equal(bytes, 5);
}

static void times_are_read_or_refused(void **state)
{
	static const struct {
		const char *text;
		double s;
	} good[] = {
		{ "0", 0 }, { "2", 2 }, { "1.5s", 1.5 }, { ".5", 0.5 }, { "100ms", 0.1 },
		{ "5us", 5e-6 }, { "20ns", 20e-9 }, { "3m", 180 }, { "1h", 3600 },
		{ "1e3", 1000 }, { "1e-3s", 0.001 }, { "2.", 2 },
	};
	static const char *const bad[] = {
		"", "s", "-1", "-0", "+1", "nan", "inf", "-inf", "infinity", "0x10", "1e999",
		"1e308h", "1 s", " 1", "1s ", "1S", "5min", "1e", "1..2", ".", "1,5",
	};
	double s;

	for (size_t i = 0; i < COUNT(good); i++) {
		assert_true(parse_seconds(good[i].text, &s));
		assert_true(s == good[i].s);
	}
	s = 5;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(parse_seconds(bad[i], &s));
	assert_true(s == 5);
}

/*
 * Reads a list of numbers and ranges from a text. False, and an empty list, if the text is not one.
 */
static bool parse_numbers(const char *text, bool suffixes, struct numbers *list)
{
	*list = (struct numbers){ .n = 0 };
	if (!scan_list(&text, suffixes, 0, 0, list))
		return true;
	free(list->v);
	*list = (struct numbers){ .n = 0 };
	return false;
}

static void lists_of_numbers_are_read_or_refused(void **state)
{
	static const struct {
		const char *text;
		bool suffixes;
		size_t n;
		uint64_t v[8];
	} good[] = {
		{ "0", false, 1, { 0 } },
		{ "3,1,3", false, 3, { 3, 1, 3 } },
		{ "1:4", false, 4, { 1, 2, 3, 4 } },
		{ "0:10:+5", false, 3, { 0, 5, 10 } },
		{ "0:11:+5", false, 3, { 0, 5, 10 } },
		{ "1:64:*2", false, 7, { 1, 2, 4, 8, 16, 32, 64 } },
		{ "1:63:*2", false, 6, { 1, 2, 4, 8, 16, 32 } },
		{ "8:9:*2", false, 1, { 8 } },
		{ "1k:4k:*2,1M", true, 4, { 1024, 2048, 4096, 1 << 20 } },
		{ "0:2k:+1k", true, 3, { 0, 1024, 2048 } },
		{ "18446744073709551614:18446744073709551615", false, 2,
		  { UINT64_MAX - 1, UINT64_MAX } },
		{ "1:18446744073709551615:*4294967296", false, 2, { 1, UINT64_C(1) << 32 } },
	};
	static const char *const bad[] = {
		"", ",", "1,", ",1", "1,,2", "a", "1 ", "1, 2", "-1", "1:-1", "2:1", "1:1",
		"1:", ":1", "1:2:", "1:2:+", "1:2:3", "1:2:*0", "1:2:*1", "1:2:+0", "0:2:*2",
		"1:2:+1:3", "1:8:/2", "0:65536", "18446744073709551616", "1k", "1:4k",
		"1:8:*2k", "1,2,3,x",
	};
	struct numbers list;

	for (size_t i = 0; i < COUNT(good); i++) {
		assert_true(parse_numbers(good[i].text, good[i].suffixes, &list));
		assert_numbers(&list, good[i].n, good[i].v);
		free(list.v);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_false(parse_numbers(bad[i], false, &list));
		assert_numbers(&list, 0, NULL);
	}
	assert_false(parse_numbers("1:8:*2k", true, &list));
	assert_true(parse_numbers("0:65535", false, &list));
	assert_int_equal(list.n, 65536);
	free(list.v);
}

struct board {
	uint64_t channels;
	uint64_t buffer;
	double width;
	double latency;
};

static const struct field board_fields[] = {
	{ "c", NUMBER_WHOLE, offsetof(struct board, channels), 1, 8, .required = true },
	{ "buffer", NUMBER_SIZE, offsetof(struct board, buffer), .required = false },
	{ "w", NUMBER_REAL, offsetof(struct board, width), .required = false },
	{ "latency", NUMBER_SECONDS, offsetof(struct board, latency), .required = false },
	{ .name = NULL },
};

static int fields(const char *text, double unit_s, struct board *board, char *said)
{
	FILE *tmp = tmpfile();
	int saved, status;

	assert_non_null(tmp);
	saved = capture_start(tmp);
	status = fields_parse("board 'custom'", text, board_fields, unit_s, board);
	capture_end(tmp, saved, said);
	return status;
}

static void fields_are_read_in_any_order(void **state)
{
	struct board board = { 9, 9, 9, 9 };
	char said[TEXT_MAX];

	assert_int_equal(fields("latency=250,c=2", 1e-9, &board, said), ST_OK);
	assert_int_equal(board.channels, 2);
	assert_int_equal(board.buffer, 9);
	assert_real(board.width, 9);
	assert_real(board.latency, 250e-9);
	assert_int_equal(fields("c=8,latency=2us,w=1.5,buffer=4k", 1e-9, &board, said), ST_OK);
	assert_int_equal(board.channels, 8);
	assert_int_equal(board.buffer, 4096);
	assert_real(board.width, 1.5);
	assert_real(board.latency, 2e-6);
	assert_string_equal(said, "");
}

static void faults_of_fields_are_told(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ "", "field 'c' is missing" },
		{ "w=1", "field 'c' is missing" },
		{ "c=1,c=2", "field 'c' is given twice" },
		{ "c=1,x=2", "unknown field 'x', known are: c, buffer, w, latency" },
		{ "c=1,latnecy=2", "unknown field 'latnecy', did you mean 'latency'?" },
		{ "c=1,=2", "unknown field '', known are: c, buffer, w, latency" },
		{ "c=1,", "'' is not of the form name=value" },
		{ "c", "'c' is not of the form name=value" },
		{ "c=9", "value '9' of 'c' is out of range: 1 to 8" },
		{ "c=", "value '' of 'c' is not a whole number" },
		{ "c=1=2", "value '1=2' of 'c' is not a whole number" },
		{ "c=1,w=-1", "value '-1' of 'w' is out of range: 0 or more" },
		{ "c=1,w=1e999", "value '1e999' of 'w' is too large" },
		{ "c=1,latency=-1", "value '-1' of 'latency' is out of range: 0 s or more" },
		{ "c=1,buffer=x", "value 'x' of 'buffer' is not a size (64, 4k, 1M, 2G)" },
	};
	char expected[TEXT_MAX], said[TEXT_MAX];
	struct board board;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(fields(rows[i].text, 1, &board, said), ST_USAGE);
		snprintf(expected, sizeof(expected), "netbench: board 'custom': %s\n",
			 rows[i].said);
		assert_string_equal(said, expected);
	}
}

static const char *candidate(size_t i, void *arg)
{
	const char *const *names = arg;

	return names[i];
}

static void a_near_name_is_suggested(void **state)
{
	static const char *const names[] = { "latency", "bandwidth", "msgrate", "b", "ring", NULL };
	static const struct {
		const char *word, *near;
	} rows[] = {
		{ "latency", "latency" },  { "latnecy", "latency" }, { "latncy", "latency" },
		{ "LATENCY", "latency" },  { "lat", "latency" },     { "band", "bandwidth" },
		{ "latency-test", "latency" }, { "bandwith", "bandwidth" }, { "msgrat", "msgrate" },
		{ "rnig", "ring" },	   { "xyz", NULL },	     { "", NULL },
		{ "q", NULL },		   { "benchmark", NULL },    { "throughput", NULL },
	};
	static const char *const none[] = { NULL };
	char word[200];

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *near = suggest(rows[i].word, candidate, (void *)names);

		if (rows[i].near) {
			assert_non_null(near);
			assert_string_equal(near, rows[i].near);
		} else {
			assert_null(near);
		}
	}
	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	assert_null(suggest(word, candidate, (void *)names));
	assert_null(suggest("latency", candidate, (void *)none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_are_not_given_have_their_defaults),
		cmocka_unit_test(values_of_all_types_are_read),
		cmocka_unit_test(a_former_name_sets_the_option),
		cmocka_unit_test(lists_are_read_in_every_form),
		cmocka_unit_test(the_largest_number_is_read),
		cmocka_unit_test(operands_stand_anywhere),
		cmocka_unit_test(help_is_asked_for_in_every_form),
		cmocka_unit_test(what_is_given_is_that_of_the_last_parse),
		cmocka_unit_test(each_fault_is_told_in_its_words),
		cmocka_unit_test(a_long_value_is_cut_in_a_message),
		cmocka_unit_test(a_bad_default_is_a_fault),
		cmocka_unit_test(without_tables_operands_are_read),
		cmocka_unit_test(a_value_is_known_before_tables_are_bound),
		cmocka_unit_test(a_table_that_comes_late_is_read),
		cmocka_unit_test(faults_of_a_late_table_are_told),
		cmocka_unit_test(an_option_applies_in_its_modes_alone),
		cmocka_unit_test(a_second_line_overrules_the_first),
		cmocka_unit_test(help_is_laid_out_as_it_should_be),
		cmocka_unit_test(help_tells_ranges_and_defaults),
		cmocka_unit_test(long_names_of_options_have_their_own_line),
		cmocka_unit_test(usage_names_every_option),
		cmocka_unit_test(options_are_recorded_as_given),
		cmocka_unit_test(sizes_are_read_or_refused),
		cmocka_unit_test(times_are_read_or_refused),
		cmocka_unit_test(lists_of_numbers_are_read_or_refused),
		cmocka_unit_test(fields_are_read_in_any_order),
		cmocka_unit_test(faults_of_fields_are_told),
		cmocka_unit_test(a_near_name_is_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
