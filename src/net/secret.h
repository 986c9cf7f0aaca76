/* SPDX-License-Identifier: Apache-2.0 */
/* The secret that the processes of a job share, and prove to each other. */
#ifndef NETBENCH_NET_SECRET_H
#define NETBENCH_NET_SECRET_H

#include <stddef.h>

/* What both sides know. */
struct secret {
	unsigned char key[64];
	size_t len;
};

#endif
