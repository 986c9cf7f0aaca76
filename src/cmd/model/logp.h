/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of `model` for LogP: times of short messages and of broadcasts, and the number of
 * processors that a broadcast reaches.
 */
#ifndef NETBENCH_CMD_MODEL_LOGP_H
#define NETBENCH_CMD_MODEL_LOGP_H

#include "cmd/model/form.h"

extern const struct form logp_form, logp_reach_form, logp_against_form;

/*
 * Parses the parameters of --logp. Sets the title ("LogP L=6 ...") and the record's parameters. If
 * `sweep`, at least one number of processors is required. Returns ST_OK or ST_USAGE (reported).
 */
int logp_read_parameters(struct model_request *a, bool sweep);

/*
 * Parses the time of an option: a number of cycles if `cycles`, else a time with a unit. Returns
 * ST_OK, or ST_USAGE for a negative or malformed value (reported).
 */
int logp_parse_time(const char *option, const char *text, bool cycles, double *t);

/*
 * Returns the arity of a tree: the i-th of --arity, by default the best one. Returns 0 for kinds of
 * trees without arity.
 */
uint32_t logp_arity(const struct model_request *a, const struct logp *p, enum tree_kind kind,
		    size_t i);

#endif
