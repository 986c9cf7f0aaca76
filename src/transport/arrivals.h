/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For backends whose completions say from whom a message has come, not which receive of a round it
 * completes: messages of a rank complete receives from it in order, whichever is there first.
 */
#ifndef NETBENCH_TRANSPORT_ARRIVALS_H
#define NETBENCH_TRANSPORT_ARRIVALS_H

#include <stdint.h>

struct arrivals {
	uint32_t expected;	/* receives without a message */
	uint32_t early;		/* messages without a receive */
};

/* The round waits for a message. 1: it is there; 0: not yet. */
static inline int arrivals_expect(struct arrivals *a)
{
	if (a->early) {
		a->early--;
		return 1;
	}
	a->expected++;
	return 0;
}

/* `n` messages have come. Number of receives that they complete. */
static inline int arrivals_came(struct arrivals *a, uint32_t n)
{
	uint32_t matched = n < a->expected ? n : a->expected;

	a->expected -= matched;
	a->early += n - matched;
	return (int)matched;
}

#endif
