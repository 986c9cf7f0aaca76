/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/heat/cells.h"
#include "show/chart/lines.h"
#include "show/gnuplot/frame.h"
#include "show/gnuplot/quote.h"

/*
 * Cells of a row that are drawn as rectangles, which stay sharp at any size; more are an image, as
 * a file of so many rectangles would be large.
 */
#define RECTANGLES_MOST 64

/* Viridis, from dark to bright: lightness rises evenly, also for the colour-blind and in grey. */
static const char *const colours[] = {
	"#440154", "#482878", "#3E4989", "#31688E", "#26828E", "#1F9E89", "#35B779", "#6ECE58",
	"#B5DE2B", "#FDE725",
};

/* Characters, from slow to fast. */
static const char shades[] = "@%#*+=-:.";

/* Of pairs without a value, as the caption says. */
#define UNKNOWN '_'
#define FAILED 'X'

/* Characters beside the cells for the bar of colours and its tics; lines above and below them. */
#define BAR 16
#define ABOVE 1.6
#define BELOW 2.6

/* Lines of a map with --size at least, and else at most. */
#define LINES_LEAST 7
#define LINES_MOST 30.0

/* ---- what has room ---- */

/* Characters of the longest name. */
static size_t widest_name(const struct heat *h)
{
	size_t widest = 1;

	for (size_t i = 0; i < h->ncells; i++) {
		size_t width = utf8_width(cells_name_of(h, i));

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* The side of a map in a panel so wide. */
static double side_of(const struct heat *h, double width, const struct layout *l)
{
	return width - l->character * (double)(widest_name(h) + BAR);
}

/* Names of columns stand upright where flat ones have no room. */
static bool is_upright(const struct heat *h, double side, const struct layout *l)
{
	return l->character * (double)(widest_name(h) + 1) > side / (double)h->ncells;
}

/* Lines below the cells of a map. */
static double lines_below(const struct heat *h, double side, const struct layout *l)
{
	double names = l->character * (double)(widest_name(h) + 1) / l->line;

	return BELOW + (is_upright(h, side, l) ? names : 0);
}

double heat_height(const struct chart_panel *p, double width, const struct layout *l,
		   const struct canvas *c)
{
	const struct heat *h = p->map->of;
	double side = side_of(h, width, l), lines = fmin(side / l->line, LINES_MOST);

	if (c->text)
		return (double)(widest_name(h) + h->ncells + 3);
	return (c->fixed ? LINES_LEAST : lines) + ABOVE + lines_below(h, side, l);
}

/* ---- drawings ---- */

/* Every so many of the names have room. */
static void put_names(FILE *to, const struct heat *h, char axis, double needed, const char *how)
{
	size_t step = needed > 1 ? (size_t)ceil(needed) : 1;

	fprintf(to, "set %ctics nomirror scale 0 textcolor rgb '#000000' %s (", axis, how);
	for (size_t i = 0; i < h->ncells; i += step) {
		fputs(i ? ", " : "", to);
		quote_put(to, cells_name_of(h, i), strlen(cells_name_of(h, i)));
		fprintf(to, " %zu", i);
	}
	fputs(")\n", to);
}

static void put_axes(FILE *to, const struct chart_panel *p, const struct slot *at,
		     const struct layout *l, const struct canvas *c)
{
	const struct heat *h = p->map->of;
	double side = side_of(h, at->width, l), end = (double)h->ncells - 0.5;
	bool upright = is_upright(h, side, l);
	double high = at->height - l->line * (ABOVE + lines_below(h, side, l));
	double across = upright ? l->line : l->character * (double)(widest_name(h) + 1);

	side = fmin(side, high);
	fprintf(to, "set origin %.5f, %.5f\nset size square %.5f, %.5f\nset tmargin %g\n"
		"set xrange [-0.5:%.1f]\nset yrange [%.1f:-0.5]\nunset key\n"
		"set border 15 linewidth 0.6 linecolor rgb '#909090'\n"
		"set xlabel 'receive'\nset ylabel 'send'\n", at->left / c->width,
		1 - (at->top + at->height) / c->height, at->width / c->width,
		at->height / c->height, ABOVE, end, end);
	put_names(to, h, 'x', across * (double)h->ncells / side,
		  upright ? "rotate by 90 right" : "norotate");
	put_names(to, h, 'y', l->line * (double)h->ncells / side, "");
	frame_text(to, c, at->left + 10 * c->scale, at->top + 0.5 * l->line, p->title.s, l->columns,
		   frame_bold(c));
}

static void put_scale(FILE *to, const struct heat_map *m)
{
	size_t last = LENGTH(colours) - 1;

	fputs("set palette defined (", to);
	for (size_t i = 0; i <= last; i++)
		fprintf(to, "%s%zu '%s'", i ? ", " : "", i, colours[m->low_is_slow ? i : last - i]);
	fprintf(to, ")\nset cbrange [%.9g:%.9g]\n%sset logscale cb\nset colorbox border\n",
		m->scale.lo, m->scale.hi, m->scale.scale == SCALE_LOG ? "" : "un");
	frame_tics(to, "cb", &m->scale);
	fputs("set cbtics scale 0.5 textcolor rgb '#000000'\n", to);
}

static void put_cells(FILE *to, const struct heat_map *m, size_t number)
{
	size_t n = m->of->ncells;

	fprintf(to, "$cells%zu << END\n", number);
	for (size_t i = 0; i < n * n; i++) {
		fprintf(to, "%zu %zu ", i % n, i / n);
		if (isnan(m->cell[i]))
			fputs("NaN\n", to);
		else
			fprintf(to, "%.6g\n", m->cell[i]);
	}
	fputs("END\n", to);
}

/* Cells with pairs that failed as "x y"; false if there are none. */
static bool put_failed(FILE *to, const struct heat_map *m, size_t number)
{
	const struct heat *h = m->of;
	size_t n = 0;

	for (size_t i = 0; i < h->ncells * h->ncells; i++) {
		if (!cells_failed(h, m, i / h->ncells, i % h->ncells))
			continue;
		if (!n++)
			fprintf(to, "$failed%zu << END\n", number);
		fprintf(to, "%zu %zu\n", i % h->ncells, i / h->ncells);
	}
	fputs(n ? "END\n" : "", to);
	return n;
}

static void put_map(FILE *to, const struct heat_map *m, size_t number, const struct slot *at)
{
	const struct heat *h = m->of;
	bool failed;

	put_scale(to, m);
	fputs("set object rectangle from graph 0, graph 0 to graph 1, graph 1 fillcolor "
	      "rgb '#BDBDBD' fillstyle solid noborder behind\n", to);
	put_cells(to, m, number);
	/* hosts with themselves, which are white, unlike pairs without a value */
	fputs("$diagonal << END\n", to);
	for (size_t i = 0; i < h->ncells; i++)
		if (cells_empty(h, i, i))
			fprintf(to, "%zu %zu\n", i, i);
	fputs("END\n", to);
	failed = put_failed(to, m, number);
	fprintf(to, "plot $cells%zu using 1:2:3 with image%s", number,
		h->ncells <= RECTANGLES_MOST ? " pixels" : "");
	if (cells_empty(h, h->ncells - 1, h->ncells - 1))
		fputs(", $diagonal using 1:2:(0.5):(0.5) with boxxyerror fillstyle solid noborder "
		      "linecolor rgb '#FFFFFF'", to);
	if (failed)
		fprintf(to, ", $failed%zu using 1:2 with points pointtype 2 pointsize %.3g "
			"linewidth 1.5 linecolor rgb '#D00000'", number,
			fmax(0.6, fmin(1.5, at->width / (double)h->ncells / 15)));
	putc('\n', to);
}

/* ---- characters ---- */

static char shade_of(const struct heat_map *m, size_t row, size_t column)
{
	const struct axis *a = &m->scale;
	double y = m->cell[row * m->of->ncells + column], share;
	int last = (int)strlen(shades) - 1, at;

	if (cells_failed(m->of, m, row, column))
		return FAILED;
	if (isnan(y))
		return cells_empty(m->of, row, column) ? ' ' : UNKNOWN;
	share = axes_share_of(a, a->lo, y);
	at = (int)(fmin(fmax(m->low_is_slow ? share : 1 - share, 0), 1) * (last + 1));
	return shades[at < last ? at : last];
}

/* A map of characters: how wide its cells and names are, and where the cells begin. */
struct text_map {
	const struct canvas *c;
	const struct heat_map *m;
	size_t wide, names;
	double left, top;
	char *line;		/* room for the cells of a row, blanks */
};

/* Puts a row of cells, or of letters above them, and clears it. */
static void put_line(FILE *to, const struct text_map *g, double top)
{
	size_t width = g->m->of->ncells * g->wide;

	frame_text(to, g->c, g->left, top, g->line, width, "left");
	memset(g->line, ' ', width);
}

/* The names of columns, which are read downwards; they end at the cells. */
static void put_column_names(FILE *to, const struct text_map *g)
{
	const struct heat *h = g->m->of;

	for (size_t line = 0; line < g->names; line++) {
		for (size_t i = 0; i < h->ncells; i++) {
			const char *name = cells_name_of(h, i);
			size_t len = strlen(name), above = len < g->names ? g->names - len : 0;

			if (line >= above)
				g->line[i * g->wide] = name[line - above];
		}
		put_line(to, g, g->top - (double)(g->names - line) + 0.5);
	}
}

/* "6.4 GB/s @%#*+=-:. 9.7 GB/s" */
static void put_shades(FILE *to, const struct text_map *g)
{
	const struct axis *a = &g->m->scale;
	bool low = g->m->low_is_slow;
	double slow = low ? a->lo : a->hi, fast = low ? a->hi : a->lo;
	struct text text = text_from("%s %s %s", axes_number(slow, a->unit).s, shades,
				     axes_number(fast, a->unit).s);

	frame_text(to, g->c, g->left - (double)g->names - 1,
		   g->top + (double)g->m->of->ncells + 0.5, text.s, g->c->width, "left");
}

static void put_text_map(FILE *to, const struct chart_panel *p, const struct slot *at,
			 const struct canvas *c)
{
	const struct heat *h = p->map->of;
	struct text_map g = { .c = c, .m = p->map, .names = widest_name(h) };

	g.wide = (double)(g.names + 2 * h->ncells + 4) <= at->width ? 2 : 1;
	g.left = at->left + (double)g.names + 2;
	g.top = at->top + (double)g.names + 1;
	g.line = calloc(1, h->ncells * g.wide + 1);
	if (!g.line)
		return;
	memset(g.line, ' ', h->ncells * g.wide);
	frame_text(to, c, at->left + 1, at->top + 0.5, p->title.s, c->width, "left");
	put_column_names(to, &g);
	for (size_t row = 0; row < h->ncells; row++) {
		double top = g.top + (double)row + 0.5;

		for (size_t i = 0; i < h->ncells; i++)
			g.line[i * g.wide] = shade_of(p->map, row, i);
		put_line(to, &g, top);
		frame_text(to, c, at->left + 1, top, cells_name_of(h, row), g.names, "left");
	}
	put_shades(to, &g);
	free(g.line);
}

void heat_put(FILE *to, const struct chart_panel *p, size_t number, const struct slot *at,
	      const struct layout *l, const struct canvas *c)
{
	if (c->text) {
		put_text_map(to, p, at, c);
		return;
	}
	put_axes(to, p, at, l, c);
	put_map(to, p->map, number, at);
}
