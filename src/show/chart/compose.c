/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributes the series of a picture over panels, so that each panel has few series. Panels differ
 * in the collective operation, in ranks and in load. If a panel still has too many series, panels
 * also differ in other keys.
 */
#include "show/chart/compose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/caption.h"
#include "show/chart/heading.h"
#include "show/chart/heat/heat.h"
#include "show/chart/heat/words.h"
#include "show/chart/lines.h"
#include "show/chart/ratios.h"
#include "show/chart/points.h"
#include "show/chart/traces.h"

/* A panel that would have more series than SERIES_WANTED is split by ranks and by load. */
#define SERIES_WANTED 4

/*
 * The largest distance between marks with the same x. It is the smaller of two distances: ASIDE of
 * the axis; and ASIDE_NEXT of the distance to the next x, divided by the number of series.
 */
#define ASIDE 0.018
#define ASIDE_NEXT 0.6

/* ---- panels of a picture ---- */

/*
 * Returns the largest number of series of a panel. The number is larger for text, because a
 * terminal has room for few panels, and letters distinguish the series.
 */
static size_t series_limit(const struct chart_request *ask)
{
	return ask->text ? SERIES_LETTERS : SERIES_MOST;
}

/*
 * Groups the series that agree in all keys of the set `keys`. Returns the size of the largest
 * group. Sets *combinations to the number of groups.
 */
static size_t largest_group(const struct picture *pic, unsigned keys, size_t *combinations)
{
	json_t *seen = json_object();
	json_int_t most = 0;

	for (size_t i = 0; i < pic->ntraces; i++) {
		struct text words = traces_key_words(&pic->traces[i], keys);
		json_int_t n = json_integer_value(json_object_get(seen, words.s)) + 1;

		json_object_set_new_nocheck(seen, words.s, json_integer(n));
		most = n > most ? n : most;
	}
	*combinations = json_object_size(seen);
	json_decref(seen);
	return (size_t)most;
}

/*
 * Adds a key to *by, the keys that distinguish panels, if a panel has more than `wanted` series.
 * The key must reduce the number of series in a panel, and must not have too many values.
 */
static void add_key_if_useful(const struct picture *pic, unsigned key, size_t wanted, unsigned *by)
{
	size_t n, values, most = largest_group(pic, *by, &n);

	largest_group(pic, key, &values);
	if (most > wanted && values <= SERIES_MOST && largest_group(pic, *by | key, &n) < most)
		*by |= key;
}

/* Gives series with the same name the same look in all panels. */
static void assign_looks(struct picture *pic)
{
	json_t *looks = json_object();

	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];
		struct text name = traces_look_name(pic, s);
		const json_t *look = json_object_get(looks, name.s);

		s->look = look ? (size_t)json_integer_value(look) : json_object_size(looks);
		if (!look)
			json_object_set_new_nocheck(looks, name.s,
						    json_integer((json_int_t)s->look));
	}
	json_decref(looks);
	if (ratios_are_drawn(pic))
		ratios_choose_looks(pic);
}

/*
 * Returns a panel with this title that has room for a series, or a new panel. The picture's panels
 * begin at `first`.
 */
static struct chart_panel *find_or_add_panel(struct chart *c, struct picture *pic, size_t first,
					     const struct text *title)
{
	struct chart_panel *p = &c->panels[c->n];

	for (size_t i = first; i < c->n; i++)
		if (!strcmp(c->panels[i].title.s, title->s) &&
		    c->panels[i].nseries < series_limit(pic->ask))
			return &c->panels[i];
	c->n++;
	*p = (struct chart_panel){
		.title = *title, .x = &pic->x, .y = &pic->y, .ringed = pic->marked,
		.rules = pic->rules, .nrules = pic->nrules, .group = pic->number,
	};
	if (ratios_are_drawn(pic))
		ratios_shade_limits(pic, p);
	return p;
}

/*
 * Places the marks of series with the same x side by side. Marks that a line joins stay in place.
 */
static void separate_marks(struct picture *pic, struct chart_panel *p)
{
	const struct axis *x = p->x;
	double step = ASIDE;

	for (size_t i = 1; i < x->nvalues; i++)
		step = fmin(step, ASIDE_NEXT / (double)p->nseries *
			    axes_distance_share(x, axes_coordinate(x, x->values[i - 1]),
						axes_coordinate(x, x->values[i])));
	for (size_t i = 0; i < p->nseries && x->nvalues; i++)
		if (p->series[i]->style != STYLE_MARKS)
			return;
	if (p->nseries < 2 || !x->nvalues || ratios_are_drawn(pic))
		return;
	p->aside = step;
	pic->aside = true;
}

/* Puts the series of a picture into panels. If `named`, titles begin with the benchmark. */
static void make_panels(struct chart *c, struct picture *pic, bool named)
{
	static const char *const first_keys[] = { "ranks", "load" };
	const unsigned operation = 1u << traces_key_index("operation");
	size_t first = c->n, operations;
	unsigned by = 0;	/* the keys that distinguish panels */

	/* a panel for each operation, unless each operation has only one series */
	if (largest_group(pic, operation, &operations) > 1 && operations > 1 && !pic->ask->text)
		by = operation;
	for (size_t i = 0; i < LENGTH(first_keys) && !pic->ask->text; i++)
		add_key_if_useful(pic, 1u << traces_key_index(first_keys[i]), SERIES_WANTED, &by);
	for (unsigned i = 0; i + 1 < traces_nkeys; i++)
		add_key_if_useful(pic, 1u << i, series_limit(pic->ask), &by);
	traces_set_labels(pic, by);
	assign_looks(pic);
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct text words = traces_key_words(&pic->traces[i], by), title = words;
		struct chart_panel *p;

		if (named)
			title = text_from("%s%s%s", heading_benchmark(pic).s, words.n ? ", " : "",
					words.s);
		p = find_or_add_panel(c, pic, first, &title);
		p->series[p->nseries++] = &pic->traces[i];
	}
	for (size_t i = first; i < c->n; i++) {
		struct chart_panel *p = &c->panels[i];

		p->keyed = p->nseries > 1 || by & operation || pic->ask->named ||
			   ratios_are_drawn(pic);
		separate_marks(pic, p);
	}
}

/* ---- the caption of several pictures ---- */

/* A line of a caption, and the benchmarks of the pictures that have this line. */
struct remark {
	const struct text_line *line;
	struct text of;
	size_t n;
};

/*
 * Adds each distinct line of the captions once, warnings first. A line begins with the names of its
 * benchmarks, unless all pictures have this line.
 */
static void join_captions(struct text_lines *to, const struct picture *pics, size_t npics)
{
	size_t most = 1, n = 0;
	struct remark *v, *r;

	for (size_t i = 0; i < npics; i++)
		most += pics[i].caption.n;
	v = memory_new(most, sizeof(*v));
	for (size_t i = 0; i < npics; i++) {
		for (size_t k = 0; k < pics[i].caption.n; k++) {
			const struct text_line *line = &pics[i].caption.v[k];

			for (r = v; r < v + n; r++)
				if (r->line->kind == line->kind &&
				    !strcmp(r->line->text, line->text))
					break;
			n += r == v + n;
			r->line = line;
			text_add(&r->of, "%s%s", r->n++ ? ", " : "",
				 pics[i].benchmark ? pics[i].benchmark : "");
		}
	}
	for (size_t i = 0; i < 2 * n; i++) {
		bool all = v[i % n].n >= npics;

		r = &v[i % n];
		if ((r->line->kind == LINE_ALARM) == (i < n))
			lines_add(to, r->line->kind, "%s%s%s", all ? "" : r->of.s,
				  all ? "" : ": ", r->line->text);
	}
	free(v);
}

/* ---- charts ---- */

static int add_picture(struct chart *c, struct picture *pic, bool named)
{
	size_t n = 0;

	if (pic->heat) {
		heat_compose(c, pic);
		return ST_OK;
	}
	axes_complete(pic);
	for (size_t i = 0; i < pic->ntraces; i++)
		n += pic->traces[i].n;
	if (!named && n && pic->noutside == n)
		return error_usage("nothing to draw: no point is within the range of the axes");
	points_thin(pic);
	for (size_t i = 0; i < pic->ntraces; i++)
		traces_choose_style(pic, &pic->traces[i]);
	make_panels(c, pic, named);
	caption_write(pic);
	return ST_OK;
}

/*
 * Makes a chart of n pictures. Call axes_find_ranges for each picture first. Returns ST_OK or
 * another ST_*.
 */
static int compose_chart(struct chart *c, struct picture *pics, size_t n)
{
	size_t most = HEAT_MAPS;
	int err = ST_OK;

	for (size_t i = 0; i < n; i++)
		most += pics[i].ntraces;
	c->panels = memory_new(most, sizeof(*c->panels));
	c->benchmark = n == 1 ? pics[0].benchmark : NULL;
	axes_share_ends(pics, n);
	for (size_t i = 0; i < n && !err; i++)
		err = add_picture(c, &pics[i], n > 1);
	if (err)
		return err;
	heading_write(&c->head, pics, n);
	if (pics[0].heat)
		heat_add_title(&c->head, &pics[0]);
	join_captions(&c->foot, pics, n);
	return ST_OK;
}

int compose_charts(struct album *a, const struct chart_request *ask)
{
	size_t each = ask->apart ? 1 : a->n;
	int err = ST_OK;

	a->charts = memory_new(a->n, sizeof(*a->charts));
	for (size_t i = 0; i < a->n; i++)
		if (!a->v[i].heat)
			axes_find_ranges(&a->v[i]);
	for (size_t i = 0; i < a->n && !err; i += each)
		err = compose_chart(&a->charts[a->ncharts++], &a->v[i], each);
	return err;
}

void compose_free(struct album *a)
{
	for (size_t i = 0; i < a->ncharts; i++) {
		struct chart *c = &a->charts[i];

		lines_free(&c->head);
		lines_free(&c->foot);
		free(c->panels);
	}
	free(a->charts);
}
