/* SPDX-License-Identifier: Apache-2.0 */
/* A heat map as data. Types only. */
#ifndef NETBENCH_SHOW_CHART_HEAT_MAP_H
#define NETBENCH_SHOW_CHART_HEAT_MAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "show/chart/chart.h"

struct heat;

/* A quantity of all pairs of hosts. */
struct heat_map {
	const struct heat *of;
	const char *column;
	struct axis scale;	/* the scale of the colours */
	bool low_is_slow;
	float *y; /* value at [sender * n + receiver], in units of the scale; NaN: none */
	float *cell;		/* drawn value at [row * ncells + column]; NaN: none */
	size_t noutside;	/* number of cells beyond the ends of the scale */
};

#define HEAT_MAPS 2

/* The largest number of characters in a host's label. A character has up to 4 bytes. */
#define NAME_MOST 14

struct heat {
	size_t n;
	json_t *numbers;	/* from each host's name to its number */
	const char **names;	/* the names of the hosts, in natural order: n2 before n10 */
	size_t *order;		/* the numbers of the hosts in the drawn order */
	const char *domain;	/* the domain that all names share; or "" */
	/* shortened labels without the domain, in the drawn order */
	char (*labels)[4 * NAME_MOST + 4];
	bool *failed;		/* for each pair: its note reports a failure */
	struct heat_map map[HEAT_MAPS];
	size_t nmaps;
	/* number of cells per row; number of hosts per cell row (1: a cell is a pair) */
	size_t ncells, per;
};

#endif
