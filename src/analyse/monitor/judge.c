/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/monitor/judge.h"

#include <math.h>

#include "analyse/monitor/outages.h"
#include "analyse/monitor/steps.h"
#include "result/document.h"

struct timeline_rules timeline_rules_from(const json_t *options)
{
	double change = result_number(options, "change"), flap = result_number(options, "flap");

	return (struct timeline_rules){ .interval_s = result_number(options, "interval"),
					.change = isnan(change) ? 0.05 : change / 100,
					.flap_s = isnan(flap) ? 300 : flap,
					.fail_change = NAN, .fail_flaps = NAN, .fail_up = NAN };
}

int timeline_judge(const struct monitored *t, size_t first, const struct timeline_rules *rules,
		   struct findings *found)
{
	int err = timeline_judge_changes(t, first, rules, found);

	return err ? err : timeline_judge_outages(t, first, rules, found);
}
