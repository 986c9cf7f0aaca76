/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends and receives messages that may arrive at any time. These are the messages of the message
 * operations, which the provider matches by their tags, and the notes with which ranks prepare a
 * round.
 */
#include "backends/ofi/msg.h"
#include "backends/ofi/ofi.h"
#include "backends/ofi/rail.h"

/* ---- notes ---- */

int ofi_post_note_recv(struct ofi *o, struct ofi_op *op)
{
	int from = (int)(op->note - o->notes);
	struct ofi_rail *rail = o->peers[from].rail;
	ssize_t err = fi_trecv(rail->end, op->note, sizeof(*op->note), rail->desc, FI_ADDR_UNSPEC,
			       ofi_tag(o, TAG_NOTE, from), 0, op);

	if (!err)
		return ST_OK;
	if (err != -FI_EAGAIN)
		return ofi_report_failure(o, rail, "posting a receive", err);
	op->next = o->unposted_notes;
	o->unposted_notes = op;
	o->starved = true;
	return ST_OK;
}

int ofi_post_first_note(struct ofi *o, const struct ofi_peer *p)
{
	struct ofi_op *op = ofi_op_get(o, KIND_NOTE_IN);

	if (!op)
		return ST_FAILED;
	op->note = &o->notes[ofi_rank_of(o, p)];
	return ofi_post_note_recv(o, op);
}

/*
 * Sends len bytes as operation op. Waits until the provider accepts the message. Returns ST_OK or
 * ST_FAILED.
 */
static int send_tagged(struct ofi *o, struct ofi_rail *rail, fi_addr_t at, enum ofi_tag tag,
		       const void *buf, size_t len, void *desc, struct ofi_op *op)
{
	uint64_t mine = ofi_tag(o, tag, o->ep.job->rank);
	ssize_t err;

	while ((err = fi_tsend(rail->end, buf, len, desc, at, mine, op)))
		if (ofi_handle_refusal(o, rail, err))
			return ST_FAILED;
	o->sending++;
	return ST_OK;
}

int ofi_send_note(struct ofi *o, struct ofi_peer *p, struct ofi_note note)
{
	struct ofi_op *op;
	int err = ST_OK;

	while (!o->nfree_notes && !err)
		err = ofi_progress(o);
	op = err ? NULL : ofi_op_get(o, KIND_NOTE_OUT);
	if (!op)
		return ST_FAILED;
	op->note = o->free_notes[--o->nfree_notes];
	*op->note = note;
	op->note->from = (uint32_t)o->ep.job->rank;
	op->note->run = o->run;
	o->notes_out++;
	return send_tagged(o, p->rail, p->at, TAG_NOTE, op->note, sizeof(note), p->rail->desc, op);
}

/*
 * Handles a note of `len` bytes that arrived in one of the receive buffers. Returns ST_OK or
 * ST_FAILED.
 */
static int handle_note(struct ofi *o, const struct ofi_note *note, size_t len)
{
	uint64_t from = (uint64_t)(note - o->notes);
	struct ofi_peer *p = &o->peers[from];
	uint32_t news = note->news;
	/*
	 * accepts one hello from each rank; accepts NEWS_TARGET and NEWS_DONE only if this run's
	 * operation needs them
	 */
	bool timely = (news == NEWS_HELLO && !p->heard) ||
		      (news == NEWS_TARGET && o->carrier >= OFI_WRITE) ||
		      (news == NEWS_DONE && o->carrier == OFI_READ);
	const struct claim claim = { note->run, note->from, len, timely };
	const struct expected expected = { o->run, from, from + 1, sizeof(*note), sizeof(*note) };
	struct ofi_target *mem;

	if (!job_accepts_claim(o->ep.job, &o->strangers, &claim, &expected))
		return ST_OK;
	p->heard |= news == NEWS_HELLO;
	p->dones += news == NEWS_DONE;
	if (news != NEWS_TARGET)
		return ST_OK;
	mem = list_grow(p->targets, p->ntargets, sizeof(*mem));
	if (!mem)
		return error_report("no memory for the transfers of a round");
	p->targets = mem;
	mem[p->ntargets++] = (struct ofi_target){ note->len, note->addr, note->key,
						   note->last_byte };
	return ST_OK;
}

/* ---- message operations ---- */

/*
 * Stores the memory descriptor of buf in *desc. Memory outside the arena is registered on first
 * use. Returns ST_OK or ST_FAILED.
 */
static int find_descriptor(struct ofi *o, const char *buf, size_t len, void **desc)
{
	struct fid_mr *mr = NULL;
	int i = 0;

	*desc = o->rails->desc;
	if (!(ofi_info(o)->domain_attr->mr_mode & FI_MR_LOCAL) || !len ||
	    (buf >= o->arena.at && buf + len <= o->arena.at + o->arena.len))
		return ST_OK;
	while (i < o->nother && (buf < o->other[i].at ||
				 buf + len > o->other[i].at + o->other[i].len))
		i++;
	if (i == (int)LENGTH(o->other))
		return error_report("backend 'ofi': messages use more than %d areas of memory", i);
	if (i == o->nother) {
		if (ofi_register(o, o->rails, buf, len, FI_SEND | FI_RECV, &mr))
			return ST_FAILED;
		o->other[o->nother].at = buf;
		o->other[o->nother].len = len;
		o->other[o->nother++].mr = mr;
	}
	*desc = fi_mr_desc(o->other[i].mr);
	return ST_OK;
}

/* Posts the receive of a message operation. Returns ST_OK or ST_FAILED. */
static int post_message(struct ofi *o, struct ofi_op *op)
{
	struct request *r = op->request;
	bool any = r->want == PEER_ANY;
	uint64_t tag = ofi_tag(o, TAG_MESSAGE, any ? 0 : r->want);
	void *desc;
	ssize_t err;

	if (find_descriptor(o, r->buf, r->room, &desc))
		return ST_FAILED;
	for (;;) {
		err = fi_trecv(o->rails->end, r->buf, r->room, desc, FI_ADDR_UNSPEC, tag,
			       any ? o->tags.ranks : 0, op);
		if (err != -FI_EAGAIN)
			return err ? ofi_report_failure(o, o->rails, "posting a receive", err)
				   : ST_OK;
		if (ofi_progress(o))
			return ST_FAILED;
	}
}

int ofi_handle_message(struct ofi *o, struct ofi_op *op, const struct fi_cq_tagged_entry *e)
{
	struct request *r = op->request;
	int err;

	if (op->kind == KIND_NOTE_IN) {
		err = handle_note(o, op->note, e->len);
		return err ? err : ofi_post_note_recv(o, op);
	}
	if (op->kind == KIND_SEARCH) {
		ofi_end_search(o, e);
	} else if (op->kind == KIND_NOTE_OUT) {
		o->free_notes[o->nfree_notes++] = op->note;
		o->notes_out--;
		o->sending--;
	} else if (op->kind == KIND_REQUEST_IN) {
		if (!job_accepts_claim(o->ep.job, &o->strangers,
				&(struct claim){ o->run, e->tag & o->tags.ranks, e->len, true },
				&(struct expected){ o->run, 0, (uint64_t)o->ep.job->size, 0,
						    r->room }))
			/*
			 * a stranger sent this message, although it has the run's number: posts the
			 * receive again
			 */
			return post_message(o, op);
		r->peer = (int)(e->tag & o->tags.ranks);
		r->len = e->len;
		r->done = true;
	} else {
		o->sending--;
		r->done = true;
	}
	ofi_op_free(o, op);
	return ST_OK;
}

int ofi_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_op *op = ofi_op_get(o, KIND_REQUEST_OUT);
	void *desc;

	request_init(r, (void *)(uintptr_t)buf, len);
	if (!op || find_descriptor(o, buf, len, &desc))
		return ST_FAILED;
	op->request = r;
	return send_tagged(o, o->rails, o->peers[peer].at_first, TAG_MESSAGE, buf, len, desc, op);
}

int ofi_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_op *op = ofi_op_get(o, KIND_REQUEST_IN);

	request_init(r, buf, len);
	r->want = peer;
	if (!op)
		return ST_FAILED;
	op->request = r;
	return post_message(o, op);
}

int ofi_test(struct endpoint *ep, struct request *r)
{
	struct ofi *o = ofi_of(ep);
	bool any;

	o->asleep = false;
	return r->done || ofi_handle_completions(o, &any) >= 0 ? ST_OK : ST_FAILED;
}

int ofi_wait(struct endpoint *ep, struct request *r)
{
	int err = ST_OK;

	while (!r->done && !err)
		err = ofi_progress(ofi_of(ep));
	return err;
}
