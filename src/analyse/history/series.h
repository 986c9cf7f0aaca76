/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of many nights, grouped into series of comparable runs. Runs belong to one series if
 * command line, hosts, backend and libraries are equal. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_SERIES_H
#define NETBENCH_ANALYSE_HISTORY_SERIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A result in a history. */
struct past_run {
	char *name;	/* name in messages */
	json_t *doc;
	json_t *key;	/* equal for runs that can be compared */
	double start;	/* s since 1970, UTC; NaN: the result does not state it */
};

/* A zeroed struct is empty. */
struct past_runs {
	struct past_run *at;
	size_t n;
};

/*
 * Adds a result, and keeps a reference to it. For a result of `netbench runs`, adds each of its
 * runs that counts. Returns ST_OK, or ST_USAGE if such a run is not a result (reported).
 */
int past_runs_add(struct past_runs *all, const char *name, json_t *doc);
void past_runs_free(struct past_runs *all);

/* Sorts the runs by start; runs without a start come at the end. */
void past_runs_sort(struct past_runs *all);

/* The id in the run's record; "" if it has none. */
const char *past_run_id(const struct past_run *run);

/* True if the list has a run with the id of this one. */
bool past_runs_have(const struct past_runs *all, const struct past_run *run);

/*
 * Numbers the series of the runs from 0, in the order of their first runs. series[i] is the number
 * for run i; runs with equal keys have the same number. Returns the number of series.
 */
size_t number_series(const struct past_runs *all, size_t *series);

/*
 * Describes how two keys differ: "backend.version '1', '2'; ranks 2, 4". The caller frees the text.
 */
char *key_differences(const json_t *a, const json_t *b);

/*
 * Returns a name for the series of a run: "latency -b ofi on alpha beta". The caller frees the
 * text.
 */
char *series_name(const struct past_run *run);

#endif
