/* SPDX-License-Identifier: Apache-2.0 */
#include "net/rendezvous.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

#define CALLERS_MAX 64		/* at a time; one more pushes out the one that came first */
#define WARNINGS_MAX 8		/* about refusals */

/* A connection whose handshake is not complete. */
struct caller {
	int fd;			/* -1: none */
	double since;
	struct addr from;
	struct handshake handshake;
	size_t got;		/* bytes of the proof */
};

struct meeting {
	int fd;
	struct secret secret;
	struct caller callers[CALLERS_MAX];
	unsigned nwarnings;
	int first, end;
	char (*host)[64];	/* by rank: of each that has come, "" of the others */
	int lacks;		/* errno for want of which none can be accepted, or 0 */
};

struct meeting *meeting_open(int fd, const struct secret *s, int first, int end)
{
	struct meeting *m;

	if (handshake_init())
		return NULL;
	m = calloc(1, sizeof(*m) + (size_t)end * sizeof(*m->host));
	if (!m) {
		error_report("no memory for a job of %d ranks", end);
		return NULL;
	}
	m->fd = fd;
	m->secret = *s;
	m->first = first;
	m->end = end;
	m->host = (char (*)[64])(m + 1);
	for (int i = 0; i < CALLERS_MAX; i++)
		m->callers[i].fd = -1;
	return m;
}

static void drop(struct caller *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void meeting_close(struct meeting *m)
{
	if (!m)
		return;
	for (int i = 0; i < CALLERS_MAX; i++)
		drop(&m->callers[i]);
	close(m->fd);
	sodium_memzero(&m->secret, sizeof(m->secret));
	free(m);
}

int meeting_fd(const struct meeting *m)
{
	return m->fd;
}

const char *meeting_lacks(const struct meeting *m)
{
	return m->lacks ? strerror(m->lacks) : NULL;
}

bool meeting_pending(const struct meeting *m)
{
	for (int i = 0; i < CALLERS_MAX; i++)
		if (m->callers[i].fd >= 0)
			return true;
	return false;
}

/* Room for one more caller: a free one, or that of the caller that came first. */
static struct caller *make_room(struct meeting *m)
{
	struct caller *oldest = &m->callers[0];

	for (int i = 0; i < CALLERS_MAX; i++) {
		if (m->callers[i].fd < 0)
			return &m->callers[i];
		if (m->callers[i].since < oldest->since)
			oldest = &m->callers[i];
	}
	drop(oldest);
	return oldest;
}

static void accept_callers(struct meeting *m)
{
	int one = 1;

	for (int i = 0; i < CALLERS_MAX; i++) {
		struct addr from = { .len = sizeof(from.a) };
		int fd = accept4(m->fd, (struct sockaddr *)&from.a, &from.len,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct caller *c;

		m->lacks = fd < 0 && (errno == EMFILE || errno == ENFILE) ? errno : 0;
		if (fd < 0)
			return;
		c = make_room(m);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		*c = (struct caller){ .fd = fd, .since = clock_wall(), .from = from };
		if (handshake_begin(&c->handshake, fd))
			drop(c);
	}
}

/* True if this caller has proven itself; its connection is then handed over to *g. */
static bool hear(struct meeting *m, struct caller *c, struct guest *g)
{
	const struct proof *p = &c->handshake.proof;
	struct answer no = { .welcome = false };
	int complete = handshake_read(&c->handshake, c->fd, &c->got);
	char from[ADDR_TEXT];

	addr_text(&c->from, from);
	if (complete < 0 || clock_wall() - c->since > HANDSHAKE_PATIENCE_S) {
		error_note("refused a connection from %s: not a netbench rank", from);
		drop(c);
		return false;
	}
	if (!complete)
		return false;
	*g = (struct guest){ .fd = c->fd, .rank = (int)ntohl(p->rank), .handshake = c->handshake };
	memcpy(g->host, p->host, sizeof(g->host) - 1);
	strcpy(g->from, from);
	c->fd = -1;
	if (handshake_verify(&g->handshake, &m->secret, no.text))
		return true;
	if (m->nwarnings++ < WARNINGS_MAX)
		error_warn("refused a connection from %s: %s", from, no.text);
	meeting_answer(m, g, &no);
	return false;
}

static void wait_for_callers(const struct meeting *m, double deadline)
{
	struct pollfd p[CALLERS_MAX + 1] = { { .fd = m->fd, .events = POLLIN } };
	double left = deadline - clock_wall();
	int n = 1;

	for (int i = 0; i < CALLERS_MAX; i++)
		if (m->callers[i].fd >= 0)
			p[n++] = (struct pollfd){ .fd = m->callers[i].fd, .events = POLLIN };
	left = n > 1 && left > 0.2 ? 0.2 : left;	/* a caller's time may be over */
	if (m->lacks) {		/* whoever knocks stays at the door until a file is closed */
		p[0].fd = -1;
		left = left > 0.05 ? 0.05 : left;
	}
	poll(p, (nfds_t)n, left > 0 ? (int)(left * 1000) + 1 : 0);
}

int meeting_next(struct meeting *m, double deadline, struct guest *g)
{
	for (;;) {
		accept_callers(m);
		for (int i = 0; i < CALLERS_MAX; i++)
			if (m->callers[i].fd >= 0 && hear(m, &m->callers[i], g))
				return 1;
		if (clock_wall() >= deadline)
			return 0;
		wait_for_callers(m, deadline);
	}
}

int meeting_answer(const struct meeting *m, struct guest *g, const struct answer *a)
{
	int err = handshake_reply(&g->handshake, &m->secret, g->fd, a);

	if (a->welcome && !err)
		return 0;
	close(g->fd);
	g->fd = -1;
	return err ? err : -EACCES;
}

/* The rank for a guest that asks for r, or -1 with the reason in `why`. */
static int find_rank(const struct meeting *m, int r, char why[HANDSHAKE_TEXT])
{
	if (r < 0)
		for (r = m->first; r < m->end && m->host[r][0];)
			r++;
	if (r < m->first || r >= m->end)
		snprintf(why, HANDSHAKE_TEXT, "rank %d is out of range: %d to %d", r, m->first,
			 m->end - 1);
	else if (m->host[r][0])
		snprintf(why, HANDSHAKE_TEXT, "rank %d is taken by host '%s'", r, m->host[r]);
	else
		return r;
	return -1;
}

int meeting_seat(struct meeting *m, double deadline, const void *rest, uint32_t more,
		 struct guest *g)
{
	while (meeting_next(m, deadline, g)) {
		struct answer a = { .size = m->end, .more = more };

		gethostname(a.text, sizeof(a.text) - 1);
		a.rank = find_rank(m, g->rank, a.text);
		a.welcome = a.rank >= 0;
		if (!a.welcome)
			error_warn("refused %s on host '%s': %s", g->from, g->host, a.text);
		if (meeting_answer(m, g, &a))
			continue;
		g->rank = a.rank;
		snprintf(m->host[a.rank], sizeof(*m->host), "%s", *g->host ? g->host : "?");
		if (!net_write(g->fd, rest, more, clock_wall() + HANDSHAKE_PATIENCE_S))
			return 1;
		meeting_leave(m, a.rank);
		close(g->fd);
	}
	return 0;
}

void meeting_leave(struct meeting *m, int rank)
{
	m->host[rank][0] = '\0';
}
