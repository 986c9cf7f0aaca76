/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The farms of the ATLAS benchmarks 2.1 to 2.3: programs whose next message depends on the last
 * message received. They use message operations only, and so run alike on every backend with
 * CAP_MSG.
 *
 * push:     the supervisor tells all sources the destination of the next event, round robin; each
 *	     sends it a data packet; the destination takes one from each source and tells the
 *	     supervisor its decision.
 * pull:     the supervisor tells the destination; that asks each source, which answers with a data
 *	     packet; decision as above. A destination works at one event at a time.
 * pipeline: each source sends its packets, event by event, to its stage; a stage takes one from
 *	     each of its sources and sends one to its destination; that takes one from each of its
 *	     stages.
 *
 * A rank reads each packet in full when it takes it, then occupies the processor as the plan says.
 */
#ifndef NETBENCH_CMD_ATLAS_FARM_H
#define NETBENCH_CMD_ATLAS_FARM_H

#include "measure/plan/pattern.h"
#include "measure/plan/program.h"
#include "transport/backend.h"

/* Bytes of each packet that a supervisor sends or gets, and of a request. */
#define FARM_CONTROL 16

enum farm_kind { FARM_PUSH, FARM_PULL, FARM_PIPELINE };
enum farm_role { FARM_SUPERVISOR, FARM_SOURCE, FARM_STAGE, FARM_DESTINATION, FARM_ROLES };
extern const char *const farm_role_names[];

/*
 * The roles of the ranks. push and pull: rank 0 is the supervisor, then come the sources, then the
 * destinations; stages is 0. pipeline: first the destinations, then the stages, then the sources;
 * sources >= stages >= destinations. Source i feeds stage i stages/sources, stage j feeds
 * destination j destinations/stages.
 */
struct farm_plan {
	enum farm_kind kind;
	int sources, stages, destinations;
	uint32_t credits;	/* events that the supervisor has in progress at most */
	double occupation_s;	/* of the receiver's processor, for each packet */
	uint64_t seed;		/* of the content */
};

/*
 * Credits that keep the destinations busy. Each has one event to work on, and receives posted for
 * the next ones.
 */
uint32_t farm_credits(uint64_t destinations);

/* The number of ranks that take part. */
int farm_ranks(const struct farm_plan *plan);

/* The role of a rank; FARM_ROLES if it does not take part. */
enum farm_role farm_role(const struct farm_plan *plan, int rank);

/* The events of `loops` loops: a pipeline has one a loop at each destination. */
uint64_t farm_events(const struct farm_plan *plan, uint64_t loops);

/* How the ranks of a role spent the time of observed runs, s. */
struct farm_tally {
	double computed_s;	/* reading packets and occupying the processor */
	double communicated_s;	/* sending, and receiving messages that had arrived before */
	double waited_s;	/* waiting for messages until they were received */
	double occupied_s;	/* occupying the processor */
	/*
	 * The part of waited_s without anything to do. A supervisor without a credit waits for a
	 * decision; a destination waits for the first message of its next event.
	 */
	double starved_s;
	double total_s;
	uint64_t packets;	/* data packets taken */
};

/*
 * Farms as programs: the arguments are a struct farm_plan, places are ranks, and the tally is an
 * array of struct farm_tally, one for each role. The endpoint must have CAP_MSG and CAP_ANY. Events
 * end at the ranks that are timed: at the supervisor, or at any destination of a pipeline.
 */
extern const struct program farm_program;
extern const struct pattern pattern_push, pattern_pull, pattern_pipeline;

#endif
