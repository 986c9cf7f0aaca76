/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of `model` for LogGP: times of messages of any size, between two ranks and among many. */
#ifndef NETBENCH_CMD_MODEL_LOGGP_H
#define NETBENCH_CMD_MODEL_LOGGP_H

#include "cmd/model/form.h"

extern const struct form loggp_form, loggp_window_form, loggp_against_form;

/*
 * Reads the parameters that --like and --loggp give. Sets the title ("LogGP L=1 us ...") and the
 * record's parameters. Returns ST_OK or an error (reported).
 */
int loggp_read_parameters(struct model_request *a);

/* Names of the options that give LogGP's parameters. */
#define LOGGP_OPTIONS "loggp like"

#endif
