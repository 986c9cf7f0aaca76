/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `verbs` share. arm.c prepares rounds and verbs.c runs them.
 * msg.c carries the message operations and the backend's own messages. connect.c connects queue
 * pairs and handles lost peers. open.c opens and closes a device. rdma.c measures the parameters of
 * the RDMA model. record.c fills the record.
 *
 * Each pair of ranks has two queue pairs. The first carries only the messages of rounds, over the
 * transport that the user chose. Its receives are posted in the order of the round. The second is
 * always RC, uses a shared receive queue, and carries messages that may arrive at any time.
 */
#ifndef NETBENCH_BACKENDS_VERBS_TYPES_H
#define NETBENCH_BACKENDS_VERBS_TYPES_H

#include <infiniband/verbs.h>

#include "base/error.h"
#include "transport/host.h"
#include "transport/match.h"
#include "job/local.h"
#include "net/claim.h"
#include "net/wait.h"

enum verbs_transport { VERBS_RC, VERBS_UC, VERBS_UD };
enum verbs_op { VERBS_SEND, VERBS_WRITE, VERBS_WRITE_IMM, VERBS_READ };
enum verbs_last_byte { LAST_BYTE_AUTO, LAST_BYTE_ALWAYS, LAST_BYTE_NEVER };

#define VERBS_GRH 40			/* bytes (GRH) that precede the data of a datagram */
#define VERBS_LINE 64			/* bytes; short messages start at multiples of this */
/* longest wait, s, for the answer of a rank to which this rank connects */
#define VERBS_CONNECT_S 20.0
/* longest time, s, without a completion while sends are in flight */
#define VERBS_STALL_S 30.0
/*
 * UD: If no datagram comes for this time, s, the receiver asks the sender how many datagrams it has
 * sent.
 */
#define VERBS_ASK_S 0.02
/*
 * UD: If the sender does not answer that question within this time, s, the missing datagrams count
 * as lost.
 */
#define VERBS_LATE_S 2.0
#define VERBS_UC_LOST_S 8.0		/* UC: the run ends if no message comes for this time */
#define VERBS_MSG_DEPTH 128		/* depth of the send queue for messages */
/* largest number of completions of messages that one poll reads */
#define VERBS_POLLED 16
/* number of bytes at the arena's start, into which unused GRHs and saved last bytes go */
#define VERBS_SCRATCH BACKEND_PAGE

#define VERBS_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		    CAP_CONTENT | CAP_FLOW)

/*
 * Kinds of messages on the queue pair for messages. verbs_send_notice sends the kinds without
 * content.
 */
enum verbs_msg {
	MSG_EAGER, MSG_RENDEZVOUS, MSG_FREE, MSG_TARGET, MSG_ARMED, MSG_DONE, MSG_READY, MSG_ASK,
	MSG_SENT
};

struct verbs_opts {
	const char *device;
	uint64_t port, gid, mtu, transport, op, inlined, tx_depth, rx_depth, connect, last_byte;
	bool hugepages, events, same_buffer;
};
extern const struct opt verbs_options[];

/*
 * UD: whether this rank has asked a peer how many datagrams the peer has sent, and whether the peer
 * has answered.
 */
enum verbs_ask { VERBS_NOT_ASKED, VERBS_ASKED, VERBS_ANSWERED };

/* A rank's card: the data that the rank sends to all other ranks when it opens the endpoint. */
struct verbs_card {
	char host[64], machine[MACHINE_ID], device[IBV_SYSFS_NAME_MAX];
	union ibv_gid gid;
	uint32_t rkey, ud_qpn;
	uint16_t lid;
	/* reads: largest number of RDMA reads that the device serves at the same time */
	uint8_t mtu, link, reads;
};

/*
 * A buffer from which a round sends or into which it receives, `repeat` times per step. MSG_TARGET
 * carries this struct.
 */
struct verbs_buffer {
	uint64_t addr;
	uint32_t len, repeat;
	/*
	 * The buffer has `slots` slots, `stride` bytes apart. Successive messages use the slots in
	 * turn. The round's final message uses slot 0.
	 */
	uint32_t slots, stride;
	/* the receiver polls the last byte of this buffer to detect a write */
	bool last_byte;
};

/* A prepared transfer of a round. */
struct verbs_plan {
	struct verbs_peer *peer;
	struct verbs_buffer at;		/* the buffer in this rank's memory */
	struct ibv_send_wr wr;		/* complete except for the addresses and wr_id */
	/* sge[1] is the message's last byte, if `arrived` holds that byte */
	struct ibv_sge sge[2];
	uint32_t remote_stride;
	/*
	 * Number of writes left in this step if the step's final write has a different opcode from
	 * the others. Else 0.
	 */
	uint32_t in_step;
	uint64_t left;			/* number of work requests not yet posted in this round */
	uint32_t reports;		/* receive: number of completions per step */
	/* receive: the next receive from the same peer in the round; the list is circular */
	struct verbs_plan *next;
	/* receive: address of the message's last byte, which this rank polls */
	volatile unsigned char *last;
	unsigned char *arrived;		/* where the byte *last is saved after its arrival */
};

/* This rank's state for one peer, which may be this rank itself. */
struct verbs_peer {
	struct ibv_qp *data, *msg;
	struct ibv_ah *ah;		/* UD */
	uint32_t data_qpn;		/* number of the peer's queue pair for rounds */
	/* first packet numbers that this rank's queue pairs send; random */
	uint32_t data_psn, msg_psn;
	/*
	 * heard: this rank knows the peer's queue pairs, and this rank's own are ready to receive
	 */
	bool heard, connected;

	uint32_t sq_used;		/* number of slots of the send queue that may be in use */
	/* number of slots used since the latest signalled request */
	uint32_t unsignalled;
	/* UD: sequence number of the next datagram to send, and of the next one expected */
	uint32_t sent, next;
	enum verbs_ask ask;
	/* UD: number of datagrams that the peer has sent, according to its latest answer */
	uint32_t confirmed;
	double answered;		/* UD: clock_wall when that answer came */

	struct verbs_plan *recv;	/* the round's next receive from the peer; NULL: none */
	/* number of times that `recv` has been posted in this step */
	uint32_t at_repeat;
	uint64_t recv_left;		/* number of receives not yet posted in this round */
	uint32_t recv_posted, recv_depth;
	struct arrivals arrivals;	/* arrivals of the round's messages */

	/* the peer's buffers that this rank writes or reads, named by MSG_TARGET */
	struct verbs_buffer *targets;
	uint32_t ntargets;

	bool is_sent_to;		/* the round that is being armed sends to the peer */
	bool in_round;			/* CAP_LOSS: the round needs the peer */
	/* CAP_LOSS: the peer is lost; this rank never connects to it again */
	bool gone;

	struct queue msgs;		/* receives of message operations */
	uint32_t msg_used;		/* number of slots in use in the send queue for messages */
	/*
	 * dones: number of MSG_DONE received from the peer. dones_used: number of MSG_DONE for
	 * which this rank has waited.
	 */
	uint32_t dones, dones_used;
	/*
	 * armed: number of MSG_ARMED received from the peer. armed_used: number of MSG_ARMED for
	 * which this rank has waited.
	 */
	uint32_t armed, armed_used;
};

struct verbs {
	struct endpoint ep;
	const struct verbs_opts *options;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_device_attr dev;
	struct ibv_port_attr port;
	uint8_t port_num;
	int gid_index;
	struct verbs_card *cards;	/* cards of all ranks */
	struct verbs_peer *peers;
	uint64_t run;			/* the run's number (job_run_number) */
	uint32_t qkey;			/* key that datagrams carry; made of bits of `run` */
	uint64_t strangers;		/* number of hellos and messages that were refused */

	struct ibv_comp_channel *events;
	struct ibv_cq *cq, *msg_cq, *ud_cq, *ud_send_cq;
	/*
	 * shared receive queue for messages; NULL: the device has none, so each queue pair has its
	 * own receive queue
	 */
	struct ibv_srq *srq;
	struct ibv_qp *ud;		/* the queue pair for hellos */
	char *ud_mem;
	struct ibv_mr *ud_mr;

	struct arena arena;		/* all memory that rounds use */
	struct ibv_mr *mr;
	const char *pages;
	/* memory registered for message operations outside the arena */
	struct ibv_mr *other[32];
	int nother;

	/* rounds */
	struct verbs_plan *plans;	/* one for each transfer of the round */
	const struct xfer *xfers;
	/* work requests that the next doorbell posts, all to one rank; room for tx_depth */
	struct ibv_send_wr *chain;
	struct ibv_sge (*sges)[2];
	uint32_t nchain;
	struct verbs_peer *chain_to;
	bool lone;			/* each step of the round consists of a single message */
	/* each step is a single message, and receivers poll the message's last byte */
	bool last_byte;
	/* writes: only the final write of a step causes a completion at the receiver */
	bool silent;
	struct verbs_plan *awaited;	/* the receive whose last byte this rank polls now */
	/* number of completed transfers that poll has not reported yet */
	int late_done;
	bool failed;
	bool datagram;			/* the transport is UD */
	uint32_t tx_depth, rx_depth, inlined, reads;
	uint32_t reports;		/* number of signalled sends in flight */
	/*
	 * Half of the number of entries of the completion queue. One half is for sends, the other
	 * half for receives.
	 */
	uint32_t cq_half;
	/* number of scatter elements of a posted receive; 0 if messages are written */
	int recv_sges;
	enum ibv_mtu mtu;
	/* whether writes arrive in order, according to ibv_query_qp_data_in_order */
	int in_order;

	/* messages */
	char *msg_mem;
	struct ibv_mr *msg_mr;
	struct verbs_out *outs, *free_out;
	/* completions that a poll has read; those with an index below next_taken are handled */
	struct ibv_wc taken[VERBS_POLLED];
	int ntaken, next_taken;
	struct match match;

	struct patience patience;
	uint32_t idle;			/* number of consecutive polls that found nothing */
	struct ibv_cq *armed;		/* the completion queue from which an event was requested */
	/* clock_wall when polls began to find nothing; 0: a recent poll has found something */
	double idle_since;
	/*
	 * UD: clock_wall when this rank most recently asked senders how many datagrams they have
	 * sent
	 */
	double asked;
	double lost, reordered;		/* UD: numbers of lost and of reordered datagrams */
	/*
	 * The endpoint gets CAP_LOSS once it is open. This is false with UD, because a lost rank
	 * would look like lost datagrams.
	 */
	bool may_lose;
	bool peer_lost;			/* CAP_LOSS: a peer that the round needs is lost */
};

static inline struct verbs *verbs_of(struct endpoint *ep)
{
	return (struct verbs *)ep;
}

static inline int verbs_rank_of(const struct verbs *v, const struct verbs_peer *p)
{
	return (int)(p - v->peers);
}

/*
 * Returns the peer of the queue pairs that the record describes. This is the rank itself if ranks
 * may be lost or if there is a single rank.
 */
static inline int verbs_described_peer(const struct verbs *v)
{
	int me = v->ep.job->rank;

	return v->may_lose || v->ep.job->size == 1 ? me : !me;
}

/* Returns whether the run continues after a peer is lost (CAP_LOSS). */
static inline bool verbs_survives_loss(const struct verbs *v)
{
	return v->ep.caps & CAP_LOSS;
}

#endif
