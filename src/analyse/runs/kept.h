/* SPDX-License-Identifier: Apache-2.0 */
/* The runs that `netbench runs` keeps in its result, whole: the member "runs" of a document. */
#ifndef NETBENCH_ANALYSE_RUNS_KEPT_H
#define NETBENCH_ANALYSE_RUNS_KEPT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A command line that ran once. Numbers begin at 0. */
struct kept_run {
	size_t command, block;
	size_t place; /* in the order of its block */
	bool counted; /* false: it was the first of its command, or its block is void */
	double seconds;
	int exit_status; /* 128 + the signal that ended it */
	char start[32]; /* UTC, ISO 8601 */
	json_t *doc; /* its result; NULL: it has none */
};

/* A run as a member of the list; takes a reference to its result. New reference. */
json_t *kept_run_json(const struct kept_run *run);

/*
 * Reads a member of the list and checks its result; run->doc is borrowed. `path`: the file that it
 * is in, for messages. ST_OK or ST_USAGE (reported).
 */
int kept_run_read(const char *path, const json_t *member, struct kept_run *run);

#endif
