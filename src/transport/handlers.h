/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves and restores this process's actions for signals that end it. Some libraries change these
 * actions when they are loaded or opened. Their actions print a trace and call exit(), or remove
 * files and continue. A rank would then end late, or without a message about the signal.
 */
#ifndef NETBENCH_TRANSPORT_HANDLERS_H
#define NETBENCH_TRANSPORT_HANDLERS_H

#include <signal.h>

#define HANDLERS 11

struct handlers {
	struct sigaction of[HANDLERS];
};

/*
 * Saves the actions for the signals that by default end a process: those of faults, and those that
 * users send.
 */
void handlers_save(struct handlers *h);

/* Restores the saved actions. */
void handlers_restore(const struct handlers *h);

#endif
