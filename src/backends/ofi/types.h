/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `ofi` share. provider.c chooses provider and domains. rail.c
 * opens an endpoint of a domain, open.c the whole backend. arm.c prepares rounds, ofi.c runs them.
 * msg.c has the message operations and the backend's own notes. rail.c also keeps strangers out.
 * record.c fills the record.
 *
 * Each rank has one reliable endpoint without connections (FI_EP_RDM) of each domain, with one
 * completion queue, and all ranks in its address vector. A pair of ranks uses one of the domains. A
 * tag has the run, the message's purpose and its sending rank. A receive from any rank ignores the
 * rank, so it needs neither FI_DIRECTED_RECV nor FI_SOURCE. The provider keeps messages of a pair
 * of ranks in order (FI_ORDER_SAS).
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

/* The oldest interface with all functions used here; providers of later libraries have it, too. */
#define OFI_API FI_VERSION(1, 11)

/* FI_ORDER_DATA of rx_attr->comp_order: data is placed in order. Headers since 2.0 warn of it. */
#define OFI_ORDER_DATA (1ULL << 16)

#define OFI_STALL_S 30.0	/* without a completion while something is sent */
#define OFI_FLUSH_S 0.5		/* for the last messages to get on their way */
#define OFI_NAME 64
#define OFI_ADDRESS 256		/* longest address of an endpoint, bytes */
#define OFI_TAKE 16		/* completions taken at a time */
#define OFI_NOTES 64		/* buffers for notes that are sent */
#define OFI_RAILS 16		/* most domains */

#define OFI_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_FLOW)

/* What carries the messages of a round. */
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

/* A tag, from the top: low bits of the run's number, the message's purpose, its sending rank. */
enum ofi_tag { TAG_ROUND = 1, TAG_MESSAGE, TAG_NOTE };
#define OFI_KIND_BITS 2
#define OFI_LEAST_BITS 32	/* of the run's number in a tag */

struct ofi_tags {
	uint64_t run;		/* its bits, in place */
	uint64_t ranks;		/* mask of the rank */
	unsigned rank_bits, run_bits, shift;	/* shift: of the run's number */
};

/* Kinds of operations in flight. LAST: a send that was done at once, awaited at the round's end. */
enum ofi_kind { KIND_SEND, KIND_LAST, KIND_RECV, KIND_REQUEST_OUT, KIND_REQUEST_IN, KIND_NOTE_OUT,
		KIND_NOTE_IN, KIND_LOOK };

/* An operation in flight. The provider may use the context, and it must not move. */
struct ofi_op {
	struct fi_context2 context;
	struct ofi_op *next;		/* while free */
	enum ofi_kind kind;
	union {
		struct ofi_peer *peer;
		struct request *request;
		struct ofi_note *note;
	};
};

/* Kinds of notes between ranks. */
enum ofi_news { NEWS_HELLO, NEWS_TARGET, NEWS_DONE };

struct ofi_note {
	uint32_t news, from;
	uint64_t len, addr, key;	/* TARGET: memory that the other rank writes or reads */
	uint64_t last_byte;		/* TARGET: a write here is seen by its last byte */
	uint64_t run;			/* its number, whole */
	uint64_t unused[2];
};

/* A rank's card, which it sends all others when it opens. */
struct ofi_card {
	char host[64], machine[MACHINE_ID], network[NETWORK_ID];
	char provider[OFI_NAME], domain[OFI_NAME], fabric[OFI_NAME];
	uint32_t protocol, address_format, rails, local_rank;
	uint32_t tag_bits, data_bytes;	/* that fit into a tag and into a write's data */
	uint64_t max_len;
	size_t address_len;
	unsigned char address[OFI_ADDRESS];
};

/* Memory of another rank. */
struct ofi_target {
	uint64_t len, addr, key;
	bool last_byte;			/* its rank sees a write by the last byte */
};

/* One other rank, as this rank knows it. */
struct ofi_peer {
	struct ofi_rail *rail;
	fi_addr_t at, at_first;		/* its addresses by that rail and by the first one */
	bool greeted, heard;		/* hello was sent to it, came from it */

	struct ofi_plan *recv;		/* the round's next receive from this rank */
	uint32_t sets;			/* how often its step's were posted */
	uint64_t recv_left;		/* still to be posted in this round */
	uint32_t posted, depth;
	struct arrivals arrivals;	/* of the round's messages */

	struct ofi_target *targets;	/* of our writes and reads, as it has told us */
	uint32_t ntargets;
	uint32_t dones, dones_used;	/* its NEWS_DONE so far; how many were waited for */
};

/* A prepared transfer of a round. */
struct ofi_plan {
	struct ofi_peer *peer;
	void *buf;
	size_t len;
	uint64_t left;			/* still to be posted in this round */
	bool inject;
	struct ofi_target target;	/* of a write or read */
	unsigned char *last;		/* of a receive: the byte that shows it, or NULL */
	unsigned char arrived;		/* that byte, once it has come */
	struct ofi_plan *next;		/* of a receive: the next from its peer, in a circle */
	/* of a step's last receive from its peer: the step's first, until posted `repeat` times */
	struct ofi_plan *again;
	uint32_t repeat;
};

/* A domain, and what is opened of it. */
struct ofi_rail {
	struct fi_info *info;		/* what was chosen */
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *end;
	struct fid_mr *mr;		/* of the arena; NULL: the provider needs none */
	void *desc;
};

/*
 * Pairs of ranks take the rails in turn. Message operations use the first one: a receive from any
 * rank is posted once.
 */
struct ofi {
	struct endpoint ep;
	const struct ofi_opts *options;
	enum ofi_carrier carrier;
	struct ofi_rail rails[OFI_RAILS];
	uint32_t nrails, turn;		/* turn: the rail whose completions are taken next */
	size_t max_len;			/* longest message that all ranks' rails take */
	uint32_t tag_bits, data_bytes;	/* likewise */
	struct ofi_peer *peers;

	uint64_t run;			/* its number (job_run_number) */
	struct ofi_tags tags;
	uint64_t round_tag;		/* of this rank's messages in rounds */
	uint64_t data, data_mask;	/* of its writes: the run's number + the rank, the bits */
	uint64_t strangers;		/* messages that were refused */
	bool looking;			/* for one of them, with the provider (KIND_LOOK) */

	struct arena arena;		/* all memory that transfers use, after the notes */
	struct {
		const char *at;
		size_t len;
		struct fid_mr *mr;
	} other[32];			/* memory of message operations outside the arena */
	int nother;

	struct ofi_op *free_op, **chunks;	/* all operations, some hundred in a chunk */
	uint32_t nchunks;

	/* rounds */
	struct ofi_plan *plans;		/* by transfer */
	const struct xfer *xfers;
	const struct ofi_plan *held;	/* of a batch, until the next or the doorbell */
	bool batched;
	bool last_byte;			/* receivers may see a write by its last byte */
	struct ofi_plan *awaited;	/* a receive to be seen by its last byte */
	size_t inject;			/* longest message that is handed over */
	int late_done;			/* transfers completed but not yet reported by poll */
	uint32_t unflushed;		/* sends that were reported as done at once */
	uint32_t sending;		/* sends in flight, all kinds */
	bool failed, starved;		/* starved: receives could not be posted */

	/* notes */
	struct ofi_note *notes;		/* in, one for each rank, then out */
	struct ofi_note *free_notes[OFI_NOTES];
	int nfree_notes;
	uint32_t notes_out;		/* in flight */
	struct ofi_op *unposted_notes;

	struct patience patience;
	uint64_t idle;			/* polls in a row that found nothing */
	bool refused;			/* the provider has refused a send */
	bool sleeps, asleep;		/* --ofi-wait block; the next look waits */
	double idle_since;		/* clock_wall; 0: not idle for long */
};

static inline struct ofi *ofi_of(struct endpoint *ep)
{
	return (struct ofi *)ep;
}

static inline uint64_t ofi_tag(const struct ofi *o, enum ofi_tag tag, int rank)
{
	return o->tags.run | (uint64_t)tag << o->tags.rank_bits | (uint64_t)rank;
}

/* The info of the first rail; all rails have one provider. */
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
