/* SPDX-License-Identifier: Apache-2.0 */
#include "job/star.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/wait.h"

/* What a frame says. */
enum { SAY_MINE = 1, SAY_ALL, SAY_FAULT };

/* Evidence of who was lost is awaited this long by rank 0, and its verdict by the others. */
#define EVIDENCE_S 0.2
#define VERDICT_S 3.0
#define LAUNCHER_S 1.0	/* between what a launcher sends to two ranks */
#define WRITE_S 10.0

/* A backend needs up to 10 s to know that a peer is lost; who waits for that is not lost itself. */
#define LOSS_S 12.0

/* This process's first fault, in whatever thread, until it is reported. */
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

/* This process's star while a run goes on, for what calls exit() in its midst. */
static _Atomic(struct star *) under_way;

static void print(const char *text)
{
	error_route(NULL);
	error_report("%s", text);
	error_route(hold);
}

struct star *star_new(struct job *job, bool terminal)
{
	int n = job->rank ? 1 : job->size;
	size_t align = _Alignof(struct star), bytes = sizeof(struct star) +
							 (size_t)n * sizeof(struct spoke);
	struct star *s = aligned_alloc(align, (bytes + align - 1) / align * align);

	if (s)
		memset(s, 0, bytes);
	if (!s || pipe(s->bell)) {
		free(s);
		error_report("no memory for a job of %d ranks", job->size);
		return NULL;
	}
	s->job = job;
	s->terminal = terminal || job->rank == 0;
	s->nspokes = n;
	for (int i = 0; i < n; i++)
		s->spoke[i].channel.fd = -1;
	pthread_mutex_init(&s->busy, NULL);
	job->doing = &s->doing;
	first_fault.is_held = false;
	error_route(hold);
	return s;
}

void star_connect(struct star *s, int rank, const struct channel *c, const char *host)
{
	struct spoke *p = &s->spoke[rank];

	net_keepalive(c->fd);
	p->channel = *c;
	p->rank = rank;
	snprintf(p->host, sizeof(p->host), "%s", host);
}

void star_free(struct star *s)
{
	if (!s)
		return;
	error_route(NULL);
	under_way = NULL;
	s->job->doing = NULL;
	for (int i = 0; i < s->nspokes; i++)
		channel_close(&s->spoke[i].channel);
	meeting_close(s->door);
	close(s->bell[0]);
	close(s->bell[1]);
	pthread_mutex_destroy(&s->busy);
	free(s->area);
	free(s);
}

static int say(struct spoke *p, uint32_t what, int status, const void *data, size_t len)
{
	const struct frame f = { what, (uint32_t)status, (uint32_t)len };

	if (p->channel.fd < 0)
		return -ECONNRESET;
	return channel_send(&p->channel, &f, data, clock_wall() + WRITE_S);
}

/* The connection is lost if err, an errno, is not 0. */
static void spoke_broke(struct spoke *p, int err)
{
	p->lost = p->lost || err;
	if (err)
		p->err = err;
}

/*
 * Reads what has come of a frame, its data to `to` of `room` bytes, or nowhere. Returns its kind
 * once it is whole, 0 until then. Sets p->lost and p->told. The channel's MACs prove who has sent
 * the frame, and that it is of this run.
 */
static uint32_t hear(struct spoke *p, void *to, size_t room)
{
	struct frame f = { .say = 0 };
	int n = p->lost ? 0 : channel_head(&p->channel, &f);
	bool fault = f.say == SAY_FAULT;

	if (fault)
		to = f.len < sizeof(p->text) ? p->text : NULL;
	else if (f.say != (p->rank ? SAY_MINE : SAY_ALL) || (to && f.len != room))
		n = n > 0 ? -EPROTO : n;
	if (n > 0)
		n = channel_data(&p->channel, to);
	if (n < 0)
		spoke_broke(p, -n);
	if (n <= 0)
		return 0;
	if (!fault)
		return f.say;
	p->told = true;
	p->status = (int)f.status;
	p->text[to ? f.len : 0] = '\0';
	if (f.status < ST_FAILED || f.status > ST_UNAVAILABLE) {
		p->status = ST_FAILED;
		snprintf(p->text, sizeof(p->text),
			 "rank %d on host '%s' sent status %u, expected %d to %d", p->rank, p->host,
			 f.status, ST_FAILED, ST_UNAVAILABLE);
	}
	return f.say;
}

/*
 * Waits until a spoke that is not lost brings something or breaks, at most `seconds`. The watcher
 * waits for a spoke to break, lost ones too, for the door and for its bell. True: a spoke is ready.
 */
static bool wait_spokes(struct star *s, double seconds, bool watcher)
{
	struct pollfd *p = calloc((size_t)s->nspokes + 2, sizeof(*p));
	bool ready = false;

	if (!p)
		return false;
	p[0] = (struct pollfd){ .fd = watcher ? s->bell[0] : -1, .events = POLLIN };
	p[1] = (struct pollfd){ .fd = watcher && s->door ? meeting_fd(s->door) : -1,
				.events = POLLIN };
	for (int i = 0; i < s->nspokes; i++) {
		const struct spoke *at = &s->spoke[i];
		bool skip = at->gone || (!watcher && at->lost);	/* lost is its own thread's */

		p[2 + i] = (struct pollfd){ .fd = skip ? -1 : at->channel.fd,
					    .events = watcher ? POLLRDHUP : POLLIN };
	}
	poll(p, (nfds_t)s->nspokes + 2, (int)(seconds * 1000) + !watcher);
	for (int i = 0; i < s->nspokes; i++)
		ready |= p[2 + i].revents != 0;
	free(p);
	return ready;
}

static void say_lost(const struct star *s, int rank, char text[ERROR_TEXT])
{
	const struct spoke *p = &s->spoke[rank];
	bool ended = p->err == ECONNRESET || p->err == EPIPE;

	if (p->err == EBADMSG)
		snprintf(text, ERROR_TEXT, "rank %d did not get what rank %d on host '%s' sent: it "
			 "was changed, repeated or lost on the way", s->job->rank, rank, p->host);
	else
		snprintf(text, ERROR_TEXT, "rank %d on host '%s' was lost: %s", rank,
			 p->host, ended ? "it ended" : strerror(p->err));
}

/* A fault with its rank and host, unless it names a rank itself. */
static void say_whose(char text[ERROR_TEXT], int rank, const char *host, const char *fault)
{
	if (!strncmp(fault, "rank ", 5))
		snprintf(text, ERROR_TEXT, "%s", fault);
	else
		snprintf(text, ERROR_TEXT, "rank %d on host '%.63s': %.800s", rank, host, fault);
}

/* What rank 0 says: a rank was lost without a message, else a fault, its own before others'. */
static int root_verdict(const struct star *s, int status, char text[ERROR_TEXT])
{
	for (int r = 1; r < s->job->size; r++)
		if (s->spoke[r].lost && !s->spoke[r].told && !s->spoke[r].gone) {
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
	double until = clock_wall() + EVIDENCE_S;

	do {	/* it may take a moment to see which ranks are lost or report a fault */
		for (int r = 1; r < s->job->size; r++)
			while (s->spoke[r].channel.fd >= 0 && hear(&s->spoke[r], NULL, 0))
				;
		wait_spokes(s, 0.02, false);
	} while (clock_wall() < until);
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

/* A launcher that ends all ranks, and says why, may reach rank 0 a moment before this one. */
static bool is_told_to_end(struct star *s)
{
	double until = clock_wall() + LAUNCHER_S;

	while (!job_stop(s->job) && clock_wall() < until)
		wait_spokes(s, 0.02, false);
	return job_stop(s->job);
}

/* The others ask rank 0 for its verdict; if rank 0 is lost, they report what they know. */
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
	if (!own && root->lost && root->err == EBADMSG)
		say_lost(s, 0, text);	/* which rank 0 cannot see */
	err = root->told ? 0 : say(root, SAY_FAULT, status, text, strlen(text));
	shutdown(root->channel.fd, SHUT_WR);
	while (!root->told && !root->lost && clock_wall() < until)
		if (!hear(root, NULL, 0))
			wait_spokes(s, 0.05, false);
	if (root->told) {
		snprintf(text, sizeof(text), "%s", root->text);
		status = root->status;
	} else if (!own) {
		root->err = err && (!root->err || root->err == ECONNRESET) ? -err : root->err;
		say_lost(s, 0, text);
	}
	/* on rank 0's terminal, print only what rank 0 cannot, unless the launcher has said why */
	if (text[0] && (s->terminal || root->channel.fd < 0 ||
			(!root->told && s->job->rank == 1 && !is_told_to_end(s))))
		print(text);
	return status;
}

int star_abort(struct star *s, int status)
{
	while (atomic_exchange(&s->ending, 1))
		pause();	/* the other thread is about to end this process */
	pthread_mutex_trylock(&s->busy);
	return s->job->rank ? end_guest(s, status) : end_root(s, status);
}

/* On rank 0, whether the run goes on without ranks that are lost. */
static bool outlives_ranks(const struct star *s)
{
	return s->job->rank == 0 && s->job->kind->outlives_ranks &&
	       atomic_load(&s->job->outlives) && !job_stop(s->job);
}

/* Whether the run goes on without a rank after its connection broke. It does not after a fault. */
static bool lets_go(struct star *s, struct spoke *p)
{
	char text[ERROR_TEXT];

	if (!outlives_ranks(s) || p->told)
		return false;
	say_lost(s, p->rank, text);
	error_warn("%s; the others go on", text);
	atomic_store(&p->gone, true);
	shutdown(p->channel.fd, SHUT_RDWR);
	return true;
}

/* Goes on without all ranks with an ended connection. False if the job is to end. */
static bool let_go(struct star *s)
{
	for (int r = 1; r < s->nspokes; r++) {
		struct spoke *p = &s->spoke[r];
		struct pollfd ended = { .fd = p->channel.fd, .events = POLLRDHUP };

		if (p->gone || (!p->lost && !poll(&ended, 1, 0)))
			continue;
		while (hear(p, NULL, 0))	/* its last frames */
			;
		if ((p->lost || p->told) && !lets_go(s, p))
			return false;
	}
	return s->job->rank == 0;
}

/* Takes the connections, unless a collective that is under way sees the reason itself and ends. */
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

/*
 * A tick of the watchdog; a collective under way then ends the run itself, or goes on
 * without the ranks it waits for.
 */
static bool has_stalled(struct star *s, struct watchdog *w)
{
	struct text why = { .n = 0 };
	double least = 0;	/* how long nothing may move at least */

	/* a rank other than 0 waits longer, as watchdog_patience */
	if (s->job->kind->outlives_ranks && atomic_load(&s->job->outlives))
		least = s->job->rank ? 2 * LOSS_S + 3 : LOSS_S;
	w->tick_s = watchdog_tick_s(&s->doing);
	if (watchdog_tick(w, clock_wall(), &why) && w->still_s >= least) {
		if (outlives_ranks(s)) {
			error_note("%s", why.s);
			w->still_s = 0;
		} else {
			error_report("%s", why.s);
		}
		atomic_store(&s->stalled, true);
	}
	return atomic_load(&s->stalled) && !outlives_ranks(s);
}

static void *watch(void *arg)
{
	struct star *s = arg;
	struct watchdog dog = { .ranks = &s->doing, .n = 1, .first = s->job->rank,
				.last_s = clock_wall() };
	int status;

	error_unbuffered();
	while (!atomic_load(&s->done)) {
		bool pending = s->door && meeting_pending(s->door);
		bool amiss = wait_spokes(s, pending ? 0.2 : watchdog_tick_s(&s->doing), true);
		bool stalled = has_stalled(s, &dog);

		amiss |= stalled;
		if (s->door)
			meeting_turn_away(s->door);
		if (!atomic_load(&s->ending) && (!amiss || atomic_load(&s->done) || !may_read(s)))
			continue;
		if (!atomic_load(&s->ending) && !stalled && let_go(s)) {
			pthread_mutex_unlock(&s->busy);
			continue;
		}
		status = star_abort(s, ST_FAILED);
		_exit(job_stop(s->job) ? 128 + job_stop(s->job) : status);
	}
	return NULL;
}

#define UNKNOWN_STATUS INT_MIN

/* A library may call exit(). glibc alone tells the status. */
static void report_exit(int status, void *unused)
{
	struct star *s = under_way;
	char how[32] = "";

	if (!s || atomic_load(&s->ending))
		return;
	if (status != UNKNOWN_STATUS)
		snprintf(how, sizeof(how), " with status %d", status);
	_exit(star_abort(s, error_report("rank %d ended by itself%s in the middle of the run",
					 s->job->rank, how)));
}

#ifndef __GLIBC__
static void report_exit_alone(void)
{
	report_exit(UNKNOWN_STATUS, NULL);
}
#define on_exit(report, unused) atexit(report##_alone)
#endif

int star_watch(struct star *s, struct meeting *door)
{
	sigset_t all, before;
	int err;

	s->door = door;
	under_way = s;
	on_exit(report_exit, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);	/* signals are the main thread's */
	err = pthread_create(&s->watcher, NULL, watch, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->watched = !err;
	return err ? error_report("cannot start a thread: %s", strerror(err)) : ST_OK;
}

/* Takes contributions that have come; if `all`, checks all ranks. The first missing one, or 0. */
static int look_around(struct star *s, size_t len, bool all)
{
	int missing = 0;

	for (int r = 1; r < s->job->size; r++) {
		struct spoke *p = &s->spoke[r];

		if (!p->here && !p->gone && hear(p, s->area + (size_t)r * len, len) == SAY_MINE)
			p->here = true;
		else if (p->here && !p->gone && all)
			hear(p, NULL, 0);
		if ((p->lost || p->told) && !p->gone && !lets_go(s, p))
			s->job->kind->abort(s->job, ST_FAILED);
		if (p->gone && !p->here) {
			memset(s->area + (size_t)r * len, 0, len);
			p->here = true;
		}
		missing = !missing && !p->here ? r : missing;
	}
	return missing;
}

/* Looks without sleep: fewer than in memory, since each is a system call. */
#define LOOKS(patience) ((patience).spins / 50 + (patience).yields)

/*
 * Before the next look for what rank `missing` is to say. Once the watchdog has had enough, rank 0
 * lets go of the ranks that it waits for, or the job ends.
 */
static void be_patient(struct star *s, struct patience patience, uint32_t looks, int missing)
{
	if (atomic_load_explicit(&s->stalled, memory_order_relaxed)) {
		if (!outlives_ranks(s))
			s->job->kind->abort(s->job, ST_FAILED);
		for (int r = 1; r < s->job->size; r++) {
			if (s->spoke[r].here || s->spoke[r].gone)
				continue;
			spoke_broke(&s->spoke[r], ETIMEDOUT);
			lets_go(s, &s->spoke[r]);
		}
		atomic_store(&s->stalled, false);
	}
	if (looks > LOOKS(patience)) {
		doing_miss(&s->doing, missing);
		wait_spokes(s, 1, false);
	} else if (looks > patience.spins / 50) {
		sched_yield();
	}
}

static struct star *star_of(struct job *job)
{
	return ((struct star_job *)job)->star;
}

/* Rank 0 to all others. */
static void tell_all(struct star *s, const void *data, size_t len)
{
	for (int r = 1; r < s->job->size; r++)
		if (!s->spoke[r].gone)
			spoke_broke(&s->spoke[r], -say(&s->spoke[r], SAY_ALL, 0, data, len));
}

/* The others: what rank 0 tells all. */
static void await_root(struct star *s, void *data, size_t len)
{
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	struct spoke *root = &s->spoke[0];
	uint32_t looks = 0;

	while (!root->lost && !root->told && hear(root, data, len) != SAY_ALL)
		be_patient(s, patience, ++looks, 0);
	if (root->lost || root->told)
		s->job->kind->abort(s->job, ST_FAILED);
}

/* Gathers; each of the others gets `back` bytes of s->area in return. */
static void exchange(struct star *s, const void *mine, size_t len, size_t back)
{
	size_t bytes = 1 + (s->job->rank ? back : (size_t)s->job->size * len);
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	unsigned char *area;
	uint32_t looks = 0;
	int missing;

	doing_enter(&s->doing);
	pthread_mutex_lock(&s->busy);
	if (outlives_ranks(s))		/* of another collective */
		atomic_store(&s->stalled, false);
	if (s->room < bytes) {
		area = realloc(s->area, bytes);
		if (!area)
			s->job->kind->abort(s->job, error_report("no memory for %d times %zu bytes",
								 s->job->size, len));
		s->area = area;
		s->room = bytes;
	}
	if (s->job->rank == 0) {
		memcpy(s->area, mine, len);
		for (int r = 1; r < s->job->size; r++)
			s->spoke[r].here = false;
		while ((missing = look_around(s, len, looks > LOOKS(patience))))
			be_patient(s, patience, ++looks, missing);
		tell_all(s, s->area, back);
	} else {
		spoke_broke(&s->spoke[0], -say(&s->spoke[0], SAY_MINE, 0, mine, len));
		await_root(s, s->area, back);
	}
	pthread_mutex_unlock(&s->busy);
	doing_leave(&s->doing);
}

const void *star_gather(struct job *job, const void *mine, size_t len)
{
	struct star *s = star_of(job);

	exchange(s, mine, len, 0);
	return job->rank ? NULL : s->area;
}

void star_barrier(struct job *job)
{
	star_gather(job, "", 0);
}

const void *star_allgather(struct job *job, const void *mine, size_t len)
{
	struct star *s = star_of(job);

	exchange(s, mine, len, (size_t)job->size * len);
	return s->area;
}

void star_bcast(struct job *job, void *data, size_t len)
{
	struct star *s = star_of(job);

	doing_enter(&s->doing);
	pthread_mutex_lock(&s->busy);
	if (job->rank == 0)
		tell_all(s, data, len);
	else
		await_root(s, data, len);
	pthread_mutex_unlock(&s->busy);
	doing_leave(&s->doing);
}

void star_leave(struct star *s)
{
	under_way = NULL;
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
