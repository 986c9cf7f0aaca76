/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this process does when a signal ends it. Libraries that are loaded or opened take such
 * signals: they print a trace and call exit(), or remove their files and go on. A rank then ends
 * late, or without a word of the signal; so what was there before is put back.
 */
#ifndef NETBENCH_TRANSPORT_HANDLERS_H
#define NETBENCH_TRANSPORT_HANDLERS_H

#include <signal.h>

#define HANDLERS 11

struct handlers {
	struct sigaction of[HANDLERS];
};

/* Notes what is done on the signals that end a process by default, for a fault or by a user. */
void handlers_keep(struct handlers *h);

/* Puts that back. */
void handlers_restore(const struct handlers *h);

#endif
