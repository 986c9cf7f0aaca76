/* SPDX-License-Identifier: Apache-2.0 */
/* A heat map as data. Types only. */
#ifndef NETBENCH_SHOW_CHART_HEAT_MAP_H
#define NETBENCH_SHOW_CHART_HEAT_MAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "show/chart/chart.h"

struct heat;

/* A quantity of all pairs. */
struct heat_map {
	const struct heat *of;
	const char *column;
	struct axis scale;	/* of the colours */
	bool low_is_slow;
	float *y;		/* [sender * n + receiver], in units of the scale; NaN: none */
	float *cell;		/* [row * ncells + column], as drawn; NaN: none */
	size_t noutside;	/* cells beyond the scale's ends */
};

#define HEAT_MAPS 2

/* The most characters of a host's label, each of up to 4 bytes. */
#define NAME_MOST 14

struct heat {
	size_t n;
	json_t *numbers;	/* of the hosts by name */
	const char **names;	/* of the hosts, n2 before n10 */
	size_t *order;		/* numbers of hosts as they are drawn */
	const char *domain;	/* the end of all names, within one of them; or "" */
	char (*labels)[4 * NAME_MOST + 4];	/* as drawn: cut, and without domain */
	bool *failed;		/* [sender * n + receiver]: a note has a failure */
	struct heat_map map[HEAT_MAPS];
	size_t nmaps;
	size_t ncells, per;	/* cells of a row; hosts of a row of cells, 1: no tiles */
};

#endif
