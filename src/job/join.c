/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job `join`: ranks that a user has started by hand on several hosts, or that Slurm's srun has
 * started without MPI. Rank 0 listens. The other ranks connect to it (rendezvous.h) and stay
 * connected (star.h).
 */
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "job/local.h"
#include "job/star.h"

#define ADDRESSES 16
#define ARGS_MAX (1U << 20)

struct join_opts {
	const char *listen, *join, *secret_file;
	uint64_t rank;
	double timeout;
};

static const struct opt join_options[] = {
	{ 0, "listen", "[host:]port", OPT_TEXT, offsetof(struct join_opts, listen),
	  .help = "be rank 0 of a job over several hosts and listen here for the others; without a "
		  "host on the loop-back only, with '*' on all addresses" },
	{ 0, "join", "host:port", OPT_TEXT, offsetof(struct join_opts, join),
	  .help = "be another rank of the job whose rank 0 listens there, with rank 0's options" },
	{ 0, "rank", "number", OPT_UINT, offsetof(struct join_opts, rank), .def = "auto", .min = 1,
	  .max = 4095, .word = "auto",
	  .help = "with --join: number of this rank; auto: the lowest free number" },
	{ 0, "secret-file", "file", OPT_TEXT, offsetof(struct join_opts, secret_file),
	  .file = OPT_READ,
	  .help = "file with the secret that the ranks of a job share, instead of the variable "
		  "NETBENCH_SECRET" },
	{ 0, "join-timeout", "time", OPT_SECONDS, offsetof(struct join_opts, timeout), .def = "30s",
	  .min = 0.1, .max = 86400,
	  .help = "how long to wait for the other ranks, or for the rank that listens" },
	{ 0 },
};

/* Data that this process needs between enter and leave. */
struct entrant {
	const struct join_opts *options;
	/* name of the launcher of this Slurm step; NULL: the user starts the ranks by hand */
	const char *slurm;
	int rank;
	int argc;
	char **argv;
	struct secret secret;
	bool made;			/* true: this process has made the secret */
	bool munged;			/* true: munge carries rank 0's secret to the other ranks */
	char offer[MUNGE_OFFER];	/* on rank 0: the secret as encoded by munge */
	struct channel channel;		/* on other ranks: the connection to rank 0 */
	char host[64];			/* on other ranks: name of rank 0's host */
	char *taken,			/* on other ranks: rank 0's command line */
	     **words;			/* on other ranks: pointers to the words of `taken` */
};

struct join_job {
	struct star_job base;
	struct entrant *me;
};

/*
 * Reads the secret from a file. Refuses a file that others can read or write: a user who reads it
 * can join the job, and a user who writes it can let others join. This check also refuses a file of
 * another user: this process could open such a file only if others can read it.
 */
static int read_secret(struct entrant *me, const char *name)
{
	char text[256] = "";
	struct stat st;
	const char *why;
	FILE *f = file_open(name, &why);
	size_t n = 0;
	int err = ST_OK;

	if (!f || fstat(fileno(f), &st))
		err = error_usage("cannot read secret file '%s': %s", name,
				  f ? strerror(errno) : why);
	else if (st.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH))
		err = error_usage("secret file '%s' can be read or written by others: chmod 600 %s",
				  name, name);
	else
		n = fread(text, 1, sizeof(text) - 1, f);
	if (f)
		fclose(f);
	if (err)
		return err;
	text[n] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	if (secret_parse(&me->secret, text))
		return error_usage("secret file '%s' does not hold 8 to 64 characters", name);
	return ST_OK;
}

/*
 * Finds the secret in a file or in the environment. If there is none, makes a secret if `make` is
 * true; otherwise reports the fault.
 */
static int find_secret(struct entrant *me, bool make)
{
	const char *text = getenv("NETBENCH_SECRET");

	if (me->options->secret_file)
		return read_secret(me, me->options->secret_file);
	if (text && secret_parse(&me->secret, text))
		return error_usage("the secret in NETBENCH_SECRET does not have 8 to 64 "
				   "characters");
	if (text)
		return ST_OK;
	if (!make)
		return error_usage("'--join' needs the listener's secret: '--secret-file' or "
				   "NETBENCH_SECRET");
	me->made = true;
	return secret_make(&me->secret);
}

/* Adds a text to an FNV-1a hash; returns the new hash. NULL counts as "". */
static uint32_t hash_text(uint32_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (unsigned char)*text) * 16777619U;
	return h;
}

#define SLURM_PORTS 8

/*
 * Returns the i-th port to try. All ranks of a Slurm step get the same ports; other steps likely
 * get other ports.
 */
static uint16_t slurm_port(int i)
{
	uint32_t h = hash_text(2166136261U + (uint32_t)i, getenv("SLURM_JOB_ID"));

	return (uint16_t)(20000 + hash_text(h, getenv("SLURM_STEP_ID")) % 12000);
}

/*
 * Finds the secret of a Slurm step. If the user gave no secret, munge carries a new secret between
 * the ranks. The secret cannot be made from the step's other data, because other users can see
 * those. All ranks have the same environment, so only rank 0 reports a fault.
 */
static int find_step_secret(struct entrant *me)
{
	char why[128] = "no random numbers";

	if (me->options->secret_file || getenv("NETBENCH_SECRET"))
		return find_secret(me, false);
	/*
	 * other ranks will get rank 0's secret; they make an offer only to test whether munge works
	 */
	me->munged = !secret_make(&me->secret) &&
		     !munge_offer(&me->secret, me->offer, why, sizeof(why));
	if (me->munged)
		return ST_OK;
	error_note("no secret by munge: %s", why);
	if (me->rank > 0)
		return ST_USAGE;
	return error_usage("srun without MPI needs a secret that the ranks share: set "
			   "NETBENCH_SECRET to 8 to 64 random characters, or give '--secret-file'");
}

/* Prints the command that starts the other ranks, for the user to paste. */
static void print_invitation(const struct entrant *me, int missing, const struct addr *at,
			     const char *host)
{
	char text[ADDR_TEXT], secret[33], name[64] = "";
	bool local = !strncmp(host, "127.", 4) || !strcmp(host, "::1");

	addr_text(at, text);
	if (!strcmp(host, "*"))
		gethostname(name, sizeof(name) - 1);
	else
		snprintf(name, sizeof(name), strchr(host, ':') ? "[%s]" : "%s", host);
	fprintf(stderr, "waiting %g s for %d more rank%s at %s%s; start %s by\n    ",
		me->options->timeout, missing, missing == 1 ? "" : "s", text,
		local ? " (this machine only)" : "", missing == 1 ? "it" : "each of them");
	if (me->made) {
		secret_text(&me->secret, secret);
		fprintf(stderr, "NETBENCH_SECRET=%s ", secret);
	}
	fprintf(stderr, "netbench %s --join %s:%u", me->argv[0], name, addr_port(at));
	if (me->options->secret_file)
		fprintf(stderr, " --secret-file %s", me->options->secret_file);
	fputs("\n", stderr);
}

/*
 * Finds the addresses of `host`, the value of option `name`. Returns their number, at most
 * ADDRESSES, or -1 (reported).
 */
static int resolve_option_host(const char *name, const char *host, uint16_t port, struct addr *list)
{
	char why[128];
	int n = net_resolve(host, port, AF_UNSPEC, list, ADDRESSES, why, sizeof(why));

	if (n < 0)
		error_report("host '%s' of '--%s' cannot be resolved: %s", host, name, why);
	return n;
}

/* Listens at the address of --listen, and prints how to start the other ranks. */
static int listen_by_hand(const struct entrant *me, int missing, int *fd)
{
	struct addr list[ADDRESSES], at;
	char host[256];
	uint16_t port;
	int n, err = net_split("listen", me->options->listen, host, sizeof(host), &port);

	if (err)
		return err;
	if (!*host)
		strcpy(host, "127.0.0.1");
	n = !strcmp(host, "*") ? addr_any(port, list)
			       : resolve_option_host("listen", host, port, list);
	if (n < 0)
		return ST_FAILED;
	*fd = net_listen(list, n, 128, &at);
	if (*fd < 0)
		return error_report("cannot listen on '%s': %s", me->options->listen,
				    strerror(-*fd));
	print_invitation(me, missing, &at, host);
	return ST_OK;
}

/* Listens on the first of the Slurm step's ports that is free. */
static int listen_in_step(int *fd)
{
	struct addr list[SLURM_PORTS * ADDR_ANY], at;
	int n = 0;

	for (int i = 0; i < SLURM_PORTS; i++)
		n += addr_any(slurm_port(i), list + n);
	*fd = net_listen(list, n, 128, &at);
	return *fd >= 0 ? ST_OK : error_report("cannot listen on any of %d ports: %s", SLURM_PORTS,
					       strerror(-*fd));
}

/*
 * Counts the ranks that have not sent their first frame. A rank that has sent its first frame will
 * stay. Before that, a rank may disconnect, for example because it refuses the options. This
 * function then frees its rank number for another process. Returns the number of missing ranks, and
 * in *unsure the number of them that are connected.
 */
static int count_missing(struct star *s, struct meeting *door, int *unsure)
{
	int missing = 0;

	*unsure = 0;
	for (int r = 1; r < s->job->size; r++) {
		struct spoke *p = &s->spoke[r];
		char byte;
		int fd = p->channel.fd;
		ssize_t n = fd < 0 ? -1 : recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

		if (fd >= 0 && net_wait(fd, POLLRDHUP, 0)) {
			n = 0;
			error_warn("rank %d on host '%s' has left before the run began", r,
				   p->host);
			channel_close(&p->channel);
			meeting_free_rank(door, r);
		}
		missing += n <= 0;
		*unsure += p->channel.fd >= 0 && n <= 0;
	}
	return missing;
}

/* Admits ranks until all have joined, or until the time --join-timeout has passed. */
static int wait_for_guests(const struct entrant *me, struct star *s, struct meeting *door)
{
	const struct job *job = s->job;
	double until = clock_wall() + me->options->timeout;
	/* the command line, with a '\0' after each word; NULL in a Slurm step */
	char *args = NULL;
	size_t len = 0;
	FILE *to = me->slurm ? NULL : open_memstream(&args, &len);
	struct guest g;
	int missing, unsure;

	for (int i = 0; i < me->argc && to; i++)
		fwrite(me->argv[i], 1, strlen(me->argv[i]) + 1, to);
	if (to)
		text_close(to, &args);
	while ((missing = count_missing(s, door, &unsure)) && clock_wall() < until &&
	       !job_stop(job)) {
		double next = fmin(until, clock_wall() + (unsure ? 0.005 : 0.2));

		if (!meeting_admit_guest(door, next, args, (uint32_t)len, &g))
			continue;
		error_note("rank %d is %s on host '%s'", g.rank, g.from, g.host);
		star_connect(s, g.rank, &g.channel, g.host);
	}
	free(args);
	if (missing && !job_stop(job))
		return error_report("only %d of %d ranks joined within %g s%s", job->size - missing,
				    job->size, me->options->timeout, meeting_file_shortage(door));
	if (missing)
		return error_report("rank 0 was interrupted by signal %d before all ranks had "
				    "joined", job_stop(job));
	return ST_OK;
}

/* On rank 0: listens, waits until all ranks have joined, and begins to watch them. */
static int admit_guests(const struct entrant *me, struct star *s, const struct launch *l)
{
	struct job *job = s->job;
	struct meeting *door;
	int fd, err = net_check_file_limit((size_t)job->size, 0, job->size, "connections");

	if (!err)
		err = me->slurm ? listen_in_step(&fd) : listen_by_hand(me, job->size - 1, &fd);
	if (err)
		return err;
	door = meeting_open(fd, &me->secret, 1, job->size);
	if (!door)
		return ST_FAILED;
	if (me->munged)
		meeting_offer_secret(door, me->offer);
	err = wait_for_guests(me, s, door);
	if (err) {
		meeting_close(door);
		return err;
	}
	job->strangers = meeting_refused_count(door);
	doing_begin_run(job->doing, l, 0);
	return star_watch(s, door);
}

/* Receives rank 0's command line, and splits it into words. */
static int receive_args(struct entrant *me, int *argc, char ***argv)
{
	struct frame f;
	int n = 0, err;
	char *all = me->taken = channel_receive(&me->channel, &f, ARGS_MAX,
					     clock_wall() + HANDSHAKE_PATIENCE_S, &err);

	if (!all)
		return error_report("the listener's command line did not arrive: %s",
				    strerror(-err));
	if (!f.len || all[f.len - 1])
		return error_report("the listener's command line arrived incomplete");
	for (uint32_t i = 0; i < f.len; i++)
		n += !all[i];
	me->words = calloc((size_t)n + 1, sizeof(*me->words));
	if (!me->words)
		return error_report("no memory for the listener's command line");
	*argv = me->words;
	for (*argc = 0; *argc < n; all += strlen(all) + 1)
		me->words[(*argc)++] = all;
	return ST_OK;
}

/*
 * Connects to rank 0. In a Slurm step, another program may listen on one of the ports and refuse
 * the connection. This function then tries the other ports.
 */
static int connect_to_listener(struct entrant *me, const struct addr *list, int n, int rank,
			 struct answer *a, const char *where)
{
	struct visit v = { .at = list, .n = n, .secret = &me->secret, .rank = rank, .retry = 0.1,
			   .patience = HANDSHAKE_PATIENCE_S, .sure = !me->slurm,
			   .learnt = me->munged ? &me->secret : NULL };
	int err = handshake_connect(&v, clock_wall() + me->options->timeout, a, &me->channel);

	if (!err)
		return ST_OK;
	if (err == -EACCES && (v.sure || a->known))
		return error_report("'%s' refused this rank: %s", where, a->text);
	return error_report("cannot join '%s' within %g s: %s", where, me->options->timeout,
			    err == -EACCES ? a->text : strerror(-err));
}

/* Joins the job of --join, and receives rank 0's command line. */
static int enter_by_hand(struct entrant *me, struct launch *l, int *argc, char ***argv)
{
	struct addr list[ADDRESSES];
	struct answer a;
	uint16_t port;
	int rank = me->options->rank == OPT_AUTO ? -1 : (int)me->options->rank, n;
	int err = net_split("join", me->options->join, me->host, sizeof(me->host), &port);

	if (!err && !*me->host)
		err = error_usage("value '%s' of '--join' names no host", me->options->join);
	if (err || (err = find_secret(me, false)))
		return err;
	n = resolve_option_host("join", me->host, port, list);
	err = n < 0 ? ST_FAILED : connect_to_listener(me, list, n, rank, &a, me->options->join);
	if (err)
		return err;
	if (a.rank < 1 || a.rank >= a.size)
		return error_report("'%s' offers rank %d of %d", me->options->join, a.rank, a.size);
	*l = (struct launch){ .by = "--join", .kind = "join", .rank = a.rank, .size = a.size,
			       .own = me };
	me->rank = a.rank;
	snprintf(me->host, sizeof(me->host), "%.63s", a.text);
	return receive_args(me, argc, argv);
}

/* Joins rank 0 of a Slurm step, which runs on the step's first node. */
static int enter_step(struct entrant *me)
{
	struct addr list[ADDRESSES];
	const char *nodes = getenv("SLURM_STEP_NODELIST");
	struct answer a;
	char why[128], where[80];
	int n = 0, got;

	if (!nodes)
		nodes = getenv("SLURM_JOB_NODELIST");
	first_host_of_list(nodes ? nodes : "", me->host, sizeof(me->host));
	for (int i = 0; i < SLURM_PORTS && n < ADDRESSES; i++) {
		got = net_resolve(me->host, slurm_port(i), AF_UNSPEC, list + n,
				  2 < ADDRESSES - n ? 2 : 1, why, sizeof(why));
		if (got < 0)
			return error_report("the step's first node '%s' cannot be resolved: %s",
					    me->host, why);
		n += got;
	}
	snprintf(where, sizeof(where), "node %s", me->host);
	return connect_to_listener(me, list, n, me->rank, &a, where);
}

/* Hook `describe`: writes how the ranks were started, and where the secret comes from. */
static void describe_job(struct job *job, struct facts *f)
{
	const struct entrant *me = ((struct join_job *)job)->me;

	fact_text(f, "ranks_came_by", me->slurm ? me->slurm : "--join");
	fact_text(f, "secret", me->options->secret_file ? "of a file"
			       : me->munged ? "made by rank 0, handed over by munge"
			       : me->made ? "made by rank 0" : "of the environment");
}

/* Hook `enter`, see job.h. */
static int enter(const void *options, struct launch *l, int *argc, char ***argv)
{
	struct entrant *me = l->own = calloc(1, sizeof(*me));

	if (!me)
		return error_report("no memory for a job");
	me->options = options;
	me->argc = *argc;
	me->argv = *argv;
	if (me->options->listen && (me->options->join || me->options->rank != OPT_AUTO))
		return error_usage("options '--listen' and '--%s' exclude each other",
				   me->options->join ? "join" : "rank");
	if (me->options->join)
		return enter_by_hand(me, l, argc, argv);
	if (me->options->listen) {
		*l = (struct launch){ .by = "--listen", .kind = "join", .own = me };
		return find_secret(me, true);
	}
	me->slurm = l->by;
	me->rank = l->rank;
	return l->by ? find_step_secret(me)
		     : error_usage("job 'join' needs '--listen' or '--join'");
}

/* Hook `leave`, see job.h. */
static void leave(struct launch *l)
{
	struct entrant *me = l->own;

	if (me) {
		free(me->taken);
		free(me->words);
	}
	free(me);
	l->own = NULL;
}

/* Hook `key`, see job.h. */
static void key(struct job *job, const char *purpose, const unsigned char nonce[JOB_KEY],
		unsigned char made[JOB_KEY])
{
	secret_derive(&((struct join_job *)job)->me->secret, purpose, nonce, made);
}

__attribute__((noreturn)) static void abort_job(struct job *job, int status)
{
	status = star_abort(((struct star_job *)job)->star, status);
	fflush(stdout);
	_exit(job_stop(job) ? 128 + job_stop(job) : status);
}

/* Hook `run`, see job.h. */
static int run(const void *options, struct launch *l, int size, int cpus,
	       int (*body)(struct job *, void *), void *arg)
{
	struct entrant *me = l->own;
	struct join_job j = { .base.job = { .kind = &job_join, .rank = me->rank, .size = size,
					    .local_size = 1, .cpus = cpus,
					    .stop = job_take_signals() },
			      .me = me };
	struct job *job = &j.base.job;
	struct star *s;
	int status;

	me->options = options;	/* a rank that joins has parsed its options again after enter */
	error_route(NULL);
	s = j.base.star = star_new(job, !me->slurm);
	if (!s)
		return ST_FAILED;
	net_raise_file_limit((size_t)size + 64);
	if (me->rank == 0) {
		status = admit_guests(me, s, l);
	} else if (!(status = me->slurm ? enter_step(me) : ST_OK)) {
		star_connect(s, 0, &me->channel, me->host);
		doing_begin_run(job->doing, l, me->rank);
		status = star_watch(s, NULL);
	}
	if (status)
		abort_job(job, status);
	job_locate(job);
	status = body(job, arg);
	star_expect_end(s);
	star_barrier(job);
	star_finish(s);
	return job_stop(job) ? 128 + job_stop(job) : status;
}

const struct job_kind job_join = {
	.name = "join", .summary = "ranks started by hand on several hosts, or by srun without MPI",
	.backend = "tcp", .max_ranks = 4096, .outlives_ranks = true,
	.options = join_options, .options_size = sizeof(struct join_opts),
	.enter = enter, .leave = leave, .describe = describe_job,
	.run = run, .barrier = star_barrier, .gather = star_gather, .bcast = star_bcast,
	.allgather = star_allgather, .key = key, .abort = abort_job,
};
