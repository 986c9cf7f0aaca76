/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heat map of a result of map, every ordered pair of hosts as a cell: heat.c reads the pairs,
 * order.c puts the hosts in order, names.c labels them, tiles.c makes cells and their colours'
 * scale of them, text.c has title and caption, room.c places them and the maps, script.c draws.
 */
#ifndef NETBENCH_CMD_PLOT_HEAT_HEAT_H
#define NETBENCH_CMD_PLOT_HEAT_HEAT_H

#include "cmd/plot/plot.h"

/* A quantity of all pairs. */
struct heat_map {
	const char *column;
	struct axis scale;	/* of the colours */
	bool low_is_slow;
	float *y;		/* [sender * n + receiver], as the axis has it; NaN: no value */
	float *cell;		/* [row * ncells + column] of what is drawn; NaN: none */
	size_t nvalues, noutside;	/* pairs with a value; cells beyond the scale's ends */
	double left, top;	/* where its cells begin, in pixels or characters */
};

#define HEAT_MAPS 2

struct heat {
	size_t n;
	json_t *numbers;	/* of the hosts by name, whose names these are: */
	const char **names;	/* in the order in which they are drawn */
	const char *domain;	/* that all names end in, "" if there is none, within one */
	char **labels;		/* the names without that, of long ones their ends */
	bool *failed;		/* [sender * n + receiver]: a note says that it did */
	struct heat_map map[HEAT_MAPS];
	size_t nmaps;
	size_t ncells, per;	/* cells of a row; hosts of a row of cells, 1: no tiles */
	/* how maps are placed */
	double side;		/* of a map, in pixels or lines */
	size_t name_width;	/* characters of a name */
	bool upright;		/* names of columns stand upright */
	unsigned wide;		/* characters of a cell, if the canvas is text */
};

/* Pixels of a line of text and of a character of it, at scale 1. */
#define HEAT_LINE 16.0
#define HEAT_CHARACTER 7.2

/* True if a picture of files over the column x (NULL: what suits) is a heat map. */
bool heat_suits(const struct picture *pic, const char *x);

/*
 * Reads the pairs that the picture selects, of a column or, if that is NULL, of bandwidth and half
 * round trip, into pic->heat, for heat_free. ST_OK; ST_USAGE if there is nothing to draw,
 * ST_FAILED without memory (reported).
 */
int heat_make(struct picture *pic, const char *column);

void heat_free(struct heat *h);

/* Scales colours, writes the texts and finds room for both; as plot_lay_out. */
int heat_lay_out(struct picture *pic, struct canvas *c);

/* Writes the script of a heat map that was laid out. */
void heat_script(FILE *to, const struct picture *pic, const struct canvas *c);

/* ---- within these files ---- */

/* Puts the hosts in order. ST_OK; ST_USAGE with too many for it, ST_FAILED (reported). */
int heat_sort(struct heat *h, enum plot_order order);

/* Makes cells of so many hosts by as many. ST_OK, or ST_FAILED (reported). */
int heat_cut(struct heat *h, size_t per, enum plot_tile of);

/* True if a cell has a pair that failed. */
bool heat_has_failed(const struct heat *h, const struct heat_map *m, size_t row, size_t column);

/* The ends of the scale of the cells, and whether it is logarithmic. */
void heat_scale(struct heat_map *m, const struct heat *h);

/* True if a cell has no pair: it is a host with itself. */
bool heat_is_empty(const struct heat *h, size_t row, size_t column);

/* Makes the labels. ST_OK, or ST_FAILED (reported). */
int heat_label(struct heat *h);

/* Characters of a label at most. */
#define HEAT_NAME_MOST 14

/* The label of a row of cells: that of its first host. */
const char *heat_name(const struct heat *h, size_t row);

/* What a column is, in a few words. Returns buf. */
char *heat_words(char *buf, size_t len, const char *column);

/* What the picture shows: "bandwidth of all pairs of 12 hosts". */
void heat_head(char *buf, size_t len, const struct picture *pic);

/* Title and caption. ST_OK, or ST_FAILED (reported). */
int heat_texts(struct picture *pic, const struct canvas *c);

#endif
