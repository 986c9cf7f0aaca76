/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: defines its options, allocates memory, and opens and closes the endpoint. */
#include <sys/mman.h>

#include "backends/ofi/msg.h"
#include "backends/ofi/ofi.h"
#include "backends/ofi/open.h"
#include "backends/ofi/provider.h"
#include "backends/ofi/rail.h"
#include "backends/ofi/record.h"

const char *const ofi_carrier_names[] = { "tagged", "msg", "write", "read", NULL };
static const char *const completion_names[] = { "transmit", "delivery", NULL };
const char *const ofi_progress_names[] = { "provider", "auto", "manual", NULL };
static const char *const byte_names[] = { "auto", "required", "never", NULL };
const char *const ofi_threading_names[] = { "domain", "completion", "safe", NULL };

const struct opt ofi_options[] = {
	{ 0, "ofi-provider", "name", OPT_TEXT, offsetof(struct ofi_opts, provider), .def = "auto",
	  .help = "provider of libfabric; auto: the first of cxi, efa, opx, psm3 and verbs that is "
		  "here; others, such as tcp and shm, must be named" },
	{ 0, "ofi-domain", "list", OPT_TEXT, offsetof(struct ofi_opts, domain),
	  .help = "domains of the provider, which pairs of ranks use in turn; by default the "
		  "first near the rank's CPU whose link is up" },
	{ 0, "ofi-op", "name", OPT_CHOICE, offsetof(struct ofi_opts, carrier), .def = "tagged",
	  .choices = ofi_carrier_names,
	  .help = "operation that carries a message: tagged or msg (sends), write (with data that "
		  "notify the receiver), read (latency, msgrate and bandwidth: the timed rank "
		  "reads)" },
	{ 0, "ofi-last-byte", "when", OPT_CHOICE, offsetof(struct ofi_opts, last_byte),
	  .def = "auto", .choices = byte_names,
	  .help = "when the receiver detects a written message by polling its last byte in a "
		  "ping-pong; auto: if the provider promises to place data in order; required: "
		  "without that promise the run is refused" },
	{ 0, "completion", "level", OPT_CHOICE, offsetof(struct ofi_opts, completion),
	  .def = "transmit", .choices = completion_names,
	  .help = "when a send is complete: transmit, or delivery, which some providers accept "
		  "but do not implement" },
	{ 0, "ofi-inject", "bytes", OPT_SIZE, offsetof(struct ofi_opts, inject), .def = "auto",
	  .min = 0, .max = 1 << 30, .word = "auto",
	  .help = "longest message that is injected, which frees its buffer at once; auto: the "
		  "provider's limit" },
	{ 0, "ofi-wait", "how", OPT_CHOICE, offsetof(struct ofi_opts, wait), .def = "auto",
	  .choices = wait_names,
	  .help = "how a rank waits for a message: spin, yield (gives up the processor between "
		  "polls), block (sleeps in fi_cq_sread), auto (spin, then yield)" },
	{ 0, "ofi-progress", "how", OPT_CHOICE, offsetof(struct ofi_opts, progress),
	  .def = "provider", .choices = ofi_progress_names,
	  .help = "what makes progress on messages: provider (its own default), auto (the provider "
		  "by itself), manual (the rank's calls)" },
	{ 0, "ofi-threading", "level", OPT_CHOICE, offsetof(struct ofi_opts, threading),
	  .def = "domain", .choices = ofi_threading_names,
	  .help = "objects that only one thread uses, so that the provider need not lock them: "
		  "domain, completion (a completion queue and the objects bound to it), safe "
		  "(none: it locks all)" },
	{ 0, "trust-network", NULL, OPT_FLAG, offsetof(struct ofi_opts, trust),
	  .help = "run even if strangers on the network could send messages to a rank, as with "
		  "--ofi-op msg; use it if nobody else uses this network" },
	{ 0 },
};

int ofi_check(void *options, const struct arguments *given, int nranks)
{
	const struct ofi_opts *o = options;
	const char *name = ofi_carrier_names[o->carrier];

	if (arguments_given(given, "ofi-inject") && o->carrier == OFI_READ)
		return error_usage("'--ofi-inject' has no meaning with '--ofi-op %s': a read "
				   "injects no message", name);
	if (arguments_given(given, "ofi-last-byte") && o->carrier != OFI_WRITE)
		return error_usage("'--ofi-last-byte' needs '--ofi-op write'");
	if (o->domain && strchr(o->domain, ',') && o->wait == WAIT_BLOCK)
		return error_usage("'--ofi-wait block' needs one domain: a rank can sleep on one "
				   "completion queue");
	if (o->last_byte == LAST_BYTE_REQUIRED && o->wait == WAIT_BLOCK)
		return error_usage("'--ofi-last-byte required' and '--ofi-wait block' exclude each "
				   "other: no completion announces a byte in memory");
	if (arguments_given(given, "completion") && o->carrier == OFI_READ)
		return error_usage("'--completion' has no meaning with '--ofi-op %s'", name);
	if (arguments_given(given, "ofi-inject") && o->inject && o->completion == OFI_DELIVERY)
		return error_usage("'--ofi-inject' and '--completion delivery' exclude each other: "
				   "an injected message is complete at once");
	return ST_OK;
}

/* ---- memory ---- */

void *ofi_alloc(struct endpoint *ep, size_t len)
{
	return arena_take(&ofi_of(ep)->arena, len);
}

int ofi_add_ops(struct ofi *o, uint32_t n)
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
 * Writes are injected from this version of libfabric on, because tcp;ofi_rxm of 1.11 sends wrong
 * data with injected writes.
 */
#define INJECTED_WRITES_WORK FI_VERSION(1, 17)

/*
 * Sets the inject limit, last_byte and the widest window to values that all rails support. Returns
 * ST_OK or another exit status.
 */
static int set_limits(struct ofi *o)
{
	bool broken = o->carrier == OFI_WRITE && FI_VERSION_LT(fi_version(), INJECTED_WRITES_WORK);
	size_t granted = broken ? 0 : SIZE_MAX, depth = SIZE_MAX;
	uint64_t order = OFI_ORDER_DATA, wish = o->options->inject;

	for (uint32_t i = 0; i < o->nrails; i++) {
		const struct fi_tx_attr *tx = o->rails[i].info->tx_attr;

		granted = tx->inject_size < granted ? tx->inject_size : granted;
		depth = tx->size < depth ? tx->size : depth;
		order &= o->rails[i].info->rx_attr->comp_order;
	}
	if (wish != OPT_AUTO && wish > granted)
		return error_unavailable("provider '%s' injects at most %zu bytes%s",
					 ofi_provider(o), granted,
					 broken ? " of a write with this libfabric" : "");
	if (o->options->last_byte == LAST_BYTE_REQUIRED && !order)
		return error_unavailable("provider '%s' does not promise to place data in order, "
					 "which '--ofi-last-byte required' needs",
					 ofi_provider(o));
	o->inject = o->options->completion == OFI_DELIVERY ? 0
		    : wish == OPT_AUTO ? granted : (size_t)wish;
	o->last_byte = o->carrier == OFI_WRITE && o->options->last_byte != LAST_BYTE_NEVER &&
		       order && !o->sleeps;
	o->ep.limits.max_window = (uint32_t)depth;
	return ST_OK;
}

static int open_resources(struct ofi *o, size_t heap)
{
	struct job *job = o->ep.job;
	size_t notes = ((size_t)job->size + OFI_NOTES) * sizeof(struct ofi_note);
	uint64_t access = FI_SEND | FI_RECV;
	char ranks[16];
	void *at;
	int err;

	/* ofi_rxm makes a message queue for this number of ranks; without this setting, for 256 */
	snprintf(ranks, sizeof(ranks), "%d", job->size < 4 ? 4 : job->size);
	setenv("FI_UNIVERSE_SIZE", ranks, 0);
	o->peers = calloc((size_t)job->size, sizeof(*o->peers));
	if (!o->peers)
		return error_report("no memory for %d peers", job->size);
	if ((err = ofi_choose_domains(o)) || (err = set_limits(o)))
		return err;
	for (uint32_t i = 0; i < o->nrails; i++)
		if (ofi_open_rail(o, &o->rails[i]))
			return ST_FAILED;
	access |= o->carrier == OFI_WRITE ? FI_WRITE | FI_REMOTE_WRITE
		  : o->carrier == OFI_READ ? FI_READ | FI_REMOTE_READ : 0;
	o->arena.used = (notes + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE;
	o->arena.len = o->arena.used + heap + 16 * BACKEND_PAGE;
	at = mmap(NULL, o->arena.len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return error_report("no memory for %zu MiB of messages", o->arena.len >> 20);
	o->arena.at = at;
	o->notes = at;
	for (struct ofi_rail *rail = o->rails; rail < o->rails + o->nrails; rail++) {
		if (ofi_register(o, rail, at, o->arena.len, access, &rail->mr))
			return ST_FAILED;
		rail->desc = rail->mr ? fi_mr_desc(rail->mr) : NULL;
	}
	for (uint32_t i = 0; i < o->nrails; i++)
		if ((err = ofi_exchange_addresses(o, &o->rails[i])))
			return err;
	if ((err = ofi_set_up_tags(o)))
		return err;
	for (int i = 0; i < OFI_NOTES; i++)
		o->free_notes[o->nfree_notes++] = &o->notes[job->size + i];
	/* no message may arrive before all ranks know all addresses */
	job->kind->barrier(job);
	return ST_OK;
}

int ofi_open(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct ofi *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return error_report("no memory for backend 'ofi'");
	o->ep = (struct endpoint){ .job = job, .tick_s = host_clock.tick_s };
	o->options = options;
	o->max_len = SIZE_MAX;
	o->tag_bits = 64;
	o->data_bytes = sizeof(uint64_t);
	o->carrier = (enum ofi_carrier)o->options->carrier;
	o->sleeps = o->options->wait == WAIT_BLOCK;
	o->patience = patience_of((enum waiting)o->options->wait,
				  patience_for(job->local_size, job->cpus));
	err = open_resources(o, heap);
	if (err) {
		ofi_close(&o->ep);
		return err;
	}
	o->ep.caps = OFI_CAPS;
	if (o->carrier == OFI_READ)
		o->ep.caps = (OFI_CAPS | CAP_READ) & ~(CAP_RING | CAP_PAIR);
	if (o->carrier <= OFI_MSG)
		o->ep.caps |= CAP_EACH;
	o->ep.limits = (struct limits){ o->max_len, o->ep.limits.max_window, UINT64_MAX, SIZE_MAX };
	for (uint32_t i = 0; i < o->nrails; i++)
		warn_if_device_is_far(job->rank, "domain", o->rails[i].info->domain_attr->name,
				     ofi_numa_node(o->rails[i].info));
	*ep = &o->ep;
	return ST_OK;
}

void ofi_close(struct endpoint *ep)
{
	struct ofi *o = ofi_of(ep);

	if (!o)
		return;
	for (struct ofi_peer *p = o->peers; p && p < o->peers + o->ep.job->size; p++)
		free(p->targets);
	for (int i = 0; i < o->nother; i++)
		fi_close(&o->other[i].mr->fid);
	for (uint32_t i = 0; i < o->nrails; i++)
		ofi_close_rail(&o->rails[i]);
	if (o->arena.at)
		munmap(o->arena.at, o->arena.len);
	for (uint32_t i = 0; i < o->nchunks; i++)
		free(o->chunks[i]);
	free(o->chunks);
	free(o->plans);
	free(o->peers);
	free(o);
}
