/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/history/streak.h"
#include "base/text.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"

/*
 * Judges the final night in y alone. If that gives no alarm, judges the final three nights
 * together.
 */
static void judge_night(const double *y, size_t before, size_t points, double margin,
			struct gate *gate, size_t look)
{
	struct night three;

	night_judge(y, before, points, margin, &gate->look[look]);
	if (gate->look[look].alarm)
		return;
	streak_judge(y, before, points, margin, &three);
	if (three.alarm) {
		gate->look[look] = three;
		gate->streak = true;
	}
}

void gate_judge(const struct nights *nights, size_t looks, double margin, struct gate *gate)
{
	size_t points = nights->points, before = nights->n - looks;
	double *y = memory_new((before + 1) * points, sizeof(*y));

	*gate = (struct gate){ before, looks, margin, nights->missing, false,
			       { { .p = NAN } } };
	for (size_t i = 0; i < looks && points; i++) {
		memcpy(y, nights->y, before * points * sizeof(*y));
		memcpy(y + before * points, nights->y + (before + i) * points, points * sizeof(*y));
		judge_night(y, before, points, margin, gate, i);
	}
	free(y);
}

/* The reason why there is no verdict; "" if there is one. */
static struct text explain_lack(const struct nights *nights, const struct gate *g)
{
	if (!nights->points || g->before < FEWEST_NIGHTS)
		return text_from("%zu night%s like this in the history, of %d that are needed",
				 g->before, g->before == 1 ? "" : "s", FEWEST_NIGHTS);
	if (g->look[0].alarm && g->looks == 1)
		return text_from("an alarm: measure %d more, and judge all %d", NIGHT_RUNS,
				 2 * NIGHT_RUNS);
	if (g->missing && !g->look[0].alarm)
		return text_from("no value tonight at %zu point%s of the nights before", g->missing,
				 g->missing == 1 ? "" : "s");
	return text_from("%s", "");
}

void gate_findings(const struct nights *nights, const struct gate *g, struct findings *found)
{
	const struct night *n = &g->look[0];
	struct text why = explain_lack(nights, g);
	bool worse = n->alarm && g->looks == 2 && g->look[1].alarm;
	char subject[200] = "";

	if (nights->points && !isnan(n->p))
		run_table_name(&nights->table, nights->point[n->point], subject, sizeof(subject));
	findings_add(found, &(struct finding){
		.kind = "night", .subject = subject,
		.quantity = columns[nights->table.measure.id].name, .unit = "",
		.effect = expm1(n->excess), .lo = NAN, .hi = NAN,
		.verdict = *why.s ? VERDICT_CANNOT_TELL : worse ? VERDICT_YES : VERDICT_NO,
		.decides = true, .why = why.s,
		.evidence = json_pack("{s:I, s:f, s:o, s:b, s:b, s:s}", "nights",
				      (json_int_t)g->before, "margin_percent", 100 * g->margin,
				      "p_value", real_or_null(n->p), "alarm", n->alarm, "again",
				      g->looks == 2 && g->look[1].alarm, "how",
				      g->streak ? " for three nights" : "") });
}
