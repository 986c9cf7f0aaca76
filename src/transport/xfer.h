/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes what a rank does in a measurement, as data. A round has steps, which are done one after
 * the other. A step has transfers, which are posted together. Patterns make rounds, and backends
 * run them.
 */
#ifndef NETBENCH_TRANSPORT_XFER_H
#define NETBENCH_TRANSPORT_XFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SEND and RECV are two-sided: send k from one rank to another matches receive k there, and their
 * lengths are equal.
 *
 * READ is one-sided: READ k of a round gets the buffer of the peer's EXPOSE k. An EXPOSE is
 * complete at once, but its rank stays in the round until all readers have completed their READs.
 *
 * NATIVE is a collective operation of the transport itself (CAP_NATIVE). `lane` says which
 * operation (enum operation of model/schedule/operation.h), and `len` is its size_B. `peer` is the
 * root. `from` is the input; NULL: the input is in the result buffer. `buf` is the result; NULL:
 * the result replaces the input. Every rank has the operation at the same position of its round.
 */
enum op { OP_SEND, OP_RECV, OP_READ, OP_EXPOSE, OP_NATIVE };

/*
 * One transfer. `origin` is the rank that the data comes from if a broadcast sends it to several
 * ranks. Receivers may forward it. With XFER_OWN the data is of this sender for this receiver only.
 * `lane` numbers the links between two ranks: a ring of one or two ranks has one for each
 * direction. Both sides post the lanes in the same order, so a backend with one link may ignore the
 * lane.
 */
#define XFER_OWN (-1)
struct xfer {
	enum op op;
	int peer;
	uint32_t lane;
	int origin;
	size_t len;		/* bytes */
	void *buf;		/* from the backend's alloc; len bytes */
	const void *from;	/* input of OP_NATIVE */
};

/*
 * Work of a rank without transfers: copies `from` to `to`, or adds the doubles there to those at
 * `to`. The two may overlap.
 */
struct local {
	bool adds;
	void *to;
	const void *from;
	size_t len;
};

/*
 * Transfers xfers[first..first+n), the set, are posted together, `repeat` times. At most `window`
 * sets are in flight (the window slides). One doorbell sends `batch` sets. A step is complete
 * before the next one begins: receives have arrived, and send buffers may be reused. In a round
 * with a flow (enum flow) the only step continues over all iterations. In a block (struct block) a
 * step without transfers does the local work locals[local..local+nlocal), in order.
 */
struct step {
	uint32_t first, n;
	uint32_t repeat, window, batch;
	uint32_t local, nlocal;
};

/*
 * Iterations that are timed one by one, each from its own start. round.h runs them; backends need
 * not know. Such a round has neither a flow nor a list of all iterations' transfers.
 */
struct block {
	bool on;
	uint32_t head;		/* number of steps of an iteration before its timed part */
	/* for each iteration: clock reading at which its first timed step starts; NULL: no wait */
	const double *starts;
	/* memory for local work does not exist: only the time of the work passes */
	bool hollow;
	struct local *locals;
	uint32_t nlocals;
};

/* Role of a rank in a pattern: it sends first, or receives first. */
enum role { ROLE_SENDER = 1, ROLE_RECEIVER = 2 };

/*
 * CAP_FLOW: how the window of a round's only step slides over its repeat * count sets, without a
 * pause in between.
 *
 * FLOW_PLAIN: each set is one transfer, and leaves the window when the transfer is complete.
 * FLOW_AWAITS: a set receives an acknowledgement and sends a message. At most `window` messages are
 *	not acknowledged.
 * FLOW_ANSWERS: a set receives a message and sends its acknowledgement, with its own doorbell, as
 *	soon as the message has arrived. `window` receives are posted ahead.
 */
enum flow { FLOW_NONE, FLOW_PLAIN, FLOW_AWAITS, FLOW_ANSWERS };

/* Everything that one rank does between two readings of the clock: the steps, `count` times. */
struct round {
	struct xfer *xfers;
	struct step *steps;
	uint32_t nxfers, nsteps;
	uint64_t count;
	enum flow flow;
	/*
	 * this rank's time counts: in a ring the time of all ranks, in a stream that of the sender
	 */
	bool timed;
	unsigned roles;		/* enum role; 0: the rank idles */
	/* seconds by which it begins after the others, outside the clock */
	double delay_s;
	/*
	 * NULL, or count + 1 clock readings: at the start, and after each iteration. For a block,
	 * two readings of each iteration: before its first timed step, and after its last.
	 */
	double *stamps;
	struct block block;
	/*
	 * CAP_EACH: xfers lists the transfers of all iterations in the order of posting, each with
	 * its own buffer. The steps give the number of transfers. Their `first` is where a step
	 * begins in the first iteration.
	 */
	bool each;
};

/* Returns the largest number of transfers that a step has in flight, at least 1. */
static inline uint64_t round_in_flight(const struct round *r)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < r->nsteps; i++) {
		uint64_t n = (uint64_t)r->steps[i].n * r->steps[i].window;

		most = n > most ? n : most;
	}
	return most;
}

/* Empties a round and keeps its memory. A zeroed struct is an empty round. */
void round_reset(struct round *r);

/* Frees the memory of a round, except the stamps and the buffers of transfers. */
void round_free(struct round *r);

/*
 * Adds a step; transfers added next belong to it. `window` is reduced to `repeat`, and `batch` to
 * `window`. Returns 0, or -1 if memory is short. The functions below return the same.
 */
int round_step(struct round *r, uint32_t repeat, uint32_t window, uint32_t batch);

/*
 * Add a transfer to the last step. round_add_shared adds one with data of rank `origin` that
 * several ranks get.
 */
int round_add(struct round *r, enum op op, int peer, uint32_t lane, void *buf, size_t len);
int round_add_shared(struct round *r, enum op op, int peer, int origin, void *buf, size_t len);

/* Adds an OP_NATIVE to the last step. `operation`: enum operation. */
int round_add_native(struct round *r, uint32_t operation, int root, const void *from, void *buf,
		     size_t len);

/* Adds local work to the last step, which must have no transfers. */
int round_add_local(struct round *r, struct local local);

#endif
