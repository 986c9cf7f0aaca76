/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "measure/progress.h"
#include "measure/sweep.h"

struct decision bench_agree(struct bench *b, struct decision mine)
{
	const struct decision *all;
	struct decision d = mine;

	mine.signal = job_stop(b->job);
	all = bench_gather(b, &mine, sizeof(mine));
	for (int r = 0; all && r < b->job->size && !d.signal; r++)
		d.signal = all[r].signal;
	b->job->kind->bcast(b->job, &d, sizeof(d));
	if (d.signal) {
		d.stop = STOP_SIGNAL;
		atomic_store(b->job->stop, d.signal);
	}
	return d;
}

void bench_warn(struct bench *b, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	progress_clear();
	error_warn("%s", text);
	json_array_append_new(b->record.warnings, json_string(text));
}

void bench_footer(struct bench *b, const char *fmt, ...)
{
	char *text = NULL, *both = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	if (text && asprintf(&both, "%s%s", b->footer ? b->footer : "", text) >= 0) {
		free(b->footer);
		b->footer = both;
	}
	free(text);
}

void bench_set(const struct bench *b, struct row *row, enum column_id id, struct value v)
{
	for (size_t i = 0; i < b->record.ncols; i++)
		if (b->record.cols[i] == id)
			row_set(row, &b->record, id, v);
}

void bench_fill_common(const struct bench *b, const struct result *res, struct row *row)
{
	bench_set(b, row, COL_SIZE, val_uint(res->pt->size));
	bench_set(b, row, COL_WINDOW, val_uint(res->pt->window));
	bench_set(b, row, COL_BATCH, val_uint(res->pt->batch));
	bench_set(b, row, COL_LOOPS, val_uint(res->loops));
	bench_set(b, row, COL_REPETITIONS, val_uint(res->time.n));
	bench_set(b, row, COL_TIME_MIN, val_real(res->time.min));
	bench_set(b, row, COL_TIME, val_real(res->time.p50));
	bench_set(b, row, COL_TIME_LO, val_real(res->time.lo));
	bench_set(b, row, COL_TIME_HI, val_real(res->time.hi));
	bench_set(b, row, COL_TIME_P90, val_real(res->time.p90));
	bench_set(b, row, COL_TIME_P99, val_real(res->time.p99));
	bench_set(b, row, COL_TIME_MAX, val_real(res->time.max));
	bench_set(b, row, COL_TIME_ACF1, val_real(res->time.acf1));
	bench_set(b, row, COL_STOP, val_text(stop_names[res->stop]));
	bench_set(b, row, COL_CHECKED, val_uint(res->checked));
	bench_set(b, row, COL_ERRORS, val_uint(res->errors));
	bench_set(b, row, COL_LATE, val_uint(res->late));
}
