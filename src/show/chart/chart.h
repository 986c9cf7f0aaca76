/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chart as data: panels of series between common axes, with text above and below. compose.c makes
 * charts of results, show/gnuplot/ turns them into pictures.
 */
#ifndef NETBENCH_SHOW_CHART_CHART_H
#define NETBENCH_SHOW_CHART_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A point in the units of the axes; NaN: no value. lo and hi: its 95 % interval; fit: the value at
 * x of the line fitted to its segment; preset: the name of its window and batch if it is marked
 * with that, or NULL.
 */
struct plot_point {
	double x, y, lo, hi, p90, p99, fit, segment;
	const char *preset;
};

/* A point of a line; NaN: a gap. */
struct spot {
	double x, y;
};

struct spots {
	struct spot *v;
	size_t n;
	bool failed;		/* no memory */
};

/* How a series is drawn: marks alone, with straight lines or a curve between them, or steps. */
enum series_style { STYLE_MARKS, STYLE_JOINED, STYLE_CURVE, STYLE_STEPS };

/* Points of one file, sorted by x. */
struct trace {
	size_t run;		/* index of its file */
	struct text label;	/* in the legend */
	const json_t *row;	/* its first, borrowed; JSON null: none */
	const char *verdict;	/* of comparisons, or "" */
	size_t nkeys;		/* bytes of the label before the verdict */
	struct plot_point *p;
	size_t n;
	double t0, slope;	/* a line y = t0 + slope x fitted to all, s and s/B; NaN: none */
	struct spots fit;	/* the lines fitted to them, with gaps between them */
	struct spots curve;	/* of STYLE_CURVE */
	enum series_style style;
	size_t look;		/* number of its colour and mark */
	size_t hue, shape;	/* of comparisons, by what they are of and by verdict */
};

enum axis_scale { SCALE_LINEAR, SCALE_LOG, SCALE_NAMES, SCALE_NINES };

#define AXIS_VALUES 32

struct axis {
	const char *column, *unit;
	struct text words;	/* its name */
	double factor;		/* of the unit in a value of the column */
	enum axis_scale scale;	/* SCALE_NINES: of shares in %, by -log10 of the rest */
	json_t *names;		/* of SCALE_NAMES: places 1, 2, ... by text, in their order */
	bool linear;		/* the user wants it so */
	bool whole;		/* values are whole numbers */
	double from, to;	/* the range that the user wants; NaN: none */
	bool has_zero;		/* a value is 0, or less */
	bool broken;		/* logarithmic, with 0 placed at `zero`, before a break at `gap` */
	double zero, gap;
	double lo, hi;		/* ends of the axis; NaN: no values */
	double values[AXIS_VALUES];	/* all that there are, if they are few */
	size_t nvalues;		/* 0: they are many */
};

/* True if a value is outside the range that the user wants. */
static inline bool axis_excludes(const struct axis *a, double value)
{
	return value < a->from || value > a->to;
}

/* A line across a panel, at a value of y. */
struct rule {
	double at;
	const char *text;	/* by which a user asked for it */
	const char *label;	/* NULL: of a comparison, at 1 */
};

/* What is shaded of a panel: all above a value of y, or below. */
struct band {
	double from;
	bool above;
};

/* Series of a panel at most, also of one of characters; and bands. */
#define SERIES_MOST 6
#define SERIES_LETTERS 26
#define PANEL_BANDS 2

struct heat_map;

/* Series between two axes; or a heat map. */
struct chart_panel {
	struct text title;	/* "": it has none */
	struct axis *x, *y;	/* of the picture; panels of one have the same */
	const struct trace *series[SERIES_LETTERS];
	size_t nseries;
	bool keyed;		/* it has a legend */
	double aside;		/* by which marks of one x are apart, a share of the axis; or 0 */
	bool ringed;		/* marks of presets have rings */
	const struct rule *rules;
	size_t nrules;
	struct band bands[PANEL_BANDS];
	size_t nbands;
	const struct heat_map *map;
	size_t group;		/* number of its picture: panels of one stand together */
};

/* What a line of text is: LINE_HEAD says in large letters what the picture shows. */
enum line_kind { LINE_PLAIN, LINE_ALARM, LINE_HEAD };

struct text_line {
	char *text;
	enum line_kind kind;
};

struct text_lines {
	struct text_line *v;
	size_t n;
	bool failed;		/* no memory for a line (reported); it takes no more */
};

struct chart {
	struct text_lines head, foot;
	struct chart_panel *panels;
	size_t n;
	const char *benchmark;	/* that it is of; NULL: of all */
};

#endif
