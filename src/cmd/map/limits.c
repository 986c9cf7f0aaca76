/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/limits.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "show/map/words.h"

static const struct {
	const char *name;
	enum map_kind kinds[4];		/* ended by KIND_NONE */
} fail_kinds[] = {
	{ "host", { KIND_HOST, KIND_SEND, KIND_RECEIVE } }, { "host_send", { KIND_SEND } },
	{ "host_receive", { KIND_RECEIVE } },
	{ "pair", { KIND_PAIR, KIND_DIRECTION, KIND_ONE_WAY } },
	{ "direction", { KIND_DIRECTION, KIND_ONE_WAY } },
	{ "group", { KIND_GROUP, KIND_BLOCKS, KIND_HALVES } }, { "unsteady", { KIND_UNSTEADY } },
	{ "unreachable", { KIND_UNREACHABLE } },
};

static bool is_kind(const char *name, enum map_kind kind)
{
	for (size_t k = 0; k < LENGTH(fail_kinds); k++)
		for (size_t i = 0; i < 4 && fail_kinds[k].kinds[i]; i++)
			if (!strcmp(fail_kinds[k].name, name) && fail_kinds[k].kinds[i] == kind)
				return true;
	return false;
}

bool limits_host(enum map_kind kind)
{
	return is_kind("host", kind);
}

/* ---- the option ---- */

/* "10%" or "50us"; false if it is neither. */
static bool parse_effect(char *text, struct map_limit *limit)
{
	size_t len = strlen(text);

	if (!len || isdigit((unsigned char)text[len - 1]))
		return false;		/* of what? */
	if (text[len - 1] != '%')
		return parse_seconds(text, &limit->seconds);
	text[len - 1] = '\0';
	if (scan_real(text, &limit->relative) != V_OK)
		return false;
	limit->relative /= 100;
	return limit->relative >= 0 && limit->relative < 1;
}

static int parse_limit(char *item, double min_effect, struct map_limit *limit)
{
	char *colon = strchr(item, ':');
	size_t k = 0;

	*limit = (struct map_limit){ NULL, NAN, NAN, "" };
	snprintf(limit->text, sizeof(limit->text), "%s", item);
	if (colon)
		*colon++ = '\0';
	while (k < LENGTH(fail_kinds) && strcmp(fail_kinds[k].name, item) != 0)
		k++;
	if (k == LENGTH(fail_kinds))
		return error_usage("'%s' in '--fail-if': expected host, host_send, host_receive, "
				   "pair, direction, group, unsteady or unreachable, and a limit",
				   limit->text);
	limit->kind = fail_kinds[k].name;
	if (colon && !parse_effect(colon, limit))
		return error_usage("'%s' in '--fail-if' needs a percentage below 100, or a time: "
				   "%s:10%% or %s:50us", limit->text, limit->kind, limit->kind);
	if (limit->relative < min_effect)
		return error_usage("'%s' in '--fail-if' is below %g %%, from which hosts are "
				   "named: see '--min-effect'", limit->text, 100 * min_effect);
	return ST_OK;
}

int limits_parse(struct map_limits *l, const char *fail_if, double min_effect)
{
	char *list = strdup(fail_if ? fail_if : ""), *rest = list, *one;
	int err = list ? ST_OK : error_report("no memory for '--fail-if'");

	l->n = 0;
	while (!err && fail_if && (one = strsep(&rest, ","))) {
		err = l->n < LENGTH(l->at) ? parse_limit(one, min_effect, &l->at[l->n])
					   : error_usage("'--fail-if' has more than %zu limits",
							 LENGTH(l->at));
		l->n++;
	}
	free(list);
	return err;
}

/* ---- what was found ---- */

/* A percentage is for bandwidths, a time for round trips; neither: for both. */
static bool is_any(const struct map_limit *limit)
{
	return isnan(limit->relative) && isnan(limit->seconds);
}

static bool fails(const struct map_limit *limit, const struct map_verdict *v)
{
	if (!is_kind(limit->kind, v->cause.kind))
		return false;
	if (is_any(limit) || v->cause.kind == KIND_UNREACHABLE)
		return true;
	return isnan(v->adds_s) ? verdict_relative(v->effect) >= limit->relative
				: v->adds_s >= limit->seconds;
}

static int check_verdicts(const struct map_limits *l, const struct verdicts *all)
{
	const struct map_verdict *first = NULL;
	size_t failed = 0;
	char *text;

	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			const struct map_verdict *v = &all->at[i].j.at[k];
			bool bad = false;

			for (size_t f = 0; f < l->n; f++)
				bad |= fails(&l->at[f], v);
			failed += bad;
			first = bad && !first ? v : first;
		}
	}
	if (!first)
		return ST_OK;
	text = words_verdict(all->s, first);
	error_report("'--fail-if': %s%s", text ? text : "", failed > 1 ? ", and more" : "");
	free(text);
	return ST_FAILED;
}

/* ---- what could not be found ---- */

static int check_judged(const struct map_limit *limit, const struct verdicts *all,
			const struct found *f)
{
	char *why;

	if (!f->j.why)
		return ST_OK;
	why = words_no_verdict(all->s, &f->j);
	error_no_verdict("'%s' in '--fail-if': no verdict on %s: %s", limit->text,
			 quantity_names[f->quantity].verdict, why ? why : "");
	free(why);
	return ST_NO_VERDICT;
}

/* Whether all hosts were judged, and all suspects. Groups have been found before that. */
static int check_all(const struct map_limit *limit, const struct verdicts *all,
		     const struct found *f)
{
	if (!strcmp(limit->kind, "unsteady") && all->s->nvisits == 1 && !all->again)
		return error_no_verdict("'%s' in '--fail-if': one visit does not tell what varies",
					limit->text);
	if (f->j.unjudged && strcmp(limit->kind, "group") != 0)
		return error_no_verdict("'%s' in '--fail-if': %zu hosts of groups could not be "
					"judged by themselves", limit->text, f->j.unjudged);
	if (f->j.lost)
		return error_no_verdict("'%s' in '--fail-if': %zu suspect%s did not answer when "
					"measured again", limit->text, f->j.lost,
					f->j.lost == 1 ? "" : "s");
	return ST_OK;
}

/* Whether a host or pair that is as slow as the limit would have been named. */
static int check_least(const struct map_limit *limit, const struct verdicts *all,
		       const struct found *f)
{
	bool host = !strncmp(limit->kind, "host", 4);
	double least = host ? f->j.least : f->j.least_pair, median = all->over[LATENCY].median;
	char slower[32];

	if (!host && strcmp(limit->kind, "pair") != 0 && strcmp(limit->kind, "direction") != 0)
		return ST_OK;
	if (!host && all->over[f->quantity].missing)
		return error_no_verdict("'%s' in '--fail-if': %zu of %zu ordered pairs have no "
					"value", limit->text, all->over[f->quantity].missing,
					all->over[f->quantity].missing +
					all->over[f->quantity].pairs);
	if (isnan(least))
		return error_no_verdict("'%s' in '--fail-if': one visit of each pair is too few "
					"to name any", limit->text);
	if (f->quantity == LATENCY) {
		format_si(slower, sizeof(slower), median * expm1(least), "s");
		if (!(median * expm1(least) > limit->seconds))
			return ST_OK;
	} else {
		snprintf(slower, sizeof(slower), "%s %%",
			 plain(100 * verdict_relative(least), 2).s);
		if (!(verdict_relative(least) > limit->relative * (1 + 1e-6)))
			return ST_OK;
	}
	return error_no_verdict("'%s' in '--fail-if': a %s would have to be %s slower to be named",
				limit->text, host ? "host" : "pair", slower);
}

int limits_check(const struct map_limits *l, const struct verdicts *all)
{
	int err = check_verdicts(l, all);

	for (size_t k = 0; k < l->n && !err; k++) {
		const struct map_limit *limit = &l->at[k];
		bool judged = false;

		for (size_t i = 0; i < all->n && !err; i++) {
			const struct found *f = &all->at[i];
			double other = f->quantity == LATENCY ? limit->relative : limit->seconds;

			if ((!is_any(limit) && !isnan(other)) ||
			    !strcmp(limit->kind, "unreachable"))
				continue;
			judged = true;
			err = check_judged(limit, all, f);
			if (!err)
				err = check_all(limit, all, f);
			if (!err)
				err = check_least(limit, all, f);
		}
		if (!err && !judged && strcmp(limit->kind, "unreachable") != 0)
			err = error_no_verdict("'%s' in '--fail-if': no %s was measured",
					       limit->text, isnan(limit->seconds)
					       ? "bandwidth" : "half round trip");
	}
	return err;
}
