/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi`: the functions of provider.c that its other files call. ofi_list is a hook
 * (backend.h).
 */
#ifndef NETBENCH_BACKENDS_OFI_PROVIDER_H
#define NETBENCH_BACKENDS_OFI_PROVIDER_H

#include "backends/ofi/types.h"

/*
 * Chooses the provider and its domains. Stores the info (struct fi_info) of each rail. Returns
 * ST_OK or another exit status.
 */
int ofi_choose_domains(struct ofi *o);

void ofi_list(int n, char **files, struct facts *f);

#endif
