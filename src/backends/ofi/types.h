/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `ofi` share. provider.c chooses a provider and its domains.
 * rail.c opens an endpoint of a domain and keeps strangers out. open.c opens the whole backend.
 * arm.c prepares rounds and ofi.c runs them. msg.c has the message operations and the backend's own
 * notes. record.c fills the record.
 *
 * For each domain, a rank has one reliable connectionless endpoint (FI_EP_RDM), one completion
 * queue, and an address vector of all ranks. A pair of ranks uses one of the domains. A tag holds
 * the run, the purpose of the message and its sending rank. A receive from any rank ignores the
 * rank in the tag, so it needs neither FI_DIRECTED_RECV nor FI_SOURCE. The provider keeps the
 * messages of a pair of ranks in order (FI_ORDER_SAS).
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
 * The oldest interface version that has all functions used here. Providers of later libraries
 * support it too.
 */
#define OFI_API FI_VERSION(1, 11)

/*
 * FI_ORDER_DATA of rx_attr->comp_order: data is placed in order. Defined here because headers since
 * 2.0 warn about it.
 */
#define OFI_ORDER_DATA (1ULL << 16)

#define OFI_STALL_S 30.0	/* longest time without a completion of sends in flight */
#define OFI_FLUSH_S 0.5		/* time allowed for the last messages to leave */
#define OFI_NAME 64
#define OFI_ADDRESS 256		/* longest address of an endpoint, bytes */
#define OFI_POLLED 16		/* completions read by one poll */
#define OFI_NOTES 64		/* send buffers for notes */
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
 * A tag holds, from the top: the low bits of the run's number, the purpose of the message, and its
 * sending rank.
 */
enum ofi_tag { TAG_ROUND = 1, TAG_MESSAGE, TAG_NOTE };
#define OFI_KIND_BITS 2
#define OFI_LEAST_BITS 32	/* fewest bits of the run's number that a tag must hold */

/* The layout of tags in this run. */
struct ofi_tags {
	uint64_t run;		/* the bits of the run's number, in place */
	uint64_t ranks;		/* mask of the bits that hold the rank */
	unsigned rank_bits, run_bits, shift;	/* shift: position of the run's number */
};

/*
 * Kinds of operations in flight. LAST: a send that was reported as done early; the end of the round
 * waits for its completion. SEARCH: looks for messages of strangers.
 */
enum ofi_kind { KIND_SEND, KIND_LAST, KIND_RECV, KIND_REQUEST_OUT, KIND_REQUEST_IN, KIND_NOTE_OUT,
		KIND_NOTE_IN, KIND_SEARCH };

/* An operation in flight. The provider may use `context`, so the struct must not move. */
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
	uint64_t len, addr, key;	/* TARGET: memory that the other rank writes or reads */
	uint64_t last_byte;		/* TARGET: the receiver polls a write's last byte */
	uint64_t run;			/* all bits of the run's number */
	uint64_t unused[2];
};

/* A rank's card: data that it sends to all other ranks when it opens. */
struct ofi_card {
	char host[64], machine[MACHINE_ID], network[NETWORK_ID];
	char provider[OFI_NAME], domain[OFI_NAME], fabric[OFI_NAME];
	uint32_t protocol, address_format, rails, local_rank;
	/* size of a tag in bits, and of a write's remote CQ data in bytes */
	uint32_t tag_bits, data_bytes;
	uint64_t max_len;
	size_t address_len;
	unsigned char address[OFI_ADDRESS];
};

/* A buffer of another rank, for a write or read. */
struct ofi_target {
	uint64_t len, addr, key;
	bool last_byte;			/* that rank detects a write by polling its last byte */
};

/* This rank's state for one rank, which may be itself. */
struct ofi_peer {
	struct ofi_rail *rail;
	fi_addr_t at, at_first;		/* its addresses on `rail` and on the first rail */
	bool greeted, heard;		/* a hello was sent to the peer; one came from it */

	struct ofi_plan *recv;		/* the round's next receive from the peer */
	uint32_t sets;			/* how often the receives of its step were posted */
	uint64_t recv_left;		/* receives not yet posted in this round */
	uint32_t posted, depth;
	struct arrivals arrivals;	/* for the messages of the round */

	/* buffers for this rank's writes and reads, from NEWS_TARGET */
	struct ofi_target *targets;
	uint32_t ntargets;
	/* number of NEWS_DONE that came from the peer, and how many were waited for */
	uint32_t dones, dones_used;
};

/* A prepared transfer of a round. */
struct ofi_plan {
	struct ofi_peer *peer;
	void *buf;
	size_t len;
	uint64_t left;			/* messages not yet posted in this round */
	bool inject;
	struct ofi_target target;	/* for a write or read */
	/* receive: the message's last byte, which is polled; or NULL */
	unsigned char *last;
	unsigned char arrived;		/* the value of that byte after it was received */
	/* receive: the next one from the same peer; the list is circular */
	struct ofi_plan *next;
	/*
	 * Set only in the last receive of a step from its peer: the step's first receive. It is
	 * posted next until the step's receives were posted `repeat` times.
	 */
	struct ofi_plan *again;
	uint32_t repeat;
};

/* A domain of the provider, and the objects opened for it. */
struct ofi_rail {
	struct fi_info *info;		/* the chosen info */
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
 * This rank's endpoint. Pairs of ranks use the rails in turn. Message operations all use the first
 * rail, so that a receive from any rank is posted only once.
 */
struct ofi {
	struct endpoint ep;
	const struct ofi_opts *options;
	enum ofi_carrier carrier;
	struct ofi_rail rails[OFI_RAILS];
	uint32_t nrails, turn;		/* turn: the rail to poll next */
	size_t max_len;			/* longest message that the rails of all ranks support */
	uint32_t tag_bits, data_bytes;	/* those that the rails of all ranks support */
	struct ofi_peer *peers;

	uint64_t run;			/* the run's number (job_run_number) */
	struct ofi_tags tags;
	uint64_t round_tag;		/* the tag of this rank's messages in rounds */
	/*
	 * remote CQ data of this rank's writes (the run's number + the rank), and the mask of its
	 * bits
	 */
	uint64_t data, data_mask;
	uint64_t strangers;		/* number of messages that were refused */
	/* the provider is searching for one of them (KIND_SEARCH) */
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
	struct ofi_plan *plans;		/* one per transfer of the round */
	const struct xfer *xfers;
	/* a message of a batch, kept until the next one or the doorbell */
	const struct ofi_plan *held;
	bool batched;
	bool last_byte;			/* receivers may poll the last byte of a write */
	struct ofi_plan *awaited;	/* the receive whose last byte is being polled */
	size_t inject;			/* longest message that is injected, in bytes */
	int late_done;			/* completed transfers that poll has not reported yet */
	uint32_t unflushed;		/* sends in flight that were reported as done early */
	uint32_t sending;		/* sends in flight, all kinds */
	bool failed, starved;		/* starved: the provider had no room for some receives */

	/* notes */
	struct ofi_note *notes;		/* receive buffers, one per rank, then send buffers */
	struct ofi_note *free_notes[OFI_NOTES];
	int nfree_notes;
	uint32_t notes_out;		/* notes in flight */
	struct ofi_op *unposted_notes;

	struct patience patience;
	uint64_t idle;			/* number of consecutive polls that found nothing */
	bool refused;			/* the provider has refused a send */
	bool sleeps, asleep;		/* --ofi-wait block; the next poll sleeps */
	double idle_since;		/* clock_wall when idling began; 0: not idle for long */
};

static inline struct ofi *ofi_of(struct endpoint *ep)
{
	return (struct ofi *)ep;
}

static inline uint64_t ofi_tag(const struct ofi *o, enum ofi_tag tag, int rank)
{
	return o->tags.run | (uint64_t)tag << o->tags.rank_bits | (uint64_t)rank;
}

/* Returns the info of the first rail. All rails have the same provider. */
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
