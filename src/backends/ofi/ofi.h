/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: what ofi.c does for its other files. */
#ifndef NETBENCH_BACKENDS_OFI_OFI_H
#define NETBENCH_BACKENDS_OFI_OFI_H

#include "backends/ofi/open.h"

/* Takes completions. Number of transfers done, negative: failed. */
int ofi_take(struct ofi *o, bool *any);

/*
 * The same; without any, waits a moment. The next poll reports the transfers done. ST_OK or
 * ST_FAILED.
 */
int ofi_progress(struct ofi *o);

/*
 * Waits until every note and every send that was done at once is complete, or for OFI_FLUSH_S.
 * Without that limit a lost acknowledgement could be waited for without end, as its sender may have
 * left. ST_OK or ST_FAILED.
 */
int ofi_flush(struct ofi *o);

/*
 * After a call to send that the provider refused: makes progress if a later try may succeed. 0, or
 * -1 (reported).
 */
int ofi_not_taken(struct ofi *o, const struct ofi_rail *rail, ssize_t err);

/* Posts receives of the round from p, as many as fit. ST_OK or ST_FAILED. */
int ofi_post_recvs(struct ofi *o, struct ofi_peer *p);

/* An operation for the provider, to be filled in; NULL after a fault. */
static inline struct ofi_op *ofi_op_take(struct ofi *o, enum ofi_kind kind)
{
	struct ofi_op *op;

	if (__builtin_expect(!o->free_op, 0) && ofi_more_ops(o, 256))
		return NULL;
	op = o->free_op;
	o->free_op = op->next;
	op->kind = kind;
	return op;
}

static inline void ofi_op_free(struct ofi *o, struct ofi_op *op)
{
	op->next = o->free_op;
	o->free_op = op;
}

#endif
