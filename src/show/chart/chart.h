/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chart as data: panels of series between common axes, with text above and below. compose.c makes
 * charts of results. show/gnuplot/ turns them into pictures.
 */
#ifndef NETBENCH_SHOW_CHART_CHART_H
#define NETBENCH_SHOW_CHART_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A point in the units of the axes; NaN: no value. lo and hi: its 95 % interval. fit: the value at
 * x of the line fitted to its segment. preset: the name of its window and batch if the picture
 * marks it, or NULL.
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
	size_t hue, shape;	/* of comparisons: colour by keys, mark by verdict */
};

enum axis_scale { SCALE_LINEAR, SCALE_LOG, SCALE_NAMES, SCALE_NINES };

#define AXIS_VALUES 32

struct axis {
	const char *column, *unit;
	struct text words;	/* its name */
	double factor;		/* units in a value of 1 of the column */
	enum axis_scale scale;	/* SCALE_NINES: of shares in %, by -log10 of the rest */
	json_t *names;		/* of SCALE_NAMES: places 1, 2, ... by text, in their order */
	bool linear;		/* the user asked for a linear scale */
	bool whole;		/* values are whole numbers */
	double from, to;	/* the range that the user gave; NaN: no end */
	bool has_zero;		/* a value is 0, or less */
	bool broken;		/* logarithmic, with 0 placed at `zero`, before a break at `gap` */
	double zero, gap;
	double lo, hi;		/* ends of the axis; NaN: no values */
	double values[AXIS_VALUES];	/* all values, if they are few */
	size_t nvalues;		/* 0: too many for the list */
};

/* True if a value is outside the range that the user gave. */
static inline bool axis_excludes(const struct axis *a, double value)
{
	return value < a->from || value > a->to;
}

/* A line across a panel, at a value of y. */
struct rule {
	double at;
	const char *text;	/* as in the value of --line */
	const char *label;	/* NULL: the line at 1 of a comparison */
};

/* A shaded part of a panel: all above a value of y, or all below. */
struct band {
	double from;
	bool above;
};

/* The most series of a panel, drawn or of characters, and its most bands. */
#define SERIES_MOST 6
#define SERIES_LETTERS 26
#define PANEL_BANDS 2

struct heat_map;

/* Series between two axes; or a heat map. */
struct chart_panel {
	struct text title;	/* "": no title */
	struct axis *x, *y;	/* of the picture; all its panels have the same axes */
	const struct trace *series[SERIES_LETTERS];
	size_t nseries;
	bool keyed;		/* it has a legend */
	double aside;		/* distance of marks with the same x, a share of the axis; or 0 */
	bool ringed;		/* marks of presets have rings */
	const struct rule *rules;
	size_t nrules;
	struct band bands[PANEL_BANDS];
	size_t nbands;
	const struct heat_map *map;
	size_t group;		/* number of its picture, whose panels stand together */
};

/* LINE_HEAD says in bold letters what the picture shows. LINE_ALARM is a warning. */
enum line_kind { LINE_PLAIN, LINE_ALARM, LINE_HEAD };

struct text_line {
	char *text;
	enum line_kind kind;
};

struct text_lines {
	struct text_line *v;
	size_t n;
};

struct chart {
	struct text_lines head, foot;
	struct chart_panel *panels;
	size_t n;
	const char *benchmark;	/* the only one in the chart; NULL: all */
};

#endif
