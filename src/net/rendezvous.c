/* SPDX-License-Identifier: Apache-2.0 */
#include "net/rendezvous.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "config.h"
#include "base/error.h"

#define MAGIC "NETBNCH1"
#define NONCE 32
#define MAC crypto_auth_hmacsha256_BYTES
#define DOOR 64			/* at the door at once; more push out those that came first */
#define TOLD 8			/* refusals that are told */

/* What goes over the network, without padding; numbers in network byte order. */
struct hello {
	char magic[8], version[24];
	unsigned char nonce[NONCE];
};

struct knock {
	char magic[8], version[24];
	uint32_t rank;
	char host[64];
	unsigned char nonce[NONCE], mac[MAC];
};

struct reply {
	uint32_t welcome, rank, size, more;
	char text[MEET_TEXT];
	unsigned char mac[MAC];
};

/* Someone at the door. */
struct caller {
	int fd;			/* -1: nobody */
	double since;
	struct addr from;
	struct hello hello;
	struct knock knock;
	size_t got;		/* bytes of knock */
};

struct meeting {
	int fd;
	struct secret secret;
	struct caller door[DOOR];
	unsigned told;
	int first, end;
	char (*host)[64];	/* of each rank that has come, "" of the others; by rank */
};

/* Version and what else both sides must have alike: size of words and their byte order. */
static void write_version(char version[24])
{
	const uint16_t one = 1;

	memset(version, 0, 24);
	snprintf(version, 24, "%s/%zu%c", NETBENCH_VERSION, 8 * sizeof(long), *(const char *)&one ? 'l' : 'b');
}

/* ---- secrets ---- */

void secret_make(struct secret *s)
{
	s->len = 16;
	randombytes_buf(s->key, s->len);
}

void secret_text(const struct secret *s, char text[33])
{
	sodium_bin2hex(text, 33, s->key, 16);
}

int secret_take(struct secret *s, const char *text)
{
	size_t len = strlen(text), n;

	if (len == 32 && !sodium_hex2bin(s->key, sizeof(s->key), text, len, NULL, &n, NULL) && n == 16) {
		s->len = n;
		return 0;
	}
	if (len < 8 || len > sizeof(s->key))
		return -1;
	memcpy(s->key, text, len);
	s->len = len;
	return 0;
}

/* The MAC of what was said, and of what is said now, by 'G', the guest, or 'H', the host. */
static void sign(const struct secret *s, char who, const void *talk, size_t ntalk, const void *now,
		 size_t len, unsigned char mac[MAC])
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, s->key, s->len);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)&who, 1);
	crypto_auth_hmacsha256_update(&state, talk, ntalk);
	crypto_auth_hmacsha256_update(&state, now, len);
	crypto_auth_hmacsha256_final(&state, mac);
}

static bool is_signed(const struct secret *s, char who, const void *talk, size_t ntalk,
		      const void *now, size_t len, const unsigned char mac[MAC])
{
	unsigned char right[MAC];

	sign(s, who, talk, ntalk, now, len, right);
	return !sodium_memcmp(right, mac, MAC);
}

/* ---- the host ---- */

struct meeting *meeting_open(int fd, const struct secret *s, int first, int end)
{
	struct meeting *m = calloc(1, sizeof(*m) + (size_t)end * sizeof(*m->host));

	if (!m)
		return NULL;
	m->fd = fd;
	m->secret = *s;
	m->first = first;
	m->end = end;
	m->host = (char (*)[64])(m + 1);
	for (int i = 0; i < DOOR; i++)
		m->door[i].fd = -1;
	return m;
}

static void send_away(struct caller *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void meeting_close(struct meeting *m)
{
	if (!m)
		return;
	for (int i = 0; i < DOOR; i++)
		send_away(&m->door[i]);
	close(m->fd);
	sodium_memzero(&m->secret, sizeof(m->secret));
	free(m);
}

int meeting_fd(const struct meeting *m)
{
	return m->fd;
}

bool meeting_pending(const struct meeting *m)
{
	for (int i = 0; i < DOOR; i++)
		if (m->door[i].fd >= 0)
			return true;
	return false;
}

/* The first free place at the door, or that of whoever has stood there longest. */
static struct caller *free_place(struct meeting *m)
{
	struct caller *oldest = &m->door[0];

	for (int i = 0; i < DOOR; i++) {
		if (m->door[i].fd < 0)
			return &m->door[i];
		if (m->door[i].since < oldest->since)
			oldest = &m->door[i];
	}
	send_away(oldest);
	return oldest;
}

/* Takes in who has connected, and says hello. */
static void open_door(struct meeting *m)
{
	struct addr from = { .len = sizeof(from.a) };
	int fd, one = 1;

	for (int i = 0; i < DOOR; i++) {
		struct caller *c;

		fd = accept4(m->fd, (struct sockaddr *)&from.a, &from.len, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		c = free_place(m);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		*c = (struct caller){ .fd = fd, .since = clock_wall(), .from = from };
		memcpy(c->hello.magic, MAGIC, sizeof(c->hello.magic));
		write_version(c->hello.version);
		randombytes_buf(c->hello.nonce, NONCE);
		if (send(fd, &c->hello, sizeof(c->hello), MSG_DONTWAIT | MSG_NOSIGNAL) !=
		    sizeof(c->hello))
			send_away(c);
		from.len = sizeof(from.a);
	}
}

static void make_guest(const struct caller *c, struct guest *g)
{
	*g = (struct guest){ .fd = c->fd, .rank = (int)ntohl(c->knock.rank) };
	memcpy(g->host, c->knock.host, sizeof(g->host) - 1);
	addr_text(&c->from, g->from);
	memcpy(g->talk, &c->hello, sizeof(c->hello));
	memcpy(g->talk + sizeof(c->hello), &c->knock, sizeof(c->knock));
	g->ntalk = sizeof(c->hello) + sizeof(c->knock);
}

static void refuse(struct meeting *m, struct caller *c, const char *why)
{
	struct answer a = { .welcome = false };
	struct guest g;

	make_guest(c, &g);
	if (m->told++ < TOLD)
		error_warn("%s was refused: %s", g.from, why);
	snprintf(a.text, sizeof(a.text), "%s", why);
	meet_answer(m, &g, &a);
	c->fd = -1;
}

/* Whether someone whose knock is complete may come in. */
static bool is_welcome(struct meeting *m, struct caller *c)
{
	char why[MEET_TEXT];

	c->knock.version[sizeof(c->knock.version) - 1] = '\0';
	if (strcmp(c->knock.version, c->hello.version)) {
		snprintf(why, sizeof(why), "netbench %s does not join netbench %s", c->knock.version,
			 c->hello.version);
		refuse(m, c, why);
		return false;
	}
	if (!is_signed(&m->secret, 'G', &c->hello, sizeof(c->hello), &c->knock,
		       offsetof(struct knock, mac), c->knock.mac)) {
		refuse(m, c, "wrong secret");
		return false;
	}
	return true;
}

/* Listens to one at the door. True once its knock is complete. */
static bool listen_to(struct caller *c)
{
	ssize_t n = recv(c->fd, (char *)&c->knock + c->got, sizeof(c->knock) - c->got, MSG_DONTWAIT);

	if (n > 0)
		c->got += (size_t)n;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR) ||
	    memcmp(c->knock.magic, MAGIC, c->got < sizeof(c->knock.magic) ? c->got : sizeof(c->knock.magic)) ||
	    clock_wall() - c->since > MEET_PATIENCE_S) {
		error_note("%s", "someone who does not speak netbench's protocol was sent away");
		send_away(c);
		return false;
	}
	return c->got == sizeof(c->knock);
}

static bool answer_door(struct meeting *m, struct guest *g)
{
	open_door(m);
	for (int i = 0; i < DOOR; i++) {
		struct caller *c = &m->door[i];

		if (c->fd < 0 || !listen_to(c) || !is_welcome(m, c))
			continue;
		make_guest(c, g);
		c->fd = -1;
		return true;
	}
	return false;
}

static void wait_at_door(const struct meeting *m, double deadline)
{
	struct pollfd p[DOOR + 1] = { { .fd = m->fd, .events = POLLIN } };
	double left = deadline - clock_wall();
	int n = 1;

	for (int i = 0; i < DOOR; i++)
		if (m->door[i].fd >= 0)
			p[n++] = (struct pollfd){ .fd = m->door[i].fd, .events = POLLIN };
	left = n > 1 && left > 0.2 ? 0.2 : left;	/* someone's patience may end */
	poll(p, (nfds_t)n, left > 0 ? (int)(left * 1000) + 1 : 0);
}

int meeting_next(struct meeting *m, double deadline, struct guest *g)
{
	for (;;) {
		if (answer_door(m, g))
			return 1;
		if (clock_wall() >= deadline)
			return 0;
		wait_at_door(m, deadline);
	}
}

int meet_answer(const struct meeting *m, struct guest *g, const struct answer *a)
{
	struct reply r = { .welcome = htonl(a->welcome), .rank = htonl((uint32_t)a->rank),
			   .size = htonl((uint32_t)a->size), .more = htonl(a->more) };
	int err;

	memcpy(r.text, a->text, sizeof(r.text) - 1);
	if (a->welcome)		/* to those only who know the secret: others could use it to guess */
		sign(&m->secret, 'H', g->talk, g->ntalk, &r, offsetof(struct reply, mac), r.mac);
	err = net_write(g->fd, &r, sizeof(r), clock_wall() + 1);
	if (a->welcome && !err)
		return 0;
	close(g->fd);
	g->fd = -1;
	return err ? err : -EACCES;
}

/* The rank for a guest that asks for r, or -1 with the reason in `why`. */
static int find_seat(const struct meeting *m, int r, char why[MEET_TEXT])
{
	if (r < 0)
		for (r = m->first; r < m->end && m->host[r][0];)
			r++;
	if (r < m->first || r >= m->end)
		snprintf(why, MEET_TEXT, "rank %d is out of range: %d to %d", r, m->first, m->end - 1);
	else if (m->host[r][0])
		snprintf(why, MEET_TEXT, "rank %d is taken by host '%s'", r, m->host[r]);
	else
		return r;
	return -1;
}

int meeting_seat(struct meeting *m, double deadline, const void *rest, uint32_t more, struct guest *g)
{
	while (meeting_next(m, deadline, g)) {
		struct answer a = { .size = m->end, .more = more };

		gethostname(a.text, sizeof(a.text) - 1);
		a.rank = find_seat(m, g->rank, a.text);
		a.welcome = a.rank >= 0;
		if (!a.welcome)
			error_warn("%s on host '%s' was refused: %s", g->from, g->host, a.text);
		if (meet_answer(m, g, &a))
			continue;
		g->rank = a.rank;
		snprintf(m->host[a.rank], sizeof(*m->host), "%s", *g->host ? g->host : "?");
		if (!net_write(g->fd, rest, more, clock_wall() + MEET_PATIENCE_S))
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

/* ---- the guest ---- */

static int take_reply(const struct secret *s, const void *talk, size_t ntalk, const struct reply *r,
		      struct answer *a)
{
	bool knows = is_signed(s, 'H', talk, ntalk, r, offsetof(struct reply, mac), r->mac);

	*a = (struct answer){ .welcome = ntohl(r->welcome), .rank = (int)ntohl(r->rank),
			      .size = (int)ntohl(r->size), .more = ntohl(r->more) };
	memcpy(a->text, r->text, sizeof(a->text) - 1);
	if (a->welcome && knows)
		return 0;
	if (a->welcome)
		snprintf(a->text, sizeof(a->text), "the listener does not know the secret");
	a->welcome = false;
	return -EACCES;
}

static int talk_to_host(int fd, const struct secret *s, int rank, double deadline, struct answer *a)
{
	struct {
		struct hello hello;
		struct knock knock;
	} talk = { .knock = { .rank = htonl((uint32_t)rank) } };
	struct reply r;
	int err = net_read(fd, &talk.hello, sizeof(talk.hello), deadline);

	if (!err && memcmp(talk.hello.magic, MAGIC, sizeof(talk.hello.magic)))
		err = -EPROTO;
	if (err)
		return err;
	memcpy(talk.knock.magic, MAGIC, sizeof(talk.knock.magic));
	write_version(talk.knock.version);
	gethostname(talk.knock.host, sizeof(talk.knock.host) - 1);
	randombytes_buf(talk.knock.nonce, NONCE);
	sign(s, 'G', &talk.hello, sizeof(talk.hello), &talk.knock, offsetof(struct knock, mac),
	     talk.knock.mac);
	err = net_write(fd, &talk.knock, sizeof(talk.knock), deadline);
	if (!err)
		err = net_read(fd, &r, sizeof(r), deadline);
	return err ? err : take_reply(s, &talk, sizeof(talk), &r, a);
}

static int knock_at(const struct addr *at, const struct visit *v, double deadline, struct answer *a)
{
	int fd = net_connect(at, deadline, v->prepare, v->arg), err;

	if (fd < 0)
		return fd;
	*a = (struct answer){ .welcome = false };
	err = talk_to_host(fd, v->secret, v->rank, deadline, a);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int meet_reach(const struct visit *v, double deadline, struct answer *a)
{
	struct timespec nap = { 0, (long)(v->retry * 1e9) };
	int fd = -EADDRNOTAVAIL;

	for (;;) {
		for (int i = 0; i < v->n && fd < 0; i++) {
			fd = knock_at(&v->at[i], v, fmin(deadline, clock_wall() + v->patience), a);
			if (fd == -EACCES && v->sure)
				return fd;
		}
		if (fd >= 0 || (fd == -EINVAL && v->prepare) || v->retry <= 0 ||
		    clock_wall() + v->retry > deadline)
			return fd;
		nanosleep(&nap, NULL);
	}
}
