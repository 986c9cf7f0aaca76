/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/settings.h"

#include "base/error.h"
#include "base/read/saved.h"
#include "measure/sync.h"
#include "model/parameters.h"

const char *const verify_names[] = { "none", "last", "full", "every", "every-timed",
					  NULL };
static const char *const timers[] = { "auto", "tsc", "raw", NULL };

#define AT(member) offsetof(struct measuring, member)

const struct opt measuring_options[] = {
	{ 'b', "backend", "name", OPT_TEXT, AT(backend), .aka = "transport network fabric device",
	  .help = "what carries the messages, see netbench list; default: shm; under mpirun: mpi; "
		  "with --listen and --join: tcp" },
	{ 0, "job", "kind", OPT_TEXT, AT(job),
	  .help = "where the ranks come from: fork (processes on this machine), mpi (started by "
		  "mpirun or srun), join (started by hand, or by srun without MPI) or sim; "
		  "default: found from how netbench was started" },
	{ 0, "mpi", "name", OPT_TEXT, AT(mpi),
	  .help = "MPI of job mpi: openmpi, mpich (and Intel MPI, Cray MPICH, MVAPICH) or abi "
		  "(the standard ABI of MPI 5); default: NETBENCH_MPI, else the MPI that started "
		  "the ranks" },
	{ 0, "mpi-library", "file", OPT_TEXT, AT(mpi_library),
	  .help = "library of that MPI, a file or a name that the system finds; default: "
		  "NETBENCH_MPI_LIBRARY, else the library that the system finds" },
	{ 'n', "ranks", "count", OPT_UINTS, AT(ranks), .aka = "np processes procs",
	  .min = 1, .max = 1000000,
	  .help = "number of ranks; default: as many as the command needs; for beff, map: one per "
		  "core, at least 2; atlas-1.1 to atlas-2.3 and collective take a list and sweep "
		  "over it" },
	{ 'm', "max-size", "log2", OPT_UINT, AT(max_size), .def = "auto",
	  .max = 30, .word = "auto",
	  .help = "largest message is 2^log2 bytes; auto: 20 for beff, 22 for others; atlas-1.1 "
		  "to 2.3 and collective have sizes of their own" },
	{ 0, "min-size", "log2", OPT_UINT, AT(min_size), .def = "0",
	  .max = 30, .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .max = 1 << 30,
	  .aka = "size message-size message-sizes msg-size length bytes",
	  .help = "message sizes, as 0,64,4k or 1k:64k:*2" },
	{ 0, "repetitions", "count", OPT_UINT, AT(repetitions),
	  .def = "1000", .min = 1, .max = 1e9, .aka = "reps trials",
	  .help = "maximum number of repetitions of a point, over all its visits" },
	{ 0, "warmup", "count", OPT_UINT, AT(warmup), .def = "1",
	  .max = 1e6, .help = "uncounted rounds before the repetitions of each point" },
	{ 0, "ci", "percent", OPT_REAL, AT(ci), .def = "5", .max = 100,
	  .help = "stop a point when the 95 % confidence interval of the median is within this "
		  "percentage; 0: never" },
	{ 0, "point-time", "time", OPT_SECONDS, AT(point_time),
	  .def = "500ms", .aka = "duration runtime",
	  .help = "stop a point after this time over all its visits, and at least 6 repetitions; a "
		  "slow point ends within 10 s (or this time, if longer), with a shorter default "
		  "window or fewer repetitions; 0: no limit" },
	{ 0, "visits", "count", OPT_UINT, AT(visits), .def = "auto", .min = 1, .max = 1000,
	  .word = "auto",
	  .help = "number of visits to each point, among all others in random order, within its "
		  "time and repetitions: the interval then covers changes during the run; auto: 6, "
		  "or 1 where one is enough or rounds are long; map: visits to all pairs, at most "
		  "64, auto: 5 for up to 8 hosts, else 3, and in mode quick 1" },
	{ 0, "time-limit", "time", OPT_SECONDS, AT(time_limit), .def = "auto",
	  .word = "auto",
	  .help = "end the run after this time and keep the results so far; 0: no limit; auto: the "
		  "time that Slurm leaves (SLURM_JOB_END_TIME)" },
	{ 0, "stall", "time", OPT_SECONDS, AT(stall), .def = "30s",
	  .help = "end the run as failed when it makes no progress for this time, or for ten times "
		  "the expected time of a repetition if that is longer; 0: never" },
	{ 0, "pin", "where", OPT_TEXT, AT(pin), .def = "core",
	  .aka = "no-pin affinity bind-to cpus",
	  .help = "none, core (one rank per core if there are enough cores), or a list of CPUs: "
		  "0,2,4-7" },
	{ 0, "verify", "how", OPT_CHOICE, AT(verify), .def = "full",
	  .choices = verify_names, .was = "check",
	  .help = "verify content after each round; last: the data of its last iteration; full: "
		  "the same, and at the end a pass message by message; every: each message, kept "
		  "in a buffer of its own; every-timed: each message when it arrives, within the "
		  "measured time" },
	{ 0, "timer", "clock", OPT_CHOICE, AT(timer), .def = "auto",
	  .choices = timers, .help = "tsc if the kernel trusts it, else clock_monotonic_raw" },
	{ 0, "sync", "how", OPT_CHOICE, AT(sync), .def = "auto",
	  .choices = sync_names,
	  .help = "how ranks start a repetition together; barrier; window: at a time agreed by "
		  "synchronised clocks; auto: window for three or more ranks if each has a CPU, "
		  "else barrier" },
	{ 0, "seed", "number", OPT_UINT, AT(seed), .def = "1",
	  .max = 9007199254740992.0, .help = "seed of the messages' content and of random orders" },
	{ 0, "like", "file", OPT_TEXT, AT(like),
	  .file = OPT_READ,
	  .help = "a result with LogGP parameters (of atlas-all): backend sim simulates that "
		  "network, and algorithm optimal of atlas-1.6 is built for it" },
	{ 0, "predict", NULL, OPT_FLAG, AT(predict),
	  .help = "beside each time print a model's prediction: LogGP with the parameters of "
		  "--like or of the simulated network, or the channels of the simulated board" },
	{ 0, "samples", NULL, OPT_FLAG, AT(samples),
	  .help = "keep every repetition of every rank in JSON" },
	{ 0, "dry-run", NULL, OPT_FLAG, AT(dry_run),
	  .help = "print the plan and measure nothing" },
	{ 0 },
};

/*
 * Reads the parameters of LogGP from the file of --like. For a simulated network, the file may hold
 * the parameters of the RDMA form instead. Returns ST_OK or ST_USAGE (reported).
 */
static int read_like(const struct settings *st, struct network *n, struct rdma *rdma)
{
	char source[256];
	json_t *doc;
	int err;

	if (!st->be->network) {
		err = parameters_read(st->m.like, &n->p, &n->pieces);
		n->known = !err;
		return err;
	}
	err = saved_read(st->m.like, &doc);
	n->is_rdma = !err && parameters_only_rdma(doc);
	if (n->is_rdma)
		err = parameters_rdma_take(st->m.like, doc, rdma, source, sizeof(source));
	else if (!err)
		err = parameters_take(st->m.like, doc, &n->p, &n->pieces);
	n->known = !err && !n->is_rdma;
	json_decref(doc);
	return err;
}

int settings_read_network(struct settings *st)
{
	struct network *n = &st->network;
	struct loggp found;
	struct rdma rdma;
	int err = st->m.like ? read_like(st, n, &rdma) : ST_OK;

	if (!err && st->be->network) {
		n->is_rdma = st->be->network_rdma &&
			     st->be->network_rdma(st->backend_options, n->is_rdma ? &rdma : NULL);
		err = st->be->network(st->backend_options, n->known ? &n->p : NULL, &found,
				      &n->board, &n->is_board);
		n->known = !err && !n->is_board && !n->is_rdma;
		if (n->known)
			n->p = found;
	}
	if (!err && n->known && !n->pieces.n)
		n->pieces = (struct loggp_pieces){ .n = 1, .p = { n->p } };
	return err;
}
