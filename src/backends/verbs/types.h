/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `verbs` share. arm.c prepares rounds, verbs.c runs them.
 * msg.c has the message operations and the backend's own messages. connect.c connects queue pairs,
 * and goes on without lost peers. open.c opens and closes a device. rdma.c measures the model's
 * parameters. record.c fills the record.
 *
 * Each pair of ranks has two queue pairs. One has the transport asked for and carries rounds only;
 * its receives are posted in the round's order. The other is always RC, has a shared receive queue,
 * and carries messages that may come at any time.
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

#define VERBS_GRH 40			/* bytes before the data of a datagram */
#define VERBS_LINE 64			/* bytes from one address to the next */
#define VERBS_CONNECT_S 20.0		/* for another rank to answer */
#define VERBS_STALL_S 30.0		/* without a completion while sends are in flight */
#define VERBS_ASK_S 0.02		/* without a datagram: asks the sender how many it sent */
#define VERBS_LATE_S 2.0		/* without an answer: datagrams count as lost */
#define VERBS_UC_LOST_S 8.0		/* without a message over UC: ends the run */
#define VERBS_MSG_DEPTH 128		/* send queue of the queue pair for messages */
#define VERBS_TAKE 16			/* completions of messages taken at a time */
#define VERBS_SCRATCH BACKEND_PAGE	/* start of the memory: unused GRHs, last bytes received */

#define VERBS_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		    CAP_CONTENT | CAP_FLOW)

/* Kinds of messages on the queue pair for messages. verbs_tell sends kinds without content. */
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

/* UD: whether this rank has asked another how many datagrams it has sent. */
enum verbs_ask { VERBS_NOT_ASKED, VERBS_ASKED, VERBS_ANSWERED };

/* A rank's card, which it sends all others when it opens. */
struct verbs_card {
	char host[64], machine[MACHINE_ID], device[IBV_SYSFS_NAME_MAX];
	union ibv_gid gid;
	uint32_t rkey, ud_qpn;
	uint16_t lid;
	uint8_t mtu, link, reads;	/* reads: the most that it serves at a time */
};

/*
 * A place in memory that a round sends from or receives into, `repeat` times a step. It is the
 * content of MSG_TARGET.
 */
struct verbs_place {
	uint64_t addr;
	uint32_t len, repeat;
	uint32_t slots, stride;		/* messages walk through slots; a round's last has slot 0 */
	bool last_byte;			/* the receiver sees a write here by its last byte */
};

/* A prepared transfer of a round. */
struct verbs_plan {
	struct verbs_peer *peer;
	struct verbs_place at;		/* in this rank's memory */
	struct ibv_send_wr wr;		/* without addresses and number */
	struct ibv_sge sge[2];		/* second: the last byte, if `arrived` keeps it */
	uint32_t remote_stride;
	uint32_t in_step;		/* left in this step if its last write differs, else 0 */
	uint64_t left;			/* work requests still to be posted in this round */
	uint32_t reports;		/* of a receive: completions a step */
	struct verbs_plan *next;	/* of a receive: the next from its peer, in a circle */
	volatile unsigned char *last;	/* of a receive: the byte that shows it */
	unsigned char *arrived;		/* where that byte is kept once received */
};

/* One other rank, as this rank knows it. */
struct verbs_peer {
	struct ibv_qp *data, *msg;
	struct ibv_ah *ah;		/* UD */
	uint32_t data_qpn;		/* of the other rank */
	uint32_t data_psn, msg_psn;	/* random: first packet numbers of the queue pairs here */
	bool heard, connected;		/* heard: its queue pairs are known and ours are ready */

	uint32_t sq_used;		/* slots of the send queue not known to be free */
	uint32_t unsignalled;		/* of them since the last signalled one */
	uint32_t sent, next;		/* sequence numbers, for UD */
	enum verbs_ask ask;
	uint32_t confirmed;		/* datagrams that it says it has sent */
	double answered;		/* clock_wall: when it said so */

	struct verbs_plan *recv;	/* the round's next receive from this rank; NULL: none */
	uint32_t at_repeat;		/* how often it was posted in its step */
	uint64_t recv_left;		/* still to be posted in this round */
	uint32_t recv_posted, recv_depth;
	struct arrivals arrivals;	/* of the round's messages */

	struct verbs_place *targets;	/* of our writes and reads, as it has told us */
	uint32_t ntargets;

	bool is_sent_to;		/* by the round being armed */
	bool in_round;			/* CAP_LOSS: the round needs it */
	bool gone;			/* CAP_LOSS: lost, and not tried again */

	struct queue msgs;		/* receives of message operations */
	uint32_t msg_used;		/* slots of the message queue pair's send queue */
	uint32_t dones, dones_used;	/* its MSG_DONE so far; how many were waited for */
	uint32_t armed, armed_used;	/* its MSG_ARMED so far; likewise */
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
	struct verbs_card *cards;	/* of every rank */
	struct verbs_peer *peers;
	uint64_t run;			/* the run's number (job_run_number) */
	uint32_t qkey;			/* of datagrams: bits of that number */
	uint64_t strangers;		/* hellos and messages that were refused */

	struct ibv_comp_channel *events;
	struct ibv_cq *cq, *msg_cq, *ud_cq, *ud_send_cq;
	struct ibv_srq *srq;		/* NULL: not supported, each queue pair has receives */
	struct ibv_qp *ud;		/* for hellos */
	char *ud_mem;
	struct ibv_mr *ud_mr;

	struct arena arena;		/* all memory that transfers use */
	struct ibv_mr *mr;
	const char *pages;
	struct ibv_mr *other[32];	/* memory of message operations outside the arena */
	int nother;

	/* rounds */
	struct verbs_plan *plans;	/* by transfer */
	const struct xfer *xfers;
	struct ibv_send_wr *chain;	/* for the next doorbell, all to one rank; tx_depth */
	struct ibv_sge (*sges)[2];
	uint32_t nchain;
	struct verbs_peer *chain_to;
	bool lone;			/* each step of the round is one message */
	bool last_byte;			/* and receivers see writes in memory */
	bool silent;			/* the receiver learns only of a step's last write */
	struct verbs_plan *awaited;	/* receive to be seen by its last byte */
	int late_done;			/* transfers completed but not yet reported by poll */
	bool failed;
	bool datagram;			/* UD */
	uint32_t tx_depth, rx_depth, inlined, reads;
	uint32_t reports;		/* signalled sends without a completion yet */
	uint32_t cq_half;		/* half of the completion queue, for sends or receives */
	int recv_sges;			/* of a posted receive; 0 if messages are written */
	enum ibv_mtu mtu;
	int in_order;			/* ibv_query_qp_data_in_order of writes */

	/* messages */
	char *msg_mem;
	struct ibv_mr *msg_mr;
	struct verbs_out *outs, *free_out;
	struct ibv_wc taken[VERBS_TAKE];	/* off the queue; handled up to next_taken */
	int ntaken, next_taken;
	struct match match;

	struct patience patience;
	uint32_t idle;			/* polls in a row that found nothing */
	struct ibv_cq *armed;		/* will raise an event */
	double idle_since;		/* clock_wall; 0: not idle for long */
	double asked;			/* clock_wall: when it last asked senders */
	double lost, reordered;		/* UD */
	/*
	 * The endpoint gets CAP_LOSS once it is open. With datagrams it does not: a lost rank looks
	 * as lost datagrams do.
	 */
	bool may_lose;
	bool peer_lost;			/* CAP_LOSS: a peer of the round is lost */
};

static inline struct verbs *verbs_of(struct endpoint *ep)
{
	return (struct verbs *)ep;
}

static inline int verbs_rank_of(const struct verbs *v, const struct verbs_peer *p)
{
	return (int)(p - v->peers);
}

/* The record describes the queue pairs to this rank; it is the own rank where ranks may be lost. */
static inline int verbs_described(const struct verbs *v)
{
	int me = v->ep.job->rank;

	return v->may_lose || v->ep.job->size == 1 ? me : !me;
}

/* Whether the run outlives a lost peer. */
static inline bool verbs_outlives(const struct verbs *v)
{
	return v->ep.caps & CAP_LOSS;
}

#endif
