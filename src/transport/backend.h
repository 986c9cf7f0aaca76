/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract between netbench and whatever carries the bytes.
 *
 * A backend runs rounds (xfer.h). It gets what a rank does between two readings of the clock. It
 * returns how long that took on its own clock. A backend that drives its messages from the host
 * includes round.h, which compiles the round's loop around the backend's own post and poll; one
 * whose device runs the loop hands the round to the device.
 *
 * A backend lives in src/backends/, or is a module built against the installed headers. registry.h
 * says where netbench looks for it. A module is a shared library that defines
 *
 *	NETBENCH_EXPORT const struct backend netbench_backend = {
 *		.abi = BACKEND_ABI, .name = "pipes", ... };
 *
 * It sees this header, xfer.h, round.h, match.h, host.h, job/job.h, options/arguments.h and base/,
 * and may call what is marked NETBENCH_EXPORT there.
 */
#ifndef NETBENCH_TRANSPORT_BACKEND_H
#define NETBENCH_TRANSPORT_BACKEND_H

#include "base/facts.h"
#include "options/arguments.h"
#include "transport/xfer.h"

/* Grows when a struct or hook below changes; a module built for another one is refused. */
#define BACKEND_ABI 15

/*
 * What a backend, and then an opened endpoint, can do. A command's needs are checked against the
 * backend before anything opens, then against the endpoint (a board may reach less than its
 * backend); each pattern's needs by itself.
 */
enum cap {
	CAP_RING = 1 << 0,	/* reaches its neighbours rank-1 and rank+1 modulo size */
	CAP_PAIR = 1 << 1,	/* reaches every rank */
	CAP_WINDOW = 1 << 2,	/* several messages in flight; batches */
	CAP_STAMPS = 1 << 3,	/* a time stamp per iteration */
	CAP_MSG = 1 << 4,	/* message operations: isend irecv test wait */
	CAP_ANY = 1 << 5,	/* irecv from PEER_ANY */
	CAP_READ = 1 << 6,	/* OP_READ, OP_EXPOSE */
	CAP_VIRTUAL = 1 << 7,	/* virtual time: every repetition is the same */
	CAP_CONTENT = 1 << 8,	/* carries the bytes; without it nothing can be verified */
	CAP_NATIVE = 1 << 9,	/* OP_NATIVE: native collectives */
	CAP_EMULATED = 1 << 10,	/* times are those of an emulator, not of a network */
	CAP_EACH = 1 << 11,	/* rounds with a buffer for each message (xfer.h) */
	CAP_FLOW = 1 << 12,	/* windows that slide over all iterations (enum flow of xfer.h) */
	CAP_ACKED = 1 << 13,	/* a send is complete when the other side has the message */
	CAP_MAKES = 1 << 14,	/* makes messages from their first word, as content_fill does */
	CAP_LOSS = 1 << 15,	/* arm and run tell of a lost peer by ST_LOST */
};

/* Name of the lowest bit set in caps ("window"), NULL if none is. */
const char *cap_name(unsigned caps);

struct board;
struct loggp;
struct rdma;

/* What an opened endpoint allows. */
struct limits {
	size_t max_len;		/* longest message, bytes */
	uint32_t max_window;	/* messages in flight */
	uint64_t max_count;	/* iterations of a round */
	/* Leading bytes of a message that are carried, and of alloc's memory; SIZE_MAX: all. */
	size_t content_len;
};

/* One rank's end of a backend; first member of the backend's own struct. */
struct endpoint {
	const struct backend *be;
	struct job *job;
	unsigned caps;
	struct limits limits;
	double tick_s;		/* seconds a tick of this endpoint's clock: stamps, now */
	size_t whole_len;	/* bytes that alloc_whole has for each rank, in all */
	unsigned natives;	/* CAP_NATIVE: a bit for each operation that it has natively */
	double slowdown;	/* of an emulator in slow motion; 0: none */
	/* what each round begins with where a device runs it, s, part of run's times; 0: nothing */
	double launch_s;
	/*
	 * A device that counts its link's cycles (counts_link): shares of the point's longest round
	 * on this rank in which the link held a sender back, and in which a message had begun and
	 * no part of it came.
	 */
	bool counts_link;
	double stall, gap;
};

/* In the heap of open, lengths are rounded up to this many bytes. */
#define BACKEND_PAGE 4096

/* Seconds of this machine that one second of run's times takes. */
static inline double endpoint_slowdown(const struct endpoint *ep)
{
	return ep->slowdown > 0 ? ep->slowdown : 1;
}

/* A round's launch takes at most this share of its time, or the row says that it is more. */
#define LAUNCH_MOST 0.01

/* Time of a round, s, that leaves its launch well below LAUNCH_MOST; 0: any time does. */
static inline double endpoint_least_round(const struct endpoint *ep)
{
	return 1.2 * ep->launch_s / LAUNCH_MOST;
}

/* CAP_LOSS: a peer is lost after this time without any progress, s. */
#define ENDPOINT_SILENCE_S 5.0

/* Matches a message from any rank. */
#define PEER_ANY (-1)

/*
 * A message operation in flight. The caller owns it and must not move it before it is done.
 * peer, len and done are results, the rest is the backend's.
 */
struct request {
	bool done;
	int peer;		/* its sender; useful after a receive from PEER_ANY */
	size_t len;		/* bytes received */
	struct request *next;
	void *buf;
	size_t room, at;
	uint64_t id;
	int want;
	double when;
};

#define COUNTERS_MAX 16

/*
 * The counter of messages and connections that were refused because they are no rank's. The record
 * has it as summary.strangers_refused, with what the job refused, from the opening on.
 */
#define COUNTER_STRANGERS "strangers_refused"

/* How many times something has happened since the endpoint was opened. */
struct counter {
	const char *name;	/* "retransmissions" */
	double value;
	bool amiss;		/* warn if it is more than 0 in a run */
};

/*
 * A backend. Constant; all state is in the endpoint. Hooks return ST_OK or, after reporting the
 * fault, another exit status (error.h).
 *
 * A hook's `options` are the values of the backend's own options: options_size bytes of the
 * caller's, zeroed before parsing, which outlive every endpoint. Before any rank exists, network
 * and check may complete them; then they are only read, and other endpoints may have others.
 */
struct backend {
	unsigned abi;			/* BACKEND_ABI; first, for any version of netbench */
	unsigned caps;			/* the most an endpoint can have */
	const char *name, *summary;
	const struct job_kind *job;	/* the only kind of job it runs under; NULL: any */
	int max_ranks;
	const struct opt *options;	/* its own options; may be NULL */
	size_t options_size;		/* of the struct that takes their values */

	/*
	 * 0 if this machine can run it, else -1 with the reason in why. Quick; changes nothing;
	 * called before any rank exists, for a list with default options. NULL: any machine can.
	 */
	int (*probe)(const void *options, char *why, size_t len);

	/*
	 * Checks the option values that the table cannot, and may complete them (may be NULL).
	 * Called once, before any rank exists, with the number of ranks; `given` tells which
	 * options stood on the command line. ST_OK or ST_USAGE.
	 */
	int (*check)(void *options, const struct arguments *given, int nranks);

	/* ---- mandatory ---- */

	/*
	 * Opens this rank's endpoint. Collective. `heap` is the sum of the lengths that this rank
	 * will alloc, each rounded up to BACKEND_PAGE; the same on all ranks. The backend fills
	 * job, caps, limits and tick_s; the caller fills be. Every rank can receive afterwards.
	 */
	int (*open)(struct endpoint **ep, struct job *job, const void *options, size_t heap);

	/* Closes it; NULL is allowed. Collective if no rank failed. */
	void (*close)(struct endpoint *ep);

	/*
	 * Memory for transfers, aligned to at least a cache line, zeroed; NULL without memory.
	 * Registered once, here. len may be 0. close releases what is still allocated.
	 */
	void *(*alloc)(struct endpoint *ep, size_t len);
	void (*release)(struct endpoint *ep, void *buf);

	/*
	 * The same for blocks, where limits.content_len is less than all: memory of which all bytes
	 * are there, and are carried by blocks that are not hollow; NULL if it does not fit. Of no
	 * use where alloc is like that: NULL.
	 */
	void *(*alloc_whole)(struct endpoint *ep, size_t len);

	/*
	 * Prepares the round on this rank: sizes queues, posts what must precede a sender's start.
	 * Called on every rank before the synchronised start, outside the clock, and with an empty
	 * round before message operations; may be NULL.
	 *
	 * CAP_LOSS: if job->outlives is set, an endpoint has this and not CAP_MSG. Connections are
	 * made here, when a round first needs them. A peer is lost if it cannot be reached, or
	 * sends nothing for ENDPOINT_SILENCE_S. Then arm or run forgets the round and returns
	 * ST_LOST, without a report. The next arm that needs the peer tries again, or, in a backend
	 * that cannot make a lost connection anew, returns ST_LOST at once.
	 */
	int (*arm)(struct endpoint *ep, const struct round *r);

	/*
	 * Runs the round; *seconds is its time on the endpoint's clock. Between the two clock
	 * readings there are transfers and nothing else.
	 */
	int (*run)(struct endpoint *ep, const struct round *r, double *seconds);

	/* ---- by capability; NULL means that it cannot ---- */

	/*
	 * CAP_MSG. Start a message; each of these calls makes progress. A send is done when its
	 * buffer may be reused, a receive when it has arrived; messages of an ordered pair of ranks
	 * do not overtake. irecv takes messages of up to len bytes. test updates req->done without
	 * waiting; wait returns when it is true.
	 */
	int (*isend)(struct endpoint *ep, int peer, const void *buf, size_t len,
		     struct request *req);
	int (*irecv)(struct endpoint *ep, int peer, void *buf, size_t len, struct request *req);
	int (*test)(struct endpoint *ep, struct request *req);
	int (*wait)(struct endpoint *ep, struct request *req);

	/*
	 * CAP_MSG. The same, but returns at the latest when the endpoint's clock has reached
	 * `until`, in ticks. NULL: the caller looks by test, again and again.
	 */
	int (*wait_until)(struct endpoint *ep, struct request *req, double until);

	/* CAP_MSG. The endpoint's clock in ticks; occupying this rank's processor for a time. */
	double (*now)(struct endpoint *ep);
	void (*compute)(struct endpoint *ep, double seconds);

	/*
	 * CAP_VIRTUAL. Yields the simulated network: LogGP's parameters, s, in *found, or, with
	 * *is_board, the channels of a board. The parameters are `like`, which it keeps among its
	 * option values, or, if that is NULL, those of the options. Called before check. ST_OK or
	 * ST_USAGE.
	 */
	int (*network)(void *options, const struct loggp *like, struct loggp *found,
		       struct board *board, bool *is_board);

	/*
	 * CAP_VIRTUAL. True if that network is of the RDMA form; `like`, which it keeps, replaces
	 * the options' network unless it is NULL. Called before `network`, which then says nothing.
	 */
	bool (*network_rdma)(void *options, const struct rdma *like);

	/*
	 * The parameters of the RDMA form (model/rdma.h), s, measured between ranks 0 and 1 outside
	 * any round; NaN: not determined, all of them if the form does not fit how the endpoint was
	 * opened. Collective; *found is rank 0's. NULL: that form does not fit the backend.
	 */
	int (*rdma)(struct endpoint *ep, struct rdma *found);

	/*
	 * Describes the opened endpoint for the record, without other ranks; rank 0's is recorded,
	 * of other ranks what is of their machines ("library"); may be NULL. "method", a text on
	 * how messages travel, also stands above the table, followed by "beside", what else was
	 * measured.
	 */
	void (*describe)(struct endpoint *ep, struct facts *f);

	/*
	 * Lists the hardware for `netbench list --backend`: fact_text(f, "card", "0000:03:00.1"), a
	 * line each, an empty key continues the line before. A "default" that begins with "none"
	 * says that it runs only with options, and why. Also describes the contents of the n
	 * named files, which lists_files allows. Outside any job; may be NULL.
	 */
	bool lists_files;
	void (*list)(int n, char **files, struct facts *f);

	/*
	 * Counters of this rank's endpoint, in the same order on every rank, read before the first
	 * and after the last round; the record sums their differences over the ranks. Fills at most
	 * COUNTERS_MAX and returns how many. May be NULL.
	 */
	int (*counters)(struct endpoint *ep, struct counter *c);
};

/* The probe of a backend. 0, or -1 with the reason in why. */
int backend_probe(const struct backend *be, const void *options, char *why, size_t len);

#endif
