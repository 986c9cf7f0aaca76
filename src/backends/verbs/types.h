/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `verbs` share. arm.c prepares rounds and verbs.c runs them.
 * msg.c carries the message operations and the backend's own messages. connect.c connects queue
 * pairs and handles lost peers. open.c opens and closes a device. rdma.c measures the parameters of
 * the RDMA model. record.c fills the record.
 *
 * Each pair of ranks has two queue pairs. One has the transport that the user chose and carries
 * rounds only. Its receives are posted in the order of the round. The other one is always RC, has a
 * shared receive queue, and carries messages that may arrive at any time.
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

#define VERBS_GRH 40			/* bytes that precede the data of a datagram */
#define VERBS_LINE 64			/* short messages start at multiples of this many bytes */
#define VERBS_CONNECT_S 20.0		/* time allowed for a connecting rank's answer */
#define VERBS_STALL_S 30.0		/* longest time without a completion of sends in flight */
/* UD: after this time without a datagram, the receiver asks the sender how many it has sent */
#define VERBS_ASK_S 0.02
/* UD: if the sender does not answer that question for this time, the datagrams count as lost */
#define VERBS_LATE_S 2.0
#define VERBS_UC_LOST_S 8.0		/* UC: time without a message after which the run ends */
#define VERBS_MSG_DEPTH 128		/* depth of the send queue for messages */
#define VERBS_POLLED 16			/* completions of messages read by one poll */
#define VERBS_SCRATCH BACKEND_PAGE	/* start of the arena: for unused GRHs and last bytes */

#define VERBS_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		    CAP_CONTENT | CAP_FLOW)

/*
 * Kinds of messages on the queue pair for messages. verbs_send_notice sends those without content.
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

/* UD: whether this rank has asked another rank how many datagrams that one has sent. */
enum verbs_ask { VERBS_NOT_ASKED, VERBS_ASKED, VERBS_ANSWERED };

/* A rank's card: data that it sends to all other ranks when it opens. */
struct verbs_card {
	char host[64], machine[MACHINE_ID], device[IBV_SYSFS_NAME_MAX];
	union ibv_gid gid;
	uint32_t rkey, ud_qpn;
	uint16_t lid;
	/* reads: the most RDMA reads that it serves at the same time */
	uint8_t mtu, link, reads;
};

/*
 * A buffer that a round sends from or receives into, `repeat` times per step. MSG_TARGET carries
 * it.
 */
struct verbs_buffer {
	uint64_t addr;
	uint32_t len, repeat;
	/*
	 * Messages use the slots of the buffer in turn, `stride` bytes apart. The last message of a
	 * round uses slot 0.
	 */
	uint32_t slots, stride;
	/* the receiver detects a write here by polling its last byte */
	bool last_byte;
};

/* A prepared transfer of a round. */
struct verbs_plan {
	struct verbs_peer *peer;
	struct verbs_buffer at;		/* the buffer in this rank's memory */
	struct ibv_send_wr wr;		/* complete except for addresses and wr_id */
	struct ibv_sge sge[2];		/* the second is the last byte, if `arrived` holds it */
	uint32_t remote_stride;
	/* If the last write of a step has another opcode: writes left in this step. Else 0. */
	uint32_t in_step;
	uint64_t left;			/* work requests not yet posted in this round */
	uint32_t reports;		/* receive: completions per step */
	/* receive: the next one from the same peer; the list is circular */
	struct verbs_plan *next;
	volatile unsigned char *last;	/* receive: the message's last byte, which is polled */
	unsigned char *arrived;		/* where that byte is saved after it was received */
};

/* This rank's state for one rank, which may be itself. */
struct verbs_peer {
	struct ibv_qp *data, *msg;
	struct ibv_ah *ah;		/* UD */
	uint32_t data_qpn;		/* number of the other rank's queue pair */
	/* first packet numbers of this rank's queue pairs; random */
	uint32_t data_psn, msg_psn;
	/* heard: the peer's queue pairs are known and this rank's are ready */
	bool heard, connected;

	uint32_t sq_used;		/* slots of the send queue that may be in use */
	uint32_t unsignalled;		/* those posted after the last signalled one */
	uint32_t sent, next;		/* UD: sequence numbers to send and to expect next */
	enum verbs_ask ask;
	uint32_t confirmed;		/* number of datagrams that the peer says it has sent */
	double answered;		/* clock_wall at that answer */

	struct verbs_plan *recv;	/* the round's next receive from the peer; NULL: none */
	uint32_t at_repeat;		/* how often `recv` was posted in this step */
	uint64_t recv_left;		/* receives not yet posted in this round */
	uint32_t recv_posted, recv_depth;
	struct arrivals arrivals;	/* for the messages of the round */

	/* buffers for this rank's writes and reads, from MSG_TARGET */
	struct verbs_buffer *targets;
	uint32_t ntargets;

	bool is_sent_to;		/* the round being armed sends to the peer */
	bool in_round;			/* CAP_LOSS: the round needs the peer */
	bool gone;			/* CAP_LOSS: the peer is lost; never connected again */

	struct queue msgs;		/* receives of message operations */
	uint32_t msg_used;		/* slots in use of the message queue pair's send queue */
	/* number of MSG_DONE that came from the peer, and how many were waited for */
	uint32_t dones, dones_used;
	/* number of MSG_ARMED that came from the peer, and how many were waited for */
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
	uint32_t qkey;			/* key of datagrams: bits of `run` */
	uint64_t strangers;		/* number of hellos and messages that were refused */

	struct ibv_comp_channel *events;
	struct ibv_cq *cq, *msg_cq, *ud_cq, *ud_send_cq;
	/* NULL: not supported; each queue pair has its own receives */
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
	struct verbs_plan *plans;	/* one per transfer of the round */
	const struct xfer *xfers;
	/* work requests for the next doorbell, all to one rank; room for tx_depth */
	struct ibv_send_wr *chain;
	struct ibv_sge (*sges)[2];
	uint32_t nchain;
	struct verbs_peer *chain_to;
	bool lone;			/* each step of the round is a single message */
	bool last_byte;			/* single messages whose receivers poll the last byte */
	/* writes: only the last of a step gives the receiver a completion */
	bool silent;
	struct verbs_plan *awaited;	/* the receive whose last byte is being polled */
	int late_done;			/* completed transfers that poll has not reported yet */
	bool failed;
	bool datagram;			/* the transport is UD */
	uint32_t tx_depth, rx_depth, inlined, reads;
	uint32_t reports;		/* signalled sends in flight */
	/* half of the completion queue: one for sends, one for receives */
	uint32_t cq_half;
	/* scatter elements of a posted receive; 0 if messages are written */
	int recv_sges;
	enum ibv_mtu mtu;
	/* result of ibv_query_qp_data_in_order for writes, as a bool */
	int in_order;

	/* messages */
	char *msg_mem;
	struct ibv_mr *msg_mr;
	struct verbs_out *outs, *free_out;
	/* completions already read; those before next_taken are handled */
	struct ibv_wc taken[VERBS_POLLED];
	int ntaken, next_taken;
	struct match match;

	struct patience patience;
	uint32_t idle;			/* number of consecutive polls that found nothing */
	struct ibv_cq *armed;		/* the completion queue that will raise an event */
	double idle_since;		/* clock_wall when idling began; 0: not idle for long */
	double asked;			/* UD: clock_wall when this rank last asked senders */
	double lost, reordered;		/* UD: number of datagrams */
	/*
	 * The endpoint gets CAP_LOSS once it is open. With UD it does not, because a lost rank
	 * looks the same as lost datagrams.
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
 * Returns the rank whose queue pairs the record describes. If ranks may be lost, this is the own
 * rank.
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
