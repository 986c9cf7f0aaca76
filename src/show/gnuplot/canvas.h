/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas of a chart, and places on it, which layout.c finds. Types only. */
#ifndef NETBENCH_SHOW_GNUPLOT_CANVAS_H
#define NETBENCH_SHOW_GNUPLOT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

/* gnuplot's terminal, and its size in pixels, or characters if `text`. */
struct canvas {
	const char *terminal;
	bool text;
	bool pages;		/* a file can have several pictures */
	bool fixed;		/* the user gave the size; else it may grow */
	unsigned width, height;	/* each CANVAS_MOST at most */
	double scale;		/* of letters, marks and lines */
	const char *prefix;	/* of the names of parts in an SVG */
};

#define CANVAS_MOST 16384

/* The usual size of a drawing in pixels, and of one in characters. */
#define CANVAS_WIDTH 960
#define CANVAS_HEIGHT 480
#define CANVAS_COLUMNS 80
#define CANVAS_ROWS 32

/* The place of a panel on the canvas, from the left and the top, and of the axes in it. */
struct slot {
	double left, top, width, height;
	double above, below;	/* distances of the axes from its top and its bottom */
	size_t key_rows, key_width;	/* rows of the legend, characters of an entry */
};

/* Measures of a chart, in pixels or characters. */
struct layout {
	const struct canvas *c;
	double line, character;	/* a line of text, a character of it */
	size_t columns;		/* characters of a line */
	struct slot *at;	/* of the panels */
};

#endif
