/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/monitor/steps.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define WHOLE 8640		/* a series of at most this many values is judged in one piece */
#define PIECE 4096		/* length of a piece of a longer series; pieces overlap by half */
#define HOUR_S 3600.0

int changes_of_long_series(const double *x, size_t n, double least, size_t width,
			   struct change_points *found, double *visible)
{
	size_t piece = n > WHOLE ? PIECE : n, step = n > WHOLE ? PIECE / 2 : n;
	int err = 0;

	*found = (struct change_points){ .n = 0 };
	*visible = NAN;
	for (size_t from = 0; n >= 2 * LASTING && !err; from += step) {
		bool final = from + piece >= n;
		size_t len = final ? n - from : piece, quarter = step / 2;
		size_t lasts = width < len / 2 ? width : len / 2;
		struct change_points part;
		double seen;

		change_points_find(x + from, len, least, &part);
		for (size_t i = 0; i < part.n && !err; i++) {
			struct change_point c = part.at[i], *more;
			/* the changes near the ends of a piece come from its neighbours */
			bool inner = (!from || c.at + LASTING >= quarter) &&
				     (final || c.at <= len - quarter + LASTING);

			c.at += from;
			c.first += from;
			c.last += from;
			if (!inner || (found->n && c.at < found->at[found->n - 1].at + LASTING))
				continue;
			more = reallocarray(found->at, found->n + 1, sizeof(*more));
			err = more ? 0 : -1;
			found->at = more ? more : found->at;
			if (more)
				found->at[found->n++] = c;
		}
		seen = err ? NAN : smallest_visible_step(&part, len, lasts ? lasts : 1);
		*visible = isnan(*visible) ? seen : fmax(*visible, seen);
		change_points_free(&part);
		if (final)
			break;
	}
	return err;
}

/* The changes of all tracks together. */
struct changes_told {
	size_t tracks;		/* tracks with enough intervals to judge */
	size_t changed;		/* those that changed */
	double visible;		/* smallest lasting change that would be seen in any of them */
	double worst;		/* largest change for the worse, as a share; 0: none */
	size_t of;		/* track of that change */
};

/* Adds the finding of a change that the timeline's track has at interval `at`. */
static void add_change(const struct monitored *t, const struct track *k,
		       const struct change_point *c, size_t at, struct changes_told *told,
		       struct findings *found)
{
	bool rate = unit_is_rate(columns[k->id].unit), worse = (c->effect > 0) != rate;
	double share = worse && rate ? -expm1(c->effect) : fabs(expm1(c->effect));
	char name[128], when[TIMELINE_TIME];

	timeline_point_name(t, k, name, sizeof(name));
	if (worse && share > told->worst) {
		told->worst = share;
		told->of = (size_t)(k - t->tracks);
	}
	findings_add(found, &(struct finding){
		.kind = "change", .subject = name,
		.quantity = columns[k->id].name, .unit = "", .effect = expm1(c->effect),
		.lo = c->ratio.lo - 1, .hi = c->ratio.hi - 1, .verdict = VERDICT_YES,
		.of = (size_t)(k - t->tracks),
		.evidence = json_pack("{s:s, s:f, s:b, s:s, s:f, s:s?}", "at",
				      timeline_time(t, t->at[at], when), "at_s", t->at[at], "worse",
				      worse, "verb", c->effect > 0 ? "rose" : "fell", "by",
				      fabs(expm1(c->effect)), "point", *name ? name : NULL) });
}

/* Judges one track. `x` and `index` have room for the intervals from `first` on. */
static int judge_track(const struct monitored *t, const struct track *k, size_t first,
		       const struct timeline_rules *r, double *x, size_t *index,
		       struct changes_told *told, struct findings *found)
{
	size_t n = 0, width = (size_t)fmax(LASTING, HOUR_S / r->interval_s);
	struct change_points c;
	double visible;
	int err;

	for (size_t i = first; i < t->n; i++)
		if (!isnan(k->x[i])) {
			x[n] = log(k->x[i]);
			index[n++] = i;
		}
	if (n < 2 * LASTING)
		return ST_OK;
	err = changes_of_long_series(x, n, r->change, width, &c, &visible);
	told->tracks++;
	told->changed += c.n > 0;
	told->visible = fmax(told->visible, fmax(visible, r->change));
	for (size_t i = 0; i < c.n && !err; i++)
		add_change(t, k, &c.at[i], index[c.at[i].at], told, found);
	change_points_free(&c);
	return err ? error_report("no memory to find changes") : ST_OK;
}

/* Adds whether a change for the worse reaches the limit of --fail-if. */
static void add_change_limit(const struct monitored *t, const struct changes_told *told,
			     double limit, struct findings *found)
{
	bool over = told->worst >= limit;
	bool seen = told->tracks == t->ntracks && told->visible <= limit;
	char name[128] = "";

	if (over)
		timeline_point_name(t, &t->tracks[told->of], name, sizeof(name));
	findings_add(found, &(struct finding){
		.kind = "change_limit", .unit = "", .effect = over ? told->worst : told->visible,
		.lo = NAN, .hi = NAN, .decides = true,
		.subject = name,
		.quantity = over ? columns[t->tracks[told->of].id].name : "",
		.verdict = over ? VERDICT_YES : seen ? VERDICT_NO : VERDICT_CANNOT_TELL,
		.why = over || seen			? ""
		       : told->tracks < t->ntracks	? "some points have too few intervals"
							: "only a larger change would have been "
							  "seen",
		.evidence = json_pack("{s:f, s:s?}", "limit", limit, "point",
				      *name ? name : NULL) });
}

int timeline_judge_changes(const struct monitored *t, size_t first, const struct timeline_rules *r,
			   struct findings *found)
{
	struct changes_told told = { .visible = 0 };
	size_t n = t->n - first, gaps = 0;
	double *x = calloc(n + 1, sizeof(*x));
	size_t *index = calloc(n + 1, sizeof(*index));
	char from[TIMELINE_TIME] = "", to[TIMELINE_TIME] = "";
	int err = x && index ? ST_OK : error_report("no memory to find changes");

	for (size_t i = 0; i < t->ntracks && !err; i++)
		err = judge_track(t, &t->tracks[i], first, r, x, index, &told, found);
	free(x);
	free(index);
	for (size_t i = first; i < t->n; i++)
		gaps += (t->flags[i] & INTERVAL_AFTER_GAP) != 0;
	if (n) {
		timeline_time(t, t->at[first], from);
		timeline_time(t, t->at[t->n - 1], to);
	}
	if (!err)
		findings_add(found, &(struct finding){
			.kind = "monitor", .subject = "", .quantity = "", .unit = "",
			.effect = told.tracks && isfinite(told.visible) ? told.visible : NAN,
			.lo = NAN, .hi = NAN,
			.verdict = !told.tracks	  ? VERDICT_CANNOT_TELL
				   : told.changed ? VERDICT_YES
						  : VERDICT_NO,
			.why = told.tracks ? "" : "too few intervals to find changes",
			.evidence = json_pack("{s:I, s:f, s:s, s:s, s:I, s:I, s:o, s:o}",
				"intervals", (json_int_t)(n + t->removed), "interval_s",
				r->interval_s, "from", from, "to", to, "series",
				(json_int_t)t->ntracks, "changed", (json_int_t)told.changed,
				"gaps", gaps ? json_integer((json_int_t)gaps) : json_null(),
				"removed", t->removed ? json_integer((json_int_t)t->removed)
						      : json_null()) });
	if (!err && !isnan(r->fail_change))
		add_change_limit(t, &told, r->fail_change, found);
	return err;
}
