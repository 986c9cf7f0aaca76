/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of results as elements of a page. */
#ifndef NETBENCH_SHOW_SVG_H
#define NETBENCH_SHOW_SVG_H

#include <jansson.h>
#include <stddef.h>

#include "show/chart/picture.h"

/*
 * Draws the pictures that plot draws of the files of an album without options, of each benchmark
 * one, in *svg, for svg_free, as far as they were drawn; and frees the album. Each is an element
 * <svg> without the beginning of a file. Pictures of a page that have another `number` have names
 * of their own within them. ST_OK; ST_USAGE if there is nothing to draw, ST_UNAVAILABLE without
 * gnuplot, ST_FAILED (reported).
 */
int svg_draw(struct album *a, enum rate_unit rates, const char *(*summary_of)(const char *command),
	     size_t number, char ***svg, size_t *n);

void svg_free(char **svg, size_t n);

#endif
