/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The farms of the ATLAS benchmarks 2.1 to 2.3. Each rank runs a program. The next message that a
 * rank sends depends on the message that it received most recently. The programs use message
 * operations only, so they run on every backend with CAP_MSG.
 *
 * push:     the supervisor tells all sources the destination of the next event, round robin. Each
 *	     source sends the destination a data packet. The destination receives one
 *	     packet from each source and sends its decision to the supervisor.
 * pull:     the supervisor announces the event to the destination. The destination sends a request
 *	     to each source, and each source answers with a data packet. Then the destination sends
 *	     its decision to the supervisor. A destination works on one event at a time.
 * pipeline: each source sends its packets, event by event, to its stage. A stage receives one
 *	     packet from each of its sources and sends one packet to its destination. A
 *	     destination receives one packet from each of its stages.
 *
 * On receipt a rank reads every byte of a packet, then occupies the processor for occupation_s.
 */
#ifndef NETBENCH_CMD_ATLAS_FARM_H
#define NETBENCH_CMD_ATLAS_FARM_H

#include "measure/plan/pattern.h"
#include "measure/plan/program.h"
#include "transport/backend.h"

/*
 * Length of a control packet, B. Packets to and from the supervisor and requests to sources are
 * control packets.
 */
#define FARM_CONTROL 16

enum farm_kind { FARM_PUSH, FARM_PULL, FARM_PIPELINE };
enum farm_role { FARM_SUPERVISOR, FARM_SOURCE, FARM_STAGE, FARM_DESTINATION, FARM_ROLES };
extern const char *const farm_role_names[];

/*
 * The number of ranks of each role, and their order.
 * - push and pull: rank 0 is the supervisor, then come the sources, then the destinations; `stages`
 *   is 0.
 * - pipeline: the destinations come first, then the stages, then the sources; sources >= stages >=
 *   destinations. Source i sends to stage i * stages / sources, and stage j to destination j *
 *   destinations / stages.
 */
struct farm_plan {
	enum farm_kind kind;
	int sources, stages, destinations;
	uint32_t credits;	/* limit of events in progress at the same time */
	double occupation_s;	/* time for which a receiver computes after each packet, s */
	uint64_t seed;		/* seed of the packets' content */
};

/*
 * Returns the number of credits that keeps all destinations busy. With this number each destination
 * can work on one event while packets of its next events arrive.
 */
uint32_t farm_credits(uint64_t destinations);

/* Returns the number of ranks that take part. */
int farm_ranks(const struct farm_plan *plan);

/* Returns the role of a rank; FARM_ROLES if the rank does not take part. */
enum farm_role farm_role(const struct farm_plan *plan, int rank);

/*
 * Returns the number of events in `loops` loops. A loop of a pipeline has one event for each
 * destination. A loop of any other farm has one event.
 */
uint64_t farm_events(const struct farm_plan *plan, uint64_t loops);

/*
 * Times that the ranks of a role spent on each activity in observed runs, s. Each time is the sum
 * over the ranks.
 */
struct farm_tally {
	double computed_s;	/* reading packets and occupying the processor */
	double communicated_s;	/* sending, and receiving messages that had already arrived */
	double waited_s;	/* waiting for messages that had not arrived */
	double occupied_s;	/* part of computed_s: occupying the processor */
	/*
	 * The part of waited_s in which the rank had no work. A supervisor without a credit waits
	 * for a decision; a destination waits for the first message of its next event.
	 */
	double starved_s;
	double total_s;
	uint64_t packets;	/* number of data packets received */
};

/*
 * The program that runs a farm. The program's arguments are a struct farm_plan. A rank's place in
 * the program is the rank's number. The tally is an array with one struct farm_tally for each role.
 * The endpoint must have CAP_MSG and CAP_ANY. The timed ranks are those at which events end: the
 * destinations of a pipeline, or the supervisor of any other farm.
 */
extern const struct program farm_program;
extern const struct pattern pattern_push, pattern_pull, pattern_pipeline;

#endif
