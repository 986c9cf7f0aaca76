/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between netbench and the backends that transfer the bytes.
 *
 * A backend runs rounds (xfer.h). A round describes what a rank does between two readings of the
 * clock. The backend returns how long that took on its own clock. A backend that drives its
 * messages from the host includes round.h, which compiles the round's loop together with the
 * backend's own post and poll. A backend whose device runs the loop hands the round to the device.
 *
 * A backend lives in src/backends/, or is a module built against the installed headers. registry.h
 * says where netbench looks for modules. A module is a shared library that defines
 *
 *	NETBENCH_EXPORT const struct backend netbench_backend = {
 *		.abi = BACKEND_ABI, .name = "pipes", ... };
 *
 * It can include this header, xfer.h, round.h, match.h, host.h, job/job.h, options/arguments.h and
 * base/. It may call what is marked NETBENCH_EXPORT there.
 */
#ifndef NETBENCH_TRANSPORT_BACKEND_H
#define NETBENCH_TRANSPORT_BACKEND_H

#include "base/facts.h"
#include "options/arguments.h"
#include "transport/xfer.h"

/*
 * Increases when a struct or hook below changes. A module that was built for another value is
 * refused.
 */
#define BACKEND_ABI 15

/*
 * Capabilities of a backend, and of an opened endpoint. What a command needs is checked against the
 * backend before anything opens. It is checked again against the endpoint, because a board may have
 * fewer capabilities than its backend. What each pattern needs is checked separately.
 */
enum cap {
	CAP_RING = 1 << 0,	/* reaches its neighbours rank-1 and rank+1 modulo size */
	CAP_PAIR = 1 << 1,	/* reaches every rank */
	CAP_WINDOW = 1 << 2,	/* several messages in flight, and batches */
	CAP_STAMPS = 1 << 3,	/* a time stamp for each iteration */
	CAP_MSG = 1 << 4,	/* message operations: isend, irecv, test, wait */
	CAP_ANY = 1 << 5,	/* irecv from PEER_ANY */
	CAP_READ = 1 << 6,	/* OP_READ, OP_EXPOSE */
	CAP_VIRTUAL = 1 << 7,	/* virtual time: every repetition is the same */
	/* carries the bytes of messages; without it nothing can be verified */
	CAP_CONTENT = 1 << 8,
	CAP_NATIVE = 1 << 9,	/* OP_NATIVE: native collectives */
	CAP_EMULATED = 1 << 10,	/* times are of an emulator, not of a network */
	CAP_EACH = 1 << 11,	/* rounds with a buffer for each message (xfer.h) */
	CAP_FLOW = 1 << 12,	/* windows that slide over all iterations (enum flow of xfer.h) */
	CAP_ACKED = 1 << 13,	/* a send is complete when the receiver has the message */
	CAP_MAKES = 1 << 14,	/* generates messages from their first word, as content_fill does */
	CAP_LOSS = 1 << 15,	/* arm and run report a lost peer by ST_LOST */
};

/* Returns the name of the lowest bit set in caps ("window"), NULL if none is set. */
const char *cap_name(unsigned caps);

struct board;
struct loggp;
struct rdma;

/* What an opened endpoint allows. */
struct limits {
	size_t max_len;		/* longest message, bytes */
	uint32_t max_window;	/* messages in flight */
	uint64_t max_count;	/* iterations of a round */
	/*
	 * Number of leading bytes of a message that are carried, and that exist in alloc's memory.
	 * SIZE_MAX: all.
	 */
	size_t content_len;
};

/* One rank's endpoint of a backend. First member of the backend's own struct. */
struct endpoint {
	const struct backend *be;
	struct job *job;
	unsigned caps;
	struct limits limits;
	double tick_s;		/* seconds per tick of this endpoint's clock: stamps, now */
	size_t whole_len;	/* total number of bytes that alloc_whole has for each rank */
	unsigned natives;	/* CAP_NATIVE: one bit for each operation that is native */
	double slowdown;	/* slow-down factor of an emulator; 0: none */
	/* Time in s that a device needs to start a round. It is part of run's times. 0: none. */
	double launch_s;
	/*
	 * For a device that counts its link's cycles (counts_link): two shares of the point's
	 * longest round on this rank. stall: the link held a sender back. gap: a message had begun
	 * and no part of it arrived.
	 */
	bool counts_link;
	double stall, gap;
};

/* The heap size given to open counts each length rounded up to this many bytes. */
#define BACKEND_PAGE 4096

/* Seconds on this machine for one second of run's times. */
static inline double endpoint_slowdown(const struct endpoint *ep)
{
	return ep->slowdown > 0 ? ep->slowdown : 1;
}

/*
 * Largest share of a round's time that its launch may take. If the share is larger, the row tells
 * it.
 */
#define LAUNCH_MOST 0.01

/*
 * Shortest time of a round, s, that keeps the share of its launch clearly below LAUNCH_MOST; 0: any
 * time is long enough.
 */
static inline double endpoint_min_round_s(const struct endpoint *ep)
{
	return 1.2 * ep->launch_s / LAUNCH_MOST;
}

/* CAP_LOSS: a peer counts as lost after this time in s without any progress. */
#define ENDPOINT_SILENCE_S 5.0

/* Peer of a receive that matches messages from any rank. */
#define PEER_ANY (-1)

/*
 * A message operation in flight. The caller owns it and must not move it before it is done. Members
 * peer, len and done are results. The others belong to the backend.
 */
struct request {
	bool done;
	int peer;		/* rank of the sender, for receives from PEER_ANY */
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
 * Name of the counter of messages and connections that were refused because they are not from a
 * rank. The record has it as summary.strangers_refused, from the opening on, together with what the
 * job refused.
 */
#define COUNTER_STRANGERS "strangers_refused"

/* Number of times that something has happened since the endpoint was opened. */
struct counter {
	const char *name;	/* "retransmissions" */
	double value;
	bool amiss;		/* a value above 0 in a run causes a warning */
};

/*
 * A backend. It is constant; all state is in the endpoint. Hooks return ST_OK, or another exit
 * status after reporting the fault (error.h).
 *
 * Parameter `options` of a hook has the values of the backend's own options: options_size bytes of
 * the caller's memory. They are zeroed before parsing, and outlive every endpoint. Before any rank
 * exists, hooks network and check may complete them. After that they are only read, and other
 * endpoints may have other values.
 */
struct backend {
	/* BACKEND_ABI; first member, so that any version of netbench can read it */
	unsigned abi;
	unsigned caps;			/* largest set of capabilities of an endpoint */
	const char *name, *summary;
	const struct job_kind *job;	/* the only kind of job under which it runs; NULL: any */
	int max_ranks;
	const struct opt *options;	/* the backend's own options; may be NULL */
	size_t options_size;		/* size of the struct that takes their values */

	/*
	 * Returns 0 if this machine can run the backend, else -1 with the reason in `why`. It is
	 * quick and changes nothing. It is called before any rank exists; for a list of backends
	 * with default options. NULL: any machine can run the backend.
	 */
	int (*probe)(const void *options, char *why, size_t len);

	/*
	 * Checks the option values that the table cannot check, and may complete them. Called once,
	 * before any rank exists, with the number of ranks. `given` tells which options were on the
	 * command line. Returns ST_OK or ST_USAGE. May be NULL.
	 */
	int (*check)(void *options, const struct arguments *given, int nranks);

	/* ---- mandatory ---- */

	/*
	 * Opens this rank's endpoint. Collective. `heap` is the sum of the lengths that this rank
	 * will allocate, each rounded up to BACKEND_PAGE; it is the same on all ranks. The backend
	 * sets job, caps, limits and tick_s; the caller sets be. Afterwards every rank can receive.
	 */
	int (*open)(struct endpoint **ep, struct job *job, const void *options, size_t heap);

	/* Closes an endpoint; NULL is allowed. Collective if no rank failed. */
	void (*close)(struct endpoint *ep);

	/*
	 * Allocates zeroed memory for transfers, aligned to at least a cache line. Returns NULL if
	 * memory is short. The memory is registered once, here. `len` may be 0. close releases
	 * memory that is still allocated.
	 */
	void *(*alloc)(struct endpoint *ep, size_t len);
	void (*release)(struct endpoint *ep, void *buf);

	/*
	 * Allocates memory for blocks, with all bytes present. Endpoints need it if their alloc
	 * provides only limits.content_len bytes. Blocks that are not hollow carry all of these
	 * bytes. Returns NULL if the memory does not fit. The hook is NULL if alloc itself provides
	 * all bytes.
	 */
	void *(*alloc_whole)(struct endpoint *ep, size_t len);

	/*
	 * Prepares the round on this rank: sizes queues, and posts what must precede a sender's
	 * start. Called on every rank before the synchronised start, outside the clock. Before
	 * message operations it is called with an empty round. May be NULL.
	 *
	 * CAP_LOSS: if job->outlives is set, an endpoint has CAP_LOSS and not CAP_MSG. Connections
	 * are then made here, when a round first needs them. A peer is lost if it cannot be
	 * reached, or sends nothing for ENDPOINT_SILENCE_S. In this case arm or run drops the round
	 * and returns ST_LOST without a report. The next arm that needs the peer tries again. In a
	 * backend that cannot restore a lost connection it returns ST_LOST at once.
	 */
	int (*arm)(struct endpoint *ep, const struct round *r);

	/*
	 * Runs the round. *seconds gets its time on the endpoint's clock. Between the two clock
	 * readings there are transfers and nothing else.
	 */
	int (*run)(struct endpoint *ep, const struct round *r, double *seconds);

	/* ---- by capability; NULL means that it cannot ---- */

	/*
	 * CAP_MSG. isend and irecv start a message. Each of these calls makes progress. A send is
	 * done when its buffer may be reused, a receive when the message has arrived. Messages of
	 * an ordered pair of ranks do not overtake each other. irecv accepts messages of at most
	 * len bytes. test updates req->done without waiting. wait returns when req->done is true.
	 */
	int (*isend)(struct endpoint *ep, int peer, const void *buf, size_t len,
		     struct request *req);
	int (*irecv)(struct endpoint *ep, int peer, void *buf, size_t len, struct request *req);
	int (*test)(struct endpoint *ep, struct request *req);
	int (*wait)(struct endpoint *ep, struct request *req);

	/*
	 * CAP_MSG. Like wait, but returns at the latest when the endpoint's clock has reached
	 * `until`, in ticks. NULL: the caller calls test again and again.
	 */
	int (*wait_until)(struct endpoint *ep, struct request *req, double until);

	/*
	 * CAP_MSG. now returns the endpoint's clock in ticks. compute keeps this rank's processor
	 * busy for a time.
	 */
	double (*now)(struct endpoint *ep);
	void (*compute)(struct endpoint *ep, double seconds);

	/*
	 * CAP_VIRTUAL. Describes the simulated network. Sets *found to LogGP's parameters, s. If it
	 * is a board, sets *is_board, and *board to its channels. If `like` is not NULL, the
	 * network has these parameters, and the backend stores them among its option values.
	 * Otherwise the options give the network. Called before check. Returns ST_OK or ST_USAGE.
	 */
	int (*network)(void *options, const struct loggp *like, struct loggp *found,
		       struct board *board, bool *is_board);

	/*
	 * CAP_VIRTUAL. Returns true if the simulated network has the RDMA form. If `like` is not
	 * NULL, it replaces the options' network, and the backend stores it. Called before
	 * `network`, whose *found then has no meaning.
	 */
	bool (*network_rdma)(void *options, const struct rdma *like);

	/*
	 * Measures the parameters of the RDMA form (model/rdma.h), s, between ranks 0 and 1,
	 * outside any round. A parameter that was not determined is NaN; all are if the form does
	 * not fit how the endpoint was opened. Collective; *found on rank 0 is valid. NULL: the
	 * form does not fit the backend.
	 */
	int (*rdma)(struct endpoint *ep, struct rdma *found);

	/*
	 * Describes the opened endpoint for the record, without communication. The record has rank
	 * 0's description, and from other ranks the facts about their machines ("library"). May be
	 * NULL. Fact "method", a text on how messages travel, is also printed above the table. Fact
	 * "beside", other things that were measured, follows it.
	 */
	void (*describe)(struct endpoint *ep, struct facts *f);

	/*
	 * Lists the hardware for `netbench list --backend`: fact_text(f, "card", "0000:03:00.1").
	 * Each fact is one line; an empty key continues the line above. A fact "default" that
	 * begins with "none" says that the backend runs only with options, and why. If lists_files
	 * is true, also describes the contents of the n named files. Called outside of any job; may
	 * be NULL.
	 */
	bool lists_files;
	void (*list)(int n, char **files, struct facts *f);

	/*
	 * Reads the counters of this rank's endpoint, in the same order on every rank. Called
	 * before the first round and after the last one. The record has their differences, summed
	 * over the ranks. Sets at most COUNTERS_MAX counters and returns their number. May be NULL.
	 */
	int (*counters)(struct endpoint *ep, struct counter *c);
};

/* Calls the probe of a backend. Returns 0, or -1 with the reason in `why`. */
int backend_probe(const struct backend *be, const void *options, char *why, size_t len);

#endif
