/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/map/rows.h"
#include "config.h"
#include "host/record.h"
#include "result/report.h"
#include "show/map/summary.h"
#include "show/map/words.h"

/* The report of a file that is judged. */
struct reporting {
	struct outlets *report;
	const struct record *rec;
};

static int put_row(void *arg, const struct row *row)
{
	const struct reporting *r = arg;

	return report_row(r->report, r->rec, row);
}

int map_write(const struct settings *st, const char *from, const struct verdicts *all)
{
	const struct study *s = all->s;
	char title[512], *words;
	json_t *here = host_collect(), *env;
	json_t *version = json_object_get(here, "netbench"), *time = json_object_get(here, "time");
	struct record rec = {
		.command = "map", .definition = "map.v1", .title = title,
		.computed = s->computed, .emulated = s->emulated, .cols = map_columns,
		.ncols = MAP_NCOLUMNS, .words = true, .brief = MAP_DIGITS, .options = st->options,
		.summary = json_object(), .warnings = json_array(), .status = "incomplete",
	};
	struct outlets *r = NULL;
	struct reporting reporting = { .rec = &rec };
	const struct pair_rows to = { &rec, put_row, &reporting };
	int err, closed;

	/* where it was measured, if that is known, and where it was judged */
	env = s->environment ? json_deep_copy(s->environment)
			     : json_pack("{s:O, s:O}", "netbench", version, "time", time);
	json_object_set_new(env, "reevaluation", json_pack("{s:s, s:O, s:O}", "file", from,
							   "netbench", version, "time", time));
	rec.environment = env;
	snprintf(title, sizeof(title), "netbench %s map: %u hosts, %u visit%s, from '%s'%s",
		 NETBENCH_VERSION, s->n, s->nvisits, s->nvisits == 1 ? "" : "s",
		 from, s->computed ? " (computed)" : "");
	err = report_open(&r, &st->output);
	reporting.report = r;
	if (!err)
		err = report_begin(r, &rec);
	if (!err)
		err = map_rows(s, &st->output, &to, NULL);
	summary_put(rec.summary, all);
	words = words_all(all, title, (enum rate_unit)st->output.rate_unit);
	rec.footer = words;
	rec.status = "complete";
	if (!err)
		err = report_end(r, &rec);
	closed = report_close(r, !err);
	json_decref(here);
	json_decref(env);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(words);
	return err ? err : closed;
}
