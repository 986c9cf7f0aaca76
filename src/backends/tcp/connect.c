/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connections of backend `tcp`. Every rank listens, connects to itself and to all lower ranks,
 * and accepts connections from all higher ranks. All connections are made when the endpoint opens.
 * In a run that continues after a loss (CAP_LOSS), each round's connections are made before that
 * round. To connect, a rank must know the run's key, which the job creates (job/job.h,
 * net/rendezvous.h).
 */
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/connect.h"
#include "base/clock.h"
#include "job/local.h"
#include "net/rendezvous.h"

#define ADDRESSES 6
#define REACH_S 20.0		/* longest time until all ranks are connected */

static const int families[] = { AF_UNSPEC, AF_INET, AF_INET6 };

/* A rank's addresses, which the rank sends to all other ranks. */
struct tcp_card {
	char host[64];
	char network[NETWORK_ID];
	int n;
	struct local_addr at[ADDRESSES];
};

/* The data needed to make connections. */
struct tcp_mesh {
	struct tcp_card *cards;		/* one for each rank */
	struct secret secret;
	struct meeting *door;		/* accepts connections from higher ranks */
	/* [rank]: the address at which the rank answered; len 0: none yet */
	struct addr *found;
};

/*
 * Sets those socket options that must be set before connecting, because these options decide on
 * which window scale both ends agree. Returns an exit status.
 */
static int set_options(int fd, const void *options)
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

/*
 * Stores this rank's addresses in *mine: the address in the options, or else the loopback address
 * if all ranks share this host (`one_host`), or else all addresses of this host. Returns an exit
 * status.
 */
static int find_addresses(const struct tcp_opts *o, struct tcp_card *mine, bool one_host)
{
	const char *with_version = o->family ? " of this version of IP" : "";
	int family = families[o->family];
	char why[128];

	if (o->address) {
		mine->n = net_resolve(o->address, 0, family, &mine->at[0].addr, 1, why,
				      sizeof(why));
		if (mine->n < 0)
			return error_report("cannot resolve address '%s' of '--tcp-address': %s",
					    o->address, why);
		return ST_OK;
	}
	/* one loopback address is enough, so the rank listens at no other address */
	if (one_host && !o->interface)
		mine->n = net_local("lo", family == AF_UNSPEC ? AF_INET : family, mine->at, 1);
	if (!mine->n)
		mine->n = net_local(one_host && !o->interface ? "lo" : o->interface, family,
				    mine->at, ADDRESSES);
	if (mine->n)
		return ST_OK;
	if (o->interface)
		return error_unavailable("interface '%s' of '--tcp-interface' is down or has no "
					 "address%s", o->interface, with_version);
	return error_report("this host has no address%s", with_version);
}

/*
 * Opens a socket that listens at this rank's address if the rank has a single address, else at all
 * addresses of this host. Stores the socket in *fd. Returns an exit status.
 */
static int listen_for_ranks(const struct tcp_opts *o, struct tcp_card *mine, int nranks, int *fd)
{
	struct addr list[ADDR_ANY], bound;

	addr_any(0, list);
	if (mine->n == 1)
		list[0] = mine->at[0].addr;
	*fd = net_listen(list, mine->n == 1 ? 1 : ADDR_ANY, nranks, &bound);
	if (*fd < 0)
		return error_report("cannot listen%s%s: %s", o->address ? " at " : "",
				    o->address ? o->address : "", strerror(-*fd));
	for (int i = 0; i < mine->n; i++)
		addr_set_port(&mine->at[i].addr, addr_port(&bound));
	return set_options(*fd, o);
}

/*
 * Connects to a rank. Tries its addresses repeatedly until clock_wall() reaches `until`. Returns
 * the socket, or -errno with the reason in `why`.
 */
static int connect_to_rank(struct tcp *t, int rank, double until, char why[HANDSHAKE_TEXT])
{
	const struct tcp_card *cards = t->mesh->cards, *card = &cards[rank];
	const struct tcp_card *mine = &cards[t->t.ep.job->rank];
	struct addr list[ADDRESSES];
	struct visit v = { .at = list, .secret = &t->mesh->secret, .rank = t->t.ep.job->rank,
			   .retry = 0.02, .patience = HANDSHAKE_PATIENCE_S, .prepare = set_options,
			   .arg = t->options };
	struct channel c;
	struct answer a;
	struct addr *found = &t->mesh->found[rank];
	bool elsewhere = strcmp(card->network, mine->network);
	int n = net_near_first(card->at, card->n, mine->at, mine->n, list), err;

	for (int i = 0; i < n; i++) {
		/*
		 * this host has this address too (that of a bridge), so the address leads to no
		 * other host
		 */
		bool own = false;

		for (int k = 0; k < mine->n && elsewhere; k++)
			own |= addr_equal(&mine->at[k].addr, &list[i]);
		if (!own)
			list[v.n++] = list[i];
	}
	if (found->len) {
		list[0] = *found;
		v.n = 1;
	}
	if (t->t.ep.caps & CAP_LOSS && v.n)
		v.patience = ENDPOINT_SILENCE_S / v.n;
	err = handshake_connect(&v, until, &a, &c);
	if (err) {
		found->len = 0;		/* the next call tries all addresses again */
		snprintf(why, HANDSHAKE_TEXT, "%s", err == -EACCES ? a.text : strerror(-err));
		return err;
	}
	found->len = sizeof(found->a);
	if (getpeername(c.fd, (struct sockaddr *)&found->a, &found->len))
		found->len = 0;
	/* c's keys are dropped, because measured messages are not encrypted */
	return c.fd;
}

/*
 * Stores the socket `out`, which sends to a rank, and the socket `in`, which receives from the
 * rank. Returns ST_OK or ST_FAILED.
 */
static int store_connection(struct tcp *t, int rank, int out, int in)
{
	struct tcp_peer *p = &t->peers[rank];
	int one = 1;

	*p = (struct tcp_peer){ .base.rank = rank, .out = out, .in = in,
				.stage_in = malloc(TCP_STAGE), .stage_out = malloc(TCP_STAGE),
				.counted = t->t.ep.caps & CAP_LOSS };
	if (!p->stage_in || !p->stage_out)
		return error_report("no memory for connections");
	setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(in, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return ST_OK;
}

static int report_self_failure(const struct tcp *t, int error)
{
	return error_report("rank %d cannot connect to itself: %s", t->t.ep.job->rank,
			    strerror(error));
}

/*
 * Connects this rank to itself. A handshake of a rank with itself would never end, so the rank
 * sends itself a random key instead. Returns ST_OK or ST_FAILED.
 */
static int connect_self(struct tcp *t, const struct tcp_card *mine, int door)
{
	double until = clock_wall() + 5;
	unsigned char got[16];
	struct secret s;
	int out, in, err;

	if (secret_make(&s))
		return ST_FAILED;
	out = net_connect(&mine->at[0].addr, until, set_options, t->options);
	if (out < 0)
		return report_self_failure(t, -out);
	net_write(out, s.key, sizeof(got), until);
	for (;;) {
		errno = ETIMEDOUT;
		in = -1;
		if (net_wait(door, POLLIN, until))
			in = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (in < 0 && errno != EAGAIN) {
			err = errno;
			close(out);
			return report_self_failure(t, err);
		}
		if (in < 0)
			continue;
		if (!net_read(in, got, sizeof(got), clock_wall() + 1) &&
		    !memcmp(s.key, got, sizeof(got)))
			return store_connection(t, t->t.ep.job->rank, out, in);
		close(in);	/* this connection came from another process */
	}
}

/*
 * Returns true if round r needs the connection to a rank. If r is NULL, every connection is needed.
 */
static bool round_needs(const struct round *r, int rank)
{
	for (uint32_t i = 0; r && i < r->nxfers; i++)
		if (r->xfers[i].peer == rank)
			return true;
	return !r;
}

/*
 * Connects to `peer` if that is a lower rank. Otherwise accepts connections until `peer` has
 * connected. Closes accepted connections that round r does not need, because they belong to earlier
 * rounds. r is NULL when the endpoint opens. With a round, a peer that is not reached counts as
 * lost, and the function returns ST_LOST.
 */
static int connect_peer(struct tcp *t, const struct round *r, int peer, double until)
{
	static const char unreached[] = "rank %d on host '%s' cannot reach rank %d on host '%s' by "
					"TCP: %s";
	struct meeting *door = t->mesh->door;
	int me = t->t.ep.job->rank, err = ST_OK;
	char why[HANDSHAKE_TEXT];
	struct guest g;

	if (peer < me) {
		int fd = connect_to_rank(t, peer, until, why);

		if (fd >= 0)
			return store_connection(t, peer, fd, fd);
		if (!r)
			return error_report(unreached, me, t->host[me], peer, t->host[peer], why);
		error_note(unreached, me, t->host[me], peer, t->host[peer], why);
		return ST_LOST;
	}
	while (t->peers[peer].in < 0 && !err) {
		bool came = meeting_admit_guest(door, until, NULL, 0, &g);

		if (!came && !r)
			return error_report("rank %d on host '%s' was not reached by all ranks "
					    "within %g s%s", me, t->host[me], REACH_S,
					    meeting_file_shortage(door));
		if (!came) {
			error_note("rank %d on host '%s' was not reached by rank %d on host '%s' "
				   "within %g s", me, t->host[me], peer, t->host[peer],
				   ENDPOINT_SILENCE_S);
			return ST_LOST;
		}
		if (round_needs(r, g.rank)) {
			err = store_connection(t, g.rank, g.channel.fd, g.channel.fd);
		} else {
			meeting_free_rank(door, g.rank);
			close(g.channel.fd);
		}
	}
	return err;
}

unsigned tcp_count_strangers(const struct tcp *t)
{
	bool open = t->mesh && t->mesh->door;

	return t->strangers + (open ? atomic_load(meeting_refused_count(t->mesh->door)) : 0);
}

static void free_mesh(struct tcp *t)
{
	if (!t->mesh)
		return;
	t->strangers = tcp_count_strangers(t);
	meeting_close(t->mesh->door);
	explicit_bzero(&t->mesh->secret, sizeof(t->mesh->secret));
	free(t->mesh->cards);
	free(t->mesh->found);
	free(t->mesh);
	t->mesh = NULL;
}

/*
 * Opens the socket that accepts other ranks' connections, and gathers the addresses of all ranks.
 * Ranks exchange their cards twice. The host names of the first exchange decide at which addresses
 * each rank listens.
 */
static int open_mesh(struct tcp *t, struct tcp_mesh *m)
{
	struct job *job = t->t.ep.job;
	size_t bytes = (size_t)job->size * sizeof(struct tcp_card);
	struct tcp_card mine = { .n = 0 };
	bool one_host = true;
	int fd = -1, err;

	gethostname(mine.host, sizeof(mine.host) - 1);
	strcpy(mine.network, local_network_id());
	memcpy(m->cards, job->kind->allgather(job, &mine, sizeof(mine)), bytes);
	for (int r = 0; r < job->size; r++) {
		one_host = one_host && !strcmp(m->cards[r].network, mine.network);
		memcpy(t->host[r], m->cards[r].host, sizeof(t->host[r]));
	}
	m->secret.len = JOB_KEY;
	err = job_key(job, "mesh of backend tcp", m->secret.key);
	if (!err)
		err = find_addresses(t->options, &mine, one_host);
	if (!err)
		err = listen_for_ranks(t->options, &mine, job->size + 1, &fd);
	if (!err)	/* this rank must listen before it sends its addresses to the others */
		err = connect_self(t, &mine, fd);
	if (err) {
		if (fd >= 0)
			close(fd);
		return err;
	}
	memcpy(m->cards, job->kind->allgather(job, &mine, sizeof(mine)), bytes);
	m->door = meeting_open(fd, &m->secret, job->rank + 1, job->size);
	return m->door ? ST_OK : ST_FAILED;
}

int tcp_connect(struct tcp *t)
{
	struct tcp_mesh *m = t->mesh = calloc(1, sizeof(*m));
	const struct job *job = t->t.ep.job;
	double until;
	int err;

	if (m) {
		m->cards = calloc((size_t)job->size, sizeof(*m->cards));
		m->found = calloc((size_t)job->size, sizeof(*m->found));
	}
	if (!m || !m->cards || !m->found)
		return error_report("no memory for %d peers", job->size);
	err = open_mesh(t, m);
	if (err || t->t.ep.caps & CAP_LOSS)
		return err;
	until = clock_wall() + REACH_S;
	for (int r = 0; r < job->size && !err; r++)
		if (r != job->rank)
			err = connect_peer(t, NULL, r, until);
	free_mesh(t);
	return err;
}

/* ---- connections made and closed by rounds ---- */

/* Reads the kernel's information on p's connection. Returns false if that connection is closed. */
static bool read_tcp_info(const struct tcp_peer *p, struct tcp_info *info)
{
	socklen_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return p->out >= 0 && !getsockopt(p->out, IPPROTO_TCP, TCP_INFO, info, &len);
}

uint64_t tcp_bytes_exchanged(const struct tcp_peer *p)
{
	struct tcp_info info;

	return read_tcp_info(p, &info) ? info.tcpi_bytes_acked + info.tcpi_bytes_received : 0;
}

struct tcp_counts tcp_read_counts(const struct tcp_peer *p)
{
	struct tcp_info info;

	if (!read_tcp_info(p, &info))
		return p->before;
	return (struct tcp_counts){ info.tcpi_total_retrans, info.tcpi_segs_out };
}

static void close_peer(struct tcp_peer *p)
{
	if (p->in >= 0)
		close(p->in);
	if (p->out >= 0 && p->out != p->in)
		close(p->out);
	free(p->stage_in);
	free(p->stage_out);
	*p = (struct tcp_peer){ .in = -1, .out = -1 };
}

static void disconnect_rank(struct tcp *t, int rank)
{
	struct tcp_counts c = tcp_read_counts(&t->peers[rank]);

	if (rank == t->t.ep.job->rank || t->peers[rank].in < 0)
		return;
	t->closed_retransmissions += c.retransmissions - t->peers[rank].before.retransmissions;
	t->closed_segments += c.segments - t->peers[rank].before.segments;
	close_peer(&t->peers[rank]);
	if (rank > t->t.ep.job->rank)
		meeting_free_rank(t->mesh->door, rank);
}

void tcp_disconnect(struct tcp *t)
{
	for (int r = 0; r < t->t.ep.job->size; r++)
		disconnect_rank(t, r);
}

/*
 * Connects to lower ranks first, then accepts connections from higher ranks. All ranks use this
 * order, so they never wait for each other in a circle. Closes connections that the round does not
 * need, because the other ends close them too. This happens even if the round has no peers.
 */
int tcp_connect_round(struct tcp *t, const struct round *r)
{
	double until = clock_wall() + ENDPOINT_SILENCE_S;
	int me = t->t.ep.job->rank, err = ST_OK;

	for (int k = 0; k < t->t.ep.job->size; k++)
		if (!round_needs(r, k))
			disconnect_rank(t, k);
	for (uint32_t i = 0; i < 2 * r->nxfers && !err; i++) {
		int peer = r->xfers[i % r->nxfers].peer;

		if (t->peers[peer].in < 0 && (i < r->nxfers ? peer < me : peer > me))
			err = connect_peer(t, r, peer, until);
	}
	return err;
}

void tcp_close_all(struct tcp *t)
{
	for (int r = 0; t->peers && r < t->t.ep.job->size; r++)
		close_peer(&t->peers[r]);
	free_mesh(t);
}
