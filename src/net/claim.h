/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks what arrives from a peer. A stranger may have sent it, over any transport. So each frame,
 * note or hello is checked here before any of it is used.
 */
#ifndef NETBENCH_NET_CLAIM_H
#define NETBENCH_NET_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* What a message that has arrived claims about itself. */
struct claim {
	uint64_t run;		/* number of the run that it claims to belong to */
	uint64_t from;		/* rank that claims to have sent it */
	uint64_t len;		/* bytes that have arrived */
	/* in the current state of the connection such a message is allowed */
	bool timely;
};

/* What the receiver expects. */
struct expected {
	/* 0 here and in the claim if it came over a channel (channel.h), which needs no number */
	uint64_t run;
	uint64_t first, end;	/* the sender is one of the ranks from `first` to end - 1 */
	uint64_t least, most;	/* shortest and longest length, bytes */
};

/* Returns NULL if the message may be used, otherwise a text with the reason why not. */
NETBENCH_EXPORT const char *claim_fault(const struct claim *c, const struct expected *x);

#endif
