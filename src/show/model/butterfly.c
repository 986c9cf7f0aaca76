/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/butterfly.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/values.h"
#include "model/fft.h"
#include "show/units.h"

/* A picture in one layout. */
struct butterfly {
	enum fft_layout layout;
	uint64_t n, P;
	struct fft_step steps[FFT_STEPS_MOST];
	size_t nsteps;		/* 0: there is no such layout */
};

static struct butterfly make(enum fft_layout layout, uint64_t n, uint64_t P)
{
	struct butterfly b = { .layout = layout, .n = n, .P = P };

	b.nsteps = fft_steps(layout, n, P, b.steps);
	return b;
}

static const char *kind_of(const struct butterfly *p, const struct fft_step *s)
{
	return !s->distance ? "remap" : fft_is_remote(s, p->n, p->P) ? "remote" : "local";
}

/* "block: 2 of 4 columns are remote" */
static void name_panel(char *buf, size_t len, const struct butterfly *p)
{
	size_t remote = 0, remaps = 0;

	for (size_t i = 0; i < p->nsteps; i++) {
		remaps += !p->steps[i].distance;
		remote += p->steps[i].distance && fft_is_remote(&p->steps[i], p->n, p->P);
	}
	if (!p->nsteps)
		snprintf(buf, len, "%s: n/a, one remap is not enough", fft_layouts[p->layout]);
	else
		snprintf(buf, len, "%s: %zu of %zu columns are remote%s", fft_layouts[p->layout],
			 remote, p->nsteps - remaps, remaps ? ", 1 remap" : "");
}

/* Digits of the largest of n numbers from 0 on. */
static int digits(uint64_t n)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)n - 1);
}

/* ---- text ---- */

/* A row: its processor in each column, and between two whose data the step needs. */
static void put_row(const struct butterfly *p, uint64_t row)
{
	int node = digits(p->P) + 1, link = node > 4 ? node : 4;
	char name[24];

	printf("row %-*llu", digits(p->n), (unsigned long long)row);
	for (size_t i = 0; i <= p->nsteps; i++) {
		const struct fft_step *s = &p->steps[i ? i - 1 : 0];
		uint64_t owner = fft_owner(s, i > 0, p->n, p->P, row);
		uint64_t source = fft_source(s, p->n, p->P, row);

		snprintf(name, sizeof(name), "p%llu", (unsigned long long)source);
		if (i && source != owner)
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
	int node = digits(p->P) + 1, link = node > 4 ? node : 4;
	char name[128];

	name_panel(name, sizeof(name), p);
	printf("\n%s\n", name);
	if (!p->nsteps)
		return;
	printf("%*s", 4 + digits(p->n) + 1 + node, "");
	for (size_t i = 0; i < p->nsteps; i++)
		printf(" %-*s", i + 1 < p->nsteps ? link + 3 + node : 0, kind_of(p, &p->steps[i]));
	putchar('\n');
	for (uint64_t row = 0; row < p->n; row++)
		put_row(p, row);
}

void butterfly_put_text(uint64_t n, uint64_t P, const char *title)
{
	put_computed(title);
	printf("p0: a row of processor 0; =p1=>: needs data of processor 1; ---: needs none\n");
	for (enum fft_layout layout = 0; layout < FFT_LAYOUTS; layout++) {
		struct butterfly one = make(layout, n, P);

		put_text(&one);
	}
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

/* Where column i is in a picture in which the panel begins at x. */
static double at_x(double x, size_t i)
{
	return x + LEFT + (double)i * COLUMN;
}

static double at_y(uint64_t row)
{
	return TOP + (double)row * LINE;
}

static void put_edge(const struct butterfly *p, double x, size_t i, uint64_t from, uint64_t to)
{
	const struct fft_step *s = &p->steps[i];
	bool remote = fft_owner(s, 0, p->n, p->P, from) != fft_owner(s, 1, p->n, p->P, to);

	printf("<line class=\"%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\"/>\n",
	       remote ? "remote" : "local", at_x(x, i), at_y(from), at_x(x, i + 1), at_y(to));
}

/* A circle for each row in each column, with its processor, and the numbers of the rows. */
static void put_nodes(const struct butterfly *p, double x)
{
	for (size_t i = 0; i <= p->nsteps; i++)
		for (uint64_t row = 0; row < p->n; row++) {
			const struct fft_step *s = &p->steps[i ? i - 1 : 0];
			uint64_t owner = fft_owner(s, i > 0, p->n, p->P, row);

			printf("<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%d\" fill=\"%s\"/>\n",
			       at_x(x, i), at_y(row), RADIUS, colours[owner % LENGTH(colours)]);
			printf("<text class=\"node\" x=\"%.0f\" y=\"%.0f\">%llu</text>\n",
			       at_x(x, i), at_y(row) + 3, (unsigned long long)owner);
		}
	for (uint64_t row = 0; row < p->n; row++)
		printf("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%llu</text>\n",
		       at_x(x, 0) - RADIUS - 6, at_y(row) + 4, (unsigned long long)row);
}

static void put_panel(const struct butterfly *p, double x)
{
	char name[128];

	name_panel(name, sizeof(name), p);
	printf("<g id=\"%s\">\n<text x=\"%.0f\" y=\"%d\">%s</text>\n", fft_layouts[p->layout],
	       x + LEFT - RADIUS, TOP - 46, name);
	for (size_t i = 0; i < p->nsteps; i++) {
		const char *kind = kind_of(p, &p->steps[i]);

		printf("<text class=\"head %s\" x=\"%.0f\" y=\"%d\">%s</text>\n",
		       strcmp(kind, "local") ? "far" : "near", at_x(x, i) + COLUMN / 2, TOP - 22,
		       kind);
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

/* Layouts side by side; in each a row has its number and in each column a circle. */
void butterfly_put_svg(uint64_t n, uint64_t P, const char *title)
{
	const char *style = "text{font:12px sans-serif}.node{font-size:9px;text-anchor:middle}"
			    ".head{text-anchor:middle}.far{fill:#cc3311}.near{fill:#777}"
			    ".local{stroke:#bbb}.remote{stroke:#cc3311;stroke-width:1.5}";
	struct butterfly of[FFT_LAYOUTS];
	double x[FFT_LAYOUTS + 1] = { 0 };	/* where each begins */

	for (enum fft_layout layout = 0; layout < FFT_LAYOUTS; layout++) {
		of[layout] = make(layout, n, P);
		x[layout + 1] = x[layout] + LEFT + fmax((double)of[layout].nsteps * COLUMN, 300);
	}
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
	       "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	       x[FFT_LAYOUTS] + 20, at_y(n) + 10, style);
	printf("<text x=\"10\" y=\"18\">%s (computed)</text>\n<text x=\"10\" y=\"36\">circles: "
	       "the processor that has a row; red: data of another processor</text>\n", title);
	for (int i = 0; i < FFT_LAYOUTS; i++)
		put_panel(&of[i], x[i]);
	printf("</svg>\n");
}
