/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: the hook that prepares a round (backend.h). */
#ifndef NETBENCH_BACKENDS_VERBS_ARM_H
#define NETBENCH_BACKENDS_VERBS_ARM_H

#include "backends/verbs/types.h"

int verbs_arm(struct endpoint *ep, const struct round *r);

#endif
