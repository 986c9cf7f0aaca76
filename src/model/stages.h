/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of one message: their places, and when they begin and end. Pure. */
#ifndef NETBENCH_MODEL_STAGES_H
#define NETBENCH_MODEL_STAGES_H

#include "model/logp.h"
#include "model/rdma.h"

struct stage {
	/* name of the stage's parameter, such as "o_s", "L" or "(k-1)G" */
	const char *name;
	/* place of the stage; `to` equals `at`, unless the message travels from `at` to `to` */
	unsigned at, to;
	/*
	 * when the stage begins and ends, from the start of the message, in the unit of the
	 * parameters
	 */
	double from, until;
};

/* The largest number of stages of a message. */
#define STAGES_MOST 12

/*
 * Both functions write the stages in order, except for stages that take no time. They return the
 * number of stages written.
 */

/*
 * Writes the stages of a message of k bytes under the RDMA form (METHODS 1.6). Stage g is the gap
 * of the thesis. When this stage ends, the sender may continue.
 */
enum stages_rdma_place { RDMA_P0, RDMA_P0_NIC, RDMA_P1_NIC, RDMA_P1, RDMA_PLACES };
size_t stages_rdma(const struct rdma *p, double k, struct stage *stages);

/*
 * Writes the stages of a message under LogP: place 0 sends to place 1, which answers at once if
 * `back`. If the gap of a send ends later than its overhead, the gap is also a stage.
 */
size_t stages_logp(const struct logp *p, bool back, struct stage *stages);

#endif
