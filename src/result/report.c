/* SPDX-License-Identifier: Apache-2.0 */
#include "result/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/values.h"
#include "result/format.h"
#include "result/reader.h"

struct outlet {
	const struct format_ops *ops;
	bool resumed; /* the output goes on with the rows of an earlier run */
	struct out out;
};

/* The last columns of each row, which are facts about the run. */
static const enum column_id run_columns[] = {
	COL_RUN_ID, COL_RUN_DATE, COL_RUN_HOST, COL_RUN_HOSTS, COL_RUN_RANKS,
};
#define NRUN LENGTH(run_columns)

struct outlets {
	/* columns of the outputs: those of the record, and the ones that report.c adds */
	enum column_id cols[NCOLUMNS];
	const char *heads[NCOLUMNS];
	/* cells of run_columns; their texts are in the next three members */
	struct value run[NRUN];
	char id[64], date[64], *hosts;
	enum rate_unit rates;
	bool wide;
	bool monitors;			/* only CSV gets the rows */
	enum csv_header csv_header;
	size_t n;
	struct outlet outlet[];		/* standard output, then the files */
};

const char *const csv_header_names[] = { "full", "short", "none", NULL };
const char *const format_names[] = { "table", "plain", "csv", "json", NULL };

static const struct {
	const char *suffix; /* NULL: no suffix names this format, so only standard output has it */
	const struct format_ops *ops;
} formats[NFORMATS] = {
	[FORMAT_TABLE] = { ".txt", &format_table },
	[FORMAT_PLAIN] = { NULL, &format_plain },
	[FORMAT_CSV] = { ".csv", &format_csv },
	[FORMAT_JSON] = { ".json", &format_json },
};

/* Returns the format that the suffix of a path names; NULL: none. */
static const struct format_ops *format_of_path(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < NFORMATS; i++)
		if (formats[i].suffix && !strcmp(dot, formats[i].suffix))
			return formats[i].ops;
	return NULL;
}

int report_check(const struct output_options *o)
{
	bool table = o->format == FORMAT_TABLE, csv = o->format == FORMAT_CSV;

	for (size_t i = 0; i < o->outputs.n; i++) {
		const char *path = o->outputs.v[i];
		const struct format_ops *ops = format_of_path(path);

		if (!ops)
			return error_usage("no format for output file '%s': must end in .csv, "
					   ".json or .txt", path);
		table |= ops == &format_table;
		csv |= ops == &format_csv;
	}
	if (o->rate_unit != RATE_BYTE && !table)
		return error_usage("option '--rate-unit' is for tables: '--format %s' is in B/s",
				   format_names[o->format]);
	if (o->csv_header != CSV_FULL && !csv)
		return error_usage("option '--csv-header' is for CSV: '--format csv' or "
				   "'--output FILE.csv'");
	if (o->wide && !table)
		return error_usage("option '--wide' is for tables: '--format %s' has all columns",
				   format_names[o->format]);
	return ST_OK;
}

/* Opens all files before it changes any of them. */
static int open_all_files(struct outlets *r, const struct output_options *o)
{
	int err;

	r->outlet[0].ops = formats[o->format].ops;
	err = out_open_stdout(&r->outlet[r->n++].out);
	for (size_t i = 0; i < o->outputs.n && !err; i++) {
		struct outlet *s = &r->outlet[r->n++];

		bool result;		/* true: result_read() can read the format */

		s->ops = format_of_path(o->outputs.v[i]);
		result = s->ops == &format_json ||
			 (s->ops == &format_csv && o->csv_header == CSV_FULL);
		err = out_open_file(&s->out, o->outputs.v[i],
				    out_advice(o->overwrite || result));
	}
	if (o->resume && !err) {
		struct outlet *s = &r->outlet[r->n++];
		struct stat st;

		s->ops = &format_csv;
		err = out_open_file(&s->out, o->resume, NULL);
		s->resumed = !err && !fstat(s->out.fd, &st) && st.st_size;
		if (!err && !s->out.regular)
			err = error_usage("'%s' of '--resume' is not a regular file", o->resume);
	}
	for (size_t i = 1; i < r->n && !err; i++) {
		struct outlet *s = &r->outlet[i];

		err = r->monitors && s->ops == &format_csv
			      ? out_begin_appending(&s->out, o->overwrite, s->resumed)
			      : out_begin(&s->out);
	}
	return err;
}

int report_open(struct outlets **out, const struct output_options *o)
{
	struct outlets *r;
	int err = report_check(o);

	if (err)
		return err;
	r = calloc(1, sizeof(*r) + (o->outputs.n + 2) * sizeof(r->outlet[0]));
	if (!r)
		return error_report("out of memory");
	r->rates = (enum rate_unit)o->rate_unit;
	r->wide = o->wide;
	r->monitors = o->monitors;
	r->csv_header = (enum csv_header)o->csv_header;
	err = open_all_files(r, o);
	if (!err) {
		*out = r;
		return ST_OK;
	}
	for (size_t i = 0; i < r->n; i++)
		out_discard(&r->outlet[i].out);
	free(r);
	return err;
}

/* Number of failed outputs. Unless `unread` is set, outputs without a reader do not count. */
static size_t count_failed(const struct outlets *r, bool unread)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->outlet[i].out.failed && (unread || !r->outlet[i].out.unread);
	return n;
}

/* Appends a column to the columns of the outputs. `head` is its heading; NULL: its own. */
static void add_column(struct outlets *r, size_t *n, enum column_id id, const char *head)
{
	r->cols[*n] = id;
	r->heads[(*n)++] = head;
}

/*
 * Returns the record for the outputs: a copy of rec with more columns. The columns about the run
 * are added at the end. For an emulated measurement, `emulated` is added as the last column of the
 * table.
 */
static struct record record_for_outputs(struct outlets *r, const struct record *rec)
{
	struct record m = *rec;
	size_t at = rec->ntable ? rec->ntable : rec->ncols;

	m.rates = r->rates;
	m.wide = r->wide;
	m.words |= r->monitors;
	m.csv_header = r->csv_header;
	m.ntable = at + rec->emulated;
	m.nadded += rec->emulated;
	m.ncols = 0;
	for (size_t i = 0; i <= rec->ncols; i++) {
		if (i == at && rec->emulated)
			add_column(r, &m.ncols, COL_EMULATED, NULL);
		if (i < rec->ncols)
			add_column(r, &m.ncols, rec->cols[i], rec->heads ? rec->heads[i] : NULL);
	}
	for (size_t i = 0; i < NRUN; i++)
		add_column(r, &m.ncols, run_columns[i], NULL);
	m.nrun = NRUN;
	m.cols = r->cols;
	m.heads = r->heads;
	return m;
}

/* Sets the cells about the run, which all rows share. */
static void fill_run_cells(struct outlets *r, const struct record *rec)
{
	double ranks = result_number(rec->environment, "nranks");
	size_t hosts;

	free(r->hosts);
	r->hosts = result_hosts(rec->environment, &hosts);
	snprintf(r->id, sizeof(r->id), "%s", result_text(rec->environment, "run.id"));
	snprintf(r->date, sizeof(r->date), "%s", result_text(rec->environment, "time.start"));
	r->run[0] = val_text(*r->id ? r->id : NULL);
	r->run[1] = val_text(*r->date ? r->date : NULL);
	r->run[2] = val_text(r->hosts && *r->hosts ? r->hosts : NULL);
	r->run[3] = hosts ? val_uint(hosts) : val_text(NULL);
	r->run[4] = ranks >= 0 ? val_uint((uint64_t)ranks) : val_text(NULL);
}

int report_begin(struct outlets *r, const struct record *rec)
{
	struct record m = record_for_outputs(r, rec);

	fill_run_cells(r, rec);
	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (!s->out.failed && !s->resumed)
			s->ops->begin(&s->out, &m);
	return count_failed(r, false) ? ST_FAILED : ST_OK;
}

/*
 * Returns the row for the outputs: a copy of `row` with more cells. `m` is the record for the
 * outputs.
 */
static struct row row_for_outputs(const struct outlets *r, const struct record *m, bool emulated,
				  const struct row *row)
{
	struct row with = { .samples = row->samples };

	for (size_t i = 0, from = 0; i < m->ncols - NRUN; i++)
		with.v[i] = emulated && i + 1 == m->ntable ? val_text("emulated") : row->v[from++];
	memcpy(with.v + m->ncols - NRUN, r->run, sizeof(r->run));
	return with;
}

/* True if drafts can be written to an output. */
static bool can_hold_drafts(const struct outlet *s)
{
	return s->out.regular && !s->out.failed;
}

bool report_keeps_drafts(const struct outlets *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += can_hold_drafts(&r->outlet[i]);
	return n;
}

void report_draft(struct outlets *r, const struct record *rec, const struct row *row)
{
	struct record m = record_for_outputs(r, rec);
	struct row with = row_for_outputs(r, &m, rec->emulated, row);

	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++) {
		size_t nrows = s->out.nrows;

		if (!can_hold_drafts(s))
			continue;
		out_begin_draft(&s->out);
		s->out.nrows += s->out.ndrafts++;
		s->ops->row(&s->out, &m, &with);
		s->out.nrows = nrows;
	}
}

int report_end_drafts(struct outlets *r)
{
	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (can_hold_drafts(s))
			out_end_drafts(&s->out);
	return count_failed(r, false) ? ST_FAILED : ST_OK;
}

int report_row(struct outlets *r, const struct record *rec, const struct row *row)
{
	struct record m = record_for_outputs(r, rec);
	struct row with = row_for_outputs(r, &m, rec->emulated, row);

	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (!s->out.failed && (!r->monitors || s->ops == &format_csv) &&
		    s->ops->row(&s->out, &m, &with) == ST_OK)
			s->out.nrows++;
	return count_failed(r, false) ? ST_FAILED : ST_OK;
}

/* Returns the output that goes on with the rows of an earlier run; NULL: none does. */
static struct outlet *find_resumed(struct outlets *r)
{
	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (s->resumed)
			return s;
	return NULL;
}

const char *report_resumed_path(struct outlets *r)
{
	const struct outlet *s = find_resumed(r);

	return s ? s->out.path : NULL;
}

int report_resume(struct outlets *r, off_t whole, size_t nrows)
{
	return out_resume(&find_resumed(r)->out, whole, nrows);
}

json_t *report_column_names(struct outlets *r, const struct record *rec)
{
	struct record m = record_for_outputs(r, rec);
	json_t *names = json_array();

	for (size_t i = 0; i < m.ncols; i++)
		json_array_append_new(names, json_string(columns[m.cols[i]].name));
	return names;
}

int report_sync(struct outlets *r)
{
	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (s->ops == &format_csv)
			out_sync(&s->out);
	return count_failed(r, false) ? ST_FAILED : ST_OK;
}

bool report_all_failed(const struct outlets *r)
{
	size_t failed = 0, n = 0;

	for (const struct outlet *s = r->outlet; s < r->outlet + r->n; s++) {
		/* the CSV of a run over time is its record; other outlets get no rows */
		bool counts = !r->monitors || s->ops == &format_csv;

		n += counts;
		failed += counts && s->out.failed;
	}
	return failed == n;
}

int report_end(struct outlets *r, const struct record *rec)
{
	struct record m = record_for_outputs(r, rec);

	for (struct outlet *s = r->outlet; s < r->outlet + r->n; s++)
		if (!s->out.failed)
			s->ops->end(&s->out, &m);
	return count_failed(r, false) ? ST_FAILED : ST_OK;
}

int report_close(struct outlets *r, bool replace)
{
	int err = ST_OK, closed;

	if (!r)
		return ST_OK;
	replace = replace && !count_failed(r, false);
	for (size_t i = 0; i < r->n; i++)
		if ((closed = out_close(&r->outlet[i].out, replace)) && err != ST_FAILED)
			err = closed;
	free(r->hosts);
	free(r);
	return err;
}

int report_result(const struct output_options *o, const struct record *rec, rows_fn *rows,
		  void *arg)
{
	struct outlets *r = NULL;
	int err = report_open(&r, o), closed;

	if (!err)
		err = report_begin(r, rec);
	if (!err)
		err = rows(arg, r, rec);
	if (!err)
		err = report_end(r, rec);
	closed = report_close(r, !err);
	return err ? err : closed;
}
