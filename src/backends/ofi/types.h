/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `ofi` share. provider.c chooses a provider and its domains.
 * rail.c opens an endpoint of a domain and keeps strangers out. open.c opens the whole backend.
 * arm.c prepares rounds and ofi.c runs them. msg.c has the message operations and the backend's own
 * notes. record.c fills the record.
 *
 * For each domain, a rank has one reliable connectionless endpoint (FI_EP_RDM), one completion
 * queue, and an address vector of all ranks. Each pair of ranks uses one of the domains. A tag
 * contains the run's number, the purpose of the message and its sending rank. A receive from any
 * rank ignores the rank in the tag, so it needs neither FI_DIRECTED_RECV nor FI_SOURCE. The
 * provider keeps the messages of a pair of ranks in order (FI_ORDER_SAS).
 */
#ifndef NETBENCH_BACKENDS_OFI_TYPES_H
#define NETBENCH_BACKENDS_OFI_TYPES_H

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include "base/error.h"
#include "transport/match.h"
#include "transport/host.h"
#include "job/local.h"
#include "net/claim.h"
#include "net/wait.h"

/*
 * The oldest version of the libfabric interface that has all functions used here. Providers of
 * later libraries also support this version.
 */
#define OFI_API FI_VERSION(1, 11)

/*
 * The value of FI_ORDER_DATA in rx_attr->comp_order: data is placed in order. Defined here because
 * libfabric's headers since 2.0 warn about FI_ORDER_DATA.
 */
#define OFI_ORDER_DATA (1ULL << 16)

#define OFI_STALL_S 30.0	/* longest time without a completion while sends are in flight */
#define OFI_FLUSH_S 0.5		/* longest wait until a round's final messages are sent */
#define OFI_NAME 64
#define OFI_ADDRESS 256		/* bytes; longest address of an endpoint */
#define OFI_POLLED 16		/* largest number of completions that one poll reads */
#define OFI_NOTES 64		/* number of send buffers for notes */
#define OFI_RAILS 16		/* maximum number of domains */

#define OFI_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_FLOW)

/* The operation that carries the messages of a round. */
enum ofi_carrier { OFI_TAGGED, OFI_MSG, OFI_WRITE, OFI_READ };
enum ofi_completion { OFI_TRANSMIT, OFI_DELIVERY };
enum ofi_progress { PROGRESS_PROVIDER, PROGRESS_AUTO, PROGRESS_MANUAL };
enum ofi_last_byte { LAST_BYTE_AUTO, LAST_BYTE_REQUIRED, LAST_BYTE_NEVER };

struct ofi_opts {
	const char *provider, *domain;
	uint64_t carrier, completion, inject, wait, progress, threading, last_byte;
	bool trust;
};
extern const struct opt ofi_options[];
extern const char *const ofi_carrier_names[], *const ofi_progress_names[];
extern const char *const ofi_threading_names[];

/*
 * The parts of a tag, from the highest bits on: the low bits of the run's number, the purpose of
 * the message, and the sending rank.
 */
enum ofi_tag { TAG_ROUND = 1, TAG_MESSAGE, TAG_NOTE };
#define OFI_KIND_BITS 2
/* smallest number of bits of the run's number that a tag must hold */
#define OFI_LEAST_BITS 32

/* How this run's tags are laid out. */
struct ofi_tags {
	uint64_t run;		/* the bits of the run's number, at their position in a tag */
	uint64_t ranks;		/* mask of the bits that hold the rank */
	unsigned rank_bits, run_bits, shift;	/* shift: position of the run's number */
};

/*
 * Kinds of operations in flight. LAST: a send that was reported as done early; the end of the round
 * waits for its completion. SEARCH: a search for messages of strangers.
 */
enum ofi_kind { KIND_SEND, KIND_LAST, KIND_RECV, KIND_REQUEST_OUT, KIND_REQUEST_IN, KIND_NOTE_OUT,
		KIND_NOTE_IN, KIND_SEARCH };

/* An operation in flight. This struct must not move, because the provider may use `context`. */
struct ofi_op {
	struct fi_context2 context;
	struct ofi_op *next;		/* next free operation */
	enum ofi_kind kind;
	union {
		struct ofi_peer *peer;
		struct request *request;
		struct ofi_note *note;
	};
};

/* Kinds of notes between ranks. */
enum ofi_news { NEWS_HELLO, NEWS_TARGET, NEWS_DONE };

/* A note from one rank to another. */
struct ofi_note {
	uint32_t news, from;
	/* TARGET: memory of the sending rank that the receiving rank writes or reads */
	uint64_t len, addr, key;
	/*
	 * TARGET: 1 if the sender of the note polls the last byte of each write into this buffer,
	 * else 0
	 */
	uint64_t last_byte;
	uint64_t run;			/* the run's number, with all its bits */
	uint64_t unused[2];
};

/* A rank's card: the data that the rank sends to all other ranks when it opens the endpoint. */
struct ofi_card {
	char host[64], machine[MACHINE_ID], network[NETWORK_ID];
	char provider[OFI_NAME], domain[OFI_NAME], fabric[OFI_NAME];
	uint32_t protocol, address_format, rails, local_rank;
	/* tag_bits: bits of a tag. data_bytes: bytes of a write's remote CQ data. */
	uint32_t tag_bits, data_bytes;
	uint64_t max_len;
	size_t address_len;
	unsigned char address[OFI_ADDRESS];
};

/* A buffer of another rank, for a write or read. */
struct ofi_target {
	uint64_t len, addr, key;
	/* the other rank detects a write by polling its last byte */
	bool last_byte;
};

/* This rank's state for one peer, which may be this rank itself. */
struct ofi_peer {
	struct ofi_rail *rail;
	fi_addr_t at, at_first;		/* the peer's addresses: on `rail`, and on the first rail */
	/* greeted: a hello was sent to the peer. heard: one came from the peer. */
	bool greeted, heard;

	struct ofi_plan *recv;		/* the round's next receive from the peer */
	/* number of times that all receives of the current step were posted */
	uint32_t sets;
	uint64_t recv_left;		/* number of receives not yet posted in this round */
	uint32_t posted, depth;
	struct arrivals arrivals;	/* arrivals of the round's messages */

	/* the peer's buffers that this rank writes or reads, named by NEWS_TARGET */
	struct ofi_target *targets;
	uint32_t ntargets;
	/*
	 * dones: number of NEWS_DONE received from the peer. dones_used: number of NEWS_DONE for
	 * which this rank has waited.
	 */
	uint32_t dones, dones_used;
};

/* A prepared transfer of a round. */
struct ofi_plan {
	struct ofi_peer *peer;
	void *buf;
	size_t len;
	uint64_t left;			/* number of messages not yet posted in this round */
	bool inject;
	struct ofi_target target;	/* for a write or read */
	/* receive: address of the message's last byte if this rank polls that byte; else NULL */
	unsigned char *last;
	unsigned char arrived;		/* value with which the byte *last arrived */
	/* receive: the next receive from the same peer in the round; the list is circular */
	struct ofi_plan *next;
	/*
	 * NULL except in the step's final receive from this peer. There it is the step's first
	 * receive from this peer: posting continues with that receive, until each has been posted
	 * `repeat` times.
	 */
	struct ofi_plan *again;
	uint32_t repeat;
};

/* A rail: a domain of the provider, and the objects opened for it. */
struct ofi_rail {
	struct fi_info *info;		/* description of the chosen domain */
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *end;
	/* registration of the arena; NULL: the provider needs none */
	struct fid_mr *mr;
	void *desc;
};

/*
 * This rank's endpoint. Each pair of ranks uses one of the rails. All message operations use the
 * first rail, so that a receive from any rank need be posted only once.
 */
struct ofi {
	struct endpoint ep;
	const struct ofi_opts *options;
	enum ofi_carrier carrier;
	struct ofi_rail rails[OFI_RAILS];
	uint32_t nrails, turn;		/* turn: the rail to poll next */
	size_t max_len;			/* longest message that the rails of all ranks support */
	/*
	 * number of tag bits, and of bytes of remote CQ data, that the rails of all ranks support
	 */
	uint32_t tag_bits, data_bytes;
	struct ofi_peer *peers;

	uint64_t run;			/* the run's number (job_run_number) */
	struct ofi_tags tags;
	uint64_t round_tag;		/* the tag of the messages that this rank sends in rounds */
	/*
	 * data: remote CQ data of this rank's writes, the run's number plus the rank. data_mask:
	 * mask of their bits.
	 */
	uint64_t data, data_mask;
	uint64_t strangers;		/* number of messages that were refused */
	/* the provider is searching for a stranger's message (KIND_SEARCH) */
	bool looking;

	struct arena arena;		/* the notes, then all memory that rounds use */
	struct {
		const char *at;
		size_t len;
		struct fid_mr *mr;
	/* memory registered for message operations outside the arena */
	} other[32];
	int nother;

	struct ofi_op *free_op, **chunks;	/* all operations, allocated in chunks */
	uint32_t nchunks;

	/* rounds */
	struct ofi_plan *plans;		/* one for each transfer of the round */
	const struct xfer *xfers;
	/* the latest message of a batch, which waits for the next message or the doorbell */
	const struct ofi_plan *held;
	bool batched;
	bool last_byte;			/* receivers may poll the last byte of a write */
	struct ofi_plan *awaited;	/* the receive whose last byte this rank polls now */
	size_t inject;			/* bytes; longest message that is injected */
	/* number of completed transfers that poll has not reported yet */
	int late_done;
	/* number of sends in flight that were reported as done early */
	uint32_t unflushed;
	uint32_t sending;		/* number of sends in flight, of all kinds */
	bool failed, starved;		/* starved: the provider had no room for some receives */

	/* notes */
	struct ofi_note *notes;		/* a receive buffer for each rank, then the send buffers */
	struct ofi_note *free_notes[OFI_NOTES];
	int nfree_notes;
	uint32_t notes_out;		/* number of notes in flight */
	struct ofi_op *unposted_notes;

	struct patience patience;
	uint64_t idle;			/* number of consecutive polls that found nothing */
	bool refused;			/* the provider has refused a send */
	/* sleeps: with --ofi-wait block. asleep: the next poll sleeps. */
	bool sleeps, asleep;
	/* clock_wall when polls began to find nothing; 0: a recent poll has found something */
	double idle_since;
};

static inline struct ofi *ofi_of(struct endpoint *ep)
{
	return (struct ofi *)ep;
}

static inline uint64_t ofi_tag(const struct ofi *o, enum ofi_tag tag, int rank)
{
	return o->tags.run | (uint64_t)tag << o->tags.rank_bits | (uint64_t)rank;
}

/* Returns the info of the first rail. All rails have the provider of this info. */
static inline const struct fi_info *ofi_info(const struct ofi *o)
{
	return o->rails[0].info;
}

static inline const char *ofi_provider(const struct ofi *o)
{
	return ofi_info(o)->fabric_attr->prov_name;
}

static inline int ofi_rank_of(const struct ofi *o, const struct ofi_peer *p)
{
	return (int)(p - o->peers);
}

#endif
