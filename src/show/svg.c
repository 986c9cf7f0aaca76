/* SPDX-License-Identifier: Apache-2.0 */
#include "show/svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "show/chart/album.h"
#include "show/gnuplot/run.h"
#include "show/gnuplot/script.h"

/* For each picture, as for plot without --timeout. */
#define PATIENCE_S 60

/* Cells of a row of a heat map at most. */
#define CELLS_MOST 512

/* Points of a picture: of more it shows those that points_thin keeps. */
#define POINTS_MOST 3000

/* How names of parts begin in a picture, where they are given and where they are used. */
static const char *const names[] = { " id='", " id=\"", "xlink:href='#", "url(#" };

/* The beginning of a name that the text begins with; "" if it does not. */
static const char *name_at(const char *text)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			return names[i];
	return "";
}

/* Writes gnuplot's picture with a prefix to its names, as a page may have each but once. */
static void put_element(FILE *to, const char *at, const char *prefix)
{
	bool tag = false;

	for (; *at; at++) {
		const char *name = tag ? name_at(at) : "";

		if (*name) {
			fprintf(to, "%s%s", name, prefix);
			at += strlen(name) - 1;
		} else if (*at == '>' && !tag) {	/* gnuplot leaves it, XML has no "]]>" */
			fputs("&gt;", to);
		} else {
			putc(*at, to);
			tag = *at == '<' || (tag && *at != '>');
		}
	}
}

/* The same for free(), without XML declaration and gnuplot's title; NULL without memory. */
static char *element_of(char *drawn, const char *prefix)
{
	static const char title[] = "<title>Gnuplot</title>";
	char *at = strstr(drawn, "<svg"), *skip = strstr(drawn, title), *text = NULL;
	size_t len;
	FILE *to = at ? open_memstream(&text, &len) : NULL;

	if (!to)
		return NULL;
	if (skip)
		memset(skip, ' ', strlen(title));
	put_element(to, at, prefix);
	return text_close(to, &text);
}

static int draw(struct chart *chart, size_t number, size_t picture, struct plot_svg *svg)
{
	struct canvas c = { .terminal = "svg", .width = CANVAS_WIDTH, .height = CANVAS_HEIGHT,
			    .scale = 1 };
	char *script, *drawn = NULL, prefix[64];
	size_t nscript, ndrawn;
	int err = script_write(chart, 1, &c, NULL, &script, &nscript);

	if (err)
		return err;
	err = gnuplot_run(script, nscript, &c, PATIENCE_S, &drawn, &ndrawn);
	free(script);
	if (err)
		return err;
	snprintf(prefix, sizeof(prefix), "r%zu-%zu-", number, picture);
	svg->text = element_of(drawn, prefix);
	svg->benchmark = strdup(chart->benchmark ? chart->benchmark : "");
	free(drawn);
	if (svg->text && svg->benchmark)
		return ST_OK;
	free(svg->text);
	free(svg->benchmark);
	return error_report("no memory for a picture");
}

int svg_draw(struct album *a, enum rate_unit rates, const char *(*summary_of)(const char *command),
	     size_t number, struct plot_svg **svg, size_t *n)
{
	struct chart_request ask = { .rates = rates, .named = a->nfiles > 1, .apart = true,
				     .cells_most = CELLS_MOST,
				     .points_most = POINTS_MOST, .summary_of = summary_of };
	int err = album_make(a, &ask);

	*n = 0;
	*svg = NULL;
	if (!err) {
		*svg = calloc(a->ncharts, sizeof(**svg));
		err = *svg ? ST_OK : error_report("no memory for %zu pictures", a->ncharts);
	}
	for (size_t i = 0; i < a->ncharts && !err; i++) {
		err = draw(&a->charts[i], number, i + 1, &(*svg)[i]);
		*n += !err;
	}
	album_free(a);
	return err;
}

void svg_free(struct plot_svg *svg, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(svg[i].text);
		free(svg[i].benchmark);
	}
	free(svg);
}
