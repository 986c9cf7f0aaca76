/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `shm`: its options, its shared memory, and the hooks that handle them (backend.h). */
#ifndef NETBENCH_BACKENDS_SHM_OPEN_H
#define NETBENCH_BACKENDS_SHM_OPEN_H

#include "backends/shm/shm.h"

extern const struct opt shm_options[];

int shm_probe(const void *options, char *why, size_t len);
int shm_check(void *options, const struct arguments *given, int nranks);
int shm_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void shm_close(struct endpoint *ep);
void *shm_alloc(struct endpoint *ep, size_t len);
void shm_release(struct endpoint *ep, void *buf);
void shm_describe(struct endpoint *ep, struct facts *f);

#endif
