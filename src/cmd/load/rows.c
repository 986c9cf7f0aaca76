/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "measure/sink/sink.h"
#include "result/document.h"

#define MOST_FAILED 0.1 /* a row has no factor if a larger share of its pairs of epochs failed */
/* a rate is saturated if fewer than this share of the due events end */
#define CARRIED 0.98
#define NOTE 80

/* Sets the cells of a value and of its bounds. */
static void put_estimate(struct row *row, const struct record *rec, enum column_id id,
			 const struct bounded *e)
{
	ROW_PUT(row, rec, { id, val_real(e->value) }, { id + 1, val_real(e->lo) },
		{ id + 2, val_real(e->hi) });
}

/* Sets the cells of times: four quantiles with their bounds, the mean and the maximum. */
static void put_times(struct row *row, const struct record *rec, enum column_id id,
		      const struct load_times *t)
{
	for (int q = 0; q < LOAD_QUANTILES; q++)
		put_estimate(row, rec, id + 3 * (enum column_id)q, &t->quantile[q]);
	ROW_PUT(row, rec, { id + 3 * LOAD_QUANTILES, val_real(t->mean) },
		{ id + 3 * LOAD_QUANTILES + 1, val_real(t->max) });
}

static void put_arguments(struct row *row, const struct record *rec, const struct load_point *p)
{
	const struct load_args *a = &p->args;

	ROW_PUT(row, rec, { COL_VICTIM, val_text(load_victim_names[a->victim]) },
		{ COL_AGGRESSOR, val_text(p->aggressor) },
		{ COL_LOOP, val_text(a->rate > 0 ? "open" : "closed") },
		{ COL_RATE_ASKED, val_real(a->rate > 0 ? a->rate : NAN) },
		{ COL_LOAD_ASKED, val_real(p->level) },
		{ COL_WINDOW, val_uint(a->window) },
		{ COL_SIZE, val_uint(a->victim_size) });
}

void load_label(const struct session *s, const struct spec *spec, struct row *row)
{
	put_arguments(row, &s->sink->record, spec->own);
}

/* Puts a list of ranks into the summary, such as "0,7". */
static void record_ranks(struct session *s, const char *name, const int *rank, int n)
{
	json_t *ranks = json_array();
	char *list;

	for (int i = 0; i < n; i++)
		json_array_append_new(ranks, json_integer(rank[i]));
	list = join_list(ranks, ",");
	json_object_set_new(s->sink->record.summary, name, json_string(list));
	free(list);
	json_decref(ranks);
}

void load_record_roles(struct session *s, const struct cast *c)
{
	record_ranks(s, "victims", c->victim, c->nvictims);
	record_ranks(s, "aggressors", c->aggressor, c->naggressors);
}

/* By chance, some events that are due in an epoch end after it: about one or two an epoch. */
static bool is_saturated(const struct load_point *p, const struct load_result *res)
{
	double due = (double)res->worst.due, missing = due - (double)res->worst.ended;

	return p->args.rate > 0 && missing > (1 - CARRIED) * due + 2 * sqrt((double)res->epochs);
}

static bool misses_load(const struct load_result *res)
{
	return (double)res->failed > MOST_FAILED * (double)(res->epochs + res->failed);
}

/* Writes to `note` why a row has no factor, or "" if it has one. */
static void write_note(const struct load_point *p, const struct load_result *res, char note[NOTE])
{
	*note = '\0';
	if (misses_load(res) && load_is_judged(p))
		snprintf(note, NOTE, "load %.2f of %.2f", res->missed, p->level);
	else if (misses_load(res) && !(res->load.value > 0))
		snprintf(note, NOTE, "aggressors delivered nothing in an epoch");
	else if (misses_load(res))
		snprintf(note, NOTE, "an aggressor posted %.2f of what it could", res->missed);
	else if (is_saturated(p, res))
		snprintf(note, NOTE, "saturated");
	else if (res->epochs < FEWEST_REPETITIONS)
		snprintf(note, NOTE, "fewer than %d pairs of epochs", FEWEST_REPETITIONS);
	else if (p->args.victim != VICTIM_BANDWIDTH && isnan(res->worst.factor[LOAD_P50].value))
		snprintf(note, NOTE, "too few events in an epoch");
}

static void remember_worst(struct load_stage *stage, const struct load_point *p,
			   const struct load_result *res)
{
	const struct load_found *f = &res->worst;
	bool tail = !isnan(f->factor[LOAD_P99].value);
	const struct bounded *e = p->args.victim == VICTIM_BANDWIDTH ? &f->rate_factor
				   : tail			      ? &f->factor[LOAD_P99]
								      : &f->factor[LOAD_P50];

	if (isnan(e->value) || !(p->level > 0) ||
	    (stage->worst && e->value <= stage->factor.value))
		return;
	stage->worst = p;
	stage->factor = *e;
	stage->rank = res->worst_rank;
	stage->by_tail = tail;
}

void load_write_row(struct session *s, const struct load_point *p, struct load_stage *stage,
		    const struct load_result *res)
{
	const struct record *rec = &s->sink->record;
	const struct load_found *f = &res->worst;
	bool bandwidth = p->args.victim == VICTIM_BANDWIDTH, saturated = is_saturated(p, res);
	char note[NOTE], placement[48];
	struct row row = { .samples = res->samples };

	write_note(p, res, note);
	snprintf(placement, sizeof(placement), "%s, seed %llu", load_place_names[stage->place],
		 (unsigned long long)stage->seed);
	put_arguments(&row, rec, p);
	ROW_PUT(&row, rec, { COL_PLACEMENT, val_text(stage->named ? "named" : placement) },
		{ COL_SHARES_HOST, val_text(stage->shares ? "host" : NULL) },
		{ COL_UNANSWERED, val_uint(f->unanswered) },
		{ COL_BACKLOG, val_uint(f->backlog_most) },
		{ COL_LATE_SENDS, val_uint(f->late_sends) }, { COL_EPOCHS, val_uint(res->epochs) },
		{ COL_CHECKED, val_uint(res->checked) }, { COL_ERRORS, val_uint(res->errors) },
		{ COL_NOTE, val_text(*note ? note : NULL) });
	put_estimate(&row, rec, COL_RATE_ACHIEVED, &f->rate);
	put_estimate(&row, rec, COL_LOAD_ACHIEVED, &res->load);
	if (!saturated) {
		put_times(&row, rec, COL_LATENCY_P50, &f->latency);
		put_times(&row, rec, COL_QUIET_P50, &f->quiet);
		put_times(&row, rec, COL_SERVICE_P50, &f->service);
	}
	stage->failed += saturated || misses_load(res);
	if (!saturated && !misses_load(res)) {
		put_estimate(&row, rec, COL_FACTOR_P50,
			     bandwidth ? &f->rate_factor : &f->factor[LOAD_P50]);
		put_estimate(&row, rec, COL_FACTOR_P99, &f->factor[LOAD_P99]);
		remember_worst(stage, p, res);
	}
	sink_write_row(s, &row);
}

void load_conclude(struct session *s, const struct load_stage *stage)
{
	const struct load_point *p = stage->worst;
	const char *what = "";
	char bounds[64] = "";

	if (stage->failed)
		sink_add_footer(s, "\n%llu row%s without a factor: see 'note'",
			    (unsigned long long)stage->failed, stage->failed == 1 ? "" : "s");
	if (!p)
		return;
	if (!isnan(stage->factor.lo) && stage->factor.lo <= 1) {
		sink_add_footer(s, "\nno victim is slowed beyond its interval");
		return;
	}
	what = p->args.victim == VICTIM_BANDWIDTH ? "its bandwidth is lower"
	       : stage->by_tail			  ? "the 99 % point of its times is longer"
						  : "its median time is longer";
	if (!isnan(stage->factor.lo))
		snprintf(bounds, sizeof(bounds), " (%s to %s)", plain(stage->factor.lo, 3).s,
			 plain(stage->factor.hi, 3).s);
	sink_add_footer(s, "\nworst victim: %s of rank %d, beside %s at %.0f %% load: ",
			load_victim_names[p->args.victim], stage->rank, p->aggressor,
			100 * p->level);
	sink_add_footer(s, "%s by a factor of %s%s", what, plain(stage->factor.value, 3).s,
			bounds);
}
