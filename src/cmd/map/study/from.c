/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements out of files: CSV from anywhere, results of map, and the classes of hosts. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/read/csv.h"
#include "base/values.h"
#include "cmd/map/study/study.h"
#include "result/document.h"
#include "result/reader.h"
#include "result/rows.h"

/* Columns of CSV that are read. */
enum cell { VISIT, ROUND, SENDER, RECEIVER, BANDWIDTH_BPS, HALF_RTT_S, BIDIRECTIONAL_BPS,
	    NCELLS };
static const char *const names[NCELLS] = {
	"visit", "round", "sender", "receiver", "bandwidth_Bps", "half_rtt_s",
	"bidirectional_Bps",
};

struct file_reading {
	const char *path;
	const char *unit;		/* "line" of CSV, "row" of a result */
	struct study *s;
	size_t at[NCELLS];		/* the column of each; SIZE_MAX: there is none */
	size_t ncolumns;		/* 0: the header comes next */
	bool own_csv;			/* it is a result, in CSV */
	struct measurement last;	/* of the row before */
	uint64_t last_visit;
};

/* ---- CSV ---- */

/* The column of this name; SIZE_MAX: there is none. */
static size_t find_cell(char **cells, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(cells[i], name))
			return i;
	return SIZE_MAX;
}

/* CSV of map has no visits. */
static void note_medians(const struct file_reading *r)
{
	error_warn("'%s' has one value of each pair, judged as one visit: the JSON of a run has "
		   "all visits", r->path);
}

/* Rows of map's own CSV have no visit, but the hosts' names beside the numbers of ranks. */
static bool take_own_header(struct file_reading *r, char **cells, size_t n)
{
	size_t sender = find_cell(cells, n, "sender_host");
	size_t receiver = find_cell(cells, n, "receiver_host");

	if (r->at[VISIT] != SIZE_MAX || sender == SIZE_MAX || receiver == SIZE_MAX)
		return false;
	r->at[SENDER] = sender;
	r->at[RECEIVER] = receiver;
	note_medians(r);
	return true;
}

static int take_header(struct file_reading *r, char **cells, size_t n)
{
	bool own;

	for (size_t k = 0; k < NCELLS; k++)
		r->at[k] = find_cell(cells, n, names[k]);
	own = take_own_header(r, cells, n);
	for (size_t k = 0; k < NCELLS; k++) {
		if (r->at[k] == SIZE_MAX && ((k == VISIT && !own) || k == SENDER || k == RECEIVER))
			return error_usage(
				"file '%s' has no column '%s': expected visit, sender, receiver, "
				"and bandwidth_Bps or half_rtt_s", r->path, names[k]);
	}
	if (r->at[BANDWIDTH_BPS] == SIZE_MAX && r->at[HALF_RTT_S] == SIZE_MAX &&
	    r->at[BIDIRECTIONAL_BPS] == SIZE_MAX)
		return error_usage("file '%s' has neither a column 'bandwidth_Bps' nor "
				   "'half_rtt_s'", r->path);
	r->ncolumns = n;
	return ST_OK;
}

/* A whole number of at most `most`. */
static int take_count(const struct file_reading *r, enum cell which, const char *text,
		      uint64_t most, size_t line, uint64_t *to)
{
	const char *at = text;

	if (scan_whole(&at, false, to) == V_OK && !*at && *to <= most)
		return ST_OK;
	return error_usage("file '%s', line %zu: '%s' is no %s: expected 0 to %llu", r->path, line,
			   text, names[which], (unsigned long long)most);
}

/*
 * Reads "9412345678.25" or "1.4e-06". Of few digits and a small power of ten, which doubles have
 * exactly, one division rounds as strtod does, in a fifth of the time; else it is strtod's.
 */
static double read_number(const char *text, char **end)
{
	static const double ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
				      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
				      1e22 };
	const char *at = text;
	uint64_t digits = 0;
	int power = 0;

	for (; isdigit((unsigned char)*at) && at - text < 15; at++)
		digits = 10 * digits + (uint64_t)(*at - '0');
	if (*at == '.' && at > text)
		for (at++; isdigit((unsigned char)*at) && at - text < 16; at++, power--)
			digits = 10 * digits + (uint64_t)(*at - '0');
	if (*at == 'e' && at > text && at[1] == '-' && isdigit((unsigned char)at[2]) &&
	    isdigit((unsigned char)at[3])) {
		power -= 10 * (at[2] - '0') + at[3] - '0';
		at += 4;
	}
	if (at == text || *at || power < -22)
		return strtod(text, end);
	*end = (char *)(uintptr_t)at;
	return (double)digits / ten[-power];
}

/* A positive number; NaN for an empty cell. */
static int take_value(const struct file_reading *r, enum cell which, char **cells, size_t line,
		      double *to)
{
	const char *text = r->at[which] == SIZE_MAX ? "" : cells[r->at[which]];
	char *end;

	*to = NAN;
	if (!*text)
		return ST_OK;
	*to = read_number(text, &end);
	if (*end || isspace((unsigned char)*text) || !isfinite(*to) || !(*to > 0))
		return error_usage("file '%s', line %zu: %s '%s' is no positive number", r->path,
				   line, names[which], text);
	return ST_OK;
}

static int take_host(const struct file_reading *r, enum cell which, const char *name, size_t line,
		     uint32_t *host)
{
	const struct study *s = r->s;

	if (*host < s->n && !strcmp(s->name[*host], name))	/* as in the row before */
		return ST_OK;
	if (!*name)
		return error_usage("file '%s', %s %zu has no %s", r->path, r->unit, line,
				   names[which]);
	for (const char *c = name; *c; c++)
		if (iscntrl((unsigned char)*c) || *c == ' ')
			return error_usage("file '%s', %s %zu: the name of the %s has a blank or "
					   "control characters", r->path, r->unit, line,
					   names[which]);
	if (study_host(r->s, name, host))
		return ST_OK;
	if (s->n == STUDY_HOSTS)
		return error_usage("file '%s', %s %zu: more than %d hosts", r->path, r->unit, line,
				   STUDY_HOSTS);
	return error_report("no memory for all pairs of more than %u hosts", s->n);
}

static int take_visit(struct file_reading *r, char **cells, size_t line, struct measurement *o)
{
	const char *round = r->at[ROUND] == SIZE_MAX ? "" : cells[r->at[ROUND]];
	uint64_t number = 1;
	int err = ST_OK;

	if (r->at[VISIT] != SIZE_MAX)
		err = take_count(r, VISIT, cells[r->at[VISIT]], UINT32_MAX, line, &number);
	if (err)
		return err;
	if ((!r->s->nvisits || number != r->last_visit) &&
	    !study_visit(r->s, number, &o->visit))
		return error_usage("file '%s', line %zu: more than %d visits", r->path, line,
				   STUDY_VISITS);
	r->last_visit = number;
	o->round = STUDY_NO_ROUND;
	if (!*round)
		return ST_OK;
	err = take_count(r, ROUND, round, STUDY_ROUNDS, line, &number);
	o->round = err ? o->round : (uint32_t)number;
	return err;
}

static int put(const struct file_reading *r, const struct measurement *o, size_t number)
{
	const struct study *s = r->s;
	enum put done = study_put(r->s, o);

	if (done == PUT_TWICE)
		return error_usage("file '%s', %s %zu: '%s' to '%s' is there twice in visit %llu",
				   r->path, r->unit, number, s->name[o->sender],
				   s->name[o->receiver],
				   (unsigned long long)s->label[o->visit]);
	if (done)
		return error_report("no memory for all pairs of %u hosts", s->n);
	return ST_OK;
}

static int take_row(void *arg, char **cells, size_t n, size_t line)
{
	struct file_reading *r = arg;
	struct measurement *o = &r->last;
	int err;

	if (!r->ncolumns)
		return take_header(r, cells, n);
	if (n != r->ncolumns)
		return error_usage("file '%s', line %zu has %zu cells, the first has %zu", r->path,
				   line, n, r->ncolumns);
	err = take_visit(r, cells, line, o);
	err = err ? err : take_host(r, SENDER, cells[r->at[SENDER]], line, &o->sender);
	err = err ? err : take_host(r, RECEIVER, cells[r->at[RECEIVER]], line, &o->receiver);
	err = err ? err : take_value(r, BANDWIDTH_BPS, cells, line, &o->value[BANDWIDTH]);
	err = err ? err : take_value(r, HALF_RTT_S, cells, line, &o->value[LATENCY]);
	err = err ? err : take_value(r, BIDIRECTIONAL_BPS, cells, line, &o->value[BIDIRECTIONAL]);
	if (err || o->sender == o->receiver)
		return err;
	return put(r, o, line);
}

/* ---- results ---- */

static double number_at(const json_t *samples, const char *name, size_t i)
{
	const json_t *v = json_array_get(json_object_get(samples, name), i);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* A value of a visit; NaN if there is none, and for one that is no time or rate. */
static double value_at(const json_t *samples, const char *name, size_t i)
{
	double v = number_at(samples, name, i);

	return v > 0 && isfinite(v) ? v : NAN;
}

/* How many visits a row has. */
static size_t count_visits(const json_t *samples)
{
	json_t *list = json_object_get(samples, "visit");

	for (size_t k = BANDWIDTH_BPS; k < NCELLS && !list; k++)
		list = json_object_get(samples, names[k]);
	return json_array_size(list);
}

/* Visits that are not numbered are 1, 2, 3. */
static int take_visits(struct file_reading *r, const json_t *row, size_t number)
{
	const json_t *samples = row_samples(row);
	bool numbered = json_object_get(samples, "visit") != NULL;
	size_t n = count_visits(samples);
	struct measurement o;
	int err = take_host(r, SENDER, row_text(row, COL_SENDER_HOST), number, &r->last.sender);

	err = err ? err : take_host(r, RECEIVER, row_text(row, COL_RECEIVER_HOST), number,
				    &r->last.receiver);
	o = r->last;
	for (size_t i = 0; i < n && !err; i++) {
		double visit = numbered ? number_at(samples, "visit", i) : (double)(i + 1);
		double round = number_at(samples, "round", i);

		if (!(visit >= 0 && visit <= UINT32_MAX) ||
		    !study_visit(r->s, (uint64_t)visit, &o.visit))
			return error_usage("file '%s', row %zu has visits that are none", r->path,
					   number);
		o.round = round >= 0 && round <= STUDY_ROUNDS ? (uint32_t)round : STUDY_NO_ROUND;
		o.value[BANDWIDTH] = value_at(samples, names[BANDWIDTH_BPS], i);
		o.value[LATENCY] = value_at(samples, names[HALF_RTT_S], i);
		o.value[BIDIRECTIONAL] = value_at(samples, names[BIDIRECTIONAL_BPS], i);
		if (o.sender != o.receiver)
			err = put(r, &o, number);
	}
	return err;
}

/* A row without visits: what all of them together yield. */
static int take_medians(struct file_reading *r, const json_t *row, size_t number)
{
	struct measurement *o = &r->last;
	bool any = false;
	int err = take_host(r, SENDER, row_text(row, COL_SENDER_HOST), number, &o->sender);

	err = err ? err : take_host(r, RECEIVER, row_text(row, COL_RECEIVER_HOST), number,
				    &o->receiver);
	study_visit(r->s, 1, &o->visit);
	o->round = STUDY_NO_ROUND;
	for (int q = 0; q < NQUANTITIES; q++) {
		static const int column[NQUANTITIES] = { [BANDWIDTH] = BANDWIDTH_BPS,
							 [LATENCY] = HALF_RTT_S,
							 [BIDIRECTIONAL] = BIDIRECTIONAL_BPS };
		double v = result_number(row, names[column[q]]);

		o->value[q] = v > 0 && isfinite(v) ? v : NAN;
		any |= !isnan(o->value[q]);
	}
	if (err || o->sender == o->receiver || !any)
		return err;
	return put(r, o, number);
}

static int take_result_row(struct file_reading *r, const json_t *row, size_t number)
{
	double size = row_number(row, COL_SIZE);

	if (size > 0 && size < 0x1p53)
		r->s->size_B = (uint64_t)size;
	if (row_samples(row))
		return take_visits(r, row, number);
	return take_medians(r, row, number);
}

static int take_rows(struct file_reading *r, struct result_rows *rows)
{
	const json_t *doc = rows->doc, *row = NULL;
	int err = ST_OK;

	r->unit = "row";
	if (strcmp(document_command(doc), "map") != 0)
		return error_usage("'%s' is not a result of 'netbench map'", r->path);
	do {
		err = result_rows_next(rows, &row);
		err = err || !row ? err : take_result_row(r, row, rows->n);
	} while (!err && row);
	r->s->computed = result_is_computed(doc);
	r->s->emulated = result_is_emulated(doc);
	r->s->shared_cores = json_is_true(result_at(doc, "summary.shared_cores"));
	r->s->environment = json_incref(document_environment(doc));
	r->s->machines = json_incref(result_at(doc, "summary.machines"));
	return err;
}

static int read_result(struct file_reading *r)
{
	struct result_rows rows;
	int err = result_rows_open(&rows, r->path);

	if (!err && r->own_csv)
		note_medians(r);
	err = err ? err : take_rows(r, &rows);
	result_rows_close(&rows);
	return err;
}

/* What has been read is put in order. */
static int finish_reading(const char *path, struct study *s)
{
	int err = s->nvisits ? study_finish(s) : error_usage("file '%s' has no measurements", path);

	if (!err && !s->of[BANDWIDTH].n && !s->of[LATENCY].n && !s->of[BIDIRECTIONAL].n)
		err = error_usage("file '%s' has no value of any pair", path);
	return err;
}

int from_result(const json_t *doc, const char *path, struct study *s)
{
	struct file_reading r = { .path = path, .s = s };
	struct result_rows rows;
	int err;

	result_rows_of(&rows, doc, path);
	err = take_rows(&r, &rows);
	result_rows_close(&rows);
	return err ? err : finish_reading(path, s);
}

/* ---- files ---- */

static int read_csv(struct file_reading *r, FILE *f)
{
	int err = csv_each(r->path, f, take_row, r);

	if (!err && ferror(f))
		err = error_usage("cannot read '%s': %s", r->path, strerror(errno));
	if (!err && !r->ncolumns)
		err = error_usage("file '%s' is empty", r->path);
	return err;
}

/* Whether it is a result in CSV, by its first line, of which a comment is left. */
static bool is_own_csv(FILE *f)
{
	static const char own[] = "# schema: netbench";
	char first[sizeof(own)] = "";

	if (!fgets(first, sizeof(first), f))
		return false;
	ungetc(first[strlen(first) - 1] == '\n' ? '\n' : '#', f);
	return !strcmp(first, own);
}

static bool is_regular(FILE *f)
{
	struct stat st;

	return !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
}

int from_read(const char *path, struct study *s)
{
	struct file_reading r = { .path = path, .unit = "line", .s = s };
	const char *why;
	FILE *f = file_open(path, &why);
	int first, err;

	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	file_skip_mark(f);
	first = getc(f);
	ungetc(first, f);
	r.own_csv = first == '#' && is_own_csv(f);
	if (first != '{' && !r.own_csv)
		err = read_csv(&r, f);
	else if (is_regular(f))
		err = read_result(&r);
	else
		err = error_usage("cannot read result '%s' from a pipe or device: it is read "
				  "twice, so save it to a file first", path);
	fclose(f);
	return err ? err : finish_reading(path, s);
}

/* ---- classes ---- */

/* The number of a class, which is new if its name is. False without memory. */
static bool find_class(struct study *s, const char *name, uint32_t *class)
{
	char **more;

	for (*class = 0; *class < s->nclasses; ++*class)
		if (!strcmp(s->class_name[*class], name))
			return true;
	more = list_grow(s->class_name, s->nclasses, sizeof(*more));
	s->class_name = more ? more : s->class_name;
	if (!more || !(s->class_name[s->nclasses] = strdup(name)))
		return false;
	s->nclasses++;
	return true;
}

/* "host class", where blanks separate; the line is cut into these. */
static int take_class(const char *path, struct study *s, char *line, size_t number, bool *has)
{
	static const char blank[] = " \t\r\n";
	char *rest = NULL, *host = strtok_r(line, blank, &rest), *name;
	uint32_t at, class;

	if (!host || *host == '#')
		return ST_OK;
	name = strtok_r(NULL, blank, &rest);
	if (!name || strtok_r(NULL, blank, &rest))
		return error_usage("file '%s', line %zu: expected a host and its class", path,
				   number);
	if (!study_find(s, host, &at))
		return error_usage("file '%s', line %zu: no host '%s' was measured", path, number,
				   host);
	if (!find_class(s, name, &class))
		return error_report("no memory for classes");
	if (has[at] && s->class[at] != class)
		return error_usage("file '%s', line %zu: host '%s' has a class already", path,
				   number, host);
	has[at] = true;
	s->class[at] = class;
	return ST_OK;
}

int from_classes(const char *path, struct study *s)
{
	const char *why;
	FILE *f = file_open(path, &why);
	bool *has = calloc(s->n + 1, sizeof(*has));
	char *line = NULL;
	size_t room = 0, number = 0;
	int err = has ? ST_OK : error_report("no memory for classes");

	if (!f)
		err = error_usage("cannot read '%s': %s", path, why);
	while (!err && getline(&line, &room, f) > 0)
		err = take_class(path, s, line, ++number, has);
	for (uint32_t i = 0; i < s->n && !err; i++)
		if (!has[i])
			err = error_usage("file '%s' has no class for host '%s'", path, s->name[i]);
	free(line);
	free(has);
	if (f)
		fclose(f);
	return err;
}
