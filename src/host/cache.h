/* SPDX-License-Identifier: Apache-2.0 */
/* The caches of this machine's processors. */
#ifndef NETBENCH_HOST_CACHE_H
#define NETBENCH_HOST_CACHE_H

#include <stddef.h>

/*
 * Returns the size of the largest cache of a processor, bytes, as Linux reports it; 32 MiB if Linux
 * reports none.
 */
size_t cache_largest_size(void);

/* Writes to each line of the n bytes at `at`, so that they replace other data in the caches. */
void cache_fill(unsigned char *at, size_t n);

#endif
