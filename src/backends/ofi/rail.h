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
 * Sends this rank's address on a rail to all ranks, and stores the addresses of all ranks. Returns
 * an exit status. Collective.
 */
int ofi_exchange_addresses(struct ofi *o, struct ofi_rail *rail);

/*
 * Returns whether all traffic of a domain stays on this machine, because the provider is shm or the
 * interface is a loop-back.
 */
bool ofi_is_local(const char *provider, const char *fabric);

/*
 * Registers memory for messages. Leaves *mr NULL if the provider needs no registration. Returns
 * ST_OK or ST_FAILED.
 */
int ofi_register(struct ofi *o, struct ofi_rail *rail, const void *at, size_t len, uint64_t access,
		 struct fid_mr **mr);

/* Closes everything that a rail has opened, and frees its info. */
void ofi_close_rail(struct ofi_rail *rail);

/*
 * Agrees with all ranks on the run's number, and decides the layout of tags and remote CQ data.
 * Call it after ofi_exchange_addresses. Returns ST_OK or another exit status. Refuses the run if
 * strangers could send messages and tags have room for too few bits of the number. Collective.
 */
int ofi_set_up_tags(struct ofi *o);

/*
 * Handles the end of the provider's search for a stranger's message. `found` describes the message
 * found. It is NULL if none was found.
 */
void ofi_end_search(struct ofi *o, const struct fi_cq_tagged_entry *found);

/*
 * Stores a random key for registered memory in *key. Stores 0 if the provider chooses the keys.
 * Returns ST_OK or ST_FAILED.
 */
int ofi_make_key(const struct ofi_rail *rail, uint64_t *key);

int ofi_counters(struct endpoint *ep, struct counter *c);

#endif
