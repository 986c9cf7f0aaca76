/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/beff_sum.h"

#include <stdio.h>
#include <string.h>

#include "result/document.h"

const char *const beff_rules[] = { "netbench", "hpcc-fpga", "hlrs", NULL };

/* Returns the bandwidth of all ranks together in both directions, B/s (DEFINITIONS 3). */
static double all_ranks_bandwidth(const struct beff_sum *sum, const struct result *res,
				  double time_s)
{
	return 2.0 * sum->ranks * (double)res->spec->size * (double)res->loops / time_s;
}

/*
 * Returns the number of visits, each of which has its own best repetition; 1 for rules without
 * visits.
 */
static size_t count_visits(const struct beff_sum *sum, const struct result *res)
{
	return sum->rule == RULE_NETBENCH && res->visits < BEFF_VISITS ? res->visits
	       : sum->rule == RULE_NETBENCH			       ? BEFF_VISITS
								       : 1;
}

static double best_of_visit(const struct beff_sum *sum, const struct result *res, size_t visit)
{
	return sum->rule == RULE_NETBENCH ? result_visit_best(res, visit) : res->rank_best_s;
}

/* Returns the smallest number of repetitions from which a best repetition was chosen. */
static uint64_t fewest_repetitions(const struct beff_sum *sum, const struct result *res)
{
	size_t least = res->times.n < BEST_OF ? res->times.n : BEST_OF, of;

	for (size_t v = 0; v < count_visits(sum, res) && sum->rule == RULE_NETBENCH; v++) {
		of = result_best_count(res, v);
		least = of < least ? of : least;
	}
	return least;
}

void beff_set_cells(const struct beff_sum *sum, const struct record *rec, const struct result *res,
		    struct row *row)
{
	double best = sum->rule == RULE_NETBENCH ? result_best(res) : res->rank_best_s;

	ROW_PUT(row, rec, { COL_TIME_MIN, val_real(best) },
		{ COL_BEST_OF, val_uint(fewest_repetitions(sum, res)) });
	if (!res->spec->size || !(best > 0))
		return;
	ROW_PUT(row, rec, { COL_BANDWIDTH_MAX, val_real(all_ranks_bandwidth(sum, res, best)) },
		{ COL_BANDWIDTH, val_real(all_ranks_bandwidth(sum, res, res->time.p50)) });
}

void beff_add_size(struct beff_sum *sum, const struct result *res)
{
	size_t visits = count_visits(sum, res);

	if (!res->spec->size || !visits || !(best_of_visit(sum, res, 0) > 0))
		return;
	sum->reference = sum->n < 21 && res->spec->size == UINT64_C(1) << sum->n &&
			 (!sum->n || sum->reference);
	sum->visits = !sum->n || visits < sum->visits ? visits : sum->visits;
	for (size_t v = 0; v < sum->visits; v++)
		sum->b[v] += all_ranks_bandwidth(sum, res, best_of_visit(sum, res, v));
	sum->n++;
}

struct summary beff_score(const struct beff_sum *sum)
{
	double each[BEFF_VISITS];
	size_t ends[BEFF_VISITS];
	struct series x = { each, sum->n ? sum->visits : 0, 0 };

	for (size_t v = 0; v < x.n; v++) {
		each[v] = sum->b[v] / (double)sum->n;
		ends[v] = v + 1;
	}
	return summarise_visits(&x, ends, x.n);
}

char *beff_conclude(const struct beff_sum *sum, json_t *summary, enum rate_unit rates)
{
	struct summary score = beff_score(sum);
	const char *rule = beff_rules[sum->rule];
	char scaled[32], lo[32], hi[32], visits[128] = "", *text;

	if (!sum->n)
		return strdup("\nb_eff: n/a, no size has a bandwidth");
	json_object_set_new(summary, "b_eff_Bps", json_real(score.p50));
	json_object_set_new(summary, "b_eff_sizes", json_integer((json_int_t)sum->n));
	json_object_set_new(summary, "b_eff_rule", json_string(rule));
	json_object_set_new(summary, "b_eff_upper_loops", json_integer((json_int_t)sum->upper));
	if (sum->visits > 1) {
		json_object_set_new(summary, "b_eff_visits", json_integer((json_int_t)sum->visits));
		json_object_set_new(summary, "b_eff_lo_Bps", real_or_null(score.lo));
		json_object_set_new(summary, "b_eff_hi_Bps", real_or_null(score.hi));
		snprintf(visits, sizeof(visits), "\n  median of %zu visits", sum->visits);
	}
	if (score.method == CI_VISITS)
		snprintf(visits + strlen(visits), sizeof(visits) - strlen(visits), ", %s to %s",
			 format_rate(lo, sizeof(lo), score.lo, "B/s", rates),
			 format_rate(hi, sizeof(hi), score.hi, "B/s", rates));
	if (asprintf(&text, "\nb_eff = %.5e B/s = %s   (ring of %d rank%s, rule %s, mean over %zu "
		     "sizes%s, u = %llu)%s",
		     score.p50, format_rate(scaled, sizeof(scaled), score.p50, "B/s", rates),
		     sum->ranks, sum->ranks == 1 ? "" : "s", rule, sum->n,
		     sum->reference && sum->n == 21 ? "" : ", not the full 2^0..2^20",
		     (unsigned long long)sum->upper, visits) < 0)
		return NULL;
	return text;
}
