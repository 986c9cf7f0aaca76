/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/causes.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/judge/blocks.h"
#include "analyse/map/judge/fit.h"
#include "analyse/map/judge/hosts.h"
#include "analyse/map/judge/normal.h"
#include "analyse/map/judge/pairs.h"
#include "analyse/map/judge/small.h"
#include "analyse/map/judge/unsteady.h"
#include "base/error.h"

#define BLOCKS_LEAST 6		/* hosts: for two sides of three */
#define SIDE_LEAST 5		/* hosts of a side that is judged by itself */
#define VISITS_LEAST 3		/* of fewer hosts, if nothing is measured again */
#define Z_NAMED 4.5
#define PASSES 8
#define ROUNDS_WORSE 1.5		/* visits differ by so much more without rounds' medians */
#define ENOUGH 0.002		/* change of any host by a pass */

/* ---- blocks ---- */

static int name_blocks(const struct peers *f, const struct blocks *b, struct map_judged *j)
{
	struct map_verdict *v = judged_add(j, KIND_BLOCKS);

	if (!v)
		return ST_FAILED;
	v->members = calloc(b->nnamed, sizeof(*v->members));
	if (!v->members)
		return error_report("no memory for a group of %u hosts", b->nnamed);
	for (uint32_t i = 0; i < f->n; i++)
		if (!b->other[i])
			v->members[v->nmembers++] = matrix_host(f->m, i);
	v->cause.a = v->cause.b = v->members[0];
	v->effect = b->effect;
	v->se = b->se;
	return ST_OK;
}

/* Judges the hosts of one side among themselves. */
static int judge_side(const struct peers *f, const struct blocks *b, bool other,
		      const struct rules *rules, struct map_judged *j)
{
	uint32_t *inner = calloc(f->n, sizeof(*inner)), *out = calloc(f->n, sizeof(*out)), n = 0;
	struct matrix side = { .n = 0 };
	int err = inner && out ? ST_OK : error_report("no memory to judge %u hosts", f->n);

	for (uint32_t i = 0; i < f->n && !err; i++) {
		if (b->other[i] != other)
			continue;
		inner[n] = i;
		out[n++] = matrix_host(f->m, i);
	}
	if (n < SIDE_LEAST) {
		j->unjudged += n;
	} else if (!err) {
		err = matrix_take(&side, f->m, inner, n);
		side.host = out;
		if (!err)
			err = causes_find(&side, rules, j);
		j->unjudged += j->why ? n : 0;
		j->why = JUDGED;	/* that there are two sides is a verdict */
		judged_forget_faster(j);
		matrix_free(&side);
	}
	free(inner);
	free(out);
	return err;
}

/* Blocks come first: what rounds have in common hides them. *found: all is judged. */
static int judge_blocks(struct peers *f, const struct rules *rules, struct map_judged *j,
			bool *found)
{
	struct blocks b;
	int err;

	fit_centre_visits(f);
	fit_polish(f);
	err = blocks_find(f, &rules->limits, rules->seed, &b);
	*found = !err && b.nnamed;
	if (*found) {
		err = name_blocks(f, &b, j);
		if (!err)
			err = judge_side(f, &b, false, rules, j);
		if (!err)
			err = judge_side(f, &b, true, rules, j);
	}
	free(b.other);
	return err;
}

/* ---- hosts and pairs ---- */

/*
 * (4) twice, or until that changes nothing: what rounds have in common is known better once hosts'
 * effects are. Where half of a round's pairs are slow, twice is not enough.
 */
static int estimate(struct peers *f)
{
	double change = INFINITY, largest;
	int err = ST_OK;

	fit_centre_visits(f);
	if (!fit_has_rounds(f)) {
		fit_polish(f);
		return ST_OK;
	}
	largest = fit_largest(f);
	for (uint32_t i = 0; i < f->n; i++)
		f->s[i] = f->r[i] = 0;
	for (int pass = 0; pass < PASSES && !err && (pass < 2 || change > ENOUGH); pass++) {
		err = fit_centre_rounds(f);
		if (!err)
			change = fit_polish(f);
	}
	/* of racks the median of a round is that of pairs within, or between them, by chance */
	if (!err && fit_largest(f) > ROUNDS_WORSE * largest) {
		fit_centre_visits(f);
		fit_polish(f);
	}
	return err;
}

static void note_hosts(struct peers *f, const struct thresholds *limits, struct map_judged *j)
{
	size_t n = 0;
	double least;

	for (uint32_t i = 0; i < f->n; i++) {
		f->work[n++] = fmax(f->se_s[i], f->se_r[i]);
		if (f->rows.n[i] + f->cols.n[i])
			j->slow[matrix_host(f->m, i)] = -fmin(f->s[i], f->r[i]);
	}
	least = fmax(limits->host, Z_NAMED * select_median(f->work, n));
	j->least = fmax(least, j->least);	/* of sides: the larger; fmax passes NaN by */
	j->mu = f->mu;
	j->sigma = f->sigma;
}

/* Marks the hosts that are suspect or vary; j->why if no half of them is left. */
static int mark_bad(struct peers *f, const struct rules *rules, struct unsteady *u,
		    struct map_judged *j)
{
	int err = ST_OK;

	fit_errors(f);
	fit_suspect(f, &rules->limits);
	/* of one visit only a retest tells what varies from what is slow one way */
	if (rules->again || !matrix_quick(f->m))
		err = unsteady_find(f, &rules->limits, u);
	if (err)
		return err;
	if (2 * u->n > f->n) {
		j->why = NO_STEADY;
		return ST_OK;
	}
	/* so few pairs that steady faults look like it: the least unsteady are taken for steady */
	while (2 * fit_ngood(f) <= f->n && u->n)
		f->varies[u->at[--u->n].host] = false;
	if (2 * fit_ngood(f) <= f->n)
		j->why = NO_NORMAL;
	return ST_OK;
}

static int judge_hosts(struct peers *f, const struct rules *rules, struct map_judged *j)
{
	struct unsteady u = { .n = 0 };
	bool *in_group = calloc(f->n, sizeof(*in_group));
	int err = in_group ? estimate(f) : error_report("no memory to judge %u hosts", f->n);

	if (!err)
		err = normal_check(f, &rules->limits, j);
	if (!err && !j->why)
		err = mark_bad(f, rules, &u, j);
	if (!err && !j->why) {
		if (fit_ngood(f) < f->n)
			fit_against_good(f);
		err = hosts_judge(f, rules, &u, in_group, j);
		if (!err)
			err = pairs_judge(f, rules, in_group, j);
		note_hosts(f, &rules->limits, j);
	}
	free(in_group);
	free(u.at);
	return err;
}

/* Quick mode measures so few of all pairs that no sides are seen. */
static bool is_full(const struct matrix *m)
{
	size_t cells = (size_t)m->n * m->n, n = 0;

	for (size_t at = 0; at < cells && matrix_quick(m); at++)
		n += !isnan(m->y[at]);
	return !matrix_quick(m) || 2 * n > cells;
}

int causes_find(const struct matrix *m, const struct rules *rules, struct map_judged *j)
{
	struct peers f = { .n = 0 };
	bool done = false;
	int err;

	if (m->n < 2 || (m->n == 2 && m->symmetric))
		j->why = m->n < 2 ? NO_HOSTS : NO_CAUSE;
	else if (m->n < QUICK_HOSTS && m->nvisits < (rules->again ? 2 : VISITS_LEAST))
		j->why = m->nvisits < 2 ? NO_NOISE : NO_THIRD;
	if (j->why)
		return ST_OK;
	if (m->n <= SMALL_MOST)
		return small_judge(m, rules, j);
	err = fit_make(&f, m);
	if (!err && m->n >= BLOCKS_LEAST && is_full(m))
		err = judge_blocks(&f, rules, j, &done);
	if (!err && !done)
		err = judge_hosts(&f, rules, j);
	fit_free(&f);
	return err;
}
