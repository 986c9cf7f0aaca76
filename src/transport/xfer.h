/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rank does in a measurement, as data: transfers, posted together in steps, steps done one
 * after the other in a round. Patterns build rounds, backends run them.
 */
#ifndef NETBENCH_TRANSPORT_XFER_H
#define NETBENCH_TRANSPORT_XFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SEND and RECV are two-sided: the k-th send from one rank to another matches the k-th receive
 * there, and lengths agree. READ is one-sided: the k-th READ of a round gets the buffer of the
 * peer's k-th EXPOSE; EXPOSE is done at once, but its rank stays in the round until all readers
 * have ended theirs. NATIVE is a collective operation of the transport's own (CAP_NATIVE). `lane`
 * says which (enum operation of model/schedule/operation.h), and `len` is its size_B. `peer` is the
 * root. `from` is the input; NULL: it lies in the result. `buf` is the result; NULL: it stays where
 * the input is. Every rank has the operation in the same place of its round.
 */
enum op { OP_SEND, OP_RECV, OP_READ, OP_EXPOSE, OP_NATIVE };

/*
 * One transfer. `origin` is the rank whose data several ranks get, by a broadcast that receivers
 * may forward. XFER_OWN: data of this sender for this receiver alone. `lane` numbers the links
 * between two ranks (the two directions of a ring of one or two ranks); both sides post the lanes
 * in the same order, so a backend with one link may ignore it.
 */
#define XFER_OWN (-1)
struct xfer {
	enum op op;
	int peer;
	uint32_t lane;
	int origin;
	size_t len;		/* bytes */
	void *buf;		/* from the backend's alloc; len bytes */
	const void *from;	/* of OP_NATIVE */
};

/* What a rank does by itself: copies, or adds doubles to those at `to`. The parts may overlap. */
struct local {
	bool adds;
	void *to;
	const void *from;
	size_t len;
};

/*
 * The transfers xfers[first..first+n) posted together, `repeat` times, with at most `window` sets'
 * worth of them in flight (sliding) and `batch` sets posted with one doorbell. A step is complete
 * (receives have arrived, send buffers may be reused) before the next begins; in a round that
 * flows, see enum flow, the only step goes on over all iterations. In a block (struct block) a step
 * without transfers does the local work locals[local..local+nlocal), in order.
 */
struct step {
	uint32_t first, n;
	uint32_t repeat, window, batch;
	uint32_t local, nlocal;
};

/*
 * Iterations that are timed one by one, each from a start of its own. round.h does them; backends
 * need not know. No flow, and no list of all iterations' transfers.
 */
struct block {
	bool on;
	uint32_t head;		/* steps of an iteration that precede its time */
	/* the first timed step waits for this reading of the clock; NULL: it does not wait */
	const double *starts;
	bool hollow;		/* memory lacks what local work touches: only its time passes */
	struct local *locals;
	uint32_t nlocals;
};

/* What a rank is in a pattern: it sends first, or receives first. */
enum role { ROLE_SENDER = 1, ROLE_RECEIVER = 2 };

/*
 * CAP_FLOW: how the window of a round's only step slides over its repeat * count sets, without a
 * pause in between.
 * PLAIN:    each set is of one transfer and leaves the window when that is complete.
 * AWAITS:   a set receives an acknowledgement and sends a message. At most `window` messages are
 *	     not acknowledged.
 * ANSWERS:  a set receives a message and sends its acknowledgement, with a doorbell of its own as
 *	     soon as the message is there; `window` receives are posted ahead.
 */
enum flow { FLOW_NONE, FLOW_PLAIN, FLOW_AWAITS, FLOW_ANSWERS };

/* Everything one rank does between two readings of the clock: the steps, `count` times. */
struct round {
	struct xfer *xfers;
	struct step *steps;
	uint32_t nxfers, nsteps;
	uint64_t count;
	enum flow flow;
	bool timed;		/* its clock counts (all ranks' in a ring, a stream's sender's) */
	unsigned roles;		/* enum role; 0: the rank idles */
	double delay_s;		/* it begins this much after the others, outside the clock */
	/*
	 * NULL, or count + 1 readings: start, and after each iteration; of a block two of each
	 * iteration, before its first timed step and after its last
	 */
	double *stamps;
	struct block block;
	/*
	 * CAP_EACH: xfers lists the transfers of all iterations in the order of posting, each with
	 * a buffer of its own. The steps say how many they are; first is where a step begins in the
	 * first iteration.
	 */
	bool each;
};

/* The most transfers that a step has in flight, at least 1. */
static inline uint64_t round_in_flight(const struct round *r)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < r->nsteps; i++) {
		uint64_t n = (uint64_t)r->steps[i].n * r->steps[i].window;

		most = n > most ? n : most;
	}
	return most;
}

/* Empties a round, keeping its memory; a zeroed struct is an empty round. */
void round_reset(struct round *r);

/* Frees its memory (not the stamps, nor any transfer's buffer). */
void round_free(struct round *r);

/*
 * Starts a step; transfers added next belong to it. window is cut to repeat, batch to window.
 * Returns 0, or -1 without memory, as does round_add.
 */
int round_step(struct round *r, uint32_t repeat, uint32_t window, uint32_t batch);

/* Adds a transfer to the last step; round_add_shared: of rank `origin`'s data for several ranks. */
int round_add(struct round *r, enum op op, int peer, uint32_t lane, void *buf, size_t len);
int round_add_shared(struct round *r, enum op op, int peer, int origin, void *buf, size_t len);

/* The same for OP_NATIVE; operation: enum operation. */
int round_add_native(struct round *r, uint32_t operation, int root, const void *from, void *buf,
		     size_t len);

/* Adds local work to the last step, which has no transfers. */
int round_add_local(struct round *r, struct local local);

#endif
