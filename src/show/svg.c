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

/* The time limit of a picture in seconds, the default of plot's --timeout. */
#define PATIENCE_S 60

/* The largest number of cells in a row of a heat map. */
#define CELLS_MOST 512

/* Approximate limit of points in a picture. points_thin drops points beyond it. */
#define POINTS_MOST 3000

int svg_element(struct chart *chart, const char *prefix, char **svg)
{
	static const char title[] = "<title>Gnuplot</title>";
	struct canvas c = { .terminal = "svg", .width = CANVAS_WIDTH, .height = CANVAS_HEIGHT,
			    .scale = 1, .prefix = prefix };
	char *script, *drawn = NULL, *begin, *skip;
	size_t nscript, ndrawn;
	int err = script_write(chart, 1, &c, NULL, &script, &nscript);

	if (err)
		return err;
	err = gnuplot_run(script, nscript, &c, PATIENCE_S, &drawn, &ndrawn);
	free(script);
	if (err)
		return err;
	begin = strstr(drawn, "<svg");
	skip = strstr(drawn, title);
	if (skip)
		memset(skip, ' ', strlen(title));
	*svg = memory_or_exit(strdup(begin ? begin : ""));
	free(drawn);
	return ST_OK;
}

int svg_draw(struct album *a, enum rate_unit rates, const char *(*summary_of)(const char *command),
	     size_t number, char ***svg, size_t *n)
{
	struct chart_request ask = { .rates = rates, .named = a->nfiles > 1, .apart = true,
				     .cells_most = CELLS_MOST,
				     .points_most = POINTS_MOST, .summary_of = summary_of };
	int err = album_make(a, &ask);

	*n = 0;
	*svg = memory_new(a->ncharts, sizeof(**svg));
	for (size_t i = 0; i < a->ncharts && !err; i++) {
		err = svg_element(&a->charts[i], text_from("r%zu-%zu-", number, i + 1).s,
				   &(*svg)[i]);
		*n += !err;
	}
	album_free(a);
	return err;
}

void svg_free(char **svg, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(svg[i]);
	free(svg);
}
