/* SPDX-License-Identifier: Apache-2.0 */
/* A Verilated core for C: card.hpp behind functions. */
#ifndef NETBENCH_KERNELS_RTL_CORE_H
#define NETBENCH_KERNELS_RTL_CORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORE_WIDTH 64	/* bytes of a beat */

struct core;

/* A core after its reset. Never freed: an image is there as long as its card. */
struct core *core_new(void);

/*
 * One cycle: its inputs, and what happens. in: the beat that is offered, NULL: none. sent gets the
 * beat that is taken from the core; the result has CORE_SENDS and CORE_TAKES.
 */
#define CORE_SENDS 1
#define CORE_TAKES 2
int core_cycle(struct core *c, bool out_ready, const void *in, void *sent);

/* Begins an access to a register beside the coming cycles. core_accessed: whether it is over. */
void core_access(struct core *c, bool writes, uint32_t offset, uint32_t value);
bool core_accessed(const struct core *c, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
