/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what open.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_OPEN_H
#define NETBENCH_BACKENDS_OFI_OPEN_H

#include "backends/ofi/types.h"

int ofi_check(void *options, const struct arguments *given, int nranks);
int ofi_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void ofi_close(struct endpoint *ep);
void *ofi_alloc(struct endpoint *ep, size_t len);

/* Makes `n` more free operations. ST_OK or ST_FAILED. */
int ofi_more_ops(struct ofi *o, uint32_t n);

#endif
