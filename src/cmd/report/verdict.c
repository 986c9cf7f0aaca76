/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows whether requirements are met. The requirements come from results of check, from map's
 * --fail-if, and from the report's --require.
 */
#include "cmd/report/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/unseen.h"
#include "analyse/map/verdict.h"
#include "analyse/require.h"
#include "base/text.h"
#include "base/values.h"
#include "cmd/report/map.h"
#include "cmd/report/run.h"
#include "result/document.h"
#include "result/row.h"
#include "show/page/facts.h"

/* A row of the table of requirements. */
struct judged {
	enum judgement verdict;
	struct text text;
	const char *unit;
	double value, lo, hi;		/* value NaN: not measured; lo, hi NaN: no interval */
	size_t result;			/* number of the result that decided; 0: none */
	/* text to show instead of the value; may be NULL */
	const char *found;
};

/* The table of requirements, in order. */
struct judged_list {
	struct judged *at;
	size_t n;
};

static void add_judged(struct judged_list *to, struct judged j)
{
	to->at = memory_grow(to->at, to->n, sizeof(*to->at));
	to->at[to->n++] = j;
}

/* Returns the judgement that a name in a file stands for; JUDGED_UNCLEAR for unknown names. */
static enum judgement parse_judgement(const char *name)
{
	enum judgement j = 0;

	while (j < JUDGED_UNCLEAR && strcmp(judgement_names[j], name) != 0)
		j++;
	return j;
}

static const char *judgement_word(enum judgement j)
{
	static const char *const words[] = { "PASS", "FAIL", "cannot be judged" };

	return words[j];
}

static void put_requirement_row(struct page *to, const struct judged *j, enum rate_unit rates)
{
	char value[64];

	page_row(to);
	page_cell(to);
	page_verdict(to, judgement_names[j->verdict], judgement_word(j->verdict));
	page_cell(to);
	page_text(to, j->text.s);
	page_cell(to);
	if (j->found || isnan(j->value)) {
		page_text(to, j->found ? j->found : "not measured");
	} else {
		page_text(to, format_rate(value, sizeof(value), j->value, j->unit, rates));
		put_interval(to, j->lo, j->hi, j->unit, rates);
	}
	page_cell(to);
	if (j->result)
		report_link(to, j->result);
}

/* Adds the requirements that a result of check has recorded. */
static void add_recorded(struct judged_list *to, const json_t *doc, size_t number)
{
	const json_t *sum = document_summary(doc), *one;
	const json_t *promise = json_object_get(sum, "promise");
	const char *verdict = result_text(promise, "verdict");
	size_t i;

	if (*verdict)
		add_judged(to, (struct judged){
			parse_judgement(verdict),
			text_from("bandwidth.bandwidth_Bps >= %g %% of the usable part of %s",
				  100 * result_number(promise, "least_share"),
				  result_text(promise, "of")),
			"B/s", result_number(promise, "value_Bps"), NAN, NAN, number, NULL });
	json_array_foreach(json_object_get(sum, "requirements"), i, one)
		add_judged(to, (struct judged){
			parse_judgement(result_text(one, "verdict")),
			text_from("%s", result_text(one, "text")), result_text(one, "unit"),
			result_number(one, "value"), result_number(one, "lo"),
			result_number(one, "hi"), number, NULL });
}

/* ---- limits of map's --fail-if ---- */

/* Judges a verdict of a result by a limit. A verdict without an interval has equal ends. */
static enum judgement judge_verdict(const json_t *v, const struct map_limit *limit)
{
	bool shared = !strcmp(result_text(v, "kind"), "shared");
	bool latency = json_object_get(v, "effect_s");
	const char *name = shared ? "oversubscription" : latency ? "effect_s" : "effect";
	const struct interval none = { NAN, NAN };
	struct interval by = { result_number(v, shared ? "oversubscription_lo" : "lo"),
			       result_number(v, shared ? "oversubscription_hi" : "hi") };

	if (isnan(by.lo))
		by.lo = by.hi = result_number(v, name);
	return limit_judge(limit, result_text(v, "kind"), latency ? none : by, latency ? by : none);
}

/*
 * Finds the first verdict that a limit forbids or, without such a verdict, the first one whose
 * interval holds the limit. Returns NULL if there is none. Sets *how to the judgement.
 */
static const json_t *find_forbidden_verdict(const json_t *summary, const char *text,
					    enum judgement *how)
{
	const json_t *unclear = NULL;
	struct map_limit limit;
	bool known = limit_read(&limit, text);
	size_t i;
	json_t *v;

	json_array_foreach(json_object_get(summary, "verdicts"), i, v) {
		*how = known ? judge_verdict(v, &limit) : JUDGED_PASS;
		if (*how == JUDGED_FAIL)
			return v;
		if (*how == JUDGED_UNCLEAR && !unclear)
			unclear = v;
	}
	*how = unclear ? JUDGED_UNCLEAR : JUDGED_PASS;
	return unclear;
}

/* Returns how a quantity was judged, according to the summary of a result. */
static struct map_seen describe_judging(const json_t *summary, const json_t *judged)
{
	bool latency = !strcmp(result_text(judged, "quantity"), "latency");
	double missing = result_number(summary, latency ? "half_rtt_missing_pairs"
							: "bandwidth_missing_pairs");
	bool once = result_number(summary, "visits") <= 1;
	bool again = json_is_true(json_object_get(summary, "retest"));

	return (struct map_seen){
		.latency = latency, .none = *result_text(judged, "no_verdict"),
		.one_visit = once && !again, .together = !again,
		.unjudged = result_number(judged, "unjudged") > 0,
		.lost = result_number(judged, "lost") > 0, .missing = missing > 0,
		.least = result_number(judged, "least_effect"),
		.least_pair = result_number(judged, "least_pair_effect"),
		.median_s = result_number(summary, "half_rtt_median_s") };
}

/*
 * Returns a text that says why a verdict that a limit forbids might have been missed. Returns NULL
 * if such a verdict would have been found. Uses the same rules as the command map.
 */
static const char *why_unseen(const json_t *summary, const char *text)
{
	static const char *const words[] = {
		[UNSEEN_NONE] = "no verdict", [UNSEEN_UNSTEADY] = "one visit cannot show it",
		[UNSEEN_ALONE] = "no pair was measured alone",
		[UNSEEN_UNJUDGED] = "hosts of groups could not be judged individually",
		[UNSEEN_LOST] = "suspects did not answer when measured again",
		[UNSEEN_MISSING] = "pairs have no value", [UNSEEN_PAIRS] = "one visit is too few",
		[UNSEEN_LEAST] = "so small an effect would not have been named",
	};
	bool concerned = false;
	struct map_limit limit;
	size_t i;
	json_t *v;

	if (!limit_read(&limit, text))
		return words[UNSEEN_NONE];
	json_array_foreach(json_object_get(summary, "judged"), i, v) {
		const struct map_seen seen = describe_judging(summary, v);
		double slower;
		enum unseen why = explain_unseen(&limit, &seen, &slower);

		if (words[why])
			return words[why];
		concerned |= why != UNSEEN_OTHER;
		concerned |= !strcmp(limit.kind, "unreachable") && !seen.none;
	}
	return concerned ? NULL : "not measured";
}

/* Adds the limits of --fail-if in a result of map. */
static void add_limits(struct judged_list *to, const json_t *doc, size_t number)
{
	const json_t *sum = document_summary(doc);
	struct text list = text_from("%s", result_text(document_options(doc), "fail-if"));
	char *rest = list.s, *limit;

	while (list.n && (limit = strsep(&rest, ","))) {
		enum judgement j;
		const json_t *v = find_forbidden_verdict(sum, limit, &j);
		const char *unseen = v ? NULL : why_unseen(sum, limit);

		add_judged(to, (struct judged){
			unseen ? JUDGED_UNCLEAR : j, text_from("map: no %s", limit), "", NAN, NAN,
			NAN, number, v ? result_text(v, "text") : unseen ? unseen : "none" });
	}
}

/* ---- all requirements ---- */

/* Returns the number of the result to which a figure belongs; 0 for NULL. */
static size_t result_number_of(const struct report *r, const struct figure *f)
{
	size_t i = 0;

	while (f && r->docs[i].nfound <= (size_t)(f - r->found.at))
		i++;
	return f ? i + 1 : 0;
}

static struct judged_list collect_requirements(const struct report *r)
{
	struct judged_list all = { .n = 0 };

	for (size_t i = 0; i < r->required.n; i++) {
		const struct requirement *q = &r->required.at[i];
		const struct figure *f = q->by;

		add_judged(&all, (struct judged){
			q->judged, text_from("%s", q->text), f ? f->unit : "", f ? f->value : NAN,
			f ? f->lo : NAN, f ? f->hi : NAN, result_number_of(r, f), NULL });
	}
	for (size_t i = 0; i < r->n; i++) {
		if (!strcmp(document_command(r->docs[i].json), "check"))
			add_recorded(&all, r->docs[i].json, i + 1);
		if (report_is_map(r->docs[i].json))
			add_limits(&all, r->docs[i].json, i + 1);
	}
	return all;
}

void report_verdict(struct page *to, const struct report *r)
{
	static const char *const heads[] = { "verdict", "required", "found", "by" };
	const struct judged_list all = collect_requirements(r);
	size_t counts[NJUDGEMENTS] = { 0 };
	enum judgement worst;

	if (!all.n)
		return;
	for (size_t i = 0; i < all.n; i++)
		counts[all.at[i].verdict]++;
	worst = counts[JUDGED_FAIL] ? JUDGED_FAIL
		: counts[JUDGED_UNCLEAR] ? JUDGED_UNCLEAR : JUDGED_PASS;
	page_paragraph(to);
	page_verdict(to, judgement_names[worst], judgement_word(worst));
	page_say(to, ": of %zu requirement%s %zu %s met, %zu not", all.n, all.n == 1 ? "" : "s",
		 counts[JUDGED_PASS], counts[JUDGED_PASS] == 1 ? "is" : "are",
		 counts[JUDGED_FAIL]);
	if (counts[JUDGED_UNCLEAR])
		page_say(to, ", %zu cannot be judged", counts[JUDGED_UNCLEAR]);
	page_say(to, ".");
	page_table(to);
	for (size_t i = 0; i < LENGTH(heads); i++)
		page_column(to, false, "%s", heads[i]);
	for (size_t i = 0; i < all.n; i++)
		put_requirement_row(to, &all.at[i], r->rates);
	free(all.at);
}
