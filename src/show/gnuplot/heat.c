/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/heat.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/heat/cells.h"
#include "show/chart/lines.h"
#include "show/gnuplot/frame.h"
#include "show/gnuplot/quote.h"

/*
 * With up to RECTANGLES_MOST cells per row, cells are drawn as rectangles, which stay sharp at any
 * size. A larger map is an image, because rectangles would make the file too large.
 */
#define RECTANGLES_MOST 64

/*
 * The palette Viridis, from dark to bright. Its lightness rises evenly, also in grey and for the
 * colour-blind.
 */
static const char *const colours[] = {
	"#440154", "#482878", "#3E4989", "#31688E", "#26828E", "#1F9E89", "#35B779", "#6ECE58",
	"#B5DE2B", "#FDE725",
};

/* Characters for cells, from slow to fast. */
static const char shades[] = "@%#*+=-:.";

/* Characters for pairs without a value; the caption explains them. */
#define UNKNOWN '_'
#define FAILED 'X'

/*
 * Space around the cells: for the bar of colours beside them, in characters; above and below them,
 * in lines.
 */
#define BAR 16
#define ABOVE 1.6
#define BELOW 2.6

/* Limits of the height of a map, in lines: the smallest with --size, the largest without --size. */
#define LINES_LEAST 7
#define LINES_MOST 30.0

/* ---- sizes ---- */

/* Returns the number of characters of the longest label. */
static size_t widest_name(const struct heat *h)
{
	size_t widest = 1;

	for (size_t i = 0; i < h->ncells; i++) {
		size_t width = utf8_width(cells_label(h, i));

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Returns the length of a map's sides in a panel of width `width`. */
static double map_side(const struct heat *h, double width, const struct layout *l)
{
	return width - l->character * (double)(widest_name(h) + BAR);
}

/*
 * Returns true if the names of columns are written vertically, because they do not fit side by
 * side.
 */
static bool has_upright_names(const struct heat *h, double side, const struct layout *l)
{
	return l->character * (double)(widest_name(h) + 1) > side / (double)h->ncells;
}

/* Returns the number of lines of text below the cells of a map. */
static double count_lines_below(const struct heat *h, double side, const struct layout *l)
{
	double names = l->character * (double)(widest_name(h) + 1) / l->line;

	return BELOW + (has_upright_names(h, side, l) ? names : 0);
}

double heat_height(const struct chart_panel *p, double width, const struct layout *l)
{
	const struct heat *h = p->map->of;
	double side = map_side(h, width, l), lines = fmin(side / l->line, LINES_MOST);

	if (l->c->text)
		return (double)(widest_name(h) + h->ncells + 3);
	return (l->c->fixed ? LINES_LEAST : lines) + ABOVE + count_lines_below(h, side, l);
}

/* ---- drawings ---- */

/*
 * Writes the names as tics. `needed` is the room that they need, divided by the available room. If
 * `needed` exceeds 1, writes only every second, third, ... name.
 */
static void put_names(FILE *to, const struct heat *h, char axis, double needed, const char *how)
{
	size_t step = needed > 1 ? (size_t)ceil(needed) : 1;

	fprintf(to, "set %ctics nomirror scale 0 textcolor rgb '#000000' %s (", axis, how);
	for (size_t i = 0; i < h->ncells; i += step)
		fprintf(to, "%s%s %zu", i ? ", " : "",
			quoted(cells_label(h, i), SIZE_MAX).s, i);
	fputs(")\n", to);
}

static void put_axes(FILE *to, const struct chart_panel *p, const struct slot *at,
		     const struct layout *l)
{
	const struct heat *h = p->map->of;
	const struct canvas *c = l->c;
	const struct axis *scale = &p->map->scale;
	double side = map_side(h, at->width, l), end = (double)h->ncells - 0.5;
	bool upright = has_upright_names(h, side, l);
	double high = at->height - l->line * (ABOVE + count_lines_below(h, side, l));
	double across = upright ? l->line : l->character * (double)(widest_name(h) + 1);
	size_t last = LENGTH(colours) - 1;

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
		   frame_bold_style(c));
	fputs("set palette defined (", to);
	for (size_t i = 0; i <= last; i++)
		fprintf(to, "%s%zu '%s'", i ? ", " : "", i,
			colours[p->map->low_is_slow ? i : last - i]);
	fprintf(to, ")\nset cbrange [%.9g:%.9g]\n%sset logscale cb\nset colorbox border\n",
		scale->lo, scale->hi, scale->scale == SCALE_LOG ? "" : "un");
	frame_tics(to, "cb", scale);
	fputs("set cbtics scale 0.5 textcolor rgb '#000000'\n", to);
}

static void put_map(FILE *to, const struct heat_map *m, size_t number, const struct slot *at)
{
	const struct heat *h = m->of;
	size_t n = h->ncells, failed = 0;

	fprintf(to, "set object rectangle from graph 0, graph 0 to graph 1, graph 1 fillcolor "
		"rgb '#BDBDBD' fillstyle solid noborder behind\n$cells%zu << END\n", number);
	for (size_t i = 0; i < n * n; i++)
		if (isnan(m->cell[i]))
			fprintf(to, "%zu %zu NaN\n", i % n, i / n);
		else
			fprintf(to, "%zu %zu %.6g\n", i % n, i / n, m->cell[i]);
	/* cells of a host with itself are white; pairs without a value are grey */
	fputs("END\n$diagonal << END\n", to);
	for (size_t i = 0; i < n; i++)
		if (cells_is_one_host(h, i, i))
			fprintf(to, "%zu %zu\n", i, i);
	fputs("END\n", to);
	for (size_t i = 0; i < n * n; i++) {
		if (!cells_has_failed_pair(h, m, i / n, i % n))
			continue;
		if (!failed++)
			fprintf(to, "$failed%zu << END\n", number);
		fprintf(to, "%zu %zu\n", i % n, i / n);
	}
	fprintf(to, "%splot $cells%zu using 1:2:3 with image%s", failed ? "END\n" : "", number,
		n <= RECTANGLES_MOST ? " pixels" : "");
	if (cells_is_one_host(h, n - 1, n - 1))
		fputs(", $diagonal using 1:2:(0.5):(0.5) with boxxyerror fillstyle solid noborder "
		      "linecolor rgb '#FFFFFF'", to);
	if (failed)
		fprintf(to, ", $failed%zu using 1:2 with points pointtype 2 pointsize %.3g "
			"linewidth 1.5 linecolor rgb '#D00000'", number,
			fmax(0.6, fmin(1.5, at->width / (double)n / 15)));
	putc('\n', to);
}

/* ---- characters ---- */

static char cell_character(const struct heat_map *m, size_t row, size_t column)
{
	const struct axis *a = &m->scale;
	double y = m->cell[row * m->of->ncells + column], share;
	int last = (int)strlen(shades) - 1, at;

	if (cells_has_failed_pair(m->of, m, row, column))
		return FAILED;
	if (isnan(y))
		return cells_is_one_host(m->of, row, column) ? ' ' : UNKNOWN;
	share = axes_distance_share(a, a->lo, y);
	at = (int)(fmin(fmax(m->low_is_slow ? share : 1 - share, 0), 1) * (last + 1));
	return shades[at < last ? at : last];
}

/* Writes a row of cells, or a row of letters above the cells. Then clears the line. */
static void put_character_line(FILE *to, const struct canvas *c, double left, double top,
			       char *line)
{
	frame_text(to, c, left, top, line, strlen(line), "left");
	memset(line, ' ', strlen(line));
}

static void put_text_map(FILE *to, const struct chart_panel *p, const struct slot *at,
			 const struct canvas *c)
{
	const struct heat_map *m = p->map;
	const struct heat *h = m->of;
	const struct axis *a = &m->scale;
	size_t names = widest_name(h);
	size_t wide = (double)(names + 2 * h->ncells + 4) <= at->width ? 2 : 1;
	double left = at->left + (double)names + 2, top = at->top + (double)names + 1.5;
	double slow = m->low_is_slow ? a->lo : a->hi, fast = m->low_is_slow ? a->hi : a->lo;
	/* the characters of a row of cells */
	char *line = memory_new(h->ncells * wide + 1, 1);

	memset(line, ' ', h->ncells * wide);
	frame_text(to, c, at->left + 1, at->top + 0.5, p->title.s, c->width, "left");
	/* the names of columns are written from top to bottom and end at the cells */
	for (size_t k = 0; k < names; k++) {
		for (size_t i = 0; i < h->ncells; i++) {
			const char *name = cells_label(h, i);
			size_t len = strlen(name), above = len < names ? names - len : 0;

			if (k >= above)
				line[i * wide] = name[k - above];
		}
		put_character_line(to, c, left, top - (double)(names - k), line);
	}
	for (size_t row = 0; row < h->ncells; row++) {
		for (size_t i = 0; i < h->ncells; i++)
			line[i * wide] = cell_character(m, row, i);
		put_character_line(to, c, left, top + (double)row, line);
		frame_text(to, c, at->left + 1, top + (double)row, cells_label(h, row), names,
			   "left");
	}
	/* the scale of the cells: "6.4 GB/s @%#*+=-:. 9.7 GB/s" */
	frame_text(to, c, at->left + 1, top + (double)h->ncells,
		   text_from("%s %s %s", axes_format_number(slow, a->unit).s, shades,
			     axes_format_number(fast, a->unit).s).s, c->width, "left");
	free(line);
}

void heat_put(FILE *to, const struct chart_panel *p, size_t number, const struct slot *at,
	      const struct layout *l)
{
	if (l->c->text) {
		put_text_map(to, p, at, l->c);
		return;
	}
	put_axes(to, p, at, l);
	put_map(to, p->map, number, at);
}
