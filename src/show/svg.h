/* SPDX-License-Identifier: Apache-2.0 */
/* Draws results as <svg> elements of a page. */
#ifndef NETBENCH_SHOW_SVG_H
#define NETBENCH_SHOW_SVG_H

#include <stddef.h>

#include "show/chart/picture.h"

/*
 * Draws an album as plot does without options: one picture for each benchmark. Frees the album.
 * Sets *svg to *n elements <svg> without XML declaration. After a failure these are the elements
 * drawn before it. Free *svg with svg_free. Each call needs its own `number`, which makes the ids
 * of elements unique in a page. Returns ST_OK; ST_USAGE if no file has anything to draw;
 * ST_UNAVAILABLE without gnuplot; ST_FAILED (reported).
 */
int svg_draw(struct album *a, enum rate_unit rates, const char *(*summary_of)(const char *command),
	     size_t number, char ***svg, size_t *n);

/*
 * Draws a chart as an element <svg>, without XML declaration and gnuplot's title. Ids in the
 * element begin with `prefix`. The caller frees *svg. Returns ST_OK; ST_UNAVAILABLE without
 * gnuplot; ST_FAILED (reported).
 */
int svg_element(struct chart *chart, const char *prefix, char **svg);

void svg_free(char **svg, size_t n);

#endif
