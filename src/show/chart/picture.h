/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What charts are made of: album.c says how many pictures files make, ranks.c joins files that
 * differ in their ranks alone, select.c selects columns and rows of a picture, traces.c makes
 * series of the rows, samples.c of what '--samples' kept, points.c adds and thins points, ratios.c
 * is of comparisons, axes.c of scales, heading.c has the text above, caption.c the text below,
 * words.c columns in words; compose.c makes panels of pictures.
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

/* Of a heat map: the order of the hosts, and what is drawn of pairs that share a cell. */
enum plot_order { ORDER_NAME, ORDER_EFFECT, ORDER_CLUSTER };
enum plot_tile { TILE_WORST, TILE_MEDIAN };

/* What is to be drawn of files. Members that are NULL or 0: what suits. */
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
	size_t cells_most;		/* of a row of a heat map */
	size_t points_most;		/* of a picture, about; 0: all are drawn */
	bool text;			/* it is drawn with characters */
	bool apart;			/* benchmarks have charts of their own */
	/* What a command is, in words; NULL: unknown. */
	const char *(*summary_of)(const char *command);
};

/* Room for why a file adds nothing to a picture. */
#define PLOT_WHY 160

/* What a result is, in words that stand above a picture. */
enum plot_fact { FACT_COMMAND, FACT_BACKEND, FACT_METHOD, FACT_HOSTS, FACT_DEFINITION, NFACTS };

/* A result file, and what of it is in a picture. */
struct plot_run {
	const char *path, *label;
	json_t *doc;		/* of the album, as are the facts */
	struct text *facts;	/* NFACTS; "": it has none */
	size_t nmore;		/* files that were joined with it (ranks.c) */
	struct text group;	/* the label if there are any */
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
	struct text legend;	/* what its labels in a picture begin with; or "" */
	unsigned keys;		/* that distinguish its rows, as bits (traces.c) */
	bool presets;		/* labels name presets of windows and batches */
};

/* The pattern of models whose half is half a round trip. */
#define PLOT_PINGPONG "ping-pong"

struct heat;

struct picture {
	const struct chart_request *ask;
	struct plot_run *runs;		/* of all files, first those that have rows for it */
	size_t nruns;			/* these */
	size_t nfiles;
	bool single;			/* samples are single values, else those of repetitions */
	double fewest, most;		/* samples of a series */
	bool hidden;			/* some are outside the range of their axis */
	const char *benchmark;		/* the only one that is drawn; NULL: all */
	size_t number, of;		/* which picture of how many it is, from 1 */
	struct trace *traces;
	size_t ntraces;
	struct axis x, y;
	struct rule *rules;		/* that --line gives and its axis of y fits */
	size_t nrules;
	bool band;		/* some points have p90 */
	bool fitted;		/* some series have lines */
	bool marked;		/* some points have a preset */
	bool aside;		/* some marks stand beside their x */
	size_t noutside;	/* points outside the ranges */
	size_t nthin, nall;	/* points that are drawn, of how many; 0: all are */
	struct heat *heat;	/* drawn instead of series (heat/heat.h); may be NULL */
	struct text_lines caption;
};

/*
 * The pictures of files: one, or, where a file has several benchmarks, one for each of them; and
 * the charts that they make.
 */
struct album {
	struct plot_run *files;	/* as read; has their documents */
	size_t nfiles;
	bool alike;		/* two have the same name without directories */
	json_t *benchmarks;	/* names of those that rows are of, as keys, in their order */
	struct picture *v;
	size_t n;
	struct chart *charts;
	size_t ncharts;
};

/* Arguments for "%s%s": "label: " if files are named. */
#define PLOT_OF(pic, run) \
	(pic)->ask->named ? (run)->label : "", (pic)->ask->named ? ": " : ""

#endif
