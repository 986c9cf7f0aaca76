/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handing a secret to processes of the same user where all hosts run munged with one key, as most
 * machines do that have Slurm. Anyone may read what is handed over; only this user's processes on
 * these hosts can make the secret of it. The variable NETBENCH_MUNGE_SOCKET names munged's socket
 * where it is not the usual one.
 */
#ifndef NETBENCH_NET_MUNGE_H
#define NETBENCH_NET_MUNGE_H

#include <stddef.h>

/* The secret that the processes of a job share, and prove to each other. */
struct secret {
	unsigned char key[64];
	size_t len;
};

#define MUNGE_OFFER 512	/* longest, with its end */

/* Makes an offer of a secret. 0, or -1 with the reason in `why`, such as a build without munge. */
int munge_offer(const struct secret *s, char offer[MUNGE_OFFER], char *why, size_t len);

/* Takes the secret of an offer that a process of this user has made. Returns as munge_offer. */
int munge_take(const char *offer, struct secret *s, char *why, size_t len);

#endif
