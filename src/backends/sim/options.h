/* SPDX-License-Identifier: Apache-2.0 */
/* The options of backend sim, and what network they mean. */
#ifndef NETBENCH_BACKENDS_SIM_OPTIONS_H
#define NETBENCH_BACKENDS_SIM_OPTIONS_H

#include "backends/sim/sharing.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "model/rdma.h"
#include "options/arguments.h"

/* Values of the options, and a measured network in place of --sim; s. */
struct sim_opts {
	const char *sim, *board, *topology;
	bool serial;
	struct texts faults;
	uint64_t seed;
	uint64_t op;
	bool is_like, is_like_rdma;
	struct loggp like;
	struct rdma like_rdma;
};

/* A simulated network, s: a board, the RDMA form, or LogGP. */
struct sim_network {
	bool is_board, is_rdma;
	struct loggp p;
	struct rdma rdma;
	struct board board;
	struct sharing sharing;	/* of LogGP and of the RDMA form */
};

extern const struct opt sim_options[];

/* The network of the options. ST_OK, ST_USAGE or ST_FAILED (reported). */
int sim_network_read(const struct sim_opts *o, struct sim_network *to);

/* The hooks of these names (transport/backend.h). */
int sim_network(void *options, const struct loggp *like, struct loggp *found, struct board *board,
		bool *is_board);
bool sim_network_rdma(void *options, const struct rdma *like);
int sim_check(void *options, const struct arguments *given, int nranks);

#endif
