/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/logp.h"
#include "cmd/model/rdma.h"
#include "show/model/schedule.h"

/* Limit of processors in a picture. */
#define PICTURE_MOST 4096

/* ---- one message ---- */

static const char *const logp_places[] = { "P0", "P1" };
static const char *const rdma_places[RDMA_PLACES] = { "P0", "P0 NIC", "P1 NIC", "P1" };

static int refuse_tree(const struct model_request *a)
{
	if (a->o->schedule != SCHEDULE_TREE && a->o->schedule != SCHEDULE_DOT)
		return ST_OK;
	return error_usage("a single message is no tree: use '--schedule table' or '--schedule "
			   "svg'");
}

static int plan_rdma(struct model_request *a)
{
	const struct numbers *sizes = &a->plan.sizes;

	if (sizes->n > 1)
		return error_usage("'--schedule' shows one message, but %zu sizes are given",
				   sizes->n);
	text_add(&a->title, ", one %s of %llu B", a->rdma.read ? "read" : "message",
		   (unsigned long long)sizes->v[0]);
	a->places = rdma_places;
	a->nplaces = RDMA_PLACES;
	a->n = stages_rdma(&a->rdma, (double)sizes->v[0], a->stages);
	return refuse_tree(a);
}

static void put_stages(struct model_request *a)
{
	for (const struct stage *s = a->stages; s < a->stages + a->n; s++)
		FORM_ROW(a, val_text(s->name), val_text(a->places[s->at]),
			 val_text(s->to != s->at ? a->places[s->to] : NULL), val_real(s->from),
			 val_real(s->until), val_real(s->until - s->from));
}

static int draw_message(const struct model_request *a)
{
	schedule_put_message(a->title.s, a->stages, a->n, a->places, a->nplaces, a->cycles);
	return ST_OK;
}

/* Sets the members of a form that shows the stages of one message. */
#define STAGES                                                                                     \
	FORM_COLUMNS(COL_STAGE, COL_PLACE, COL_TO_PLACE, COL_BEGINS, COL_ENDS, COL_MODEL_TIME),    \
	FORM_SPARE(COL_TO_PLACE), FORM_HEADS(6, [5] = "takes"), .put_rows = put_stages,            \
	.draw = draw_message

const struct form schedule_rdma_form = {
	FORM_BY("rdma", "example", "schedule", RDMA_OPTIONS " schedule" FORM_SIZED),
	"model.rdma-schedule.v1", .plan = rdma_read_parameters, FORM_SIZES(16), .then = plan_rdma,
	STAGES
};

/* plan_logp switches to this form for a message. */
static const struct form message_form = { .definition = "model.logp-message.v1", STAGES };

/* ---- a broadcast ---- */

static int plan_message(struct model_request *a, enum model_pattern pattern)
{
	const bool algorithm = settings_given(a->st, "algorithm");

	a->form = &message_form;
	if (algorithm || settings_given(a->st, "arity"))
		return error_usage("option '--%s' is for a broadcast, not for '--pattern %s'",
				   algorithm ? "algorithm" : "arity", model_patterns[pattern]);
	text_add(&a->title, pattern == PINGPONG ? ", ping-pong" : ", one message");
	a->places = logp_places;
	a->nplaces = LENGTH(logp_places);
	a->n = stages_logp(&a->logp, pattern == PINGPONG, a->stages);
	return refuse_tree(a);
}

/*
 * Builds the tree that --algorithm and --arity give. Computes when each processor has the message.
 * Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
static int plan_broadcast(struct model_request *a)
{
	const struct logp *p = &a->logp;
	const double A = logp_one_way(p), m = logp_interval(p);
	const enum tree_kind kind = (enum tree_kind)a->o->algorithm;
	const uint32_t k = logp_arity(a, p, kind, 0);

	if (a->o->schedule != SCHEDULE_TABLE && p->P > PICTURE_MOST)
		return error_usage("P=%u processors are too many for a picture: at most %d, or "
				   "'--schedule table'", p->P, PICTURE_MOST);
	a->rows = memory_new(p->P, sizeof(double));
	if (tree_build(&a->tree, kind, k, p->P, A, m))
		return error_report("no memory for a schedule");
	json_object_set_new(a->rec.summary, a->cycles ? "broadcast_cycles" : "broadcast_s",
			    json_real(tree_time(&a->tree, A, m, a->rows)));
	if (k)
		text_add(&a->title, ", %u%s broadcast", k, tree_names[kind] + strlen("k"));
	else
		text_add(&a->title, ", %s broadcast", tree_names[kind]);
	return ST_OK;
}

static int plan_logp(struct model_request *a)
{
	const struct model_values *o = a->o;
	const enum model_pattern pattern = o->patterns.n ? (enum model_pattern)o->patterns.v[0]
							 : BROADCAST;
	const bool message = pattern == PINGPONG || pattern == ONE_WAY;
	int err;

	if (!o->schedule && o->patterns.n)
		return error_usage("option '--pattern' is only for '--schedule'");
	if (!o->schedule) {
		a->form = &logp_form;
		return a->form->plan(a);
	}
	if (o->patterns.n > 1 || (!message && pattern != BROADCAST))
		return error_usage("'--schedule' shows one pattern: one-way, ping-pong or "
				   "broadcast");
	err = logp_read_parameters(a, !message);
	if (!err && !message && (a->processors.n > 1 || o->arities.n > 1))
		err = error_usage("'--schedule' shows one broadcast: give '%s' only one value",
				  a->processors.n > 1 ? "P" : "--arity");
	if (!err)
		err = settings_exclude(a->st, "schedule", "messages");
	if (err)
		return err;
	return message ? plan_message(a, pattern) : plan_broadcast(a);
}

static void put_informed(struct model_request *a)
{
	const double *informed = a->rows, A = logp_one_way(&a->logp);

	for (uint32_t v = 0; v < a->tree.n; v++)
		FORM_ROW(a, val_uint(v), v ? val_uint(a->tree.parent[v]) : FORM_NONE,
			 v ? val_real(informed[v] - A) : FORM_NONE, val_real(informed[v]));
}

static int draw_broadcast(const struct model_request *a)
{
	const struct broadcast b = { a->title.s, &a->logp, &a->tree, a->rows, a->cycles };

	(a->o->schedule == SCHEDULE_TREE  ? schedule_put_tree
	 : a->o->schedule == SCHEDULE_DOT ? schedule_put_dot
					  : schedule_put_svg)(&b);
	return ST_OK;
}

const struct form schedule_logp_form = {
	FORM_BY("logp", NULL, "schedule", "logp schedule algorithm arity messages pattern"),
	"model.logp-schedule.v1",
	FORM_COLUMNS(COL_RECEIVER, COL_SENDER, COL_SENT, COL_INFORMED), .plan = plan_logp,
	.put_rows = put_informed, .draw = draw_broadcast
};
