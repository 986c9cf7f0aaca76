/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what provider.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_PROVIDER_H
#define NETBENCH_BACKENDS_OFI_PROVIDER_H

#include "backends/ofi/types.h"

/* Chooses provider and domains: the info of each rail. ST_OK or an exit status. */
int ofi_choose(struct ofi *o);

void ofi_list(int n, char **files, struct facts *f);

#endif
