/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/values.h"
#include "result/document.h"
#include "show/map/words.h"

json_t *summary_subject(char *const *name, const struct cause *c, const struct map_verdict *v)
{
	json_t *list;

	if (cause_names_two_hosts(c) && !(v && v->nmembers))
		return json_pack("[s, s]", name[c->a], name[c->b]);
	if (!v || !v->nmembers)
		return json_string(name[c->a]);
	list = json_array();
	for (size_t i = 0; i < v->nmembers; i++)
		json_array_append_new(list, json_string(name[v->members[i]]));
	return list;
}

/* Returns the class of the findings (new reference), or NULL if there is only one class. */
static json_t *class_json(const struct study *s, const struct found *f)
{
	return s->nclasses > 1 ? json_string(s->class_name[f->class]) : NULL;
}

/* Returns a new reference to the list, or to an empty list if `list` is NULL. */
static json_t *list_or_empty(json_t *list)
{
	return list ? json_incref(list) : json_array();
}

static void put_range(json_t *to, const char *key, struct range r)
{
	char name[32];

	json_object_set_new(to, key, real_or_null(r.is));
	snprintf(name, sizeof(name), "%s_lo", key);
	json_object_set_new(to, name, real_or_null(r.lo));
	snprintf(name, sizeof(name), "%s_hi", key);
	json_object_set_new(to, name, real_or_null(r.hi));
}

/* Adds the leaf switches of a verdict, and the load that their links carry. */
static void put_sharing(json_t *to, const struct study *s, const struct map_verdict *v)
{
	const struct map_sharing *w = v->sharing;
	json_t *leaves = json_array(), *leaf;

	for (size_t k = 0, at = 0; k < w->nleaves; k++) {
		json_array_append_new(leaves, leaf = json_array());
		for (uint32_t i = 0; i < w->size[k]; i++)
			json_array_append_new(leaf, json_string(s->name[v->members[at++]]));
	}
	json_object_set_new(to, "leaves", leaves);
	put_range(to, "carries", w->carries);
	if (v->cause.kind != KIND_SHARED) {
		json_object_set_new(to, "carries_usual", real_or_null(w->usual));
		return;
	}
	put_range(to, "together", w->together);
	json_object_set_new(to, "oversubscription", real_or_null(sharing_over(w)));
	json_object_set_new(to, "oversubscription_lo", real_or_null(verdict_interval(v).lo));
	json_object_set_new(to, "oversubscription_hi", real_or_null(verdict_interval(v).hi));
	json_object_set_new(to, "tested", json_real(w->tested));
}

static json_t *verdict_json(const struct study *s, const struct found *f,
			    const struct map_verdict *v)
{
	bool seconds = !isnan(v->adds_s), answers = v->cause.kind != KIND_UNREACHABLE;
	bool bounded = answers && !isnan(v->se);
	double effect = seconds ? v->adds_s : verdict_relative(v->effect);
	struct interval by = verdict_interval(v);
	char *text = words_verdict(s, v);
	json_t *or = !v->or.kind ? NULL
		     : json_pack("{s:s, s:o}", "kind", map_kind_names[v->or.kind], "subject",
				 summary_subject(s->name, &v->or, NULL));
	json_t *to = json_pack(
		"{s:s, s:o, s:o*, s:o*, s:o*, s:s, s:o*, s:s, s:s, s:o*, s:o*, s:o, s:o*}",
		"kind", map_kind_names[v->cause.kind],
		"subject", summary_subject(s->name, &v->cause, v),
		seconds ? "effect_s" : "effect", answers ? real_or_null(effect) : NULL,
		"lo", !answers ? NULL : real_or_null(bounded ? by.lo : NAN),
		"hi", !answers ? NULL : real_or_null(bounded ? by.hi : NAN),
		"quantity", quantity_names[f->quantity].verdict, "class", class_json(s, f),
		"confidence", verdict_confidence(v),
		"persistence", persistence_names[v->persistence],
		"share", isnan(v->share) ? NULL : json_real(v->share), "or", or,
		"evidence", list_or_empty(v->evidence), "text", json_string(text ? text : ""));

	free(text);
	if (v->sharing)
		put_sharing(to, s, v);
	return to;
}

/* Returns how a quantity of a class was judged (new reference). */
static json_t *judged_json(const struct verdicts *all, const struct found *f)
{
	const struct study *s = all->s;
	const struct map_judged *j = &f->j;
	uint32_t *worst = calloc(s->n + 1, sizeof(*worst));
	size_t n = worst ? judged_by_slowness(j, s->n, worst) : 0;
	char *why = j->why ? words_no_verdict(s, j) : NULL;
	json_t *hosts = json_object(), *to;

	for (size_t i = 0; i < n; i++)
		json_object_set_new(hosts, s->name[worst[i]],
				    real_or_null(host_slowdown(all, f, worst[i])));
	to = json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o*, s:o*}",
		       "quantity", quantity_names[f->quantity].verdict,
		       "least_effect", real_or_null(verdict_relative(j->least)),
		       "least_pair_effect", real_or_null(verdict_relative(j->least_pair)),
		       "noise", real_or_null(j->sigma), "normal", (json_int_t)j->normal,
		       "lost", (json_int_t)j->lost, "unjudged", (json_int_t)j->unjudged,
		       "chance", (json_int_t)j->chance, "beyond", (json_int_t)j->beyond,
		       f->quantity == LATENCY ? "slower_s" : "slower", hosts,
		       "class", class_json(s, f), "no_verdict",
		       j->why ? json_string(why ? why : "") : NULL);
	free(worst);
	free(why);
	return to;
}

/* Sets a value under a key such as "bandwidth_median_Bps". */
static void put_statistic(json_t *to, enum quantity q, const char *part, double value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s_%s", quantity_names[q].part, part,
		 quantity_names[q].suffix);
	json_object_set_new(to, key, real_or_null(value));
}

static void put_overview(json_t *summary, const struct verdicts *all, enum quantity q)
{
	const struct study *s = all->s;
	const struct overview o = all->over[q];
	char key[64];

	if (!s->of[q].n || !o.pairs)
		return;
	put_statistic(summary, q, "median", o.median);
	put_statistic(summary, q, "p25", fmin(o.low, o.high));
	put_statistic(summary, q, "p75", fmax(o.low, o.high));
	put_statistic(summary, q, "slowest", o.slowest);
	snprintf(key, sizeof(key), "%s_slowest_pair", quantity_names[q].part);
	json_object_set_new(summary, key, json_pack("[s, s]", s->name[o.from], s->name[o.to]));
	snprintf(key, sizeof(key), "%s_missing_pairs", quantity_names[q].part);
	json_object_set_new(summary, key, json_integer((json_int_t)o.missing));
}

void summary_put(json_t *summary, const struct verdicts *all)
{
	const struct study *s = all->s;
	json_t *verdicts = json_array(), *judged = json_array(), *distances = json_array(), *facts;

	for (size_t i = 0; i < all->n; i++) {
		const struct found *f = &all->at[i];

		for (size_t k = 0; k < f->j.n; k++)
			json_array_append_new(verdicts, verdict_json(s, f, &f->j.at[k]));
		json_array_append_new(judged, judged_json(all, f));
	}
	facts = json_pack("{s:o, s:o, s:o, s:O*, s:i, s:i}", "verdicts", verdicts,
			  "judged", judged, "differences", list_or_empty(all->differences),
			  "machines", s->machines, "hosts", (int)s->n, "visits", (int)s->nvisits);
	json_object_update(summary, facts);
	json_decref(facts);
	for (int q = 0; q < NQUANTITIES; q++)
		put_overview(summary, all, (enum quantity)q);
	for (int d = 0; d < NDISTANCES && s->leaf; d++) {
		size_t n = distance_pairs(s, (enum distance)d);
		json_t *one;

		if (!n)
			continue;
		one = json_pack("{s:s, s:I}", "class", distance_names[d], "pairs", (json_int_t)n);
		for (int q = 0; q < NQUANTITIES; q++)
			if (s->at_distance[q][d])
				put_statistic(one, (enum quantity)q, "median",
					      study_unit((enum quantity)q, s->median[q][d]));
		json_array_append_new(distances, one);
	}
	if (s->leaf)
		json_object_set(summary, "distances", distances);
	json_decref(distances);
	json_object_set_new(summary, "shared_cores", json_boolean(s->shared_cores));
}
