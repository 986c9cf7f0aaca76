/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of many nights, and which of them are alike: only runs of one command line, on the same
 * hosts, by the same backend and libraries, are a series. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_SERIES_H
#define NETBENCH_ANALYSE_HISTORY_SERIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A result in a history. */
struct past_run {
	char *name;	/* in messages */
	json_t *doc;
	json_t *key;	/* equal for runs that may be compared */
	double start;	/* s since 1970, UTC; NaN: the result does not say */
};

/* Zeroed it is empty. */
struct past_runs {
	struct past_run *at;
	size_t n;
};

/*
 * Adds a result; of one of `netbench runs` each run that counts. Takes references. ST_OK, or
 * ST_USAGE if such a run is no result (reported).
 */
int past_runs_add(struct past_runs *all, const char *name, json_t *doc);
void past_runs_free(struct past_runs *all);

/* Sorts by start; runs without one are last. */
void past_runs_sort(struct past_runs *all);

/* The id of its record, "" if it has none. */
const char *past_run_id(const struct past_run *run);

/* True if some run of the list has the id of this one. */
bool past_runs_have(const struct past_runs *all, const struct past_run *run);

/*
 * The series of each run: runs with the same number have equal keys, and numbers count from 0 in
 * the order of their first runs. Returns how many.
 */
size_t past_series(const struct past_runs *all, size_t *series);

/* How two keys differ: "backend.version '1', '2'; ranks 2, 4", for free(). */
char *keys_differ(const json_t *a, const json_t *b);

/* "latency -b ofi on alpha beta": for free(). */
char *series_name(const struct past_run *run);

#endif
