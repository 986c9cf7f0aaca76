/* SPDX-License-Identifier: Apache-2.0 */
#include "job/star.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/wait.h"

/*
 * Kinds of frames: SAY_MINE: a rank's data for a collective. SAY_ALL: data from rank 0 for all
 * ranks. SAY_FAULT: a fault.
 */
enum { SAY_MINE = 1, SAY_ALL, SAY_FAULT };

/*
 * Before rank 0 decides which fault to report, it waits EVIDENCE_S seconds to see which rank was
 * lost. The other ranks wait at most VERDICT_S seconds for this decision.
 */
#define EVIDENCE_S 0.2
#define VERDICT_S 3.0
#define LAUNCHER_S 1.0	/* longest time between a launcher's signals to two ranks */
#define WRITE_S 10.0

/*
 * A backend needs up to 10 s to notice that a peer is lost. A rank that waits during this time must
 * not count as lost.
 */
#define LOSS_S 12.0

/* The first fault of any thread of this process, kept until it is reported. */
static struct {
	pthread_mutex_t busy;
	bool is_held;
	int status;
	char text[ERROR_TEXT];
} first_fault = { .busy = PTHREAD_MUTEX_INITIALIZER };

/* Keeps the first fault of this process, so that rank 0 can report it. */
static void keep_fault(const char *text, int status)
{
	pthread_mutex_lock(&first_fault.busy);
	if (!first_fault.is_held) {
		first_fault.is_held = true;
		first_fault.status = status;
		snprintf(first_fault.text, sizeof(first_fault.text), "%s", text);
	}
	pthread_mutex_unlock(&first_fault.busy);
}

/*
 * Returns true if a fault is kept; copies its text to `text` and its status to *status. Otherwise
 * sets `text` to "".
 */
static bool get_kept_fault(char text[ERROR_TEXT], int *status)
{
	bool is_held;

	pthread_mutex_lock(&first_fault.busy);
	is_held = first_fault.is_held;
	snprintf(text, ERROR_TEXT, "%s", is_held ? first_fault.text : "");
	*status = is_held ? first_fault.status : *status;
	pthread_mutex_unlock(&first_fault.busy);
	return is_held;
}

/*
 * This process's star while a run is in progress; NULL otherwise. If it is not NULL at exit, a
 * library has called exit() during the run.
 */
static _Atomic(struct star *) running_star;

/* Prints a fault on stderr instead of keeping it. */
static void print_fault(const char *text)
{
	error_route(NULL);
	error_report("%s", text);
	error_route(keep_fault);
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
	error_route(keep_fault);
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
	running_star = NULL;
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

/* Sends a frame of kind `what`. Returns 0 or -errno. */
static int send_frame(struct spoke *p, uint32_t what, int status, const void *data, size_t len)
{
	const struct frame f = { what, (uint32_t)status, (uint32_t)len };

	if (p->channel.fd < 0)
		return -ECONNRESET;
	return channel_send(&p->channel, &f, data, clock_wall() + WRITE_S);
}

/* If err is not 0, marks the connection as lost for this reason. err is an errno. */
static void mark_broken(struct spoke *p, int err)
{
	p->lost = p->lost || err;
	if (err)
		p->err = err;
}

/*
 * Reads the part of a frame that has arrived, without waiting. The frame's data goes to `to`, which
 * has `room` bytes. If `to` is NULL, the data is dropped. Returns the frame's kind when it is
 * complete, otherwise 0. Sets p->lost and p->told. The channel's MACs prove who has sent the frame,
 * and that it belongs to this run.
 */
static uint32_t read_frame(struct spoke *p, void *to, size_t room)
{
	struct frame f = { .say = 0 };
	int n = p->lost ? 0 : channel_read_head(&p->channel, &f);
	bool fault = f.say == SAY_FAULT;

	if (fault)
		to = f.len < sizeof(p->text) ? p->text : NULL;
	else if (f.say != (p->rank ? SAY_MINE : SAY_ALL) || (to && f.len != room))
		n = n > 0 ? -EPROTO : n;
	if (n > 0)
		n = channel_read_data(&p->channel, to);
	if (n < 0)
		mark_broken(p, -n);
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
 * Waits at most `seconds` until a connection that is not lost has data or breaks. With `watcher`
 * true, waits until any connection breaks, or until `door` or the pipe `bell` is ready. Returns
 * true if an event has occurred on a connection.
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
		/* the watcher does not read `lost`, which belongs to the other thread */
		bool skip = at->gone || (!watcher && at->lost);

		p[2 + i] = (struct pollfd){ .fd = skip ? -1 : at->channel.fd,
					    .events = watcher ? POLLRDHUP : POLLIN };
	}
	poll(p, (nfds_t)s->nspokes + 2, (int)(seconds * 1000) + !watcher);
	for (int i = 0; i < s->nspokes; i++)
		ready |= p[2 + i].revents != 0;
	free(p);
	return ready;
}

/* Writes why the connection to a rank counts as lost. */
static void describe_loss(const struct star *s, int rank, char text[ERROR_TEXT])
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

/* Writes a fault, preceded by its rank and host unless it already begins with a rank. */
static void describe_fault(char text[ERROR_TEXT], int rank, const char *host, const char *fault)
{
	if (!strncmp(fault, "rank ", 5))
		snprintf(text, ERROR_TEXT, "%s", fault);
	else
		snprintf(text, ERROR_TEXT, "rank %d on host '%.63s': %.800s", rank, host, fault);
}

/*
 * Decides what rank 0 reports, and writes it to `text`. The order is: a rank that was lost without
 * reporting a fault; rank 0's own fault; another rank's fault. Returns the exit status.
 */
static int decide_verdict(const struct star *s, int status, char text[ERROR_TEXT])
{
	for (int r = 1; r < s->job->size; r++)
		if (s->spoke[r].lost && !s->spoke[r].told && !s->spoke[r].gone) {
			describe_loss(s, r, text);
			return ST_FAILED;
		}
	if (get_kept_fault(text, &status))
		return status;
	for (int r = 1; r < s->job->size; r++)
		if (s->spoke[r].told && s->spoke[r].text[0]) {
			describe_fault(text, r, s->spoke[r].host, s->spoke[r].text);
			return s->spoke[r].status;
		}
	return status;
}

/*
 * On rank 0: finds out why the job ends, informs the other ranks, and prints the reason. Returns
 * the exit status.
 */
static int end_job_at_root(struct star *s, int status)
{
	char text[ERROR_TEXT], others[ERROR_TEXT] = "", host[64] = "";
	double until = clock_wall() + EVIDENCE_S;

	do {	/* lost ranks and reported faults may become visible only after a moment */
		for (int r = 1; r < s->job->size; r++)
			while (s->spoke[r].channel.fd >= 0 && read_frame(&s->spoke[r], NULL, 0))
				;
		wait_spokes(s, 0.02, false);
	} while (clock_wall() < until);
	status = decide_verdict(s, status, text);
	gethostname(host, sizeof(host) - 1);
	if (text[0])
		describe_fault(others, 0, host, text);
	for (int r = 1; r < s->job->size; r++)
		send_frame(&s->spoke[r], SAY_FAULT, status, others, strlen(others));
	if (text[0])
		print_fault(text);
	return status;
}

/*
 * Returns true if the launcher is ending all ranks. Waits up to LAUNCHER_S, because the launcher's
 * signal may reach rank 0 before this rank.
 */
static bool launcher_ends_run(struct star *s)
{
	double until = clock_wall() + LAUNCHER_S;

	while (!job_stop(s->job) && clock_wall() < until)
		wait_spokes(s, 0.02, false);
	return job_stop(s->job);
}

/*
 * On other ranks: sends this rank's fault to rank 0, and waits until rank 0 has decided what to
 * report. If rank 0 is lost, this rank reports what it knows. Returns the exit status.
 */
static int end_job_at_guest(struct star *s, int status)
{
	struct spoke *root = &s->spoke[0];
	double until = clock_wall() + VERDICT_S;
	char text[ERROR_TEXT];
	bool own;
	int err;

	while (read_frame(root, NULL, 0))
		;
	own = get_kept_fault(text, &status);
	if (!own && root->lost && root->err == EBADMSG)
		describe_loss(s, 0, text);	/* rank 0 cannot see this fault */
	err = root->told ? 0 : send_frame(root, SAY_FAULT, status, text, strlen(text));
	shutdown(root->channel.fd, SHUT_WR);
	while (!root->told && !root->lost && clock_wall() < until)
		if (!read_frame(root, NULL, 0))
			wait_spokes(s, 0.05, false);
	if (root->told) {
		snprintf(text, sizeof(text), "%s", root->text);
		status = root->status;
	} else if (!own) {
		root->err = err && (!root->err || root->err == ECONNRESET) ? -err : root->err;
		describe_loss(s, 0, text);
	}
	/*
	 * A rank that shares rank 0's terminal prints only if rank 0 cannot. Rank 0 cannot print if
	 * it has no connection to this rank. If rank 0 is lost, only rank 1 prints, unless the
	 * launcher is ending the run.
	 */
	if (text[0] && (s->terminal || root->channel.fd < 0 ||
			(!root->told && s->job->rank == 1 && !launcher_ends_run(s))))
		print_fault(text);
	return status;
}

int star_abort(struct star *s, int status)
{
	while (atomic_exchange(&s->ending, 1))
		pause();	/* the other thread is about to end this process */
	pthread_mutex_trylock(&s->busy);
	return s->job->rank ? end_job_at_guest(s, status) : end_job_at_root(s, status);
}

/* Returns true on rank 0 if the run may continue without lost ranks. */
static bool outlives_ranks(const struct star *s)
{
	return s->job->rank == 0 && s->job->kind->outlives_ranks &&
	       atomic_load(&s->job->outlives) && !job_stop(s->job);
}

/*
 * If the run may continue without a rank whose connection broke: warns, abandons the rank, and
 * returns true. If the rank has reported a fault, returns false.
 */
static bool abandon_rank(struct star *s, struct spoke *p)
{
	char text[ERROR_TEXT];

	if (!outlives_ranks(s) || p->told)
		return false;
	describe_loss(s, p->rank, text);
	error_warn("%s; the others go on", text);
	atomic_store(&p->gone, true);
	shutdown(p->channel.fd, SHUT_RDWR);
	return true;
}

/* Abandons all ranks whose connection has ended. Returns false if the job must end. */
static bool abandon_lost_ranks(struct star *s)
{
	for (int r = 1; r < s->nspokes; r++) {
		struct spoke *p = &s->spoke[r];
		struct pollfd ended = { .fd = p->channel.fd, .events = POLLRDHUP };

		if (p->gone || (!p->lost && !poll(&ended, 1, 0)))
			continue;
		while (read_frame(p, NULL, 0))	/* read the frames that it has sent before */
			;
		if ((p->lost || p->told) && !abandon_rank(s, p))
			return false;
	}
	return s->job->rank == 0;
}

/*
 * Locks the connections for the watcher thread. Returns false if the run ends while the watcher
 * waits for the lock. A collective in progress holds the lock. The collective may itself notice the
 * loss and end the run.
 */
static bool lock_connections(struct star *s)
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
 * Called regularly: asks the watchdog whether the run makes no progress. Returns true if the run
 * must end. Sets s->stalled after a stall. A collective in progress then ends the run, or continues
 * without the ranks that it waits for.
 */
static bool must_end_after_stall(struct star *s, struct watchdog *w)
{
	struct text why = { .n = 0 };
	double min_still_s = 0;	/* shortest time without progress that counts as a stall */

	/* ranks other than 0 wait longer, so that rank 0 judges first */
	if (s->job->kind->outlives_ranks && atomic_load(&s->job->outlives))
		min_still_s = s->job->rank ? 2 * LOSS_S + 3 : LOSS_S;
	w->tick_s = watchdog_tick_s(&s->doing);
	if (watchdog_tick(w, clock_wall(), &why) && w->still_s >= min_still_s) {
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

/* The watcher thread: waits for events on the connections, and ends the job if necessary. */
static void *watch_connections(void *arg)
{
	struct star *s = arg;
	struct watchdog dog = { .ranks = &s->doing, .n = 1, .first = s->job->rank,
				.last_s = clock_wall() };
	int status;

	error_unbuffered();
	while (!atomic_load(&s->done)) {
		bool pending = s->door && meeting_pending(s->door);
		bool trouble = wait_spokes(s, pending ? 0.2 : watchdog_tick_s(&s->doing), true);
		bool stalled = must_end_after_stall(s, &dog);

		trouble |= stalled;
		if (s->door)
			meeting_refuse_late(s->door);
		if (!atomic_load(&s->ending) &&
		    (!trouble || atomic_load(&s->done) || !lock_connections(s)))
			continue;
		if (!atomic_load(&s->ending) && !stalled && abandon_lost_ranks(s)) {
			pthread_mutex_unlock(&s->busy);
			continue;
		}
		status = star_abort(s, ST_FAILED);
		_exit(job_stop(s->job) ? 128 + job_stop(s->job) : status);
	}
	return NULL;
}

#define UNKNOWN_STATUS INT_MIN

/*
 * Called at exit. If a run is in progress, a library has called exit(): reports this and ends the
 * job. Only glibc passes the status.
 */
static void report_exit(int status, void *unused)
{
	struct star *s = running_star;
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
	running_star = s;
	on_exit(report_exit, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);	/* signals go to the main thread */
	err = pthread_create(&s->watcher, NULL, watch_connections, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->watched = !err;
	return err ? error_report("cannot start a thread: %s", strerror(err)) : ST_OK;
}

/*
 * Reads the part of the ranks' data for a collective that has arrived. If `all` is true, also
 * checks the connections of ranks whose data is complete. Returns the first rank whose data is not
 * complete, or 0.
 */
static int collect_contributions(struct star *s, size_t len, bool all)
{
	int missing = 0;

	for (int r = 1; r < s->job->size; r++) {
		struct spoke *p = &s->spoke[r];

		if (!p->here && !p->gone &&
		    read_frame(p, s->area + (size_t)r * len, len) == SAY_MINE)
			p->here = true;
		else if (p->here && !p->gone && all)
			read_frame(p, NULL, 0);
		if ((p->lost || p->told) && !p->gone && !abandon_rank(s, p))
			s->job->kind->abort(s->job, ST_FAILED);
		if (p->gone && !p->here) {
			memset(s->area + (size_t)r * len, 0, len);
			p->here = true;
		}
		missing = !missing && !p->here ? r : missing;
	}
	return missing;
}

/*
 * Number of checks before a rank sleeps. Fewer than with shared memory, because each check is a
 * system call.
 */
#define CHECKS(patience) ((patience).spins / 50 + (patience).yields)

/*
 * Waits before the next check for data of rank `missing`. After a stall, ends the job; but if the
 * run may continue without lost ranks, rank 0 abandons the ranks for which it waits.
 */
static void pause_before_check(struct star *s, struct patience patience, uint32_t looks,
			       int missing)
{
	if (atomic_load_explicit(&s->stalled, memory_order_relaxed)) {
		if (!outlives_ranks(s))
			s->job->kind->abort(s->job, ST_FAILED);
		for (int r = 1; r < s->job->size; r++) {
			if (s->spoke[r].here || s->spoke[r].gone)
				continue;
			mark_broken(&s->spoke[r], ETIMEDOUT);
			abandon_rank(s, &s->spoke[r]);
		}
		atomic_store(&s->stalled, false);
	}
	if (looks > CHECKS(patience)) {
		doing_set_missing(&s->doing, missing);
		wait_spokes(s, 1, false);
	} else if (looks > patience.spins / 50) {
		sched_yield();
	}
}

/* Returns the star of a job that begins with a struct star_job. */
static struct star *star_of(struct job *job)
{
	return ((struct star_job *)job)->star;
}

/* Sends data from rank 0 to all other ranks. */
static void send_to_all(struct star *s, const void *data, size_t len)
{
	for (int r = 1; r < s->job->size; r++)
		if (!s->spoke[r].gone)
			mark_broken(&s->spoke[r], -send_frame(&s->spoke[r], SAY_ALL, 0, data, len));
}

/* On ranks other than 0: receives what rank 0 sends to all. */
static void receive_from_root(struct star *s, void *data, size_t len)
{
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	struct spoke *root = &s->spoke[0];
	uint32_t looks = 0;

	while (!root->lost && !root->told && read_frame(root, data, len) != SAY_ALL)
		pause_before_check(s, patience, ++looks, 0);
	if (root->lost || root->told)
		s->job->kind->abort(s->job, ST_FAILED);
}

/*
 * Gathers `len` bytes of each rank in s->area of rank 0. Then rank 0 sends the first `back` bytes
 * of s->area to all other ranks.
 */
static void gather_and_return(struct star *s, const void *mine, size_t len, size_t back)
{
	size_t bytes = 1 + (s->job->rank ? back : (size_t)s->job->size * len);
	struct patience patience = patience_for(s->job->local_size, s->job->cpus);
	unsigned char *area;
	uint32_t looks = 0;
	int missing;

	doing_enter(&s->doing);
	pthread_mutex_lock(&s->busy);
	if (outlives_ranks(s))		/* a stall seen before belongs to an earlier collective */
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
		while ((missing = collect_contributions(s, len, looks > CHECKS(patience))))
			pause_before_check(s, patience, ++looks, missing);
		send_to_all(s, s->area, back);
	} else {
		mark_broken(&s->spoke[0], -send_frame(&s->spoke[0], SAY_MINE, 0, mine, len));
		receive_from_root(s, s->area, back);
	}
	pthread_mutex_unlock(&s->busy);
	doing_leave(&s->doing);
}

const void *star_gather(struct job *job, const void *mine, size_t len)
{
	struct star *s = star_of(job);

	gather_and_return(s, mine, len, 0);
	return job->rank ? NULL : s->area;
}

void star_barrier(struct job *job)
{
	star_gather(job, "", 0);
}

const void *star_allgather(struct job *job, const void *mine, size_t len)
{
	struct star *s = star_of(job);

	gather_and_return(s, mine, len, (size_t)job->size * len);
	return s->area;
}

void star_bcast(struct job *job, void *data, size_t len)
{
	struct star *s = star_of(job);

	doing_enter(&s->doing);
	pthread_mutex_lock(&s->busy);
	if (job->rank == 0)
		send_to_all(s, data, len);
	else
		receive_from_root(s, data, len);
	pthread_mutex_unlock(&s->busy);
	doing_leave(&s->doing);
}

void star_expect_end(struct star *s)
{
	running_star = NULL;
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
	get_kept_fault(text, &status);
	star_free(s);
	if (text[0])
		error_report("%s", text);
}
