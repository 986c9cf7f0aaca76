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
	char words[256]; /* the last line on its standard error; or why it was not started */
	int signal; /* that this process got meanwhile and passed on; 0: none */
};

/*
 * Blocks the signals that end a program (SIGINT, SIGTERM, SIGHUP) and SIGCHLD from now on, and
 * lists them in *watched: child_run takes them.
 */
void child_watch(sigset_t *watched);

/* A signal to end that has come since, which it takes; 0: none. */
int child_stopped(const sigset_t *watched);

/*
 * Runs a program, which is searched for in PATH, with these words. `padding` bytes are added to
 * its environment, so that its memory begins elsewhere in each run. It has a process group of its
 * own and no standard input. Signals to end go on to the group; a second one, or
 * CHILD_PATIENCE_S, ends it at once. ST_OK; or ST_UNAVAILABLE or ST_FAILED if it was not started
 * (not reported).
 */
#define CHILD_PATIENCE_S 10
int child_run(const char *program, char *const *argv, size_t padding, const sigset_t *watched,
	      struct child_end *end);

#endif
