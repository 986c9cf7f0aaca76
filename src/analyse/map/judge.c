/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge.h"

#include <stdlib.h>

#include "analyse/map/added.h"
#include "analyse/map/judge/causes.h"
#include "analyse/map/study/gather.h"
#include "analyse/map/study/silent.h"
#include "base/error.h"

/* It takes 7 KiB, of 2 to 300 hosts with faults, and 13 KiB under AddressSanitizer. */
#define STACK (128 * 1024)

/* A quantity of some hosts, or of all, as if all pairs were of one distance. */
static int judge_hosts_of(struct judging *j, struct found *f, const struct matrix *all,
			  const uint32_t *hosts, uint32_t n)
{
	const struct study *s = j->all->s;
	struct rules rules = j->all->rules;
	struct matrix part = { .n = 0 };
	int err = n < s->n ? matrix_take(&part, all, hosts, n) : ST_OK;

	if (err)
		return err;
	if (f->quantity == LATENCY && s->shared_cores)
		thresholds_raise(&rules.limits, added_least(s, hosts, n));
	rules.again = j->asking.self ? &j->asking : NULL;
	err = causes_find(n < s->n ? &part : all, &rules, &f->j);
	matrix_free(&part);
	if (!err && s->leaf)
		err = gather_pairs(s, &f->j);
	if (!err && f->quantity == LATENCY && f->j.n)
		err = added_find(s, &f->j);
	return err;
}

static int judge_class(struct judging *j, struct found *f)
{
	const struct study *s = j->all->s;
	uint32_t *hosts = calloc(s->n + 1, sizeof(*hosts));
	struct levelled levelled = { s, f->quantity, NULL };
	struct matrix level = { .n = 0 };
	uint32_t n = 0;
	int err = hosts ? judged_make(&f->j, s->n) : error_report("no memory for %u hosts", s->n);

	if (!err && s->leaf)
		err = level_make(&levelled, &level);
	j->asking.wanted.quantity = f->quantity;
	j->asking.levelled = s->leaf ? &levelled : NULL;
	for (uint32_t i = 0; i < s->n && !err; i++)
		if (s->class[i] == f->class)
			hosts[n++] = i;
	if (!err)
		err = judge_hosts_of(j, f, s->leaf ? &level : &s->of[f->quantity], hosts, n);
	judged_sort(&f->j);
	matrix_free(&level);
	free(levelled.at_load);
	free(hosts);
	return err;
}

static int judge_all(struct judging *j)
{
	struct verdicts *all = j->all;
	uint32_t nclasses = all->s->nclasses ? all->s->nclasses : 1;
	int err = ST_OK;

	all->at = calloc((size_t)NQUANTITIES * nclasses, sizeof(*all->at));
	if (!all->at)
		return error_report("no memory for %u classes", nclasses);
	for (int q = 0; q < NQUANTITIES && !err; q++) {
		for (uint32_t c = 0; c < nclasses && !err && all->s->of[q].n; c++) {
			all->at[all->n].quantity = (enum quantity)q;
			all->at[all->n].class = c;
			err = judge_class(j, &all->at[all->n++]);
		}
		all->over[q] = overview_of(all->s, (enum quantity)q);
	}
	if (err || !all->n)
		return err;
	err = silent_judge(all->s, &all->at[0].j);	/* is told with the first */
	judged_sort(&all->at[0].j);
	return err;
}

/* ---- asking ---- */

static void run(void *arg)
{
	struct judging *j = arg;

	j->err = judge_all(j);
}

void judge_open(struct judging *j, struct verdicts *all)
{
	*j = (struct judging){ .all = all };
	if (!all->again) {
		j->err = judge_all(j);
		return;
	}
	j->asking.self = coroutine_new(STACK, run, j);
	if (!j->asking.self)
		j->err = error_report("no memory to judge %u hosts", all->s->n);
	else
		coroutine_resume(j->asking.self);
}

bool judge_wants(const struct judging *j, struct meetings *meetings)
{
	*meetings = j->asking.wanted;
	return meetings->at;
}

void judge_take(struct judging *j)
{
	coroutine_resume(j->asking.self);
}

int judge_close(struct judging *j)
{
	int err;

	j->asking.given_up = true;
	while (j->asking.wanted.at)
		coroutine_resume(j->asking.self);
	err = j->err;
	coroutine_free(j->asking.self);
	*j = (struct judging){ .all = NULL };
	return err;
}
