/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of results: plot.c reads files and options, album.c says how many pictures they make,
 * ranks.c joins files that differ in their ranks alone, select.c selects columns and rows of one,
 * traces.c makes series of points of the rows, axis.c scales and tics, range.c ends that the user
 * gives, thin.c leaves points out, heading.c what stands above, text.c the caption, words.c columns
 * in words, frame.c lays that out and writes it, script.c the series, ratios.c what comparisons
 * have, samples.c distributions, panels.c several pictures on a page; gnuplot.c runs gnuplot.
 * heat/ has the heat maps of map.
 */
#ifndef NETBENCH_CMD_PLOT_PLOT_H
#define NETBENCH_CMD_PLOT_PLOT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "options/options.h"
#include "result/row.h"

/*
 * A point in the units of the axes; NaN: no value. lo and hi: its 95 % interval; fit: the value at
 * x of the line fitted to its segment; preset: the name of its window and batch if it is marked
 * with that, or NULL.
 */
struct plot_point {
	double x, y, lo, hi, p90, p99, fit, segment;
	const char *preset;
};

/* A straight line that was fitted to points, from the first of them to the last. */
struct piece {
	double x[2], y[2];
};

/* A series: points of one file, sorted by x. */
struct trace {
	size_t run;		/* index of its file */
	char *label;
	const char *verdict;	/* of comparisons, or "" */
	size_t nkeys;		/* bytes of the label before the verdict */
	struct plot_point *p;
	size_t n;
	double t0, slope;	/* a line y = t0 + slope x fitted to all, s and s/B; NaN: none */
	struct piece *pieces;	/* the lines fitted to them */
	size_t npieces;
};

/* Room for why a file adds nothing to a picture. */
#define PLOT_WHY 160

/* What a result is, in words that stand above a picture. */
enum plot_fact { FACT_COMMAND, FACT_BACKEND, FACT_METHOD, FACT_HOSTS, FACT_DEFINITION, NFACTS };

/* A result file, and what of it is in a picture. */
struct plot_run {
	const char *path, *label;
	json_t *doc;		/* of the album, as are the facts */
	char *facts[NFACTS];	/* "": it has none */
	size_t nmore;		/* files that were joined with it (ranks.c) */
	char *group;		/* the label if there are any, of the album; or NULL */
	const char *y;		/* the column that is drawn */
	bool computed;		/* the column is computed, not measured */
	const char *pattern;	/* the only pattern of a model that is drawn; NULL: all */
	bool halved;		/* of some rows half is drawn: of ping-pongs half a round trip */
	char why[PLOT_WHY];	/* why no point is drawn; "": some are */
	size_t nrows;		/* that --where and the benchmark select */
	size_t nmissing;	/* of these without a value to draw */
	bool missing_empty;	/* all of those are messages of 0 bytes */
	const char *note;	/* why one of those has no value; may be NULL */
	size_t nbars;		/* points that have an interval */
	double reps_min, reps_max;	/* of the points; NaN: not recorded */
};

struct tic {
	double at;
	char text[32];		/* "": a minor tic */
};

#define TICS_MAX 96

struct axis {
	const char *column, *unit;
	double factor;		/* of the unit in a value of the column */
	bool text;		/* the column's values are texts, placed at 1, 2, ... */
	const char **names;	/* these */
	size_t nnames;
	bool linear;			/* the user wants it so */
	bool whole;			/* values are whole numbers */
	double from, to;		/* the range that the user wants; NaN: none */
	bool log;
	bool broken;		/* logarithmic, with 0 placed at `zero`, before a break at `gap` */
	double zero, gap;
	double lo, hi;		/* ends of the axis; NaN: no values */
	struct tic tics[TICS_MAX];
	size_t ntics;
};

/* What a line of text is: LINE_HEAD says in large letters what the picture shows. */
enum line_kind { LINE_PLAIN, LINE_ALARM, LINE_HEAD };

struct text_line {
	char *text;
	enum line_kind kind;
	bool goes_on;		/* it is the rest of the line before */
};

struct text_lines {
	struct text_line *v;
	size_t n;
	bool failed;		/* no memory for a line (reported); it takes no more */
};

/*
 * What a picture is drawn on: gnuplot's terminal, and its size in pixels, or characters if `text`.
 */
struct canvas {
	const char *terminal;
	bool text;
	bool pages;		/* a file has room for more than one picture */
	bool fixed;		/* the user wants this size; else it may grow */
	unsigned width, height;	/* each PLOT_SIZE_MAX at most */
	double scale;		/* of letters, marks and lines */
	/* of a panel: the page that it is part of, its place there, and lines between its axes */
	unsigned page_width, page_height, left, top;
	double lines;
};

#define PLOT_SIZE_MAX 16384

/* Series that look different from one another: by letter, and by colour and mark. */
#define PLOT_LETTERS 26
#define PLOT_MARKS 40

/* The pattern of models whose half is half a round trip. */
#define PLOT_PINGPONG "ping-pong"

/* What commands of numbered benchmarks begin with; others have commands of their own, or none. */
#define PLOT_FAMILY "atlas-"
const char *plot_family(const char *benchmark);

/* What is drawn: values of rows, or samples of each: plot_kind_names has their names. */
enum plot_kind { KIND_POINTS, KIND_CDF, KIND_HISTOGRAM, KIND_TIME };
extern const char *const plot_kind_names[];

/* Of a heat map: the order of the hosts, and what is drawn of pairs that share a cell. */
enum plot_order { ORDER_NAME, ORDER_EFFECT, ORDER_CLUSTER };
enum plot_tile { TILE_WORST, TILE_MEDIAN };

struct heat;

struct picture {
	struct plot_run *runs;		/* of all files, first those that have rows for it */
	size_t nruns;			/* these */
	size_t nfiles;
	const char *heading;		/* given by the user, or NULL */
	enum plot_kind kind;
	bool single;			/* samples are single values, else those of repetitions */
	double fewest, most;		/* samples of a series */
	bool hidden;			/* some are outside the range of their axis */
	const char *x_range, *y_range;	/* "8:1MiB", or NULL */
	bool named;			/* labels name the files */
	bool labelled;			/* the user gave the labels */
	const char *const *where;	/* "name=value,..." */
	size_t nwhere;
	enum rate_unit rates;
	bool panel;			/* one of several on a page */
	const char *legend_of;		/* a panel that has the same series; NULL: it has its own */
	const char *benchmark;		/* the only one that is drawn; NULL: all */
	size_t number, of;		/* which picture of how many it is, from 1 */
	struct trace *traces;
	size_t ntraces;
	struct axis x, y;
	bool band;		/* some points have p90 */
	bool fitted;		/* some series have lines */
	bool marked;		/* some points have a preset */
	size_t noutside;	/* points outside the ranges */
	size_t room;		/* points that are drawn, about; 0: all */
	size_t nthin, nall;	/* that are drawn, of how many; 0: all are */
	enum plot_order order;	/* of the hosts in a heat map */
	enum plot_tile tile;
	struct heat *heat;	/* drawn instead of series (heat/heat.h); may be NULL */
	struct text_lines title, caption;
};

/*
 * The pictures of a command line: one, or, where a file has several benchmarks, one for each of
 * them.
 */
struct album {
	struct plot_run *files;	/* as read; has their documents */
	size_t nfiles;
	struct picture *v;
	size_t n;
};

/* ---- pictures (album.c) ---- */

/*
 * Makes the pictures of the files as `common` has it, over the columns x and y (plot_select).
 * Warns of files and benchmarks that are in none. ST_OK; ST_USAGE if there is nothing to draw,
 * ST_FAILED without memory (reported).
 */
int plot_album(struct album *a, const struct picture *common, const char *x, const char *y);

/* Frees pictures and files. */
void plot_album_free(struct album *a);

/*
 * The file of a picture of several, in *path for free(): for "out.svg" it is "out-1.3.svg". ST_OK;
 * ST_USAGE if the benchmark's name cannot be part of a file's, ST_FAILED without memory (reported).
 */
int plot_file_name(char **path, const char *output, const struct picture *pic);

/* ---- numbers of ranks (ranks.c) ---- */

/* True if a name is that of a number of summaries: "summary.b_eff_Bps". */
bool plot_is_summary(const char *column);

/*
 * Gives results the column "ranks", or makes that and a number of their summaries, if `wanted` is
 * its name, all that they have; and joins results that differ in the number of ranks alone, whose
 * label is then "FILE and 2 more" unless the user gave labels. ST_OK; ST_USAGE if a summary has no
 * such number, ST_FAILED without memory (reported).
 */
int plot_over_ranks(struct album *a, const char *wanted, bool labelled);

/* ---- columns and rows (select.c) ---- */

/*
 * Selects the columns: x and y, or if NULL what suits the commands. ST_OK, or ST_USAGE (reported)
 * if a file lacks one.
 */
int plot_select(struct picture *pic, const char *x, const char *y);

/*
 * The column that is drawn of a result if none is asked for: the usual one of its command, else the
 * first with a unit that is not a setting, else NULL.
 */
const char *plot_usual_column(const struct picture *pic, const json_t *doc);

/* Reports that a file has no such column, or none of numbers. ST_USAGE. */
int plot_no_column(const struct plot_run *run, const char *name);

/* True if a column is half a round trip, as a median of one kind or another. */
bool plot_is_half_rtt(const char *column);

/* Checks --where against the files. ST_OK, or ST_USAGE (reported). */
int plot_check_where(const struct picture *pic);

/* True if --where, the picture's benchmark and the file's pattern select a row. */
bool plot_takes(const struct picture *pic, const struct plot_run *run, const json_t *row);

/* ---- ranges (range.c) ---- */

/*
 * Reads the range that an option has given for an axis, whose column is known; NULL: none. ST_OK,
 * ST_USAGE or ST_FAILED (reported).
 */
int plot_choose_range(struct axis *a, const char *option, const char *text);

/* True if a value is outside the range that the user wants. */
bool plot_is_outside(const struct axis *a, double value);

/* ---- series (traces.c) ---- */

/*
 * Makes the series from the runs' rows, and counts in the runs what is drawn, or says why nothing
 * is. ST_OK, also without any series; ST_USAGE if no sample is within the range, ST_FAILED without
 * memory (reported).
 */
int plot_traces(struct picture *pic);

/* Notes why a file adds nothing to a picture; of what a file says controls become '?'. */
void plot_explain(struct plot_run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* True if the points of a series may be joined by lines: they are computed, over numbers. */
bool plot_is_joined(const struct picture *pic, const struct trace *trace);

/* The column with the relative error of the fit of a column: "half_rtt_s": "half_rtt_error". */
void plot_error_column(char *buf, size_t len, const char *column);

/*
 * True if lines between computed points interpolate the time linearly over the size: on logarithmic
 * scales a straight line would not be the model's. For use after plot_axes.
 */
bool plot_is_by_time(const struct picture *pic);

/* ---- axes (axis.c) ---- */

/* Scales both axes to the series, and chooses tics for which the canvas has room. */
void plot_axes(struct picture *pic, const struct canvas *c);

/* Chooses at most about so many tics for an axis with both ends, linear or logarithmic. */
void plot_scale_tics(struct axis *a, unsigned most);

/* Where a value of x is drawn: at itself, or, if it is 0 on a broken axis, before the break. */
double plot_place(const struct axis *x, double value);

/* A number with its unit, for people: "100 ns", "4 KiB", "17". */
char *plot_number(char *buf, size_t len, double value, const char *unit);

/*
 * Of more points than the picture has room for keeps those with the least, the median and
 * the greatest value in each part of the axis of x. After plot_axes. ST_OK or ST_FAILED (reported).
 */
int plot_thin(struct picture *pic);

/* ---- what is above (heading.c) ---- */

/* Finds the facts of a file. ST_OK, or ST_FAILED without memory (reported). */
int plot_find_facts(struct plot_run *run);

void plot_free_facts(struct plot_run *run);

/*
 * A file in the legend: its label, what differs from the other files unless the user gave labels,
 * and the words of its column if it is another one; for free(). NULL without memory.
 */
char *plot_legend(const struct picture *pic, const struct plot_run *run);

/* Fills in the title. ST_OK, or ST_FAILED (reported). */
int plot_heading(struct picture *pic);

/* ---- samples (samples.c) ---- */

/*
 * Chooses the columns of a picture of samples, by the column that the user wants, or NULL. ST_OK,
 * or ST_USAGE (reported) if there are no samples of it.
 */
int plot_choose_samples(struct picture *pic, const char *wanted);

/* The column that the samples are of; a sample in words, and what is drawn of all. */
const char *plot_sampled(const struct picture *pic);
void plot_name_sample(char *buf, size_t len, const struct picture *pic);
void plot_name_samples(char *buf, size_t len, const struct picture *pic);

/* True if a row has the samples that are drawn. */
bool plot_has_samples(const struct picture *pic, const json_t *row);

/* Adds a row's samples to its series, as they are. ST_OK, or ST_FAILED (reported). */
int plot_take_samples(struct picture *pic, const json_t *row, struct trace *s);

/* Makes what is drawn of all samples. ST_OK, or ST_USAGE if there is none, ST_FAILED (reported). */
int plot_shape_samples(struct picture *pic);

/* Says in the caption what they are. */
void plot_add_samples(struct picture *pic);

/* ---- comparisons (ratios.c) ---- */

/* True if the ratios of a result of compare are drawn. */
bool plot_is_ratio(const struct picture *pic);

/*
 * How a series of ratios looks, by its verdict. NULL: series differ otherwise, too, and colours are
 * by that, see plot_key_number.
 */
const char *plot_verdict_colour(const struct picture *pic, size_t trace);
int plot_verdict_mark(const struct trace *s);

/* The number, from 0, of what a series of ratios is of: those that differ in verdict share it. */
size_t plot_key_number(const struct picture *pic, size_t trace);

/* The ratio, above 1 or below, from which on --fail-if failed; NaN: never. */
double plot_limit(const struct picture *pic, bool above);

/* Writes the line at 1 and the areas beyond the limits; and says in the caption what they are. */
void plot_put_limits(FILE *to, const struct picture *pic, const struct canvas *c);
void plot_add_limits(struct picture *pic, const struct canvas *c);

/* The name of the axis, the title, and in the words of a fact what was compared. */
void plot_name_ratio(char *buf, size_t len, const struct picture *pic);
void plot_add_ratio_head(struct picture *pic);
void plot_put_compared(FILE *to, const json_t *doc);

/* ---- text (text.c) ---- */

/* Appends a text, which it owns from then on; NULL: no memory. */
void plot_push(struct text_lines *lines, char *text, enum line_kind kind);

void plot_add(struct text_lines *lines, enum line_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Arguments for "%s%s": "label: " if files are named. */
#define PLOT_OF(pic, run) (pic)->named ? (run)->label : "", (pic)->named ? ": " : ""

/* Fills in the title and the caption of the picture. ST_OK, or ST_FAILED (reported). */
int plot_texts(struct picture *pic, const struct canvas *c);

/* Says in the caption which rows are selected; adds the warnings of all runs, or counts them. */
void plot_add_selected(struct picture *pic);
void plot_add_warnings(struct picture *pic);

/* Breaks lines longer than `width` characters. ST_OK, or ST_FAILED (reported). */
int plot_wrap(struct text_lines *lines, size_t width);

void plot_free_lines(struct text_lines *lines);

/*
 * Writes a text in gnuplot's quotes, in which nothing is special; what is not UTF-8 or controls a
 * terminal becomes '?'. A text of more than `width` characters is cut and ends in "...".
 */
void plot_quote(FILE *to, const char *text, size_t width);

/* True if plot_quote leaves no character out. */
bool plot_is_printable(const char *text);

/* Characters of a text. */
size_t plot_width(const char *text);

/* ---- what is around the series (frame.c) ---- */

/* Distances from the edges, in pixels or rows. */
struct layout {
	double line;			/* a line of text */
	size_t columns;			/* of a line */
	size_t key_rows, key_width;	/* rows of the legend, characters of an entry */
	double top, key, bottom;	/* the plot, the legend, the plot */
};

/* Gives each of title, legend, name of y, plot, tics, name of x and caption its lines. */
void plot_layout(struct layout *l, const struct picture *pic, const struct canvas *c);

/* The least width in pixels of a picture with a legend that is not cut. */
double plot_legend_width(const struct picture *pic, const struct canvas *c);

/* Breaks title and caption into lines. ST_OK, or ST_FAILED (reported). */
int plot_break_texts(struct picture *pic, const struct canvas *c);

/* Leaves text of the caption out of a small picture that lacks so many lines, and says so. */
void plot_shorten_caption(struct picture *pic, const struct canvas *c, double lacking);

/* Breaks the texts and makes room for them; grows the canvas if it may. Status as plot_lay_out. */
int plot_make_room(struct picture *pic, struct canvas *c);

/* Writes title and caption. */
void plot_put_texts(FILE *to, const struct picture *pic, const struct canvas *c);

/*
 * False of a single series of a single file, but for ratios, and of a panel with the series of
 * another.
 */
bool plot_has_legend(const struct picture *pic);

/*
 * Scales the axes, writes the texts and finds room for both. The canvas grows if it may. ST_OK,
 * ST_USAGE if there is no room for the picture, ST_FAILED (reported).
 */
int plot_lay_out(struct picture *pic, struct canvas *c);

/*
 * Begins a script; `path`: the file that gnuplot is to write, NULL for its standard output. What
 * pictures follow go there.
 */
void plot_terminal(FILE *to, const struct canvas *c, const char *path);

/* Writes all but the series of a picture that was laid out. */
void plot_frame(FILE *to, const struct picture *pic, const struct canvas *c,
		const struct layout *l);

/* ---- gnuplot (script.c, gnuplot.c) ---- */

/*
 * Writes script and data of a picture that was laid out; after "reset", if another came before.
 * ST_OK or ST_FAILED (reported).
 */
int plot_script(FILE *to, const struct picture *pic, const struct canvas *c);

/* ---- small multiples (panels.c) ---- */

/* The pictures of an album on one page; `whole` has its title and caption, `at` their places. */
struct plot_panels {
	struct picture whole;
	struct canvas page, *at;
	size_t columns;
};

/*
 * Lays out the pictures of an album on a page, which grows if it may, for plot_panels_free. Status
 * as plot_lay_out.
 */
int plot_panels(struct plot_panels *p, struct album *a, const struct picture *common,
		const struct canvas *c);

void plot_panels_free(struct plot_panels *p);

/* Writes their script. ST_OK or ST_FAILED (reported). */
int plot_panels_script(FILE *to, const struct plot_panels *p, const struct picture *pics, size_t n);

/*
 * Runs gnuplot with a script on its standard input, for most_s seconds at most; 0: for ever. Its
 * output is in *out, for free(). ST_OK, ST_UNAVAILABLE if it is not installed or lacks the
 * terminal, ST_FAILED if it fails or takes longer (reported).
 */
int plot_gnuplot(const char *script, size_t len, const struct canvas *c, double most_s, char **out,
		 size_t *nout);

#endif
