/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/nights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sort.h"
#include "base/values.h"

/*
 * Splits the runs into nights. The final rule->given runs form nights of rule->each runs, whatever
 * their start.
 */
static void split_nights(struct nights *nights, const struct past_run *runs, size_t n,
			 const struct night_rule *rule)
{
	for (size_t i = 0; i < n; i++) {
		struct past_night *night = nights->n ? &nights->at[nights->n - 1] : NULL;
		bool given = i >= n - rule->given;
		bool begins = given ? (i - (n - rule->given)) % rule->each == 0
				    : !(night && runs[i].start - night->start < NIGHT_S);

		if (begins)
			nights->at[nights->n++] = (struct past_night){ runs[i].start, i, 1 };
		else if (night)
			night->runs++;
	}
}

/* Median of a night's runs at a point of the table; NaN if no run has a value. */
static double night_value(const struct nights *nights, const struct past_night *night, size_t point,
			  double *room)
{
	const double *y = nights->table.y + point * nights->table.results + night->first;

	memcpy(room, y, night->runs * sizeof(*room));
	return median(room, night->runs);
}

/* Chooses the points that more than half of the earlier nights, and all given nights, have. */
static void choose_points(struct nights *nights, size_t given, double *room)
{
	size_t before = nights->n - given;

	for (size_t p = 0; p < nights->table.points; p++) {
		size_t have = 0, lack = 0;

		for (size_t i = 0; i < nights->n; i++) {
			bool value = !isnan(night_value(nights, &nights->at[i], p, room));

			have += value && i < before;
			lack += !value && i >= before;
		}
		if (2 * have <= before && before)
			continue;
		if (lack)
			nights->missing++;
		else
			nights->point[nights->points++] = p;
	}
}

/* Sets the nights' values. Leaves out nights that lack a value at any of the points. */
static void set_night_values(struct nights *nights, double *room)
{
	size_t kept = 0;

	for (size_t i = 0; i < nights->n; i++) {
		double *y = nights->y + kept * nights->points;
		bool whole = true;

		for (size_t p = 0; p < nights->points; p++) {
			y[p] = night_value(nights, &nights->at[i], nights->point[p], room);
			whole &= !isnan(y[p]);
		}
		nights->at[kept] = nights->at[i];
		kept += whole;
	}
	nights->n = kept;
}

int nights_make(struct nights *nights, const struct past_run *runs, size_t n,
		const struct night_rule *rule, const char *measure)
{
	struct run_result *results = memory_new(n, sizeof(*results));
	double *room = memory_new(n, sizeof(*room));
	int err;

	*nights = (struct nights){ .n = 0 };
	for (size_t i = 0; i < n; i++)
		results[i] = (struct run_result){ runs[i].name, runs[i].doc };
	err = run_table_from_list(&nights->table, results, n, measure);
	if (!err) {
		nights->at = memory_new(n, sizeof(*nights->at));
		nights->point = memory_new(nights->table.points, sizeof(*nights->point));
		nights->y = memory_new(n * nights->table.points, sizeof(*nights->y));
		split_nights(nights, runs, n, rule);
		choose_points(nights, rule->given ? rule->given / rule->each : 0, room);
		set_night_values(nights, room);
	}
	free(results);
	free(room);
	return err;
}

void nights_free(struct nights *nights)
{
	run_table_free(&nights->table);
	free(nights->at);
	free(nights->point);
	free(nights->y);
	*nights = (struct nights){ .n = 0 };
}

char *night_date(double start, char buf[NIGHT_DATE])
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t at = isnan(start) ? 0 : (time_t)start;
	struct tm t;

	if (isnan(start) || !gmtime_r(&at, &t))
		snprintf(buf, NIGHT_DATE, "?");
	else
		snprintf(buf, NIGHT_DATE, "%d %s %d", t.tm_mday % 100, months[t.tm_mon % 12],
			 (1900 + t.tm_year) % 10000);
	return buf;
}
