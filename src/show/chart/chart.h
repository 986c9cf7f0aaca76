/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chart as data: panels with series, which share axes, and text above and below. compose.c makes
 * charts of results. show/gnuplot/ turns them into pictures.
 */
#ifndef NETBENCH_SHOW_CHART_CHART_H
#define NETBENCH_SHOW_CHART_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A point in the units of the axes. NaN means that a value is missing. lo and hi are the ends of
 * the 95 % interval. fit is the value at x of the line fitted to the point's segment. preset is the
 * name of the preset with the point's window and batch if the picture marks it, else NULL.
 */
struct plot_point {
	double x, y, lo, hi, p90, p99, fit, segment;
	const char *preset;
};

/* A point of a line. NaN makes a gap in the line. */
struct spot {
	double x, y;
};

struct spots {
	struct spot *v;
	size_t n;
};

/* A shaded strip from lo to hi along x. NaN ends a part of the strip. */
struct strip {
	struct strip_edge {
		double x, lo, hi;
	} *v;
	size_t n;
};

/* How a series is drawn: only marks, marks joined by straight lines, marks on a curve, or steps. */
enum series_style { STYLE_MARKS, STYLE_JOINED, STYLE_CURVE, STYLE_STEPS };

/* A series: points of one file, sorted by x. */
struct trace {
	bool quiet;	/* the samples were measured without load; of many rows */
	size_t run;		/* index of the series' file */
	struct text label;	/* name of the series in the legend */
	const json_t *row;	/* first row of the series, borrowed; JSON null: none */
	const char *verdict;	/* the verdict of its points in a comparison; else "" */
	size_t nkeys;		/* number of bytes in the label before the verdict */
	struct plot_point *p;
	size_t n;
	/* the line y = t0 + slope x fitted to all points, s and s/B; NaN: none */
	double t0, slope;
	struct spots fit;	/* the fitted lines, with gaps between them */
	struct strip interval;	/* the interval of these lines */
	struct spots curve;	/* the curve between the points, for STYLE_CURVE */
	enum series_style style;
	size_t look;		/* index of the series' colour and mark */
	/* in a comparison: index of the colour (by keys), index of the mark (by verdict) */
	size_t hue, shape;
};

enum axis_scale { SCALE_LINEAR, SCALE_LOG, SCALE_NAMES, SCALE_NINES };

#define AXIS_VALUES 32

struct axis {
	const char *column, *unit;
	struct text words;	/* the name of the axis */
	double factor;		/* values of the column times this factor are in `unit` */
	enum axis_scale scale;	/* SCALE_NINES draws a share p at -log10(1 - p) */
	json_t *names;		/* for SCALE_NAMES: from each text to its coordinate 1, 2, ... */
	bool linear;		/* the user asked for a linear scale */
	bool whole;		/* all values are whole numbers */
	double from, to;	/* the range that the user gave; NaN: no limit at this end */
	bool has_zero;		/* a value is 0 or negative */
	bool broken; /* a logarithmic axis that shows 0 at `zero`, before a break at `gap` */
	double zero, gap;
	double lo, hi;		/* the ends of the axis; NaN: no values */
	double values[AXIS_VALUES];	/* all different values, if they are few */
	size_t nvalues;		/* number of listed values; 0: too many to list */
};

/* Returns true if a value is outside the range that the user gave. */
static inline bool axis_excludes(const struct axis *a, double value)
{
	return value < a->from || value > a->to;
}

/* A horizontal line across a panel, at a value of y. */
struct rule {
	double at;
	const char *text;	/* the option's whole value */
	const char *label;	/* label; NULL for the line at 1 of a comparison */
};

/* A shaded part of a panel: everything above the y value `from`, or everything below it. */
struct band {
	double from;
	bool above;
};

/* Limits for one panel: the number of series in a drawing, of series in text, and of bands. */
#define SERIES_MOST 6
#define SERIES_LETTERS 26
#define PANEL_BANDS 2

struct heat_map;

/* A panel: series between two axes, or a heat map. */
struct chart_panel {
	struct text title;	/* title of the panel; "": no title */
	struct axis *x, *y;	/* axes of the picture, which all its panels share */
	const struct trace *series[SERIES_LETTERS];
	size_t nseries;
	bool keyed;		/* the panel has a legend */
	/* distance between marks with the same x, as a share of the axis; or 0 */
	double aside;
	bool ringed;		/* a ring marks points of presets */
	const struct rule *rules;
	size_t nrules;
	struct band bands[PANEL_BANDS];
	size_t nbands;
	const struct heat_map *map;
	size_t group; /* number of the panel's picture; panels of a picture are placed together */
};

/*
 * The kind of a line of text: plain, a warning (LINE_ALARM), or the bold heading of the picture
 * (LINE_HEAD).
 */
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
	const char *benchmark;	/* the only benchmark in the chart; NULL: all benchmarks */
};

#endif
