/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a model with the rows of a result: the measured and the predicted times, and their
 * ratio.
 */
#ifndef NETBENCH_CMD_MODEL_AGAINST_H
#define NETBENCH_CMD_MODEL_AGAINST_H

#include "cmd/model/form.h"

/* The members of a form that compares a result with the model at `member` of struct asked. */
#define FORM_AGAINST(its_predict, member)                                                          \
	.then = against_plan, .predict = (its_predict), .model = offsetof(struct asked, member),   \
	.put_rows = against_put_rows,                                                              \
	FORM_SPARE(COL_WINDOW, COL_CREDITS, COL_STAGES, COL_SOURCES, COL_DESTINATIONS,             \
		   COL_ALGORITHM)

/*
 * Predicts the rows of the result --against by form->predict, and plans a table of all rows with a
 * prediction. Its lines in the footer come before the ones already there. ST_OK or a fault
 * (reported).
 */
int against_plan(struct asked *a);
void against_put_rows(struct asked *a);

#endif
