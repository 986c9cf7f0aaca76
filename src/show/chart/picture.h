/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data behind charts. album.c decides how many pictures files make. ranks.c joins files that
 * differ only in their ranks. select.c selects columns and rows. traces.c makes series of the rows,
 * samples.c of the values that '--samples' kept. points.c adds and thins points. ratios.c draws
 * comparisons. axes.c scales axes. heading.c writes the text above, caption.c the text below.
 * words.c has columns in words. compose.c makes panels.
 */
#ifndef NETBENCH_SHOW_CHART_PICTURE_H
#define NETBENCH_SHOW_CHART_PICTURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"
#include "show/chart/chart.h"

/* What is drawn: values of rows, or samples of each. */
enum plot_kind { KIND_POINTS, KIND_CDF, KIND_HISTOGRAM, KIND_TIME };

/* A heat map's order of hosts, and its value for pairs that share a cell. */
enum plot_order { ORDER_NAME, ORDER_EFFECT, ORDER_CLUSTER };
enum plot_tile { TILE_WORST, TILE_MEDIAN };

/* A request to draw files. For a member that is NULL or 0 the chart chooses. */
struct chart_request {
	const char *heading;		/* given by the user */
	enum plot_kind kind;
	const char *x, *column;		/* names of columns */
	const char *x_range, *y_range;	/* "8:1MiB" */
	bool linear_x, linear_y;
	const char *const *where;	/* "name=value,..." */
	size_t nwhere;
	const char *const *lines;	/* "100Gbit/s=of the link" */
	size_t nlines;
	enum rate_unit rates;
	enum plot_order order;
	enum plot_tile tile;
	bool named;			/* labels name the files */
	bool labelled;			/* the user gave the labels */
	size_t cells_most;		/* the most cells of a row of a heat map */
	size_t points_most;		/* about the most points of a picture; 0: no limit */
	bool text;			/* drawn with characters */
	bool apart;			/* each benchmark has its own chart */
	/* Returns a few words about a command; NULL: unknown. */
	const char *(*summary_of)(const char *command);
};

/* Room for the reason why a file adds nothing to a picture. */
#define PLOT_WHY 160

/* Facts about a result that stand above a picture. */
enum plot_fact { FACT_COMMAND, FACT_BACKEND, FACT_METHOD, FACT_HOSTS, FACT_DEFINITION, NFACTS };

/* A result file, and its part in a picture. */
struct plot_run {
	const char *path, *label;
	json_t *doc;		/* the album owns it, and the facts */
	struct text *facts;	/* NFACTS texts; "": unknown */
	size_t nmore;		/* files that were joined with it (ranks.c) */
	struct text group;	/* the label if other files were joined with it */
	const char *y;		/* the column that is drawn */
	bool computed;		/* the column is computed, not measured */
	const char *pattern;	/* the only pattern of a model in the picture; NULL: all */
	bool halved;		/* half the value of ping-pongs is drawn, half a round trip */
	char why[PLOT_WHY];	/* why no point is drawn; "": some points are */
	size_t nrows;		/* rows that --where and the benchmark select */
	size_t nmissing;	/* those rows without a value to draw */
	bool missing_empty;	/* all rows without a value are messages of 0 bytes */
	const char *note;	/* why one of them has no value; may be NULL */
	size_t nbars;		/* points that have an interval */
	double reps_min, reps_max;	/* of the points; NaN: not recorded */
	struct text legend;	/* what its labels in a picture begin with; or "" */
	unsigned keys;		/* keys that distinguish its rows, as bits (traces.c) */
	bool presets;		/* labels name presets of windows and batches */
};

/* The pattern of models whose time is twice half a round trip. */
#define PLOT_PINGPONG "ping-pong"

struct heat;

struct picture {
	const struct chart_request *ask;
	struct plot_run *runs;		/* all files; files with rows for the picture come first */
	size_t nruns;			/* files with rows */
	size_t nfiles;
	bool single;			/* samples are single values, else times of repetitions */
	double fewest, most;		/* of the samples of a series */
	bool hidden;			/* some samples are outside the range of their axis */
	const char *benchmark;		/* the only one in the picture; NULL: all */
	size_t number, of;		/* its number, from 1, and the number of pictures */
	struct trace *traces;
	size_t ntraces;
	struct axis x, y;
	struct rule *rules;		/* lines of --line that fit its axis of y */
	size_t nrules;
	bool band;		/* some points have p90 */
	bool fitted;		/* some series have lines */
	bool marked;		/* some points have a preset */
	bool aside;		/* some marks stand beside their x */
	size_t noutside;	/* points outside the ranges */
	size_t nthin, nall;	/* points after and before thinning; 0: not thinned */
	struct heat *heat;	/* drawn instead of series (heat/heat.h); may be NULL */
	struct text_lines caption;
};

/*
 * The pictures of files, and their charts. If a file has several benchmarks, each benchmark has a
 * picture; else all files share a single picture.
 */
struct album {
	struct plot_run *files;	/* as read; owns their documents */
	size_t nfiles;
	bool alike;		/* two paths have the same name without directories */
	json_t *benchmarks;	/* the benchmarks of the rows, as keys, in their order */
	struct picture *v;
	size_t n;
	struct chart *charts;
	size_t ncharts;
};

/* Arguments for "%s%s": "label: " if labels name the files. */
#define PLOT_OF(pic, run) \
	(pic)->ask->named ? (run)->label : "", (pic)->ask->named ? ": " : ""

#endif
