/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas of a chart, and the positions on it that layout.c finds. Types only. */
#ifndef NETBENCH_SHOW_GNUPLOT_CANVAS_H
#define NETBENCH_SHOW_GNUPLOT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

/* gnuplot's terminal and its size. The unit is a character if `text`, else a pixel. */
struct canvas {
	const char *terminal;
	bool text;
	bool pages;		/* the terminal can put several pictures into a file */
	bool fixed;		/* the user gave the size; if false, the canvas may grow */
	unsigned width, height;	/* size of the canvas, each at most CANVAS_MOST */
	double scale;		/* scale of letters, marks and lines */
	const char *prefix;	/* the ids in an SVG begin with this text */
};

#define CANVAS_MOST 16384

/* The usual sizes of a canvas: of a drawing in pixels, and of a picture in characters. */
#define CANVAS_WIDTH 960
#define CANVAS_HEIGHT 480
#define CANVAS_COLUMNS 80
#define CANVAS_ROWS 32

/* The size of a panel, and its position from the left and the top of the canvas. */
struct slot {
	double left, top, width, height;
	/* distance of the plot area from the panel's top and from its bottom */
	double above, below;
	/* number of rows of the legend; width of an entry in characters */
	size_t key_rows, key_width;
};

/* The dimensions of a chart, in pixels or characters. */
struct layout {
	const struct canvas *c;
	double line, character;	/* height of a line of text, width of a character */
	size_t columns;		/* characters in a line of text */
	struct slot *at;	/* position of each panel */
};

#endif
