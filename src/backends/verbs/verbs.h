/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of backend `verbs` share: verbs_arm.c makes rounds ready, verbs.c carries them, verbs_msg.c message
 * operations and the backend's own messages, verbs_connect.c joins queue pairs, verbs_open.c finds a device, opens and
 * closes, verbs_rdma.c measures the model's parameters, verbs_record.c tells of it all.
 *
 * Each pair of ranks has two queue pairs: one of the transport asked for, which carries rounds and nothing else, with
 * receives that are posted in the order in which the round expects them; and one that is always RC, fed from a shared
 * receive queue, for messages of which nobody knows beforehand when they come.
 */
#ifndef NETBENCH_BACKENDS_VERBS_VERBS_H
#define NETBENCH_BACKENDS_VERBS_VERBS_H

#include <infiniband/verbs.h>

#include "transport/backend.h"
#include "transport/match.h"
#include "job/local.h"
#include "net/wait.h"

enum verbs_transport { VERBS_RC, VERBS_UC, VERBS_UD };
enum verbs_op { VERBS_SEND, VERBS_WRITE, VERBS_WRITE_IMM, VERBS_READ };
enum verbs_last_byte { LAST_BYTE_AUTO, LAST_BYTE_ALWAYS, LAST_BYTE_NEVER };

#define VERBS_GRH 40			/* bytes before what arrives over UD */
#define VERBS_LINE 64			/* addresses advance by so much */
#define VERBS_CONNECT_S 20.0		/* for another rank to answer */
#define VERBS_STALL_S 30.0		/* without a completion while there are sends in flight */
#define VERBS_ASK_S 0.02			/* without a datagram: the sender is asked how many there were */
#define VERBS_LATE_S 2.0		/* without an answer: they count as lost */
#define VERBS_UC_LOST_S 8.0		/* and a message over UC, which ends the run */
#define VERBS_MSG_DEPTH 128		/* send queue for messages of which nobody knows beforehand */
#define VERBS_TAKE 16			/* completions of messages taken at a time */
#define VERBS_SCRATCH BACKEND_PAGE	/* at the start of the memory: headers that nobody reads, last bytes that have come */

#define VERBS_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | CAP_CONTENT)

extern struct verbs_opts {
	const char *device;
	uint64_t port, gid, mtu, transport, op, inlined, tx_depth, rx_depth, connect, last_byte;
	bool hugepages, events, same_buffer;
} verbs_opts;
extern const struct opt verbs_options[];

/* UD. Whether another rank has been asked how many datagrams it has sent. */
enum verbs_ask { VERBS_NOT_ASKED, VERBS_ASKED, VERBS_ANSWERED };

/* What each rank tells all others when it opens. */
struct verbs_card {
	char host[64], machine[MACHINE_ID], device[IBV_SYSFS_NAME_MAX];
	union ibv_gid gid;
	uint64_t base;			/* of its memory, which others may write and read */
	uint32_t rkey, ud_qpn, run;	/* run: rank 0's number of it, by which others' datagrams are told apart */
	uint16_t lid;
	uint8_t mtu, link, reads;	/* reads: that it serves at a time */
};

/* A place in memory that a round sends from or receives into, `repeat` times a step. */
struct verbs_place {
	uint64_t addr;
	uint32_t len, repeat;
	uint32_t slots, stride;		/* of the walk through the buffer; the last message of a round has slot 0 */
	bool last_byte;			/* what is written here is seen by its last byte */
};

/* Receives of a round from one place, and how far the walk through it is. */
struct verbs_recv {
	struct verbs_place to;
	uint32_t reports;		/* completions a step; each is for to.repeat / reports messages */
	uint64_t left;			/* still to be posted in this round */
};

/* A transfer of a round, made ready. */
struct verbs_plan {
	struct verbs_peer *peer;
	struct ibv_send_wr wr;		/* but for addresses and number */
	struct ibv_sge sge[2];		/* the second: the last byte, where its place in the buffer is 0 until the next comes */
	uint32_t stride, slots, remote_stride;
	uint64_t left;			/* messages of this round that are still to be posted */
	uint32_t in_step;		/* of this step, where its last one differs; else 0 */
	uint32_t repeat;
	volatile unsigned char *last;	/* of a receive: the byte by which it is seen */
	unsigned char *arrived;		/* what it was when the message had come */
};

/* What a rank knows of one other rank. */
struct verbs_peer {
	struct ibv_qp *data, *msg;
	struct ibv_ah *ah;		/* UD */
	uint32_t data_qpn;		/* the other's */
	bool heard, connected;		/* heard: it has told its queue pairs, and ours are ready */

	uint32_t sq_used;		/* slots of the send queue not known to be free */
	uint32_t unsignalled;		/* of them since the last one that will report */
	uint32_t sent, next;		/* sequence numbers, where there may be losses */
	enum verbs_ask ask;
	uint32_t confirmed;		/* of datagrams that it says it has sent */
	double answered;		/* clock_wall: when it said so */

	struct verbs_recv *recvs;	/* what the round receives from this rank, in order, again and again */
	uint32_t nrecvs, room_recvs;
	uint32_t at, at_repeat;		/* of the next to be posted */
	uint64_t recv_left;		/* still to be posted in this round */
	uint32_t recv_posted, recv_depth;
	uint32_t expected, early;	/* receives that wait for a message, messages that wait for a receive */

	struct verbs_place *targets;	/* where it receives what our round writes, or has what it reads, as it has told us */
	uint32_t ntargets, room_targets, taken;

	bool is_sent_to;		/* by the round; while it is armed */

	struct queue msgs;		/* receives of message operations */
	uint32_t msg_used;		/* slots of the message queue pair's send queue */
	uint32_t dones, dones_used;	/* rounds that it has finished reading in; of those, that this rank has waited for */
	uint32_t armed, armed_used;	/* the same of rounds for which its receives are posted */
};

struct verbs_out;

struct verbs {
	struct endpoint ep;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_device_attr dev;
	struct ibv_port_attr port;
	uint8_t port_num;
	int gid_index;
	struct verbs_card *cards;	/* of every rank */
	struct verbs_peer *peers;
	uint32_t run;

	struct ibv_comp_channel *events;
	struct ibv_cq *cq, *msg_cq, *ud_cq, *ud_send_cq;
	struct ibv_srq *srq;		/* NULL: the device has none, every queue pair has receives of its own */
	struct ibv_qp *ud;		/* by which ranks find each other */
	char *ud_mem;
	struct ibv_mr *ud_mr;

	char *arena;			/* all memory that transfers use */
	size_t arena_len, arena_used;
	struct ibv_mr *mr;
	const char *pages;
	struct ibv_mr *other[32];	/* of memory that message operations were given and that is not ours */
	int nother;

	/* rounds */
	struct verbs_plan *plans;	/* by transfer */
	const struct xfer *xfers;
	uint32_t room_plans;
	struct ibv_send_wr *chain;	/* posted by the next doorbell, all to one rank; tx_depth of them */
	struct ibv_sge (*sges)[2];
	uint32_t nchain;
	struct verbs_peer *chain_to;
	bool lone;			/* each step of the round is one message */
	bool last_byte;			/* and what is written is seen in memory */
	struct verbs_plan *awaited;	/* by its last byte */
	int late_done;			/* completions seen where they could not be counted */
	bool failed;
	bool datagram;			/* UD */
	uint32_t tx_depth, rx_depth, inlined, reads;
	uint32_t reports;		/* sends that will report and have not yet */
	uint32_t cq_half;		/* half of the completion queue: for sends, and for receives */
	int recv_sges;			/* of a posted receive; 0 where messages are written */
	enum ibv_mtu mtu;
	int in_order;			/* ibv_query_qp_data_in_order of writes */

	/* messages */
	char *msg_mem;
	struct ibv_mr *msg_mr;
	struct verbs_out *outs, *free_out;
	struct ibv_wc taken[VERBS_TAKE];	/* off the queue, still to be looked at from next_taken on */
	int ntaken, next_taken;
	struct match match;

	struct patience patience;
	uint32_t idle;			/* looks in vain in a row */
	struct ibv_cq *armed;		/* that will raise an event */
	double idle_since;		/* clock_wall; 0: not long */
	double asked;			/* clock_wall: when senders were last asked */
	double lost, reordered;		/* UD */
};

static inline struct verbs *verbs_of(struct endpoint *ep)
{
	return (struct verbs *)ep;
}

static inline int verbs_rank_of(const struct verbs *v, const struct verbs_peer *p)
{
	return (int)(p - v->peers);
}

/* ---- verbs_open.c ---- */

int verbs_probe(char *why, size_t len);
int verbs_check(int nranks);
int verbs_open(struct endpoint **ep, struct job *job, size_t heap);
void verbs_close(struct endpoint *ep);
void *verbs_alloc(struct endpoint *ep, size_t len);
void verbs_release(struct endpoint *ep, void *buf);

/* Reports that a call failed, with errno's reason. ST_FAILED. */
int verbs_failed(const struct verbs *v, const char *what, int err);

/* ---- verbs_connect.c ---- */

/* The queue pair and memory for meeting others; before the cards are exchanged. ST_OK or an exit status. */
int verbs_meet(struct verbs *v);

/* Returns when the queue pairs to `peer` and its to us carry messages. The other rank does the same, or makes progress. */
int verbs_connect(struct verbs *v, int peer);

/* UD. Takes what is posted to the queue pair of rounds with p off it; it is ready again. ST_OK or ST_FAILED. */
int verbs_begin_anew(struct verbs *v, struct verbs_peer *p);

/* Answers who wants to be connected to. ST_OK or ST_FAILED. */
int verbs_answer(struct verbs *v);

/* ---- verbs.c ---- */

extern const struct backend backend_verbs;

/* Posts up to n receives of the round from p, in its order. ST_OK or ST_FAILED. */
int verbs_post_recvs(struct verbs *v, struct verbs_peer *p, uint64_t n);

/* Between rounds: takes completions until there are none and all that was sent to p has reported. ST_OK or ST_FAILED. */
int verbs_drain(struct verbs *v, const struct verbs_peer *p);

/* Looked in vain: waits for a moment, more patiently the longer it lasts. 0, or -1: nothing will come any more (said). */
int verbs_idle(struct verbs *v, struct ibv_cq *cq);

/* Says what a completion with an error means. Always -1. */
int verbs_completion_failed(struct verbs *v, const struct ibv_wc *wc, int peer, const char *what);

/* ---- verbs_arm.c ---- */

int verbs_arm(struct endpoint *ep, const struct round *r);

/* ---- verbs_msg.c ---- */

int verbs_open_msgs(struct verbs *v);
void verbs_close_msgs(struct verbs *v);

/* Takes what has come and sends what can be; *any: something was there. ST_OK or ST_FAILED. */
int verbs_progress(struct verbs *v, bool *any);

/* Tells p, over its queue pair, that ours is ready as well. */
int verbs_tell_ready(struct verbs *v, struct verbs_peer *p);

/* Gives the receive queue of a queue pair that shares none its buffers. ST_OK or ST_FAILED. */
int verbs_feed(struct verbs *v, struct verbs_peer *p);

/* Tells p where the round has a message that p writes or reads. ST_OK or ST_FAILED. */
int verbs_tell_target(struct verbs *v, struct verbs_peer *p, const struct verbs_place *x);

/* Waits until p has told n such places, which are then in p->targets. */
int verbs_await_targets(struct verbs *v, struct verbs_peer *p, uint32_t n);

/* UD. Asks p how many datagrams it has sent; verbs_progress puts the answer into p. */
int verbs_ask(struct verbs *v, struct verbs_peer *p);

/* Tells p that the round that reads from it is over; waits for p to tell it. ST_OK or ST_FAILED, as those that follow. */
int verbs_tell_done(struct verbs *v, struct verbs_peer *p);
int verbs_await_done(struct verbs *v, struct verbs_peer *p);

/* The same of the next round's receives from p, that they are posted. */
int verbs_tell_armed(struct verbs *v, struct verbs_peer *p);
int verbs_await_armed(struct verbs *v, struct verbs_peer *p);

int verbs_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r);
int verbs_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r);
int verbs_test(struct endpoint *ep, struct request *r);
int verbs_wait(struct endpoint *ep, struct request *r);

/* ---- verbs_rdma.c ---- */

int verbs_rdma(struct endpoint *ep, struct rdma *found);

/* ---- verbs_record.c ---- */

void verbs_describe(struct endpoint *ep, describe_fn put, void *arg);
void verbs_list(int n, char **files, describe_fn put, void *arg);
int verbs_counters(struct endpoint *ep, struct counter *c);

/* Warns where a rank's processor is not near its device. */
void verbs_judge_nearness(const struct verbs *v);

#endif
