/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares a round: exchanges hellos with new peers, plans the transfers, receives the targets of
 * writes and reads, and posts receives in advance.
 *
 * A provider connects two ranks when the first message passes between them. Connecting can take a
 * second. So the ranks of a round exchange hellos here, before the measured time starts.
 */
#include "backends/ofi/arm.h"
#include "backends/ofi/msg.h"
#include "backends/ofi/ofi.h"
#include "transport/round.h"

/* ---- transfers ---- */

/*
 * Plans one transfer. A receive is added to the circular list of its peer's receives. During
 * planning, p->recv is the final receive from p in that list, and its `next` is the first receive.
 * `again` leads from the final receive of a step back to the step's first receive, until each has
 * been posted as often as the step repeats.
 */
static int plan_xfer(struct ofi *o, const struct xfer *x, const struct xfer *step, uint32_t repeat,
		     uint64_t count)
{
	struct ofi_plan *plan = &o->plans[x - o->xfers];
	struct ofi_peer *p = &o->peers[x->peer];

	*plan = (struct ofi_plan){ .peer = p, .buf = x->buf, .len = x->len,
				   .left = repeat * count, .repeat = repeat,
				   .inject = x->op == OP_SEND && x->len <= o->inject };
	if (x->op == OP_NATIVE)
		return error_report("backend 'ofi' has no broadcast");
	if (x->op != OP_RECV || o->carrier == OFI_WRITE)
		return ST_OK;
	plan->again = plan;
	if (p->recv && p->recv >= &o->plans[step - o->xfers]) {
		plan->again = p->recv->again;
		p->recv->again = NULL;
	}
	plan->next = p->recv ? p->recv->next : plan;
	if (p->recv)
		p->recv->next = plan;
	p->recv = plan;
	p->recv_left += plan->left;
	return ST_OK;
}

static int make_plans(struct ofi *o, const struct round *r)
{
	struct ofi_plan *plans = realloc(o->plans, r->nxfers * sizeof(*plans));
	int err = ST_OK;

	if (!plans)
		return error_report("no memory for the transfers of a round");
	o->plans = plans;
	o->xfers = r->xfers;
	o->late_done = 0;
	for (struct ofi_peer *p = o->peers; p < o->peers + o->ep.job->size; p++) {
		p->recv = NULL;
		p->sets = p->arrivals.expected = 0;
		p->recv_left = 0;
	}
	for (uint32_t i = 0; i < r->nxfers && r->each && !err; i++)
		err = plan_xfer(o, &r->xfers[i], &r->xfers[i], 1, 1);
	for (const struct step *s = r->steps; s < r->steps + r->nsteps && !r->each; s++)
		for (uint32_t k = 0; k < s->n && !err; k++)
			err = plan_xfer(o, &r->xfers[s->first + k], &r->xfers[s->first], s->repeat,
					r->count);
	for (struct ofi_peer *p = o->peers; p < o->peers + o->ep.job->size; p++)
		p->recv = p->recv ? p->recv->next : NULL;
	if (err || !o->last_byte || !round_buffers_read_in_time(r))
		return err;
	/* *last must be 0 until the next message arrives, so `arrived` keeps the byte that came */
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		bool kept = x->op == OP_RECV && x->len;

		/* a message that the round receives and then sends on must keep its last byte */
		for (uint32_t k = 0; k < r->nxfers; k++)
			kept = kept && (r->xfers[k].op != OP_SEND || r->xfers[k].buf != x->buf);
		if (kept) {
			o->plans[i].last = (unsigned char *)x->buf + x->len - 1;
			*o->plans[i].last = 0;
		}
	}
	return ST_OK;
}

/* ---- memory of the other rank ---- */

/*
 * Tells the other ranks which buffers of this rank they write or read. Then waits for the same
 * information from them. Returns ST_OK or ST_FAILED.
 */
static int exchange_targets(struct ofi *o, const struct round *r)
{
	bool virtual = ofi_info(o)->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
	const char *from = virtual ? NULL : o->arena.at;
	int err = ST_OK;

	/* names the buffers in the order of the round's transfers */
	for (uint32_t i = 0; i < r->nxfers && !err; i++) {
		const struct xfer *x = &r->xfers[i];
		struct ofi_peer *p = &o->peers[x->peer];

		if (x->op == OP_RECV || x->op == OP_EXPOSE)
			err = ofi_send_note(o, p, (struct ofi_note){
				.news = NEWS_TARGET, .len = x->len,
				.addr = (uintptr_t)x->buf - (uintptr_t)from,
				.key = p->rail->mr ? fi_mr_key(p->rail->mr) : 0,
				.last_byte = o->plans[i].last != NULL });
	}
	for (uint32_t i = 0; i < r->nxfers && !err; i++) {
		struct ofi_plan *plan = &o->plans[i];
		struct ofi_peer *p = plan->peer;

		if (r->xfers[i].op != OP_SEND && r->xfers[i].op != OP_READ)
			continue;
		while (!p->ntargets)
			if (ofi_progress(o))
				return ST_FAILED;
		plan->target = p->targets[0];
		memmove(p->targets, p->targets + 1, --p->ntargets * sizeof(*p->targets));
		if (plan->target.len != plan->len)
			err = error_report("rank %d: a message of %zu bytes differs from %llu "
					   "bytes on rank %d", o->ep.job->rank, plan->len,
					   (unsigned long long)plan->target.len,
					   r->xfers[i].peer);
	}
	return err;
}

/* ---- arming ---- */

/*
 * Posts twice as many receives for each peer as a step has in flight. If the provider lacks room
 * for them, gives each peer an equal share of the room.
 */
static int post_first_recvs(struct ofi *o, const struct round *r)
{
	uint64_t wish = 2 * round_in_flight(r) + 2, room = SIZE_MAX, senders = 0;
	struct ofi_peer *end = o->peers + o->ep.job->size;

	for (const struct ofi_rail *rail = o->rails; rail < o->rails + o->nrails; rail++)
		room = rail->info->rx_attr->size < room ? rail->info->rx_attr->size : room;
	for (const struct ofi_peer *p = o->peers; p < end; p++)
		senders += p->recv_left > 0;
	if (!senders)
		return ST_OK;
	room = room > 4 * OFI_NOTES ? (room - OFI_NOTES) / senders : room / 2 / senders;
	room = room < 2 ? 2 : room;
	for (struct ofi_peer *p = o->peers; p < end; p++) {
		p->depth = (uint32_t)(wish < room ? wish : room);
		if (ofi_post_recvs(o, p))
			return ST_FAILED;
	}
	return ST_OK;
}

int ofi_arm(struct endpoint *ep, const struct round *r)
{
	struct ofi *o = ofi_of(ep);

	for (uint32_t i = 0; i < r->nxfers; i++) {
		struct ofi_peer *p = &o->peers[r->xfers[i].peer];

		if (p->greeted)
			continue;
		p->greeted = true;
		if (ofi_post_first_note(o, p) ||
		    ofi_send_note(o, p, (struct ofi_note){ .news = NEWS_HELLO }))
			return ST_FAILED;
	}
	for (uint32_t i = 0; i < r->nxfers; i++)
		while (!o->peers[r->xfers[i].peer].heard)
			if (ofi_progress(o))
				return ST_FAILED;
	if (!r->nxfers)
		return ST_OK;
	o->batched = false;
	for (uint32_t i = 0; i < r->nsteps; i++)
		o->batched = o->batched || r->steps[i].batch > 1;
	if (make_plans(o, r) || (o->carrier >= OFI_WRITE && exchange_targets(o, r)) ||
	    post_first_recvs(o, r))
		return ST_FAILED;
	return ofi_flush(o);
}
