/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what guard.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_GUARD_H
#define NETBENCH_BACKENDS_OFI_GUARD_H

#include "backends/ofi/types.h"

/*
 * Once all ranks have introduced themselves: agrees with them on the run's number and lays out tags
 * and data. ST_OK or an exit status: too few bits where strangers may send. Collective.
 */
int ofi_guard(struct ofi *o);

/* What the provider found of messages of strangers; NULL: nothing. */
void ofi_looked(struct ofi *o, const struct fi_cq_tagged_entry *found);

/* Makes a random key for memory; 0 where the provider makes keys. ST_OK or ST_FAILED. */
int ofi_make_key(const struct ofi_rail *rail, uint64_t *key);

int ofi_counters(struct endpoint *ep, struct counter *c);

#endif
