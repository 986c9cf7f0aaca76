/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what rail.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_RAIL_H
#define NETBENCH_BACKENDS_OFI_RAIL_H

#include "backends/ofi/types.h"

/* Reports that a call failed with -err. ST_FAILED. */
int ofi_failed(const struct ofi *o, const struct ofi_rail *rail, const char *what, ssize_t err);

/* Opens the endpoint of a rail whose info is chosen. ST_OK or ST_FAILED. */
int ofi_open_rail(struct ofi *o, struct ofi_rail *rail);

/* Tells all ranks this one's address on a rail and learns theirs. Collective. */
int ofi_introduce(struct ofi *o, struct ofi_rail *rail);

/* Whether nothing leaves this machine by a domain: of provider shm, or of a loop-back. */
bool ofi_stays_here(const char *provider, const char *fabric);

/* Registers memory for messages; *mr stays NULL where none is needed. ST_OK or ST_FAILED. */
int ofi_register(struct ofi *o, struct ofi_rail *rail, const void *at, size_t len, uint64_t access,
		 struct fid_mr **mr);

void ofi_close_rail(struct ofi_rail *rail);

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
