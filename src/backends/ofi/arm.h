/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: the hook that prepares a round (backend.h). */
#ifndef NETBENCH_BACKENDS_OFI_ARM_H
#define NETBENCH_BACKENDS_OFI_ARM_H

#include "backends/ofi/types.h"

int ofi_arm(struct endpoint *ep, const struct round *r);

#endif
