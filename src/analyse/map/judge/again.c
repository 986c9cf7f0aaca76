/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/again.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

#define PAIRS_LEAST 2		/* control pairs that say enough about a round */

int again_make(struct retesting *a, struct peers *f, struct asking *ask, uint64_t seed,
	       uint32_t most)
{
	*a = (struct retesting){ .ask = ask, .f = f, .most = most };
	rng_seed(&a->rng, seed);
	a->at = calloc(f->n, sizeof(*a->at));
	a->sent = calloc(f->n, sizeof(*a->sent));
	a->order = calloc(f->n, sizeof(*a->order));
	a->busy = calloc(f->n, sizeof(*a->busy));
	a->control = calloc(FIT_MANY, sizeof(*a->control));
	a->ref = calloc(most + 1, sizeof(*a->ref));
	if (a->at && a->sent && a->order && a->busy && a->control && a->ref)
		return ST_OK;
	return error_report("no memory to measure %u hosts again", f->n);
}

void again_free(struct retesting *a)
{
	free(a->at);
	free(a->sent);
	free(a->order);
	free(a->busy);
	free(a->control);
	free(a->ref);
}

void again_shuffle(struct retesting *a)
{
	rng_permutation(&a->rng, a->order, a->f->n);
}

/* Adds meetings of good hosts that are free, in random order. Returns how many there are then. */
static size_t add_controls(struct retesting *a, size_t n)
{
	uint32_t waiting = a->f->n;

	for (uint32_t i = 0; i < a->f->n; i++)
		a->busy[i] = !fit_is_good(a->f, i);
	for (size_t k = 0; k < n; k++)
		a->busy[a->at[k].i] = a->busy[a->at[k].j] = true;
	again_shuffle(a);
	for (uint32_t k = 0; k < a->f->n; k++) {
		uint32_t host = a->order[k];

		if (a->busy[host])
			continue;
		if (waiting == a->f->n) {
			waiting = host;
		} else if (!a->avoid || !a->avoid(a->arg, waiting, host)) {
			a->at[n++] = (struct encounter){ waiting, host, NAN, NAN };
			waiting = a->f->n;
		}
	}
	return n;
}

static double rest(const struct peers *f, float y, uint32_t i, uint32_t j)
{
	return y - fit_expected(f, i, j);
}

static void keep_controls(struct retesting *a, size_t from, size_t n)
{
	for (size_t k = from; k < n && a->ncontrols < FIT_MANY; k++) {
		const struct encounter *at = &a->at[k];
		double ij = rest(a->f, at->ij, at->i, at->j);
		double ji = rest(a->f, at->ji, at->j, at->i);

		if (!isnan(ij) && !isnan(ji))
			a->control[a->ncontrols++] =
				(struct control_pair){ a->round, ij, ji, midpoint(ij, ji) };
	}
}

int again_round(struct retesting *a, size_t n)
{
	size_t all = add_controls(a, n);
	const struct matrix *m = a->f->m;
	int err;

	for (size_t k = 0; k < all; k++) {
		a->sent[k] = a->at[k];
		a->sent[k].i = matrix_host(m, a->at[k].i);
		a->sent[k].j = matrix_host(m, a->at[k].j);
	}
	err = ask_round(a->ask, a->sent, all);
	for (size_t k = 0; k < all && !err; k++) {
		a->at[k].ij = a->sent[k].ij;
		a->at[k].ji = a->sent[k].ji;
	}
	if (!err)
		keep_controls(a, n, all);
	a->round++;
	return err;
}

/* The median of what controls have left over in a round, or with a->round in all. */
static double median_of(struct retesting *a, uint32_t round, size_t *npairs)
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
	double ref = median_of(a, round, &npairs);

	return npairs >= PAIRS_LEAST ? ref : NAN;
}

int again_refer(struct retesting *a, uint32_t more)
{
	uint32_t rounds = a->round;
	size_t npairs = a->ncontrols;
	double all;
	int err = ST_OK;

	for (uint32_t t = 0; t < more && !npairs && !err; t++)
		err = again_round(a, 0);
	all = median_of(a, a->round, &npairs);
	for (uint32_t t = 0; t < rounds && t < a->most; t++) {
		double ref = again_reference(a, t);

		a->ref[t] = isnan(ref) ? all : ref;
	}
	return err;
}

double again_share_below(const struct retesting *a, double below)
{
	size_t n = 0, all = 0;

	for (size_t k = 0; k < a->ncontrols; k++) {
		if (a->control[k].round >= a->most)
			continue;
		all++;
		n += a->control[k].mean - a->ref[a->control[k].round] < below;
	}
	return all ? (double)n / (double)all : 0;
}
