/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/compare/pair.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* a factor reaches a limit if its relative distance to the limit is at most this */
#define ROUNDING 1e-9

void pair_clear(struct row_pair *pair)
{
	pair->value[A] = pair->value[B] = pair->ratio = pair->slower = pair->p_value = NAN;
	pair->interval = (struct interval){ NAN, NAN };
	for (enum outcome o = 0; o < NOUTCOMES; o++)
		pair->limit[o] = VERDICT_NO;
}

void pair_lacks(struct row_pair *pair, enum lack lack, int side, const char *fmt, ...)
{
	va_list args;

	pair->lack = lack;
	pair->lacking = side;
	va_start(args, fmt);
	vsnprintf(pair->remark, sizeof(pair->remark), fmt, args);
	va_end(args);
	/* the text may contain any characters, because it comes from a file */
	for (char *c = pair->remark; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

double factor_of_outcome(enum outcome outcome, double slower)
{
	return outcome == FASTER ? 1 / slower : slower;
}

/* True if a factor reaches the limit of an outcome, apart from rounding. */
static bool reaches_limit(const struct fail_if *fail, enum outcome outcome, double factor)
{
	return factor >= fail->factor[outcome] * (1 - ROUNDING);
}

bool fail_if_reached(const struct fail_if *fail, enum outcome outcome, double slower)
{
	return reaches_limit(fail, outcome, factor_of_outcome(outcome, slower));
}

void pair_judge_limits(const struct fail_if *fail, const struct measure *m, struct row_pair *pair)
{
	for (enum outcome o = FASTER; o <= SLOWER; o++) {
		/* true: for this outcome the ratio is below 1 */
		bool falls = m->rate == (o == SLOWER);
		double better = falls ? 1 / pair->interval.hi : pair->interval.lo;
		double worse = falls ? 1 / pair->interval.lo : pair->interval.hi;

		if (isnan(fail->factor[o]))
			continue;
		pair->limit[o] = pair->outcome == o && reaches_limit(fail, o, better) ? VERDICT_YES
				 : worse >= 0 && !reaches_limit(fail, o, worse)
					 ? VERDICT_NO : VERDICT_CANNOT_TELL;
		if (pair->limit[o] == VERDICT_CANNOT_TELL && !pair->lack)
			pair->lack = LACK_WIDE;
	}
}

void pair_set_untold(const struct fail_if *fail, struct row_pair *pair)
{
	bool none = isnan(pair->value[A]) && isnan(pair->value[B]);

	if (!pair->row[A] || !pair->row[B] || pair->outcome || none)
		return;
	for (enum outcome o = FASTER; o <= SLOWER; o++)
		if (!isnan(fail->factor[o]))
			pair->limit[o] = VERDICT_CANNOT_TELL;
}
