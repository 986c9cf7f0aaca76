/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/ask.h"

#include "base/error.h"

int ask_round(struct asking *a, struct encounter *at, size_t n)
{
	if (a->given_up)
		return ST_FAILED;
	a->wanted.at = at;
	a->wanted.n = n;
	coroutine_yield(a->self);
	a->wanted.at = NULL;
	if (a->given_up)
		return ST_FAILED;
	return a->levelled ? level_round(a->levelled, at, n) : ST_OK;
}
