/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of the judged points, and a finding of each. */
#include "analyse/compare/sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/sort.h"
#include "result/document.h"

const char *const outcome_kinds[] = { "difference", "faster", "slower", "difference" };

static int by_slower(const void *a, const void *b)
{
	const struct row_pair *const *x = a, *const *y = b;

	return order_doubles((*x)->slower, (*y)->slower);
}

struct sums *sums_make(const struct compared *all, const struct row_pairs *p)
{
	struct sums *sums = calloc(all->n + 1, sizeof(*sums));

	for (size_t b = 0; b <= all->n && sums; b++) {
		struct sums *s = &sums[b];

		s->compared = calloc(p->n + 1, sizeof(*s->compared));
		if (!s->compared) {
			sums_free(sums, all);
			sums = NULL;
			break;
		}
		for (const struct row_pair *pair = p->pair; pair < p->pair + p->n; pair++) {
			if (b < all->n && pair->two != &all->two[b])
				continue;
			s->n++;
			if (!pair->row[A] || !pair->row[B])
				s->only[pair->row[A] ? A : B]++;
			else
				s->outcomes[pair->outcome]++;
			s->judged += !isnan(pair->p_value);
			s->standing += pair->stands;
			if (!isnan(pair->slower))
				s->compared[s->ncompared++] = pair;
		}
		qsort(s->compared, s->ncompared, sizeof(*s->compared), by_slower);
	}
	if (!sums)
		error_report("no memory for %zu points of %zu results", p->n, all->n);
	return sums;
}

void sums_free(struct sums *sums, const struct compared *all)
{
	for (size_t b = 0; b <= all->n && sums; b++)
		free(sums[b].compared);
	free(sums);
}

size_t sums_common(const struct sums *sums)
{
	return sums->n - sums->only[A] - sums->only[B];
}

/* ---- findings ---- */

double outcome_factor(enum outcome outcome, double slower)
{
	return outcome == FASTER ? 1 / slower : slower;
}

bool fail_if_reached(const struct fail_if *fail, enum outcome outcome, double slower)
{
	return outcome_factor(outcome, slower) >= fail->factor[outcome] * (1 - 1e-9);
}

int compared_findings(const struct compared *all, const struct row_pairs *p,
		      const struct measure *m, const struct sums *sums, const struct fail_if *fail,
		      struct findings *found)
{
	char why[512];
	int err = ST_OK;

	for (size_t b = 0; b < all->n && !err; b++) {
		snprintf(why, sizeof(why), "no point of '%s' is in '%s'", all->two[b].path[A],
			 all->two[b].path[B]);
		if (!sums_common(&sums[b]))
			err = findings_add(found, &(struct finding){
				.kind = outcome_kinds[NOTHING_FOUND],
				.quantity = columns[m->id].name, .effect = NAN, .lo = NAN,
				.hi = NAN, .verdict = VERDICT_CANNOT_TELL, .decides = true,
				.why = why });
	}
	for (size_t i = 0; i < p->n && !err; i++) {
		const struct row_pair *pair = &p->pair[i];
		const struct sums *of = &sums[pair->two - all->two];
		bool none = sums_common(of) == of->outcomes[NOTHING_FOUND];

		struct interval in = pair->interval;
		bool reached = fail_if_reached(fail, pair->outcome, pair->slower);
		char name[256];

		if (!pair->row[A] || !pair->row[B])
			continue;
		if (pair->method == METHOD_EXACT)
			in = (struct interval){ NAN, NAN };
		else if (m->rate != (pair->outcome == FASTER))
			in = (struct interval){ 1 / in.hi, 1 / in.lo };
		/* the effect: how much faster or slower B is; without a difference, slower */
		err = findings_add(found, &(struct finding){
			.kind = outcome_kinds[pair->outcome], .quantity = columns[m->id].name,
			.subject = point_name(p, pair, name, sizeof(name)),
			.effect = outcome_factor(pair->outcome, pair->slower) - 1,
			.lo = in.lo - 1, .hi = in.hi - 1,
			.decides = pair->outcome ? pair->stands && reached : fail->asked && none,
			.verdict = pair->outcome == NOTHING_FOUND ? VERDICT_CANNOT_TELL
				   : pair->outcome == NO_DIFFERENCE ? VERDICT_NO : VERDICT_YES,
			.why = pair->outcome ? "" : pair->remark, .of = i,
			.evidence = json_pack("{s:o?, s:s, s:o, s:b}", "file",
					      json_string(pair->two->path[B]), "method",
					      method_names[pair->method], "p_value",
					      real_or_null(pair->p_value), "stands",
					      pair->stands) });
	}
	return err;
}
