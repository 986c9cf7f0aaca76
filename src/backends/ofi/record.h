/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi`: the functions of record.c that its other files call. ofi_describe is a hook
 * (backend.h).
 */
#ifndef NETBENCH_BACKENDS_OFI_RECORD_H
#define NETBENCH_BACKENDS_OFI_RECORD_H

#include "backends/ofi/types.h"

void ofi_describe(struct endpoint *ep, struct facts *f);

/* Returns the NUMA node of a domain's device, or -1 if unknown. */
int ofi_numa_node(const struct fi_info *info);

/* Returns the speed of a domain's link in bit/s, or 0 if unknown. */
double ofi_link_speed(const struct fi_info *info);

#endif
