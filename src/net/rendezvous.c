/* SPDX-License-Identifier: Apache-2.0 */
#include "net/rendezvous.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

/* largest number of callers at one time; a further caller replaces the oldest */
#define CALLERS_MAX 64
/* largest number of warnings per kind of refusal; further refusals are only counted */
#define WARNINGS_MAX 8

/* A connection whose handshake is not complete. */
struct caller {
	int fd;			/* -1: this entry is free */
	double since;		/* value of clock_wall when the connection was accepted */
	struct addr from;
	struct handshake handshake;
	size_t got;		/* bytes of the proof that have arrived */
};

struct meeting {
	int fd;
	struct secret secret;
	char offer[MUNGE_OFFER];
	struct caller callers[CALLERS_MAX];
	atomic_uint nrefused;
	/* [1]: number of refused guests that speak the protocol; [0]: of other refused callers */
	unsigned nsaid[2];
	int first, end;
	char (*host)[64];	/* [rank]: host of the admitted rank; "" if none was admitted */
	/* errno of the most recent accept if it failed for lack of a descriptor; otherwise 0 */
	int lacks;
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

void meeting_offer_secret(struct meeting *m, const char offer[MUNGE_OFFER])
{
	memcpy(m->offer, offer, sizeof(m->offer));
}

/* Closes a caller's connection, which frees its entry. */
static void close_caller(struct caller *c)
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
		close_caller(&m->callers[i]);
	close(m->fd);
	sodium_memzero(&m->secret, sizeof(m->secret));
	free(m);
}

int meeting_fd(const struct meeting *m)
{
	return m->fd;
}

const char *meeting_file_shortage(const struct meeting *m)
{
	return m->lacks == EMFILE   ? ": Too many open files"
	       : m->lacks == ENFILE ? ": Too many open files in system"
				    : "";
}

bool meeting_pending(const struct meeting *m)
{
	for (int i = 0; i < CALLERS_MAX; i++)
		if (m->callers[i].fd >= 0)
			return true;
	return false;
}

/*
 * Counts a refused connection. Reports the first WARNINGS_MAX of each kind: in a warning if the
 * guest speaks the protocol, otherwise in a note, which only --verbose shows.
 */
__attribute__((format(printf, 3, 4))) static void count_refusal(struct meeting *m, bool speaks,
								const char *fmt, ...)
{
	void (*say)(const char *format, ...) = speaks ? error_warn : error_note;
	unsigned before = m->nsaid[speaks]++;
	char text[512];
	va_list args;

	atomic_fetch_add(&m->nrefused, 1);
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (before < WARNINGS_MAX)
		say("%s", text);
	else if (before == WARNINGS_MAX)
		say("further refused connections are not reported one by one");
}

const atomic_uint *meeting_refused_count(const struct meeting *m)
{
	return &m->nrefused;
}

/* Disconnects a caller whose handshake is not complete. `why` is the reason for the report. */
static void refuse_caller(struct meeting *m, struct caller *c, const char *why)
{
	char from[ADDR_TEXT];

	addr_text(&c->from, from);
	count_refusal(m, false, "refused a connection from %s: %s", from, why);
	close_caller(c);
}

/* Returns a free entry for one more caller. If there is none, drops the oldest caller. */
static struct caller *get_free_entry(struct meeting *m)
{
	struct caller *oldest = &m->callers[0];

	for (int i = 0; i < CALLERS_MAX; i++) {
		if (m->callers[i].fd < 0)
			return &m->callers[i];
		if (m->callers[i].since < oldest->since)
			oldest = &m->callers[i];
	}
	refuse_caller(m, oldest, "newer connections took its place");
	return oldest;
}

/* Accepts the waiting connections, and sends each a challenge. */
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
		c = get_free_entry(m);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		*c = (struct caller){ .fd = fd, .since = clock_wall(), .from = from };
		if (handshake_begin(&c->handshake, fd, m->offer))
			refuse_caller(m, c, "it has disconnected");
	}
}

/*
 * Sends the answer to a guest. Returns 0 if the guest is welcome and the answer was sent. Otherwise
 * closes the connection and returns -errno.
 */
static int send_answer(const struct meeting *m, struct guest *g, const struct answer *a)
{
	int err = handshake_reply(&g->handshake, &m->secret, g->fd, a, &g->channel);

	if (a->welcome && !err)
		return 0;
	close(g->fd);
	g->fd = -1;
	return err ? err : -EACCES;
}

/*
 * Reads more of a caller's proof. Returns true once the caller has proven that it knows the secret;
 * *g then has its connection.
 */
static bool read_proof(struct meeting *m, struct caller *c, struct guest *g)
{
	const struct proof *p = &c->handshake.proof;
	int complete = handshake_read(&c->handshake, c->fd, &c->got);
	struct answer no;

	if (complete < 0 || clock_wall() - c->since > HANDSHAKE_PATIENCE_S)
		refuse_caller(m, c, "not a netbench rank");
	if (complete <= 0 || c->fd < 0)
		return false;
	*g = (struct guest){ .fd = c->fd, .rank = (int)ntohl(p->rank), .handshake = c->handshake };
	memcpy(g->host, p->host, sizeof(g->host) - 1);
	addr_text(&c->from, g->from);
	c->fd = -1;
	if (handshake_verify(&g->handshake, &m->secret, &no))
		return true;
	count_refusal(m, true, "refused a connection from %s: %s", g->from, no.text);
	send_answer(m, g, &no);
	return false;
}

/* Sleeps until a connection or data arrives, at the latest until the deadline. */
static void wait_for_callers(const struct meeting *m, double deadline)
{
	struct pollfd p[CALLERS_MAX + 1] = { { .fd = m->fd, .events = POLLIN } };
	double left = deadline - clock_wall();
	int n = 1;

	for (int i = 0; i < CALLERS_MAX; i++)
		if (m->callers[i].fd >= 0)
			p[n++] = (struct pollfd){ .fd = m->callers[i].fd, .events = POLLIN };
	/* wake up regularly: a caller's time may end */
	left = n > 1 && left > 0.2 ? 0.2 : left;
	/* without a free descriptor, leave new connections waiting until a file is closed */
	if (m->lacks) {
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
			if (m->callers[i].fd >= 0 && read_proof(m, &m->callers[i], g))
				return 1;
		if (clock_wall() >= deadline)
			return 0;
		wait_for_callers(m, deadline);
	}
}

/* Returns the rank for a guest that asks for rank r (-1: any), or -1 with the reason in `why`. */
static int find_rank(const struct meeting *m, int r, char why[HANDSHAKE_TEXT])
{
	bool any = r < 0;

	if (any)
		for (r = m->first; r < m->end && m->host[r][0];)
			r++;
	if (any && r == m->end)
		snprintf(why, HANDSHAKE_TEXT, "the job is full: all of its %d ranks have joined",
			 m->end);
	else if (r < m->first || r >= m->end)
		snprintf(why, HANDSHAKE_TEXT, "rank %d is out of range: %d to %d", r, m->first,
			 m->end - 1);
	else if (m->host[r][0])
		snprintf(why, HANDSHAKE_TEXT, "rank %d is taken by host '%s'", r, m->host[r]);
	else
		return r;
	return -1;
}

int meeting_admit_guest(struct meeting *m, double deadline, const void *data, uint32_t len,
		 struct guest *g)
{
	const struct frame frame = { .len = len };

	while (meeting_next(m, deadline, g)) {
		struct answer a = { .known = true, .size = m->end };

		gethostname(a.text, sizeof(a.text) - 1);
		a.rank = find_rank(m, g->rank, a.text);
		a.welcome = a.rank >= 0;
		if (!a.welcome)
			count_refusal(m, true, "refused %s on host '%s': %s", g->from, g->host,
				      a.text);
		if (send_answer(m, g, &a))
			continue;
		g->rank = a.rank;
		snprintf(m->host[a.rank], sizeof(*m->host), "%s", *g->host ? g->host : "?");
		if (!data || !channel_send(&g->channel, &frame, data,
					   clock_wall() + HANDSHAKE_PATIENCE_S))
			return 1;
		meeting_free_rank(m, a.rank);
		channel_close(&g->channel);
	}
	return 0;
}

void meeting_refuse_late(struct meeting *m)
{
	char why[HANDSHAKE_TEXT] = "";
	struct guest g;

	while (meeting_next(m, 0, &g)) {
		struct answer no = { .known = true };

		find_rank(m, g.rank, why);
		snprintf(no.text, sizeof(no.text), "the run has begun: %.*s",
			 (int)sizeof(no.text) - 24, why);
		count_refusal(m, true, "%s on host '%s' came too late and was refused", g.from,
			      g.host);
		send_answer(m, &g, &no);
	}
}

void meeting_free_rank(struct meeting *m, int rank)
{
	m->host[rank][0] = '\0';
}
