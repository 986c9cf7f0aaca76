/* SPDX-License-Identifier: Apache-2.0 */
/* What other commands have of plot: the pictures of a result, and what is drawn of it. */
#ifndef NETBENCH_CMD_PLOT_H
#define NETBENCH_CMD_PLOT_H

#include <jansson.h>
#include <stddef.h>

#include "result/row.h"

/* Points of a picture of a page: of more it shows those that plot_thin keeps. */
#define PLOT_SVG_POINTS 3000

/* A picture as SVG, an element <svg> without what comes before it in a file. */
struct plot_svg {
	char *text;
	char *benchmark;	/* that it is of; "": of all */
};

/*
 * Draws the pictures of a result that plot draws of it without options, in *svg, for
 * plot_svg_free, as far as they were drawn. Each result of a page has another `number`, so that
 * names within its pictures are its own. ST_OK; ST_USAGE if there is nothing to draw,
 * ST_UNAVAILABLE without gnuplot, ST_FAILED (reported).
 */
int plot_svg(const char *path, json_t *doc, enum rate_unit rates, size_t number,
	     struct plot_svg **svg, size_t *n);

void plot_svg_free(struct plot_svg *svg, size_t n);

/* The column that plot draws of a result, or of a benchmark in it unless that is ""; or NULL. */
const char *plot_drawn(const json_t *doc, const char *benchmark);

/* What a column is, in a few words: "half round trip", "processor share". Returns buf. */
char *plot_words(char *buf, size_t len, const char *column);

#endif
