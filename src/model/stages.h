/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of one message: place, begin and end. Pure. */
#ifndef NETBENCH_MODEL_STAGES_H
#define NETBENCH_MODEL_STAGES_H

#include "model/logp.h"
#include "model/rdma.h"

struct stage {
	const char *name;		/* the parameter: "o_s", "L", "(k-1)G" */
	/* place of the stage; `to` differs while a message travels from `at` to `to` */
	unsigned at, to;
	/* begin and end since the message's start, in the parameters' unit */
	double from, until;
};

/* The largest number of stages of a message. */
#define STAGES_MOST 12

/*
 * Both functions write the stages in their order, except those that take no time, and return their
 * number.
 */

/*
 * A message of k bytes by the RDMA form (METHODS 1.6). g is the thesis' gap: the sender may
 * continue when it ends.
 */
enum stages_rdma_place { RDMA_P0, RDMA_P0_NIC, RDMA_P1_NIC, RDMA_P1, RDMA_PLACES };
size_t stages_rdma(const struct rdma *p, double k, struct stage *stages);

/*
 * A message by LogP: place 0 sends to place 1, which answers at once if `back`. A send also has its
 * gap as a stage if the gap ends later than the overhead.
 */
size_t stages_logp(const struct logp *p, bool back, struct stage *stages);

#endif
