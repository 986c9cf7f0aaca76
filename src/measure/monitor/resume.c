/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/monitor/resume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/values.h"
#include "result/report.h"
#include "result/rows.h"

#define SCHEMA "# schema: netbench-csv/"

/*
 * Options that may differ from those of the run that began the file: they do not change what the
 * rows contain.
 */
static const char *const free_options[] = {
	"duration", "resume", "metrics", "change", "flap", "fail-if", "format", "output",
	"rate-unit", "csv-header", "wide", "overwrite", "quiet", "verbose", "time-limit", "stall",
	"listen", "join", "rank", "secret-file", "join-timeout",
};

/* ---- the head of the file ---- */

/* Reports that a value in the file differs from that of this run. Returns ST_USAGE. */
static int refuse_difference(const char *path, const char *what, const json_t *theirs,
			     const json_t *mine)
{
	char *a = theirs ? json_dumps(theirs, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
	char *b = mine ? json_dumps(mine, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;

	error_usage("cannot go on with '%s': it has another %s: %s, here %s", path, what,
		    a ? a : "none", b ? b : "none");
	free(a);
	free(b);
	return ST_USAGE;
}

/* Compares all options that are not free. Returns ST_OK or ST_USAGE (reported). */
static int compare_options(const char *path, const json_t *theirs, const json_t *mine)
{
	json_t *fixed = json_copy((json_t *)(uintptr_t)mine), *value;
	const char *name;
	char what[80];
	int err = ST_OK;

	for (size_t i = 0; i < LENGTH(free_options); i++)
		json_object_del(fixed, free_options[i]);
	json_object_foreach(fixed, name, value) {
		const json_t *other = json_object_get(theirs, name);

		snprintf(what, sizeof(what), "value of '--%s'", name);
		if (!err && !json_equal(other, value))
			err = refuse_difference(path, what, other, value);
	}
	json_decref(fixed);
	return err;
}

/* Returns the names of the hosts of an environment, a new reference. */
static json_t *hosts_of(const json_t *environment)
{
	size_t n;
	char *names = result_hosts(environment, &n);
	json_t *text = json_string(names);

	free(names);
	return text;
}

/*
 * Checks that a file comes from the same measurement as this run. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int check_head(const struct session *s, const struct record *rec, const char *path,
		      const json_t *doc)
{
	json_t *names = json_array(), *column;
	const json_t *env = document_environment(doc);
	const struct {
		const char *what;
		json_t *theirs, *mine;
	} pairs[] = {
		{ "command", json_string(document_command(doc)), json_string(rec->command) },
		{ "definition", json_string(document_definition(doc)),
		  json_string(rec->definition) },
		{ "number of ranks", json_incref(json_object_get(env, "nranks")),
		  json_integer(s->job->size) },
		{ "host", hosts_of(env), hosts_of(rec->environment) },
		{ "list of columns", names, report_column_names(s->report, rec) },
	};
	int err = ST_OK;
	size_t k;

	json_array_foreach(document_columns(doc), k, column)
		json_array_append(names, json_object_get(column, "name"));
	for (size_t i = 0; i < LENGTH(pairs); i++) {
		if (!err && !json_equal(pairs[i].theirs, pairs[i].mine))
			err = refuse_difference(path, pairs[i].what, pairs[i].theirs,
						pairs[i].mine);
		json_decref(pairs[i].theirs);
		json_decref(pairs[i].mine);
	}
	return err ? err : compare_options(path, document_options(doc), rec->options);
}

/* ---- rows ---- */

/*
 * Reads all rows. When an interval has the rows of all points, passes its rows and those before it
 * to the command, and adds up their wrong messages. Sets *nkept to the number of these rows.
 * Returns ST_OK or ST_* (reported).
 */
static int read_rows(const struct session *s, struct monitor *m, struct result_rows *r,
		     size_t *nkept)
{
	double interval_s = s->settings->monitoring.interval_s;
	size_t of_interval = 0, i;	/* of_interval: rows that the latest interval has so far */
	json_t *pending = json_array(), *each;
	char latest[40] = "";
	const json_t *row;
	int err;

	while (!(err = result_rows_next(r, &row)) && row) {
		const char *begun = row_text(row, COL_BEGUN);
		double elapsed_s = row_number(row, COL_ELAPSED);

		if (!m->first_known)
			m->first_utc_s = result_parse_time(begun) - elapsed_s;
		m->first_known = isfinite(m->first_utc_s);
		json_array_append_new(pending, json_deep_copy(row));
		if (row_is_gap(row))
			continue;
		of_interval = strcmp(latest, begun) ? 1 : of_interval + 1;
		snprintf(latest, sizeof(latest), "%s", begun);
		if (of_interval < s->plan->n)
			continue;
		json_array_foreach(pending, i, each) {
			double wrong = row_number(each, COL_ERRORS);

			m->errors += wrong > 0 ? (uint64_t)wrong : 0;
			m->hooks->row(m->state, each);
		}
		*nkept += json_array_size(pending);
		json_array_clear(pending);
		m->next = (size_t)(elapsed_s / interval_s + 0.5) + 1;
		m->gap_from_s = elapsed_s + interval_s;
	}
	json_decref(pending);
	m->first_known &= *nkept > 0;
	return err;
}

int monitor_open(struct session *s, const struct record *rec, struct monitor **to)
{
	struct monitor *m = *to = calloc(1, sizeof(*m));
	const char *path = report_resumed_path(s->report);
	struct result_rows r;
	size_t nrows = 0;
	off_t whole;
	int err;

	if (!m)
		return error_report("no memory for the run's intervals");
	m->hooks = s->settings->monitor;
	m->gap_from_s = NAN;
	m->state = m->hooks->open(s);
	if (!path)
		return ST_OK;
	if (file_drop_torn_line(path, SCHEMA))
		return error_usage("cannot go on with '%s': it is not CSV with the header of "
				   "netbench", path);
	err = result_rows_open(&r, path);
	if (!err)
		err = check_head(s, rec, path, r.doc);
	if (!err)
		err = read_rows(s, m, &r, &nrows);
	result_rows_close(&r);
	if (err)
		return err;
	whole = file_end_of_row(path, nrows);
	if (whole < 0)
		return error_usage("cannot read '%s' again", path);
	if (m->first_known && !settings_virtual(s->settings)) {
		m->first_wall_s = clock_wall() - (monitor_utc() - m->first_utc_s);
		m->next = (size_t)fmax(0, ceil(monitor_elapsed(s, m) /
					       s->settings->monitoring.interval_s));
	}
	return report_resume(s->report, whole, nrows);
}
