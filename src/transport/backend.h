/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between netbench and the backends, which transfer the bytes.
 *
 * A backend runs rounds (xfer.h). A round describes what a rank does between two readings of the
 * clock. The backend returns the time of the round on its own clock. A backend that drives its
 * messages from the host includes round.h, which compiles the round's loop together with the
 * backend's own post and poll. A backend whose device runs the loop hands the round to the device.
 *
 * The source of a backend is in src/backends/. Other backends are modules built with the installed
 * headers; registry.h says where netbench looks for them. A module is a shared library that defines
 *
 *	NETBENCH_EXPORT const struct backend netbench_backend = {
 *		.abi = BACKEND_ABI, .name = "pipes", ... };
 *
 * It can include this header, xfer.h, round.h, match.h, host.h, job/job.h, options/arguments.h and
 * base/. It may call only functions with the mark NETBENCH_EXPORT.
 */
#ifndef NETBENCH_TRANSPORT_BACKEND_H
#define NETBENCH_TRANSPORT_BACKEND_H

#include "base/facts.h"
#include "options/arguments.h"
#include "transport/xfer.h"

/*
 * Increased whenever a struct or hook below changes. netbench refuses a module that was built with
 * another value.
 */
#define BACKEND_ABI 16

/*
 * Capabilities of a backend, and of an opened endpoint. Before opening, netbench checks whether the
 * backend has the capabilities that the command needs. After opening, netbench checks the endpoint,
 * because a board may have fewer capabilities than its backend. The needs of each pattern are
 * checked separately.
 */
enum cap {
	CAP_RING = 1 << 0,	/* each rank reaches its neighbours rank-1 and rank+1 modulo size */
	CAP_PAIR = 1 << 1,	/* each rank reaches every other rank */
	CAP_WINDOW = 1 << 2,	/* several messages in flight, and batches */
	CAP_STAMPS = 1 << 3,	/* a time stamp for each iteration */
	CAP_MSG = 1 << 4,	/* message operations: isend, irecv, test, wait */
	CAP_ANY = 1 << 5,	/* irecv from PEER_ANY */
	CAP_READ = 1 << 6,	/* OP_READ, OP_EXPOSE */
	CAP_VIRTUAL = 1 << 7,	/* virtual time: all repetitions give the same result */
	/* transfers the bytes of messages; without it, contents cannot be verified */
	CAP_CONTENT = 1 << 8,
	CAP_NATIVE = 1 << 9,	/* OP_NATIVE: native collectives */
	CAP_EMULATED = 1 << 10,	/* times come from an emulator, not from a network */
	CAP_EACH = 1 << 11,	/* rounds with a buffer for each message (xfer.h) */
	CAP_FLOW = 1 << 12,	/* windows that slide over all iterations (enum flow of xfer.h) */
	CAP_ACKED = 1 << 13,	/* a send is complete when the receiver has the message */
	/* generates a message's content from its first word, like content_fill */
	CAP_MAKES = 1 << 14,
	CAP_LOSS = 1 << 15,	/* arm and run return ST_LOST if a peer is lost */
};

/* Returns the name of the lowest capability in caps ("window"); NULL if caps is 0. */
const char *cap_name(unsigned caps);

struct board;
struct loggp;
struct rdma;

/* Limits of an opened endpoint. */
struct limits {
	size_t max_len;		/* longest message, bytes */
	uint32_t max_window;	/* largest number of messages in flight */
	uint64_t max_count;	/* largest number of iterations of a round */
	/*
	 * Only this many bytes at the beginning of a message are transferred, and exist in memory
	 * of alloc; SIZE_MAX: all bytes.
	 */
	size_t content_len;
};

/* One rank's endpoint of a backend. It is the first member of the struct that the backend uses. */
struct endpoint {
	const struct backend *be;
	struct job *job;
	unsigned caps;
	struct limits limits;
	/* seconds per tick of this endpoint's clock, which gives stamps and now */
	double tick_s;
	size_t whole_len;	/* number of bytes that alloc_whole can allocate in all, per rank */
	unsigned natives;	/* CAP_NATIVE: the set of native operations; bit i is operation i */
	bool overlaps;		/* OP_NATIVE can compute in the meantime (struct block) */
	double slowdown;	/* slow-down factor of an emulator; 0: none */
	/*
	 * Time in s that a device needs to start a round; 0: none. The times that run returns
	 * include it.
	 */
	double launch_s;
	/* true: the device counts the cycles of its link, and sets stall and gap */
	bool counts_link;
	/* shares of the time of the point's longest round on this rank */
	double stall,	/* share during which the link made a sender wait */
	       gap;	/* share during which a message had begun to arrive, but no part arrived */
};

/*
 * The parameter `heap` of open is a sum of lengths, each rounded up to a multiple of this many
 * bytes.
 */
#define BACKEND_PAGE 4096

/* Returns how many seconds pass on this machine while hook `run` counts one second. */
static inline double endpoint_slowdown(const struct endpoint *ep)
{
	return ep->slowdown > 0 ? ep->slowdown : 1;
}

/*
 * Largest share of a round's time that its launch should take. If the share is larger, the row has
 * a remark.
 */
#define LAUNCH_MOST 0.01

/*
 * Returns the shortest time of a round in s for which the share of the launch is clearly below
 * LAUNCH_MOST; 0: any time is long enough.
 */
static inline double endpoint_min_round_s(const struct endpoint *ep)
{
	return 1.2 * ep->launch_s / LAUNCH_MOST;
}

/* CAP_LOSS: a peer counts as lost if nothing has come from it for this time in s. */
#define ENDPOINT_SILENCE_S 5.0

/* Given as the peer of a receive: the receive matches messages from any rank. */
#define PEER_ANY (-1)

/*
 * A message operation in flight. The caller owns it and must not move it before it is done. Members
 * peer, len and done are results for the caller. The other members are for the backend.
 */
struct request {
	bool done;
	int peer;		/* rank of the sender, for receives from PEER_ANY */
	size_t len;		/* number of bytes received */
	struct request *next;
	void *buf;
	size_t room, at;
	uint64_t id;
	int want;
	double when;
};

#define COUNTERS_MAX 16

/*
 * Name of a backend's counter: messages and connections that it has refused because they did not
 * come from a rank. The record's summary.strangers_refused is this counter plus the number of
 * connections that the job has refused.
 */
#define COUNTER_STRANGERS "strangers_refused"

/* A counter of events since the endpoint was opened. */
struct counter {
	const char *name;	/* "retransmissions" */
	double value;
	bool amiss;		/* true: an event during the run causes a warning */
};

/*
 * A backend. It is constant; all state is in the endpoint. Hooks return ST_OK, or another exit
 * status after reporting the fault (error.h).
 *
 * Parameter `options` of a hook is the struct with the values of the backend's own options. The
 * caller owns its options_size bytes, which exist longer than any endpoint. The struct is zeroed
 * before parsing. Before any rank exists, hooks network and check may complete it. After that it is
 * only read. Other endpoints may have other values.
 */
struct backend {
	/* BACKEND_ABI; it is the first member, so that any version of netbench can read it */
	unsigned abi;
	/* all capabilities that an endpoint of this backend may have */
	unsigned caps;
	const char *name, *summary;
	/* the only kind of job in which the backend runs; NULL: it runs in any */
	const struct job_kind *job;
	int max_ranks;
	const struct opt *options;	/* the backend's own options; may be NULL */
	size_t options_size;		/* size of the struct that takes their values */

	/*
	 * Returns 0 if this machine can run the backend, else -1 with the reason in `why`. The hook
	 * must be quick and change nothing. It is called before any rank exists. To list backends,
	 * it is called with the default options. If the hook is NULL, any machine can run the
	 * backend.
	 */
	int (*probe)(const void *options, char *why, size_t len);

	/*
	 * Checks the option values in ways that the table cannot, and may complete them. Called
	 * once, before any rank exists; nranks is the number of ranks. `given` says which options
	 * the command line has. Returns ST_OK or ST_USAGE. May be NULL.
	 */
	int (*check)(void *options, const struct arguments *given, int nranks);

	/* ---- mandatory ---- */

	/*
	 * Opens this rank's endpoint. Collective. `heap` is the sum of the lengths that this rank
	 * will allocate, each rounded up to a multiple of BACKEND_PAGE; it is equal on all ranks.
	 * The backend sets members job, caps, limits and tick_s of the endpoint; the caller sets
	 * member be. After open has returned, every rank can receive.
	 */
	int (*open)(struct endpoint **ep, struct job *job, const void *options, size_t heap);

	/* Closes an endpoint; NULL is allowed. Collective if no rank failed. */
	void (*close)(struct endpoint *ep);

	/*
	 * alloc allocates zeroed memory for transfers, aligned at least to a cache line, and
	 * registers it with the network. `len` may be 0. Returns NULL if memory is short. release
	 * frees this memory; close frees memory that is still allocated.
	 */
	void *(*alloc)(struct endpoint *ep, size_t len);
	void (*release)(struct endpoint *ep, void *buf);

	/*
	 * Like alloc, for rounds with a block (xfer.h), but all `len` bytes exist and are
	 * transferred, unless the block is hollow. Needed if memory of alloc has only
	 * limits.content_len bytes; NULL if alloc itself provides all bytes. Returns NULL if the
	 * memory does not fit.
	 */
	void *(*alloc_whole)(struct endpoint *ep, size_t len);

	/*
	 * Prepares the round on this rank: makes queues large enough, and posts what must exist
	 * before a sender starts. Called on every rank before the synchronised start, and not
	 * timed. Before message operations it is called with an empty round. May be NULL.
	 *
	 * CAP_LOSS: if job->outlives is set, an endpoint has CAP_LOSS but not CAP_MSG. Then arm
	 * makes a connection when a round first needs it. A peer is lost if it cannot be reached,
	 * or if nothing comes from it for ENDPOINT_SILENCE_S. In this case arm or run abandons the
	 * round and returns ST_LOST without reporting a fault. The next arm that needs the peer
	 * tries to connect again, or returns ST_LOST at once if the backend cannot restore a lost
	 * connection.
	 */
	int (*arm)(struct endpoint *ep, const struct round *r);

	/*
	 * Runs the round. Sets *seconds to its time on the endpoint's clock. Between its two clock
	 * readings, this hook does nothing but the round.
	 */
	int (*run)(struct endpoint *ep, const struct round *r, double *seconds);

	/* ---- by capability; NULL if the backend lacks the capability ---- */

	/*
	 * CAP_MSG. isend starts to send a message. irecv starts to receive a message of at most
	 * `len` bytes. test updates req->done without waiting. wait returns when req->done is true.
	 * A send is done when its buffer may be reused. A receive is done when the message has
	 * arrived. Messages from one rank to another do not overtake each other. Each of the four
	 * calls also advances other messages in flight.
	 */
	int (*isend)(struct endpoint *ep, int peer, const void *buf, size_t len,
		     struct request *req);
	int (*irecv)(struct endpoint *ep, int peer, void *buf, size_t len, struct request *req);
	int (*test)(struct endpoint *ep, struct request *req);
	int (*wait)(struct endpoint *ep, struct request *req);

	/*
	 * CAP_MSG. Like wait, but returns at the latest when the endpoint's clock has reached
	 * `until`, in ticks. NULL: the caller repeats test instead.
	 */
	int (*wait_until)(struct endpoint *ep, struct request *req, double until);

	/*
	 * CAP_MSG. now returns the endpoint's clock in ticks. compute keeps this rank's processor
	 * busy for `seconds`.
	 */
	double (*now)(struct endpoint *ep);
	void (*compute)(struct endpoint *ep, double seconds);

	/*
	 * CAP_VIRTUAL. Returns the parameters of the simulated network. Sets *found to its LogGP
	 * parameters, in s. If the network is a board, sets *is_board to true and *board to the
	 * board's channels. If `like` is not NULL, *like has the network's parameters, and the
	 * backend stores them in `options`. Otherwise `options` describes the network. Called
	 * before check. Returns ST_OK or ST_USAGE.
	 */
	int (*network)(void *options, const struct loggp *like, struct loggp *found,
		       struct board *board, bool *is_board);

	/*
	 * CAP_VIRTUAL. Returns true if the simulated network has the RDMA form. If `like` is not
	 * NULL, *like has the network's parameters, and the backend stores them in `options`.
	 * Called before `network`. If this hook returns true, *found of `network` has no meaning.
	 */
	bool (*network_rdma)(void *options, const struct rdma *like);

	/*
	 * Measures the parameters of the RDMA form (model/rdma.h), in s, between ranks 0 and 1,
	 * outside any round. A parameter that cannot be determined is NaN; all are NaN if the form
	 * does not apply to the way in which the endpoint was opened. Collective; only rank 0's
	 * *found is valid. NULL: the form does not apply to the backend.
	 */
	int (*rdma)(struct endpoint *ep, struct rdma *found);

	/*
	 * Writes facts about the opened endpoint for the record, without communication. The record
	 * contains all facts of rank 0. Of the other ranks, it contains only facts about their
	 * machines ("library"). May be NULL. Fact "method" says how messages travel, and is also
	 * printed above the table. Fact "beside" names other things that were measured, and is
	 * printed after "method".
	 */
	void (*describe)(struct endpoint *ep, struct facts *f);

	/*
	 * Writes facts about the hardware for `netbench list --backend`, such as fact_text(f,
	 * "card", "0000:03:00.1"). Each fact is one line; a fact with an empty key continues the
	 * line above. If the backend cannot run without options, a fact "default" begins with
	 * "none" and says why. If lists_files is true, also describes the contents of the n named
	 * files. Called outside any job. May be NULL.
	 */
	bool lists_files;
	void (*list)(int n, char **files, struct facts *f);

	/*
	 * Reads the counters of this rank's endpoint, at most COUNTERS_MAX, and returns their
	 * number. The order is the same on every rank. Called before the first round and after the
	 * final one. The record contains the increase of each counter, summed over the ranks. May
	 * be NULL.
	 */
	int (*counters)(struct endpoint *ep, struct counter *c);
};

/* Calls the probe of a backend. Returns 0, or -1 with the reason in `why`. */
int backend_probe(const struct backend *be, const void *options, char *why, size_t len);

#endif
