/* SPDX-License-Identifier: Apache-2.0 */
/* What a network should reach, by formula: the forms in which it can be asked for. */
#include "base/error.h"
#include "cmd/model/against.h"
#include "cmd/model/board.h"
#include "cmd/model/fft.h"
#include "cmd/model/loggp.h"
#include "cmd/model/logp.h"
#include "cmd/model/measure.h"
#include "cmd/model/rdma.h"
#include "cmd/model/refit.h"
#include "cmd/model/schedule.h"

static int run(const struct settings *st);

/* Of a form: the option that selects it, another one that does, and one that it needs besides. */
#define BY(its_option, its_other, its_with, its_options)                                           \
	.mode = { .by = { its_option, its_other, NULL, its_with, model_options, its_options },     \
		  .run = run }
#define SIZED " sizes max-size min-size"
#define LOGGPS "loggp like"
#define RDMAS "rdma like reads example serial"

#define COLUMNS(...)                                                                               \
	.cols = (const enum column_id[]){ __VA_ARGS__ },                                           \
	.ncols = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
#define SPARE(...)                                                                                 \
	.spare = (const enum column_id[]){ __VA_ARGS__ },                                          \
	.nspare = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
/* So many columns, and the headings of some. */
#define HEADS(n, ...) .heads = (const char *const[n]){ __VA_ARGS__ }

/* What reads a result: its columns depend on that, those that it can do without do not. */
#define AGAINST(by, member)                                                                        \
	.then = against_plan, .fill = against_fill, .predict = (by),                               \
	.model = offsetof(struct asked, member),                                                   \
	SPARE(COL_WINDOW, COL_CREDITS, COL_STAGES, COL_SOURCES, COL_DESTINATIONS, COL_ALGORITHM)

/* The stages of one message. */
#define STAGES                                                                                     \
	COLUMNS(COL_STAGE, COL_PLACE, COL_TO_PLACE, COL_BEGINS, COL_ENDS, COL_MODEL_TIME),         \
	SPARE(COL_TO_PLACE), HEADS(6, [5] = "takes"), .fill = schedule_fill_stage,                 \
	.draw = schedule_draw_message

/* A form that is more special stands before the one that has the same first option alone. */
enum {
	FIT, BOARD_AGAINST, BOARD, LOGP_SCHEDULE, LOGP_REACH, LOGP_FFT, LOGP_AGAINST, LOGP,
	RDMA_SCHEDULE, RDMA_AGAINST, RDMA, LOGGP_FFT, LOGGP_AGAINST, LOGGP_WINDOW, LOGGP,
	LOGP_MESSAGE, NFORMS,
};

static const struct form forms[NFORMS] = {
	[FIT] = {
		BY("fit", NULL, NULL, "fit"), "loggp.v2", fitted_cols, FITTED_NCOLS,
		.plan = refit_plan, .fill = refit_fill,
	},
	[BOARD_AGAINST] = {
		BY("board", NULL, "against", "board against serial"), "model.channel-against.v1",
		AGAINST(predict_board, board), .plan = board_plan,
	},
	[BOARD] = {
		BY("board", NULL, NULL, "board cards serial" SIZED), "model.channel.v1",
		COLUMNS(COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD,
			COL_MODEL_BANDWIDTH),
		.plan = board_plan, .fill = board_fill,
	},
	[LOGP_SCHEDULE] = {
		BY("logp", NULL, "schedule", "logp schedule algorithm arity messages pattern"),
		"model.logp-schedule.v1",
		COLUMNS(COL_RECEIVER, COL_SENDER, COL_SENT, COL_INFORMED), .plan = schedule_plan,
		.fill = schedule_fill, .draw = schedule_draw,
		.other = { &forms[LOGP], &forms[LOGP_MESSAGE] },
	},
	[LOGP_REACH] = {
		BY("logp", NULL, "reach", "logp reach"), "model.logp-reach.v1",
		COLUMNS(COL_AFTER, COL_PROCESSORS, COL_LEAST, COL_MOST, COL_LECTURE_LEAST,
			COL_LECTURE_MOST),
		.plan = logp_plan_reach, .fill = logp_fill_reach,
	},
	[LOGP_FFT] = {
		BY("logp", NULL, "fft", "logp fft butterfly picture"), "model.logp-fft.v1",
		COLUMNS(COL_LAYOUT, COL_RANKS, COL_MODEL_TIME, COL_LECTURE, COL_COMPUTING,
			COL_TOTAL, COL_BUTTERFLIES, COL_REMAPS, COL_REMARK),
		SPARE(COL_REMARK, COL_REMAPS, COL_BUTTERFLIES),
		HEADS(9, [1] = "P", [2] = "communication"), .plan = fft_plan_logp,
		.fill = fft_fill_logp, .draw = fft_draw,
	},
	[LOGP_AGAINST] = {
		BY("logp", NULL, "against", "logp against"), "model.logp-against.v1",
		AGAINST(predict_loggp, loggp), .plan = logp_plan_against,
	},
	[LOGP] = {
		BY("logp", NULL, NULL, "logp algorithm arity messages"), "model.logp.v1",
		COLUMNS(COL_PATTERN, COL_ALGORITHM, COL_RANKS, COL_ARITY, COL_MESSAGES,
			COL_MODEL_TIME, COL_UPPER, COL_LECTURE, COL_REMARK),
		SPARE(COL_REMARK, COL_MESSAGES, COL_UPPER), HEADS(9, [2] = "P"),
		.plan = logp_plan, .fill = logp_fill,
	},
	[RDMA_SCHEDULE] = {
		BY("rdma", "example", "schedule", RDMAS " schedule" SIZED),
		"model.rdma-schedule.v1", STAGES, .plan = rdma_plan,
	},
	[RDMA_AGAINST] = {
		BY("rdma", "example", "against", RDMAS " against"), "model.rdma-against.v2",
		AGAINST(predict_rdma, rdma), .plan = rdma_plan,
	},
	[RDMA] = {
		BY("rdma", "example", NULL, RDMAS " window batch" SIZED), "model.rdma.v2",
		COLUMNS(COL_CONFIGURATION, COL_WINDOW, COL_BATCH, COL_SIZE, COL_MODEL_TIME,
			COL_MODEL_RATE, COL_MODEL_BANDWIDTH, COL_BINDING, COL_MODEL_RTT, COL_KNEE),
		SPARE(COL_KNEE, COL_MODEL_RTT, COL_CONFIGURATION),
		HEADS(10, [4] = "latency", [6] = "B/s"), .plan = rdma_plan, .fill = rdma_fill,
	},
	[LOGGP_FFT] = {
		BY("loggp", "like", "fft", LOGGPS " fft butterfly picture" SIZED),
		"model.loggp-fft.v1",
		COLUMNS(COL_POINT_SIZE, COL_LAYOUT, COL_MODEL_TIME, COL_COMPUTING, COL_TOTAL,
			COL_REMARK),
		HEADS(6, [2] = "communication"), .plan = fft_plan_loggp, .fill = fft_fill_loggp,
		.draw = fft_draw,
	},
	[LOGGP_AGAINST] = {
		BY("loggp", "like", "against", LOGGPS " against"), "model.loggp-against.v1",
		AGAINST(predict_by_size, pieces), .plan = loggp_plan_against,
		.other = { &forms[RDMA_AGAINST] },
	},
	[LOGGP_WINDOW] = {
		BY("loggp", "like", "window", LOGGPS " window ack" SIZED), "model.loggp-window.v1",
		COLUMNS(COL_ACK, COL_WINDOW, COL_SIZE, COL_MODEL_RATE, COL_MODEL_BANDWIDTH,
			COL_BINDING, COL_MODEL_RTT, COL_KNEE),
		SPARE(COL_KNEE, COL_MODEL_RTT), HEADS(8, [4] = "B/s"), .plan = loggp_plan_window,
		.fill = loggp_fill_window, .other = { &forms[RDMA] },
	},
	[LOGGP] = {
		BY("loggp", "like", NULL, LOGGPS " messages pattern segment destinations credits "
		   "occupation" SIZED), "model.loggp.v1",
		COLUMNS(COL_PATTERN, COL_ALGORITHM, COL_SIZE, COL_RANKS, COL_MESSAGES,
			COL_SEGMENT_SIZE, COL_MODEL_TIME, COL_MODEL_FREQUENCY, COL_REMARK),
		SPARE(COL_REMARK, COL_SEGMENT_SIZE, COL_MESSAGES), .plan = loggp_plan,
		.fill = loggp_fill, .other = { &forms[RDMA] },
	},
	/* LOGP_SCHEDULE turns to it */
	[LOGP_MESSAGE] = { .definition = "model.logp-message.v1", STAGES },
};

static int run(const struct settings *st)
{
	const struct form *form = forms;

	while (&form->mode.by != st->mode)
		form++;
	return form_run(form, st);
}

static int report_none(const struct settings *st, int n, char **operands)
{
	(void)st;
	(void)n;
	(void)operands;
	return error_usage("no model is asked for: which of '--fit', '--board', '--logp', "
			   "'--loggp', '--rdma'?");
}

/* In the order of the table, after the one that measures. */
#define MODE(form) &forms[form].mode
static const struct mode *const modes[] = {
	&model_measure, MODE(FIT), MODE(BOARD_AGAINST), MODE(BOARD), MODE(LOGP_SCHEDULE),
	MODE(LOGP_REACH), MODE(LOGP_FFT), MODE(LOGP_AGAINST), MODE(LOGP), MODE(RDMA_SCHEDULE),
	MODE(RDMA_AGAINST), MODE(RDMA), MODE(LOGGP_FFT), MODE(LOGGP_AGAINST), MODE(LOGGP_WINDOW),
	MODE(LOGGP), NULL,
};

const struct command cmd_model = {
	.name = "model",
	.summary = "what a network should reach, by formula",
	.options = model_options,
	.options_size = sizeof(struct model_values),
	.lead = "board loggp measure against output",
	.output = true,
	.modes = modes,
	.run = report_none,
};
