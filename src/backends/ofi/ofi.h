/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: the functions of ofi.c that its other files call. */
#ifndef NETBENCH_BACKENDS_OFI_OFI_H
#define NETBENCH_BACKENDS_OFI_OFI_H

#include "backends/ofi/open.h"

/*
 * Handles the completions in a queue. *any is set if there were some. Returns the number of
 * completed transfers, or a negative number after a failure.
 */
int ofi_handle_completions(struct ofi *o, bool *any);

/*
 * Handles the completions in a queue. Without any, waits a moment. The next poll reports the
 * completed transfers. Returns ST_OK or ST_FAILED.
 */
int ofi_progress(struct ofi *o);

/*
 * Waits until every note is sent and every send reported as done early is complete, but at most
 * OFI_FLUSH_S. Without that limit this could wait forever for a lost acknowledgement, because the
 * rank that owes it may have left. Returns ST_OK or ST_FAILED.
 */
int ofi_flush(struct ofi *o);

/*
 * Call this after the provider refused a send with `err`. If a later try may succeed, makes
 * progress and returns 0. Otherwise reports the failure and returns -1.
 */
int ofi_handle_refusal(struct ofi *o, const struct ofi_rail *rail, ssize_t err);

/* Posts as many of the round's receives from p as fit. Returns ST_OK or ST_FAILED. */
int ofi_post_recvs(struct ofi *o, struct ofi_peer *p);

/* Returns a free operation of this kind, for the caller to fill in, or NULL after a failure. */
static inline struct ofi_op *ofi_op_get(struct ofi *o, enum ofi_kind kind)
{
	struct ofi_op *op;

	if (__builtin_expect(!o->free_op, 0) && ofi_add_ops(o, 256))
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
