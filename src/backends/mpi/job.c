/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job `mpi`: mpirun or srun starts the ranks. Their numbers are those in MPI_COMM_WORLD. Control
 * messages go through MPI. Every rank also has a TCP connection to rank 0 (star.h), for two
 * reasons: MPI alone does not notice that a host has become silent, and MPI reports a dead rank in
 * its own words.
 */
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/mpi/job.h"
#include "backends/mpi/library.h"
#include "base/clock.h"
#include "job/local.h"

#define REACH_S 10.0		/* time allowed to connect to rank 0 when the job starts */
#define ADDRESSES 8

/* The data that other ranks need to connect to rank 0: the addresses of rank 0 and a key. */
struct invitation {
	int n;
	struct local_addr at[ADDRESSES];
	struct secret secret;
};

int mpi_report_failure(const struct job *job, const char *call, int peer, int code)
{
	const struct mpi_job *m = (const struct mpi_job *)job;
	char text[MPI_MAX_ERROR_STRING] = "";
	int me = job->rank, len;

	MPI_Error_string(code, text, &len);
	if (!m->host)
		return error_report("%s failed: %s", call, text);
	if (peer < 0 || peer >= job->size)
		return error_report("rank %d on host '%s': %s failed: %s", me, m->host[me], call,
				    text);
	return error_report("rank %d on host '%s': %s with rank %d on host '%s' failed: %s", me,
			    m->host[me], call, peer, m->host[peer], text);
}

/*
 * The exit status with which on_alarm ends a hanging process. A process may hang in an abort after
 * a host was lost, or in MPI_Finalize.
 */
static volatile sig_atomic_t alarm_status;

static void on_alarm(int sig)
{
	_exit(alarm_status);
}

/*
 * Ends this process with `status` after this number of seconds, unless alarm(0) is called before.
 */
static void exit_after(unsigned seconds, int status)
{
	alarm_status = status;
	signal(SIGALRM, on_alarm);
	alarm(seconds);
}

#ifdef OPEN_MPI
/* s; long, because Open MPI's mpirun treats a rank that skips MPI_Finalize as failed */
#define FINALIZE_S 15
#else
#define FINALIZE_S 5
#endif

__attribute__((noreturn)) static void abort_job(struct job *job, int status)
{
	struct mpi_job *m = (struct mpi_job *)job;
	struct timespec nap = { 0, 200000000L };

	if (m->base.star)
		status = star_abort(m->base.star, status);
	fflush(stdout);
	signal(SIGTERM, SIG_DFL);
	exit_after(3, status);
	if (m->base.star && job->rank)
		/*
		 * rank 0 has reported the fault and ends all ranks; two aborts at the same time
		 * would confuse mpirun
		 */
		sleep(1);
	else
		/* the launcher hydra drops output that it has not read before the abort */
		nanosleep(&nap, NULL);
	MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

/*
 * Call this function before a collective MPI call. It tells the watchdog what this rank waits for.
 */
static void note_collective_begin(struct job *job)
{
	doing_enter(job->doing);
	if (job->size == 2)
		doing_set_missing(job->doing, !job->rank);
}

/* Call this function after a collective MPI call. It ends the job if the MPI call failed. */
static void check_collective(struct job *job, const char *call, int err)
{
	doing_leave(job->doing);
	if (err)
		abort_job(job, mpi_report_failure(job, call, -1, err));
}

static void barrier(struct job *job)
{
	note_collective_begin(job);
	check_collective(job, "MPI_Barrier", MPI_Barrier(((struct mpi_job *)job)->control));
}

/* Makes `area` large enough for `len` bytes of every rank. */
static void reserve_area(struct mpi_job *m, size_t len)
{
	struct job *job = &m->base.job;
	size_t bytes = len * (size_t)job->size + 1;

	if (m->room >= bytes)
		return;
	free(m->area);
	m->area = malloc(bytes);
	m->room = m->area ? bytes : 0;
	if (!m->area)
		abort_job(job, error_report("no memory for %d times %zu bytes", job->size, len));
}

static void bcast(struct job *job, void *data, size_t len)
{
	struct mpi_job *m = (struct mpi_job *)job;

	note_collective_begin(job);
	check_collective(job, "MPI_Bcast", MPI_Bcast(data, (int)len, MPI_BYTE, 0, m->control));
}

static const void *gather(struct job *job, const void *mine, size_t len)
{
	struct mpi_job *m = (struct mpi_job *)job;
	int n = (int)len;

	if (!job->rank)
		reserve_area(m, len);
	note_collective_begin(job);
	check_collective(job, "MPI_Gather",
			 MPI_Gather(mine, n, MPI_BYTE, m->area, n, MPI_BYTE, 0, m->control));
	return job->rank ? NULL : m->area;
}

static const void *allgather(struct job *job, const void *mine, size_t len)
{
	struct mpi_job *m = (struct mpi_job *)job;
	int n = (int)len;

	reserve_area(m, len);
	note_collective_begin(job);
	check_collective(job, "MPI_Allgather",
			 MPI_Allgather(mine, n, MPI_BYTE, m->area, n, MPI_BYTE, m->control));
	return m->area;
}

/* ---- the TCP connections that report lost ranks ---- */

/*
 * Rank 0: listens at addresses that the other ranks can reach, or at the loop-back address if all
 * ranks share one loop-back (`near`). Returns the socket, or a negative number.
 */
static int listen_for_ranks(int nranks, bool near, struct invitation *inv)
{
	struct addr any = { .a.ss_family = AF_INET, .len = sizeof(struct sockaddr_in) }, bound;
	int fd;

	inv->n = net_local(near ? "lo" : NULL, AF_INET, inv->at, near ? 1 : ADDRESSES);
	if (near && inv->n == 1)
		any = inv->at[0].addr;
	fd = net_listen(&any, 1, nranks, &bound);
	for (int i = 0; i < inv->n && fd >= 0; i++)
		addr_set_port(&inv->at[i].addr, addr_port(&bound));
	if (fd >= 0 && secret_make(&inv->secret)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * Rank 0: accepts the connections of all other ranks. Returns true if all of them connected within
 * REACH_S.
 */
static bool accept_ranks(struct mpi_job *m, struct meeting *door)
{
	double until = clock_wall() + REACH_S;
	int missing = m->base.job.size - 1, flag;
	struct guest g;

	while (missing && clock_wall() < until) {
		/*
		 * MPI only makes progress during calls, and the invitation may not have left this
		 * rank yet
		 */
		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, m->control, &flag, MPI_STATUS_IGNORE);
		if (!meeting_admit_guest(door, fmin(until, clock_wall() + 2e-3), NULL, 0, &g))
			continue;
		star_connect(m->base.star, g.rank, &g.channel, m->host[g.rank]);
		missing--;
	}
	return !missing;
}

/* Other ranks: connect to rank 0. Returns true on success. */
static bool connect_to_rank_0(struct mpi_job *m, const struct invitation *inv)
{
	struct local_addr mine[ADDRESSES];
	struct addr list[ADDRESSES];
	struct visit v = { .at = list, .secret = &inv->secret, .rank = m->base.job.rank,
			   .patience = 3 };
	struct channel c;
	struct answer a;

	v.n = net_near_first(inv->at, inv->n, mine, net_local(NULL, AF_UNSPEC, mine, ADDRESSES),
			     list);
	if (handshake_connect(&v, clock_wall() + REACH_S, &a, &c))
		return false;
	star_connect(m->base.star, 0, &c, m->host[0]);
	return true;
}

/*
 * Connects every rank to rank 0. Returns true on all ranks if every rank has succeeded, else false
 * on all ranks. Collective.
 */
static bool connect_star(struct mpi_job *m)
{
	struct job *job = &m->base.job;
	struct invitation inv = { .n = 0 };
	struct meeting *door = NULL;
	char mine[NETWORK_ID] = "";
	const char (*all)[NETWORK_ID];
	bool near = true;	/* all ranks share one loop-back */
	int good = 0, fd = -1;

	strcpy(mine, local_network_id());
	all = (const char (*)[NETWORK_ID])allgather(job, mine, sizeof(mine));
	for (int r = 0; r < job->size; r++)
		near = near && !memcmp(all[r], mine, sizeof(mine));
	if (job->rank == 0) {
		fd = listen_for_ranks(job->size, near, &inv);
		door = fd >= 0 ? meeting_open(fd, &inv.secret, 1, job->size) : NULL;
		inv.n = door ? inv.n : 0;
	}
	MPI_Bcast(&inv, sizeof(inv), MPI_BYTE, 0, m->control);
	if (inv.n)
		good = job->rank ? connect_to_rank_0(m, &inv) : accept_ranks(m, door);
	if (door)
		atomic_store(&m->refused, atomic_load(meeting_refused_count(door)));
	meeting_close(door);
	MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, m->control);
	return good;
}

/*
 * Connects the ranks to rank 0, and starts the watchdog. If the ranks cannot be connected, each
 * rank still has a watchdog of its own. Returns an exit status.
 */
static int watch_ranks(struct mpi_job *m, const struct launch *l)
{
	struct job *job = &m->base.job;
	struct star *s = m->base.star = star_new(job, false);

	net_raise_file_limit((size_t)job->size + 64);
	m->connected = s && job->size > 1 && connect_star(m);
	job->strangers = m->connected && !job->rank ? &m->refused : NULL;
	if (s && job->size > 1 && !m->connected) {
		star_free(s);
		s = m->base.star = star_new(job, false);
		if (job->rank == 0)
			error_warn("some ranks cannot reach rank 0 by TCP: a host that falls "
				   "silent may go unnoticed");
	}
	if (!s)
		return ST_FAILED;
	doing_begin_run(job->doing, l, job->rank);
	return star_watch(s, NULL);
}

/*
 * Called if MPI did not join the ranks into one job. Returns whether this rank is the one that
 * reports this: the first rank, which only the launcher knows. The other ranks wait, because
 * launchers end all ranks when one rank has ended.
 */
static bool is_reporter(const struct launch *l)
{
	if (l->rank > 0)
		sleep(2);
	return l->rank <= 0;
}

/* Initialises MPI. Returns an exit status. After a failure, MPI is not initialised. */
static int start_mpi(struct mpi_job *m, const struct launch *l, int size)
{
	const char *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"), *file = library_file();
	struct job *job = &m->base.job;
	int provided, err;

	if (!library_fits()) {
		if (is_reporter(l))
			error_unavailable("'%s' is %s, not %s: '--mpi' and '--mpi-library' must "
					  "name the same MPI", file ? file : "the library",
					  library_name(), MPI_WORDS);
		return ST_UNAVAILABLE;
	}
	/*
	 * If this host has more ranks than CPUs, lets waiting ranks of Open MPI yield, unless the
	 * user has set otherwise. MPICH has no such setting.
	 */
	if (!local)
		/* in a text such as "4(x2),3", only the first number is used */
		local = getenv("SLURM_STEP_TASKS_PER_NODE");
	if (library_is_open_mpi() && local && atol(local) > sysconf(_SC_NPROCESSORS_ONLN))
		setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
	/* one thread calls MPI; a higher thread level would make short messages take 50 % longer */
	err = MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
	if (err)
		return error_report("MPI_Init_thread failed: %d", err);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job->size);
	if (job->size == size)
		return ST_OK;
	if (job->size > 1 && job->rank == 0)
		error_unavailable("job 'mpi' has %d ranks, but its environment says %d",
				  job->size, size);
	if (job->size > 1 || !is_reporter(l))
		;	/* the launcher and the library belong to different MPIs: */
	else if (l->mpi && strcmp(l->mpi, MPI_NAME))
		error_unavailable("%s has started %d ranks, but for %s (--mpi %s) each is alone: "
				  "use '--mpi %s'", l->by, size, library_name(), MPI_NAME, l->mpi);
	else
		error_unavailable("%s has started %d ranks, but for %s each is alone: the library "
				  "does not belong to the launcher, see '--mpi-library'", l->by,
				  size, library_name());
	MPI_Finalize();
	return ST_UNAVAILABLE;
}

/*
 * Creates the communicators, and gathers the ranks' host names. Returns an exit status. Collective.
 */
static int make_communicators(struct mpi_job *m)
{
	char mine[64] = "";
	MPI_Comm node;

	struct job *job = &m->base.job;
	size_t bytes = (size_t)job->size * sizeof(*m->host);

	if (MPI_Comm_dup(MPI_COMM_WORLD, &m->control) || MPI_Comm_dup(MPI_COMM_WORLD, &m->data))
		return error_report("MPI_Comm_dup failed");
	gethostname(mine, sizeof(mine) - 1);
	m->host = malloc(bytes);
	if (!m->host)
		return error_report("no memory for the names of %d hosts", job->size);
	memcpy(m->host, allgather(job, mine, sizeof(mine)), bytes);
	if (!MPI_Comm_split_type(m->control, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node)) {
		MPI_Comm_size(node, &m->node_size);
		MPI_Comm_free(&node);
	}
	job_locate(job);
	return ST_OK;
}

static int run_job(const void *options, struct launch *l, int size, int cpus,
		   int (*body)(struct job *, void *), void *arg)
{
	struct mpi_job m = { .base.job = { .kind = &job_mpi, .stop = job_take_signals() } };
	struct job *job = &m.base.job;
	int status, crowded;	/* crowded: some host has more ranks than CPUs */

	error_route(NULL);
	status = start_mpi(&m, l, size);
	if (status)
		return status;
	if ((status = make_communicators(&m)) || (status = watch_ranks(&m, l)))
		abort_job(job, status);
	crowded = job->local_size > job->cpus;
	note_collective_begin(job);
	check_collective(job, "MPI_Allreduce",
			 MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, m.control));
	if (crowded && job->rank == 0 && !library_is_open_mpi())
		error_warn("more ranks than CPUs, and waiting ranks of %s do not yield their CPU: "
			   "a message takes milliseconds", library_name());
	status = body(job, arg);
	star_expect_end(m.base.star);
	barrier(job);	/* waits inside MPI, because MPI makes progress only during calls */
	star_finish(m.base.star);
	MPI_Comm_free(&m.control);
	MPI_Comm_free(&m.data);
	status = job_stop(job) ? 128 + job_stop(job) : status;
	/*
	 * MPICH 4.0 on UCX 1.13 may hang here. While ranks close their connections, some ranks
	 * already wait for the launcher although other ranks still need their answers. All work is
	 * done at this point, so a rank may end without MPI_Finalize.
	 */
	fflush(stdout);
	exit_after(FINALIZE_S + (unsigned)job->size / 100, status);
	MPI_Finalize();
	alarm(0);
	free(m.area);
	free(m.host);
	return status;
}

/*
 * Takes this rank's number and the job's size from the launcher. Without a launcher there is one
 * rank.
 */
static int enter(const void *options, struct launch *l, int *argc, char ***argv)
{
	if (!l->size)
		*l = (struct launch){ .by = "this process alone", .kind = "mpi", .size = 1 };
	return ST_OK;
}

static void describe(struct job *job, struct facts *f)
{
	const struct mpi_job *m = (const struct mpi_job *)job;

	fact_text(f, "mpi", library_name());
	fact_text(f, "lost_ranks_noticed_by",
		  m->connected ? "a TCP connection of each rank to rank 0, and MPI" :
		  job->size > 1 ? "MPI alone" : "nothing: there is one rank");
}

const struct job_kind job_mpi = {
	.name = "mpi", .summary = "ranks that mpirun or srun has started",
	.backend = "mpi", .max_ranks = 65536,
	.enter = enter, .run = run_job, .abort = abort_job, .describe = describe,
	.barrier = barrier, .gather = gather, .bcast = bcast, .allgather = allgather,
};
