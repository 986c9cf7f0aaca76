/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hands a secret to processes of the same user on hosts whose munged daemons have the same key, as
 * most machines with Slurm have. Anyone may read the offer, but only this user's processes on these
 * hosts can decode the secret. The variable NETBENCH_MUNGE_SOCKET names munged's socket if it is
 * not the usual one.
 */
#ifndef NETBENCH_NET_MUNGE_H
#define NETBENCH_NET_MUNGE_H

#include <stddef.h>

/* The secret that the processes of a job share, and whose knowledge they prove to each other. */
struct secret {
	unsigned char key[64];
	size_t len;
};

#define MUNGE_OFFER 512	/* bytes of the longest offer, with its final '\0' */

/*
 * Encodes a secret as an offer. Returns 0, or -1 with the reason in `why`, such as a build without
 * munge.
 */
int munge_offer(const struct secret *s, char offer[MUNGE_OFFER], char *why, size_t len);

/*
 * Decodes the secret from an offer that a process of this user has made. Returns as munge_offer
 * does.
 */
int munge_take(const char *offer, struct secret *s, char *why, size_t len);

#endif
