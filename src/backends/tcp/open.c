/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `tcp`: its options, and the hooks that open, close and describe an endpoint. */
#include <net/if.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "backends/tcp/connect.h"
#include "backends/tcp/open.h"
#include "base/clock.h"

static const char *const family_names[] = { "auto", "4", "6", NULL };

const struct opt tcp_options[] = {
	{ 0, "tcp-wait", "how", OPT_CHOICE, offsetof(struct tcp_opts, wait), .def = "auto",
	  .choices = wait_names,
	  .help = "how a rank waits for a message: spin, yield (gives up the processor between "
		  "polls), block (sleeps in poll), auto (spin, yield, then block)" },
	{ 0, "tcp-sndbuf", "size", OPT_SIZE, offsetof(struct tcp_opts, sndbuf), .def = "auto",
	  .min = 1024, .max = 1 << 30, .word = "auto",
	  .help = "send buffer of each connection; auto: the kernel's choice" },
	{ 0, "tcp-rcvbuf", "size", OPT_SIZE, offsetof(struct tcp_opts, rcvbuf), .def = "auto",
	  .min = 1024, .max = 1 << 30, .word = "auto",
	  .help = "receive buffer of each connection; auto: the kernel's choice" },
	{ 0, "tcp-interface", "name", OPT_TEXT, offsetof(struct tcp_opts, interface),
	  .help = "network interface at which other ranks reach this one; by default the one in "
		  "the other rank's network" },
	{ 0, "tcp-address", "address", OPT_TEXT, offsetof(struct tcp_opts, address),
	  .help = "address at which other ranks reach this host; each host may be given its own" },
	{ 0, "tcp-congestion", "name", OPT_TEXT, offsetof(struct tcp_opts, congestion),
	  .help = "congestion control, one of those that the file "
		  "/proc/sys/net/ipv4/tcp_available_congestion_control lists" },
	{ 0, "tcp-family", "version", OPT_CHOICE, offsetof(struct tcp_opts, family), .def = "auto",
	  .choices = family_names, .help = "version of IP that connections use" },
	{ 0 },
};

int tcp_probe(const void *options, char *why, size_t len)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	fd = fd < 0 ? socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0) : fd;
	if (fd < 0) {
		snprintf(why, len, "no TCP sockets: %s", strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

int tcp_check(void *options, const struct arguments *given, int nranks)
{
	return arguments_exclude(given, "tcp-interface", "tcp-address");
}

void tcp_close(struct endpoint *ep)
{
	struct tcp *t = tcp_of(ep);

	if (!t)
		return;
	tcp_close_all(t);
	free(t->peers);
	free(t->t.active);
	free(t->polled);
	pool_free(&t->t.pool);
	free(t->host);
	free(t);
}

/* Returns the size in bytes of a socket's buffer (SO_SNDBUF or SO_RCVBUF), or -1 if unknown. */
static int read_buffer_size(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

/*
 * Warns if the kernel has made a socket's buffer smaller than `asked`, the size that the option
 * requests.
 */
static void warn_if_limited(int fd, int name, uint64_t asked, const char *what, const char *limit)
{
	int bytes = read_buffer_size(fd, name);

	if (asked != OPT_AUTO && bytes >= 0 && (uint64_t)bytes < asked)
		error_warn("%s buffers have %d bytes, fewer than the %llu requested: raise %s",
			   what, bytes, (unsigned long long)asked, limit);
}

int tcp_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct tcp *t = calloc(1, sizeof(*t));
	unsigned without = job->outlives ? CAP_MSG | CAP_ANY : CAP_LOSS;
	size_t n = (size_t)job->size;
	int err = ST_OK;

	if (!t)
		return error_report("no memory for backend 'tcp'");
	net_raise_file_limit(2 * (size_t)job->size + 64);
	t->t.ep = (struct endpoint){ .job = job,
				   .caps = TCP_CAPS & ~without,
				   .limits = { SIZE_MAX / 4, UINT32_MAX / 4, UINT64_MAX, SIZE_MAX },
				   .tick_s = host_clock.tick_s };
	t->options = options;
	/*
	 * A rank polls 2000 times, for about 200 ns each, before it yields: about 0.5 ms. If ranks
	 * share cores, it polls only once.
	 */
	t->t.patience = patience_of((enum waiting)t->options->wait,
				  job->local_size <= job->cpus ? (struct patience){ 2000, 50 }
							       : (struct patience){ 1, 10 });
	t->peers = calloc(n, sizeof(*t->peers));
	t->t.active = calloc(n, sizeof(*t->t.active));
	t->polled = calloc(2 * n, sizeof(*t->polled));
	t->host = calloc(n, sizeof(*t->host));
	/* tcp_close reads `in` and `out` of every peer */
	for (size_t i = 0; t->peers && i < n; i++)
		t->peers[i].in = t->peers[i].out = -1;
	/* with job->outlives, each round makes the connections that it needs */
	if (!job->outlives)
		err = net_check_file_limit((size_t)job->size + 3, job->rank, job->size,
					   "connections");
	if (!err && (!t->peers || !t->t.active || !t->polled || !t->host))
		err = error_report("no memory for %zu peers", n);
	if (!err)
		err = tcp_connect(t);
	if (err) {
		tcp_close(&t->t.ep);
		return err;
	}
	if (job->rank == 0) {
		int fd = t->peers[0].out;

		warn_if_limited(fd, SO_SNDBUF, t->options->sndbuf, "send", "net.core.wmem_max");
		warn_if_limited(fd, SO_RCVBUF, t->options->rcvbuf, "receive", "net.core.rmem_max");
	}
	*ep = &t->t.ep;
	return ST_OK;
}

/* Returns the MTU of a network interface in bytes, or -1 if unknown. */
static int read_mtu(const char *interface)
{
	struct ifreq r = { .ifr_mtu = 0 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -1;
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", interface);
	err = ioctl(fd, SIOCGIFMTU, &r);
	close(fd);
	return err ? -1 : r.ifr_mtu;
}

/*
 * Records both addresses of a connected socket, the interface of this end, and that interface's
 * MTU.
 */
static void describe_ends(int fd, struct facts *f)
{
	struct addr here = { .len = sizeof(here.a) }, there = { .len = sizeof(there.a) };
	static const char *const groups[] = { NULL, "lo" };
	char text[ADDR_TEXT], interface[16] = "";
	struct local_addr all[32];

	if (getsockname(fd, (struct sockaddr *)&here.a, &here.len) ||
	    getpeername(fd, (struct sockaddr *)&there.a, &there.len))
		return;
	addr_unmap(&here);
	addr_unmap(&there);
	addr_text(&here, text);
	fact_text(f, "local_address", text);
	addr_text(&there, text);
	fact_text(f, "peer_address", text);
	fact_int(f, "ip_version", here.a.ss_family == AF_INET6 ? 6 : 4);
	for (size_t g = 0; g < 2; g++)
		for (int i = net_local(groups[g], AF_UNSPEC, all, 32); i-- > 0;)
			if (addr_equal(&all[i].addr, &here))
				memcpy(interface, all[i].interface, 16);
	fact_text(f, "interface", *interface ? interface : "unknown");
	if (read_mtu(interface) > 0)
		fact_int(f, "interface_mtu_B", read_mtu(interface));
}

/*
 * Records the connection between ranks 0 and 1. If these are not connected, records rank 0's
 * connection to itself.
 */
void tcp_describe(struct endpoint *ep, struct facts *f)
{
	struct tcp *t = tcp_of(ep);
	const char *how = wait_texts[t->options->wait];
	int fd = t->peers[ep->job->size > 1 && !t->mesh ? 1 : 0].out;
	char text[96] = "";
	struct tcp_info info = { .tcpi_snd_mss = 0 };
	socklen_t len = sizeof(text) - 1;

	snprintf(text, sizeof(text), "one connection per pair of ranks%s, waiting: %s",
		 t->mesh ? " during its rounds" : "", how);
	fact_text(f, "method", text);
	fact_text(f, "waiting", how);
	describe_ends(fd, f);
	memset(text, 0, sizeof(text));
	if (!getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, text, &len))
		fact_text(f, "congestion_control", text);
	len = sizeof(info);
	if (!t->mesh && !getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len)) {
		fact_int(f, "mss_B", info.tcpi_snd_mss);
		fact_int(f, "path_mtu_B", info.tcpi_pmtu);
	}
	fact_int(f, "sndbuf_B", read_buffer_size(fd, SO_SNDBUF));
	fact_int(f, "rcvbuf_B", read_buffer_size(fd, SO_RCVBUF));
	fact_text(f, "buffers", t->options->sndbuf == OPT_AUTO && t->options->rcvbuf == OPT_AUTO ?
			  "initial sizes of the connection; the kernel tunes them" :
			  "requested by option; the kernel doubles or limits them");
	fact_int(f, "header_B", TCP_HEAD);
}

int tcp_counters(struct endpoint *ep, struct counter *c)
{
	struct tcp *t = tcp_of(ep);

	c[0] = (struct counter){ "tcp_retransmissions", 0, true };
	c[1] = (struct counter){ "tcp_segments_sent", 0, false };
	c[2] = (struct counter){ COUNTER_STRANGERS, tcp_count_strangers(t), false };
	c[0].value = (double)t->closed_retransmissions;
	c[1].value = (double)t->closed_segments;
	for (int r = 0; r < ep->job->size; r++) {
		struct tcp_peer *p = &t->peers[r];
		struct tcp_counts now = tcp_read_counts(p);

		/*
		 * The kernel's counts have 32 bits. Differences from the first reading stay right
		 * even after the counts have wrapped around.
		 */
		p->before = p->counted ? p->before : now;
		p->counted = true;
		c[0].value += (uint32_t)(now.retransmissions - p->before.retransmissions);
		c[1].value += (uint32_t)(now.segments - p->before.segments);
	}
	return 3;
}
