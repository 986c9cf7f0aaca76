/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles a rail, that is, a domain that backend `ofi` uses: the rail's endpoint, the addresses of
 * all ranks on the rail, and the rail's memory. Also refuses messages of strangers.
 */
#include <sys/mman.h>

#include "backends/ofi/ofi.h"
#include "backends/ofi/rail.h"
#include "job/leavings.h"
#include "net/handshake.h"

#define SEARCH_S 0.5		/* longest time spent on discarding messages of strangers */

int ofi_report_failure(const struct ofi *o, const struct ofi_rail *rail, const char *what,
		       ssize_t err)
{
	return error_report("rank %d: provider '%s', domain '%s': %s failed: %s; FI_LOG_LEVEL=warn "
			    "tells more", o->ep.job->rank, rail->info->fabric_attr->prov_name,
			    rail->info->domain_attr->name, what, fi_strerror((int)-err));
}

/* ---- the endpoint ---- */

int ofi_open_rail(struct ofi *o, struct ofi_rail *rail)
{
	struct fi_info *info = rail->info;
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = (size_t)o->ep.job->size };
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED,
				 .size = info->tx_attr->size + info->rx_attr->size,
				 .wait_obj = o->sleeps ? FI_WAIT_UNSPEC : FI_WAIT_NONE };
	const char *what = "opening the fabric";
	char name[64];
	int err;

	/*
	 * Provider shm names its shared memory after the process id, and fails if that name exists
	 * already. A killed process with the same id may have left such memory.
	 */
	if (rail == o->rails && !strcmp(info->fabric_attr->prov_name, "shm")) {
		snprintf(name, sizeof(name), "/%d:%d:0", (int)getpid(), (int)getuid());
		shm_unlink(name);
	}
	err = fi_fabric(info->fabric_attr, &rail->fabric, NULL);
	if (!err && (what = "opening the domain"))
		err = fi_domain(rail->fabric, info, &rail->domain, NULL);
	if (!err && (what = "making an address vector"))
		err = fi_av_open(rail->domain, &av, &rail->av, NULL);
	if (!err && (what = "making a completion queue"))
		err = fi_cq_open(rail->domain, &cq, &rail->cq, NULL);
	if (!err && (what = "making an endpoint"))
		err = fi_endpoint(rail->domain, info, &rail->end, NULL);
	if (!err && (what = "binding the address vector"))
		err = fi_ep_bind(rail->end, &rail->av->fid, 0);
	if (!err && (what = "binding the completion queue"))
		err = fi_ep_bind(rail->end, &rail->cq->fid, FI_TRANSMIT | FI_RECV);
	if (!err && (what = "enabling the endpoint"))
		err = fi_enable(rail->end);
	return err ? ofi_report_failure(o, rail, what, err) : ST_OK;
}

/* ---- addresses ---- */

bool ofi_is_local(const char *provider, const char *fabric)
{
	return !strcmp(provider, "shm") || !strncmp(fabric, "127.", 4) ||
	       !strncmp(fabric, "::1/", 4);
}

/*
 * Checks whether this rank and rank r can reach each other, by comparing their cards `mine` and
 * `c`. Returns an exit status.
 */
static int compare_cards(const struct ofi *o, const struct ofi_card *mine,
			 const struct ofi_card *c, int r)
{
	int me = o->ep.job->rank;

	if (strcmp(c->provider, mine->provider) || c->protocol != mine->protocol ||
	    c->address_format != mine->address_format || c->address_len != mine->address_len)
		return error_unavailable("rank %d on host '%s' has provider '%s', but rank %d on "
					 "host '%s' has '%s'; all need the same one", me,
					 mine->host, mine->provider, r, c->host, c->provider);
	if (strcmp(c->network, mine->network) && ofi_is_local(c->provider, c->fabric))
		return error_unavailable("provider '%s', domain '%s' does not connect rank %d "
					 "on host '%s' to rank %d on host '%s'", mine->provider,
					 c->domain, me, mine->host, r, c->host);
	if (c->rails != mine->rails)
		return error_unavailable("rank %d has %u domains, but rank %d has %u; all need the "
					 "same number", me, mine->rails, r, c->rails);
	if (strcmp(c->fabric, mine->fabric))
		return error_unavailable("rank %d's domain '%s' belongs to fabric '%s', but rank "
					 "%d's '%s' to '%s': choose with '--ofi-domain'", me,
					 mine->domain, mine->fabric, r, c->domain, c->fabric);
	return ST_OK;
}

/*
 * Inserts the addresses of all ranks into the address vector. Assigns this rail to the peers that
 * use it. Returns ST_OK or ST_FAILED.
 */
static int insert_addresses(struct ofi *o, struct ofi_rail *rail, const struct ofi_card *cards)
{
	size_t n = (size_t)o->ep.job->size, len = cards[0].address_len;
	const struct ofi_card *mine = &cards[o->ep.job->rank];
	fi_addr_t *at = calloc(n, sizeof(*at));
	char *names = calloc(n, len);
	int done = -FI_ENOMEM;

	for (size_t i = 0; i < n && names; i++)
		memcpy(names + i * len, cards[i].address, len);
	if (at && names)
		done = fi_av_insert(rail->av, names, n, at, 0, NULL);
	for (size_t i = 0; i < n && done == (int)n; i++) {
		struct ofi_peer *p = &o->peers[i];
		/* two ranks use the rail that the local number of the lower rank gives */
		uint32_t turn = (&cards[i] < mine ? &cards[i] : mine)->local_rank;

		/* within a host there are only half as many pairs as between hosts */
		turn = strcmp(cards[i].machine, mine->machine) ? turn : turn / 2;
		p->rail = &o->rails[turn % o->nrails];
		p->at = p->rail == rail ? at[i] : p->at;
		p->at_first = o->rails == rail ? at[i] : p->at_first;
	}
	free(at);
	free(names);
	if (done < 0)
		return ofi_report_failure(o, rail, "inserting addresses", done);
	return done == (int)n ? ST_OK
			      : error_report("rank %d: provider '%s' took %d of %zu addresses",
					     o->ep.job->rank, ofi_provider(o), done, n);
}

int ofi_exchange_addresses(struct ofi *o, struct ofi_rail *rail)
{
	const struct fi_info *info = rail->info;
	uint64_t format = info->ep_attr->mem_tag_format;
	struct job *job = o->ep.job;
	struct ofi_card mine = {
		.protocol = info->ep_attr->protocol, .address_format = info->addr_format,
		.rails = o->nrails, .local_rank = (uint32_t)job->local_rank,
		.max_len = info->ep_attr->max_msg_size,
		/* the provider matches all bits up to the highest bit set in `format` */
		.tag_bits = format ? 64 - (uint32_t)__builtin_clzll(format) : 64,
		.data_bytes = (uint32_t)info->domain_attr->cq_data_size,
		.address_len = sizeof(mine.address)
	};
	int err = fi_getname(&rail->end->fid, mine.address, &mine.address_len);
	const char *name = strstr((const char *)mine.address, "://");
	const struct ofi_card *all;

	if (err)
		return ofi_report_failure(o, rail, "asking for its own address", err);
	gethostname(mine.host, sizeof(mine.host) - 1);
	snprintf(mine.machine, sizeof(mine.machine), "%s", local_machine_id());
	snprintf(mine.network, sizeof(mine.network), "%s", local_network_id());
	snprintf(mine.provider, sizeof(mine.provider), "%s", info->fabric_attr->prov_name);
	snprintf(mine.domain, sizeof(mine.domain), "%s", info->domain_attr->name);
	snprintf(mine.fabric, sizeof(mine.fabric), "%s", info->fabric_attr->name);
	/* an endpoint of provider shm is a file; its address is "fi_shm://NAME" */
	if (!strcmp(mine.provider, "shm") && name)
		leavings_add(job->leavings, name + strlen("://"));
	all = job->kind->allgather(job, &mine, sizeof(mine));
	for (int r = 0; r < job->size && !err; r++) {
		err = compare_cards(o, &mine, &all[r], r);
		if (all[r].max_len < o->max_len)
			o->max_len = (size_t)all[r].max_len;
		o->tag_bits = all[r].tag_bits < o->tag_bits ? all[r].tag_bits : o->tag_bits;
		o->data_bytes = all[r].data_bytes < o->data_bytes ? all[r].data_bytes
								  : o->data_bytes;
	}
	return err ? err : insert_addresses(o, rail, all);
}

/* ---- memory ---- */

int ofi_register(struct ofi *o, struct ofi_rail *rail, const void *at, size_t len, uint64_t access,
		 struct fid_mr **mr)
{
	int mode = rail->info->domain_attr->mr_mode, err;
	uint64_t key;

	if (!(mode & FI_MR_LOCAL) && !(access & (FI_REMOTE_READ | FI_REMOTE_WRITE)))
		return ST_OK;
	if (ofi_make_key(rail, &key))
		return ST_FAILED;
	err = fi_mr_reg(rail->domain, at, len, access, 0, key, 0, mr, NULL);
	if (err)
		return ofi_report_failure(o, rail, "registering memory", err);
	if (mode & FI_MR_ENDPOINT) {
		err = fi_mr_bind(*mr, &rail->end->fid, 0);
		if (!err)
			err = fi_mr_enable(*mr);
	}
	return err ? ofi_report_failure(o, rail, "binding memory", err) : ST_OK;
}

/* ---- closing ---- */

#define CLOSE(object)                                                                              \
	do {                                                                                       \
		if (object)                                                                        \
			fi_close(&(object)->fid);                                                  \
	} while (0)

void ofi_close_rail(struct ofi_rail *rail)
{
	CLOSE(rail->end);
	CLOSE(rail->mr);
	CLOSE(rail->cq);
	CLOSE(rail->av);
	CLOSE(rail->domain);
	CLOSE(rail->fabric);
	if (rail->info)
		fi_freeinfo(rail->info);
}

/* ---- strangers ---- */

/*
 * A provider also accepts messages of strangers. Backend `ofi` recognises the messages of its own
 * ranks by the run's number. The tags of messages contain that number, and the provider matches
 * tags. So messages of strangers remain in the provider until ofi_counters counts and discards
 * them. The remote CQ data of a write are the run's number plus the rank. A note contains all bits
 * of the run's number. Registered memory has keys that nobody can guess.
 */

static uint64_t mask_low_bits(unsigned bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

int ofi_set_up_tags(struct ofi *o)
{
	const struct job *job = o->ep.job;
	bool closed = !strcmp(job->kind->name, "fork");	/* other machines cannot reach the ranks */
	struct ofi_tags *t = &o->tags;
	int err = job_run_number(o->ep.job, &o->run);

	if (err)
		return err;
	t->rank_bits = job->size > 1 ? 64 - (unsigned)__builtin_clzll((uint64_t)job->size - 1) : 1;
	t->ranks = mask_low_bits(t->rank_bits);
	t->shift = t->rank_bits + OFI_KIND_BITS;
	t->run_bits = o->tag_bits > t->shift ? o->tag_bits - t->shift : 0;
	t->run = (o->run & mask_low_bits(t->run_bits)) << t->shift;
	o->round_tag = ofi_tag(o, TAG_ROUND, job->rank);
	o->data_mask = mask_low_bits(8 * o->data_bytes);
	o->data = (o->run + (uint64_t)job->rank) & o->data_mask;
	for (uint32_t i = 0; i < o->nrails; i++)
		closed = closed && ofi_is_local(ofi_provider(o),
						o->rails[i].info->fabric_attr->name);
	if (o->options->trust || closed)
		return ST_OK;
	if (o->carrier == OFI_MSG)
		return error_usage("'--ofi-op msg' cannot carry the number of the run, so "
				   "strangers could send to the ranks: use '--ofi-op tagged', or "
				   "'--trust-network' if nobody else uses this network");
	if (t->run_bits < OFI_LEAST_BITS)
		return error_usage("tags of provider '%s' hold only %u bits of the number of the "
				   "run, but %d are needed to keep strangers out: use "
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
	*key &= mask_low_bits(8 * (unsigned)d->mr_key_size);
	return ST_OK;
}

void ofi_end_search(struct ofi *o, const struct fi_cq_tagged_entry *found)
{
	unsigned shift = o->tags.shift;

	o->looking = false;
	if (found)
		job_accepts_claim(o->ep.job, &o->strangers,
			   &(struct claim){ .run = found->tag >> shift, .timely = true },
			   &(struct expected){ .run = o->tags.run >> shift, .end = 1 });
}

/*
 * Asks the provider to discard a message whose tag differs from the run's number in `bit`. Waits
 * for the answer until clock_wall() reaches `until`. If there was such a message, counts it and
 * returns true.
 */
static bool discard_stranger(struct ofi *o, const struct ofi_rail *rail, uint64_t bit, double until)
{
	struct fi_msg_tagged msg = { .addr = FI_ADDR_UNSPEC, .tag = o->tags.run ^ bit,
				     .ignore = ~bit };
	struct ofi_op *op = ofi_op_get(o, KIND_SEARCH);
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
	double until = clock_wall() + SEARCH_S;
	/*
	 * only searches if addresses are IP addresses, because some other providers crash on a
	 * search
	 */
	bool can_search = format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6;

	for (uint32_t i = 0; i < o->nrails && can_search; i++)
		for (unsigned k = 0; k < o->tags.run_bits && clock_wall() < until; k++)
			while (clock_wall() < until &&
			       discard_stranger(o, &o->rails[i], UINT64_C(1) << (o->tags.shift + k),
						until))
				;
	c[0] = (struct counter){ COUNTER_STRANGERS, (double)o->strangers, false };
	return 1;
}
