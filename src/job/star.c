/* SPDX-License-Identifier: Apache-2.0 */
#include "job/star.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "net/wait.h"

/* What is said on a connection: this, and len bytes. */
enum { SAY_MINE = 1, SAY_ALL, SAY_FAULT };

struct head {
	uint32_t say, len, status;	/* network byte order */
};

/* Evidence of who was lost is awaited this long by rank 0, and its verdict by the others. */
#define EVIDENCE_S 0.2
#define VERDICT_S 3.0
#define WRITE_S 10.0

/* This process's first fault, until it is told. Any thread may meet one. */
static struct {
	pthread_mutex_t busy;
	bool is_held;
	int status;
	char text[ERROR_TEXT];
} first_fault = { .busy = PTHREAD_MUTEX_INITIALIZER };

static void hold(const char *text, int status)
{
	pthread_mutex_lock(&first_fault.busy);
	if (!first_fault.is_held) {
		first_fault.is_held = true;
		first_fault.status = status;
		snprintf(first_fault.text, sizeof(first_fault.text), "%s", text);
	}
	pthread_mutex_unlock(&first_fault.busy);
}

/* True if there is a fault: yields its text (else "") and status (else as it was). */
static bool held_fault(char text[ERROR_TEXT], int *status)
{
	bool is_held;

	pthread_mutex_lock(&first_fault.busy);
	is_held = first_fault.is_held;
	snprintf(text, ERROR_TEXT, "%s", is_held ? first_fault.text : "");
	*status = is_held ? first_fault.status : *status;
	pthread_mutex_unlock(&first_fault.busy);
	return is_held;
}

static void print(const char *text)
{
	error_route(NULL);
	error_report("%s", text);
	error_route(hold);
}

/* ---- making one ---- */

struct star *star_new(struct job *job, bool terminal)
{
	struct star *s = calloc(1, sizeof(*s));

	if (s)
		s->spoke = calloc((size_t)job->size, sizeof(*s->spoke));
	if (!s || !s->spoke || pipe(s->bell)) {
		if (s)
			free(s->spoke);
		free(s);
		error_report("no memory for a job of %d ranks", job->size);
		return NULL;
	}
	s->job = job;
	s->terminal = terminal || job->rank == 0;
	for (int i = 0; i < job->size; i++)
		s->spoke[i].fd = -1;
	pthread_mutex_init(&s->busy, NULL);
	first_fault.is_held = false;
	error_route(hold);
	return s;
}

void star_connect(struct star *s, int rank, int fd, const char *host)
{
	struct spoke *p = &s->spoke[rank];

	net_keepalive(fd);
	p->fd = fd;
	snprintf(p->host, sizeof(p->host), "%s", host);
}

void star_free(struct star *s)
{
	if (!s)
		return;
	error_route(NULL);
	for (int i = 0; i < s->job->size; i++)
		if (s->spoke[i].fd >= 0)
			close(s->spoke[i].fd);
	meeting_close(s->door);
	close(s->bell[0]);
	close(s->bell[1]);
	pthread_mutex_destroy(&s->busy);
	free(s->spoke);
	free(s->area);
	free(s);
}

static int first_spoke(const struct star *s)
{
	return s->job->rank == 0 ? 1 : 0;
}

static int end_spoke(const struct star *s)
{
	return s->job->rank == 0 ? s->job->size : 1;
}

/* ---- frames ---- */

static int say(struct spoke *p, uint32_t what, int status, const void *data, size_t len)
{
	struct {
		struct head head;
		unsigned char data[JOB_GATHER_MAX];
	} short_one;
	struct head head = { htonl(what), htonl((uint32_t)len), htonl((uint32_t)status) };
	double until = clock_wall() + WRITE_S;
	int err;

	if (p->fd < 0)
		return -ECONNRESET;
	short_one.head = head;
	if (len <= sizeof(short_one.data)) {
		memcpy(short_one.data, data, len);
		return net_write(p->fd, &short_one, sizeof(short_one.head) + len, until);
	}
	err = net_write(p->fd, &short_one.head, sizeof(short_one.head), until);
	return err ? err : net_write(p->fd, data, len, until);
}

static void spoke_broke(struct spoke *p, int err)
{
	p->lost = true;
	p->err = err;
}

static void spoke_check(struct spoke *p, int err)
{
	if (err)
		spoke_broke(p, -err);
}

static struct head head_of(const struct spoke *p)
{
	struct head h;

	memcpy(&h, p->head, sizeof(h));
	return (struct head){ ntohl(h.say), ntohl(h.len), ntohl(h.status) };
}

/* Where the next bytes of a frame go, and how many. */
static void *next_bytes(struct spoke *p, void *to, size_t room, size_t *n)
{
	static unsigned char nowhere[512];
	size_t at = p->got - sizeof(struct head);
	struct head h;

	if (p->got < sizeof(struct head)) {
		*n = sizeof(struct head) - p->got;
		return p->head + p->got;
	}
	h = head_of(p);
	*n = h.len - at;
	if (h.say == SAY_FAULT && h.len < sizeof(p->text))
		return p->text + at;
	if (h.say != SAY_FAULT && to && h.len == room)
		return (char *)to + at;
	*n = *n < sizeof(nowhere) ? *n : sizeof(nowhere);
	return nowhere;
}

/*
 * Reads what has come of a frame, its data to `to` of `room` bytes, or nowhere. What it is once it
 * is whole, 0 until then. p->lost, p->told: see there.
 */
static uint32_t hear(struct spoke *p, void *to, size_t room)
{
	while (!p->lost) {
		struct head h = head_of(p);
		size_t want;
		void *at;
		ssize_t n;

		if (p->got >= sizeof(h) && p->got - sizeof(h) == h.len) {
			p->got = 0;
			if (h.say != SAY_FAULT && to && h.len != room) {
				spoke_broke(p, EPROTO);		/* another contribution than was asked for */
				break;
			}
			if (h.say == SAY_FAULT) {
				p->told = true;
				p->status = (int)h.status;
				p->text[h.len < sizeof(p->text) ? h.len : 0] = '\0';
			}
			return h.say;
		}
		at = next_bytes(p, to, room, &want);
		n = recv(p->fd, at, want, MSG_DONTWAIT);
		if (n > 0)
			p->got += (size_t)n;
		else if (n == 0)
			spoke_broke(p, ECONNRESET);
		else if (errno == EAGAIN)
			return 0;
		else if (errno != EINTR)
			spoke_broke(p, errno);
	}
	return 0;
}

/* Until something comes on any spoke, or breaks; at most `seconds`. */
static void wait_spokes(struct star *s, double seconds, short events)
{
	int first = first_spoke(s), n = 0;
	struct pollfd *p = calloc((size_t)s->job->size, sizeof(*p));

	for (int i = first; p && i < end_spoke(s); i++)
		if (s->spoke[i].fd >= 0 && !s->spoke[i].lost)
			p[n++] = (struct pollfd){ .fd = s->spoke[i].fd, .events = events };
	if (p)
		poll(p, (nfds_t)n, (int)(seconds * 1000) + 1);
	free(p);
}

/* ---- the end ---- */

/* Rank 0 listens to all until nothing more is to be expected: who is lost, who has told of a fault? */
static void gather_evidence(struct star *s)
{
	double until = clock_wall() + EVIDENCE_S;

	do {
		for (int i = first_spoke(s); i < end_spoke(s); i++)
			while (s->spoke[i].fd >= 0 && hear(&s->spoke[i], NULL, 0))
				;
		wait_spokes(s, 0.02, POLLIN);
	} while (clock_wall() < until);
}

static void say_lost(const struct star *s, int rank, char text[ERROR_TEXT])
{
	const struct spoke *p = &s->spoke[rank];

	if (p->err == ECONNRESET || p->err == EPIPE)
		snprintf(text, ERROR_TEXT, "rank %d on host '%s' was lost: it ended", rank, p->host);
	else
		snprintf(text, ERROR_TEXT, "rank %d on host '%s' was lost: %s", rank, p->host,
			 strerror(p->err));
}

/* A fault with its rank and host, unless it names a rank itself. */
static void say_whose(char text[ERROR_TEXT], int rank, const char *host, const char *fault)
{
	if (!strncmp(fault, "rank ", 5))
		snprintf(text, ERROR_TEXT, "%s", fault);
	else
		snprintf(text, ERROR_TEXT, "rank %d on host '%.63s': %.800s", rank, host, fault);
}

/* What rank 0 says: first of a rank that is gone without a word, then of a fault, its own or told. */
static int root_verdict(const struct star *s, int status, char text[ERROR_TEXT])
{
	for (int r = 1; r < s->job->size; r++)
		if (s->spoke[r].lost && !s->spoke[r].told) {
			say_lost(s, r, text);
			return ST_FAILED;
		}
	if (held_fault(text, &status))
		return status;
	for (int r = 1; r < s->job->size; r++)
		if (s->spoke[r].told && s->spoke[r].text[0]) {
			say_whose(text, r, s->spoke[r].host, s->spoke[r].text);
			return s->spoke[r].status;
		}
	return status;
}

static int end_root(struct star *s, int status)
{
	char text[ERROR_TEXT], others[ERROR_TEXT] = "", host[64] = "";

	gather_evidence(s);
	status = root_verdict(s, status, text);
	gethostname(host, sizeof(host) - 1);
	if (text[0])
		say_whose(others, 0, host, text);
	for (int r = 1; r < s->job->size; r++)
		say(&s->spoke[r], SAY_FAULT, status, others, strlen(others));
	if (text[0])
		print(text);
	return status;
}

/* The others ask rank 0 for its verdict; if it is gone, they are on their own. */
static int end_guest(struct star *s, int status)
{
	struct spoke *root = &s->spoke[0];
	double until = clock_wall() + VERDICT_S;
	char text[ERROR_TEXT];
	bool own;
	int err;

	while (hear(root, NULL, 0))
		;
	own = held_fault(text, &status);
	err = root->told ? 0 : say(root, SAY_FAULT, status, text, strlen(text));
	shutdown(root->fd, SHUT_WR);
	while (!root->told && !root->lost && clock_wall() < until)
		if (!hear(root, NULL, 0))
			wait_spokes(s, 0.05, POLLIN);
	if (root->told) {
		snprintf(text, sizeof(text), "%s", root->text);
		status = root->status;
	} else if (!own) {
		root->err = err && (!root->err || root->err == ECONNRESET) ? -err : root->err;
		say_lost(s, 0, text);
	}
	/* who shares rank 0's terminal says only what that no longer can; a launcher that ends all has said why */
	if (text[0] && (s->terminal || root->fd < 0 || (!root->told && s->job->rank == 1 && !job_stop(s->job))))
		print(text);
	return status;
}

/* True for the first thread of this process that wants to bring the end about. */
static bool first_to_end(struct star *s)
{
	return !atomic_exchange(&s->ending, 1);
}

int star_abort(struct star *s, int status)
{
	if (!first_to_end(s))
		for (;;)
			pause();	/* the watcher is about to end this process */
	pthread_mutex_trylock(&s->busy);
	return s->job->rank ? end_guest(s, status) : end_root(s, status);
}

/* ---- the watcher ---- */

static bool anything_amiss(struct star *s)
{
	struct pollfd *p = calloc((size_t)s->job->size + 2, sizeof(*p));
	bool amiss = false;
	int n = 2;

	if (!p)
		return false;
	p[0] = (struct pollfd){ .fd = s->bell[0], .events = POLLIN };
	p[1] = (struct pollfd){ .fd = s->door ? meeting_fd(s->door) : -1, .events = POLLIN };
	for (int i = first_spoke(s); i < end_spoke(s); i++)
		p[n++] = (struct pollfd){ .fd = s->spoke[i].fd, .events = POLLRDHUP };
	poll(p, (nfds_t)n, s->door && meeting_pending(s->door) ? 200 : -1);
	for (int i = 2; i < n; i++)
		amiss |= p[i].revents != 0;
	free(p);
	return amiss;
}

static void turn_away(struct star *s)
{
	struct answer no = { .welcome = false, .text = "the run has begun" };
	struct guest g;

	while (s->door && meeting_next(s->door, 0, &g)) {
		error_warn("%s on host '%s' came too late and was refused", g.from, g.host);
		meeting_answer(s->door, &g, &no);
	}
}

/* The reason may lie in a collective that is under way; then its thread sees it, too. */
static bool may_read(struct star *s)
{
	struct timespec nap = { 0, 10000000L };

	while (!atomic_load(&s->done) && !atomic_load(&s->ending)) {
		if (!pthread_mutex_trylock(&s->busy))
			return true;
		nanosleep(&nap, NULL);
	}
	return false;
}

static void *watch(void *arg)
{
	struct star *s = arg;
	int status;

	error_unbuffered();
	while (!atomic_load(&s->done)) {
		bool amiss = anything_amiss(s);

		turn_away(s);
		if (!atomic_load(&s->ending) && (!amiss || atomic_load(&s->done) || !may_read(s)))
			continue;
		if (!first_to_end(s))
			for (;;)
				pause();	/* the main thread is about to end this process */
		status = s->job->rank ? end_guest(s, ST_FAILED) : end_root(s, ST_FAILED);
		_exit(job_stop(s->job) ? 128 + job_stop(s->job) : status);
	}
	return NULL;
}

int star_watch(struct star *s, struct meeting *door)
{
	sigset_t all, before;
	int err;

	s->door = door;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);	/* signals are the main thread's */
	err = pthread_create(&s->watcher, NULL, watch, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->watched = !err;
	return err ? error_report("cannot start a thread: %s", strerror(err)) : ST_OK;
}

/* ---- collective services ---- */

/* In a collective: someone is gone, or has told of a fault. */
__attribute__((noreturn)) static void end_in_collective(struct star *s)
{
	s->job->kind->abort(s->job, ST_FAILED);
}

static bool make_area(struct star *s, size_t bytes)
{
	unsigned char *area = s->room < bytes ? realloc(s->area, bytes) : s->area;

	if (!area)
		return false;
	s->area = area;
	s->room = s->room < bytes ? bytes : s->room;
	return true;
}

/* Looks for contributions that have come, and, if `all`, whether the others are still there. How many are missing. */
static int look_around(struct star *s, size_t len, bool all)
{
	int missing = 0;

	for (int r = 1; r < s->job->size; r++) {
		struct spoke *p = &s->spoke[r];

		if (!p->here && hear(p, s->area + (size_t)r * len, len) == SAY_MINE)
			p->here = true;
		else if (p->here && all)
			hear(p, NULL, 0);
		if (p->lost || p->told)
			end_in_collective(s);
		missing += !p->here;
	}
	return missing;
}

/* Looks without sleep: each is a system call, so fewer than where memory is looked at. */
#define LOOKS(patience) ((patience).spins / 50 + (patience).yields)

static void be_patient(struct star *s, struct patience patience, uint32_t looks)
{
	if (looks > LOOKS(patience))
		wait_spokes(s, 1, POLLIN);
	else if (looks > patience.spins / 50)
		sched_yield();
}

/* Rank 0: every rank's contribution is in s->area. */
static void collect(struct star *s, const void *mine, size_t len)
{
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	uint32_t looks = 0;

	memcpy(s->area, mine, len);
	for (int r = 1; r < s->job->size; r++)
		s->spoke[r].here = false;
	while (look_around(s, len, looks > LOOKS(patience)))
		be_patient(s, patience, ++looks);
}

/* Rank 0 to all others. */
static void tell_all(struct star *s, const void *data, size_t len)
{
	for (int r = 1; r < s->job->size; r++)
		spoke_check(&s->spoke[r], say(&s->spoke[r], SAY_ALL, 0, data, len));
}

/* The others: what rank 0 tells all. */
static void await_root(struct star *s, void *data, size_t len)
{
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	struct spoke *root = &s->spoke[0];
	uint32_t looks = 0;

	while (!root->lost && !root->told && hear(root, data, len) != SAY_ALL)
		be_patient(s, patience, ++looks);
	if (root->lost || root->told)
		end_in_collective(s);
}

/* Gathers; each of the others gets `back` bytes of s->area in return. */
static void exchange(struct star *s, const void *mine, size_t len, size_t back)
{
	size_t bytes = s->job->rank ? back : (size_t)s->job->size * len;

	pthread_mutex_lock(&s->busy);
	if (!make_area(s, bytes + 1)) {
		error_report("no memory for %d times %zu bytes", s->job->size, len);
		end_in_collective(s);
	}
	if (s->job->rank == 0) {
		collect(s, mine, len);
		tell_all(s, s->area, back);
	} else {
		spoke_check(&s->spoke[0], say(&s->spoke[0], SAY_MINE, 0, mine, len));
		await_root(s, s->area, back);
	}
	pthread_mutex_unlock(&s->busy);
}

const void *star_gather(struct star *s, const void *mine, size_t len)
{
	exchange(s, mine, len, 0);
	return s->job->rank ? NULL : s->area;
}

const void *star_allgather(struct star *s, const void *mine, size_t len)
{
	exchange(s, mine, len, (size_t)s->job->size * len);
	return s->area;
}

void star_bcast(struct star *s, void *data, size_t len)
{
	pthread_mutex_lock(&s->busy);
	if (s->job->rank == 0)
		tell_all(s, data, len);
	else
		await_root(s, data, len);
	pthread_mutex_unlock(&s->busy);
}

void star_leave(struct star *s)
{
	if (s)
		atomic_store(&s->done, true);
}

void star_finish(struct star *s)
{
	char text[ERROR_TEXT];
	int status = ST_OK;

	if (!s)
		return;
	if (s->watched && write(s->bell[1], "", 1) == 1)
		pthread_join(s->watcher, NULL);
	held_fault(text, &status);
	star_free(s);
	if (text[0])
		error_report("%s", text);
}
