/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: the functions of ofi.c that its other files call. */
#ifndef NETBENCH_BACKENDS_OFI_OFI_H
#define NETBENCH_BACKENDS_OFI_OFI_H

#include "backends/ofi/open.h"

/*
 * Handles all completions in the queues. Sets *any to true if there were completions, else to
 * false. Returns the number of completed transfers, or a negative number after a failure.
 */
int ofi_handle_completions(struct ofi *o, bool *any);

/*
 * Handles all completions in the queues. If there are none, waits for a moment. The next poll
 * reports the transfers that this call has completed. Returns ST_OK or ST_FAILED.
 */
int ofi_progress(struct ofi *o);

/*
 * Waits until all notes, and all sends that were reported as done early, are complete. Waits at
 * most OFI_FLUSH_S, because an acknowledgement may never come if its sender has left. Returns ST_OK
 * or ST_FAILED.
 */
int ofi_flush(struct ofi *o);

/*
 * Handles a send that the provider refused with `err`. If the send may succeed later, makes
 * progress and returns 0. Otherwise reports the failure and returns -1.
 */
int ofi_handle_refusal(struct ofi *o, const struct ofi_rail *rail, ssize_t err);

/*
 * Posts as many of the round's receives from p as the provider has room for. Returns ST_OK or
 * ST_FAILED.
 */
int ofi_post_recvs(struct ofi *o, struct ofi_peer *p);

/*
 * Returns a free operation of this kind, or NULL after a failure. The caller fills in the other
 * members.
 */
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
