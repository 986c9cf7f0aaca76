/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/rules.h"

#include <math.h>
#include <stddef.h>

#include "base/values.h"

struct thresholds thresholds_for(double effect)
{
	double host = -log1p(-effect), pair = -log1p(-PAIR_TO_HOST * effect);

	return (struct thresholds){
		.host_suspect = 0.8 * host, .host_again = 0.6 * host, .host_other = 0.64 * host,
		.host = host, .pair_suspect = 0.875 * pair, .pair_quick = 1.875 * pair,
		.pair_again = 0.5 * pair, .pair = pair,
	};
}

void thresholds_raise(struct thresholds *t, double host)
{
	double *const all[] = { &t->host_suspect, &t->host_again, &t->host_other, &t->pair_suspect,
				&t->pair_quick, &t->pair_again, &t->pair, &t->host };
	double by = host / t->host;

	for (size_t i = 0; i < LENGTH(all) && by > 1; i++)
		*all[i] *= by;
}

double leaf_level(const struct leaf_levels *l, uint32_t i, uint32_t j)
{
	return l ? l->of[l->leaf[i] * l->n + l->leaf[j]] : 0;
}

void ask_round(const struct rules *rules, const struct matrix *m, struct encounter *at, size_t n)
{
	struct asking *a = rules->again;
	struct scratch_piece *mark = rules->room->last;
	struct encounter *sent = scratch_take(rules->room, n, sizeof(*sent));

	for (size_t k = 0; k < n; k++) {
		sent[k] = at[k];
		sent[k].i = matrix_host(m, at[k].i);
		sent[k].j = matrix_host(m, at[k].j);
	}
	if (!a->given_up) {
		a->wanted.at = sent;
		a->wanted.n = n;
		coroutine_yield(a->self);
		a->wanted.at = NULL;
	}
	if (a->given_up)
		scratch_give_up(rules->room);
	if (rules->levelled)
		level_round(rules->levelled, rules->room, sent, n);
	for (size_t k = 0; k < n; k++) {
		float level = (float)leaf_level(rules->levels, sent[k].i, sent[k].j);

		at[k].ij = sent[k].ij - level;
		at[k].ji = sent[k].ji - level;
	}
	scratch_free(rules->room, mark);
}
