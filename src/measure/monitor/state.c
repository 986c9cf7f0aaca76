/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/monitor/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"

#define VIRTUAL_START_S 946684800.0	/* 2000-01-01, where virtual time begins */

size_t monitor_columns(const struct record *rec, enum column_id *more)
{
	size_t n = 0;

	more[n++] = COL_BEGUN;
	more[n++] = COL_ELAPSED;
	for (size_t i = 0; i < rec->ncols; i++)
		if (rec->cols[i] == COL_NOTE)
			return n;
	more[n++] = COL_NOTE;
	return n;
}

size_t monitor_count_intervals(const struct settings *st)
{
	return (size_t)ceil(st->monitoring.duration_s / st->monitoring.interval_s - 1e-9);
}

double monitor_elapsed(const struct session *s, const struct monitor *m)
{
	if (settings_virtual(s->settings))
		return (double)m->next * s->settings->monitoring.interval_s;
	return clock_wall() - m->first_wall_s;
}

double monitor_utc(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void monitor_begin(const struct session *s, struct monitor *m)
{
	bool first = !m->first_known, virtual = settings_virtual(s->settings);
	double utc, whole;
	time_t seconds;
	struct tm t;
	size_t n;

	if (first) {
		m->first_utc_s = virtual ? VIRTUAL_START_S : monitor_utc();
		m->first_wall_s = clock_wall();
		m->first_known = true;
	}
	m->elapsed_s = first ? 0 : monitor_elapsed(s, m);
	/* the two clocks drift apart by seconds in a day, so each column has its own */
	utc = (virtual ? m->first_utc_s + m->elapsed_s : monitor_utc()) + 0.0005;
	whole = floor(utc);
	seconds = (time_t)whole;
	gmtime_r(&seconds, &t);
	n = strftime(m->begun, sizeof(m->begun), "%Y-%m-%dT%H:%M:%S", &t);
	snprintf(m->begun + n, sizeof(m->begun) - n, ".%03uZ",
		 (unsigned)((utc - whole) * 1000) % 1000);
}

int monitor_take_row(struct monitor *m, const struct record *rec, struct row *row)
{
	json_t *cells;

	row_put(row, rec, COL_BEGUN, val_text(m->begun));
	row_put(row, rec, COL_ELAPSED, val_real(m->elapsed_s));
	cells = row_as_json(row, rec, rec->ncols, true);
	if (!cells)
		return error_report("no memory for a row");
	m->hooks->row(m->state, cells);
	json_decref(cells);
	return ST_OK;
}

bool monitor_keeps_warning(const struct record *rec, const char *text)
{
	json_t *known;
	size_t i;

	json_array_foreach(rec->warnings, i, known)
		if (!strcmp(json_string_value(known), text))
			return false;
	return json_array_size(rec->warnings) < MONITOR_WARNINGS;
}

void monitor_free(struct monitor *m)
{
	if (m)
		m->hooks->close(m->state);
	free(m);
}
