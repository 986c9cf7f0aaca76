/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/options.h"

#include <stdlib.h>
#include <string.h>

#include "backends/sim/faults.h"
#include "base/error.h"

/* In --sim, this prefix precedes parameters of the RDMA form. */
#define RDMA_WORD "rdma:"

static const char *const op_names[] = { "send", "read", NULL };
enum { OP_OF_SEND, OP_OF_READ };

const struct opt sim_options[] = {
	{ 0, "sim", "params", OPT_TEXT, offsetof(struct sim_opts, sim),
	  .def = "L=1us,o=200ns,g=300ns,G=0.1ns",
	  .help = "LogGP network: L, o (or o_s and o_r), g, G, c (time to add a byte); ns unless a "
		  "unit is given, 0 if not named; or the RDMA form: rdma:o_wqe=20,o_db=65,..., "
		  "with the names of model --rdma; "
		  "link=0.2,side=4: a link of 0.2 ns per byte from ranks 0 to 3 to the others" },
	{ 0, "sim-topology", "network", OPT_TEXT, offsetof(struct sim_opts, topology),
	  .help = "links that ranks share: leaf=8 (hosts of a leaf), uplinks=4 (its links to the "
		  "spine), rate=1 (their bandwidth in that of a host's link), hash=none, meeting "
		  "or pair (how a message chooses a link)" },
	{ 0, "sim-op", "name", OPT_CHOICE, offsetof(struct sim_opts, op), .def = "send",
	  .choices = op_names,
	  .help = "operation that carries a message of the RDMA form: send, read (latency, msgrate "
		  "and bandwidth: the timed rank reads)" },
	{ 0, "board", "name", OPT_TEXT, offsetof(struct sim_opts, board),
	  .help = "FPGA board's channels instead of LogGP: 520n, ..., or "
		  "custom:c=..,w=..,f=..,lat=..,R=.." },
	{ 0, "serial", NULL, OPT_FLAG, offsetof(struct sim_opts, serial),
	  .help = "no overlap between the send and receive loops of a board, or between the work "
		  "and the bytes of an interface of the RDMA form" },
	{ 0, "sim-fault", "fault", OPT_TEXTS, offsetof(struct sim_opts, faults),
	  .help = "a fault of the LogGP network, may be given several times: host:17,send,0.7 "
		  "(or receive, both), pair:3-9,0.6, direction:3-9,0.75, latency:5,+200us, "
		  "group:8-15,0.8, flap:4,0.5,0.5, noise:5%, start:3,1ms" },
	{ 0, "sim-seed", "number", OPT_UINT, offsetof(struct sim_opts, seed), .def = "1",
	  .max = 9007199254740992.0,
	  .help = "seed of the random numbers in --sim-fault flap and noise, and in "
		  "--sim-topology hash" },
	{ 0 },
};

static bool uses_rdma(const struct sim_opts *o)
{
	return o->is_like_rdma || (!o->is_like && !o->board &&
				   !strncmp(o->sim, RDMA_WORD, strlen(RDMA_WORD)));
}

int sim_read_network(const struct sim_opts *o, struct sim_network *to)
{
	char *rest = NULL;
	int err = ST_OK;

	*to = (struct sim_network){ .is_board = o->board, .is_rdma = uses_rdma(o), .p = o->like,
				    .rdma = o->like_rdma };
	if (o->board) {
		err = board_find(o->board, &to->board);
		to->board.serial |= o->serial;
		return err;
	}
	to->rdma.serial = o->serial;
	if (!o->is_like && !o->is_like_rdma) {
		err = sharing_parse_link(o->sim + (to->is_rdma ? strlen(RDMA_WORD) : 0), &rest,
					 &to->sharing);
		if (!err)
			err = to->is_rdma ? rdma_parse(rest, &to->rdma)
					  : loggp_parse_adding(rest, &to->p, &to->c);
	}
	free(rest);
	if (err || !o->topology)
		return err;
	if (to->sharing.link > 0)
		return error_usage("'link' of '--sim' and option '--sim-topology' exclude each "
				   "other");
	return sharing_read(o->topology, &to->sharing);
}

bool sim_network_rdma(void *options, const struct rdma *like)
{
	struct sim_opts *o = options;

	o->is_like_rdma = like;
	o->like_rdma = like ? *like : (struct rdma){ 0 };
	return uses_rdma(o);
}

int sim_network(void *options, const struct loggp *like, struct loggp *found, struct board *board,
		bool *is_board)
{
	struct sim_opts *o = options;
	struct sim_network n;
	int err;

	o->is_like = like;
	o->like = like ? *like : (struct loggp){ 0 };
	err = sim_read_network(o, &n);
	*is_board = n.is_board;
	*found = n.p;
	*board = n.board;
	return err;
}

/* Refuses options that do not fit the kind of network. Returns ST_OK or ST_USAGE. */
static int check_network(const struct sim_opts *o, const struct sim_network *n,
			 const struct arguments *given, int nranks)
{
	const char *verify = arguments_value(given, "verify");
	bool draws = n->sharing.hash != HASH_NONE;
	bool shares = n->sharing.leaf || n->sharing.link > 0;

	if (arguments_given(given, "sim-seed") && !o->faults.n && !draws)
		return error_usage("option '--sim-seed' needs '--sim-fault', or '--sim-topology' "
				   "with hash=meeting or hash=pair");
	if (o->faults.n && n->is_rdma)
		return error_usage("option '--sim-fault' is for a LogGP network, not for the RDMA "
				   "form");
	if (o->serial && !n->is_board && !n->is_rdma)
		return error_usage("option '--serial' needs '--board' or '--sim rdma:..'");
	if (o->op == OP_OF_READ && !n->is_rdma)
		return error_usage("option '--sim-op read' needs '--sim rdma:..': LogGP has no "
				   "reads");
	if (o->op == OP_OF_READ && shares)
		return error_usage("option '--sim-op read' is not for ranks that share links: "
				   "answers of reads would not wait for those links");
	if (o->op == OP_OF_READ && verify && !strncmp(verify, "every", strlen("every")))
		return error_usage("value '%s' of '--verify' is not for '--sim-op read': reads of "
				   "a window read the same buffer", verify);
	if (n->sharing.side >= (uint64_t)nranks)
		return error_usage("'side=%ju' in '--sim': no rank of %d is on the other side",
				   (uintmax_t)n->sharing.side, nranks);
	return ST_OK;
}

int sim_check(void *options, const struct arguments *given, int nranks)
{
	static const char *const apart[][2] = { { "sim-fault", "board" }, { "like", "sim" },
						{ "like", "board" }, { "sim", "board" },
						{ "sim-topology", "board" } };
	const struct sim_opts *o = options;
	struct sim_network n;
	struct faults *faults;
	int err = faults_read(&o->faults, o->seed, nranks, &faults);

	faults_free(faults);
	for (size_t i = 0; i < LENGTH(apart) && !err; i++)
		if (arguments_exclude(given, apart[i][0], apart[i][1]))
			err = ST_USAGE;
	if (!err)
		err = sim_read_network(o, &n);
	return err ? err : check_network(o, &n, given, nranks);
}
