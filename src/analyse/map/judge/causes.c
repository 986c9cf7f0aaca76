/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/causes.h"

#include <math.h>

#include "analyse/map/judge/blocks.h"
#include "analyse/map/judge/hosts.h"
#include "analyse/map/judge/pairs.h"
#include "analyse/map/judge/small.h"

#define BLOCKS_LEAST 6		/* hosts: for two sides of three */
#define SIDE_LEAST 5		/* hosts of a side that is judged by itself */
#define VISITS_LEAST 3		/* of fewer hosts, if nothing is measured again */
#define Z_NAMED 4.5

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
	side = matrix_take(f->room, f->m, hosts, n, 0);
	causes_judge(&side, f->rules, j);
	j->unjudged += j->why ? n : 0;
	j->why = JUDGED;	/* the two sides are a verdict */
	judged_forget_faster(j);
}

/* ---- hosts and pairs ---- */

/*
 * Marks the hosts that are suspect or vary, and names hosts and pairs; j->why if no half of the
 * hosts is left.
 */
static void judge_hosts(struct peers *f, struct map_judged *j)
{
	bool *in_group = scratch_take(f->room, f->n, sizeof(*in_group));
	struct unsteady u = { .n = 0 };
	size_t n = 0;
	double least;

	fit_all(f);
	normal_check(f, j);
	if (j->why)
		return;
	fit_errors(f);
	fit_suspect(f);
	/* after a single visit only a retest tells an unsteady host from a slow direction */
	if (f->rules->again || !matrix_quick(f->m))
		u = unsteady_find(f);
	j->why = 2 * u.n > f->n ? NO_STEADY : JUDGED;
	/* among few pairs steady faults look unsteady: the least unsteady hosts pass for steady */
	while (!j->why && 2 * fit_ngood(f) <= f->n && u.n)
		f->varies[u.at[--u.n].host] = false;
	if (!j->why && 2 * fit_ngood(f) <= f->n)
		j->why = NO_NORMAL;
	if (j->why)
		return;
	if (fit_ngood(f) < f->n)
		fit_against_good(f);
	hosts_judge(f, &u, in_group, j);
	pairs_judge(f, in_group, j);
	for (uint32_t i = 0; i < f->n; i++) {
		f->work[n++] = fmax(f->s.se[i], f->r.se[i]);
		if (f->s.values.n[i] + f->r.values.n[i])
			j->slow[matrix_host(f->m, i)] = -fmin(f->s.of[i], f->r.of[i]);
	}
	least = fmax(f->rules->limits.host, Z_NAMED * select_median(f->work, n));
	j->least = fmax(least, j->least);	/* of sides the larger; fmax ignores NaN */
	j->mu = f->mu;
	j->sigma = f->sigma;
}

/* ---- all ---- */

/* False if quick mode has measured half of the pairs or fewer: too few to see sides. */
static bool is_full(const struct matrix *m)
{
	size_t cells = (size_t)m->n * m->n, n = 0;

	for (size_t at = 0; at < cells && matrix_quick(m); at++)
		n += !isnan(m->y[at]);
	return !matrix_quick(m) || 2 * n > cells;
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
	/* Blocks come first: the common effect of a round hides them. */
	if (m->n >= BLOCKS_LEAST && is_full(m))
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
