/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/change/totals.h"
#include "base/error.h"
#include "base/text.h"
#include "cmd/map/rows.h"
#include "result/reader.h"
#include "show/map/change_words.h"
#include "show/map/words.h"

#define CHANCE 0.05

static const char *const had_keys[NHAD] = {
	"verdicts_new", "verdicts_gone", "verdicts_still"
};

static const enum column_id columns_of[] = {
	COL_SENDER_HOST, COL_RECEIVER_HOST, COL_SIZE, COL_COMPARED, COL_COMPARED + 1,
	COL_COMPARED + 2, COL_COMPARED + 3, COL_COMPARED_RATIO, COL_COMPARED_LO, COL_COMPARED_HI,
	COL_METHOD, COL_VERDICT, COL_REMARK, COL_P_VALUE,
};

/* What the command keeps between its three functions. */
struct comparing {
	struct changes c;
	struct totals total[NQUANTITIES];
	json_t *had[NHAD];
};

/* ---- the summary ---- */

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static void put_shift(json_t *to, enum quantity q, const struct shift *s)
{
	struct ratio_of_two r = change_ratios(q, s);
	enum changed f = shift_means(s);

	json_object_set_new(to, "quantity", json_string(quantity_names[q].verdict));
	json_object_set_new(to, "ratio", number(r.ratio));
	json_object_set_new(to, "ratio_lo", number(r.lo));
	json_object_set_new(to, "ratio_hi", number(r.hi));
	json_object_set_new(to, "verdict", f ? json_string(changed_names[f]) : json_null());
}

static json_t *names_of(const struct changes *c, const uint32_t *hosts, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_string(changes_host(c, hosts[i])));
	return list;
}

static json_t *subject_of(const struct changes *c, const struct map_verdict *v)
{
	const uint32_t two[] = { v->cause.a, v->cause.b };

	if (v->nmembers)
		return names_of(c, v->members, v->nmembers);
	return v->cause.a != v->cause.b && v->cause.kind != KIND_HOST
	       ? names_of(c, two, 2) : json_string(changes_host(c, v->cause.a));
}

static int add_change(struct comparison *to, char *text, double slower)
{
	struct change *more = list_grow(to->change, to->nchanges, sizeof(*more));

	if (!more || !text) {
		free(text);
		return error_report("no memory for changes");
	}
	to->change = more;
	more[to->nchanges++] = (struct change){ text, slower };
	return ST_OK;
}

static int tell_verdict(struct comparison *to, const struct changes *c,
			const struct change_of *of, const struct map_verdict *v, bool faster)
{
	struct shift s = change_shift(c, of, v, faster), beside = change_beside(v, faster);
	json_t *one = json_pack("{s:s, s:o}", "kind", map_kind_names[v->cause.kind], "subject",
				subject_of(c, v));
	char *text = change_sentence(c, of, v, faster);
	enum changed f;

	if (v->cause.kind == KIND_UNSTEADY)
		s = (struct shift){ NAN, NAN, NAN };
	put_shift(one, of->quantity, &s);
	if (change_is_of_pair(v))
		json_object_set_new(one, "ratio_beside",
				    number(change_ratios(of->quantity, &beside).ratio));
	json_object_set_new(one, "confidence", json_string(verdict_confidence(v)));
	json_object_set_new(one, "text", json_string(text ? text : ""));
	json_array_append_new(json_object_get(to->summary, "changes"), one);
	f = shift_means(&s);
	if (v->or.kind || (f != CHANGED_SLOWER && f != CHANGED_FASTER)) {
		free(text);
		return ST_OK;
	}
	return add_change(to, text, exp(-s.by));
}

static int tell_network(struct comparison *to, const struct change_of *of)
{
	json_t *one = json_object();
	enum changed f = shift_means(&of->network);
	char *text = NULL;
	size_t len;
	FILE *out;

	put_shift(one, of->quantity, &of->network);
	json_array_append_new(json_object_get(to->summary, "network"), one);
	if (f != CHANGED_SLOWER && f != CHANGED_FASTER)
		return ST_OK;
	out = open_memstream(&text, &len);
	if (out) {
		fprintf(out, "the whole network, %s: ", quantity_names[of->quantity].verdict);
		change_put_ratio(out, of->quantity, &of->network);
		text_close(out, &text);
	}
	return add_change(to, text, exp(-of->network.by));
}

/* ---- pairs ---- */

static json_t *totals_json(const struct change_of *of, const struct totals *t)
{
	size_t judged = t->of[CHANGED_FASTER] + t->of[CHANGED_SLOWER] + t->of[CHANGED_NOT];

	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "quantity",
			 quantity_names[of->quantity].verdict,
			 "faster", (json_int_t)t->of[CHANGED_FASTER],
			 "slower", (json_int_t)t->of[CHANGED_SLOWER],
			 "no_difference_seen", (json_int_t)t->of[CHANGED_NOT],
			 "without_verdict", (json_int_t)t->of[CHANGED_UNKNOWN],
			 "expected_by_chance", CHANCE * (double)judged);
}

/* ---- the comparison ---- */

static json_t *names_only(const struct changes *c, int side)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->nonly[side]; i++)
		json_array_append_new(list, json_string(c->s[side].name[c->only[side][i]]));
	return list;
}

static int tell_quantity(struct comparison *to, const struct changes *c,
			 const struct change_of *of)
{
	int err = tell_network(to, of);

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < of->found[k].n && !err; i++)
			err = tell_verdict(to, c, of, &of->found[k].at[i], k);
	return err;
}

static int tell(struct comparison *to, struct comparing *own)
{
	const struct changes *c = &own->c;
	json_t *pairs = json_array();
	int err = ST_OK;

	to->cols = columns_of;
	to->ncols = LENGTH(columns_of);
	to->no_verdict = words_why(c->of[0].found[0].why);
	to->summary = json_pack("{s:i, s:o, s:o, s:[], s:[], s:o}", "hosts", (int)c->n,
				"hosts_only_in_a", names_only(c, A), "hosts_only_in_b",
				names_only(c, B), "network", "changes", "pairs", pairs);
	for (int k = 0; k < NHAD; k++)
		json_object_set(to->summary, had_keys[k], own->had[k]);
	for (size_t k = 0; k < c->nof && !err; k++) {
		const struct change_of *of = &c->of[k];

		totals_sum(c, of, &own->total[k]);
		json_array_append_new(pairs, totals_json(of, &own->total[k]));
		err = tell_quantity(to, c, of);
		if (!of->found[0].why || !isnan(of->network.lo))
			to->no_verdict = NULL;
	}
	to->footer = change_footer(&own->c, own->total, own->had);
	return err || to->footer ? err : error_report("no memory for %u hosts", c->n);
}

static int make(struct comparison *to)
{
	struct comparing *own = calloc(1, sizeof(*own));
	int err;

	if (!own)
		return error_report("no memory for a comparison");
	to->own = own;
	had_match(own->had, to->doc);
	err = changes_make(&own->c, to->doc, to->path, to->measure);
	return err ? err : tell(to, own);
}

static void forget(struct comparison *c)
{
	struct comparing *own = c->own;

	for (size_t k = 0; k < c->nchanges; k++)
		free(c->change[k].text);
	free(c->change);
	free(c->footer);
	json_decref(c->summary);
	if (!own)
		return;
	for (int k = 0; k < NHAD; k++)
		json_decref(own->had[k]);
	changes_free(&own->c);
	free(own);
}

/* ---- rows ---- */

/* What a pair's shift belongs to, for free(); NULL for nothing that is known. */
static char *remark_on(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		       double by)
{
	const struct map_verdict *v = change_cause(of, i, j);
	char *text = NULL;
	size_t len;
	FILE *to;

	if (!v)
		return isnan(by) ? strdup("no value in A or B") : NULL;
	to = open_memstream(&text, &len);
	if (!to)
		return NULL;
	fputs("as ", to);
	change_put_cause(to, c, &v->cause, v);
	return text_close(to, &text);
}

static void set_verdict(struct row *row, const struct record *rec, const struct change_of *of,
			double by)
{
	struct shift s = change_shift_of_pair(of, by);
	struct ratio_of_two r = change_ratios(of->quantity, &s);
	enum changed f = shift_means(&s);

	row_set(row, rec, COL_COMPARED_RATIO, val_real(r.ratio));
	row_set(row, rec, COL_COMPARED_LO, val_real(r.lo));
	row_set(row, rec, COL_COMPARED_HI, val_real(r.hi));
	if (!f)
		return;
	row_set(row, rec, COL_METHOD, val_text("visits"));
	row_set(row, rec, COL_VERDICT, val_text(changed_names[f]));
	row_set(row, rec, COL_P_VALUE, val_real(erfc(fabs(by) / of->se / sqrt(2))));
}

static int put_pair(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		    struct outlets *r, const struct record *rec)
{
	enum column_id first = of->quantity == LATENCY ? COL_COMPARED : COL_COMPARED + 2;
	double y[2], by = change_of_pair(c, of, i, j, y);
	char *remark = remark_on(c, of, i, j, by);
	struct row row = { .samples = NULL };
	int err;

	row_set(&row, rec, COL_SENDER_HOST, val_text(changes_host(c, i)));
	row_set(&row, rec, COL_RECEIVER_HOST, val_text(changes_host(c, j)));
	if (of->quantity != LATENCY && c->s[B].size_B)
		row_set(&row, rec, COL_SIZE, val_uint(c->s[B].size_B));
	for (int side = A; side <= B; side++)
		row_set(&row, rec, first + (enum column_id)side,
			val_real(study_unit(of->quantity, y[side])));
	set_verdict(&row, rec, of, by);
	if (remark)
		row_set(&row, rec, COL_REMARK, val_text(remark));
	err = report_row(r, rec, &row);
	free(remark);
	return err;
}

static int put_rows(const struct comparison *from, struct outlets *r, const struct record *rec)
{
	const struct comparing *own = from->own;
	const struct changes *c = &own->c;
	int err = ST_OK;

	for (size_t k = 0; k < c->nof; k++)
		for (uint32_t i = 0; i < c->n; i++)
			for (uint32_t j = 0; j < c->n && !err; j++)
				if (change_counts(&c->of[k], i, j))
					err = put_pair(c, &c->of[k], i, j, r, rec);
	return err;
}

const struct comparer map_compares = { make, put_rows, forget };
