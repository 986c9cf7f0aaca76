/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks messages that claim to come from a peer. On any transport, a stranger may have sent such a
 * message. So each frame, note or hello is checked here before any of its content is used.
 */
#ifndef NETBENCH_NET_CLAIM_H
#define NETBENCH_NET_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* What a received message says about itself. */
struct claim {
	uint64_t run;		/* number of the run to which the message claims to belong */
	uint64_t from;		/* rank from which the message claims to come */
	uint64_t len;		/* number of bytes of the message that have arrived */
	/* true: the current state of the connection allows such a message */
	bool timely;
};

/* What the receiver expects. */
struct expected {
	/* number of this run; for messages on a channel (channel.h), 0 here and in the claim */
	uint64_t run;
	uint64_t first, end;	/* allowed senders: the ranks from `first` to end - 1 */
	uint64_t least, most;	/* shortest and longest length, bytes */
};

/* Returns NULL if the message may be used, otherwise the reason why not. */
NETBENCH_EXPORT const char *claim_fault(const struct claim *c, const struct expected *x);

#endif
