/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of results as elements of a page. */
#ifndef NETBENCH_SHOW_SVG_H
#define NETBENCH_SHOW_SVG_H

#include <jansson.h>
#include <stddef.h>

#include "show/chart/picture.h"

/*
 * Draws the pictures of an album as plot does without options, one for each benchmark. Frees the
 * album. *svg has the pictures drawn so far, for svg_free: elements <svg> without the beginning of
 * a file. Names of their parts are unique in a page if each call has its own `number`. ST_OK;
 * ST_USAGE if no file has anything to draw; ST_UNAVAILABLE without gnuplot; ST_FAILED (reported).
 */
int svg_draw(struct album *a, enum rate_unit rates, const char *(*summary_of)(const char *command),
	     size_t number, char ***svg, size_t *n);

/*
 * Draws a chart as an element <svg>, without XML declaration and gnuplot's title; names of its
 * parts begin with `prefix`. *svg is for free(). ST_OK, ST_UNAVAILABLE without gnuplot, or
 * ST_FAILED (reported).
 */
int svg_element(struct chart *chart, const char *prefix, char **svg);

void svg_free(char **svg, size_t n);

#endif
