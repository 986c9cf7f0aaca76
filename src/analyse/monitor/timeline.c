/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/monitor/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/values.h"
#include "result/document.h"

#define LEAST_ROOM 128		/* intervals */
#define JUDGE_DOUBLES 8		/* change_points_find() needs so many doubles for an interval */

/*
 * The columns that are followed. LEVEL: a median or a rate. TAIL: only its changes count. SIGN:
 * only shows that there were events. `instead_of`: followed only where this column is empty.
 */
static const struct watched {
	enum column_id id;
	enum { LEVEL, TAIL, SIGN } kind;
	enum column_id instead_of;
} watched[] = {
	{ COL_HALF_RTT_P50, LEVEL, NCOLUMNS }, { COL_HALF_RTT_P99, TAIL, NCOLUMNS },
	{ COL_HALF_RTT_EPOCH, LEVEL, COL_HALF_RTT_P50 },
	{ COL_READ_P50, LEVEL, NCOLUMNS }, { COL_READ_P99, TAIL, NCOLUMNS },
	{ COL_READ_EPOCH, LEVEL, COL_READ_P50 },
	{ COL_RATE, LEVEL, NCOLUMNS }, { COL_BANDWIDTH, LEVEL, NCOLUMNS },
	{ COL_TIME, SIGN, NCOLUMNS },
	{ COL_COLLECTIVE, LEVEL, NCOLUMNS }, { COL_COLLECTIVE_P99, TAIL, NCOLUMNS },
	{ COL_BEHIND_BARRIER, LEVEL, NCOLUMNS }, { COL_BACK_TO_BACK, LEVEL, NCOLUMNS },
	{ COL_COLLECTIVE_MIN, SIGN, NCOLUMNS },
	{ COL_LATENCY_P50, LEVEL, NCOLUMNS }, { COL_LATENCY_P99, TAIL, NCOLUMNS },
	{ COL_RATE_ACHIEVED, LEVEL, NCOLUMNS },
};

/* ---- intervals ---- */

static void *resized(void *old, size_t n, size_t size)
{
	return memory_or_exit(reallocarray(old, n, size));
}

void timeline_thin(struct monitored *t)
{
	size_t half = t->n / 2, to = 0;
	bool odd = false, before = false;	/* before: the interval before has a flag */

	for (size_t i = 0; i < t->n; i++) {
		bool keep = i >= half || t->flags[i] || before ||
			    (i + 1 < t->n && t->flags[i + 1]);

		before = t->flags[i];
		odd = !keep && !odd;
		if (!keep && !odd)
			continue;
		t->at[to] = t->at[i];
		t->flags[to] = t->flags[i];
		for (struct track *k = t->tracks; k < t->tracks + t->ntracks; k++)
			k->x[to] = k->x[i];
		to++;
	}
	t->removed += t->n - to;
	t->n = to;
}

static void begin_interval(struct monitored *t, const char *begun)
{
	size_t each = sizeof(*t->at) + sizeof(*t->flags) +
		      (t->ntracks + JUDGE_DOUBLES) * sizeof(double);

	if (t->n * each > (t->most ? t->most : TIMELINE_MOST))
		timeline_thin(t);
	if (t->n == t->room) {
		t->room = t->room ? t->room + t->room / 4 : LEAST_ROOM;
		t->at = resized(t->at, t->room, sizeof(*t->at));
		t->flags = resized(t->flags, t->room, sizeof(*t->flags));
		for (struct track *k = t->tracks; k < t->tracks + t->ntracks; k++)
			k->x = resized(k->x, t->room, sizeof(*k->x));
	}
	snprintf(t->begun, sizeof(t->begun), "%s", begun);
	t->at[t->n] = result_parse_time(begun);
	t->flags[t->n] = t->gap ? INTERVAL_AFTER_GAP : 0;
	for (struct track *k = t->tracks; k < t->tracks + t->ntracks; k++)
		k->x[t->n] = NAN;
	t->n++;
	t->rows_before = t->rows;
	t->rows = t->hint = 0;
	t->gap = false;
}

/* ---- points and tracks ---- */

size_t timeline_point(struct monitored *t, const json_t *row)
{
	json_t *cells = json_object(), *cell;
	const char *name;
	size_t n, i;

	json_object_foreach((json_t *)(uintptr_t)row, name, cell) {
		const struct column *c = column_find(name);

		if (c && !json_is_null(cell) &&
		    column_role((enum column_id)(c - columns)) == ROLE_POINT)
			json_object_set(cells, name, cell);
	}
	if (!t->points)
		t->points = json_array();
	n = json_array_size(t->points);
	for (i = 0; i < n; i++)
		if (json_equal(json_array_get(t->points, (t->hint + i) % n), cells))
			break;
	if (i == n)
		json_array_append(t->points, cells);
	json_decref(cells);
	i = i == n ? n : (t->hint + i) % n;
	t->hint = i + 1;
	return i;
}

void timeline_add(struct monitored *t, const json_t *row)
{
	const char *begun = row_text(row, COL_BEGUN);
	bool wrong = row_number(row, COL_ERRORS) > 0, events = false;
	struct track *k;
	size_t point;

	if (row_is_gap(row)) {
		t->gap = true;
		return;
	}
	if (!*begun)
		return;
	if (!t->n || strcmp(begun, t->begun) != 0)
		begin_interval(t, begun);
	t->rows++;
	point = timeline_point(t, row);
	for (const struct watched *w = watched; w < watched + LENGTH(watched); w++) {
		double v = row_number(row, w->id);

		if (wrong || !(v > 0) || !isfinite(v) ||
		    (w->instead_of != NCOLUMNS && row_number(row, w->instead_of) > 0))
			continue;
		events = true;
		for (k = t->tracks; k < t->tracks + t->ntracks; k++)
			if (k->point == point && k->id == w->id)
				break;
		if (w->kind != SIGN && k == t->tracks + t->ntracks) {
			t->tracks = resized(t->tracks, ++t->ntracks, sizeof(*t->tracks));
			k = &t->tracks[t->ntracks - 1];
			*k = (struct track){ point, w->id, w->kind == LEVEL,
					     resized(NULL, t->room, sizeof(*k->x)), 0 };
			for (size_t i = 0; i < t->n; i++)
				k->x[i] = NAN;
		}
		if (w->kind != SIGN)
			k->x[t->n - 1] = v;
	}
	/* a point that cannot be measured at all has no events, but that is no outage */
	if (!events && strncmp(row_text(row, COL_NOTE), "n/a", 3) != 0)
		t->flags[t->n - 1] |= INTERVAL_DOWN;
}

void timeline_drop_incomplete(struct monitored *t)
{
	if (t->n > 1 && t->rows < t->rows_before)
		t->n--;
	t->rows = t->rows_before;
	*t->begun = '\0';
}

/* Returns whether a cell has different values at different points. */
static bool cell_differs(const struct monitored *t, const char *name)
{
	const json_t *first = json_object_get(json_array_get(t->points, 0), name);
	json_t *point;
	size_t i;

	json_array_foreach(t->points, i, point)
		if (!json_equal(json_object_get(point, name), first))
			return true;
	return false;
}

char *timeline_point_name(const struct monitored *t, const struct track *track, char *buf,
			  size_t len)
{
	json_t *cells = json_array_get(t->points, track->point), *cell;
	const char *name;
	size_t n = 0;

	buf[0] = '\0';
	json_object_foreach(cells, name, cell) {
		char *text = json_is_string(cell) || !cell_differs(t, name)
				     ? NULL : json_dumps(cell, JSON_ENCODE_ANY);

		if (n < len && cell_differs(t, name))
			n += (size_t)snprintf(buf + n, len - n, "%s%s %s", n ? ", " : "", name,
					      text ? text : json_string_value(cell));
		free(text);
	}
	return buf;
}

char *timeline_time(const struct monitored *t, double at, char buf[TIMELINE_TIME])
{
	time_t seconds = (time_t)floor(at + 0.5);
	bool days = floor(t->at[0] / 86400) < floor(t->at[t->n - 1] / 86400);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(buf, TIMELINE_TIME, days ? "%d %b %H:%M:%S" : "%H:%M:%S", &tm);
	return buf;
}

void timeline_free(struct monitored *t)
{
	for (size_t i = 0; i < t->ntracks; i++)
		free(t->tracks[i].x);
	free(t->tracks);
	free(t->at);
	free(t->flags);
	json_decref(t->points);
	*t = (struct monitored){ 0 };
}
