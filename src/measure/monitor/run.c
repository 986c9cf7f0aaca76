/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/monitor/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "job/watchdog.h"
#include "measure/monitor/state.h"
#include "measure/sink/sink.h"
#include "result/document.h"

/*
 * Waits until the next interval begins. If the run goes on with an earlier one, rank 0 first writes
 * a row about the gap. Returns false, on all ranks, if the duration or the run is over.
 */
static bool begin_interval(struct session *s)
{
	struct monitor *m = session_is_root(s) ? s->sink->monitor : NULL;
	double interval_s = s->settings->monitoring.interval_s, wait_s = 0;
	struct row row = { 0 };
	char note[96];

	if (m) {
		double now = m->first_known ? monitor_elapsed(s, m) : 0;
		size_t due = (size_t)fmax(0, ceil(now / interval_s - 1e-9));

		/* if measuring took longer than an interval, the next interval is a later one */
		if (due > m->next && !m->skipped)
			sink_warn(s, "measuring the plan took %s s, longer than '--interval': the "
				  "next intervals begin later",
				  plain(now - m->elapsed_s, 3).s);
		m->skipped += due > m->next ? due - m->next : 0;
		m->next = due > m->next ? due : m->next;
		wait_s = m->next < monitor_count_intervals(s->settings)
				 ? (double)m->next * interval_s - now : -1;
	}
	if (m && wait_s >= 0 && !isnan(m->gap_from_s)) {
		snprintf(note, sizeof(note), ROW_GAP "%s s without measurement before the run "
			 "was resumed",
			 plain(fmax(0, monitor_elapsed(s, m) - m->gap_from_s), 4).s);
		monitor_begin(s, m);
		row_put(&row, &s->sink->record, COL_NOTE, val_text(note));
		sink_write_row(s, &row);
		m->gap_from_s = NAN;
	}
	session_bcast(s, &wait_s, sizeof(wait_s));
	if (wait_s < 0)
		return false;
	session_sleep(s, wait_s);
	session_agree(s, session_out_of_time(s) ? STOP_TIME_LIMIT : STOP_NOT);
	if (m && !session_is_over(s))
		monitor_begin(s, m);
	return !session_is_over(s);
}

void monitor_run(struct session *s, void (*measure)(struct session *s))
{
	struct sink *k = s->sink;

	while (begin_interval(s)) {
		/* the summary has what the benchmark tells about the last interval */
		if (session_is_root(s))
			json_object_clear(k->record.summary);
		measure(s);
		if (session_is_over(s))
			return;
		if (!session_is_root(s))
			continue;
		doing_write(s->job->doing, true);
		/* in virtual time thousands of intervals end in a second */
		if (!settings_virtual(s->settings))
			k->write_failed |= report_sync(s->report) != ST_OK;
		doing_write(s->job->doing, false);
		k->monitor->next++;
		free(k->footer);
		k->footer = NULL;
		k->monitor->hooks->interval(s, k->monitor->state);
	}
	if (session_is_root(s) && !session_is_over(s))
		k->count.planned = k->count.done;
}
