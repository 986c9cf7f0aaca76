/* SPDX-License-Identifier: Apache-2.0 */
/* The options of backend `sim`, and the network that they describe. */
#ifndef NETBENCH_BACKENDS_SIM_OPTIONS_H
#define NETBENCH_BACKENDS_SIM_OPTIONS_H

#include "backends/sim/sharing.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "model/rdma.h"
#include "options/arguments.h"

/*
 * Values of the options. `like` and `like_rdma` are the parameters of a measured network, in s.
 * They replace the parameters of --sim.
 */
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

/* A simulated network: a board, the RDMA form, or LogGP. Times in s. */
struct sim_network {
	bool is_board, is_rdma;
	struct loggp p;
	double c;		/* time to add one byte of a sum, s */
	struct rdma rdma;
	struct board board;
	struct sharing sharing;	/* links that ranks share (LogGP and RDMA form) */
};

extern const struct opt sim_options[];

/* Reads the network that the options describe. Returns ST_OK, ST_USAGE or ST_FAILED (reported). */
int sim_read_network(const struct sim_opts *o, struct sim_network *to);

/* The hooks network, network_rdma and check (transport/backend.h). */
int sim_network(void *options, const struct loggp *like, struct loggp *found, struct board *board,
		bool *is_board);
bool sim_network_rdma(void *options, const struct rdma *like);
int sim_check(void *options, const struct arguments *given, int nranks);

#endif
