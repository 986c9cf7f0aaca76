/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/conclude.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/unseen.h"
#include "analyse/map/verdict.h"
#include "base/error.h"
#include "result/out.h"
#include "show/map/words.h"

struct map_limits {
	struct map_limit at[32];
	size_t n;
};

/*
 * Parses the list of --fail-if; NULL is an empty list. Rejects limits below `min_effect`
 * (relative), because every verdict has a larger effect. Returns ST_OK or an error (reported).
 */
static int parse_limits(struct map_limits *l, const char *fail_if, double min_effect)
{
	char *list = strdup(fail_if ? fail_if : ""), *rest = list, *one;
	int err = list ? ST_OK : error_report("no memory for '--fail-if'");

	l->n = 0;
	while (!err && fail_if && (one = strsep(&rest, ","))) {
		struct map_limit *limit = &l->at[l->n];

		if (l->n++ == LENGTH(l->at))
			err = error_usage("'--fail-if' has more than %zu limits", LENGTH(l->at));
		else if (limit_read(limit, one))
			err = limit->relative < min_effect
				      ? error_usage("'%s' in '--fail-if' is below %g %%, the "
						    "smallest effect of a verdict: see "
						    "'--min-effect'",
						    limit->text, 100 * min_effect) : ST_OK;
		else if (limit->kind)
			err = error_usage(!strcmp(limit->kind, "shared")
					  ? "'%s' in '--fail-if' needs a ratio of 1 or more: "
					    "%s:3%.0s"
					  : "'%s' in '--fail-if' needs a percentage below 100, or "
					    "a time: %s:10%% or %s:50us", limit->text, limit->kind,
					  limit->kind);
		else
			err = error_usage("'%s' in '--fail-if': expected host, host_send, "
					  "host_receive, pair, direction, group, unsteady, "
					  "unreachable or shared, and a limit", limit->text);
	}
	free(list);
	return err;
}

int map_check_options(const struct map_options *o)
{
	struct map_limits limits;

	if (o->classes && o->topology)
		return error_usage("options '--classes' and '--topology' exclude each other");
	return parse_limits(&limits, o->fail_if, o->min_effect / 100);
}

/* ---- hosts to exclude ---- */

/*
 * Writes the hosts that verdicts name individually, so that a scheduler can exclude them. Returns
 * ST_OK or an error (reported).
 */
static int write_exclude(const char *path, bool overwrite, const struct verdicts *all)
{
	bool *named = calloc(all->s->n + 1, sizeof(*named));
	char *text = NULL;
	size_t len = 0;
	FILE *to = named ? open_memstream(&text, &len) : NULL;
	int err;

	for (size_t i = 0; i < all->n && to; i++) {
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			const struct map_verdict *v = &all->at[i].j.at[k];

			if (kind_is_of_pair(v->cause.kind) || v->nmembers || v->or.kind ||
			    named[v->cause.a])
				continue;
			named[v->cause.a] = true;
			fprintf(to, "%s\n", all->s->name[v->cause.a]);
		}
	}
	free(named);
	if (!to || !text_close(to, &text))
		return error_report("no memory for '%s'", path);
	err = out_write_file(path, text, len, out_advice(overwrite));
	free(text);
	return err;
}

/* ---- limits ---- */

/* Returns the strictest judgement of a verdict by all limits, and sets *by to its limit. */
static enum judgement judge_by_limits(const struct map_limits *l, const struct map_verdict *v,
				      const struct map_limit **by)
{
	const struct interval none = { NAN, NAN }, effect = verdict_interval(v);
	bool latency = !isnan(v->adds_s);
	enum judgement worst = JUDGED_PASS;

	for (size_t i = 0; i < l->n && worst != JUDGED_FAIL; i++) {
		enum judgement j = limit_judge(&l->at[i], map_kind_names[v->cause.kind],
					       latency ? none : effect, latency ? effect : none);

		if (j == JUDGED_PASS)
			continue;
		worst = j;
		*by = &l->at[i];
	}
	return worst;
}

/*
 * Reports the first verdict that a limit forbids or, without such a verdict, the first one whose
 * interval holds a limit. Returns ST_OK, ST_FAILED or ST_NO_VERDICT.
 */
static int report_forbidden_verdicts(const struct map_limits *l, const struct verdicts *all)
{
	const struct map_verdict *first[NJUDGEMENTS] = { NULL }, *v;
	const struct map_limit *by = NULL, *unclear_by = NULL;
	size_t failed = 0;
	char *text;

	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			enum judgement j = judge_by_limits(l, &all->at[i].j.at[k], &by);

			failed += j == JUDGED_FAIL;
			if (first[j])
				continue;
			first[j] = &all->at[i].j.at[k];
			unclear_by = j == JUDGED_UNCLEAR ? by : unclear_by;
		}
	}
	v = first[JUDGED_FAIL] ? first[JUDGED_FAIL] : first[JUDGED_UNCLEAR];
	if (!v)
		return ST_OK;
	text = words_verdict(all->s, v);
	if (failed)
		error_report("'--fail-if': %s%s", text ? text : "", failed > 1 ? ", and more" : "");
	else
		error_no_verdict("'%s' in '--fail-if' %s: %s", unclear_by->text,
				 isnan(verdict_interval(v).lo) ? "cannot be judged"
							       : "is within the interval",
				 text ? text : "");
	free(text);
	return failed ? ST_FAILED : ST_NO_VERDICT;
}

/* Returns how a quantity was judged, in the form that explain_unseen takes. */
static struct map_seen describe_judging(const struct verdicts *all, const struct found *f)
{
	const struct overview *o = &all->over[f->quantity];

	return (struct map_seen){
		.latency = f->quantity == LATENCY, .none = f->j.why,
		.one_visit = all->s->nvisits == 1 && !all->again,
		.together = !all->again || all->rules.no_alone,
		.unjudged = f->j.unjudged, .lost = f->j.lost, .missing = o->missing,
		.least = verdict_relative(f->j.least),
		.least_pair = verdict_relative(f->j.least_pair), .median_s = o->median };
}

/* Reports why there is no verdict on a quantity. Returns ST_NO_VERDICT. */
static int report_no_verdict(const struct map_limit *limit, const struct verdicts *all,
			     const struct found *f)
{
	char *why = words_no_verdict(all->s, &f->j);

	error_no_verdict("'%s' in '--fail-if': no verdict on %s: %s", limit->text,
			 quantity_names[f->quantity].verdict, why ? why : "");
	free(why);
	return ST_NO_VERDICT;
}

/*
 * Reports by how much a host or pair would have to be slower to get a verdict. Returns
 * ST_NO_VERDICT.
 */
static int report_least_effect(const struct map_limit *limit, bool latency, double slower)
{
	bool host = !strncmp(limit->kind, "host", 4);
	char text[32];

	if (latency)
		format_si(text, sizeof(text), slower, "s");
	else
		snprintf(text, sizeof(text), "%s %%", plain(100 * slower, 2).s);
	return error_no_verdict("'%s' in '--fail-if': a %s would have to be %s slower to be named",
				limit->text, host ? "host" : "pair", text);
}

/*
 * Checks that a verdict which a limit forbids could not have been missed. Returns ST_OK, or
 * ST_NO_VERDICT (reported) if it might have been missed. Sets *concerned if the limit is for this
 * quantity.
 */
static int check_could_be_found(const struct map_limit *limit, const struct verdicts *all,
				const struct found *f, bool *concerned)
{
	const struct map_seen seen = describe_judging(all, f);
	size_t pairs = all->over[f->quantity].pairs;
	double slower;
	enum unseen why = explain_unseen(limit, &seen, &slower);

	*concerned |= why != UNSEEN_OTHER;
	switch (why) {
	case UNSEEN_NONE:
		return report_no_verdict(limit, all, f);
	case UNSEEN_UNSTEADY:
		return error_no_verdict("'%s' in '--fail-if': one visit cannot show what varies",
					limit->text);
	case UNSEEN_ALONE:
		return error_no_verdict("'%s' in '--fail-if': no pair was measured alone",
					limit->text);
	case UNSEEN_UNJUDGED:
		return error_no_verdict("'%s' in '--fail-if': %zu hosts of groups could not be "
					"judged individually", limit->text, seen.unjudged);
	case UNSEEN_LOST:
		return error_no_verdict("'%s' in '--fail-if': %zu suspect%s did not answer when "
					"measured again", limit->text, seen.lost,
					seen.lost == 1 ? "" : "s");
	case UNSEEN_MISSING:
		return error_no_verdict("'%s' in '--fail-if': %zu of %zu ordered pairs have no "
					"value", limit->text, seen.missing, seen.missing + pairs);
	case UNSEEN_PAIRS:
		return error_no_verdict("'%s' in '--fail-if': with one visit of each pair no pair "
					"can be named", limit->text);
	case UNSEEN_LEAST:
		return report_least_effect(limit, seen.latency, slower);
	default:
		return ST_OK;
	}
}

int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all)
{
	struct map_limits limits;
	char *text;
	int err = parse_limits(&limits, o->fail_if, o->min_effect / 100);

	if (!err && o->write_exclude)
		err = write_exclude(o->write_exclude, output->overwrite, all);
	if (!err)
		err = report_forbidden_verdicts(&limits, all);
	/* That a verdict is absent counts only if the verdict would have been found. */
	for (size_t k = 0; k < limits.n && !err; k++) {
		const struct map_limit *limit = &limits.at[k];
		bool judged = !strcmp(limit->kind, "unreachable");

		for (size_t i = 0; i < all->n && !err; i++)
			err = check_could_be_found(limit, all, &all->at[i], &judged);
		if (!err && !judged)
			err = error_no_verdict("'%s' in '--fail-if': no %s was measured",
					       limit->text, isnan(limit->seconds)
					       ? "bandwidth" : "half round trip");
	}
	for (size_t i = 0; i < all->n && !err; i++)
		if (!all->at[i].j.why || all->at[i].j.n)
			return ST_OK;
	if (err)
		return err;
	text = all->n ? words_no_verdict(all->s, &all->at[0].j) : NULL;
	error_no_verdict("%s", text ? text : all->n ? "no memory for a verdict"
						    : "no pair was measured");
	free(text);
	return ST_NO_VERDICT;
}
