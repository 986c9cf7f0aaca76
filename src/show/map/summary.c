/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/map/study/distance.h"
#include "base/values.h"
#include "show/map/words.h"

json_t *summary_number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* A host by its name, a pair or a direction as a list of both, a group as one of its members. */
static json_t *subject_of(const struct study *s, const struct cause *c,
			  const struct map_verdict *members)
{
	json_t *list;

	if (members && members->nmembers) {
		list = json_array();
		for (size_t i = 0; i < members->nmembers; i++)
			json_array_append_new(list, json_string(s->name[members->members[i]]));
		return list;
	}
	if (cause_is_of_two(c))
		return json_pack("[s, s]", s->name[c->a], s->name[c->b]);
	return json_string(s->name[c->a]);
}

/* The class of hosts; NULL if there is only one. */
static json_t *class_of(const struct study *s, const struct found *f)
{
	return s->nclasses > 1 ? json_string(s->class_name[f->class]) : NULL;
}

static json_t *verdict_json(const struct study *s, const struct found *f,
			    const struct map_verdict *v)
{
	char *text = words_verdict(s, v);
	bool seconds = !isnan(v->adds_s), slow = v->cause.kind != KIND_UNREACHABLE;
	double share = 2 * v->se / v->effect;
	double effect = seconds ? v->adds_s : verdict_relative(v->effect);
	double lo = seconds ? v->adds_s * (1 - share) : verdict_relative(v->effect - 2 * v->se);
	double hi = seconds ? v->adds_s * (1 + share) : verdict_relative(v->effect + 2 * v->se);
	json_t *to = json_pack(
		"{s:s, s:o, s:o*, s:o*, s:o*, s:s, s:o*, s:s, s:s, s:o*, s:o*, s:o, s:o?}",
		"kind", map_kind_names[v->cause.kind], "subject", subject_of(s, &v->cause, v),
		seconds ? "effect_s" : "effect", slow ? summary_number(effect) : NULL,
		"lo", slow ? summary_number(lo) : NULL, "hi", slow ? summary_number(hi) : NULL,
		"quantity", quantity_names[f->quantity].verdict, "class", class_of(s, f),
		"confidence", verdict_confidence(v),
		"persistence", persistence_names[v->persistence],
		"share", isnan(v->share) ? NULL : json_real(v->share),
		"or", v->or.kind ? json_pack("{s:s, s:o}", "kind", map_kind_names[v->or.kind],
					     "subject", subject_of(s, &v->or, NULL)) : NULL,
		"evidence", v->evidence ? json_incref(v->evidence) : json_array(),
		"text", json_string(text ? text : ""));

	free(text);
	return to;
}

/* A quantity of a class: how it was judged. New reference. */
static json_t *judged_json(const struct verdicts *all, const struct found *f)
{
	const struct study *s = all->s;
	uint32_t *worst = calloc(s->n + 1, sizeof(*worst));
	size_t n = worst ? judged_worst(&f->j, s->n, worst) : 0;
	json_t *hosts = json_object(), *to;
	char *text = f->j.why ? words_no_verdict(s, &f->j) : NULL;

	for (size_t i = 0; i < n; i++)
		json_object_set_new(hosts, s->name[worst[i]],
				    summary_number(verdicts_slower(all, f, worst[i])));
	free(worst);
	to = json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o*, s:o*}", "quantity",
		       quantity_names[f->quantity].verdict, "least_effect",
		       summary_number(verdict_relative(f->j.least)), "least_pair_effect",
		       summary_number(verdict_relative(f->j.least_pair)), "noise",
		       summary_number(f->j.sigma),
		       "normal", (json_int_t)f->j.normal, "lost", (json_int_t)f->j.lost,
		       "unjudged", (json_int_t)f->j.unjudged,
		       "chance", (json_int_t)f->j.chance,
		       f->quantity == LATENCY ? "slower_s" : "slower", hosts,
		       "class", class_of(s, f), "no_verdict",
		       f->j.why ? json_string(text ? text : "") : NULL);
	free(text);
	return to;
}

static void put_overview(json_t *summary, const struct verdicts *all, enum quantity q)
{
	const struct study *s = all->s;
	const struct overview o = all->over[q];
	const char *unit = quantity_names[q].suffix, *name = quantity_names[q].part;
	char key[64];
	const struct {
		const char *part;
		double value;
	} parts[] = {
		{ "median", o.median }, { "p25", fmin(o.low, o.high) },
		{ "p75", fmax(o.low, o.high) },
		{ "slowest", o.slowest },
	};

	if (!s->of[q].n || !o.pairs)
		return;
	for (size_t i = 0; i < LENGTH(parts); i++) {
		snprintf(key, sizeof(key), "%s_%s_%s", name, parts[i].part, unit);
		json_object_set_new(summary, key, summary_number(parts[i].value));
	}
	snprintf(key, sizeof(key), "%s_slowest_pair", name);
	json_object_set_new(summary, key, json_pack("[s, s]", s->name[o.from], s->name[o.to]));
	snprintf(key, sizeof(key), "%s_missing_pairs", name);
	json_object_set_new(summary, key, json_integer((json_int_t)o.missing));
}

void summary_put(json_t *summary, const struct verdicts *all)
{
	const struct study *s = all->s;
	json_t *verdicts = json_array(), *judged = json_array();
	char name[64];

	for (size_t i = 0; i < all->n; i++) {
		const struct found *f = &all->at[i];

		for (size_t k = 0; k < f->j.n; k++)
			json_array_append_new(verdicts, verdict_json(s, f, &f->j.at[k]));
		json_array_append_new(judged, judged_json(all, f));
	}
	json_object_update_new(summary, json_pack("{s:o, s:o, s:o, s:O*, s:I, s:I}",
		"verdicts", verdicts, "judged", judged, "differences",
		all->differences ? json_incref(all->differences) : json_array(),
		"machines", s->machines, "hosts", (json_int_t)s->n,
		"visits", (json_int_t)s->nvisits));
	for (int q = 0; q < NQUANTITIES; q++)
		put_overview(summary, all, (enum quantity)q);
	if (s->leaf)
		json_object_set_new(summary, "distances", json_array());
	for (int d = 0; d < NDISTANCES && s->leaf; d++) {
		size_t n = distance_pairs(s, (enum distance)d);
		json_t *one;

		if (!n)
			continue;
		one = json_pack("{s:s, s:I}", "class", distance_names[d], "pairs", (json_int_t)n);
		for (int q = 0; q < NQUANTITIES; q++) {
			snprintf(name, sizeof(name), "%s_median_%s", quantity_names[q].part,
				 quantity_names[q].suffix);
			if (s->at_distance[q][d])
				json_object_set_new(one, name, json_real(study_unit(
							(enum quantity)q, s->median[q][d])));
		}
		json_array_append_new(json_object_get(summary, "distances"), one);
	}
	json_object_set_new(summary, "shared_cores", json_boolean(s->shared_cores));
}
