/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/logp.h"
#include "show/model/broadcast.h"
#include "show/model/timeline.h"

/* Processors in a picture. */
#define PICTURE_MOST 4096

/* ---- one message ---- */

/* A message of n stages. */
static int plan_message(struct asked *a, const char *const *places, unsigned nplaces, size_t n)
{
	a->places = places;
	a->nplaces = nplaces;
	a->n = n;
	if (a->o->schedule == SCHEDULE_TREE || a->o->schedule == SCHEDULE_DOT)
		return error_usage("a single message is no tree: use '--schedule table' or "
				   "'--schedule svg'");
	return ST_OK;
}

int schedule_plan_rdma(struct asked *a)
{
	static const char *const places[RDMA_PLACES] = { "P0", "P0 NIC", "P1 NIC", "P1" };
	static const uint64_t usual[] = { 16 };
	const struct numbers *sizes = &a->plan.sizes;
	size_t len = strlen(a->title);
	int err = form_sizes(a, usual, LENGTH(usual));

	if (err)
		return err;
	if (sizes->n > 1)
		return error_usage("'--schedule' is of one message, and %zu sizes are given",
				   sizes->n);
	snprintf(a->title + len, sizeof(a->title) - len, ", one %s of %llu B",
		 a->rdma.read ? "read" : "message", (unsigned long long)sizes->v[0]);
	return plan_message(a, places, LENGTH(places),
			    stages_rdma(&a->rdma, (double)sizes->v[0], a->stages));
}

void schedule_fill_stage(const struct asked *a, size_t i, const struct record *rec,
			 struct row *row)
{
	const struct stage *s = &a->stages[i];

	ROW_PUT(row, rec, { COL_STAGE, val_text(s->name) },
		{ COL_PLACE, val_text(a->places[s->at]) },
		{ COL_TO_PLACE, form_text(s->to != s->at ? a->places[s->to] : NULL) },
		{ COL_BEGINS, val_real(s->from) }, { COL_ENDS, val_real(s->until) },
		{ COL_MODEL_TIME, val_real(s->until - s->from) });
}

int schedule_draw_message(const struct asked *a)
{
	timeline_put_message(a->title, a->stages, a->n, a->places, a->nplaces, a->cycles);
	return ST_OK;
}

/* ---- a broadcast ---- */

/* Its tree, and when each processor has the message, as rows. */
static int build(struct asked *a)
{
	const struct logp *p = &a->logp;
	const double A = logp_one_way(p), m = logp_interval(p);
	const enum tree_kind kind = (enum tree_kind)a->o->algorithm;
	const uint32_t k = logp_arity(a, p, kind, 0);
	char of[64];

	a->rows = calloc(p->P, sizeof(double));
	if (tree_build(&a->tree, kind, k, p->P, A, m) || !a->rows)
		return error_report("no memory for a schedule");
	json_object_set_new(a->rec.summary, a->cycles ? "broadcast_cycles" : "broadcast_s",
			    json_real(tree_time(&a->tree, A, m, a->rows)));
	if (k)
		snprintf(of, sizeof(of), ", %u%s broadcast", k, tree_names[kind] + strlen("k"));
	else
		snprintf(of, sizeof(of), ", %s broadcast", tree_names[kind]);
	logp_describe(a, of);
	a->n = p->P;
	return ST_OK;
}

int schedule_plan(struct asked *a)
{
	static const char *const places[] = { "P0", "P1" };
	const struct model_values *o = a->o;
	const uint64_t pattern = o->patterns.n ? o->patterns.v[0] : BROADCAST;
	const bool message = pattern == PINGPONG || pattern == ONE_WAY;
	int err;

	if (!o->schedule && o->patterns.n)
		return error_usage("option '--pattern' goes with '--schedule'");
	if (!o->schedule) {
		a->form = a->form->other[0];
		return a->form->plan(a);
	}
	if (o->patterns.n > 1 || (!message && pattern != BROADCAST))
		return error_usage("'--schedule' is of one pattern: one-way, ping-pong or "
				   "broadcast");
	err = logp_take(a, !message);
	if (!err && !message && (a->processors.n > 1 || o->arities.n > 1))
		err = error_usage("'--schedule' is of one broadcast: give '%s' one value",
				  a->processors.n > 1 ? "P" : "--arity");
	if (!err)
		err = settings_exclude(a->st, "schedule", "messages");
	if (err)
		return err;
	if (message) {
		const bool back = pattern == PINGPONG;
		const bool algorithm = settings_given(a->st, "algorithm");

		a->form = a->form->other[1];
		if (algorithm || settings_given(a->st, "arity"))
			return error_usage("option '--%s' is for a broadcast, not for "
					   "'--pattern %s'", algorithm ? "algorithm" : "arity",
					   model_patterns[pattern]);
		logp_describe(a, back ? ", ping-pong" : ", one message");
		return plan_message(a, places, LENGTH(places),
				    stages_logp(&a->logp, back, a->stages));
	}
	if (o->schedule != SCHEDULE_TABLE && a->logp.P > PICTURE_MOST)
		return error_usage("P=%u processors are too many for a picture: at most %d, or "
				   "'--schedule table'", a->logp.P, PICTURE_MOST);
	return build(a);
}

static struct broadcast broadcast_of(const struct asked *a)
{
	return (struct broadcast){ a->title, &a->logp, &a->tree, a->rows, a->cycles };
}

void schedule_fill(const struct asked *a, size_t v, const struct record *rec, struct row *row)
{
	const struct broadcast b = broadcast_of(a);

	ROW_PUT(row, rec, { COL_RECEIVER, val_uint(v) }, { COL_INFORMED, val_real(b.informed[v]) });
	if (v)
		ROW_PUT(row, rec, { COL_SENDER, val_uint(a->tree.parent[v]) },
			{ COL_SENT, val_real(broadcast_sent(&b, (uint32_t)v)) });
}

int schedule_draw(const struct asked *a)
{
	const struct broadcast b = broadcast_of(a);

	return a->o->schedule == SCHEDULE_TREE ? broadcast_put_tree(&b)
	       : a->o->schedule == SCHEDULE_DOT ? broadcast_put_dot(&b)
						: broadcast_put_svg(&b);
}
