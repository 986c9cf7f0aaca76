/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what record.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_RECORD_H
#define NETBENCH_BACKENDS_OFI_RECORD_H

#include "backends/ofi/types.h"

void ofi_describe(struct endpoint *ep, struct facts *f);

/* NUMA node of the device of a domain; -1: not known. */
int ofi_node_of(const struct fi_info *info);

/* Rate of its link, bit/s; 0: not known. */
double ofi_speed_of(const struct fi_info *info);

#endif
