/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what guard.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_GUARD_H
#define NETBENCH_BACKENDS_OFI_GUARD_H

#include "backends/ofi/types.h"

/*
 * Agrees with all ranks on the run's number and lays out tags and data, after ofi_introduce. ST_OK
 * or an exit status, as when the number has too few bits where strangers may send. Collective.
 */
int ofi_guard(struct ofi *o);

/* Takes the provider's answer to a look for messages of strangers; NULL: it found none. */
void ofi_looked(struct ofi *o, const struct fi_cq_tagged_entry *found);

/* Makes a random key for memory; 0 where the provider makes keys. ST_OK or ST_FAILED. */
int ofi_make_key(const struct ofi_rail *rail, uint64_t *key);

int ofi_counters(struct endpoint *ep, struct counter *c);

#endif
