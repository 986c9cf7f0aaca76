/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/values.h"

#define Z_CERTAIN 8

const char *const map_kind_names[NKINDS] = {
	[KIND_NONE] = "", [KIND_HOST] = "host", [KIND_SEND] = "host_send",
	[KIND_RECEIVE] = "host_receive", [KIND_PAIR] = "pair", [KIND_DIRECTION] = "direction",
	[KIND_GROUP] = "group", [KIND_BLOCKS] = "group", [KIND_HALVES] = "group",
	[KIND_ONE_WAY] = "direction", [KIND_UNSTEADY] = "unsteady",
	[KIND_UNREACHABLE] = "unreachable", [KIND_SHARED] = "shared",
};

const char *const persistence_names[] = {
	[UNTESTED] = "untested", [PERSISTENT] = "persistent"
};

struct map_verdict *judged_add(struct scratch *room, struct map_judged *j, enum map_kind kind,
			       uint32_t a, uint32_t b, size_t n)
{
	uint32_t *members = n ? calloc(n, sizeof(*members)) : NULL;
	struct map_verdict *at = list_grow(j->at, j->n, sizeof(*at));

	j->at = at ? at : j->at;
	if (!at || (n && !members)) {
		free(members);
		error_report("no memory for %zu verdicts", j->n + 1);
		scratch_give_up(room);
	}
	at[j->n] = (struct map_verdict){ .cause = { kind, a, b }, .members = members, .share = NAN,
					.se = NAN, .adds_s = NAN };
	return &at[j->n++];
}

struct map_sharing *judged_add_sharing(struct scratch *room, struct map_verdict *v, size_t nleaves)
{
	v->sharing = calloc(1, sizeof(*v->sharing) + nleaves * sizeof(*v->sharing->size));
	if (!v->sharing) {
		error_report("no memory for %zu leaves", nleaves);
		scratch_give_up(room);
	}
	v->sharing->nleaves = nleaves;
	return v->sharing;
}

static uint32_t hosts_of_largest_leaf(const struct map_sharing *s)
{
	uint32_t hosts = 0;

	for (size_t k = 0; k < s->nleaves; k++)
		hosts = s->size[k] > hosts ? s->size[k] : hosts;
	return hosts;
}

double sharing_over(const struct map_sharing *s)
{
	return hosts_of_largest_leaf(s) / s->carries.is;
}

int judged_make(struct map_judged *j, uint32_t n)
{
	*j = (struct map_judged){ .hosts = n, .slow = malloc((n + 1) * sizeof(*j->slow)) };
	if (j->slow)
		judged_clear(j);
	return j->slow ? ST_OK : error_report("no memory to judge %u hosts", n);
}

void judged_add_faster(struct scratch *room, struct map_judged *j, size_t n)
{
	j->faster.members = calloc(n, sizeof(*j->faster.members));
	if (!j->faster.members) {
		error_report("no memory for a group of %zu hosts", n);
		scratch_give_up(room);
	}
	j->why = NO_NORMAL;
}

void judged_forget_faster(struct map_judged *j)
{
	free(j->faster.members);
	j->faster = (struct faster){ 0 };
}

/* Frees everything but the array `slow`. */
static void free_verdicts(struct map_judged *j)
{
	for (size_t i = 0; i < j->n; i++) {
		free(j->at[i].members);
		free(j->at[i].sharing);
		json_decref(j->at[i].evidence);
	}
	free(j->at);
	judged_forget_faster(j);
}

void judged_clear(struct map_judged *j)
{
	double *slow = j->slow;

	free_verdicts(j);
	for (uint32_t i = 0; i < j->hosts; i++)
		slow[i] = NAN;
	*j = (struct map_judged){ .hosts = j->hosts, .slow = slow, .least = NAN,
				 .least_pair = NAN, .mu = NAN, .sigma = NAN };
}

void judged_free(struct map_judged *j)
{
	free_verdicts(j);
	free(j->slow);
	*j = (struct map_judged){ 0 };
}

/* ---- one verdict ---- */

double verdict_relative(double effect)
{
	return -expm1(-effect);
}

struct interval verdict_interval(const struct map_verdict *v)
{
	double se = isnan(v->se) ? 0 : v->se, share = se > 0 ? 2 * se / v->effect : 0;

	if (v->cause.kind == KIND_SHARED) {
		uint32_t hosts = hosts_of_largest_leaf(v->sharing);

		return (struct interval){ hosts / v->sharing->carries.hi,
					  hosts / v->sharing->carries.lo };
	}
	if (!isnan(v->adds_s))
		return (struct interval){ v->adds_s * (1 - share), v->adds_s * (1 + share) };
	return (struct interval){ verdict_relative(v->effect - 2 * se),
				  verdict_relative(v->effect + 2 * se) };
}

bool verdict_is_probable(const struct map_verdict *v)
{
	if (isnan(v->se))
		return v->cause.kind == KIND_UNSTEADY && v->persistence == UNTESTED;
	return v->effect < Z_CERTAIN * v->se;
}

const char *verdict_confidence(const struct map_verdict *v)
{
	return v->or.kind ? "ambiguous" : verdict_is_probable(v) ? "probable" : "certain";
}

bool cause_names_two_hosts(const struct cause *c)
{
	return kind_is_of_pair(c->kind) || c->kind == KIND_HALVES;
}

bool cause_slows(const struct cause *c, uint32_t i, uint32_t j)
{
	switch (c->kind) {
	case KIND_HOST: return i == c->a || j == c->a;
	case KIND_SEND: return i == c->a;
	case KIND_RECEIVE: return j == c->a;
	case KIND_PAIR: return (i == c->a && j == c->b) || (i == c->b && j == c->a);
	case KIND_DIRECTION: return i == c->a && j == c->b;
	default: return (i == c->a || i == c->b) != (j == c->a || j == c->b);
	}
}

/* ---- order ---- */

/* Position of a kind in the order in which verdicts are shown. */
static int display_rank(enum map_kind kind)
{
	static const int rank[NKINDS] = {
		[KIND_UNREACHABLE] = 0, [KIND_SHARED] = 1, [KIND_GROUP] = 1,
		[KIND_BLOCKS] = 1, [KIND_HALVES] = 1,
		[KIND_HOST] = 2, [KIND_SEND] = 2, [KIND_RECEIVE] = 2, [KIND_UNSTEADY] = 3,
		[KIND_PAIR] = 4, [KIND_DIRECTION] = 4, [KIND_ONE_WAY] = 4,
	};

	return rank[kind];
}

bool kind_is_of_pair(enum map_kind kind)
{
	return display_rank(kind) == display_rank(KIND_PAIR);
}

static int compare_verdicts(const void *a, const void *b)
{
	const struct map_verdict *x = a, *y = b;
	int rank = display_rank(x->cause.kind) - display_rank(y->cause.kind);

	return rank ? rank : order_doubles(y->effect, x->effect);
}

void judged_sort(struct map_judged *j)
{
	if (j->n)
		qsort(j->at, j->n, sizeof(*j->at), compare_verdicts);
}

int by_falling_value(const void *a, const void *b)
{
	const struct host_value *x = a, *y = b;

	return order_doubles(y->value, x->value);
}

size_t judged_by_slowness(const struct map_judged *j, uint32_t n, uint32_t *to)
{
	struct host_value *slow = calloc((size_t)n + 1, sizeof(*slow));
	size_t judged = 0;

	for (uint32_t i = 0; i < n && slow; i++)
		if (!isnan(j->slow[i]))
			slow[judged++] = (struct host_value){ j->slow[i], i };
	if (judged)
		qsort(slow, judged, sizeof(*slow), by_falling_value);
	for (size_t i = 0; i < judged; i++)
		to[i] = slow[i].host;
	free(slow);
	return judged;
}

/* ---- limits ---- */

bool limit_read(struct map_limit *to, const char *text)
{
	size_t kind = strcspn(text, ":"), len = strlen(text);
	const char *effect = text + kind + 1;
	char percent[256];

	*to = (struct map_limit){ NULL, NAN, NAN, "" };
	snprintf(to->text, sizeof(to->text), "%s", text);
	for (int k = KIND_NONE + 1; k < NKINDS; k++)
		if (strlen(map_kind_names[k]) == kind && !strncmp(map_kind_names[k], text, kind))
			to->kind = map_kind_names[k];
	if (!to->kind || !text[kind])
		return to->kind;
	if (!strcmp(to->kind, map_kind_names[KIND_SHARED]))
		return scan_real(effect, &to->relative) == V_OK && to->relative >= 1;
	if (!*effect || isdigit((unsigned char)text[len - 1]))
		return false;		/* the effect has no unit */
	if (text[len - 1] != '%')
		return parse_seconds(effect, &to->seconds);
	snprintf(percent, sizeof(percent), "%.*s", (int)strlen(effect) - 1, effect);
	if (strlen(effect) > sizeof(percent) || scan_real(percent, &to->relative) != V_OK)
		return false;
	to->relative /= 100;
	return to->relative >= 0 && to->relative < 1;
}

bool limit_covers_all(const struct map_limit *limit)
{
	return isnan(limit->relative) && isnan(limit->seconds);
}

/* Judges an effect whose interval is [lo, hi] by the largest effect that is allowed. */
static enum judgement judge_effect(struct interval effect, double limit)
{
	if (isnan(limit))		/* it is for the other quantity */
		return JUDGED_PASS;
	if (effect.lo >= limit)
		return JUDGED_FAIL;
	return effect.hi < limit ? JUDGED_PASS : JUDGED_UNCLEAR;
}

enum judgement limit_judge(const struct map_limit *limit, const char *kind,
			   struct interval relative, struct interval seconds)
{
	if (strcmp(kind, limit->kind) != 0 &&
	    (strcmp(limit->kind, "host") != 0 || strncmp(kind, "host_", 5) != 0) &&
	    (strcmp(limit->kind, "pair") != 0 || strcmp(kind, "direction") != 0))
		return JUDGED_PASS;
	if (limit_covers_all(limit) || !strcmp(kind, "unreachable"))
		return JUDGED_FAIL;
	return isnan(seconds.lo) ? judge_effect(relative, limit->relative)
				 : judge_effect(seconds, limit->seconds);
}
