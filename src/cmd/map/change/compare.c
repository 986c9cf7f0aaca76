/* SPDX-License-Identifier: Apache-2.0 */
/* What has changed between two results, in sentences, as rows and in the summary. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/map/change/change.h"
#include "cmd/map/change/change_words.h"
#include "cmd/map/output/words.h"
#include "result/reader.h"

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
	enum finding f = change_finding(s);

	json_object_set_new(to, "quantity", json_string(change_quantity(q)));
	json_object_set_new(to, "ratio", number(r.ratio));
	json_object_set_new(to, "ratio_lo", number(r.lo));
	json_object_set_new(to, "ratio_hi", number(r.hi));
	json_object_set_new(to, "verdict", f ? json_string(change_findings[f]) : json_null());
}

static json_t *names_of(const struct changes *c, const uint32_t *hosts, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_string(changes_host(c, hosts[i])));
	return list;
}

static json_t *subject_of(const struct changes *c, const struct verdict_of *v)
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
			const struct change_of *of, const struct verdict_of *v, bool faster)
{
	struct shift s = change_shift(c, of, v, faster), beside = change_beside(v, faster);
	json_t *one = json_pack("{s:s, s:o}", "kind", kind_names[v->cause.kind], "subject",
				subject_of(c, v));
	char *text = change_sentence(c, of, v, faster);
	enum finding f;

	if (v->cause.kind == KIND_UNSTEADY)
		s = (struct shift){ NAN, NAN, NAN };
	put_shift(one, of->quantity, &s);
	if (change_is_of_pair(v))
		json_object_set_new(one, "ratio_beside",
				    number(change_ratios(of->quantity, &beside).ratio));
	json_object_set_new(one, "confidence", json_string(words_confidence(v)));
	json_object_set_new(one, "text", json_string(text ? text : ""));
	json_array_append_new(json_object_get(to->summary, "changes"), one);
	f = change_finding(&s);
	if (v->or.kind || (f != SLOWER && f != FASTER)) {
		free(text);
		return ST_OK;
	}
	return add_change(to, text, exp(-s.by));
}

static int tell_network(struct comparison *to, const struct change_of *of)
{
	json_t *one = json_object();
	enum finding f = change_finding(&of->network);
	char *text = NULL;
	size_t len;
	FILE *out;

	put_shift(one, of->quantity, &of->network);
	json_array_append_new(json_object_get(to->summary, "network"), one);
	if (f != SLOWER && f != FASTER)
		return ST_OK;
	out = open_memstream(&text, &len);
	if (out) {
		fprintf(out, "the whole network, %s: ", change_quantity(of->quantity));
		change_put_ratio(out, of->quantity, &of->network);
		text_close(out, &text);
	}
	return add_change(to, text, exp(-of->network.by));
}

/* ---- pairs ---- */

/* Of round trips each pair is there once. */
static bool counts(const struct change_of *of, uint32_t i, uint32_t j)
{
	return of->quantity != BANDWIDTH ? i < j : i != j;
}

static void keep_worst(struct totals *t, uint32_t i, uint32_t j, double by)
{
	size_t at = t->nworst;

	if (at < LISTED)
		t->nworst++;
	else if (!(by < t->worst[--at].by))
		return;
	for (; at && by < t->worst[at - 1].by; at--)
		t->worst[at] = t->worst[at - 1];
	t->worst[at] = (struct shifted){ i, j, by };
}

static void sum_pairs(const struct changes *c, const struct change_of *of, struct totals *t)
{
	double y[2];

	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			double by = counts(of, i, j) ? change_of_pair(c, of, i, j, y) : NAN;
			struct shift s = change_shift_of_pair(of, by);

			if (!counts(of, i, j))
				continue;
			t->of[change_finding(&s)]++;
			if (change_finding(&s) == SLOWER)
				keep_worst(t, i, j, by);
		}
	}
}

static json_t *totals_json(const struct change_of *of, const struct totals *t)
{
	size_t judged = t->of[FASTER] + t->of[SLOWER] + t->of[NO_DIFFERENCE];

	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "quantity",
			 change_quantity(of->quantity), "faster", (json_int_t)t->of[FASTER],
			 "slower", (json_int_t)t->of[SLOWER],
			 "no_difference_seen", (json_int_t)t->of[NO_DIFFERENCE],
			 "without_verdict", (json_int_t)t->of[NO_VERDICT],
			 "expected_by_chance", CHANCE * (double)judged);
}

/* ---- verdicts that either had ---- */

static bool is_same(const json_t *a, const json_t *b)
{
	static const char *const keys[] = { "kind", "subject", "quantity", "class" };

	for (size_t k = 0; k < LENGTH(keys); k++) {
		json_t *x = json_object_get(a, keys[k]), *y = json_object_get(b, keys[k]);

		if (x != y && !(x && y && json_equal(x, y)))
			return false;
	}
	return true;
}

static json_t *find_same(json_t *list, const json_t *verdict)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		if (is_same(one, verdict))
			return one;
	return NULL;
}

/* Those of B that A has not, those of A that B has not, and [of A, of B] of both. */
static void match_verdicts(struct comparing *own, json_t *const doc[2])
{
	json_t *of[2], *one, *same;
	size_t i;

	for (int side = A; side <= B; side++)
		of[side] = result_at(doc[side], "summary.verdicts");
	for (int k = 0; k < NHAD; k++)
		own->had[k] = json_array();
	json_array_foreach(of[B], i, one) {
		same = find_same(of[A], one);
		if (same)
			json_array_append_new(own->had[IS_STILL],
					      json_pack("[O, O]", same, one));
		else
			json_array_append(own->had[IS_NEW], one);
	}
	json_array_foreach(of[A], i, one)
		if (!find_same(of[B], one))
			json_array_append(own->had[IS_GONE], one);
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

		sum_pairs(c, of, &own->total[k]);
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
	match_verdicts(own, to->doc);
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
	const struct verdict_of *v = change_cause(of, i, j);
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
	enum finding f = change_finding(&s);

	row_set(row, rec, COL_COMPARED_RATIO, val_real(r.ratio));
	row_set(row, rec, COL_COMPARED_LO, val_real(r.lo));
	row_set(row, rec, COL_COMPARED_HI, val_real(r.hi));
	if (!f)
		return;
	row_set(row, rec, COL_METHOD, val_text("visits"));
	row_set(row, rec, COL_VERDICT, val_text(change_findings[f]));
	row_set(row, rec, COL_P_VALUE, val_real(erfc(fabs(by) / of->se / sqrt(2))));
}

static int put_pair(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		    const struct pair_rows *to)
{
	enum column_id first = of->quantity == LATENCY ? COL_COMPARED : COL_COMPARED + 2;
	double y[2], by = change_of_pair(c, of, i, j, y);
	char *remark = remark_on(c, of, i, j, by);
	struct row row = { .samples = NULL };
	int err;

	row_set(&row, to->rec, COL_SENDER_HOST, val_text(changes_host(c, i)));
	row_set(&row, to->rec, COL_RECEIVER_HOST, val_text(changes_host(c, j)));
	if (of->quantity != LATENCY && c->s[B].size_B)
		row_set(&row, to->rec, COL_SIZE, val_uint(c->s[B].size_B));
	for (int side = A; side <= B; side++)
		row_set(&row, to->rec, first + (enum column_id)side,
			val_real(study_unit(of->quantity, y[side])));
	set_verdict(&row, to->rec, of, by);
	if (remark)
		row_set(&row, to->rec, COL_REMARK, val_text(remark));
	err = to->put(to->arg, &row);
	free(remark);
	return err;
}

static int put_rows(const struct comparison *from, const struct record *rec,
		    int (*put)(void *arg, const struct row *row), void *arg)
{
	const struct comparing *own = from->own;
	const struct changes *c = &own->c;
	const struct pair_rows to = { rec, put, arg };
	int err = ST_OK;

	for (size_t k = 0; k < c->nof; k++)
		for (uint32_t i = 0; i < c->n; i++)
			for (uint32_t j = 0; j < c->n && !err; j++)
				if (counts(&c->of[k], i, j))
					err = put_pair(c, &c->of[k], i, j, &to);
	return err;
}

const struct comparer map_compares = { make, put_rows, forget };
