/* SPDX-License-Identifier: Apache-2.0 */
/* Places on a canvas, which layout.c finds. Types only. */
#ifndef NETBENCH_SHOW_GNUPLOT_PLACE_H
#define NETBENCH_SHOW_GNUPLOT_PLACE_H

#include <stddef.h>

/* A panel: its part of the canvas from the left and the top, and what of it the axes leave. */
struct slot {
	double left, top, width, height;
	double above, below;	/* distances of the axes from its top and its bottom */
	size_t key_rows, key_width;	/* rows of the legend, characters of an entry */
};

/* In pixels or characters. */
struct layout {
	double line, character;	/* a line of text, a character of it */
	size_t columns;		/* characters of a line */
	struct slot *at;	/* of the panels */
};

#endif
