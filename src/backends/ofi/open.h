/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi`: the functions of open.c that its other files call. Hooks are described in
 * backend.h.
 */
#ifndef NETBENCH_BACKENDS_OFI_OPEN_H
#define NETBENCH_BACKENDS_OFI_OPEN_H

#include "backends/ofi/types.h"

int ofi_check(void *options, const struct arguments *given, int nranks);
int ofi_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void ofi_close(struct endpoint *ep);
void *ofi_alloc(struct endpoint *ep, size_t len);

/* Allocates `n` more free operations. Returns ST_OK or ST_FAILED. */
int ofi_add_ops(struct ofi *o, uint32_t n);

#endif
