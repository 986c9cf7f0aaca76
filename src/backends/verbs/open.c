/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: defines its options, chooses a device, port and GID, and opens and closes the
 * endpoint.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/record.h"

#define HUGE_PAGE (2U << 20)
/*
 * inline length to request, bytes: the length that perftest requests; devices grant about that
 * length at no cost
 */
#define INLINE_WISH 220

static const char *const transport_names[] = { "rc", "uc", "ud", NULL };
static const char *const op_names[] = { "send", "write", "write-imm", "read", NULL };
static const char *const connect_names[] = { "lazy", "eager", NULL };
static const char *const byte_names[] = { "auto", "always", "never", NULL };

const struct opt verbs_options[] = {
	{ 0, "device", "list", OPT_TEXT, offsetof(struct verbs_opts, device),
	  .help = "RDMA devices of this host, which its ranks use in turn; by default the first "
		  "with an active port" },
	{ 0, "port", "number", OPT_UINT, offsetof(struct verbs_opts, port), .def = "auto", .min = 1,
	  .max = 255, .word = "auto",
	  .help = "port of the device; auto: the first that is active" },
	{ 0, "gid", "index", OPT_UINT, offsetof(struct verbs_opts, gid), .def = "auto", .min = 0,
	  .max = 255, .word = "auto",
	  .help = "index of the GID; auto: a GID of RoCE v2, preferably with the IPv4 address from "
		  "which this host reaches the others, else with any IPv4 address, else the "
		  "first; none on InfiniBand" },
	{ 0, "transport", "name", OPT_CHOICE, offsetof(struct verbs_opts, transport), .def = "rc",
	  .choices = transport_names,
	  .help = "queue pairs that carry rounds: rc (reliable), uc (unacknowledged), ud "
		  "(datagrams of at most the path's MTU, losses counted)" },
	{ 0, "op", "name", OPT_CHOICE, offsetof(struct verbs_opts, op), .def = "send",
	  .choices = op_names,
	  .help = "operation that carries a message: send, write (only the last message of a step "
		  "has immediate data, which tells the receiver), write-imm (every message has), "
		  "read (latency, msgrate and bandwidth: the timed rank reads)" },
	{ 0, "last-byte", "when", OPT_CHOICE, offsetof(struct verbs_opts, last_byte), .def = "auto",
	  .choices = byte_names,
	  .help = "when the receiver detects a written message by polling its last byte, where "
		  "steps are single messages; auto: if the device promises to write in order" },
	{ 0, "inline", "bytes", OPT_SIZE, offsetof(struct verbs_opts, inlined), .def = "auto",
	  .min = 0, .max = 4096, .word = "auto",
	  .help = "longest message copied into its work request; auto: 220, or less if the device "
		  "grants less" },
	{ 0, "tx-depth", "count", OPT_UINT, offsetof(struct verbs_opts, tx_depth), .def = "1024",
	  .min = 16, .max = 65536,
	  .help = "work requests that a send queue holds; this limits the window" },
	{ 0, "rx-depth", "count", OPT_UINT, offsetof(struct verbs_opts, rx_depth), .def = "1024",
	  .min = 16, .max = 65536, .help = "receives posted in advance" },
	{ 0, "mtu", "bytes", OPT_SIZE, offsetof(struct verbs_opts, mtu), .def = "auto", .min = 256,
	  .max = 4096, .word = "auto",
	  .help = "most bytes per packet: 256, 512, 1024, 2048 or 4096; auto: the port's MTU; the "
		  "smaller value of both ends is used" },
	{ 0, "connect", "when", OPT_CHOICE, offsetof(struct verbs_opts, connect), .def = "lazy",
	  .choices = connect_names,
	  .help = "when two ranks connect their queue pairs: lazy (when they first need each "
		  "other, outside the timed part), eager (all at the start)" },
	{ 0, "hugepages", NULL, OPT_FLAG, offsetof(struct verbs_opts, hugepages),
	  .help = "allocate memory in pages of 2 MiB if the system has them; the page size "
		  "obtained is recorded" },
	{ 0, "events", NULL, OPT_FLAG, offsetof(struct verbs_opts, events),
	  .help = "sleep until the device interrupts, instead of polling" },
	{ 0, "same-buffer", NULL, OPT_FLAG, offsetof(struct verbs_opts, same_buffer),
	  .help = "use the same bytes for every message; by default short messages use the cache "
		  "lines of a page in turn" },
	{ 0 },
};

int verbs_report_failure(const struct verbs *v, const char *what, int err)
{
	struct rlimit lock = { 0, 0 };
	const char *device = v->ctx ? ibv_get_device_name(v->ctx->device) : "?";

	err = err < 0 ? -err : err;
	getrlimit(RLIMIT_MEMLOCK, &lock);
	if (err == ENOMEM && lock.rlim_cur != RLIM_INFINITY)
		return error_report("device '%s': %s failed: %s; at most %llu KiB may be locked, "
				    "see 'ulimit -l'", device, what, strerror(err),
				    (unsigned long long)lock.rlim_cur / 1024);
	return error_report("device '%s': %s failed: %s", device, what, strerror(err));
}

/* ---- which device ---- */

int verbs_probe(const void *options, char *why, size_t len)
{
	int n = 0;
	struct ibv_device **list = ibv_get_device_list(&n);

	if (list)
		ibv_free_device_list(list);
	if (!n)
		snprintf(why, len, "no RDMA device");
	return n ? 0 : -1;
}

int verbs_check(void *options, const struct arguments *given, int nranks)
{
	const struct verbs_opts *o = options;

	if (o->mtu != OPT_AUTO && (o->mtu & (o->mtu - 1)))
		return error_usage("value '%llu' of '--mtu' is not one of 256, 512, 1024, 2048, "
				   "4096", (unsigned long long)o->mtu);
	if (o->transport == VERBS_UD && o->op != VERBS_SEND)
		return error_usage("'--transport ud' has no '--op %s': datagrams can only be sent",
				   op_names[o->op]);
	if (o->transport == VERBS_UC && o->op == VERBS_READ)
		return error_usage("'--transport uc' has no '--op read'");
	if (arguments_given(given, "last-byte") && o->op != VERBS_WRITE)
		return error_usage("'--last-byte' needs '--op write'");
	if (o->last_byte == LAST_BYTE_ALWAYS && o->events)
		return error_usage("'--last-byte always' and '--events' exclude each other: no "
				   "event announces a byte in memory");
	if (arguments_given(given, "inline") && o->op == VERBS_READ)
		return error_usage("'--inline' has no meaning with '--op read': the work request "
				   "of a read contains no message");
	if (arguments_given(given, "predict") && !arguments_given(given, "like") &&
	    o->transport != VERBS_RC)
		return error_usage("'--predict' needs '--transport rc' or '--like': its model "
				   "describes only messages over RC");
	return ST_OK;
}

/*
 * Opens a device and finds the requested port. If no port is requested, finds the device's first
 * active port. Closes the device again if no such port is active.
 */
static void open_active_port(struct verbs *v, struct ibv_device *device)
{
	uint64_t only = v->options->port;

	v->ctx = ibv_open_device(device);
	if (!v->ctx)
		return;
	if (ibv_query_device(v->ctx, &v->dev))
		v->dev.phys_port_cnt = 0;
	for (uint8_t i = 1; i <= v->dev.phys_port_cnt; i++) {
		v->port_num = i;
		if ((only == OPT_AUTO || i == only) && !ibv_query_port(v->ctx, i, &v->port) &&
		    v->port.state == IBV_PORT_ACTIVE)
			return;
	}
	ibv_close_device(v->ctx);
	v->ctx = NULL;
}

static int open_device(struct verbs *v)
{
	int n = 0, found = 0;
	struct ibv_device **list = ibv_get_device_list(&n);
	char name[IBV_SYSFS_NAME_MAX] = "", which[sizeof(name) + 4] = "";

	if (v->options->device)
		pick_from_list(v->options->device, v->ep.job->local_rank, name, sizeof(name));
	if (*name)
		snprintf(which, sizeof(which), " '%s'", name);
	for (int i = 0; i < n && !v->ctx; i++) {
		if (*name && strcmp(name, ibv_get_device_name(list[i])))
			continue;
		found++;
		open_active_port(v, list[i]);
	}
	if (list)
		ibv_free_device_list(list);
	if (v->ctx)
		return ST_OK;
	if (!found)
		return error_unavailable("no RDMA device%s; 'ibv_devices' lists the devices",
					 which);
	if (v->options->port != OPT_AUTO)
		return error_unavailable("no RDMA device%s has an active port %llu", which,
					 (unsigned long long)v->options->port);
	return error_unavailable("no port of RDMA device%s is active: is its cable plugged, "
				 "its interface up?", *which ? which : "s");
}

/* ---- which GID ---- */

/*
 * Returns the grade of a GID for RoCE, of which the highest is best: 4 for RoCE v2 with IPv4, 3 for
 * v2 with IPv6, 2 for v2 with a link-local address, 1 for v1, 0 for others.
 */
static int grade_gid(const struct ibv_gid_entry *e)
{
	static const uint8_t ipv4[12] = { [10] = 0xff, [11] = 0xff };
	bool link_local = e->gid.raw[0] == 0xfe && e->gid.raw[1] == 0x80;

	if (e->gid_type == IBV_GID_TYPE_ROCE_V2)
		return !memcmp(e->gid.raw, ipv4, sizeof(ipv4)) ? 4 : link_local ? 2 : 3;
	return e->gid_type == IBV_GID_TYPE_ROCE_V1 ? 1 : 0;
}

static int choose_gid(struct verbs *v, union ibv_gid *gid)
{
	const char *device = ibv_get_device_name(v->ctx->device);
	struct ibv_gid_entry e;
	int best = -1;

	if (v->options->gid != OPT_AUTO) {
		v->gid_index = (int)v->options->gid;
		if (ibv_query_gid_ex(v->ctx, v->port_num, (uint32_t)v->gid_index, &e, 0))
			return error_unavailable("device '%s' has no GID %d on port %u; "
						 "'show_gids' or /sys/class/infiniband/%s/ports/%u/"
						 "gids list them", device, v->gid_index,
						 v->port_num, device, v->port_num);
		*gid = e.gid;
		return ST_OK;
	}
	for (int i = 0; i < v->port.gid_tbl_len; i++) {
		if (ibv_query_gid_ex(v->ctx, v->port_num, (uint32_t)i, &e, 0) ||
		    grade_gid(&e) <= best)
			continue;
		best = grade_gid(&e);
		v->gid_index = i;
		*gid = e.gid;
	}
	if (best < 0 && v->port.link_layer == IBV_LINK_LAYER_ETHERNET)
		return error_unavailable("device '%s' has no GID on port %u: has its interface an "
					 "address?", device, v->port_num);
	return ST_OK;
}

/*
 * Finds the local address from which this host would send to the address in GID *to. Stores that
 * address as a GID in *from. Returns false if no route exists.
 */
static bool find_source_gid(const union ibv_gid *to, union ibv_gid *from)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons(4791) };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), off = 0;
	bool ok;

	memcpy(&a.sin6_addr, to->raw, 16);
	setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	ok = fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof(a)) &&
	     !getsockname(fd, (struct sockaddr *)&a, &len);
	if (fd >= 0)
		close(fd);
	memcpy(from->raw, &a.sin6_addr, 16);
	return ok;
}

/* ---- memory ---- */

/*
 * Allocates and registers the memory for transfers. Other ranks may read this memory, because they
 * read the long messages of message operations. They may write it if rounds, or the measurement of
 * the model's parameters, need writes.
 */
static int create_arena(struct verbs *v, size_t heap)
{
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
		     (v->options->op == VERBS_READ ? 0 : IBV_ACCESS_REMOTE_WRITE);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS, huge = MAP_HUGETLB | 21 << MAP_HUGE_SHIFT;
	size_t len = heap + VERBS_SCRATCH + 16 * BACKEND_PAGE;
	char *at = MAP_FAILED;

	len = (len + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	v->pages = "pages of the system's usual size";
	if (v->options->hugepages) {
		v->pages = "2 MiB pages";
		at = mmap(NULL, len, PROT_READ | PROT_WRITE, flags | huge, -1, 0);
	}
	if (at == MAP_FAILED && v->options->hugepages) {
		v->pages = "pages of the system's usual size; no 2 MiB pages were available";
		error_warn("too few pages of 2 MiB for %zu MiB: see vm.nr_hugepages", len >> 20);
	}
	if (at == MAP_FAILED)
		at = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (at == MAP_FAILED)
		return error_report("no memory for %zu MiB of messages", len >> 20);
	v->arena = (struct arena){ at, len, VERBS_SCRATCH };
	v->mr = ibv_reg_mr(v->pd, at, len, access);
	return v->mr ? ST_OK : verbs_report_failure(v, "registering memory", errno);
}

void *verbs_alloc(struct endpoint *ep, size_t len)
{
	return arena_take(&verbs_of(ep)->arena, len);
}

/* ---- opening ---- */

static uint32_t limit_to(uint64_t wish, int64_t most)
{
	return most > 0 && wish > (uint64_t)most ? (uint32_t)most : (uint32_t)wish;
}

static int create_queues(struct verbs *v)
{
	int64_t each = (int64_t)v->tx_depth + v->rx_depth, all = each * v->ep.job->size;
	int cqe = (int)limit_to(limit_to((uint64_t)all, 65536), v->dev.max_cqe), flags;

	if (v->options->events)
		v->events = ibv_create_comp_channel(v->ctx);
	v->pd = ibv_alloc_pd(v->ctx);
	v->cq = ibv_create_cq(v->ctx, cqe, NULL, v->events, 0);
	v->msg_cq = ibv_create_cq(v->ctx, (int)limit_to(65536, v->dev.max_cqe), NULL, v->events, 0);
	if (!v->pd || !v->cq || !v->msg_cq || (v->options->events && !v->events))
		return verbs_report_failure(v, "making completion queues", errno);
	v->cq_half = (uint32_t)cqe / 2;
	/* leaves room for the sends to a lost rank: all of them complete, even unsignalled ones */
	if (v->may_lose)
		v->tx_depth = limit_to(v->tx_depth, v->cq_half);
	flags = fcntl(v->ctx->async_fd, F_GETFL);
	fcntl(v->ctx->async_fd, F_SETFL, flags | O_NONBLOCK);
	v->chain = calloc(v->tx_depth, sizeof(*v->chain));
	v->sges = calloc(v->tx_depth, sizeof(*v->sges));
	if (!v->chain || !v->sges)
		return error_report("no memory for %u work requests", v->tx_depth);
	return ST_OK;
}

/*
 * Chooses the GID whose address the kernel uses to reach another host. Keeps the earlier choice if
 * there is no such GID.
 */
static void choose_routed_gid(struct verbs *v, struct verbs_card *mine)
{
	struct ibv_gid_entry e;
	union ibv_gid from;
	int r = 0;

	if (v->options->gid != OPT_AUTO || v->port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return;
	while (r < v->ep.job->size && (!strcmp(v->cards[r].machine, mine->machine) ||
				       !find_source_gid(&v->cards[r].gid, &from)))
		r++;
	for (int i = 0; r < v->ep.job->size && i < v->port.gid_tbl_len; i++)
		if (!ibv_query_gid_ex(v->ctx, v->port_num, (uint32_t)i, &e, 0) &&
		    e.gid_type == IBV_GID_TYPE_ROCE_V2 && !memcmp(&e.gid, &from, sizeof(from))) {
			v->gid_index = i;
			mine->gid = from;
			return;
		}
}

/* Exchanges the cards of all ranks, which ranks need to connect. Collective. */
static int exchange_cards(struct verbs *v)
{
	struct verbs_card mine = {
		.rkey = v->mr->rkey, .ud_qpn = v->ud->qp_num, .lid = v->port.lid,
		.mtu = (uint8_t)v->mtu, .link = v->port.link_layer,
		.reads = (uint8_t)(v->dev.max_qp_rd_atom < 255 ? v->dev.max_qp_rd_atom : 255)
	};
	struct job *job = v->ep.job;
	size_t n = (size_t)job->size;
	int err = choose_gid(v, &mine.gid);

	if (err)
		return err;
	gethostname(mine.host, sizeof(mine.host) - 1);
	snprintf(mine.machine, sizeof(mine.machine), "%s", local_machine_id());
	snprintf(mine.device, sizeof(mine.device), "%s", ibv_get_device_name(v->ctx->device));
	/* in the second exchange, each card has the GID that fits the GIDs of the other ranks */
	for (int turn = 0; turn < 2; turn++) {
		if (turn)
			choose_routed_gid(v, &mine);
		memcpy(v->cards, job->kind->allgather(job, &mine, sizeof(mine)), n * sizeof(mine));
		for (size_t r = 0; r < n; r++)
			if (v->cards[r].link != mine.link)
				return error_report("rank %d's device '%s' and rank %zu's '%s' are "
						    "of different kinds: InfiniBand and Ethernet",
						    job->rank, mine.device, r, v->cards[r].device);
	}
	return ST_OK;
}

/*
 * Opens the device and its queues. Then connects ranks: all of them with `--connect eager`, else
 * only the two ranks that the record describes.
 */
static int open_resources(struct verbs *v, size_t heap)
{
	int me = v->ep.job->rank, size = v->ep.job->size, err = open_device(v);

	if (err)
		return err;
	v->datagram = v->options->transport == VERBS_UD;
	v->recv_sges = v->options->op != VERBS_SEND ? 0 : v->datagram ? 2 : 1;
	v->tx_depth = limit_to(v->options->tx_depth, v->dev.max_qp_wr);
	v->rx_depth = limit_to(v->options->rx_depth, v->dev.max_qp_wr);
	v->inlined = v->options->inlined == OPT_AUTO ? INLINE_WISH : (uint32_t)v->options->inlined;
	v->reads = (uint32_t)(v->dev.max_qp_init_rd_atom < 255 ? v->dev.max_qp_init_rd_atom : 255);
	v->mtu = v->port.active_mtu;
	while (v->mtu > IBV_MTU_256 && 128U << v->mtu > v->options->mtu)
		v->mtu--;
	v->patience = patience_for(v->ep.job->local_size, v->ep.job->cpus);
	v->peers = calloc((size_t)size, sizeof(*v->peers));
	v->cards = calloc((size_t)size, sizeof(*v->cards));
	if (!v->peers || !v->cards)
		return error_report("no memory for %d peers", size);
	if ((err = job_run_number(v->ep.job, &v->run)))
		return err;
	v->qkey = (uint32_t)(v->run & 0x7fffffff) | 1;	/* the highest bit is reserved */
	if (create_queues(v) || create_arena(v, heap) || verbs_open_msgs(v) || verbs_open_hello(v))
		return ST_FAILED;
	err = exchange_cards(v);
	for (int r = 0; r < size && !err; r++)
		if (v->options->connect || (me < 2 && r == verbs_described_peer(v)))
			err = verbs_connect(v, r);
	return err;
}

int verbs_open(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct verbs *v = calloc(1, sizeof(*v));
	unsigned mtu;
	int err;

	if (!v)
		return error_report("no memory for backend 'verbs'");
	v->ep = (struct endpoint){ .job = job, .tick_s = host_clock.tick_s };
	v->options = options;
	v->may_lose = job->outlives && v->options->transport != VERBS_UD;
	err = open_resources(v, heap);
	if (err) {
		verbs_close(&v->ep);
		return err;
	}
	v->ep.caps = VERBS_CAPS;
	if (v->options->op == VERBS_READ)
		v->ep.caps = (VERBS_CAPS | CAP_READ) & ~(CAP_RING | CAP_PAIR);
	else if (v->options->transport == VERBS_RC)
		v->ep.caps |= CAP_ACKED;
	if (v->options->op == VERBS_SEND)
		v->ep.caps |= CAP_EACH;
	if (v->may_lose)
		v->ep.caps = (v->ep.caps | CAP_LOSS) & ~(CAP_MSG | CAP_ANY);
	mtu = v->mtu;	/* becomes the smallest MTU of all ranks' ports */
	for (int r = 0; r < job->size; r++)
		mtu = v->cards[r].mtu < mtu ? v->cards[r].mtu : mtu;
	v->ep.limits = (struct limits){ v->datagram ? 128U << mtu : v->port.max_msg_sz,
					v->tx_depth, UINT64_MAX, SIZE_MAX };
	warn_if_device_is_far(job->rank, "device", ibv_get_device_name(v->ctx->device),
			     verbs_numa_node(v));
	*ep = &v->ep;
	return ST_OK;
}

#define CLOSE(object, close)                                                                       \
	do {                                                                                       \
		if (object)                                                                        \
			close(object);                                                             \
	} while (0)

void verbs_close(struct endpoint *ep)
{
	struct verbs *v = verbs_of(ep);

	if (!v)
		return;
	for (struct verbs_peer *p = v->peers; p && p < v->peers + v->ep.job->size; p++) {
		CLOSE(p->ah, ibv_destroy_ah);
		CLOSE(p->data, ibv_destroy_qp);
		CLOSE(p->msg, ibv_destroy_qp);
		free(p->targets);
	}
	CLOSE(v->ud, ibv_destroy_qp);
	verbs_close_msgs(v);
	CLOSE(v->mr, ibv_dereg_mr);
	CLOSE(v->ud_mr, ibv_dereg_mr);
	CLOSE(v->cq, ibv_destroy_cq);
	CLOSE(v->msg_cq, ibv_destroy_cq);
	CLOSE(v->ud_cq, ibv_destroy_cq);
	CLOSE(v->ud_send_cq, ibv_destroy_cq);
	CLOSE(v->events, ibv_destroy_comp_channel);
	CLOSE(v->pd, ibv_dealloc_pd);
	CLOSE(v->ctx, ibv_close_device);
	if (v->arena.at)
		munmap(v->arena.at, v->arena.len);
	free(v->ud_mem);
	free(v->chain);
	free(v->sges);
	free(v->plans);
	free(v->peers);
	free(v->cards);
	free(v);
}
