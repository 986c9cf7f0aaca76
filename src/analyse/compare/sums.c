/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the judged points, and makes a finding for each. */
#include "analyse/compare/sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "analyse/compare/pair.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/document.h"

const char *const outcome_kinds[] = { "difference", "faster", "slower", "difference" };

static int compare_slower(const void *a, const void *b)
{
	const struct row_pair *const *x = a, *const *y = b;

	return order_doubles((*x)->slower, (*y)->slower);
}

struct sums *sums_compute(const struct compared *all, const struct row_pairs *p)
{
	struct sums *sums = memory_new(all->n + 1, sizeof(*sums));

	for (size_t b = 0; b <= all->n; b++) {
		struct sums *s = &sums[b];

		s->compared = memory_new(p->n, sizeof(*s->compared));
		for (const struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++) {
			if (b < all->n && pair->two != &all->two[b])
				continue;
			s->n++;
			if (!pair->row[A] || !pair->row[B])
				s->only[pair->row[A] ? A : B]++;
			else
				s->outcomes[pair->outcome]++;
			s->together |= !isnan(pair->p_value);
			if (!isnan(pair->slower))
				s->compared[s->ncompared++] = pair;
		}
		qsort(s->compared, s->ncompared, sizeof(*s->compared), compare_slower);
	}
	return sums;
}

void sums_free(struct sums *sums, const struct compared *all)
{
	for (size_t b = 0; b <= all->n; b++)
		free(sums[b].compared);
	free(sums);
}

size_t count_common_points(const struct sums *sums)
{
	return sums->n - sums->only[A] - sums->only[B];
}

/* ---- findings ---- */

size_t count_untold_points(const struct two *two, const struct row_pairs *p)
{
	size_t n = 0;

	for (const struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++)
		n += pair->two == two && (pair->limit[SLOWER] == VERDICT_CANNOT_TELL ||
					  pair->limit[FASTER] == VERDICT_CANNOT_TELL);
	return n;
}

/*
 * Adds a finding on a B as a whole, if the B has no common point, or has points at which a limit
 * cannot be told. Otherwise adds none.
 */
static void add_finding_on_b(const struct two *two, const struct row_pairs *p,
			     const struct measure *m, const struct sums *sums,
			     struct findings *found)
{
	size_t open = count_untold_points(two, p);
	char why[512];

	if (!count_common_points(sums))
		snprintf(why, sizeof(why), "no point of '%s' is in '%s'", two->path[A],
			 two->path[B]);
	else if (open)
		snprintf(why, sizeof(why), "%zu of %zu points may be past the limit or within it",
			 open, count_common_points(sums));
	else
		return;
	findings_add(found, &(struct finding){
		.kind = outcome_kinds[NOTHING_FOUND], .quantity = columns[m->id].name,
		.effect = NAN, .lo = NAN, .hi = NAN, .verdict = VERDICT_CANNOT_TELL,
		.decides = true, .why = why });
}

/*
 * Adds a point's finding. Its effect says by how much B is faster or slower, according to the
 * outcome. Without an outcome it says by how much B is slower.
 */
static void add_point_finding(const struct row_pairs *p, const struct row_pair *pair,
			      const struct measure *m, struct findings *found)
{
	struct interval in = pair->interval;
	char name[256];

	if (pair->method == METHOD_EXACT)
		in = (struct interval){ NAN, NAN };
	else if (m->rate != (pair->outcome == FASTER))
		in = (struct interval){ 1 / in.hi, 1 / in.lo };
	findings_add(found, &(struct finding){
		.kind = outcome_kinds[pair->outcome], .quantity = columns[m->id].name,
		.subject = point_name(p, pair, name, sizeof(name)),
		.effect = factor_of_outcome(pair->outcome, pair->slower) - 1,
		.lo = in.lo - 1, .hi = in.hi - 1,
		.decides = pair->limit[pair->outcome] == VERDICT_YES,
		.verdict = pair->outcome == NOTHING_FOUND ? VERDICT_CANNOT_TELL
			   : pair->outcome == NO_DIFFERENCE ? VERDICT_NO : VERDICT_YES,
		.why = pair->outcome ? "" : pair->remark, .of = (size_t)(pair - p->pair),
		.evidence = json_pack("{s:o?, s:s, s:o}", "file", json_string(pair->two->path[B]),
				      "method", method_names[pair->method], "p_value",
				      real_or_null(pair->p_value)) });
}

void compared_findings(const struct compared *all, const struct row_pairs *p,
		       const struct measure *m, const struct sums *sums, struct findings *found)
{
	for (size_t b = 0; b < all->n; b++)
		add_finding_on_b(&all->two[b], p, m, &sums[b], found);
	for (const struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++)
		if (pair->row[A] && pair->row[B])
			add_point_finding(p, pair, m, found);
}
