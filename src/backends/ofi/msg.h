/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi`: the functions of msg.c that its other files call. Hooks are described in
 * backend.h.
 */
#ifndef NETBENCH_BACKENDS_OFI_MSG_H
#define NETBENCH_BACKENDS_OFI_MSG_H

#include "backends/ofi/types.h"

/* Posts the first receive for notes from p. Returns ST_OK or ST_FAILED. */
int ofi_post_first_note(struct ofi *o, const struct ofi_peer *p);

/* Posts a receive that stores a note in op->note. Returns ST_OK or ST_FAILED. */
int ofi_post_note_recv(struct ofi *o, struct ofi_op *op);

/* Handles the completion of a note or of a message operation. Returns ST_OK or ST_FAILED. */
int ofi_handle_message(struct ofi *o, struct ofi_op *op, const struct fi_cq_tagged_entry *e);

/* Sends a note to p. Returns ST_OK or ST_FAILED. */
int ofi_send_note(struct ofi *o, struct ofi_peer *p, struct ofi_note note);

int ofi_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r);
int ofi_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r);
int ofi_test(struct endpoint *ep, struct request *r);
int ofi_wait(struct endpoint *ep, struct request *r);

#endif
