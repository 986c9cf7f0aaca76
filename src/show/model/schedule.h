/* SPDX-License-Identifier: Apache-2.0 */
/* Prints pictures over time: the sends of a broadcast, or the stages of one message. */
#ifndef NETBENCH_SHOW_MODEL_SCHEDULE_H
#define NETBENCH_SHOW_MODEL_SCHEDULE_H

#include "model/stages.h"

/* A broadcast and the time at which it reaches each processor. */
struct broadcast {
	const char *title;
	const struct logp *p;
	const struct tree *tree;
	const double *informed;		/* the time at which each processor has the message */
	bool cycles;			/* times are in cycles; false: in seconds */
};

/*
 * Print a broadcast to standard output: as a tree in text, as a graph in DOT, or over time in SVG.
 */
void schedule_put_tree(const struct broadcast *b);
void schedule_put_dot(const struct broadcast *b);
void schedule_put_svg(const struct broadcast *b);

/*
 * Prints the n stages of one message over time in SVG. `places` names the processors and networks
 * that the message passes.
 */
void schedule_put_message(const char *title, const struct stage *stages, size_t n,
			  const char *const *places, unsigned nplaces, bool cycles);

#endif
