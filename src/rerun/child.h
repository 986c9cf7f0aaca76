/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a command line as a process and waits for its end. */
#ifndef NETBENCH_RERUN_CHILD_H
#define NETBENCH_RERUN_CHILD_H

#include <jansson.h>
#include <signal.h>
#include <stddef.h>

/* How a process ended. */
struct child_end {
	int status; /* its exit status, or 128 + the signal that ended it */
	double seconds;
	json_t *doc; /* the last JSON object on its standard output, or NULL; a new reference */
	char words[256]; /* the last line on its standard error, or why it was not started */
	int signal; /* a signal that this process got meanwhile and passed on; 0: none */
};

/*
 * From now on blocks the signals that end a program (SIGINT, SIGTERM, SIGHUP) and SIGCHLD. Lists
 * them in *watched. child_run handles them.
 */
void child_block_signals(sigset_t *watched);

/* Returns a signal to end that has arrived since, and removes it; 0 if none exists. */
int child_take_signal(const sigset_t *watched);

/*
 * Runs a program, found by PATH, with the words `argv`. Adds `padding` bytes to its environment, so
 * that its memory begins at another address in each run. The program has its own process group and
 * no standard input. Signals to end are passed on to the group. A second signal ends the group at
 * once, as do CHILD_PATIENCE_S seconds after the first. Returns ST_OK. If the program could not be
 * started, returns ST_UNAVAILABLE or ST_FAILED (not reported).
 */
#define CHILD_PATIENCE_S 10
int child_run(const char *program, char *const *argv, size_t padding, const sigset_t *watched,
	      struct child_end *end);

#endif
