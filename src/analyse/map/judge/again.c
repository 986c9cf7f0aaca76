/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/again.h"

#include <math.h>

#define PAIRS_LEAST 2		/* fewest controls that give a round a reference */

struct retesting again_make(struct peers *f, uint64_t seed, uint32_t most)
{
	struct retesting a = { .f = f, .most = most };

	rng_seed(&a.rng, seed);
	a.at = scratch_take(f->room, f->n, sizeof(*a.at));
	a.order = scratch_take(f->room, f->n, sizeof(*a.order));
	a.busy = scratch_take(f->room, f->n, sizeof(*a.busy));
	a.control = scratch_take(f->room, FIT_MANY, sizeof(*a.control));
	a.ref = scratch_take(f->room, most + 1, sizeof(*a.ref));
	return a;
}

size_t again_limit(const struct rules *rules, uint32_t rounds, size_t suspects)
{
	size_t most = MOST_ALONE / rounds - CONTROLS_ALONE;

	return rules->alone && suspects > most ? most : suspects;
}

void again_shuffle(struct retesting *a)
{
	rng_permutation(&a->rng, a->order, a->f->n);
}

void again_measure_round(struct retesting *a, size_t n)
{
	const struct peers *f = a->f;
	bool alone = f->rules->alone;
	uint32_t waiting = f->n;
	size_t all = n, most = n + (alone ? CONTROLS_ALONE : f->n);

	/* the controls: free good hosts meet in random order */
	for (uint32_t i = 0; i < f->n; i++)
		a->busy[i] = !fit_is_good(f, i);
	for (size_t k = 0; k < n; k++)
		a->busy[a->at[k].i] = a->busy[a->at[k].j] = true;
	again_shuffle(a);
	for (uint32_t k = 0; k < f->n && all < most; k++) {
		uint32_t host = a->order[k];

		if (a->busy[host])
			continue;
		if (waiting == f->n) {
			waiting = host;
		} else if (!a->avoid || !a->avoid(a->arg, waiting, host)) {
			a->at[all++] = (struct encounter){ waiting, host, NAN, NAN };
			waiting = f->n;
		}
	}
	for (size_t k = 0, some = alone ? 1 : all; k < all; k += some)
		ask_round(f->rules, f->m, a->at + k, some);
	for (size_t k = n; k < all; k++) {
		const struct encounter *at = &a->at[k];
		double ij = at->ij - fit_expected(f, at->i, at->j);
		double ji = at->ji - fit_expected(f, at->j, at->i);

		if (a->ncontrols < FIT_MANY && !isnan(ij) && !isnan(ji))
			a->control[a->ncontrols++] =
				(struct control_pair){ a->round, ij, ji };
	}
	a->round++;
}

/* Median of the controls' residuals in one round. If `round` is a->round: in all rounds. */
static double median_residual(struct retesting *a, uint32_t round, size_t *npairs)
{
	double *left = a->f->work;
	size_t n = 0;

	*npairs = 0;
	for (size_t k = 0; k < a->ncontrols && n + 2 <= FIT_MANY; k++) {
		if (round != a->round && a->control[k].round != round)
			continue;
		left[n++] = a->control[k].ij;
		left[n++] = a->control[k].ji;
		++*npairs;
	}
	return select_median(left, n);
}

double again_reference(struct retesting *a, uint32_t round)
{
	size_t npairs;
	double ref = median_residual(a, round, &npairs);

	return npairs >= PAIRS_LEAST ? ref : NAN;
}

void again_set_references(struct retesting *a, uint32_t more)
{
	uint32_t rounds = a->round;
	size_t npairs = a->ncontrols;
	double all;

	for (uint32_t t = 0; t < more && !npairs; t++)
		again_measure_round(a, 0);
	all = median_residual(a, a->round, &npairs);
	for (uint32_t t = 0; t < rounds && t < a->most; t++) {
		double ref = again_reference(a, t);

		a->ref[t] = isnan(ref) ? all : ref;
	}
}

double again_share_below(const struct retesting *a, double below)
{
	size_t n = 0, all = 0;

	for (size_t k = 0; k < a->ncontrols; k++) {
		const struct control_pair *c = &a->control[k];

		if (c->round >= a->most)
			continue;
		all++;
		n += midpoint(c->ij, c->ji) - a->ref[c->round] < below;
	}
	return all ? (double)n / (double)all : 0;
}
