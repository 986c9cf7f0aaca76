/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/added.h"
#include "analyse/map/judge/causes.h"
#include "base/error.h"
#include "base/sort.h"

/*
 * Judging needs 7 KiB of stack for 2 to 300 hosts with faults, and 13 KiB under AddressSanitizer.
 */
#define STACK (128 * 1024)

/*
 * Judges a quantity of the hosts of a class. With a topology it first levels all pairs to one
 * distance.
 */
static void judge_class(struct judging *j, struct found *f)
{
	const struct study *s = j->all->s;
	struct scratch *room = &j->room;
	struct scratch_piece *mark = room->last;
	struct rules rules = j->all->rules;
	struct levelled levelled = { s, f->quantity, NULL };
	struct matrix m, level;
	uint32_t *hosts = scratch_take(room, s->n, sizeof(*hosts)), n = 0;

	if (judged_make(&f->j, s->n))
		scratch_give_up(room);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->class[i] == f->class)
			hosts[n++] = i;
	m = study_matrix(s, f->quantity, room);
	if (n < s->n)
		m = matrix_copy(room, &m, hosts, n, 0);
	level = s->leaf ? make_levelled_matrix(&levelled, room) : m;
	if (f->quantity == LATENCY && s->shared_cores)
		thresholds_raise(&rules.limits, least_above_chance(s, room, f->class));
	j->asking.wanted.quantity = f->quantity;
	rules.levelled = s->leaf ? &levelled : NULL;
	rules.again = j->asking.self ? &j->asking : NULL;
	rules.room = room;
	network_judge(&m, &level, s->leaf, s->nleaves, &rules, &f->j);
	name_hosts_of_pairs(s, room, &f->j);
	if (f->quantity == LATENCY)
		find_added_seconds(s, room, &f->j);
	judged_sort(&f->j);
	scratch_free(room, mark);
}

/*
 * Computes the statistics of a quantity over all pairs; 0 pairs if the quantity was not measured.
 */
static struct overview make_overview(const struct study *s, enum quantity q)
{
	struct overview o = { NAN, NAN, NAN, NAN, 0, 0, 0, 0 };
	double *y = s->of[q].n ? malloc((study_count_cells(s) + 1) * sizeof(*y)) : NULL;
	double worst = INFINITY;
	size_t n = 0;

	for (struct met p = STUDY_BEGIN; y && study_next(s, &p);) {
		y[n] = study_y(s, q, p.i, p.j);
		if (isnan(y[n]))
			continue;
		if (y[n] < worst) {
			worst = y[n];
			o.from = p.i;
			o.to = p.j;
		}
		n++;
	}
	o.pairs = n;
	o.missing = s->of[q].n ? (size_t)s->n * (s->n - 1) - n : 0;
	if (n) {
		o.median = study_unit(q, select_median(y, n));
		/*
		 * select_median() has partitioned y, so each quartile is selected from one half of
		 * it
		 */
		o.low = study_unit(q, select_double(y, n / 2 + 1, n / 4));
		o.high = study_unit(q, select_double(y + n / 2, n - n / 2, n - 1 - n / 4 - n / 2));
		o.slowest = study_unit(q, worst);
	}
	free(y);
	return o;
}

/* Judges all quantities and classes. */
static void judge_all(void *judging)
{
	struct judging *j = judging;
	struct verdicts *all = j->all;
	uint32_t nclasses = all->s->nclasses ? all->s->nclasses : 1;

	all->at = calloc((size_t)NQUANTITIES * nclasses, sizeof(*all->at));
	if (!all->at) {
		error_report("no memory for %u classes", nclasses);
		scratch_give_up(&j->room);
	}
	for (int q = 0; q < NQUANTITIES; q++) {
		for (uint32_t c = 0; c < nclasses && all->s->of[q].n; c++) {
			all->at[all->n].quantity = (enum quantity)q;
			all->at[all->n].class = c;
			judge_class(j, &all->at[all->n++]);
		}
		all->over[q] = make_overview(all->s, (enum quantity)q);
	}
	if (!all->n)
		return;
	/* silent hosts are shown with the first judgement */
	judge_silent_hosts(all->s, &j->room, &all->at[0].j);
	judged_sort(&all->at[0].j);
}

/* ---- rounds of measurements ---- */

/* The function that the coroutine runs. */
static void run_judging(void *judging)
{
	struct judging *j = judging;

	j->err = scratch_run(&j->room, judge_all, j);
}

void judge_open(struct judging *j, struct verdicts *all)
{
	*j = (struct judging){ .all = all };
	if (!all->again) {
		run_judging(j);
		return;
	}
	j->asking.self = coroutine_new(STACK, run_judging, j);
	if (!j->asking.self)
		j->err = error_report("no memory to judge %u hosts", all->s->n);
	else
		coroutine_resume(j->asking.self);
}

bool judge_next_round(const struct judging *j, struct meetings *meetings)
{
	*meetings = j->asking.wanted;
	return meetings->at;
}

void judge_continue(struct judging *j)
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

/* ---- verdicts ---- */

void verdicts_free(struct verdicts *all)
{
	for (size_t i = 0; i < all->n; i++)
		judged_free(&all->at[i].j);
	free(all->at);
	all->at = NULL;
	all->n = 0;
	json_decref(all->differences);
	all->differences = NULL;
}

double host_slowdown(const struct verdicts *all, const struct found *f, uint32_t host)
{
	double by = f->j.slow[host];

	return f->quantity == LATENCY ? all->over[LATENCY].median * expm1(by)
				      : verdict_relative(by);
}
