/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How backend `ofi` tells its ranks' messages from messages of strangers, which a provider lets in
 * as well: by the run's number. The provider matches it in the tags of messages. Messages of
 * strangers stay with the provider until ofi_counters counts them and throws them away. A write's
 * data are the number plus the rank. A note has the whole number. Memory has keys that nobody
 * guesses.
 */
#include "backends/ofi/guard.h"
#include "backends/ofi/ofi.h"
#include "backends/ofi/rail.h"
#include "net/handshake.h"

#define LOOK_S 0.5		/* most time for throwing away messages of strangers */

/* ---- the run's number ---- */

static uint64_t mask_of(unsigned bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

int ofi_guard(struct ofi *o)
{
	const struct job *job = o->ep.job;
	bool closed = !strcmp(job->kind->name, "fork");	/* nobody elsewhere reaches the ranks */
	struct ofi_tags *t = &o->tags;
	int err = job_run_number(o->ep.job, &o->run);

	if (err)
		return err;
	t->rank_bits = job->size > 1 ? 64 - (unsigned)__builtin_clzll((uint64_t)job->size - 1) : 1;
	t->ranks = mask_of(t->rank_bits);
	t->shift = t->rank_bits + OFI_KIND_BITS;
	t->run_bits = o->tag_bits > t->shift ? o->tag_bits - t->shift : 0;
	t->run = (o->run & mask_of(t->run_bits)) << t->shift;
	o->round_tag = ofi_tag(o, TAG_ROUND, job->rank);
	o->data_mask = mask_of(8 * o->data_bytes);
	o->data = (o->run + (uint64_t)job->rank) & o->data_mask;
	for (uint32_t i = 0; i < o->nrails; i++)
		closed = closed && ofi_stays_here(ofi_provider(o),
						  o->rails[i].info->fabric_attr->name);
	if (o->options->trust || closed)
		return ST_OK;
	if (o->carrier == OFI_MSG)
		return error_usage("'--ofi-op msg' has no room for the number of the run, so "
				   "strangers could send to the ranks: use '--ofi-op tagged', or "
				   "'--trust-network' if nobody else uses this network");
	if (t->run_bits < OFI_LEAST_BITS)
		return error_usage("tags of provider '%s' have room for %u bits of the number of "
				   "the run, and it takes %d to keep strangers out: use "
				   "'--trust-network' if nobody else uses this network",
				   ofi_provider(o), t->run_bits, OFI_LEAST_BITS);
	return ST_OK;
}

int ofi_make_key(const struct ofi_rail *rail, uint64_t *key)
{
	const struct fi_domain_attr *d = rail->info->domain_attr;
	struct secret s;

	*key = 0;
	if (d->mr_mode & FI_MR_PROV_KEY)
		return ST_OK;
	if (secret_make(&s))
		return ST_FAILED;
	memcpy(key, s.key, sizeof(*key));
	*key &= mask_of(8 * (unsigned)d->mr_key_size);
	return ST_OK;
}

/* ---- strangers ---- */

void ofi_looked(struct ofi *o, const struct fi_cq_tagged_entry *found)
{
	unsigned shift = o->tags.shift;

	o->looking = false;
	if (found)
		job_admits(o->ep.job, &o->strangers,
			   &(struct claim){ .run = found->tag >> shift, .timely = true },
			   &(struct expected){ .run = o->tags.run >> shift, .end = 1 });
}

/*
 * Asks the provider to throw away a message with a tag that differs from the run's number in this
 * bit. True if the provider had one; it has been counted.
 */
static bool throw_away(struct ofi *o, const struct ofi_rail *rail, uint64_t bit, double until)
{
	struct fi_msg_tagged msg = { .addr = FI_ADDR_UNSPEC, .tag = o->tags.run ^ bit,
				     .ignore = ~bit };
	struct ofi_op *op = ofi_op_take(o, KIND_LOOK);
	uint64_t before = o->strangers;

	if (!op)
		return false;
	msg.context = op;
	o->looking = true;
	if (fi_trecvmsg(rail->end, &msg, FI_PEEK | FI_DISCARD | FI_COMPLETION)) {
		o->looking = false;
		ofi_op_free(o, op);
		return false;
	}
	while (o->looking && clock_wall() < until)
		if (ofi_progress(o))
			return false;
	return o->strangers > before;
}

int ofi_counters(struct endpoint *ep, struct counter *c)
{
	struct ofi *o = ofi_of(ep);
	uint32_t format = ofi_info(o)->addr_format;
	double until = clock_wall() + LOOK_S;
	/* only with IP addresses: some other providers do not survive such a look */
	bool looks = format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6;

	for (uint32_t i = 0; i < o->nrails && looks; i++)
		for (unsigned k = 0; k < o->tags.run_bits && clock_wall() < until; k++)
			while (clock_wall() < until &&
			       throw_away(o, &o->rails[i], UINT64_C(1) << (o->tags.shift + k),
					  until))
				;
	c[0] = (struct counter){ COUNTER_STRANGERS, (double)o->strangers, false };
	return 1;
}
