/* SPDX-License-Identifier: Apache-2.0 */
/* LogP: what short messages and broadcasts of one take, and how far a broadcast gets. */
#ifndef NETBENCH_CMD_MODEL_LOGP_H
#define NETBENCH_CMD_MODEL_LOGP_H

#include "cmd/model/form.h"

/*
 * Takes the parameters of --logp; with `sweep` it has to say how many processors there are, in one
 * number or several. ST_OK or ST_USAGE.
 */
int logp_take(struct asked *a, bool sweep);

/*
 * A time that an option has, in the unit of the parameters: cycles, else a time with a unit.
 * Reported: any other, and one that is negative. ST_OK or ST_USAGE.
 */
int logp_parse_time(const char *option, const char *text, bool cycles, double *t);

/* Sets the title, "LogP L=6 ..." and `of`, and the record's parameters. */
void logp_describe(struct asked *a, const char *of);

/* The arity of a tree: the i-th of --arity, or the best for it; 0 if its kind has none. */
uint32_t logp_arity(const struct asked *a, const struct logp *p, enum tree_kind kind, size_t i);

int logp_plan(struct asked *a);
void logp_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int logp_plan_reach(struct asked *a);
void logp_fill_reach(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int logp_plan_against(struct asked *a);

#endif
