/* SPDX-License-Identifier: Apache-2.0 */
/* C functions for a core made by Verilator; a C interface to card.hpp. */
#ifndef NETBENCH_KERNELS_RTL_CORE_H
#define NETBENCH_KERNELS_RTL_CORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORE_WIDTH 64	/* bytes of a beat */

struct core;

/* Makes a core and resets it. It is never freed: an image lives as long as its card. */
struct core *core_new(void);

/*
 * Simulates one cycle. in: the beat offered to the core; NULL: none. If the core sends a beat, it
 * is copied into `sent`. Returns CORE_SENDS if the core sent a beat, and CORE_TAKES if it took
 * `in`.
 */
#define CORE_SENDS 1
#define CORE_TAKES 2
int core_cycle(struct core *c, bool out_ready, const void *in, void *sent);

/*
 * core_access begins an access to a register, which the next cycles carry out. core_accessed is
 * true when it is complete; then *value is the value read.
 */
void core_access(struct core *c, bool writes, uint32_t offset, uint32_t value);
bool core_accessed(const struct core *c, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
