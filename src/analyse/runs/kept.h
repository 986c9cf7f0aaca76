/* SPDX-License-Identifier: Apache-2.0 */
/* The complete runs that `netbench runs` keeps in its result: the member "runs" of a document. */
#ifndef NETBENCH_ANALYSE_RUNS_KEPT_H
#define NETBENCH_ANALYSE_RUNS_KEPT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One run of a command line. Commands, blocks and places are numbered from 0. */
struct kept_run {
	size_t command, block;
	size_t place; /* position in the order of its block */
	bool counted; /* false: the run was the first of its command, or its block is discarded */
	double seconds;
	int exit_status; /* 128 + number of the signal if one ended it */
	char start[32]; /* UTC, ISO 8601 */
	json_t *doc; /* the result of the run; NULL: the run has none */
};

/*
 * Converts a run to a member of the list "runs". The member refers to the run's result. Returns a
 * new reference.
 */
json_t *kept_run_json(const struct kept_run *run);

/*
 * Reads a member of the list and checks its result. run->doc is borrowed. `path` is the file's name
 * for messages. Returns ST_OK or ST_USAGE (reported).
 */
int kept_run_read(const char *path, const json_t *member, struct kept_run *run);

#endif
