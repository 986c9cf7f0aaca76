/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi`: the functions of rail.c that its other files call. ofi_counters is a hook
 * (backend.h).
 */
#ifndef NETBENCH_BACKENDS_OFI_RAIL_H
#define NETBENCH_BACKENDS_OFI_RAIL_H

#include "backends/ofi/types.h"

/* Reports that the call `what` failed with error -err. Returns ST_FAILED. */
int ofi_report_failure(const struct ofi *o, const struct ofi_rail *rail, const char *what,
		       ssize_t err);

/* Opens the endpoint of a rail, whose info is already chosen. Returns ST_OK or ST_FAILED. */
int ofi_open_rail(struct ofi *o, struct ofi_rail *rail);

/*
 * Tells all ranks the address of this rank on a rail, and learns theirs. Returns an exit status.
 * Collective.
 */
int ofi_exchange_addresses(struct ofi *o, struct ofi_rail *rail);

/* Returns whether all traffic of a domain stays on this machine: provider shm, or a loop-back. */
bool ofi_is_local(const char *provider, const char *fabric);

/*
 * Registers memory for messages. *mr stays NULL if the provider needs no registration. Returns
 * ST_OK or ST_FAILED.
 */
int ofi_register(struct ofi *o, struct ofi_rail *rail, const void *at, size_t len, uint64_t access,
		 struct fid_mr **mr);

/* Closes everything that a rail has opened, and frees its info. */
void ofi_close_rail(struct ofi_rail *rail);

/*
 * Agrees with all ranks on the run's number, and lays out tags and remote CQ data. Call it after
 * ofi_exchange_addresses. Returns ST_OK or another exit status. Refuses the run if strangers may
 * send and the tags hold too few bits of the number. Collective.
 */
int ofi_set_up_tags(struct ofi *o);

/*
 * Handles the provider's answer to a search for messages of strangers. `found` is NULL if there was
 * none.
 */
void ofi_end_search(struct ofi *o, const struct fi_cq_tagged_entry *found);

/*
 * Makes a random key for registered memory. *key is 0 if the provider makes the keys. Returns ST_OK
 * or ST_FAILED.
 */
int ofi_make_key(const struct ofi_rail *rail, uint64_t *key);

int ofi_counters(struct endpoint *ep, struct counter *c);

#endif
