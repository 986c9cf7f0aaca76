/* SPDX-License-Identifier: Apache-2.0 */
/* Forms: times of messages of any size under LogGP, between two ranks and among many. */
#ifndef NETBENCH_CMD_MODEL_LOGGP_H
#define NETBENCH_CMD_MODEL_LOGGP_H

#include "cmd/model/form.h"

extern const struct form loggp_form, loggp_window_form, loggp_against_form;

/*
 * Takes the parameters that --like and --loggp give, and sets the title, "LogGP L=1 us ...", and
 * the record's parameters. ST_OK or a fault (reported).
 */
int loggp_take(struct asked *a);

/* The options that give the parameters. */
#define LOGGP_OPTIONS "loggp like"

#endif
