/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job `fork`: the ranks are processes on this machine. The process that the user started becomes
 * their supervisor. Only the supervisor handles signals. It also notices when a rank dies.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "job/leavings.h"
#include "job/local.h"
#include "job/watchdog.h"
#include "net/wait.h"

/* Data that all ranks share, in one anonymous mapping. */
struct commons {
	/* exit status of the rank that reports the first fault, see error_claim */
	atomic_int claim;
	/* number of the signal with which the user ends the run; 0: none */
	atomic_int stop;
	/* number of ranks that have entered the current barrier */
	_Alignas(64) _Atomic uint32_t arrived;
	/* number of barriers that have ended */
	_Alignas(64) _Atomic uint32_t generation;
	/* number of ranks that sleep in the current barrier */
	_Atomic uint32_t sleepers;
	char words[JOB_WORDS];		/* the line set by job_set_last_words */
	/*
	 * two areas of size * JOB_GATHER_MAX bytes, followed by the supervisor's arrays (struct
	 * fork_job)
	 */
	_Alignas(64) unsigned char gather[];
};

/* The job as a rank sees it, and as the supervisor sees it. */
struct fork_job {
	struct job job;
	struct commons *ctl;
	struct patience patience;
	/* index of the area in ctl->gather that was used most recently */
	unsigned area;
	/* the members below are for the supervisor; arrays are indexed by rank */
	struct doing *doing;
	struct leavings *leavings;
	pid_t *pid;			/* 0 once the rank has ended */
	bool *stopped;			/* true while a signal has stopped the rank */
	int alive;
	int status;			/* status of the whole job so far */
	/* the supervisor has killed the ranks, so their deaths are not faults */
	bool killed;
};

/* Hook `barrier`: the rank that arrives last starts the next generation. */
static void barrier(struct job *job)
{
	struct fork_job *f = (struct fork_job *)job;
	struct commons *c = f->ctl;
	uint32_t generation = atomic_load(&c->generation), looks = 0;

	doing_enter(job->doing);
	if (atomic_fetch_add(&c->arrived, 1) + 1 == (uint32_t)job->size) {
		atomic_store(&c->arrived, 0);
		atomic_fetch_add(&c->generation, 1);
		if (atomic_load(&c->sleepers))
			futex_wake(&c->generation, INT_MAX);
		doing_leave(job->doing);
		return;
	}
	while (atomic_load(&c->generation) == generation) {
		if (looks++ < f->patience.spins) {
			cpu_pause();
		} else if (looks < f->patience.spins + f->patience.yields) {
			sched_yield();
		} else {
			atomic_fetch_add(&c->sleepers, 1);
			futex_sleep(&c->generation, generation, 1000);
			atomic_fetch_sub(&c->sleepers, 1);
		}
	}
	doing_leave(job->doing);
}

/*
 * Returns the area for the next collective. There are two areas, used alternately: a rank may begin
 * the next collective while others still read the data of this one.
 */
static unsigned char *next_area(struct fork_job *f)
{
	f->area ^= 1;
	return f->ctl->gather + (size_t)f->area * (size_t)f->job.size * JOB_GATHER_MAX;
}

/* Ends this rank. The supervisor sees the status and ends the other ranks. */
__attribute__((noreturn)) static void abort_job(struct job *job, int status)
{
	doing_end(job->doing);
	_exit(status);
}

/* Hook `allgather`, see job.h. */
static const void *allgather(struct job *job, const void *mine, size_t len)
{
	unsigned char *area = next_area((struct fork_job *)job);

	if (len > JOB_GATHER_MAX)	/* a fault of the caller, which would destroy other data */
		abort_job(job, error_report("a gather of %zu bytes is too long", len));
	memcpy(area + (size_t)job->rank * len, mine, len);
	barrier(job);
	return area;
}

/* Hook `bcast`, see job.h. */
static void bcast(struct job *job, void *data, size_t len)
{
	unsigned char *area = next_area((struct fork_job *)job);

	if (!job->rank)
		memcpy(area, data, len);
	barrier(job);
	if (job->rank)
		memcpy(data, area, len);
}

/* Kills all ranks. If a rank is printing a fault, first waits until it has finished, up to 1 s. */
static void kill_ranks(struct fork_job *f)
{
	const struct timespec tick = { .tv_nsec = 1000000 };

	f->killed = true;
	for (int ms = 0; ms < 1000 && atomic_load(&f->ctl->claim) < 0; ms++)
		nanosleep(&tick, NULL);
	for (int r = 0; r < f->job.size; r++)
		if (f->pid[r])
			kill(f->pid[r], SIGKILL);
}

/*
 * Records that a rank has ended, with wait status `how`. Kills the other ranks if this rank failed
 * or ended too early.
 */
static void record_end(struct fork_job *f, int rank, int how)
{
	bool in_order = f->doing[rank].ended;

	doing_end(&f->doing[rank]);
	f->pid[rank] = 0;
	f->alive--;
	if (f->killed || (in_order && WIFEXITED(how) && WEXITSTATUS(how) == 0))
		return;
	f->status = WEXITSTATUS(how);
	if (WIFSIGNALED(how))
		f->status = error_report("rank %d was killed by signal %d (%s)", rank,
					 WTERMSIG(how), strsignal(WTERMSIG(how)));
	/* a library called exit(); not printed if the rank has already reported a fault */
	else if (!in_order)
		f->status = error_report("rank %d ended by itself with status %d in the middle of "
					 "the run", rank, f->status);
	kill_ranks(f);
}

/* Records the end of all ranks that have ended since the previous call. */
static void record_ended_ranks(struct fork_job *f)
{
	int how;
	pid_t pid;

	while ((pid = waitpid(-1, &how, WNOHANG)) > 0)
		for (int r = 0; r < f->job.size; r++)
			if (f->pid[r] == pid)
				record_end(f, r, how);
	if (pid < 0 && errno == ECHILD && f->alive) {
		f->status = error_report("%d ranks ended unnoticed", f->alive);
		f->alive = 0;
	}
}

/* Called regularly: ends the run if it makes no progress, or if it is far beyond its time limit. */
static void check_progress(struct fork_job *f, struct watchdog *w)
{
	struct text why = { .n = 0 };

	/*
	 * check for stopped ranks only after half of the stall time: each check needs system calls
	 */
	for (int r = 0; r < f->job.size && w->still_s > f->doing[0].stall_s / 2; r++)
		f->stopped[r] = f->pid[r] && local_is_stopped(f->pid[r]);
	if (f->killed || !watchdog_tick(w, clock_wall(), &why))
		return;
	f->status = error_report("%s", why.s);
	kill_ranks(f);
}

/*
 * Runs until all ranks have ended. Passes signals on to the ranks. Kills the ranks at a second
 * signal, if they do not end in time after a signal, or if they make no progress.
 */
static void supervise(struct fork_job *f, const sigset_t *signals)
{
	struct watchdog dog = { .ranks = f->doing, .n = f->job.size, .stopped = f->stopped,
				.tick_s = 0.1, .last_s = clock_wall() };
	struct timespec nap = { 0, 100000000L };
	double deadline = 0;

	while (f->alive) {
		int sig = sigtimedwait(signals, NULL, &nap);

		if (sig > 0 && sig != SIGCHLD) {
			if (deadline > 0)
				kill_ranks(f);
			atomic_store(&f->ctl->stop, sig);
			deadline = clock_wall() + JOB_GRACE_S;
		}
		if (deadline > 0 && clock_wall() > deadline)
			kill_ranks(f);
		record_ended_ranks(f);
		check_progress(f, &dog);
	}
}

/*
 * Runs one rank and ends its process. Signals go to the supervisor. If the supervisor ends, the
 * kernel kills the rank.
 */
__attribute__((noreturn)) static void run_child(struct fork_job *f, pid_t supervisor,
						const sigset_t *mask,
						int (*body)(struct job *, void *), void *arg)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor)
		_exit(ST_FAILED);
	for (size_t i = 0; i < LENGTH(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
	status = body(&f->job, arg);
	doing_end(f->job.doing);
	_exit(error_flush(status));
}

/* Starts all ranks. On failure ends those already started. */
static void start_ranks(struct fork_job *f, const struct launch *l, const sigset_t *mask,
			int (*body)(struct job *, void *), void *arg)
{
	pid_t self = getpid(), pid;

	fflush(NULL);
	for (int r = 0; r < f->job.size; r++) {
		f->job.rank = f->job.local_rank = r;
		f->job.doing = &f->doing[r];
		f->job.leavings = &f->leavings[r];
		doing_begin_run(f->job.doing, l, r);
		pid = fork();
		if (!pid)
			run_child(f, self, mask, body, arg);
		if (pid < 0) {
			f->status = error_report("cannot start rank %d: %s", r, strerror(errno));
			kill_ranks(f);
			return;
		}
		f->pid[r] = pid;
		f->alive++;
	}
}

/* Hook `run`, see job.h. */
static int run(const void *options, struct launch *l, int size, int cpus,
	       int (*body)(struct job *, void *), void *arg)
{
	size_t n = (size_t)size, areas = 2 * n * JOB_GATHER_MAX;
	size_t bytes = sizeof(struct commons) + areas + n * (sizeof(struct doing) +
		       sizeof(struct leavings) + sizeof(pid_t) + sizeof(bool));
	struct commons *ctl = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct fork_job f = { .job = { .kind = &job_fork, .size = size, .local_size = size,
				       .cpus = cpus },
			      .ctl = ctl, .patience = patience_for(size, cpus) };
	sigset_t signals, before;

	if (ctl == MAP_FAILED)
		return error_report("no memory for a job of %d ranks", size);
	f.doing = (struct doing *)(void *)(ctl->gather + areas);
	f.leavings = (struct leavings *)(f.doing + size);
	f.pid = (pid_t *)(f.leavings + size);
	f.stopped = (bool *)(f.pid + size);
	f.job.stop = &ctl->stop;
	job_share_last_words(ctl->words);
	error_claim(&ctl->claim);
	/* this process may inherit that SIGCHLD is ignored; then it would not see a rank end */
	signal(SIGCHLD, SIG_DFL);
	job_end_signals(&signals);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, &before);
	start_ranks(&f, l, &before, body, arg);
	supervise(&f, &signals);
	for (int r = 0; r < size; r++)
		leavings_remove(&f.leavings[r]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	/* the first reported fault counts: others may only be its consequences */
	if (f.status && atomic_load(&ctl->claim))
		f.status = abs(atomic_load(&ctl->claim));
	if (atomic_load(&ctl->stop)) {
		job_print_last_words();
		f.status = 128 + atomic_load(&ctl->stop);
	}
	job_share_last_words(NULL);
	error_claim(NULL);
	munmap(ctl, bytes);
	return f.status;
}

const struct job_kind job_fork = {
	.name = "fork", .summary = "processes on this machine", .backend = "shm", .max_ranks = 4096,
	.run = run, .barrier = barrier, .gather = job_gather, .bcast = bcast,
	.allgather = allgather, .abort = abort_job,
};
