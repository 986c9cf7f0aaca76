/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/script.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "show/gnuplot/frame.h"
#include "show/gnuplot/heat.h"
#include "show/gnuplot/layout.h"
#include "show/gnuplot/quote.h"
#include "show/gnuplot/panel.h"

/* Writes lines of text below each other. */
static void put_lines(FILE *to, const struct text_lines *lines, const struct layout *l, double top)
{
	const struct canvas *c = l->c;

	for (size_t i = 0; i < lines->n; i++) {
		const struct text_line *line = &lines->v[i];

		frame_text(to, c, c->text ? 1 : 10 * c->scale, top + l->line * (double)i,
			   line->text, c->width, line->kind == LINE_HEAD ? frame_bold_style(c)
			   : line->kind == LINE_ALARM ? "left textcolor rgb '#B00000'" : "left");
	}
}

static void put_chart(FILE *to, const struct chart *chart, const struct layout *l)
{
	const struct canvas *c = l->c;
	double bottom = c->height - l->line * ((double)chart->foot.n - (c->text ? 0.5 : 0.1));
	bool several = chart->n > 1 && !(c->text && chart->panels[0].map);

	fputs(several ? "reset\nset multiplot\n" : "reset\n", to);
	put_lines(to, &chart->head, l, l->line * (c->text ? 0.5 : 0.8));
	put_lines(to, &chart->foot, l, bottom);
	for (size_t i = 0; i < chart->n; i++) {
		if (i && several)	/* a plot command draws all labels set so far */
			fputs("reset\n", to);
		if (chart->panels[i].map) {
			heat_put(to, &chart->panels[i], i, &l->at[i], l);
			continue;
		}
		frame_put(to, &chart->panels[i], &l->at[i], l);
		panel_put(to, &chart->panels[i], &l->at[i], c);
	}
	if (c->text && chart->panels[0].map)
		fputs("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
		      "plot NaN notitle\n", to);
	fputs(several ? "unset multiplot\n" : "", to);
}

int script_write(struct chart *charts, size_t n, struct canvas *c, const char *path, char **script,
		 size_t *len)
{
	struct layout l = { .at = NULL };
	FILE *to;
	int err = ST_OK;

	for (size_t i = 0; i < n && !err; i++) {	/* find the size of the highest chart */
		err = layout_make(&l, &charts[i], c);
		layout_free(&l);
	}
	if (err)
		return err;
	to = memory_or_exit(open_memstream(script, len));
	fprintf(to, "if (strstrt(GPVAL_TERMINALS, '%s') == 0) { exit status 3 }\n"
		"set encoding utf8\nset terminal %s noenhanced ", c->terminal, c->terminal);
	if (c->text)
		fprintf(to, "mono size %u,%u\n", c->width, c->height);
	else if (!strcmp(c->terminal, "pdfcairo"))
		fprintf(to, "size %.4fin,%.4fin font 'sans,%.3g' fontscale 0.75 linewidth %.3g\n",
			c->width / 96.0, c->height / 96.0, 10 * c->scale, c->scale);
	else
		fprintf(to, "size %u,%u font 'sans,%.3g' linewidth %.3g "
			"background rgb '#FFFFFF'\n", c->width, c->height,
			(strcmp(c->terminal, "svg") ? 10 : 12) * c->scale, c->scale);
	if (path)
		fprintf(to, "set output %s\n", quoted(path, SIZE_MAX).s);
	for (size_t i = 0; i < n; i++) {	/* cannot fail, because the chart fitted above */
		layout_make(&l, &charts[i], c);
		put_chart(to, &charts[i], &l);
		layout_free(&l);
	}
	memory_or_exit(text_close(to, script));
	return ST_OK;
}
