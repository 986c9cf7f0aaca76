/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/butterfly.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/values.h"
#include "model/fft.h"
#include "show/units.h"

/* The butterfly in one layout. */
struct butterfly {
	enum fft_layout layout;
	uint64_t n, P;
	struct fft_step steps[FFT_STEPS_MOST];
	size_t nsteps;		/* 0: the layout needs more than one remap */
};

static const char *step_kind(const struct butterfly *p, size_t i)
{
	const struct fft_step *s = &p->steps[i];

	return !s->distance ? "remap" : fft_is_remote(s, p->n, p->P) ? "remote" : "local";
}

/* Returns the processor that owns a row in column i. Column 0 is before the first step. */
static uint64_t owner_in_column(const struct butterfly *p, size_t i, uint64_t row)
{
	return fft_owner(&p->steps[i ? i - 1 : 0], i > 0, p->n, p->P, row);
}

/*
 * Prints the name of a layout and the number of its remote columns, such as "block: 2 of 4 columns
 * are remote".
 */
static void put_remote_columns(const struct butterfly *p)
{
	size_t remote = 0, remaps = 0;

	for (size_t i = 0; i < p->nsteps; i++) {
		remaps += !p->steps[i].distance;
		remote += !strcmp(step_kind(p, i), "remote");
	}
	printf("%s: ", fft_layouts[p->layout]);
	if (!p->nsteps)
		printf("n/a, one remap is not enough");
	else
		printf("%zu of %zu columns are remote%s", remote, p->nsteps - remaps,
		       remaps ? ", 1 remap" : "");
}

/* Returns the number of digits of n - 1, the largest row or processor. */
static int digits_needed(uint64_t n)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)n - 1);
}

/* ---- text ---- */

/*
 * Prints a row: for each column, the processor that owns the row. Between two columns, prints the
 * processor whose data the step needs.
 */
static void put_row(const struct butterfly *p, uint64_t row, int node, int link)
{
	char name[24];

	printf("row %-*llu", digits_needed(p->n), (unsigned long long)row);
	for (size_t i = 0; i <= p->nsteps; i++) {
		uint64_t owner = owner_in_column(p, i, row);
		uint64_t source = i ? fft_source(&p->steps[i - 1], p->n, p->P, row) : owner;

		snprintf(name, sizeof(name), "p%llu", (unsigned long long)source);
		if (source != owner)
			printf(" =%s%.*s>", name, link - (int)strlen(name), "====================");
		else if (i)
			printf(" %.*s", link + 2, "----------------------");
		snprintf(name, sizeof(name), "p%llu", (unsigned long long)owner);
		printf(" %-*s", i < p->nsteps ? node : 0, name);
	}
	putchar('\n');
}

static void put_text(const struct butterfly *p)
{
	int node = digits_needed(p->P) + 1, link = node > 4 ? node : 4;

	putchar('\n');
	put_remote_columns(p);
	putchar('\n');
	if (!p->nsteps)
		return;
	printf("%*s", 4 + digits_needed(p->n) + 1 + node, "");
	for (size_t i = 0; i < p->nsteps; i++)
		printf(" %-*s", i + 1 < p->nsteps ? link + 3 + node : 0, step_kind(p, i));
	putchar('\n');
	for (uint64_t row = 0; row < p->n; row++)
		put_row(p, row, node, link);
}

/* ---- SVG ---- */

#define LEFT 60
#define TOP 110
#define COLUMN 64
#define LINE 22
#define RADIUS 9

static const char *const colours[] = {
	"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
};

/* Returns the x coordinate of column i in a panel whose left end is at x. */
static double column_x(double x, size_t i)
{
	return x + LEFT + (double)i * COLUMN;
}

static double row_y(uint64_t row)
{
	return TOP + (double)row * LINE;
}

/* Draws a line from row `from` to row `to`, which needs the data of `from` in step i. */
static void put_edge(const struct butterfly *p, double x, size_t i, uint64_t from, uint64_t to)
{
	bool remote = fft_owner(&p->steps[i], 0, p->n, p->P, from) != owner_in_column(p, i + 1, to);

	printf("<line class=\"%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\"/>\n",
	       remote ? "remote" : "local", column_x(x, i), row_y(from),
	       column_x(x, i + 1), row_y(to));
}

/*
 * Draws a circle for each row in each column. The circle shows the processor that owns the row.
 * Also draws the numbers of the rows.
 */
static void put_nodes(const struct butterfly *p, double x)
{
	for (size_t i = 0; i <= p->nsteps; i++)
		for (uint64_t row = 0; row < p->n; row++) {
			uint64_t owner = owner_in_column(p, i, row);

			printf("<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%d\" fill=\"%s\"/>\n"
			       "<text class=\"node\" x=\"%.0f\" y=\"%.0f\">%llu</text>\n",
			       column_x(x, i), row_y(row), RADIUS, colours[owner % LENGTH(colours)],
			       column_x(x, i), row_y(row) + 3, (unsigned long long)owner);
		}
	for (uint64_t row = 0; row < p->n; row++)
		printf("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%llu</text>\n",
		       column_x(x, 0) - RADIUS - 6, row_y(row) + 4, (unsigned long long)row);
}

/* Draws the panel of a layout. Its left end is at x. */
static void put_panel(const struct butterfly *p, double x)
{
	printf("<g id=\"%s\">\n<text x=\"%.0f\" y=\"%d\">", fft_layouts[p->layout],
	       x + LEFT - RADIUS, TOP - 46);
	put_remote_columns(p);
	printf("</text>\n");
	for (size_t i = 0; i < p->nsteps; i++) {
		const char *kind = step_kind(p, i);

		printf("<text class=\"head %s\" x=\"%.0f\" y=\"%d\">%s</text>\n",
		       strcmp(kind, "local") ? "far" : "near",
		       column_x(x, i) + COLUMN / 2, TOP - 22, kind);
	}
	for (size_t i = 0; i < p->nsteps; i++)
		for (uint64_t row = 0; row < p->n; row++) {
			put_edge(p, x, i, row, row);
			if (p->steps[i].distance)
				put_edge(p, x, i, row ^ p->steps[i].distance, row);
		}
	if (p->nsteps)
		put_nodes(p, x);
	printf("</g>\n");
}

static void put_svg(const struct butterfly all[FFT_LAYOUTS], const char *title)
{
	const char *style = "text{font:12px sans-serif}.node{font-size:9px;text-anchor:middle}"
			    ".head{text-anchor:middle}.far{fill:#cc3311}.near{fill:#777}"
			    ".local{stroke:#bbb}.remote{stroke:#cc3311;stroke-width:1.5}";
	/* the left end of each panel, then the right end of the last one */
	double x[FFT_LAYOUTS + 1] = { 0 };

	for (int i = 0; i < FFT_LAYOUTS; i++)
		x[i + 1] = x[i] + LEFT + fmax((double)all[i].nsteps * COLUMN, 300);
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
	       "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
	       "<text x=\"10\" y=\"18\">%s (computed)</text>\n<text x=\"10\" y=\"36\">circles: "
	       "the processor that has a row; red: data of another processor</text>\n",
	       x[FFT_LAYOUTS] + 20, row_y(all->n) + 10, style, title);
	for (int i = 0; i < FFT_LAYOUTS; i++)
		put_panel(&all[i], x[i]);
	printf("</svg>\n");
}

void butterfly_put(uint64_t n, uint64_t P, const char *title, bool svg)
{
	struct butterfly all[FFT_LAYOUTS];

	for (enum fft_layout i = 0; i < FFT_LAYOUTS; i++) {
		all[i] = (struct butterfly){ .layout = i, .n = n, .P = P };
		all[i].nsteps = fft_steps(i, n, P, all[i].steps);
	}
	if (svg) {
		put_svg(all, title);
		return;
	}
	put_computed(title);
	printf("p0: a row of processor 0; =p1=>: needs data of processor 1; ---: needs none\n");
	for (int i = 0; i < FFT_LAYOUTS; i++)
		put_text(&all[i]);
}
