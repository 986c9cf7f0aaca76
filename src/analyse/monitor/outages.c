/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/monitor/outages.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

#define HOUR_S 3600.0
#define SLOW 2.0		/* a slow interval is slower than usual by this factor */
#define FLAPPING 3		/* flaps within an hour that count as flapping */

void outages_mark_slow(const struct monitored *t, const struct track *k, size_t first, double *x,
		       unsigned char *state)
{
	bool rate = unit_is_rate(columns[k->id].unit);
	double usual = NAN;

	for (int round = 0; round < 2; round++) {
		size_t n = 0;

		for (size_t i = first; i < t->n; i++) {
			double ratio = rate ? usual / k->x[i] : k->x[i] / usual;

			if (!isnan(k->x[i]) && !(ratio > SLOW))
				x[n++] = k->x[i];
		}
		usual = n ? select_median(x, n) : NAN;
	}
	for (size_t i = first; i < t->n; i++) {
		double ratio = rate ? usual / k->x[i] : k->x[i] / usual;

		if (ratio > SLOW && state[i - first] == STATE_UP)
			state[i - first] = STATE_SLOW;
	}
}

void outages_add_flap(const struct monitored *t, size_t from, size_t to, double flap_s,
		      struct outages *o)
{
	double seconds = t->at[to] - t->at[from];
	size_t hour = (size_t)fmod(t->at[from] / HOUR_S, 24), recent = 1;
	bool gap = false;

	for (size_t i = from; i <= to; i++)
		gap |= (t->flags[i] & INTERVAL_AFTER_GAP) != 0;
	if (gap || seconds >= flap_s)
		return;
	o->first_at = o->flaps ? o->first_at : t->at[from];
	o->total_s += seconds;
	o->longest_s = fmax(o->longest_s, seconds);
	json_array_set_new(o->hours, hour, json_integer(
		json_integer_value(json_array_get(o->hours, hour)) + 1));
	o->starts[o->flaps++] = t->at[from];
	for (size_t i = o->flaps - 1; i-- && t->at[from] - o->starts[i] <= HOUR_S;)
		recent++;
	o->within_hour = recent > o->within_hour ? recent : o->within_hour;
}

void outages_count(const struct monitored *t, const unsigned char *state, size_t first,
		   double flap_s, struct outages *o)
{
	size_t begin = 0;	/* first interval of an outage that began after an up one */

	for (size_t i = first; i < t->n; i++) {
		bool up = state[i - first] == STATE_UP;

		o->up += up;
		if (up && begin)
			outages_add_flap(t, begin, i, flap_s, o);
		if (!up && !begin && i > first && state[i - 1 - first] == STATE_UP)
			begin = i;
		begin = up ? 0 : begin;
	}
}

/* Makes the findings about flaps and availability. `all` is the number of intervals. */
static void make_findings(const struct timeline_rules *r, const struct outages *o, size_t all,
			  const char *at, struct finding *flaps, struct finding *availability)
{
	bool told = all >= 3 && r->interval_s < r->flap_s, judged = !isnan(r->fail_flaps);
	double n = (double)o->flaps, share = all ? (double)o->up / (double)all : NAN;
	enum verdict verdict = n >= (judged ? r->fail_flaps : 1) ? VERDICT_YES
			       : told || !judged		 ? VERDICT_NO
								 : VERDICT_CANNOT_TELL;

	*flaps = (struct finding){
		.kind = "flaps", .subject = "", .quantity = "", .unit = "flap", .effect = n,
		.lo = NAN, .hi = NAN, .decides = judged, .verdict = verdict,
		.why = verdict != VERDICT_CANNOT_TELL ? ""
		       : all < 3 ? "there are too few intervals"
				 : "an interval is not shorter than '--flap'",
		.evidence = json_pack("{s:f, s:f, s:s, s:s, s:O}", "total_s", o->total_s,
				      "longest_s", o->longest_s, "at", at, "flapping",
				      o->within_hour >= FLAPPING ? ", flapping" : "", "hours",
				      o->hours) };
	*availability = (struct finding){
		.kind = "availability", .subject = "", .quantity = "", .unit = "",
		.effect = share, .lo = NAN, .hi = NAN, .decides = !isnan(r->fail_up),
		.verdict = !all			? VERDICT_CANNOT_TELL
			   : share < r->fail_up ? VERDICT_YES
						: VERDICT_NO,
		.why = all ? "" : "there is no interval",
		.evidence = json_pack("{s:f, s:f, s:I, s:I}", "percent", all ? 100 * share : 0,
				      "limit", isnan(r->fail_up) ? 0 : 100 * r->fail_up, "up",
				      (json_int_t)o->up, "intervals", (json_int_t)all) };
}

int timeline_judge_outages(const struct monitored *t, size_t first, const struct timeline_rules *r,
			   struct findings *found)
{
	size_t n = t->n - first;
	char at[TIMELINE_TIME] = "";
	struct finding flaps, availability;
	unsigned char *state = calloc(n + 1, 1);
	double *x = calloc(n + 1, sizeof(*x));
	struct outages o = { .hours = json_array(), .starts = x };
	int err = x && state ? ST_OK : error_report("no memory to find flaps");

	for (size_t i = 0; i < 24; i++)
		json_array_append_new(o.hours, json_integer(0));
	for (size_t i = 0; i < n && !err; i++)
		state[i] = t->flags[first + i] & INTERVAL_DOWN ? STATE_DOWN : STATE_UP;
	for (size_t i = 0; i < t->ntracks && !err; i++)
		if (t->tracks[i].level)
			outages_mark_slow(t, &t->tracks[i], first, x, state);
	if (!err)
		outages_count(t, state, first, r->flap_s, &o);
	if (o.flaps)
		timeline_time(t, o.first_at, at);
	o.up += t->removed;
	make_findings(r, &o, n + t->removed, at, &flaps, &availability);
	findings_add(found, &flaps);
	findings_add(found, &availability);
	json_decref(o.hours);
	free(state);
	free(x);
	return err;
}
