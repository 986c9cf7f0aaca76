/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/causes.h"

#include <math.h>

#include "analyse/map/judge/blocks.h"
#include "analyse/map/judge/hosts.h"
#include "analyse/map/judge/load.h"
#include "analyse/map/judge/pairs.h"
#include "analyse/map/judge/probe.h"
#include "analyse/map/judge/small.h"
#include "analyse/map/judge/thin.h"

#define BLOCKS_LEAST 6		/* fewest hosts for a search for two sides; each side needs three */
#define SIDE_LEAST 5		/* a side with this number of hosts is judged by itself */
/* with fewer than QUICK_HOSTS hosts and without a retest, this number of visits is needed */
#define VISITS_LEAST 3
#define Z_NAMED 4.5
/* with this number of leaves, slow pairs between leaves are far apart; two may be a group */
#define LEAVES_LEVEL 3
/* links are shared if a group's pairs gain at least this much when alone, a logarithm */
#define GAIN_LEAST 0.05
#define PAIRS_DOUBT 2		/* this number of named pairs makes the verdicts doubtful */

/* ---- blocks ---- */

/* Judges the hosts of one side among themselves. */
static void judge_side(const struct peers *f, const struct blocks *b, bool other,
		       struct map_judged *j)
{
	uint32_t *hosts = scratch_take(f->room, f->n, sizeof(*hosts)), n = 0;
	struct matrix side;

	for (uint32_t i = 0; i < f->n; i++)
		if (b->other[i] == other)
			hosts[n++] = i;
	if (n < SIDE_LEAST) {
		j->unjudged += n;
		return;
	}
	side = matrix_copy(f->room, f->m, hosts, n, 0);
	causes_judge(&side, f->rules, j);
	j->unjudged += j->why ? n : 0;
	j->why = JUDGED;	/* the verdict on the two sides remains valid */
	judged_forget_faster(j);
}

/* ---- hosts and pairs ---- */

/*
 * Marks the hosts that are suspect or unsteady, and adds verdicts on hosts and pairs. Sets j->why
 * if at most half of the hosts remain unmarked, because then no verdict is possible.
 */
static void judge_hosts(struct peers *f, struct map_judged *j)
{
	bool *in_group = scratch_take(f->room, f->n, sizeof(*in_group));
	struct unsteady u = { .n = 0 };
	size_t n = 0;
	double least;

	fit_all(f);
	find_faster_hosts(f, j);
	if (j->why)
		return;
	fit_errors(f);
	mark_suspects(f);
	/*
	 * after a single visit only a retest can distinguish an unsteady host from a slow direction
	 */
	if ((f->rules->again || !matrix_is_quick(f->m)) && !f->rules->all_vary)
		u = unsteady_find(f);
	j->why = 2 * u.n > f->n ? NO_STEADY : JUDGED;
	/*
	 * With few pairs, steady faults look unsteady. So treat the least unsteady hosts as steady.
	 */
	while (!j->why && 2 * fit_ngood(f) <= f->n && u.n)
		f->varies[u.at[--u.n].host] = false;
	if (!j->why && 2 * fit_ngood(f) <= f->n)
		j->why = NO_NORMAL;
	if (j->why)
		return;
	if (fit_ngood(f) < f->n)
		fit_to_good_hosts(f);
	hosts_judge(f, &u, in_group, j);
	pairs_judge(f, in_group, j);
	for (uint32_t i = 0; i < f->n; i++) {
		f->work[n++] = fmax(f->s.se[i], f->r.se[i]);
		if (f->s.values.n[i] + f->r.values.n[i])
			j->slow[matrix_host(f->m, i)] = -fmin(f->s.of[i], f->r.of[i]);
	}
	least = fmax(f->rules->limits.host, Z_NAMED * select_median(f->work, n));
	/* if two sides are judged, keep the larger value of the two; fmax ignores NaN */
	j->least = fmax(least, j->least);
	j->mu = f->mu;
	j->sigma = f->sigma;
}

/* ---- hosts, pairs and blocks ---- */

/*
 * Returns false if quick mode has measured at most half of the pairs. These are too few to find
 * sides.
 */
static bool has_enough_pairs(const struct matrix *m)
{
	size_t cells = (size_t)m->n * m->n, n = 0;

	for (size_t at = 0; at < cells && matrix_is_quick(m); at++)
		n += !isnan(m->y[at]);
	return !matrix_is_quick(m) || 2 * n > cells;
}

void causes_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j)
{
	struct blocks b = { .nnamed = 0 };
	struct map_verdict *v;
	struct peers f;

	if (m->n < 2 || (m->n == 2 && m->symmetric))
		j->why = m->n < 2 ? NO_HOSTS : NO_CAUSE;
	else if (m->n < QUICK_HOSTS && m->nvisits < (rules->again ? 2 : VISITS_LEAST))
		j->why = m->nvisits < 2 ? NO_NOISE : NO_THIRD;
	if (j->why)
		return;
	if (m->n <= SMALL_MOST) {
		small_judge(m, rules, j);
		return;
	}
	f = fit_make(m, rules);
	/*
	 * Search for blocks first, because subtracting the common effects of rounds would hide
	 * them.
	 */
	if (m->n >= BLOCKS_LEAST && has_enough_pairs(m))
		b = blocks_find(&f);
	if (!b.nnamed) {
		judge_hosts(&f, j);
		return;
	}
	v = judged_add(f.room, j, KIND_BLOCKS, 0, 0, b.nnamed);
	for (uint32_t i = 0; i < f.n; i++)
		if (!b.other[i])
			v->members[v->nmembers++] = matrix_host(m, i);
	v->cause.a = v->cause.b = v->members[0];
	v->effect = b.effect;
	v->se = b.se;
	judge_side(&f, &b, false, j);
	judge_side(&f, &b, true, j);
}

/* ---- networks ---- */

/*
 * Judges pairs that share no links. Slow pairs between three leaves or more are due to distance,
 * not to faults.
 */
static void judge_unshared(const struct matrix *m, const struct leaves *leaves,
			   const struct rules *rules, struct map_judged *j)
{
	struct peers f = fit_make(m, rules);
	struct rules levelled = *rules;
	struct thin thin;

	if (leaves->n < LEAVES_LEVEL || rules->levelled ||
	    (!m->symmetric && blocks_find(&f).nnamed)) {
		causes_judge(m, rules, j);
		return;
	}
	thin.m = matrix_copy(rules->room, m, NULL, m->n, 0);
	set_leaf_levels(&thin, &thin.m, leaves, rules);
	subtract_leaf_levels(&thin.levels, &thin.m);
	levelled.levels = &thin.levels;
	causes_judge(&thin.m, &levelled, j);
}

/*
 * Judges pairs that share links. To do so, measures a thin visit, and the load that leaves can
 * carry. Without a retest, uses what visits show.
 */
static void judge_shared(const struct matrix *m, const struct leaves *leaves,
			 const struct rules *rules, struct map_judged *j)
{
	struct thin thin = !rules->again	? thin_of_visits(m, leaves, rules)
			   : matrix_is_quick(m) ? measure_few_pairs(m, leaves, rules)
						: measure_thin_visit(m, leaves, rules);
	struct rules alone = *rules;

	alone.alone = true;
	alone.levels = &thin.levels;
	causes_judge(&thin.m, &alone, j);
	load_judge(m, leaves, &thin, &alone, j);
}

/* True if chance, or pairs that were measured at the same time, may have caused the verdicts. */
static bool is_doubtful(const struct map_judged *j)
{
	size_t pairs = 0, unsteady = 0;

	for (size_t k = 0; k < j->n; k++) {
		pairs += kind_is_of_pair(j->at[k].cause.kind);
		unsteady += j->at[k].cause.kind == KIND_UNSTEADY;
	}
	return unsteady || pairs >= PAIRS_DOUBT;
}

/*
 * True if a group's pairs with the other hosts are faster when they are measured alone. Otherwise
 * the group's verdict becomes persistent.
 */
static bool groups_share_links(const struct matrix *m, const struct rules *rules,
			       struct map_judged *j)
{
	bool *side = scratch_take(rules->room, m->n, sizeof(*side));

	for (size_t k = 0; k < j->n; k++) {
		struct map_verdict *v = &j->at[k];

		for (uint32_t i = 0; i < m->n; i++) {
			side[i] = false;
			for (size_t p = 0; p < v->nmembers; p++)
				side[i] |= v->members[p] == matrix_host(m, i);
		}
		if (!v->nmembers)
			continue;
		if (probe_across(m, rules, side) > fmax(GAIN_LEAST, v->effect / 3))
			return true;
		v->persistence = PERSISTENT;
	}
	return false;
}

/*
 * In quick mode each host has met few others, so no leaves are sought. If the probe finds that
 * pairs share links, each host is measured with three others alone.
 */
static void judge_quick(const struct matrix *m, const struct matrix *level,
			const struct rules *raw, const struct rules *rules, struct map_judged *j)
{
	uint32_t *of = scratch_take(rules->room, m->n, sizeof(*of));
	struct leaves none = leaves_make(rules->room, of, 0, m->n);
	struct probing probe = { .sets = 0 };
	struct rules here = *rules;

	/* a second set would come from a second visit, which quick mode lacks */
	probe_another_set(&probe, m, raw);
	here.alone = probe.slowed > 1;
	if (probe_is_shared(&probe, false))
		judge_shared(m, &none, raw, j);
	else
		causes_judge(level, &here, j);
}

void network_judge(const struct matrix *m, const struct matrix *level, const uint32_t *given,
		   uint32_t nleaves, const struct rules *rules, struct map_judged *j)
{
	struct rules here = *rules, raw = *rules;
	struct leaves leaves;
	struct probing probe = { .sets = 0 };
	uint32_t *of;
	bool shared;

	raw.levelled = NULL;
	if (rules->again && !rules->no_alone && m->n >= PROBE_HOSTS && matrix_is_quick(m) &&
	    m->n <= PROBE_QUICK_MOST) {
		judge_quick(m, level, &raw, rules, j);
		return;
	}
	if (!rules->again && !given && !m->symmetric && m->n >= PROBE_HOSTS && m->nvisits > 1) {
		leaves = leaves_find(m, rules);
		if (leaves.n && visits_show_sharing(m, &leaves)) {
			judge_shared(m, &leaves, &raw, j);
			return;
		}
	}
	if (!rules->again || rules->no_alone || m->n < PROBE_HOSTS || m->nvisits < 2) {
		causes_judge(level, rules, j);
		if (rules->again && !rules->no_alone && m->n >= QUICK_HOSTS && m->nvisits > 1 &&
		    groups_share_links(m, &raw, j)) {
			leaves = leaves_find(m, rules);
			judged_clear(j);
			judge_shared(m, &leaves, &raw, j);
		}
		return;
	}
	of = scratch_take(rules->room, m->n, sizeof(*of));
	for (uint32_t i = 0; i < m->n && given; i++)
		of[i] = given[matrix_host(m, i)];
	leaves = given ? leaves_make(rules->room, of, nleaves, m->n) : leaves_find(m, rules);
	probe_another_set(&probe, m, &raw);
	if (probe_needs_more(&probe, false))
		probe_another_set(&probe, m, &raw);
	if (!probe_is_shared(&probe, false)) {
		here.alone = probe.slowed > 1;
		judge_unshared(level, &leaves, &here, j);
		if (probe_needs_more(&probe, j->n || j->why))
			probe_another_set(&probe, m, &raw);
	}
	shared = probe_is_shared(&probe, j->why == NO_STEADY);
	if (j->why == NO_STEADY && !shared) {
		here.alone = here.all_vary = true;
		judged_clear(j);
		judge_unshared(level, &leaves, &here, j);
		j->all_vary = !j->why;
	}
	if (shared || groups_share_links(m, &raw, j)) {
		judged_clear(j);
		judge_shared(m, &leaves, &raw, j);
	} else if (!here.alone && (probe.slowed > 1 || is_doubtful(j))) {
		judged_clear(j);
		here.alone = true;
		judge_unshared(level, &leaves, &here, j);
	}
}
