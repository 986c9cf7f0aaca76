/* SPDX-License-Identifier: Apache-2.0 */
/* Places heat maps and text: maps side by side or one below the other, as they are larger. */
#include <math.h>

#include "base/error.h"
#include "cmd/plot/heat/heat.h"

/* Cells of a row of a drawing at most. */
#define CELLS_MOST 512

/* Lines of a map at least, and without --size at most. */
#define LINES_LEAST 5
#define LINES_WANTED 7
#define LINES_MOST 30.0

/* What surrounds the cells of a map, in pixels or characters. */
struct margins {
	double left, right, above, below;
};

/* The picture but for title and caption. */
struct space {
	double top, width, height;	/* NaN: as high as is needed */
};

static size_t widest_name(const struct heat *h)
{
	size_t widest = 1;

	for (size_t i = 0; i < h->ncells; i++) {
		size_t width = plot_width(heat_name(h, i));

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Characters of the longest label of a scale. */
static size_t widest_tic(const struct heat *h)
{
	size_t widest = 1;

	for (size_t i = 0; i < h->nmaps; i++) {
		for (size_t k = 0; k < h->map[i].scale.ntics; k++) {
			size_t width = plot_width(h->map[i].scale.tics[k].text);

			widest = width > widest ? width : widest;
		}
	}
	return widest;
}

/* Of a drawing: names and "send", a bar with tics; a heading; names and "receive". */
static struct margins margins_of(const struct heat *h, const struct canvas *c)
{
	double line = HEAT_LINE * c->scale, character = HEAT_CHARACTER * c->scale;
	double names = character * (double)(h->name_width + 1);

	return (struct margins){ names + 1.9 * line,
				 1.6 * line + character * (double)(widest_tic(h) + 1), 1.9 * line,
				 (h->upright ? names : 1.1 * line) + 1.5 * line };
}

/* Names of columns stand upright where more of them have room. */
static void choose_upright(struct heat *h, const struct canvas *c, double side)
{
	double cell = side / (double)h->ncells;
	double flat = ceil(HEAT_CHARACTER * c->scale * (double)(h->name_width + 1) / cell);

	h->upright = flat > ceil(HEAT_LINE * c->scale / cell);
}

/* The side of a map if so many stand beside each other. */
static double side_of(const struct heat *h, const struct margins *m, const struct space *s,
		      size_t beside)
{
	size_t rows = (h->nmaps + beside - 1) / beside;
	double width = s->width / (double)beside - m->left - m->right;

	return isnan(s->height) ? width
				: fmin(width, s->height / (double)rows - m->above - m->below);
}

/* The room that title and caption leave. */
static struct space space_of(const struct picture *pic, const struct canvas *c)
{
	double line = c->text ? 1 : HEAT_LINE * c->scale;
	struct space s = { line * ((double)pic->title.n + (c->text ? 0 : 0.6)), c->width, NAN };

	if (c->fixed)
		s.height = c->height - s.top - line * ((double)pic->caption.n + 0.6);
	return s;
}

/* Puts maps into boxes of this size, `beside` of them in a row; and ends a canvas below them. */
static void place(struct picture *pic, struct canvas *c, const struct margins *m, double width,
		  double height, size_t beside)
{
	struct heat *h = pic->heat;
	double line = c->text ? 1 : HEAT_LINE * c->scale;
	struct space s = space_of(pic, c);
	size_t rows = (h->nmaps + beside - 1) / beside;

	for (size_t i = 0; i < h->nmaps; i++) {
		h->map[i].left = width * (double)(i % beside) + m->left;
		h->map[i].top = s.top + height * (double)(i / beside) + m->above;
	}
	if (!c->fixed)
		c->height = (unsigned)ceil(s.top + height * (double)rows +
					   line * ((double)pic->caption.n + 0.6));
}

/* Leaves text of the caption out for so many lines, but for one at least. */
static void shorten(struct picture *pic, const struct canvas *c, double lacking)
{
	plot_shorten_caption(pic, c, fmin(lacking, (double)pic->caption.n - 2));
}

/* ---- drawings ---- */

/* Maps as large as there is room; text of the caption is left out where they would be too small. */
static int arrange(struct picture *pic, struct canvas *c)
{
	struct heat *h = pic->heat;
	double line = HEAT_LINE * c->scale, lacking;
	size_t beside = h->nmaps;
	struct margins m;

	h->upright = true;
	for (int pass = 0; pass < 3; pass++) {
		struct space s = space_of(pic, c);

		m = margins_of(h, c);
		if (c->fixed && side_of(h, &m, &s, 1) > side_of(h, &m, &s, h->nmaps))
			beside = 1;
		h->side = fmin(side_of(h, &m, &s, beside), c->fixed ? INFINITY : LINES_MOST * line);
		lacking = (LINES_WANTED * line - h->side) / line;
		if (c->fixed && pass == 0)
			shorten(pic, c, lacking * (double)(h->nmaps / beside));
		else
			choose_upright(h, c, h->side);
	}
	if (h->side < LINES_LEAST * line)
		return error_usage("no room in %ux%u for %zu heat map%s with text: see '--size' "
				   "and '--column'", c->width, c->height, h->nmaps,
				   h->nmaps == 1 ? "" : "s");
	place(pic, c, &m, c->width / (double)beside, m.above + h->side + m.below, beside);
	return ST_OK;
}

/* ---- characters ---- */

/* Characters of a map at least, those of its scale; rows of cells that the caption leaves it. */
#define TEXT_LEAST 34
#define TEXT_WANTED 12.0

/* For how many cells of a row there is room if so many maps stand beside each other. */
static double text_room(const struct heat *h, const struct margins *m, const struct space *s,
			size_t beside)
{
	double rows = (double)((h->nmaps + beside - 1) / beside);
	double width = floor(s->width / (double)beside);

	if (beside > 1 && width < TEXT_LEAST)
		return 0;
	width -= m->left + m->right;
	return isnan(s->height) ? width
				: fmin(width, floor(s->height / rows) - m->above - m->below);
}

/*
 * A map has a heading, names of columns that stand upright, a line for each row of cells, one for
 * the scale, and one that is empty. Returns for how many cells of a row there is room.
 */
static size_t arrange_text(struct picture *pic, struct canvas *c)
{
	struct heat *h = pic->heat;
	struct space s = space_of(pic, c);
	struct margins m = { (double)h->name_width + 2, 2, 2 + (double)h->name_width, 2 };
	double cells = (double)h->ncells, height = m.above + cells + m.below, room;
	size_t beside = h->nmaps;

	if (text_room(h, &m, &s, beside) < cells && text_room(h, &m, &s, 1) >
	    text_room(h, &m, &s, beside))
		beside = 1;
	if (c->fixed) {
		double rows = (double)(h->nmaps / beside);

		shorten(pic, c, rows * (height - cells + fmin(cells, TEXT_WANTED)) - s.height);
		s = space_of(pic, c);
	}
	room = text_room(h, &m, &s, beside);
	h->side = cells;
	h->wide = m.left + 2 * cells + m.right <= s.width / (double)beside ? 2 : 1;
	place(pic, c, &m, fmax(m.left + h->wide * cells + m.right, TEXT_LEAST), height, beside);
	return room > 0 ? (size_t)room : 0;
}

/* ---- both ---- */

/* Cells of so many hosts by as many. *most: for how many cells of a row there is room. */
static int try(struct picture *pic, struct canvas *c, size_t per, size_t *most)
{
	struct heat *h = pic->heat;
	int err = heat_cut(h, per, pic->tile);

	for (size_t i = 0; i < h->nmaps && !err; i++) {
		heat_scale(&h->map[i], h);
		plot_scale_tics(&h->map[i].scale, 5);
	}
	h->name_width = widest_name(h);
	err = err ? err : heat_texts(pic, c);
	err = err ? err : plot_break_texts(pic, c);
	if (!err && c->text)
		*most = arrange_text(pic, c);
	else if (!err)
		err = arrange(pic, c);
	if (!err && !c->text)
		*most = (size_t)h->side;
	return err;
}

int heat_lay_out(struct picture *pic, struct canvas *c)
{
	struct heat *h = pic->heat;
	const struct canvas given = *c;
	size_t per = c->text ? 1 : (h->n + CELLS_MOST - 1) / CELLS_MOST, most = 0, fewer;
	int err;

	for (;;) {
		*c = given;
		err = try(pic, c, per, &most);
		if (err || h->ncells <= most)
			break;
		fewer = most ? (h->n + most - 1) / most : h->n + 1;
		per = fewer > per ? fewer : per + 1;
		if (per > h->n)
			return error_usage("no room in %ux%u for the heat map of %zu hosts: see "
					   "'--size' and '--column'", c->width, c->height, h->n);
	}
	if (!err && c->height > PLOT_SIZE_MAX)
		return error_usage("no room for the heat map of %zu hosts: see '--size'", h->n);
	return err;
}
