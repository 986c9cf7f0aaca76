/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one judgement of what comes from a peer. Whatever carried it, a stranger may have sent it: so
 * each frame, note or hello is judged here before anything of it is used.
 */
#ifndef NETBENCH_NET_CLAIM_H
#define NETBENCH_NET_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* What something that has come says of itself. */
struct claim {
	uint64_t run;		/* number of the run to which it belongs */
	uint64_t from;		/* rank that has sent it */
	uint64_t len;		/* bytes that have come */
	bool timely;		/* in the current state of the two, such a message may come */
};

/* What its receiver expects. */
struct expected {
	uint64_t run;		/* what a claim on a channel (channel.h) cannot have: 0 in both */
	uint64_t first, end;	/* the sender is one of the ranks from `first` to end - 1 */
	uint64_t least, most;	/* bytes */
};

/* NULL if what has come may be used, else in words why it is refused. */
NETBENCH_EXPORT const char *claim_fault(const struct claim *c, const struct expected *x);

#endif
