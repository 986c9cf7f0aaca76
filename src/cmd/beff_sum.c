/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/beff_sum.h"

#include <stdio.h>
#include <string.h>

const char *const beff_rules[] = { "netbench", "hpcc-fpga", "hlrs", NULL };

/* Bandwidth of both directions of all ranks, B/s (DEFINITIONS 3). */
static double bandwidth(const struct beff_sum *sum, const struct result *res, double time_s)
{
	return 2.0 * sum->ranks * (double)res->spec->size * (double)res->loops / time_s;
}

void beff_cells(struct beff_sum *sum, const struct record *rec, const struct result *res,
		struct row *row)
{
	double best = sum->rule == RULE_HPCC_FPGA ? res->rank_best_s : result_best(res);
	uint64_t of = res->times.n < BEST_OF ? res->times.n : BEST_OF;

	ROW_PUT(row, rec, { COL_TIME_MIN, val_real(best) }, { COL_BEST_OF, val_uint(of) });
	if (!res->spec->size || !(best > 0))
		return;
	ROW_PUT(row, rec, { COL_BANDWIDTH_MAX, val_real(bandwidth(sum, res, best)) },
		{ COL_BANDWIDTH, val_real(bandwidth(sum, res, res->time.p50)) });
	sum->reference = sum->n < 21 && res->spec->size == UINT64_C(1) << sum->n &&
			 (!sum->n || sum->reference);
	sum->b += bandwidth(sum, res, best);
	sum->n++;
}

char *beff_conclude(const struct beff_sum *sum, json_t *summary, enum rate_unit rates)
{
	double b_eff = sum->b / (double)sum->n;
	const char *rule = beff_rules[sum->rule];
	char scaled[32], *text;

	if (!sum->n)
		return strdup("\nb_eff: n/a, no size has a bandwidth");
	json_object_set_new(summary, "b_eff_Bps", json_real(b_eff));
	json_object_set_new(summary, "b_eff_sizes", json_integer((json_int_t)sum->n));
	json_object_set_new(summary, "b_eff_rule", json_string(rule));
	json_object_set_new(summary, "b_eff_upper_loops", json_integer((json_int_t)sum->upper));
	if (asprintf(&text, "\nb_eff = %.5e B/s = %s   (ring of %d rank%s, rule %s, mean over %zu "
		     "sizes%s, u = %llu)",
		     b_eff, format_rate(scaled, sizeof(scaled), b_eff, "B/s", rates), sum->ranks,
		     sum->ranks == 1 ? "" : "s", rule, sum->n,
		     sum->reference && sum->n == 21 ? "" : ", not the full 2^0..2^20",
		     (unsigned long long)sum->upper) < 0)
		return NULL;
	return text;
}
