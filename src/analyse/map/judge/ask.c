/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/ask.h"

void ask_round(const struct rules *rules, struct encounter *at, size_t n)
{
	struct asking *a = rules->again;

	if (!a->given_up) {
		a->wanted.at = at;
		a->wanted.n = n;
		coroutine_yield(a->self);
		a->wanted.at = NULL;
	}
	if (a->given_up)
		scratch_give_up(rules->room);
	if (a->levelled)
		level_round(a->levelled, rules->room, at, n);
}
