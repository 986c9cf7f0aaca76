/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heat map of a result of map, every ordered pair of hosts as a cell: heat.c reads the pairs
 * and puts the hosts in order, cells.c makes cells and their colours' scale of them and labels the
 * hosts, words.c has title and caption.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_HEAT_H
#define NETBENCH_SHOW_CHART_HEAT_HEAT_H

#include "show/chart/picture.h"

struct heat;

/* A quantity of all pairs. */
struct heat_map {
	const struct heat *of;
	const char *column;
	struct axis scale;	/* of the colours */
	bool low_is_slow;
	float *y;		/* [sender * n + receiver], as the axis has it; NaN: no value */
	float *cell;		/* [row * ncells + column] of what is drawn; NaN: none */
	size_t nvalues, noutside;	/* pairs with a value; cells beyond the scale's ends */
};

#define HEAT_MAPS 2

struct heat {
	size_t n;
	json_t *numbers;	/* of the hosts by name, whose names these are: */
	const char **names;	/* n2 before n10 */
	size_t *order;		/* numbers of hosts as they are drawn */
	const char *domain;	/* that all names end in, "" if there is none, within one */
	char **labels;		/* as drawn: the names without that, of long ones their ends */
	bool *failed;		/* [sender * n + receiver]: a note says that it did */
	struct heat_map map[HEAT_MAPS];
	size_t nmaps;
	size_t ncells, per;	/* cells of a row; hosts of a row of cells, 1: no tiles */
};

/* True if what is asked for of files is a heat map. */
bool heat_suits(const struct album *a, const struct chart_request *ask);

/*
 * Reads the pairs that the picture selects, of a column or, if none is asked for, of bandwidth and
 * half round trip, into pic->heat, for heat_free. ST_OK; ST_USAGE if there is nothing to draw,
 * ST_FAILED without memory (reported).
 */
int heat_make(struct picture *pic);

void heat_free(struct heat *h);

/* Makes a panel of each map, and the caption. ST_OK or ST_FAILED (reported). */
int heat_compose(struct chart *c, struct picture *pic);

#endif
