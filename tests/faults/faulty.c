/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `faulty`, for tests: another backend, some of whose messages are harmed. It has the
 * options of that backend. Environment variables of a rank set its faults:
 *
 *	NETBENCH_FAULT_CARRIER	the backend that carries the messages: shm (default) or tcp
 *	NETBENCH_FAULT		what happens to a message when it is sent (default: none):
 *		bit		one bit of it is flipped
 *		loss		it is not sent
 *		duplicate	it is sent twice
 *		swap		it is sent after the next message to its receiver, if that is posted at once
 *		halves		its two halves change places, as blocks do that arrive in the wrong order
 *		stale		it has the content of the previous message of its length to its receiver
 *		stall		the sender sleeps before it sends it
 *		exit		the sender calls exit(), as a library might, before it sends it
 *		slow		the sender spins for 50 ms before it sends it, from the n-th of a round on
 *		delay		the sender spins before it sends it, so that a ping-pong takes n percent
 *				longer
 *		late		nothing, but the rank begins a block of operations with agreed starts
 *				only after the last start, from the n-th such block on
 *	NETBENCH_FAULT_RANK	the rank that sends such messages (default: all)
 *	NETBENCH_FAULT_TO	the rank that receives them (default: all)
 *	NETBENCH_FAULT_FROM_B, NETBENCH_FAULT_TO_B
 *				their lengths, bytes (default: 1, all above)
 *	NETBENCH_FAULT_AFTER	n of fault slow (default 5000) and of fault late (default 0)
 *	NETBENCH_FAULT_PERCENT	n of fault delay (default 10)
 *	NETBENCH_FAULT_EVERY	each n-th of these messages is harmed (default 1)
 *	NETBENCH_FAULT_TIMES	at most n of them are harmed (default: no limit)
 *	NETBENCH_FAULT_SECONDS	how long a rank sleeps (default 3600)
 *	NETBENCH_FAULT_STATUS	the exit status of fault exit (default 5)
 *
 * The record's counter `faults` is the number of harmed messages. The backend is a module:
 * NETBENCH_MODULES=build/tests/faults NETBENCH_FAULT=bit netbench latency -b faulty
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "job/job.h"
#include "transport/host.h"
#include "transport/match.h"
#include "transport/registry.h"
#include "transport/round.h"

#define RANKS 256

enum fault { NONE, BIT, LOSS, DUPLICATE, SWAP, STALE, STALL, SLOW, DELAY, EXIT, LATE, HALVES };
static const char *const names[] = { "none", "bit", "loss", "duplicate", "swap", "stale", "stall", "slow", "delay",
				     "exit", "late", "halves" };

/* A message that this module has copied, to send it changed or later. */
struct packet {
	struct request request;
	struct packet *next;
	bool spare;		/* possibly no receive will ever match it */
	size_t len;
	unsigned char data[];
};

NETBENCH_EXPORT struct backend netbench_backend;

/* The state of a rank's endpoint in addition to the carrier's. A process has one. */
static struct {
	const struct backend *carrier;
	enum fault fault;
	unsigned long from, to, from_len, to_len, every, times, seconds, after, percent, status;
	double sent_s;	/* time at which fault `delay` sent its last message */
	uint64_t in_round;
	/* number of messages that match the description, and of those that were harmed */
	uint64_t seen, faults;
	struct packet *under_way;
	int nwanted;	/* number of packets in flight, without spare ones */
	/* for each rank: the packet kept for it, and the last packet to it */
	struct packet *held[RANKS], *last[RANKS];
	struct pool pool;			/* pool of the round */
	struct request **posted;		/* requests of the round that are not complete */
	uint32_t nposted;
} f;

/* ---- messages that are sent ---- */

static struct packet *copy_of(const void *buf, size_t len)
{
	struct packet *p = malloc(sizeof(*p) + len);

	if (!p)
		exit(error_report("no memory for a faulty message"));
	*p = (struct packet){ .len = len };
	memcpy(p->data, buf, len);
	return p;
}

static int send_packet(struct endpoint *ep, int peer, struct packet *p)
{
	p->next = f.under_way;
	f.under_way = p;
	return f.carrier->isend(ep, peer, p->data, p->len, &p->request);
}

/* Sends the message that was kept until the next one to its rank. */
static int release_held(struct endpoint *ep, int peer)
{
	struct packet *p = f.held[peer];

	f.held[peer] = NULL;
	return p ? send_packet(ep, peer, p) : ST_OK;
}

/*
 * Sends kept messages, because none follows, and frees packets that have left. Returns ST_OK or
 * ST_FAILED.
 */
static int tidy(struct endpoint *ep)
{
	f.nwanted = 0;
	for (int r = 0; r < ep->job->size; r++)
		if (f.held[r] && release_held(ep, r))
			return ST_FAILED;
	for (struct packet **at = &f.under_way; *at; ) {
		struct packet *p = *at;

		if (p->request.done) {
			*at = p->next;
			free(p);
		} else {
			f.nwanted += !p->spare;
			at = &p->next;
		}
	}
	return ST_OK;
}

/* True if this message must be harmed. */
static bool is_harmed(const struct endpoint *ep, int peer, size_t len)
{
	if (f.fault == NONE || f.fault == LATE || len < f.from_len || len > f.to_len ||
	    (f.from != ULONG_MAX && f.from != (unsigned long)ep->job->rank) ||
	    (f.to != ULONG_MAX && f.to != (unsigned long)peer) ||
	    ++f.seen % f.every || f.faults >= f.times)
		return false;
	f.faults++;
	f.in_round++;
	return true;
}

#define LONGEST_DELAY_S 1e-3	/* s; a longer pause was not caused by the network */

/*
 * Between two messages of a rank there are two transfers and two delays w, one on each rank. They
 * take T0 + 2 w, which must be T0 (1 + p). So w is p / (2 (1 + p)) of the time between the
 * messages.
 */
static void delay(void)
{
	double now = clock_wall(), p = (double)f.percent / 100;
	double end = now + fmin(p / (2 * (1 + p)) * (now - f.sent_s), LONGEST_DELAY_S);

	while (f.sent_s > 0 && now < end)
		now = clock_wall();
	f.sent_s = now;
}

/*
 * Harms a message. Returns 1 if the message needs no further action, 0 if it must still be sent,
 * negative on failure.
 */
static int harm(struct endpoint *ep, int peer, const void *buf, size_t len)
{
	struct timespec t = { .tv_sec = (time_t)f.seconds };
	struct packet *p, *last = f.last[peer];

	switch (f.fault) {
	case LOSS:
		return 1;
	case STALL:
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
		return 0;
	case EXIT:
		exit((int)f.status);
	case SLOW:
		for (double end = clock_wall() + 50e-3; f.in_round > f.after && clock_wall() < end; )
			;
		return 0;
	case DELAY:
		delay();
		return 0;
	case STALE:
		if (last && last->len == len)
			buf = last->data;
		break;
	default:
		break;
	}
	p = copy_of(buf, len);
	if (f.fault == BIT)
		p->data[f.faults * 31 % len] ^= 1 << f.faults % 8;
	if (f.fault == HALVES) {
		memcpy(p->data, (const char *)buf + len - len / 2, len / 2);
		memcpy(p->data + len - len / 2, buf, len / 2);
	}
	if (f.fault == SWAP) {
		if (release_held(ep, peer))
			return -1;
		f.held[peer] = p;
		return 1;
	}
	if (f.fault == DUPLICATE) {
		p->spare = true;
		f.held[peer] = p;
		return 0;
	}
	return send_packet(ep, peer, p) ? -1 : 1;
}

/* Keeps a copy of a message as the content of a later, stale message. */
static void keep(int peer, const void *buf, size_t len)
{
	if (f.fault != STALE)
		return;
	free(f.last[peer]);
	f.last[peer] = copy_of(buf, len);
}

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	int gone = is_harmed(ep, peer, len) ? harm(ep, peer, buf, len) : 0, err = ST_OK;

	keep(peer, buf, len);
	if (gone < 0)
		return ST_FAILED;
	if (!gone) {
		err = f.carrier->isend(ep, peer, buf, len, r);
		return err ? err : release_held(ep, peer);
	}
	request_init(r, (void *)(uintptr_t)buf, len);
	r->done = true;
	return ST_OK;
}

/* ---- rounds, by the carrier's message operations ---- */

static inline int post(struct endpoint *ep, const struct xfer *x)
{
	struct request *r = pool_take(&f.pool, x->buf, x->len);
	int err = x->op == OP_SEND ? isend(ep, x->peer, x->buf, x->len, r)
				   : f.carrier->irecv(ep, x->peer, x->buf, x->len, r);

	if (err)
		return -1;
	f.posted[f.nposted++] = r;
	return 0;
}

/* Removes complete packets. Returns their number. */
static int collect(void)
{
	uint32_t left = 0;
	int done;

	for (uint32_t i = 0; i < f.nposted; i++) {
		if (f.posted[i]->done)
			pool_done(&f.pool, f.posted[i]);
		else
			f.posted[left++] = f.posted[i];
	}
	done = (int)(f.nposted - left);
	f.nposted = left;
	return done;
}

/* Waits like the carrier. Yielding the processor would take long on a busy machine. */
static inline int poll(struct endpoint *ep)
{
	int done;

	if (tidy(ep) || (f.nposted && f.carrier->test(ep, f.posted[0])))
		return -1;
	done = collect();
	if (!done && f.nposted && f.carrier->wait(ep, f.posted[0]))
		return -1;
	return done ? done : collect();
}

static int arm(struct endpoint *ep, const struct round *r)
{
	struct round none = { 0 };
	int err = pool_arm(&f.pool, r);

	if (err || (f.carrier->arm && (err = f.carrier->arm(ep, &none))))
		return err;
	free(f.posted);
	f.posted = calloc(f.pool.size, sizeof(*f.posted));
	return f.posted ? ST_OK : error_report("no memory for a round");
}

/* If the rank must begin the block late, waits until a millisecond after its last start. */
static void miss_starts(const struct endpoint *ep, const struct round *r)
{
	double end = r->block.starts[r->count - 1] + 1e-3 / ep->tick_s;

	if (f.from != (unsigned long)ep->job->rank || f.seen++ < f.after)
		return;
	while (clock_ticks() < end)
		;
	f.faults++;
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	int err;

	f.in_round = 0;
	if (f.fault == LATE && r->block.starts)
		miss_starts(ep, r);
	err = round_drive(ep, r, (struct driver){ .post = post, .poll = poll, .ticks = host_ticks }, seconds);

	err = err ? err : tidy(ep);
	while (!err && f.nwanted)	/* the last messages in flight may be copies */
		err = f.carrier->test(ep, &f.under_way->request) ? ST_FAILED : tidy(ep);
	return err;
}

/* ---- message operations ---- */

static int test(struct endpoint *ep, struct request *r)
{
	return tidy(ep) ? ST_FAILED : f.carrier->test(ep, r);
}

static int wait_for(struct endpoint *ep, struct request *r)
{
	if (tidy(ep))
		return ST_FAILED;
	return r->done ? ST_OK : f.carrier->wait(ep, r);
}

/* ---- the endpoint ---- */

static int open_faulty(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	int err = f.carrier->open(ep, job, options, heap);

	if (!err)
		(*ep)->caps &= netbench_backend.caps;
	return err;
}

static int counters(struct endpoint *ep, struct counter *c)
{
	int n = f.carrier->counters ? f.carrier->counters(ep, c) : 0;

	c[n] = (struct counter){ .name = "faults", .value = (double)f.faults };
	return n + 1;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void stand_in(void)
{
	const char *carrier = getenv("NETBENCH_FAULT_CARRIER"), *fault = getenv("NETBENCH_FAULT");
	char why[64];

	f.carrier = backend_find(carrier ? carrier : "shm", why, sizeof(why));
	while (fault && strcmp(fault, names[f.fault]))
		if (++f.fault == sizeof(names) / sizeof(names[0]))
			exit(error_usage("unknown fault '%s' in NETBENCH_FAULT", fault));
	if (!f.carrier)
		exit(error_usage("unknown backend '%s' in NETBENCH_FAULT_CARRIER", carrier));
	f.from = setting("NETBENCH_FAULT_RANK", ULONG_MAX);
	f.to = setting("NETBENCH_FAULT_TO", ULONG_MAX);
	f.from_len = setting("NETBENCH_FAULT_FROM_B", 1);
	f.to_len = setting("NETBENCH_FAULT_TO_B", ULONG_MAX);
	f.every = setting("NETBENCH_FAULT_EVERY", 1);
	f.times = setting("NETBENCH_FAULT_TIMES", ULONG_MAX);
	f.after = setting("NETBENCH_FAULT_AFTER", f.fault == LATE ? 0 : 5000);
	f.percent = setting("NETBENCH_FAULT_PERCENT", 10);
	f.seconds = setting("NETBENCH_FAULT_SECONDS", 3600);
	f.status = setting("NETBENCH_FAULT_STATUS", 5);
	netbench_backend = *f.carrier;
	netbench_backend.name = "faulty";
	netbench_backend.summary = "of the tests: messages that come to harm";
	netbench_backend.caps &= ~(unsigned)(CAP_READ | CAP_NATIVE);
	netbench_backend.max_ranks = RANKS;
	netbench_backend.open = open_faulty;
	netbench_backend.arm = arm;
	netbench_backend.run = run;
	netbench_backend.isend = isend;
	netbench_backend.test = test;
	netbench_backend.wait = wait_for;
	netbench_backend.counters = counters;
}
