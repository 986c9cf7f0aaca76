/* SPDX-License-Identifier: Apache-2.0 */
/* Between farm.c, which makes a rank's part in a farm, and farm_play.c, which plays it. */
#ifndef NETBENCH_MEASURE_FARM_PLAY_H
#define NETBENCH_MEASURE_FARM_PLAY_H

#include <string.h>

#include "measure/farm.h"

/* A control packet: an event, and the destination that it goes to or the one that has decided. */
struct control {
	uint64_t event;
	uint32_t destination, zero;
};
_Static_assert(sizeof(struct control) == FARM_CONTROL, "control packets are of 16 bytes");

/* Messages of one length from or to one rank (or any), several of them in flight, done in order. */
struct box {
	int peer;
	size_t len;
	uint32_t depth;
	uint64_t total;			/* receives of this run */
	uint64_t posted, taken;
	struct request *req;
	void *const *buf;
	uint64_t sum;			/* of the content of the data packets that come here */
};

struct farm {
	struct endpoint *ep;
	const struct backend *be;
	struct farm_plan plan;
	size_t len;			/* of a data packet */
	enum farm_role role;
	int rank;
	void *const *bufs;		/* those not yet taken */
	uint64_t loops, share;		/* events of all, and of this rank */
	struct box control_in, control_out, data_out;
	struct box *data_in;		/* a box for each rank that sends data here */
	int ndata_in;
	uint64_t *decided;		/* supervisor: by each destination */
	double *stamps;
	uint64_t checked, errors;
	struct farm_tally tally;
};

/* The first rank that is a source, and that is a destination. */
static inline int farm_first_source(const struct farm_plan *p)
{
	return p->kind == FARM_PIPELINE ? p->destinations + p->stages : 1;
}

static inline int farm_first_destination(const struct farm_plan *p)
{
	return p->kind == FARM_PIPELINE ? 0 : 1 + p->sources;
}

/* Bytes of a data packet that the backend carries. */
static inline size_t farm_carried(const struct farm *f)
{
	size_t most = f->ep->limits.content_len;

	return f->len < most ? f->len : most;
}

/* The event's number in as many bytes as there are, at the head of a packet. */
static inline size_t farm_head(const struct farm *f)
{
	size_t len = farm_carried(f);

	return len < sizeof(uint64_t) ? len : sizeof(uint64_t);
}

/* A sum in which every byte and its place count. */
static inline uint64_t farm_sum(const unsigned char *p, size_t len)
{
	uint64_t sum = 0, word;
	size_t i = 0;

	for (; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		sum += word ^ i;
	}
	for (; i < len; i++)
		sum += (uint64_t)p[i] << 8 * (i % 8);
	return sum;
}

/* Does this rank's part in f->loops events, observed or not. ST_OK, or ST_FAILED if a message operation failed (reported). */
int farm_play(struct farm *f, bool observed);

/* Posts the next receive of a box, if its run has one more. ST_OK or ST_FAILED. */
int farm_post(struct farm *f, struct box *b);

#endif
