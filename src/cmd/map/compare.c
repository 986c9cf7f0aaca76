/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/map/change/chance.h"
#include "base/error.h"
#include "cmd/map/rows.h"
#include "result/document.h"
#include "show/map/change_words.h"
#include "show/map/summary.h"
#include "show/map/words.h"

static const char *const verdict_history_keys[NHAD] = {
	"verdicts_new", "verdicts_gone", "verdicts_still"
};

static const enum column_id columns_of[] = {
	COL_SENDER_HOST, COL_RECEIVER_HOST, COL_SIZE, COL_COMPARED, COL_COMPARED + 1,
	COL_COMPARED + 2, COL_COMPARED + 3, COL_COMPARED_RATIO, COL_COMPARED_LO, COL_COMPARED_HI,
	COL_METHOD, COL_VERDICT, COL_REMARK,
};

/* ---- the summary ---- */

/*
 * Makes the JSON object of a shift. It is a shift of the whole network or, with a kind and a
 * subject, of a verdict. Takes over the reference `subject`. Returns a new reference.
 */
static json_t *shift_json(const char *kind, json_t *subject, enum quantity q,
			  const struct shift *s)
{
	struct ratio_of_two r = ratios_from_shift(q, s);
	enum changed f = shift_outcome(s);

	return json_pack("{s:s*, s:o*, s:s, s:o, s:o, s:o, s:s?}", "kind", kind, "subject",
			 subject, "quantity", quantity_names[q].verdict,
			 "ratio", real_or_null(r.ratio), "ratio_lo", real_or_null(r.lo),
			 "ratio_hi", real_or_null(r.hi), "verdict", f ? changed_names[f] : NULL);
}

/* Returns the names of n hosts of study s (new reference). */
static json_t *host_names(const struct study *s, const uint32_t *hosts, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_string(s->name[hosts[i]]));
	return list;
}

/* Adds a change. Takes over the text. */
static void add_change(struct comparison *to, char *text, double slower)
{
	to->change = memory_grow(to->change, to->nchanges, sizeof(*to->change));
	to->change[to->nchanges++] = (struct change){ text, slower };
}

static void add_verdict_change(struct comparison *to, const struct changes *c,
			      const struct change_of *of, const struct map_verdict *v, bool faster)
{
	struct shift s = change_shift(c, of, v, faster), beside = change_relative(v, faster);
	char *text = change_sentence(c, of, v, faster);
	enum changed f;
	json_t *one;

	one = shift_json(map_kind_names[v->cause.kind],
			 summary_subject(c->name, &v->cause, v), of->quantity, &s);
	if (verdict_is_of_pair(v))
		json_object_set_new(one, "ratio_beside",
				    real_or_null(ratios_from_shift(of->quantity, &beside).ratio));
	json_object_set_new(one, "confidence", json_string(verdict_confidence(v)));
	json_object_set_new(one, "text", json_string(text));
	json_array_append_new(json_object_get(to->summary, "changes"), one);
	f = shift_outcome(&s);
	if (v->or.kind || (f != CHANGED_SLOWER && f != CHANGED_FASTER))
		free(text);
	else
		add_change(to, text, exp(-s.by));
}

/* ---- the comparison ---- */

/*
 * Adds the change of the whole network. Then adds the changes of hosts, groups and pairs beyond
 * that change.
 */
static void add_quantity_changes(struct comparison *to, const struct changes *c,
				const struct change_of *of, struct totals *t)
{
	enum changed f = shift_outcome(&of->network);
	char *text = NULL;
	FILE *out;

	json_array_append_new(json_object_get(to->summary, "network"),
			      shift_json(NULL, NULL, of->quantity, &of->network));
	if (f == CHANGED_SLOWER || f == CHANGED_FASTER) {
		out = text_open(&text);
		fprintf(out, "the whole network, %s: ", quantity_names[of->quantity].verdict);
		change_put_ratio(out, of->quantity, &of->network);
		add_change(to, memory_or_exit(text_close(out, &text)), exp(-of->network.by));
	}
	count_changes(c, of, t);
	json_array_append_new(json_object_get(to->summary, "pairs"),
			      json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:f}", "quantity",
					quantity_names[of->quantity].verdict,
					"faster", (json_int_t)t->of[CHANGED_FASTER],
					"slower", (json_int_t)t->of[CHANGED_SLOWER],
					"no_difference_seen", (json_int_t)t->of[CHANGED_NOT],
					"without_verdict", (json_int_t)t->of[CHANGED_UNKNOWN],
					"named", (json_int_t)t->named,
					"expected_by_chance",
					CHANGE_CHANCE * (double)t->named));
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < of->found[k].n; i++)
			add_verdict_change(to, c, of, &of->found[k].at[i], k);
}

static int compare_maps(struct comparison *to)
{
	struct changes *c = memory_new(1, sizeof(*c));
	struct totals total[NQUANTITIES] = { 0 };
	json_t *had[NHAD];
	int err;

	to->own = c;
	err = changes_make(c, to->doc, to->path, to->measure);
	if (err)
		return err;
	match_verdicts(had, to->doc);
	to->cols = columns_of;
	to->ncols = LENGTH(columns_of);
	to->no_verdict = words_reason(c->of[0].found[0].why);
	to->summary = json_pack("{s:i, s:o, s:o, s:[], s:[], s:[]}", "hosts", (int)c->n,
				"hosts_only_in_a", host_names(&c->s[A], c->only[A], c->nonly[A]),
				"hosts_only_in_b", host_names(&c->s[B], c->only[B], c->nonly[B]),
				"network", "changes", "pairs");
	for (int k = 0; k < NHAD; k++)
		json_object_set_new(to->summary, verdict_history_keys[k], had[k]);
	for (size_t k = 0; k < c->nof; k++) {
		add_quantity_changes(to, c, &c->of[k], &total[k]);
		if (!c->of[k].found[0].why || !isnan(c->of[k].network.lo))
			to->no_verdict = NULL;
	}
	to->footer = change_footer(c, total, had);
	return ST_OK;
}

static void free_comparison(struct comparison *c)
{
	for (size_t k = 0; k < c->nchanges; k++)
		free(c->change[k].text);
	free(c->change);
	free(c->footer);
	json_decref(c->summary);
	if (c->own)
		changes_free(c->own);
	free(c->own);
}

/* ---- rows ---- */

static int write_pair_row(const struct changes *c, const struct change_of *of, uint32_t i,
			  uint32_t j, struct outlets *to, const struct record *rec)
{
	enum column_id first = of->quantity == LATENCY ? COL_COMPARED : COL_COMPARED + 2;
	double y[2], by = change_of_pair(c, of, i, j, y);
	struct shift s = change_shift_of_pair(of, by);
	struct ratio_of_two r = ratios_from_shift(of->quantity, &s);
	enum changed f = outcome_of_pair(c, of, i, j, by);
	const struct map_verdict *v = change_cause(of, i, j);
	char *remark = NULL;
	FILE *text;
	struct row row = { .samples = NULL };
	int err;

	row_set(&row, rec, COL_SENDER_HOST, val_text(c->name[i]));
	row_set(&row, rec, COL_RECEIVER_HOST, val_text(c->name[j]));
	if (of->quantity != LATENCY && c->s[B].size_B)
		row_set(&row, rec, COL_SIZE, val_uint(c->s[B].size_B));
	for (int side = A; side <= B; side++)
		row_set(&row, rec, first + (enum column_id)side,
			val_real(study_unit(of->quantity, y[side])));
	row_set(&row, rec, COL_COMPARED_RATIO, val_real(r.ratio));
	row_set(&row, rec, COL_COMPARED_LO, val_real(r.lo));
	row_set(&row, rec, COL_COMPARED_HI, val_real(r.hi));
	if (f) {
		row_set(&row, rec, COL_METHOD, val_text("visits"));
		row_set(&row, rec, COL_VERDICT, val_text(changed_names[f]));
	}
	if (v) {
		text = text_open(&remark);
		fputs("as ", text);
		change_put_cause(text, c, &v->cause, v);
		row_set(&row, rec, COL_REMARK, val_text(memory_or_exit(text_close(text, &remark))));
	} else if (isnan(by))
		row_set(&row, rec, COL_REMARK, val_text("no value in A or B"));
	else if (f == CHANGED_SLOWER || f == CHANGED_FASTER)
		row_set(&row, rec, COL_REMARK, val_text("as the whole network"));
	err = report_row(to, rec, &row);
	free(remark);
	return err;
}

/* Returns false if neither A nor B has a value of the pair and B is sparse (mode quick). */
static bool has_value_in_either(const struct changes *c, const struct change_of *of, uint32_t i,
				uint32_t j)
{
	double y[2];

	change_of_pair(c, of, i, j, y);
	return !isnan(y[A]) || !isnan(y[B]) || !study_is_sparse(&c->s[B]);
}

static int put_rows(const struct comparison *from, struct outlets *r, const struct record *rec)
{
	const struct changes *c = from->own;
	int err = ST_OK;

	for (size_t k = 0; k < c->nof; k++)
		for (uint32_t i = 0; i < c->n; i++)
			for (uint32_t j = 0; j < c->n && !err; j++)
				if (change_is_counted(&c->of[k], i, j) &&
				    has_value_in_either(c, &c->of[k], i, j))
					err = write_pair_row(c, &c->of[k], i, j, r, rec);
	return err;
}

const struct comparer map_compares = { compare_maps, put_rows, free_comparison };
