/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a model with the rows of a result. Each row gets the measured and the predicted time,
 * and their ratio.
 */
#ifndef NETBENCH_CMD_MODEL_AGAINST_H
#define NETBENCH_CMD_MODEL_AGAINST_H

#include "cmd/model/form.h"

/*
 * Sets the members of a form that compares a result with a model. The model is `member` of struct
 * model_request. fn predicts the time of a row.
 */
#define FORM_AGAINST(fn, member)                                                                   \
	.then = plan_comparison, .predict = (fn), .model = offsetof(struct model_request, member), \
	.put_rows = against_put_rows,                                                              \
	FORM_SPARE(COL_WINDOW, COL_CREDITS, COL_STAGES, COL_SOURCES, COL_DESTINATIONS,             \
		   COL_ALGORITHM)

/*
 * Predicts the rows of the result of --against with form->predict. Plans a table of all rows with a
 * prediction. Inserts the lines about the comparison before the existing lines of the footer.
 * Returns ST_OK or an error (reported).
 */
int plan_comparison(struct model_request *a);
void against_put_rows(struct model_request *a);

#endif
