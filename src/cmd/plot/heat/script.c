/* SPDX-License-Identifier: Apache-2.0 */
/* Heat maps as a script for gnuplot with its data, as an image or as characters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "cmd/plot/heat/heat.h"

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

/* ---- texts ---- */

/* A text at a place from the left and the top, in pixels or characters. */
static void put_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		     size_t width, const char *how)
{
	fputs("set label ", to);
	plot_quote(to, text, width);
	fprintf(to, " at screen %.5f, screen %.5f %s\n", left / c->width, 1 - top / c->height, how);
}

static void put_heading(FILE *to, const struct canvas *c, const struct heat_map *m, double left,
			double top)
{
	char words[128];

	put_text(to, c, left, top, heat_words(words, sizeof(words), m->column),
		 c->width, c->text ? "left" : "left font ':Bold'");
}

/* ---- drawings ---- */

/* Every so many of the names have room. */
static size_t step_of(const struct heat *h, double needed)
{
	double step = ceil(needed * (double)h->ncells / h->side);

	return step > 1 ? (size_t)step : 1;
}

static void put_names(FILE *to, const struct heat *h, char axis, size_t step, const char *how)
{
	fprintf(to, "set %ctics nomirror scale 0 textcolor rgb '#000000' %s (", axis, how);
	for (size_t i = 0; i < h->ncells; i += step) {
		fputs(i ? ", " : "", to);
		plot_quote(to, heat_name(h, i), h->name_width);
		fprintf(to, " %zu", i);
	}
	fputs(")\n", to);
}

static void put_axes(FILE *to, const struct heat *h, const struct heat_map *m,
		     const struct canvas *c)
{
	double line = HEAT_LINE * c->scale, character = HEAT_CHARACTER * c->scale;
	double across = h->upright ? line : character * (double)(h->name_width + 1);
	double names = h->upright ? character * (double)(h->name_width + 1) : 1.1 * line;
	double end = (double)h->ncells - 0.5;

	fprintf(to, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
		"set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		m->left / c->width, (m->left + h->side) / c->width, 1 - m->top / c->height,
		1 - (m->top + h->side) / c->height);
	fprintf(to, "set xrange [-0.5:%.1f]\nset yrange [%.1f:-0.5]\nunset key\nset border 15 "
		"linewidth 0.6 linecolor rgb '#909090'\n", end, end);
	put_names(to, h, 'x', step_of(h, across), h->upright ? "rotate by 90 right" : "norotate");
	put_names(to, h, 'y', step_of(h, line), "");
	put_heading(to, c, m, m->left, m->top - 1.1 * line);
	put_text(to, c, m->left + h->side / 2, m->top + h->side + names + 0.8 * line, "receive",
		 c->width, "center");
	put_text(to, c, m->left - character * (double)(h->name_width + 1) - 1.1 * line,
		 m->top + h->side / 2, "send", c->width, "center rotate by 90");
}

/* Formats of tics: % stands twice. */
static void put_scale_tics(FILE *to, const struct axis *a)
{
	fputs("set cbtics scale 0.5 textcolor rgb '#000000' (", to);
	for (size_t i = 0; i < a->ntics; i++) {
		fputs(i ? ", '" : "'", to);
		for (const char *s = a->tics[i].text; *s; s++)
			fputs(*s == '%' ? "%%" : (char[]){ *s, '\0' }, to);
		fprintf(to, "' %.9g %d", a->tics[i].at, *a->tics[i].text ? 0 : 1);
	}
	fputs(")\n", to);
}

static void put_scale(FILE *to, const struct heat *h, const struct heat_map *m,
		      const struct canvas *c)
{
	double line = HEAT_LINE * c->scale;
	size_t last = LENGTH(colours) - 1;

	fputs("set palette defined (", to);
	for (size_t i = 0; i <= last; i++)
		fprintf(to, "%s%zu '%s'", i ? ", " : "", i, colours[m->low_is_slow ? i : last - i]);
	fprintf(to, ")\nset cbrange [%.9g:%.9g]\n%sset logscale cb\n", m->scale.lo, m->scale.hi,
		m->scale.log ? "" : "un");
	put_scale_tics(to, &m->scale);
	fprintf(to, "set colorbox vertical user origin screen %.5f,%.5f size screen %.5f,%.5f "
		"border\n", (m->left + h->side + 0.6 * line) / c->width,
		1 - (m->top + h->side) / c->height, 0.8 * line / c->width, h->side / c->height);
}

static void put_cells(FILE *to, const struct heat *h, const struct heat_map *m, size_t number)
{
	size_t n = h->ncells;

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
static bool put_failed(FILE *to, const struct heat *h, const struct heat_map *m, size_t number)
{
	size_t n = 0;

	for (size_t i = 0; i < h->ncells * h->ncells; i++) {
		if (!heat_has_failed(h, m, i / h->ncells, i % h->ncells))
			continue;
		if (!n++)
			fprintf(to, "$failed%zu << END\n", number);
		fprintf(to, "%zu %zu\n", i % h->ncells, i / h->ncells);
	}
	fputs(n ? "END\n" : "", to);
	return n;
}

/* Cells of hosts with themselves, which are white, unlike those of pairs without a value. */
static void put_diagonal(FILE *to, const struct heat *h)
{
	fputs("$diagonal << END\n", to);
	for (size_t i = 0; i < h->ncells; i++)
		if (heat_is_empty(h, i, i))
			fprintf(to, "%zu %zu\n", i, i);
	fputs("END\n", to);
}

static void put_map(FILE *to, const struct heat *h, size_t number, const struct canvas *c)
{
	const struct heat_map *m = &h->map[number];
	bool failed;

	put_axes(to, h, m, c);
	put_scale(to, h, m, c);
	fputs("set object rectangle from graph 0, graph 0 to graph 1, graph 1 fillcolor "
	      "rgb '#BDBDBD' fillstyle solid noborder behind\n", to);
	put_cells(to, h, m, number);
	failed = put_failed(to, h, m, number);
	fprintf(to, "plot $cells%zu using 1:2:3 with image%s", number,
		h->ncells <= RECTANGLES_MOST ? " pixels" : "");
	if (heat_is_empty(h, h->ncells - 1, h->ncells - 1))
		fputs(", $diagonal using 1:2:(0.5):(0.5) with boxxyerror fillstyle solid noborder "
		      "linecolor rgb '#FFFFFF'", to);
	if (failed)
		fprintf(to, ", $failed%zu using 1:2 with points pointtype 2 pointsize %.3g "
			"linewidth 1.5 linecolor rgb '#D00000'", number,
			fmax(0.6, fmin(1.5, h->side / (double)h->ncells / 12)));
	putc('\n', to);
}

/* ---- characters ---- */

static char shade_of(const struct heat *h, const struct heat_map *m, size_t row, size_t column)
{
	const struct axis *a = &m->scale;
	double y = m->cell[row * h->ncells + column], share;
	int last = (int)strlen(shades) - 1, at;

	if (heat_has_failed(h, m, row, column))
		return FAILED;
	if (isnan(y))
		return heat_is_empty(h, row, column) ? ' ' : UNKNOWN;
	share = a->log ? log(y / a->lo) / log(a->hi / a->lo) : (y - a->lo) / (a->hi - a->lo);
	at = (int)(fmin(fmax(m->low_is_slow ? share : 1 - share, 0), 1) * (last + 1));
	return shades[at < last ? at : last];
}

/* A line of the names of columns, which are read downwards; they end at the cells. */
static void put_column_names(FILE *to, const struct heat *h, const struct heat_map *m,
			     const struct canvas *c, size_t line)
{
	size_t width = h->ncells * h->wide;
	char *text = malloc(width + 1);

	if (!text)
		return;
	memset(text, ' ', width);
	text[width] = '\0';
	for (size_t i = 0; i < h->ncells; i++) {
		const char *name = heat_name(h, i);
		size_t len = strlen(name), above = len < h->name_width ? h->name_width - len : 0;

		if (line >= above)
			text[i * h->wide] = name[line - above];
	}
	put_text(to, c, m->left, m->top - (double)(h->name_width - line) + 0.5, text, width,
		 "left");
	free(text);
}

static void put_row(FILE *to, const struct heat *h, const struct heat_map *m,
		    const struct canvas *c, size_t row)
{
	size_t width = h->ncells * h->wide;
	char *text = malloc(width + 1);

	if (!text)
		return;
	memset(text, ' ', width);
	text[width] = '\0';
	for (size_t i = 0; i < h->ncells; i++)
		text[i * h->wide] = shade_of(h, m, row, i);
	put_text(to, c, m->left, m->top + (double)row + 0.5, text, width, "left");
	free(text);
	put_text(to, c, m->left - (double)h->name_width - 1, m->top + (double)row + 0.5,
		 heat_name(h, row), h->name_width, "left");
}

/* "6.4 GB/s @%#*+=-:. 9.7 GB/s" */
static void put_shades(FILE *to, const struct heat *h, const struct heat_map *m,
		       const struct canvas *c)
{
	const struct axis *a = &m->scale;
	char slow[64], fast[64], text[160];

	plot_number(slow, sizeof(slow), m->low_is_slow ? a->lo : a->hi, a->unit);
	plot_number(fast, sizeof(fast), m->low_is_slow ? a->hi : a->lo, a->unit);
	snprintf(text, sizeof(text), "%s %s %s", slow, shades, fast);
	put_text(to, c, m->left - (double)h->name_width - 1, m->top + (double)h->ncells + 0.5, text,
		 c->width, "left");
}

static void put_text_map(FILE *to, const struct heat *h, const struct heat_map *m,
			 const struct canvas *c)
{
	double left = m->left - (double)h->name_width - 1;

	put_heading(to, c, m, left, m->top - (double)h->name_width - 0.5);
	for (size_t i = 0; i < h->name_width; i++)
		put_column_names(to, h, m, c, i);
	for (size_t i = 0; i < h->ncells; i++)
		put_row(to, h, m, c, i);
	put_shades(to, h, m, c);
}

void heat_script(FILE *to, const struct picture *pic, const struct canvas *c)
{
	const struct heat *h = pic->heat;

	if (!c->text)
		fputs("set multiplot\n", to);
	plot_put_texts(to, pic, c);
	for (size_t i = 0; i < h->nmaps && c->text; i++)
		put_text_map(to, h, &h->map[i], c);
	if (c->text) {
		fputs("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
		      "plot NaN notitle\n", to);
		return;
	}
	put_diagonal(to, h);
	for (size_t i = 0; i < h->nmaps; i++) {
		put_map(to, h, i, c);
		fputs("reset\n", to);
	}
	fputs("unset multiplot\n", to);
}
