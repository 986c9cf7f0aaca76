/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command `model` with all its forms. The command computes times and rates that a network
 * should reach from formulas.
 */
#include "base/error.h"
#include "cmd/model/board.h"
#include "cmd/model/fft.h"
#include "cmd/model/loggp.h"
#include "cmd/model/logp.h"
#include "cmd/model/measure.h"
#include "cmd/model/operations.h"
#include "cmd/model/rdma.h"
#include "cmd/model/refit.h"
#include "cmd/model/schedule.h"

static int report_no_model(const struct settings *st, int n, char **operands)
{
	return error_usage("no model given: use '--fit', '--board', '--logp', '--loggp' or "
			   "'--rdma'");
}

/*
 * If the options select several forms, the first one applies. Special forms therefore come before
 * general ones.
 */
static const struct mode *const modes[] = {
	&model_measure, &refit_form.mode, &board_against_form.mode, &board_form.mode,
	&schedule_logp_form.mode, &logp_reach_form.mode, &fft_logp_form.mode,
	&logp_against_form.mode, &logp_form.mode, &schedule_rdma_form.mode,
	&rdma_against_form.mode, &rdma_form.mode, &fft_loggp_form.mode, &loggp_against_form.mode,
	&loggp_window_form.mode, &operations_form.mode, &loggp_form.mode, NULL
};

const struct command cmd_model = {
	.name = "model",
	.summary = "what a network should reach, by formula",
	.options = model_options,
	.options_size = sizeof(struct model_values),
	.lead = "board loggp measure against output",
	.output = true,
	.modes = modes,
	.run = report_no_model,
};
