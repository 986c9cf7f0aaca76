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

#endif
