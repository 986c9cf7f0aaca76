/* SPDX-License-Identifier: Apache-2.0 */
/* Forms: times of short messages and of broadcasts under LogP, and how far a broadcast gets. */
#ifndef NETBENCH_CMD_MODEL_LOGP_H
#define NETBENCH_CMD_MODEL_LOGP_H

#include "cmd/model/form.h"

extern const struct form logp_form, logp_reach_form, logp_against_form;

/*
 * Takes the parameters of --logp, and sets the title, "LogP L=6 ...", and the record's parameters.
 * With `sweep` it needs one or several numbers of processors. ST_OK or ST_USAGE.
 */
int logp_take(struct asked *a, bool sweep);

/*
 * Reads the time that an option has, in the unit of the parameters: cycles, else a time with a
 * unit. Reports any other, and a negative one. ST_OK or ST_USAGE.
 */
int logp_parse_time(const char *option, const char *text, bool cycles, double *t);

/* The arity of a tree: the i-th of --arity, or the best for it; 0 if its kind has none. */
uint32_t logp_arity(const struct asked *a, const struct logp *p, enum tree_kind kind, size_t i);

#endif
