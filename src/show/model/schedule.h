/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a broadcast's sends and of one message's stages over time, on standard output. */
#ifndef NETBENCH_SHOW_MODEL_SCHEDULE_H
#define NETBENCH_SHOW_MODEL_SCHEDULE_H

#include "model/stages.h"

/* A broadcast with all its times. */
struct broadcast {
	const char *title;
	const struct logp *p;
	const struct tree *tree;
	const double *informed;		/* when each processor has the message */
	bool cycles;			/* times are in cycles, else in seconds */
};

/* As a tree of text; in DOT; over time, in SVG. */
void schedule_put_tree(const struct broadcast *b);
void schedule_put_dot(const struct broadcast *b);
void schedule_put_svg(const struct broadcast *b);

/* One message, in SVG: n stages between places of these names. */
void schedule_put_message(const char *title, const struct stage *stages, size_t n,
			  const char *const *places, unsigned nplaces, bool cycles);

#endif
