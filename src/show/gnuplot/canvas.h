/* SPDX-License-Identifier: Apache-2.0 */
/* What a chart is drawn on. */
#ifndef NETBENCH_SHOW_GNUPLOT_CANVAS_H
#define NETBENCH_SHOW_GNUPLOT_CANVAS_H

#include <stdbool.h>

/* gnuplot's terminal, and its size in pixels, or characters if `text`. */
struct canvas {
	const char *terminal;
	bool text;
	bool pages;		/* a file has room for more than one picture */
	bool fixed;		/* the user wants this size; else it may grow */
	unsigned width, height;	/* each CANVAS_MOST at most */
	double scale;		/* of letters, marks and lines */
};

#define CANVAS_MOST 16384

/* The width and height of a drawing, and of one of characters, that is not fixed. */
#define CANVAS_WIDTH 960
#define CANVAS_HEIGHT 480
#define CANVAS_COLUMNS 80
#define CANVAS_ROWS 32

#endif
