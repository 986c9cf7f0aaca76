/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures, on standard output, of who sends to whom when in a broadcast. */
#ifndef NETBENCH_SHOW_MODEL_BROADCAST_H
#define NETBENCH_SHOW_MODEL_BROADCAST_H

#include "model/logp.h"

/* A broadcast with all its times. */
struct broadcast {
	const char *title;
	const struct logp *p;
	const struct tree *tree;
	const double *informed;		/* when each processor has the message */
	bool cycles;			/* times are in cycles, else in seconds */
};

/* When processor v, not 0, begins to be sent to. */
double broadcast_sent(const struct broadcast *b, uint32_t v);

/* As a tree of text; in DOT; over time, in SVG. ST_OK, or ST_FAILED without memory (reported). */
int broadcast_put_tree(const struct broadcast *b);
int broadcast_put_dot(const struct broadcast *b);
int broadcast_put_svg(const struct broadcast *b);

#endif
