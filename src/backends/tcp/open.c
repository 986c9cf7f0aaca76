/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connections of backend `tcp`. Every rank listens, connects to the ranks below it and to
 * itself, and accepts those above. A rank that connects must know the run's key, which the job
 * makes (job/job.h, net/rendezvous.h).
 */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backends/tcp/tcp.h"
#include "base/clock.h"
#include "base/error.h"
#include "job/local.h"
#include "net/rendezvous.h"

#define ADDRESSES 6
#define REACH_S 20.0		/* to reach all ranks */

static const char *const family_names[] = { "auto", "4", "6", NULL };
static const int families[] = { AF_UNSPEC, AF_INET, AF_INET6 };

const struct opt tcp_options[] = {
	{ 0, "tcp-wait", "how", OPT_CHOICE, offsetof(struct tcp_opts, wait), .def = "auto",
	  .choices = wait_names,
	  .help = "waiting for a message: spin, yield (the processor between polls), block (asleep "
		  "in poll), auto: spin, yield, then block" },
	{ 0, "tcp-sndbuf", "size", OPT_SIZE, offsetof(struct tcp_opts, sndbuf), .def = "auto",
	  .min = 1024, .max = 1 << 30, .word = "auto",
	  .help = "send buffer of each connection; auto: the kernel's choice" },
	{ 0, "tcp-rcvbuf", "size", OPT_SIZE, offsetof(struct tcp_opts, rcvbuf), .def = "auto",
	  .min = 1024, .max = 1 << 30, .word = "auto",
	  .help = "receive buffer of each connection; auto: the kernel's choice" },
	{ 0, "tcp-interface", "name", OPT_TEXT, offsetof(struct tcp_opts, interface),
	  .help = "network interface to be reached at; by default the one whose network the other "
		  "rank is in" },
	{ 0, "tcp-address", "address", OPT_TEXT, offsetof(struct tcp_opts, address),
	  .help = "address of this host to be reached at, where hosts differ given by each" },
	{ 0, "tcp-congestion", "name", OPT_TEXT, offsetof(struct tcp_opts, congestion),
	  .help = "congestion control, as in /proc/sys/net/ipv4/tcp_available_congestion_control" },
	{ 0, "tcp-family", "version", OPT_CHOICE, offsetof(struct tcp_opts, family), .def = "auto",
	  .choices = family_names, .help = "version of IP" },
	{ 0 },
};

/* What each rank tells the others. */
struct card {
	char host[64];
	char network[NETWORK_ID];
	int n;
	struct local_addr at[ADDRESSES];
};

int tcp_probe(const void *options, char *why, size_t len)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)options;
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
	(void)options;
	(void)nranks;
	return arguments_exclude(given, "tcp-interface", "tcp-address");
}

/* Sets options that must be set before connecting, so that the ends agree on the window scale. */
static int set_up(int fd, const void *options)
{
	const struct tcp_opts *o = options;
	int snd = (int)o->sndbuf, rcv = (int)o->rcvbuf;
	const char *cc = o->congestion;

	if (o->sndbuf != OPT_AUTO && setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &snd, sizeof(snd)))
		return error_report("cannot set a send buffer of %d bytes: %s", snd,
				    strerror(errno));
	if (o->rcvbuf != OPT_AUTO && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcv, sizeof(rcv)))
		return error_report("cannot set a receive buffer of %d bytes: %s", rcv,
				    strerror(errno));
	if (cc && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, cc, (socklen_t)strlen(cc)))
		return error_unavailable("congestion control '%s' is not available: %s", cc,
					 strerror(errno));
	return ST_OK;
}

/* This rank's addresses: from the options, the loopback if all ranks share it, or all. */
static int find_addresses(const struct tcp_opts *o, struct card *mine, bool alone)
{
	const char *of_version = o->family ? " of this version of IP" : "";
	int family = families[o->family];
	char why[128];

	if (o->address) {
		mine->n = net_resolve(o->address, 0, family, &mine->at[0].addr, 1, why,
				      sizeof(why));
		if (mine->n <= 0)
			return error_report("cannot resolve address '%s' of '--tcp-address': %s",
					    o->address, mine->n ? why : "no address");
		return ST_OK;
	}
	if (alone && !o->interface)	/* one, so that it listens at no other */
		mine->n = net_local("lo", family == AF_UNSPEC ? AF_INET : family, mine->at, 1);
	if (!mine->n)
		mine->n = net_local(alone && !o->interface ? "lo" : o->interface, family, mine->at,
				    ADDRESSES);
	if (mine->n)
		return ST_OK;
	if (o->interface)
		return error_unavailable("interface '%s' of '--tcp-interface' has no address%s, or "
					 "is not up", o->interface, of_version);
	return error_report("this host has no address%s", of_version);
}

/* Listens at this rank's address if it has only one, else at all of this host. */
static int listen_for(const struct tcp_opts *o, struct card *mine, int nranks, int *fd)
{
	struct addr list[ADDR_ANY], bound;
	int err;

	addr_any(0, list);
	if (mine->n == 1)
		list[0] = mine->at[0].addr;
	*fd = net_listen(list, mine->n == 1 ? 1 : ADDR_ANY, nranks, &bound);
	if (*fd < 0)
		return error_report("cannot listen%s%s: %s", o->address ? " at " : "",
				    o->address ? o->address : "", strerror(-*fd));
	err = set_up(*fd, o);
	for (int i = 0; i < mine->n && !err; i++)
		addr_set_port(&mine->at[i].addr, addr_port(&bound));
	return err;
}

static bool addr_same(const struct addr *a, const struct addr *b)
{
	return addr_same_net(a, b, b->a.ss_family == AF_INET ? 32 : 128);
}

/* True if this host also has that address, such as a bridge's, so it reaches no other host. */
static bool is_own(const struct addr *theirs, const struct card *card, const struct card *mine)
{
	if (!strcmp(card->network, mine->network))
		return false;
	for (int i = 0; i < mine->n; i++)
		if (addr_same(&mine->at[i].addr, theirs))
			return true;
	return false;
}

/* Connects to a rank; tries its addresses repeatedly until `until`. */
static int connect_to(struct tcp *t, int rank, const struct card *card, const struct card *mine,
		      const struct secret *secret, double until)
{
	struct addr list[ADDRESSES];
	struct visit v = { .at = list, .secret = secret, .rank = t->ep.job->rank, .retry = 0.02,
			   .patience = HANDSHAKE_PATIENCE_S, .prepare = set_up, .arg = t->options };
	struct channel c;
	struct answer a;
	int n = net_near_first(card->at, card->n, mine->at, mine->n, list), err;

	for (int i = 0; i < n; i++)
		if (!is_own(&list[i], card, mine))
			list[v.n++] = list[i];
	err = handshake_connect(&v, until, &a, &c);
	if (err)
		return error_report("rank %d on host '%s' cannot reach rank %d on host '%s' by "
				    "TCP: %s", t->ep.job->rank, mine->host, rank, card->host,
				    err == -EACCES ? a.text : strerror(-err));
	t->peers[rank].out = t->peers[rank].in = c.fd;	/* what is measured goes in clear */
	return ST_OK;
}

/* Connects to itself: sends and receives a key, as the handshake would wait for itself. */
static int connect_self(struct tcp *t, const struct card *mine, int door)
{
	struct tcp_peer *p = &t->peers[t->ep.job->rank];
	unsigned char got[16];
	double until = clock_wall() + 5;
	struct secret s;

	if (secret_make(&s))
		return ST_FAILED;
	p->out = net_connect(&mine->at[0].addr, until, set_up, t->options);
	if (p->out < 0)
		return error_report("rank %d cannot connect to itself: %s", t->ep.job->rank,
				    strerror(-p->out));
	net_write(p->out, s.key, sizeof(got), until);
	for (;;) {
		if (!net_wait(door, POLLIN, until))
			return error_report("rank %d cannot connect to itself", t->ep.job->rank);
		p->in = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (p->in < 0 && errno != EAGAIN)
			return error_report("rank %d cannot connect to itself: %s", t->ep.job->rank,
					    strerror(errno));
		if (p->in >= 0 && !net_read(p->in, got, sizeof(got), clock_wall() + 1) &&
		    !memcmp(s.key, got, sizeof(got)))
			return ST_OK;
		if (p->in >= 0)
			close(p->in);
		p->in = -1;
	}
}

/* Connects all ranks; the listening socket fd is closed. */
static int make_mesh(struct tcp *t, const struct card *cards, const struct secret *secret, int fd)
{
	int me = t->ep.job->rank, size = t->ep.job->size, one = 1;
	double until = clock_wall() + REACH_S;
	struct meeting *door = meeting_open(fd, secret, me + 1, size);
	int err = door ? ST_OK : ST_FAILED;

	for (int r = 0; r < me && !err; r++)
		err = connect_to(t, r, &cards[r], &cards[me], secret, until);
	for (int r = me + 1; r < size && !err; r++) {
		struct guest g;

		if (meeting_seat(door, until, NULL, 0, &g))
			t->peers[g.rank].out = t->peers[g.rank].in = g.channel.fd;
		else
			err = error_report("rank %d on host '%s' was not reached by all ranks "
					   "within %g s%s%s", me, t->host[me], REACH_S,
					   meeting_lacks(door) ? ": " : "",
					   meeting_lacks(door) ? meeting_lacks(door) : "");
	}
	meeting_close(door);
	for (int r = 0; r < size && !err; r++) {
		setsockopt(t->peers[r].out, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		setsockopt(t->peers[r].in, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	}
	return err;
}

/* Ranks exchange cards twice: the hosts of all decide at which addresses each listens. */
static int open_mesh(struct tcp *t)
{
	struct job *job = t->ep.job;
	size_t bytes = (size_t)job->size * sizeof(struct card);
	struct card mine = { .n = 0 }, *cards = malloc(bytes);
	struct secret secret = { .len = JOB_KEY };
	bool alone = true;
	int fd = -1, err;

	if (!cards)
		return error_report("no memory for %d peers", job->size);
	gethostname(mine.host, sizeof(mine.host) - 1);
	strcpy(mine.network, local_network_id());
	memcpy(cards, job->kind->allgather(job, &mine, sizeof(mine)), bytes);
	for (int r = 0; r < job->size; r++) {
		alone = alone && !strcmp(cards[r].network, mine.network);
		memcpy(t->host[r], cards[r].host, sizeof(t->host[r]));
	}
	err = job_key(job, "mesh of backend tcp", secret.key);
	if (!err)
		err = find_addresses(t->options, &mine, alone);
	if (!err)
		err = listen_for(t->options, &mine, job->size + 1, &fd);
	if (!err)	/* before other ranks know where this rank listens */
		err = connect_self(t, &mine, fd);
	if (!err) {
		memcpy(cards, job->kind->allgather(job, &mine, sizeof(mine)), bytes);
		err = make_mesh(t, cards, &secret, fd);
	}
	explicit_bzero(&secret, sizeof(secret));
	free(cards);
	return err;
}

void tcp_close(struct endpoint *ep)
{
	struct tcp *t = tcp_of(ep);

	if (!t)
		return;
	for (int r = 0; t->peers && r < t->ep.job->size; r++) {
		struct tcp_peer *p = &t->peers[r];

		if (p->in >= 0)
			close(p->in);
		if (p->out >= 0 && p->out != p->in)
			close(p->out);
		free(p->stage_in);
		free(p->stage_out);
	}
	free(t->peers);
	free(t->active);
	free(t->polled);
	pool_free(&t->pool);
	free(t->host);
	free(t);
}

static int make_peers(struct tcp *t)
{
	size_t n = (size_t)t->ep.job->size;

	t->peers = calloc(n, sizeof(*t->peers));
	t->active = calloc(n, sizeof(*t->active));
	t->polled = calloc(2 * n, sizeof(*t->polled));
	t->host = calloc(n, sizeof(*t->host));
	if (!t->peers || !t->active || !t->polled || !t->host)
		return error_report("no memory for %zu peers", n);
	for (size_t i = 0; i < n; i++)	/* before any return: tcp_close looks at all */
		t->peers[i].in = t->peers[i].out = -1;
	for (size_t i = 0; i < n; i++) {
		t->peers[i].stage_in = malloc(TCP_STAGE);
		t->peers[i].stage_out = malloc(TCP_STAGE);
		if (!t->peers[i].stage_in || !t->peers[i].stage_out)
			return error_report("no memory for %zu peers", n);
	}
	return ST_OK;
}

/* Bytes of a socket's buffer, SO_SNDBUF or SO_RCVBUF; -1: unknown. */
static int buffer_of(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

/* Warns of a buffer that the kernel has cut to its own limit. */
static void judge_buffer(int fd, int name, uint64_t asked, const char *what, const char *limit)
{
	int bytes = buffer_of(fd, name);

	if (asked != OPT_AUTO && bytes >= 0 && (uint64_t)bytes < asked)
		error_warn("%s buffers have %d bytes, fewer than the %llu asked for: raise %s",
			   what, bytes, (unsigned long long)asked, limit);
}

int tcp_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct tcp *t = calloc(1, sizeof(*t));
	int err;

	(void)heap;
	if (!t)
		return error_report("no memory for backend 'tcp'");
	net_raise_files(2 * (size_t)job->size + 64);
	t->ep = (struct endpoint){ .job = job, .caps = TCP_CAPS,
				   .limits = { SIZE_MAX / 4, UINT32_MAX / 4, UINT64_MAX, SIZE_MAX },
				   .tick_s = host_clock.tick_s };
	t->options = options;
	/* 2000 polls of some 200 ns, about 0.5 ms; none if ranks share cores */
	t->patience = patience_of((enum waiting)t->options->wait,
				  job->local_size <= job->cpus ? (struct patience){ 2000, 50 }
							       : (struct patience){ 1, 10 });
	err = make_peers(t);
	if (!err)
		err = open_mesh(t);
	if (err) {
		tcp_close(&t->ep);
		return err;
	}
	if (job->rank == 0) {
		int fd = t->peers[0].out;

		judge_buffer(fd, SO_SNDBUF, t->options->sndbuf, "send", "net.core.wmem_max");
		judge_buffer(fd, SO_RCVBUF, t->options->rcvbuf, "receive", "net.core.rmem_max");
	}
	*ep = &t->ep;
	return ST_OK;
}

/* The interface that has an address; "" if none has. */
static void interface_of(const struct addr *a, char name[16])
{
	struct local_addr all[32];
	static const char *const groups[] = { NULL, "lo" };

	name[0] = '\0';
	for (size_t g = 0; g < 2; g++)
		for (int i = net_local(groups[g], AF_UNSPEC, all, 32); i-- > 0;)
			if (addr_same(&all[i].addr, a))
				memcpy(name, all[i].interface, 16);
}

static int mtu_of(const char *interface)
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

static void describe_ends(int fd, struct facts *f)
{
	struct addr here = { .len = sizeof(here.a) }, there = { .len = sizeof(there.a) };
	char text[ADDR_TEXT], interface[16];

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
	interface_of(&here, interface);
	fact_text(f, "interface", *interface ? interface : "unknown");
	if (mtu_of(interface) > 0)
		fact_int(f, "interface_mtu_B", mtu_of(interface));
}

/* Of the connection between ranks 0 and 1, or of rank 0 with itself. */
void tcp_describe(struct endpoint *ep, struct facts *f)
{
	struct tcp *t = tcp_of(ep);
	const char *how = wait_texts[t->options->wait];
	int fd = t->peers[ep->job->size > 1 ? 1 : 0].out;
	char text[64] = "";
	struct tcp_info info = { .tcpi_snd_mss = 0 };
	socklen_t len = sizeof(text) - 1;

	snprintf(text, sizeof(text), "a connection a pair, waiting: %s", how);
	fact_text(f, "method", text);
	fact_text(f, "waiting", how);
	describe_ends(fd, f);
	memset(text, 0, sizeof(text));
	if (!getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, text, &len))
		fact_text(f, "congestion_control", text);
	len = sizeof(info);
	if (!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len)) {
		fact_int(f, "mss_B", info.tcpi_snd_mss);
		fact_int(f, "path_mtu_B", info.tcpi_pmtu);
	}
	fact_int(f, "sndbuf_B", buffer_of(fd, SO_SNDBUF));
	fact_int(f, "rcvbuf_B", buffer_of(fd, SO_RCVBUF));
	fact_text(f, "buffers", t->options->sndbuf == OPT_AUTO && t->options->rcvbuf == OPT_AUTO ?
			  "as the connection began; the kernel tunes them" :
			  "as asked for by option, which the kernel doubles or cuts");
	fact_int(f, "header_B", TCP_HEAD);
}

int tcp_counters(struct endpoint *ep, struct counter *c)
{
	struct tcp *t = tcp_of(ep);

	c[0] = (struct counter){ "tcp_retransmissions", 0, true };
	c[1] = (struct counter){ "tcp_segments_sent", 0, false };
	for (int r = 0; r < ep->job->size; r++) {
		struct tcp_info info = { .tcpi_total_retrans = 0 };
		struct tcp_peer *p = &t->peers[r];
		socklen_t len = sizeof(info);

		if (getsockopt(p->out, IPPROTO_TCP, TCP_INFO, &info, &len))
			continue;
		/* 32 bits each: their difference to the first reading holds when they wrap */
		if (!p->counted)
			p->before = (struct tcp_counts){ info.tcpi_total_retrans,
							 info.tcpi_segs_out };
		p->counted = true;
		c[0].value += (uint32_t)(info.tcpi_total_retrans - p->before.retransmissions);
		c[1].value += (uint32_t)(info.tcpi_segs_out - p->before.segments);
	}
	return 2;
}
