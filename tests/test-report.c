/* SPDX-License-Identifier: Apache-2.0 */
#include "result/report.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

/* A directory of the test. Stdout and stderr go to its files "out" and "err". */
static char dir[] = "/tmp/test-report-XXXXXX";
static int saved_out, saved_err;

static const char *const files[] = { "out", "err", "x.csv", "x.json", "x.txt", "y.csv",
				     "x.csv.part", "x.csv.part.1", "x.json.part", "link.csv" };
#define NFILES (sizeof(files) / sizeof(files[0]))

/* Returns the path of a file in the directory. */
static const char *at(const char *name)
{
	static char paths[NFILES][64];
	size_t i = 0;

	while (strcmp(files[i], name))
		i++;
	snprintf(paths[i], sizeof(paths[i]), "%s/%s", dir, name);
	return paths[i];
}

static void redirect(int fd, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(to >= 0);
	fflush(NULL);
	assert_true(dup2(to, fd) >= 0);
	close(to);
}

static void restore(void)
{
	fflush(NULL);
	dup2(saved_out, STDOUT_FILENO);
	dup2(saved_err, STDERR_FILENO);
}

static int setup(void **state)
{
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	fflush(NULL);
	saved_out = dup(STDOUT_FILENO);
	saved_err = dup(STDERR_FILENO);
	redirect(STDOUT_FILENO, at("out"));
	redirect(STDERR_FILENO, at("err"));
	return 0;
}

static int teardown(void **state)
{
	restore();
	close(saved_out);
	close(saved_err);
	for (size_t i = 0; i < NFILES; i++)
		unlink(at(files[i]));
	return rmdir(dir);
}

static const char *slurp(const char *name)
{
	static char texts[2][65536];
	static int turn;
	char *text = texts[turn++ % 2];
	FILE *f = fopen(at(name), "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(texts[0]) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static bool exists(const char *name)
{
	return access(at(name), F_OK) == 0;
}

static json_t *parse(const char *text)
{
	json_error_t why;
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &why);

	if (!doc) {
		restore();
		fail_msg("line %d: %s", why.line, why.text);
	}
	return doc;
}

/* Parses a JSON file, and checks its rows and status. */
static void check_json(const char *text, size_t nrows, const char *status)
{
	json_t *doc = parse(text);

	assert_int_equal(json_array_size(json_object_get(doc, "rows")), nrows);
	assert_string_equal(json_string_value(json_object_get(doc, "status")), status);
	assert_true(json_is_object(json_object_get(doc, "summary")));
	assert_true(json_is_array(json_object_get(doc, "warnings")));
	json_decref(doc);
}

static const enum column_id cols[] = {
	COL_SIZE, COL_LOOPS, COL_TIME, COL_BANDWIDTH, COL_STOP, COL_ERRORS,
};
#define NCOLS (sizeof(cols) / sizeof(cols[0]))

static struct record record_make(void)
{
	struct record rec = {
		.command = "beff", .definition = "beff.netbench.v1", .title = "a ring",
		.cols = cols, .ncols = NCOLS, .status = "incomplete",
	};

	rec.options = json_pack("{s[ii]sb}", "sizes", 1, 2, "check", 1);
	rec.environment = json_pack("{s{sssf}sn}", "host", "kernel", "a\nb", "load", 0.1, "nic");
	rec.summary = json_object();
	rec.warnings = json_array();
	return rec;
}

static void record_finish(struct record *rec)
{
	json_object_set_new(rec->summary, "b_eff_Bps", json_real(7.5e9));
	json_array_append_new(rec->warnings, json_string("ranks are not pinned"));
	rec->status = "complete";
	rec->footer = "b_eff = 7.500 GB/s";
}

static void record_free(struct record *rec)
{
	json_decref(rec->options);
	json_decref(rec->environment);
	json_decref(rec->summary);
	json_decref(rec->warnings);
}

#define NROWS 3

static struct row row_make(const struct record *rec, int i)
{
	static const struct {
		uint64_t size, loops;
		double time_s, bandwidth_Bps;
		const char *stop;
	} rows[NROWS] = {
		{ 0, 32768, 5.264e-7, NAN, "repetitions" },
		{ 8192, 256, 0.1, 7.77e9, "say \"no\", stop" },
		{ 1048576, 2, 1.0 / 3, INFINITY, "ci" },
	};
	struct row row = { .samples = NULL };

	row_set(&row, rec, COL_SIZE, val_uint(rows[i].size));
	row_set(&row, rec, COL_LOOPS, val_uint(rows[i].loops));
	row_set(&row, rec, COL_TIME, val_real(rows[i].time_s));
	row_set(&row, rec, COL_BANDWIDTH, val_real(rows[i].bandwidth_Bps));
	row_set(&row, rec, COL_STOP, val_text(rows[i].stop));
	row_set(&row, rec, COL_ERRORS, i ? val_uint(0) : (struct value){ .kind = VAL_NONE });
	return row;
}

/* Opens the format on stdout, and n files. */
static int open_for(struct outlets **r, enum format format, const char **paths, size_t n)
{
	return report_open(r, &(struct output_options){ .format = format, .outputs = { paths, n } });
}

static int write_row(struct outlets *r, const struct record *rec, int i)
{
	struct row row = row_make(rec, i);

	return report_row(r, rec, &row);
}

/* Writes the whole record in one format on stdout. */
static void write_all_rows(enum format format, struct record *rec)
{
	json_t *samples = json_pack("{s[fff]}", "time_s", 0.1, 0.25, 1e-7);
	struct outlets *r;

	assert_int_equal(open_for(&r, format, NULL, 0), ST_OK);
	assert_int_equal(report_begin(r, rec), ST_OK);
	for (int i = 0; i < NROWS; i++) {
		struct row row = row_make(rec, i);

		row.samples = i == 1 ? samples : NULL;
		assert_int_equal(report_row(r, rec, &row), ST_OK);
	}
	record_finish(rec);
	assert_int_equal(report_end(r, rec), ST_OK);
	assert_int_equal(report_close(r, true), ST_OK);
	json_decref(samples);
}

static const char golden_table[] =
	"a ring (computed)\n"
	"     MSize  looplength      time         B/s  stop            errors\n"
	"         0       32768  526.4 ns           -  repetitions          -\n"
	"      8192         256  100.0 ms  7.770 GB/s  say \"no\", stop        0\n"
	"   1048576           2  333.3 ms           -  ci                   0\n"
	"b_eff = 7.500 GB/s\n";

static const char golden_plain[] =
	"       size_B           loops          time_s   bandwidth_Bps            stop          errors\n"
	"            0           32768     5.26400e-07               -     repetitions               -\n"
	"         8192             256     1.00000e-01     7.77000e+09   say_\"no\",_stop               0\n"
	"      1048576               2     3.33333e-01               -              ci               0\n";

static const char golden_csv[] =
	"# schema: netbench-csv/1\n"
	"# command: beff\n"
	"# definition: beff.netbench.v1\n"
	"# computed: true\n"
	"# options: {\"sizes\":[1,2],\"check\":true}\n"
	"# environment.host: {\"kernel\":\"a\\nb\",\"load\":0.10000000000000001}\n"
	"# environment.nic: \n"
	"size_B,loops,time_s,bandwidth_Bps,stop,errors,run_id,run_date,run_host,run_hosts,run_ranks\n"
	"0,32768,5.264e-07,,repetitions,,,,,,\n"
	"8192,256,0.1,7770000000,\"say \"\"no\"\", stop\",0,,,,,\n"
	"1048576,2,0.3333333333333333,,ci,0,,,,,\n"
	"# summary.b_eff_Bps: 7500000000.0\n"
	"# warning: ranks are not pinned\n"
	"# status: complete\n";

/* the environment does not mention it */
#define NO_RUN \
	"\"run_id\":null,\"run_date\":null,\"run_host\":null,\"run_hosts\":null,\"run_ranks\":null"

static const char golden_json_head[] =
	"{\n"
	"\"schema\": \"netbench\",\n"
	"\"schema_version\": 1,\n"
	"\"command\": \"beff\",\n"
	"\"definition\": \"beff.netbench.v1\",\n"
	"\"computed\": true,\n"
	"\"options\": {\"sizes\":[1,2],\"check\":true},\n"
	"\"environment\": {\"host\":{\"kernel\":\"a\\nb\",\"load\":0.10000000000000001},"
	"\"nic\":null},\n"
	"\"columns\": [\n";

static const char golden_json_rows[] =
	"\n],\n"
	"\"rows\": [\n"
	"{\"size_B\":0,\"loops\":32768,\"time_s\":5.2639999999999995e-7,"
	"\"bandwidth_Bps\":null,\"stop\":\"repetitions\",\"errors\":null," NO_RUN "},\n"
	"{\"size_B\":8192,\"loops\":256,\"time_s\":0.10000000000000001,"
	"\"bandwidth_Bps\":7770000000.0,\"stop\":\"say \\\"no\\\", stop\",\"errors\":0," NO_RUN ","
	"\"samples\":{\"time_s\":[0.10000000000000001,0.25,9.9999999999999995e-8]}},\n"
	"{\"size_B\":1048576,\"loops\":2,\"time_s\":0.33333333333333331,"
	"\"bandwidth_Bps\":null,\"stop\":\"ci\",\"errors\":0," NO_RUN "}\n"
	"],\n"
	"\"summary\": {\"b_eff_Bps\":7500000000.0},\n"
	"\"warnings\": [\"ranks are not pinned\"],\n"
	"\"status\": \"complete\"\n"
	"}\n";

static void all_formats_of_a_record_are_as_written_down(void **state)
{
	static const struct {
		enum format format;
		const char *head, *rest;
	} cases[] = {
		{ FORMAT_TABLE, golden_table, "" },
		{ FORMAT_PLAIN, golden_plain, "" },
		{ FORMAT_CSV, golden_csv, "" },
		{ FORMAT_JSON, golden_json_head, golden_json_rows },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record rec = record_make();
		const char *text, *rest;

		redirect(STDOUT_FILENO, at("out"));
		rec.computed = true;
		write_all_rows(cases[i].format, &rec);
		record_free(&rec);
		text = slurp("out");
		assert_memory_equal(text, cases[i].head, strlen(cases[i].head));
		rest = *cases[i].rest ? strstr(text, "\n],\n\"rows\"") : text + strlen(text);
		assert_non_null(rest);
		assert_string_equal(rest, cases[i].rest);
		if (!*cases[i].rest)
			assert_int_equal(strlen(text), strlen(cases[i].head));
	}
}

static void json_has_each_column_with_unit_and_definition(void **state)
{
	struct record rec = record_make();
	json_t *doc, *list, *c;
	size_t i;

	write_all_rows(FORMAT_JSON, &rec);
	doc = parse(slurp("out"));
	list = json_object_get(doc, "columns");
	assert_int_equal(json_array_size(list), NCOLS + 5);
	json_array_foreach(list, i, c) {
		const struct column *is = &columns[i < NCOLS ? cols[i] : COL_RUN_ID + i - NCOLS];
		const char *name = json_string_value(json_object_get(c, "name"));
		const char *text = json_string_value(json_object_get(c, "definition"));

		assert_string_equal(name, is->name);
		assert_string_equal(text, is->definition);
		assert_string_equal(json_string_value(json_object_get(c, "unit")), is->unit);
	}
	c = json_object_get(json_array_get(list, 2), "type");
	assert_string_equal(json_string_value(c), "real");
	json_decref(doc);
	record_free(&rec);
}

/* The record has headings of its own, and columns that appear only in files. */
static void a_narrow_table_has_the_essential_columns(void **state)
{
	static const char *const heads[] = { "how much", NULL, NULL };
	struct record rec = { .command = "x", .definition = "x.v1", .cols = cols, .ncols = 3,
			      .heads = heads, .ntable = 2, .status = "complete" };
	struct row row = { .v = { val_uint(4), val_uint(5), val_real(1) } };
	struct outlets *r;

	redirect(STDOUT_FILENO, at("out"));
	assert_int_equal(open_for(&r, FORMAT_TABLE, NULL, 0), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	assert_int_equal(report_row(r, &rec, &row), ST_OK);
	assert_int_equal(report_close(r, true), ST_OK);
	assert_string_equal(slurp("out"), "  how much  looplength\n         4           5\n");
}

/*
 * A plain table in the form of a reference implementation: its columns with its headings. Columns
 * follow that an option added, or that say that the run was emulated. A complete run also has the
 * score.
 */
static void a_plain_table_is_as_its_reference_has_it(void **state)
{
	static const char *const heads[NCOLS] = { NULL, "looplength" };
	static const struct {
		bool added, emulated;
		const char *status, *score, *text;
	} cases[] = {
		{ false, false, "complete", "b_eff",
		  "       size_B      looplength\n"
		  "         8192             256\n"
		  "\nb_eff = 7.50000e+09 B/s\n" },
		{ false, false, "incomplete", "b_eff",
		  "       size_B      looplength\n"
		  "         8192             256\n" },
		{ true, false, "complete", NULL,
		  "       size_B      looplength          errors\n"
		  "         8192             256               0\n" },
		{ true, true, "complete", NULL,
		  "       size_B      looplength          errors        emulated\n"
		  "         8192             256               0        emulated\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record rec = record_make();
		struct outlets *r;

		redirect(STDOUT_FILENO, at("out"));
		rec.heads = heads;
		rec.nplain = 2;
		rec.score = cases[i].score;
		rec.nadded = cases[i].added;
		rec.emulated = cases[i].emulated;
		assert_int_equal(open_for(&r, FORMAT_PLAIN, NULL, 0), ST_OK);
		assert_int_equal(report_begin(r, &rec), ST_OK);
		assert_int_equal(write_row(r, &rec, 1), ST_OK);
		record_finish(&rec);
		rec.status = cases[i].status;
		assert_int_equal(report_end(r, &rec), ST_OK);
		assert_int_equal(report_close(r, true), ST_OK);
		record_free(&rec);
		assert_string_equal(slurp("out"), cases[i].text);
	}
}

/* Bandwidths are in bit/s in tables and their headings, and in no other format. */
static void rates_are_in_the_unit_for_people(void **state)
{
	static const struct {
		const char *head, *byte, *bit;
	} heads[] = {
		{ "B/s", "B/s", "bit/s" }, { "B/s p50", "B/s p50", "bit/s p50" },
		{ "most B/s", "most B/s", "most bit/s" }, { "msg/s", "msg/s", "msg/s" }, { "", "", "" },
	};
	const char *path = at("x.csv");
	struct record rec = record_make();
	struct outlets *r;
	char buf[32];

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		assert_string_equal(rate_head(buf, sizeof(buf), heads[i].head, RATE_BYTE), heads[i].byte);
		assert_string_equal(rate_head(buf, sizeof(buf), heads[i].head, RATE_BIT), heads[i].bit);
	}
	assert_string_equal(format_rate(buf, sizeof(buf), 1e9, "B/s", RATE_BYTE), "1.000 GB/s");
	assert_string_equal(format_rate(buf, sizeof(buf), 1e9, "B/s", RATE_BIT), "8.000 Gbit/s");
	assert_string_equal(format_rate(buf, sizeof(buf), 1e9, "msg/s", RATE_BIT), "1.000 Gmsg/s");
	assert_string_equal(format_rate(buf, sizeof(buf), NAN, "B/s", RATE_BIT), "-");
	assert_int_equal(report_open(&r, &(struct output_options){ .rate_unit = RATE_BIT, .outputs = { &path, 1 } }), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	assert_int_equal(write_row(r, &rec, 1), ST_OK);
	assert_int_equal(report_close(r, true), ST_OK);
	record_free(&rec);
	assert_string_equal(slurp("out"), "a ring\n"
		"     MSize  looplength      time         bit/s  stop            errors\n"
		"      8192         256  100.0 ms  62.16 Gbit/s  say \"no\", stop        0\n");
	assert_non_null(strstr(slurp("x.csv"), ",7770000000,"));
}

/* A record whose columns alone are known, with a footer of two lines. */
static void a_record_of_columns_alone_is_written(void **state)
{
	struct record rec = { .command = "x", .definition = "x.v1", .cols = cols, .ncols = 1,
			      .status = "complete" };
	struct row row = { .v[0] = val_uint(4) };

	for (enum format f = 0; f < NFORMATS; f++) {
		struct outlets *r;

		redirect(STDOUT_FILENO, at("out"));
		rec.footer = f == FORMAT_TABLE ? "one\ntwo\n" : NULL;
		assert_int_equal(open_for(&r, f, NULL, 0), ST_OK);
		assert_int_equal(report_begin(r, &rec), ST_OK);
		assert_int_equal(report_row(r, &rec, &row), ST_OK);
		assert_int_equal(report_end(r, &rec), ST_OK);
		assert_int_equal(report_close(r, true), ST_OK);
		if (f == FORMAT_TABLE)
			assert_string_equal(slurp("out"), "     MSize\n         4\none\ntwo\n");
		if (f == FORMAT_JSON)
			check_json(slurp("out"), 1, "complete");
	}
}

/* The file that is read before it is cut, and its content at that time. */
static struct {
	const char *name;
	int times;
} watched;

/*
 * Replaces the library's function. It shows what a reader would find, or what a kill would leave,
 * just before the cut.
 */
int ftruncate(int fd, off_t len)
{
	if (watched.name) {
		check_json(slurp(watched.name), 1, "incomplete");
		watched.times++;
	}
	return (int)syscall(SYS_ftruncate, fd, len);
}

/* A draft, and a shorter draft that overwrites it. */
static void json_is_whole_before_an_old_tail_is_cut(void **state)
{
	const char *path = at("x.json");
	struct record rec = record_make();
	struct outlets *r;

	assert_int_equal(open_for(&r, FORMAT_JSON, &path, 1), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	for (int i = 0; i < 2; i++) {
		struct row row = row_make(&rec, i);

		row_put(&row, &rec, COL_STOP, val_text(i ? "ci" : "a text that is longer"));
		report_draft(r, &rec, &row);
		watched.name = i ? "x.json" : NULL;
		assert_int_equal(report_end_drafts(r), ST_OK);
	}
	watched.name = NULL;
	assert_true(watched.times > 0);
	assert_int_equal(report_close(r, false), ST_OK);
	record_free(&rec);
}

static void json_is_whole_after_each_row(void **state)
{
	const char *path = at("x.json");
	struct record rec = record_make();
	struct outlets *r;

	json_array_append_new(rec.warnings, json_string("one that will be gone"));
	rec.status = "complete";
	assert_int_equal(open_for(&r, FORMAT_JSON, &path, 1), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	check_json(slurp("x.json"), 0, "incomplete");
	json_array_clear(rec.warnings);
	for (int i = 0; i < NROWS; i++) {
		assert_int_equal(write_row(r, &rec, i), ST_OK);
		check_json(slurp("x.json"), (size_t)i + 1, "incomplete");
		check_json(slurp("out"), (size_t)i + 1, "incomplete");
	}
	assert_int_equal(report_end(r, &rec), ST_OK);
	check_json(slurp("x.json"), NROWS, "complete");
	assert_int_equal(report_close(r, true), ST_OK);
	assert_string_equal(slurp("out"), slurp("x.json"));
	record_free(&rec);
}

/* Makes stdout a pipe and returns its other end. */
static int pipe_stdout(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	return ends[0];
}

/* Ends the pipe and returns what was written to it. */
static const char *drain(int fd)
{
	static char text[65536];
	ssize_t n;

	redirect(STDOUT_FILENO, at("out"));
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n >= 0);
	text[n] = '\0';
	close(fd);
	return text;
}

static void json_on_a_pipe_is_whole_at_the_end(void **state)
{
	struct record rec = record_make();
	int fd = pipe_stdout();

	write_all_rows(FORMAT_JSON, &rec);
	check_json(drain(fd), NROWS, "complete");
	record_free(&rec);
}

/* "> log 2>&1": neither stream overwrites the other. */
static void standard_error_may_go_to_the_same_file(void **state)
{
	struct record rec = record_make();
	const char *text, *row, *said;
	struct outlets *r;

	dup2(STDOUT_FILENO, STDERR_FILENO);
	assert_int_equal(open_for(&r, FORMAT_TABLE, NULL, 0), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	error_warn("between");
	assert_int_equal(write_row(r, &rec, 0), ST_OK);
	assert_int_equal(report_close(r, true), ST_OK);
	text = slurp("out");
	said = strstr(text, "netbench: warning: between\n");
	row = strstr(text, "526.4 ns");
	assert_non_null(said);
	assert_non_null(row);
	assert_true(text < said && said < row);
	record_free(&rec);
}

static void set_file_limit(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The second row does not fit. The file keeps the first row; standard output gets all. */
static void check_roll_back(const char *name, rlim_t spare, char *before)
{
	const char *path = at(name);
	struct record rec = record_make();
	int fd = pipe_stdout();
	struct outlets *r;
	char said[128];
	int err;

	redirect(STDERR_FILENO, at("err"));
	unlink(path);
	assert_int_equal(open_for(&r, FORMAT_TABLE, &path, 1), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	assert_int_equal(write_row(r, &rec, 0), ST_OK);
	strcpy(before, slurp(name));
	set_file_limit(strlen(before) + spare);
	err = write_row(r, &rec, 1);
	set_file_limit(RLIM_INFINITY);
	assert_int_equal(err, ST_FAILED);
	assert_string_equal(slurp(name), before);
	assert_int_equal(write_row(r, &rec, 2), ST_FAILED);
	assert_int_equal(report_end(r, &rec), ST_FAILED);
	assert_int_equal(report_close(r, true), ST_FAILED);
	assert_string_equal(slurp(name), before);
	assert_non_null(strstr(drain(fd), "\n   1048576 "));
	snprintf(said, sizeof(said), "netbench: cannot write '%s': File too large\n", path);
	assert_string_equal(slurp("err"), said);
	record_free(&rec);
}

static void a_row_that_does_not_fit_is_taken_back(void **state)
{
	static const char *const names[] = { "x.csv", "x.json", "x.txt" };
	static const rlim_t spares[] = { 0, 1, 7, 40 };
	static char before[65536];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t k = 0; k < sizeof(spares) / sizeof(spares[0]); k++) {
			check_roll_back(names[i], spares[k], before);
			if (strstr(names[i], ".json"))
				check_json(before, 1, "incomplete");
		}
}

/* If nothing can be cut, only the sink fails, and reports it once. */
static void check_no_room(const char *path, const char *said)
{
	struct record rec = record_make();
	struct outlets *r;

	assert_int_equal(open_for(&r, FORMAT_CSV, &path, path ? 1 : 0), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_FAILED);
	assert_int_equal(write_row(r, &rec, 0), ST_FAILED);
	assert_int_equal(report_end(r, &rec), ST_FAILED);
	assert_int_equal(report_close(r, true), ST_FAILED);
	assert_string_equal(slurp("err"), said);
	record_free(&rec);
}

static void a_full_standard_output_is_reported_once(void **state)
{
	redirect(STDOUT_FILENO, "/dev/full");
	check_no_room(NULL, "netbench: cannot write standard output: No space left on device\n");
}

static void a_full_device_is_reported_once(void **state)
{
	char said[256];

	assert_int_equal(symlink("/dev/full", at("x.json")), 0);
	snprintf(said, sizeof(said), "netbench: cannot write '%s': No space left on device\n",
		 at("x.json"));
	check_no_room(at("x.json"), said);
	assert_non_null(strstr(slurp("out"), "5.264e-07"));
}

/* The reader of stdout has left. That is no fault, and the file is complete. */
static void a_closed_pipe_ends_quietly(void **state)
{
	const char *path = at("x.csv");
	struct record rec = record_make();
	struct outlets *r;

	close(pipe_stdout());
	assert_int_equal(open_for(&r, FORMAT_CSV, &path, 1), ST_OK);
	assert_int_equal(report_begin(r, &rec), ST_OK);
	assert_int_equal(write_row(r, &rec, 0), ST_OK);
	assert_false(report_all_failed(r));
	assert_int_equal(report_end(r, &rec), ST_OK);
	assert_int_equal(report_close(r, true), ST_NO_READER);
	assert_string_equal(slurp("err"), "");
	assert_non_null(strstr(slurp("x.csv"), "5.264e-07"));
	record_free(&rec);
}

static int check(enum format format, enum rate_unit rates, const char *path)
{
	return report_check(&(struct output_options){ .format = format, .rate_unit = rates, .outputs = { &path, 1 } });
}

static void suffixes_and_options_are_checked_first(void **state)
{
	static const struct {
		const char *path;
		int status;
	} cases[] = {
		{ "x.csv", ST_OK }, { "a.b/x.json", ST_OK }, { "./x.txt", ST_OK },
		{ "x", ST_USAGE }, { "", ST_USAGE }, { "x.csv.gz", ST_USAGE },
		{ "dir.csv/x", ST_USAGE }, { "csv", ST_USAGE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(check(FORMAT_CSV, RATE_BYTE, cases[i].path), cases[i].status);
	assert_int_equal(check(FORMAT_TABLE, RATE_BIT, "x.csv"), ST_OK);
	assert_int_equal(check(FORMAT_JSON, RATE_BIT, "x.txt"), ST_OK);
	assert_int_equal(check(FORMAT_JSON, RATE_BIT, "x.csv"), ST_USAGE);
	assert_int_equal(check(FORMAT_PLAIN, RATE_BIT, "x.csv"), ST_USAGE);
}

static void files_that_cannot_be_opened_change_nothing(void **state)
{
	const struct {
		const char *paths[3];
		const char *said;
	} cases[] = {
		{ { "x.csv", "x.json", "x.dat" }, "must end in .csv, .json or .txt" },
		{ { "x.csv", "x.json", "none/x.csv" }, "No such file or directory" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char paths[3][256];
		const char *list[3] = { paths[0], paths[1], paths[2] };
		struct outlets *r;

		redirect(STDERR_FILENO, at("err"));
		for (int k = 0; k < 3; k++)
			snprintf(paths[k], sizeof(paths[k]), "%s/%s", dir, cases[i].paths[k]);
		assert_int_equal(open_for(&r, FORMAT_CSV, list, 3), ST_USAGE);
		assert_non_null(strstr(slurp("err"), cases[i].said));
		assert_false(exists("x.csv"));
		assert_false(exists("x.json"));
	}
}

static void a_file_that_cannot_be_opened_is_named(void **state)
{
	const char *path = "/nonexistent/x.csv";
	struct outlets *r;

	assert_int_equal(open_for(&r, FORMAT_CSV, &path, 1), ST_USAGE);
	assert_string_equal(slurp("err"), "netbench: cannot open '/nonexistent/x.csv': "
					  "No such file or directory\n");
}

static void make_file(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* If one of the files cannot be opened, nothing is changed, not even an older result. */
static void older_results_stay_until_the_new_ones_are_whole(void **state)
{
	const char *paths[] = { at("x.csv"), "/nonexistent/x.csv", at("x.json") };
	struct outlets *r;

	make_file("x.csv", "old");
	make_file("x.json", "");
	assert_int_equal(open_for(&r, FORMAT_TABLE, paths, 2), ST_USAGE);
	assert_string_equal(slurp("x.csv"), "old");
	assert_false(exists("x.csv.part"));
	paths[1] = paths[2];
	assert_int_equal(open_for(&r, FORMAT_TABLE, paths, 2), ST_OK);
	assert_string_equal(slurp("x.csv"), "old");
	assert_true(exists("x.csv.part"));
	assert_false(exists("x.json.part"));	/* an empty file is no result */
	assert_int_equal(report_close(r, false), ST_OK);
	assert_string_equal(slurp("x.csv"), "old");
	assert_false(exists("x.csv.part"));	/* without a row */
}

/* What happens to an older result and to FILE.part. */
static void a_result_is_replaced_by_a_result_alone(void **state)
{
	static const struct {
		bool link, row, fails, replace, replaced, part;
	} cases[] = {
		{ .row = true, .replace = true, .replaced = true },
		{ .row = true, .replace = true, .replaced = true, .link = true },
		{ .replace = true, .replaced = true },
		{ .row = true, .part = true },
		{ .row = true, .part = true, .link = true },
		{ .row = true, .replace = true, .fails = true, .part = true },
		{ .replace = false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = at(cases[i].link ? "link.csv" : "x.csv");
		struct record rec = record_make();
		struct outlets *r;

		make_file("x.csv", "old");
		unlink(at("link.csv"));
		assert_int_equal(symlink(at("x.csv"), at("link.csv")), 0);
		assert_int_equal(open_for(&r, FORMAT_CSV, &path, 1), ST_OK);
		assert_int_equal(report_begin(r, &rec), ST_OK);
		if (cases[i].row)
			assert_int_equal(write_row(r, &rec, 0), ST_OK);
		if (cases[i].fails) {
			set_file_limit(strlen(slurp("x.csv.part")));
			assert_int_equal(write_row(r, &rec, 1), ST_FAILED);
			set_file_limit(RLIM_INFINITY);
		}
		assert_string_equal(slurp("x.csv"), "old");
		assert_int_equal(report_close(r, cases[i].replace),
				 cases[i].fails ? ST_FAILED : ST_OK);
		assert_int_equal(strcmp(slurp("x.csv"), "old") != 0, cases[i].replaced);
		assert_int_equal(exists("x.csv.part"), cases[i].part);
		if (cases[i].part)
			assert_non_null(strstr(slurp("err"), "x.csv.part'\n"));
		unlink(at("x.csv.part"));
		record_free(&rec);
	}
}

/*
 * Two files exist. If the second cannot be locked because another process holds it, the first is
 * not left behind. A file that no process holds is kept.
 */
static void a_part_that_was_left_is_kept(void **state)
{
	const char *paths[] = { at("x.json"), at("x.csv") };
	struct outlets *r;
	int fd;

	make_file("x.csv", "old");
	make_file("x.json", "old");
	make_file("x.csv.part", "rows");
	fd = open(at("x.csv.part"), O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(open_for(&r, FORMAT_CSV, paths, 2), ST_USAGE);
	assert_non_null(strstr(slurp("err"), "x.csv.part' already exists"));
	assert_string_equal(slurp("x.csv.part"), "rows");
	assert_string_equal(slurp("x.json"), "old");
	assert_false(exists("x.json.part"));
	close(fd);
	assert_int_equal(open_for(&r, FORMAT_CSV, paths, 2), ST_OK);
	assert_non_null(strstr(slurp("err"), "x.csv.part.1'"));
	assert_string_equal(slurp("x.csv.part.1"), "rows");
	assert_int_equal(report_close(r, false), ST_OK);
	assert_string_equal(slurp("x.csv"), "old");
	unlink(at("x.csv.part.1"));
}

static void values_are_scaled_to_their_units(void **state)
{
	static const struct {
		double value;
		const char *unit, *text;
	} cases[] = {
		{ 0, "s", "0 s" }, { -0.0, "s", "0 s" }, { 5.264e-7, "s", "526.4 ns" },
		{ 7.77e9, "B/s", "7.770 GB/s" }, { 999.95e6, "B/s", "1.000 GB/s" },
		{ 999.94e6, "B/s", "999.9 MB/s" }, { 1e-12, "s", "1.000 ps" },
		{ -5.264e-7, "s", "-526.4 ns" }, { NAN, "s", "-" }, { INFINITY, "s", "inf s" },
		{ 1, "s", "1.000 s" }, { 999.9, "Hz", "999.9 Hz" }, { 1e-3, "s", "1.000 ms" },
		{ 12.346e-6, "s", "12.35 us" }, { 1e3, "msg/s", "1.000 kmsg/s" },
		{ 42, "", "42.00" }, { 4.2e7, "", "42.00 M" }, { 1e-30, "s", "1e-30 s" },
		{ 1e30, "B/s", "1e+30 B/s" }, { 1e18, "B", "1.000 EB" }, { 1e-18, "s", "1.000 as" },
	};
	char buf[32];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(format_si(buf, sizeof(buf), cases[i].value, cases[i].unit),
				    cases[i].text);
	assert_string_equal(format_si(buf, 5, 5.264e-7, "s"), "526.");
}

static void every_column_is_complete(void **state)
{
	for (size_t i = 0; i < NCOLUMNS; i++) {
		const struct column *c = &columns[i];

		/* without a heading: columns that are in no table, or explain themselves */
		if (!c->name || !c->unit || !c->head || !c->definition)
			fail_msg("column %zu is not complete", i);
		if (!isupper((unsigned char)c->definition[0]) ||
		    c->definition[strlen(c->definition) - 1] != '.')
			fail_msg("'%s' is not defined in sentences", c->name);
		for (const char *p = c->definition; *p; p++)
			if ((p[0] == ' ' && p[1] == ' ') || (p[0] == '.' && isupper(p[1])))
				fail_msg("the definition of '%s' is badly spaced", c->name);
		assert_ptr_equal(column_find(c->name), c);
		for (const char *p = c->name; *p; p++)
			assert_true(isalnum((unsigned char)*p) || *p == '_');
	}
	assert_null(column_find("nonsense"));
	assert_ptr_equal(column_find("half_rtt_s"), &columns[COL_HALF_RTT_EPOCH]);
	assert_string_equal(column_new_name("read_lo_s"), "read_epoch_lo_s");
	assert_string_equal(column_new_name("time_s"), "time_s");
	assert_null(column_old_name("time_s"));
	assert_string_equal(column_old_name("half_rtt_epoch_hi_s"), "half_rtt_hi_s");
	assert_null(column_find(""));
}

static void columns_have_their_names_and_headings(void **state)
{
	static const struct {
		enum column_id id;
		const char *name, *head;
	} cases[] = {
		{ COL_SIZE, "size_B", "MSize" },
		{ COL_LOOPS, "loops", "looplength" },
		{ COL_TIME_MIN, "time_min_s", "min" },
		{ COL_BANDWIDTH_MAX, "bandwidth_max_Bps", "max" },
		{ COL_TIME_P99, "time_p99_s", "p99" },
		{ COL_HALF_RTT_P999, "half_rtt_p999_s", "p99.9" },
		{ COL_PAIR_RATE, "pair_rate_msgps", "per pair" },
		{ COL_MODEL_TIME, "model_s", "model" },
		{ COL_ERRORS, "errors", "errors" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(columns[cases[i].id].name, cases[i].name);
		assert_string_equal(columns[cases[i].id].head, cases[i].head);
	}
}

/*
 * A column computed from the median time has a comparable unit. A column with bounds is such a
 * column, or a percentile.
 */
static void columns_have_their_roles(void **state)
{
	assert_int_equal(column_role(COL_SIZE), ROLE_POINT);
	assert_int_equal(column_role(COL_HALF_RTT_EPOCH), ROLE_MAIN);
	assert_int_equal(column_role(COL_MESSAGE), ROLE_MEDIAN);
	assert_int_equal(column_role(COL_STOP), ROLE_NONE);
	assert_true(!unit_is_rate("s") && !unit_is_rate("cycles") && unit_is_rate("B/s") && unit_is_rate("Hz"));
	for (size_t i = 0; i < NCOLUMNS; i++) {
		const char *name = columns[i].name, *lo = strstr(name, "_lo_");
		char of[64];
		size_t unit = 0;

		while (compared_units[unit] && strcmp(compared_units[unit], columns[i].unit) != 0)
			unit++;
		if (column_role((enum column_id)i) >= ROLE_SCORE && !compared_units[unit])
			fail_msg("'%s' is in '%s'", name, columns[i].unit);
		if (!lo)
			continue;
		snprintf(of, sizeof(of), "%.*s%s", (int)(lo - name), name, lo + strlen("_lo"));
		if (!column_find(of) || (!strstr(of, "_p9") &&
					 column_role((enum column_id)(column_find(of) - columns)) < ROLE_MEDIAN))
			fail_msg("'%s' is a bound of nothing that is compared", name);
	}
	for (size_t u = 0; compared_units[u]; u++)
		for (size_t side = 0; side < 2; side++)
			assert_string_equal(columns[COL_COMPARED + 2 * u + side].unit, compared_units[u]);
	assert_true(COL_COMPARED + 2 * 5 == COL_COMPARED_RATIO && !compared_units[5]);
}

/* No two columns of one command share a heading; beff has headings of its own. */
static void no_two_columns_of_a_command_share_a_heading(void **state)
{
	static const enum column_id sets[][18] = {
		{ COL_SIZE, COL_LOOPS, COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_LO, COL_HALF_RTT_EPOCH_HI,
		  COL_HALF_RTT_MIN, COL_HALF_RTT_P50, COL_HALF_RTT_P90, COL_HALF_RTT_P99,
		  COL_HALF_RTT_P999, COL_HALF_RTT_MAX, COL_REPETITIONS, COL_STOP, COL_ERRORS,
		  NCOLUMNS },
		{ COL_SIZE, COL_WINDOW, COL_BATCH, COL_PAIRS, COL_LOOPS, COL_RATE, COL_RATE_LO,
		  COL_RATE_HI, COL_RATE_MIN, COL_RATE_MAX, COL_PAIR_RATE, COL_REPETITIONS,
		  COL_TIME, COL_STOP, COL_ERRORS, NCOLUMNS },
		{ COL_SIZE, COL_WINDOW, COL_BATCH, COL_PAIRS, COL_LOOPS, COL_BANDWIDTH,
		  COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_BANDWIDTH_MIN, COL_BANDWIDTH_MAX,
		  COL_PAIR_BANDWIDTH, COL_REPETITIONS, COL_TIME, COL_STOP, COL_ERRORS, NCOLUMNS },
		{ COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD, COL_MODEL_BANDWIDTH,
		  NCOLUMNS },
	};

	for (size_t s = 0; s < sizeof(sets) / sizeof(sets[0]); s++)
		for (const enum column_id *a = sets[s]; *a != NCOLUMNS; a++)
			for (const enum column_id *b = sets[s]; b < a; b++)
				assert_string_not_equal(columns[*a].head, columns[*b].head);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(all_formats_of_a_record_are_as_written_down),
		IN_DIR(json_has_each_column_with_unit_and_definition),
		IN_DIR(a_record_of_columns_alone_is_written),
		IN_DIR(a_narrow_table_has_the_essential_columns),
		IN_DIR(a_plain_table_is_as_its_reference_has_it),
		IN_DIR(rates_are_in_the_unit_for_people),
		IN_DIR(json_is_whole_after_each_row),
		IN_DIR(json_is_whole_before_an_old_tail_is_cut),
		IN_DIR(json_on_a_pipe_is_whole_at_the_end),
		IN_DIR(standard_error_may_go_to_the_same_file),
		IN_DIR(a_row_that_does_not_fit_is_taken_back),
		IN_DIR(a_full_standard_output_is_reported_once),
		IN_DIR(a_full_device_is_reported_once),
		IN_DIR(a_closed_pipe_ends_quietly),
		IN_DIR(suffixes_and_options_are_checked_first),
		IN_DIR(files_that_cannot_be_opened_change_nothing),
		IN_DIR(a_file_that_cannot_be_opened_is_named),
		IN_DIR(older_results_stay_until_the_new_ones_are_whole),
		IN_DIR(a_result_is_replaced_by_a_result_alone),
		IN_DIR(a_part_that_was_left_is_kept),
		cmocka_unit_test(values_are_scaled_to_their_units),
		cmocka_unit_test(every_column_is_complete),
		cmocka_unit_test(columns_have_their_names_and_headings),
		cmocka_unit_test(columns_have_their_roles),
		cmocka_unit_test(no_two_columns_of_a_command_share_a_heading),
	};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
