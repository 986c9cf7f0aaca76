/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: its options, opening and closing an endpoint, and its memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/ofi/ofi.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/values.h"

#define ARENA_KEY 1		/* of providers that let the user choose keys */

const char *const ofi_carrier_names[] = { "tagged", "msg", "write", "read", NULL };
static const char *const completion_names[] = { "transmit", "delivery", NULL };
const char *const ofi_progress_names[] = { "provider", "auto", "manual", NULL };
static const char *const byte_names[] = { "auto", "required", "never", NULL };
const char *const ofi_threading_names[] = { "domain", "completion", "safe", NULL };

const struct opt ofi_options[] = {
	{ 0, "ofi-provider", "name", OPT_TEXT, offsetof(struct ofi_opts, provider), .def = "auto",
	  .help = "provider of libfabric; auto: the first of cxi, efa, opx, psm3 and verbs that is "
		  "here; others, as tcp and shm, only by name" },
	{ 0, "ofi-domain", "list", OPT_TEXT, offsetof(struct ofi_opts, domain),
	  .help = "domains of the provider on this host; its ranks take them in turn; by default "
		  "the first near the rank's CPU whose link is up" },
	{ 0, "ofi-op", "name", OPT_CHOICE, offsetof(struct ofi_opts, carrier), .def = "tagged",
	  .choices = ofi_carrier_names,
	  .help = "what carries a message: tagged or msg (sends), write (with data that notify the "
		  "receiver), read (latency, msgrate and bandwidth: the rank that is timed "
		  "reads)" },
	{ 0, "ofi-last-byte", "when", OPT_CHOICE, offsetof(struct ofi_opts, last_byte),
	  .def = "auto", .choices = byte_names,
	  .help = "seeing a written message by its last byte in memory in a ping-pong; auto: "
		  "where the provider promises to place data in order; required: or the run is "
		  "refused" },
	{ 0, "completion", "level", OPT_CHOICE, offsetof(struct ofi_opts, completion),
	  .def = "transmit", .choices = completion_names,
	  .help = "when a send is complete: transmit, or delivery, which some providers accept "
		  "without doing it" },
	{ 0, "ofi-inject", "bytes", OPT_SIZE, offsetof(struct ofi_opts, inject), .def = "auto",
	  .min = 0, .max = 1 << 30, .word = "auto",
	  .help = "longest message that is injected, so that its buffer is free at once; auto: "
		  "the provider's limit" },
	{ 0, "ofi-wait", "how", OPT_CHOICE, offsetof(struct ofi_opts, wait), .def = "auto",
	  .choices = wait_names,
	  .help = "waiting for a message: spin, yield (the processor between polls), block "
		  "(asleep in fi_cq_sread), auto: spin, then yield" },
	{ 0, "ofi-progress", "how", OPT_CHOICE, offsetof(struct ofi_opts, progress),
	  .def = "provider", .choices = ofi_progress_names,
	  .help = "who brings messages on their way: provider (as it likes best), auto (the "
		  "provider by itself), manual (the rank's calls)" },
	{ 0, "ofi-threading", "level", OPT_CHOICE, offsetof(struct ofi_opts, threading),
	  .def = "domain", .choices = ofi_threading_names,
	  .help = "what the provider need not lock, as one thread uses it: domain, completion "
		  "(a completion queue and what is bound to it), safe (it locks all)" },
	{ 0 },
};

int ofi_failed(const struct ofi *o, const char *what, ssize_t err)
{
	return error_report("rank %d: provider '%s', domain '%s': %s failed: %s; FI_LOG_LEVEL=warn "
			    "tells more", o->ep.job->rank, o->info->fabric_attr->prov_name,
			    o->info->domain_attr->name, what, fi_strerror((int)-err));
}

int ofi_check(void *options, const struct arguments *given, int nranks)
{
	const struct ofi_opts *o = options;
	const char *name = ofi_carrier_names[o->carrier];

	(void)nranks;
	if (arguments_given(given, "ofi-inject") && o->carrier == OFI_READ)
		return error_usage("'--ofi-inject' has no meaning with '--ofi-op %s': a read hands "
				   "over no message", name);
	if (arguments_given(given, "ofi-last-byte") && o->carrier != OFI_WRITE)
		return error_usage("'--ofi-last-byte' needs '--ofi-op write'");
	if (o->last_byte == LAST_BYTE_REQUIRED && o->wait == WAIT_BLOCK)
		return error_usage("'--ofi-last-byte required' and '--ofi-wait block' exclude each "
				   "other: no completion tells of a byte in memory");
	if (arguments_given(given, "completion") && o->carrier == OFI_READ)
		return error_usage("'--completion' has no meaning with '--ofi-op %s'", name);
	if (arguments_given(given, "ofi-inject") && o->inject && o->completion == OFI_DELIVERY)
		return error_usage("'--ofi-inject' and '--completion delivery' exclude each other: "
				   "what is injected is complete at once");
	return ST_OK;
}

/* ---- memory ---- */

int ofi_register(struct ofi *o, const void *at, size_t len, uint64_t access, struct fid_mr **mr)
{
	int mode = o->info->domain_attr->mr_mode, err;

	if (!(mode & FI_MR_LOCAL) && !(access & (FI_REMOTE_READ | FI_REMOTE_WRITE)))
		return ST_OK;
	err = fi_mr_reg(o->domain, at, len, access, 0, ARENA_KEY + (uint64_t)o->nother, 0, mr,
			NULL);
	if (err)
		return ofi_failed(o, "registering memory", err);
	if (mode & FI_MR_ENDPOINT) {
		err = fi_mr_bind(*mr, &o->end->fid, 0);
		err = err ? err : fi_mr_enable(*mr);
	}
	return err ? ofi_failed(o, "binding memory", err) : ST_OK;
}

static int make_arena(struct ofi *o, size_t heap)
{
	uint64_t access = FI_SEND | FI_RECV;
	size_t notes = ((size_t)o->ep.job->size + OFI_NOTES) * sizeof(struct ofi_note);

	if (o->carrier >= OFI_WRITE)
		access |= FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
	o->arena_used = (notes + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE;
	o->arena_len = o->arena_used + heap + 16 * BACKEND_PAGE;
	o->arena = mmap(NULL, o->arena_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
	if (o->arena == MAP_FAILED) {
		o->arena = NULL;
		return error_report("no memory for %zu MiB of messages", o->arena_len >> 20);
	}
	o->notes = (struct ofi_note *)o->arena;
	if (ofi_register(o, o->arena, o->arena_len, access, &o->mr))
		return ST_FAILED;
	o->desc = o->mr ? fi_mr_desc(o->mr) : NULL;
	return ST_OK;
}

void *ofi_alloc(struct endpoint *ep, size_t len)
{
	struct ofi *o = ofi_of(ep);
	size_t room = (len + BACKEND_PAGE - (len > 0)) / BACKEND_PAGE * BACKEND_PAGE;
	char *p = o->arena + o->arena_used;

	if (room > o->arena_len - o->arena_used)
		return NULL;
	o->arena_used += room;
	memset(p, 0, room);
	return p;
}

void ofi_release(struct endpoint *ep, void *buf)
{
	(void)ep;
	(void)buf;
}

int ofi_more_ops(struct ofi *o, uint32_t n)
{
	struct ofi_op *more = calloc(n, sizeof(*more));
	struct ofi_op **chunks = list_grow(o->chunks, o->nchunks, sizeof(struct ofi_op *));

	o->chunks = chunks ? chunks : o->chunks;
	if (!more || !chunks) {
		free(more);
		return error_report("no memory for %u operations", n);
	}
	chunks[o->nchunks++] = more;
	for (uint32_t i = 0; i < n; i++)
		ofi_op_free(o, &more[i]);
	return ST_OK;
}

/* ---- opening ---- */

/*
 * Provider shm names its memory by the process's number, and refuses a name that is taken: by one
 * of this number that was killed.
 */
static void forget_the_dead(const struct ofi *o)
{
	char name[64];

	if (strcmp(o->info->fabric_attr->prov_name, "shm") != 0)
		return;
	snprintf(name, sizeof(name), "/%d:%d:0", (int)getpid(), (int)getuid());
	shm_unlink(name);
}

static int make_endpoint(struct ofi *o)
{
	struct fi_info *info = o->info;
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = (size_t)o->ep.job->size };
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED,
				 .size = info->tx_attr->size + info->rx_attr->size,
				 .wait_obj = o->sleeps ? FI_WAIT_UNSPEC : FI_WAIT_NONE };
	const char *what = "opening the fabric";
	int err;

	forget_the_dead(o);
	err = fi_fabric(info->fabric_attr, &o->fabric, NULL);
	if (!err && (what = "opening the domain"))
		err = fi_domain(o->fabric, info, &o->domain, NULL);
	if (!err && (what = "making an address vector"))
		err = fi_av_open(o->domain, &av, &o->av, NULL);
	if (!err && (what = "making a completion queue"))
		err = fi_cq_open(o->domain, &cq, &o->cq, NULL);
	if (!err && (what = "making an endpoint"))
		err = fi_endpoint(o->domain, info, &o->end, NULL);
	if (!err && (what = "binding the address vector"))
		err = fi_ep_bind(o->end, &o->av->fid, 0);
	if (!err && (what = "binding the completion queue"))
		err = fi_ep_bind(o->end, &o->cq->fid, FI_TRANSMIT | FI_RECV);
	if (!err && (what = "enabling the endpoint"))
		err = fi_enable(o->end);
	return err ? ofi_failed(o, what, err) : ST_OK;
}

/* Providers that no message leaves this machine by, or only of a loop-back. */
static bool stays_here(const struct ofi_card *c)
{
	return !strcmp(c->provider, "shm") || !strncmp(c->fabric, "127.", 4) ||
	       !strncmp(c->fabric, "::1", 3);
}

/* Whether this rank and rank r can reach each other, as far as their cards tell. */
static int compare_cards(const struct ofi *o, const struct ofi_card *mine, int r)
{
	const struct ofi_card *c = &o->cards[r];
	int me = o->ep.job->rank;

	if (strcmp(c->provider, mine->provider) || c->protocol != mine->protocol ||
	    c->address_format != mine->address_format || c->address_len != mine->address_len)
		return error_unavailable("rank %d on host '%s' has provider '%s', rank %d on host "
					 "'%s' '%s'; all need the same", me, mine->host,
					 mine->provider, r, c->host, c->provider);
	if (strcmp(c->network, mine->network) && stays_here(c))
		return error_unavailable("provider '%s', domain '%s' does not reach from rank %d "
					 "on host '%s' to rank %d on host '%s'", mine->provider,
					 c->domain, me, mine->host, r, c->host);
	if (strcmp(c->fabric, mine->fabric))
		return error_unavailable("rank %d's domain '%s' is of fabric '%s', rank %d's '%s' "
					 "of '%s': choose with '--ofi-domain'", me, mine->domain,
					 mine->fabric, r, c->domain, c->fabric);
	return ST_OK;
}

static int fill_card(struct ofi *o, struct ofi_card *c)
{
	const struct fi_info *info = o->info;
	int err;

	gethostname(c->host, sizeof(c->host) - 1);
	snprintf(c->machine, sizeof(c->machine), "%s", local_machine_id());
	snprintf(c->network, sizeof(c->network), "%s", local_network_id());
	snprintf(c->provider, sizeof(c->provider), "%s", info->fabric_attr->prov_name);
	snprintf(c->domain, sizeof(c->domain), "%s", info->domain_attr->name);
	snprintf(c->fabric, sizeof(c->fabric), "%s", info->fabric_attr->name);
	c->protocol = info->ep_attr->protocol;
	c->address_format = info->addr_format;
	c->max_len = info->ep_attr->max_msg_size;
	c->address_len = sizeof(c->address);
	err = fi_getname(&o->end->fid, c->address, &c->address_len);
	return err ? ofi_failed(o, "asking for its own address", err) : ST_OK;
}

/* Inserts the addresses of all ranks. */
static int insert_all(struct ofi *o)
{
	size_t n = (size_t)o->ep.job->size, len = o->cards[0].address_len;
	fi_addr_t *at = calloc(n, sizeof(*at));
	char *names = calloc(n, len);
	int done = -FI_ENOMEM;

	for (size_t i = 0; i < n && names; i++)
		memcpy(names + i * len, o->cards[i].address, len);
	if (at && names)
		done = fi_av_insert(o->av, names, n, at, 0, NULL);
	for (size_t i = 0; i < n && done == (int)n; i++)
		o->peers[i].at = at[i];
	free(at);
	free(names);
	if (done < 0)
		return ofi_failed(o, "inserting addresses", done);
	return done == (int)n ? ST_OK
			      : error_report("rank %d: provider '%s' took %d of %zu addresses",
					     o->ep.job->rank, o->info->fabric_attr->prov_name,
					     done, n);
}

/* Tells all ranks this one's address and learns theirs. Collective. */
static int introduce(struct ofi *o)
{
	struct ofi_card mine = { .max_len = 0 };
	int err = fill_card(o, &mine);
	const struct ofi_card *all;

	if (err)
		return err;
	all = o->ep.job->kind->allgather(o->ep.job, &mine, sizeof(mine));
	memcpy(o->cards, all, (size_t)o->ep.job->size * sizeof(*all));
	for (int r = 0; r < o->ep.job->size && !err; r++)
		err = compare_cards(o, &mine, r);
	return err ? err : insert_all(o);
}

/* tcp;ofi_rxm of 1.11 sends other data than it is told with a write that is injected. */
#define INJECTS_WRITES FI_VERSION(1, 17)

static int set_inject(struct ofi *o)
{
	bool broken = o->carrier == OFI_WRITE && FI_VERSION_LT(fi_version(), INJECTS_WRITES);
	size_t granted = broken ? 0 : o->info->tx_attr->inject_size;

	if (o->options->inject != OPT_AUTO && o->options->inject > granted)
		return error_unavailable("provider '%s' injects at most %zu bytes%s",
					 o->info->fabric_attr->prov_name, granted,
					 broken ? " of a write with this libfabric" : "");
	o->inject = o->options->inject == OPT_AUTO ? granted : (size_t)o->options->inject;
	if (o->options->completion == OFI_DELIVERY)
		o->inject = 0;
	return ST_OK;
}

static int set_last_byte(struct ofi *o)
{
	uint64_t order = o->info->rx_attr->comp_order;

	if (o->options->last_byte == LAST_BYTE_REQUIRED && !(order & OFI_ORDER_DATA))
		return error_unavailable("provider '%s' does not promise to place data in order, "
					 "which '--ofi-last-byte required' needs",
					 o->info->fabric_attr->prov_name);
	o->last_byte = o->carrier == OFI_WRITE && o->options->last_byte != LAST_BYTE_NEVER &&
		       (order & OFI_ORDER_DATA) && !o->sleeps;
	return ST_OK;
}

static int open_all(struct ofi *o, size_t heap)
{
	struct job *job = o->ep.job;
	char ranks[16];
	int err;

	/* ofi_rxm makes a queue of that many ranks' messages, 256 if it is not told */
	snprintf(ranks, sizeof(ranks), "%d", job->size < 4 ? 4 : job->size);
	setenv("FI_UNIVERSE_SIZE", ranks, 0);
	o->peers = calloc((size_t)job->size, sizeof(*o->peers));
	o->cards = calloc((size_t)job->size, sizeof(*o->cards));
	if (!o->peers || !o->cards)
		return error_report("no memory for %d peers", job->size);
	err = ofi_choose(o);
	err = err ? err : set_inject(o);
	err = err ? err : set_last_byte(o);
	err = err ? err : make_endpoint(o);
	err = err ? err : make_arena(o, heap);
	err = err ? err : introduce(o);
	if (!err)
		ofi_open_notes(o);
	if (!err)	/* no message may come before all addresses are known */
		job->kind->barrier(job);
	return err;
}

/* Longest message, bytes: the least of all ranks'. */
static size_t longest(const struct ofi *o)
{
	uint64_t least = SIZE_MAX;

	for (int r = 0; r < o->ep.job->size; r++)
		least = o->cards[r].max_len < least ? o->cards[r].max_len : least;
	return (size_t)least;
}

/* Warns if this rank runs on another NUMA node than its device. */
static void judge_nearness(const struct ofi *o)
{
	int device = ofi_node_of(o->info), mine = local_numa_node();

	if (device >= 0 && mine >= 0 && device != mine)
		error_warn("rank %d runs on NUMA node %d, its domain '%s' is at node %d",
			   o->ep.job->rank, mine, o->info->domain_attr->name, device);
}

int ofi_open(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct ofi *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return error_report("no memory for backend 'ofi'");
	o->ep = (struct endpoint){ .job = job, .tick_s = host_clock.tick_s };
	o->options = options;
	o->carrier = (enum ofi_carrier)o->options->carrier;
	o->sleeps = o->options->wait == WAIT_BLOCK;
	o->patience = patience_of((enum waiting)o->options->wait,
				  patience_for(job->local_size, job->cpus));
	err = open_all(o, heap);
	if (err) {
		ofi_close(&o->ep);
		return err;
	}
	o->ep.caps = OFI_CAPS;
	if (o->carrier == OFI_READ)
		o->ep.caps = (OFI_CAPS | CAP_READ) & ~(CAP_RING | CAP_PAIR);
	if (o->carrier <= OFI_MSG)
		o->ep.caps |= CAP_EACH;
	o->ep.limits = (struct limits){ longest(o), (uint32_t)o->info->tx_attr->size, UINT64_MAX,
					SIZE_MAX };
	judge_nearness(o);
	*ep = &o->ep;
	return ST_OK;
}

#define CLOSE(object)                                                                              \
	do {                                                                                       \
		if (object)                                                                        \
			fi_close(&(object)->fid);                                                  \
	} while (0)

void ofi_close(struct endpoint *ep)
{
	struct ofi *o = ofi_of(ep);

	if (!o)
		return;
	for (struct ofi_peer *p = o->peers; p && p < o->peers + o->ep.job->size; p++) {
		free(p->recvs);
		free(p->targets);
	}
	CLOSE(o->end);
	for (int i = 0; i < o->nother; i++)
		CLOSE(o->other[i].mr);
	CLOSE(o->mr);
	CLOSE(o->cq);
	CLOSE(o->av);
	CLOSE(o->domain);
	CLOSE(o->fabric);
	if (o->info)
		fi_freeinfo(o->info);
	if (o->arena)
		munmap(o->arena, o->arena_len);
	for (uint32_t i = 0; i < o->nchunks; i++)
		free(o->chunks[i]);
	free(o->chunks);
	free(o->plans);
	free(o->peers);
	free(o->cards);
	free(o);
}
