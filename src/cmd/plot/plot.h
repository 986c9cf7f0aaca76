/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of results: plot.c reads files and options, plot_choose.c chooses what is drawn over what, plot_traces.c
 * makes series of points of the rows, plot_axis.c scales and tics, plot_text.c title and caption, plot_script.c the
 * script for gnuplot, plot_gnuplot.c runs it.
 */
#ifndef NETBENCH_CMD_PLOT_PLOT_H
#define NETBENCH_CMD_PLOT_PLOT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "options/options.h"

/*
 * A point in SI units; NaN where there is no value. lo and hi: its 95 % interval; fit: what the line that was fitted to
 * its segment says in its place.
 */
struct point {
	double x, y, lo, hi, p50, p90, p99, fit, segment;
};

/* A straight line that was fitted to points, from the first of them to the last. */
struct piece {
	double x[2], y[2];
};

/* Points of one file that belong together, by rising x. */
struct trace {
	size_t run;		/* index of its file */
	char *label;
	struct point *p;
	size_t n;
	double t0, slope;	/* a line y = t0 + slope x fitted to all of them, s and s/B; NaN: none */
	struct piece *pieces;	/* the lines fitted to them */
	size_t npieces;
};

/* A file. */
struct run {
	const char *path, *label;
	json_t *doc;
	const char *y;		/* its column that is drawn */
	bool computed;		/* what is drawn of it */
	size_t nrows;		/* that --where leaves */
	size_t nmissing;	/* of these without a value to draw */
	bool missing_empty;	/* all of those are messages of 0 bytes */
	const char *note;	/* why one of those has no value; NULL: not said */
	size_t nbars;		/* points that have an interval */
	double reps_min, reps_max;	/* of the points; NaN: not recorded */
};

struct tic {
	double at;
	char text[32];		/* "": a small one */
};

#define TICS_MAX 96

struct axis {
	const char *column, *unit;
	bool text;		/* the column's values are texts, which stand at 1, 2, ... */
	const char **names;	/* these */
	size_t nnames;
	bool log;
	bool broken;		/* logarithmic, and value 0 stands at `zero`, before a break at `gap` */
	double zero, gap;
	double lo, hi;		/* the axis; before axis_scale of positive values only, NaN without any */
	struct tic tics[TICS_MAX];
	size_t ntics;
};

/* A line of text; alarm: it says that something is wrong. */
struct line {
	char *text;
	bool alarm;
};

struct lines {
	struct line *v;
	size_t n;
};

/* What a picture is drawn on: gnuplot's terminal, and its size in pixels, or characters if `text`. */
struct canvas {
	const char *terminal;
	bool text;
	bool fixed;		/* the user wants this size; else it may grow */
	unsigned width, height;	/* each PLOT_SIZE_MAX at most */
};

#define PLOT_SIZE_MAX 16384

struct picture {
	struct run *runs;
	size_t nruns;
	bool named;			/* it says of what it shows which file that is of */
	const char *const *where;	/* "name=value,..." */
	size_t nwhere;
	const char *pattern;		/* of the patterns of models only this; NULL: all */
	struct trace *traces;
	size_t ntraces;
	struct axis x, y;
	bool band;		/* some points have p50 and p90 */
	bool fitted;		/* some series have lines */
	struct lines title, caption;
};

/* ---- choosing (plot_choose.c) ---- */

/*
 * Chooses the columns: those asked for (NULL: what suits the commands), checked against all files. ST_OK, or ST_USAGE
 * (reported).
 */
int plot_choose(struct picture *pic, const char *x, const char *y);

/* Checks --where against the files. ST_OK, or ST_USAGE (reported). */
int plot_check_where(const struct picture *pic);

/* True of a row that --where leaves. */
bool plot_takes(const struct picture *pic, const json_t *row);

/* ---- series (plot_traces.c) ---- */

/*
 * Makes the series out of the runs' rows, and what the runs say of them. ST_OK; ST_USAGE if nothing is left to be
 * drawn, ST_FAILED without memory (reported).
 */
int plot_traces(struct picture *pic);

/* A column's value of a row; NaN if it has none. */
double plot_value(const json_t *row, const char *column);

/* True if lines may go through a series: it is computed, and over numbers. */
bool plot_is_joined(const struct picture *pic, const struct trace *trace);

/* A column's name with a part put in before the unit: "half_rtt_s", "lo": "half_rtt_lo_s". */
void plot_column(char *buf, size_t len, const char *column, const char *part);

/* The column with the relative error of what was fitted to a column: "half_rtt_s": "half_rtt_error". */
void plot_error_column(char *buf, size_t len, const char *column);

/*
 * True if lines between computed points go by the time, which is interpolated linearly over the size: a straight line
 * between two points on logarithmic scales is not what any model says. Once the axes are scaled.
 */
bool plot_is_by_time(const struct picture *pic);

/* ---- axes (plot_axis.c) ---- */

/* Scales both axes to the series, and chooses tics that have room on so many pixels (or, if text, characters). */
void plot_axes(struct picture *pic, const struct canvas *c);

/* Where a value of x stands: itself, or, if it is 0 on a broken axis, before the break. */
double plot_place(const struct axis *x, double value);

/* A number with its unit, for people: "100 ns", "4 KiB", "17". */
char *plot_number(char *buf, size_t len, double value, const char *unit);

/* ---- text (plot_text.c) ---- */

/* Writes what stands above and below the picture into its title and caption. ST_OK, or ST_FAILED (reported). */
int plot_texts(struct picture *pic, const struct canvas *c);

/* Breaks lines that have more than `width` characters. ST_OK, or ST_FAILED (reported). */
int plot_wrap(struct lines *lines, size_t width);

void plot_free_lines(struct lines *lines);

/*
 * A text in gnuplot's quotes, in which nothing means anything to it; what is no UTF-8 or controls a terminal becomes
 * '?'. Of more than `width` characters the rest becomes "...".
 */
void plot_quote(FILE *to, const char *text, size_t width);

/* True if plot_quote leaves no character out. */
bool plot_is_printable(const char *text);

/* Characters of a text. */
size_t plot_width(const char *text);

/* ---- gnuplot (plot_script.c, plot_gnuplot.c) ---- */

/*
 * Writes the script with its data; `path`: the file that it is to write, NULL for its standard output. The canvas grows
 * if it may. ST_OK, ST_USAGE if there is no room for the picture, ST_FAILED (reported).
 */
int plot_script(FILE *to, struct picture *pic, struct canvas *c, const char *path);

/*
 * Runs gnuplot with a script on its standard input. What it draws is in *out, to be freed. ST_OK, ST_UNAVAILABLE if it
 * is not installed or lacks the terminal, ST_FAILED if it fails (reported).
 */
int plot_gnuplot(const char *script, size_t len, const struct canvas *c, char **out, size_t *nout);

#endif
