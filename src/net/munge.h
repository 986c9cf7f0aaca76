/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes a secret to processes of the same user on other hosts, by munge. The munged daemons of the
 * hosts must have the same key, as on most machines with Slurm. The secret is encoded as an offer.
 * Anyone may read the offer, but only this user's processes on these hosts can decode it. The
 * environment variable NETBENCH_MUNGE_SOCKET names munged's socket if it is not the usual one.
 */
#ifndef NETBENCH_NET_MUNGE_H
#define NETBENCH_NET_MUNGE_H

#include <stddef.h>

/*
 * The secret that the processes of a job share. The processes prove to each other that they know
 * the secret.
 */
struct secret {
	unsigned char key[64];
	size_t len;
};

#define MUNGE_OFFER 512	/* largest size of an offer in bytes, including its final '\0' */

/*
 * Encodes a secret as an offer. Returns 0, or -1 with the reason in `why`: for example, this
 * program was built without munge.
 */
int munge_offer(const struct secret *s, char offer[MUNGE_OFFER], char *why, size_t len);

/*
 * Decodes the secret from an offer made by a process of this user. Returns 0, or -1 with the reason
 * in `why`.
 */
int munge_take(const char *offer, struct secret *s, char *why, size_t len);

#endif
