/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of `model` for LogGP: times of messages of any size, between two ranks and among many. */
#ifndef NETBENCH_CMD_MODEL_LOGGP_H
#define NETBENCH_CMD_MODEL_LOGGP_H

#include "cmd/model/form.h"

extern const struct form loggp_form, loggp_window_form, loggp_against_form;

/*
 * Returns the segment size of --segment, limited to the message size k. For `auto`, returns the
 * best segment size for a->ranks ranks.
 */
uint64_t loggp_segment(const struct model_request *a, uint64_t k,
		       uint64_t (*best)(const struct loggp *p, uint64_t k, uint64_t P));

/*
 * Reads the parameters that --like and --loggp give. Sets the title ("LogGP L=1 us ...") and the
 * record's parameters. Returns ST_OK or an error (reported).
 */
int loggp_read_parameters(struct model_request *a);

/*
 * Checks the number of rows, with one row for each algorithm, size and number of ranks. Returns
 * ST_OK, or ST_USAGE if there are none or too many (reported).
 */
int loggp_check_rows(const struct model_request *a, size_t algorithms);

/* Names of the options that give LogGP's parameters. */
#define LOGGP_OPTIONS "loggp like"
/* Names of all options of the forms that compute patterns. */
#define LOGGP_PATTERN_OPTIONS                                                                      \
	LOGGP_OPTIONS " messages pattern algorithm segment destinations credits occupation"        \
		FORM_SIZED

#endif
