/* SPDX-License-Identifier: Apache-2.0 */
/* One message step by step: what of it is where, from when until when. Pure. */
#ifndef NETBENCH_MODEL_STAGES_H
#define NETBENCH_MODEL_STAGES_H

#include "model/logp.h"
#include "model/rdma.h"

struct stage {
	const char *name;		/* the parameter: "o_s", "L", "(k-1)G" */
	unsigned at, to;		/* places; another one in `to` if it is on its way there */
	double from, until;		/* from the start on, in the parameters' unit */
};

/* Most stages of a message. */
#define STAGES_MOST 12

/* Writes the stages in their order, without those that take no time. Return how many. */

/* Of the RDMA form (METHODS 1.6), of k bytes; g is the thesis', until the sender may go on. */
enum stages_rdma_place { RDMA_P0, RDMA_P0_NIC, RDMA_P1_NIC, RDMA_P1, RDMA_PLACES };
size_t stages_rdma(const struct rdma *p, double k, struct stage *stages);

/*
 * Of LogP: place 0 sends to place 1, which answers at once if `back`. With each send its gap, if
 * that ends later than the overhead.
 */
size_t stages_logp(const struct logp *p, bool back, struct stage *stages);

#endif
