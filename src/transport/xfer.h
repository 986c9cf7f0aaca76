/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data structures that describe what a rank does in a measurement. A round has steps, which run one
 * after the other. A step has transfers, which are posted together. Patterns make rounds, and
 * backends run them.
 */
#ifndef NETBENCH_TRANSPORT_XFER_H
#define NETBENCH_TRANSPORT_XFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SEND and RECV are two-sided: the k-th send from rank a to rank b matches the k-th receive of b
 * from a. Their lengths are equal.
 *
 * READ is one-sided: in a round, a rank's k-th READ reads the buffer of the peer's k-th EXPOSE. An
 * EXPOSE is complete at once, but its rank stays in the round until all readers have completed
 * their READs.
 *
 * NATIVE is a collective operation of the transport itself (CAP_NATIVE). `lane` is the operation
 * (enum operation of model/schedule/operation.h), `len` is the operation's size_B, and `peer` is
 * its root. `from` is the input; NULL: the input is in `buf`. `buf` gets the result; NULL: the
 * result replaces the input. The operation is at the same position in the rounds of all ranks.
 */
enum op { OP_SEND, OP_RECV, OP_READ, OP_EXPOSE, OP_NATIVE };

/*
 * One transfer. If a broadcast sends the data to several ranks, `origin` is the rank from which the
 * data comes, even if other ranks forward it. Otherwise `origin` is XFER_OWN: this sender sends the
 * data to this receiver only. `lane` is the number of the link between the two ranks. A ring of one
 * or two ranks has two links between them, one for each direction. Both ranks post the lanes in the
 * same order, so a backend with one link may ignore the lane.
 */
#define XFER_OWN (-1)
struct xfer {
	enum op op;
	int peer;
	uint32_t lane;
	int origin;
	size_t len;		/* bytes */
	void *buf;		/* len bytes of memory from the backend's alloc */
	const void *from;	/* input of OP_NATIVE; NULL: the input is in `buf` */
};

/*
 * Work of a rank without communication. Copies `len` bytes from `from` to `to`; or, if `adds` is
 * true, adds the doubles at `from` to those at `to`, or combines them by their maximum (struct
 * block). The two areas may overlap when copying.
 */
struct local {
	bool adds;
	void *to;
	const void *from;
	size_t len;
};

/*
 * A step posts a set of transfers, xfers[first..first+n), `repeat` times. The transfers of a set
 * are posted together. At most `window` sets are in flight: the window slides. One doorbell sends
 * `batch` sets. The next step begins when this step is complete: all receives have arrived, and all
 * send buffers may be reused. In a round with a flow (enum flow), the only step continues over all
 * iterations. In a round with a block (struct block), a step without transfers does the local work
 * locals[local..local+nlocal), in order.
 */
struct step {
	uint32_t first, n;
	uint32_t repeat, window, batch;
	uint32_t local, nlocal;
};

/*
 * Member of rounds whose iterations are timed one by one, each from its own start. round.h runs
 * such rounds, so most backends need no code for them. Such a round has no flow, and `each` is
 * false.
 */
struct block {
	bool on;
	/* number of steps at the beginning of an iteration that are not timed */
	uint32_t head;
	/*
	 * for each iteration: clock reading at which its timed part starts; NULL: it starts at once
	 */
	const double *starts;
	/* true: memory for local work does not exist, and only the time of the work passes */
	bool hollow;
	/*
	 * The timed steps are those of several variants of an iteration, `per` steps each, which
	 * differ only in their buffers. Iterations use the variants in turn. 0: one variant.
	 */
	uint32_t per;
	/*
	 * If > 0, a rank computes for this time after it has started an OP_NATIVE of a timed step,
	 * and then completes it, s. Only for endpoints with `overlaps`.
	 */
	double compute_s;
	/*
	 * how operations that add combine two doubles, in local work and in OP_NATIVE: true: by
	 * their maximum; false: by their sum
	 */
	bool max;
	struct local *locals;
	uint32_t nlocals;
};

/* Roles of a rank in a pattern: a ROLE_SENDER sends first, a ROLE_RECEIVER receives first. */
enum role { ROLE_SENDER = 1, ROLE_RECEIVER = 2 };

/*
 * CAP_FLOW: how the window of a round's only step slides over all repeat * count sets, without a
 * pause between iterations.
 *
 * FLOW_PLAIN: a set is one transfer. It leaves the window when the transfer is complete.
 * FLOW_AWAITS: a set is the receive of an acknowledgement and the send of a message. At most
 *	`window` messages are not acknowledged.
 * FLOW_ANSWERS: a set is the receive of a message and the send of its acknowledgement. The
 *	acknowledgement is sent as soon as the message has arrived, with its own doorbell. `window`
 *	receives are posted in advance.
 */
enum flow { FLOW_NONE, FLOW_PLAIN, FLOW_AWAITS, FLOW_ANSWERS };

/* What one rank does between two readings of the clock: its steps, `count` times. */
struct round {
	struct xfer *xfers;
	struct step *steps;
	uint32_t nxfers, nsteps;
	uint64_t count;
	enum flow flow;
	/*
	 * true: this rank's time counts. In a ring, the times of all ranks count; in a stream, only
	 * the sender's time counts
	 */
	bool timed;
	unsigned roles;		/* set of enum role; 0: the rank does nothing */
	/* seconds by which this rank starts later than the other ranks; this delay is not timed */
	double delay_s;
	/*
	 * Clock readings: one at the start and one after each iteration (count + 1). With a block:
	 * two per iteration, before its first timed step and after its final step. NULL: none are
	 * stored.
	 */
	double *stamps;
	struct block block;
	/*
	 * CAP_EACH: if true, `xfers` lists the transfers of all iterations in the order of posting,
	 * each with its own buffer. A step's `first` is the index of its first transfer in the
	 * first iteration.
	 */
	bool each;
};

/* Returns the largest number of transfers in flight of any step, at least 1. */
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
 * Adds a step. Transfers added after it belong to it. A `window` above `repeat` is reduced to
 * `repeat`, and a `batch` above `window` to `window`. This and the functions below return 0, or -1
 * if memory is short.
 */
int round_step(struct round *r, uint32_t repeat, uint32_t window, uint32_t batch);

/*
 * Add a transfer to the latest step. With round_add, only this receiver gets the data. With
 * round_add_shared, several ranks get the same data of rank `origin`.
 */
int round_add(struct round *r, enum op op, int peer, uint32_t lane, void *buf, size_t len);
int round_add_shared(struct round *r, enum op op, int peer, int origin, void *buf, size_t len);

/* Adds an OP_NATIVE to the latest step. `operation` is a value of enum operation. */
int round_add_native(struct round *r, uint32_t operation, int root, const void *from, void *buf,
		     size_t len);

/* Adds local work to the latest step, which must have no transfers. */
int round_add_local(struct round *r, struct local local);

#endif
