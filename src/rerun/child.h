/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command line as a process, and waits until the process ends. */
#ifndef NETBENCH_RERUN_CHILD_H
#define NETBENCH_RERUN_CHILD_H

#include <jansson.h>
#include <signal.h>
#include <stddef.h>

/* How a process ended. */
struct child_end {
	/* exit status of the process, or 128 + the number of the signal that ended it */
	int status;
	double seconds;
	/* the last JSON object on the process's standard output; NULL: none; a new reference */
	json_t *doc;
	/* the last line of the process's standard error, or the reason why it was not started */
	char words[256];
	int signal; /* signal that this process received and passed on; 0: none */
};

/*
 * Blocks the signals that end a program (SIGINT, SIGTERM, SIGHUP) and SIGCHLD, so that child_run
 * can wait for them. Sets *watched to these signals.
 */
void child_block_signals(sigset_t *watched);

/* If a blocked signal that asks to end is pending, removes and returns it; otherwise returns 0. */
int child_take_signal(const sigset_t *watched);

/*
 * Runs a program, found by PATH, with the words `argv`. Adds `padding` bytes to its environment.
 * Runs with different padding have different memory addresses. The program has its own process
 * group and no standard input. A signal that asks this process to end is passed on to the group. At
 * a second signal, or CHILD_PATIENCE_S seconds after the first, the group is killed. Returns ST_OK.
 * If the program cannot be started, returns ST_UNAVAILABLE or ST_FAILED (not reported).
 */
#define CHILD_PATIENCE_S 10
int child_run(const char *program, char *const *argv, size_t padding, const sigset_t *watched,
	      struct child_end *end);

#endif
