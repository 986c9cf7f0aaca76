/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data behind charts.
 * album.c decides how many pictures files make.
 * ranks.c joins files that differ only in their ranks.
 * select.c selects columns and rows.
 * traces.c makes series from rows.
 * samples.c makes series from the values that '--samples' kept.
 * points.c adds points and thins them out.
 * ratios.c draws comparisons.
 * axes.c scales axes.
 * heading.c writes the text above a chart, caption.c the text below.
 * words.c names columns in plain words.
 * compose.c makes panels.
 */
#ifndef NETBENCH_SHOW_CHART_PICTURE_H
#define NETBENCH_SHOW_CHART_PICTURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"
#include "show/chart/chart.h"

/* What is drawn: one value per row, or the samples of each row in one of three forms. */
enum plot_kind { KIND_POINTS, KIND_CDF, KIND_HISTOGRAM, KIND_TIME };

/*
 * Choices for a heat map: the order of hosts, and the value of a cell that stands for several
 * pairs.
 */
enum plot_order { ORDER_NAME, ORDER_EFFECT, ORDER_CLUSTER };
enum plot_tile { TILE_WORST, TILE_MEDIAN };

/* A request to draw files. Members that are NULL or 0 are chosen automatically. */
struct chart_request {
	const char *heading;		/* the heading that the user gave */
	enum plot_kind kind;
	const char *x, *column;		/* names of the columns of x and y */
	const char *x_range, *y_range;	/* ranges of the axes, such as "8:1MiB" */
	bool linear_x, linear_y;
	const char *const *where;	/* conditions of the form "name=value,..." */
	size_t nwhere;
	const char *const *lines;	/* values of --line, such as "100Gbit/s=of the link" */
	size_t nlines;
	enum rate_unit rates;
	enum plot_order order;
	enum plot_tile tile;
	bool named;			/* labels name the files */
	bool labelled;			/* the user gave these labels */
	size_t cells_most;		/* limit of cells in a row of a heat map */
	size_t points_most;		/* approximate limit of points in a picture; 0: no limit */
	bool text;			/* the picture is drawn with characters */
	bool apart;			/* each benchmark has its own chart */
	/* Returns a short description of a command; NULL: unknown. */
	const char *(*summary_of)(const char *command);
};

/* Size of the buffer for the reason why a file adds nothing to a picture. */
#define PLOT_WHY 160

/* Facts about a result that are written above a picture. */
enum plot_fact { FACT_COMMAND, FACT_BACKEND, FACT_METHOD, FACT_HOSTS, FACT_DEFINITION, NFACTS };

/* A result file in a picture, and which parts of it are drawn. */
struct plot_run {
	const char *path, *label;
	json_t *doc;		/* the document; the album owns it and `facts` */
	struct text *facts;	/* the NFACTS facts; "": unknown */
	size_t nmore;		/* number of files joined with this one (ranks.c) */
	struct text group;	/* the label if other files were joined with this file */
	const char *y;		/* the column drawn as y over x */
	bool computed;		/* the column is computed, not measured */
	const char *pattern;	/* the only pattern of a model that is drawn; NULL: all */
	bool halved;		/* times of ping-pongs are halved, to show half a round trip */
	char why[PLOT_WHY];	/* why no point of the file is drawn; "": some are drawn */
	size_t nrows;		/* number of rows that --where and the benchmark select */
	size_t nmissing;	/* number of these rows without a value */
	bool missing_empty;	/* all rows without a value are about messages of 0 bytes */
	const char *note;	/* why one of the rows without a value has none; may be NULL */
	size_t nbars;		/* number of points with an interval */
	/* least and largest number of repetitions per point; NaN: not recorded */
	double reps_min, reps_max;
	struct text legend;	/* the beginning of the file's labels in a picture; or "" */
	unsigned keys; /* set of keys that distinguish the file's rows, as bits (traces.c) */
	bool presets;		/* labels name presets of windows and batches */
};

/* The pattern of models whose time is a whole round trip. */
#define PLOT_PINGPONG "ping-pong"

struct heat;

struct picture {
	const struct chart_request *ask;
	struct plot_run *runs;		/* all files; files with rows for the picture come first */
	size_t nruns;			/* number of files with rows */
	size_t nfiles;
	bool single;			/* samples are single values; false: times of repetitions */
	double fewest, most;		/* least and largest number of samples of a series */
	bool hidden;			/* some samples are outside the range of the axis */
	const char *benchmark;		/* the only benchmark in the picture; NULL: all */
	size_t number, of;		/* number of this picture, from 1, and of all pictures */
	struct trace *traces;
	size_t ntraces;
	struct axis x, y;
	struct rule *rules;		/* lines of --line that fit the y axis */
	size_t nrules;
	bool band;		/* some points have a 90th percentile */
	bool fitted;		/* some series have fitted lines */
	bool marked;		/* some points are marked as presets */
	bool aside;		/* some marks are moved aside from their x */
	size_t noutside;	/* number of points outside the ranges */
	size_t nthin, nall;	/* numbers of points after and before thinning; 0: not thinned */
	/* the heat map drawn instead of series (heat/heat.h); may be NULL */
	struct heat *heat;
	struct text_lines caption;
};

/*
 * The pictures of files, and their charts. If a file has several benchmarks, there is a picture for
 * each. Otherwise all files share one picture.
 */
struct album {
	struct plot_run *files;	/* the files as read; the album owns their documents */
	size_t nfiles;
	bool alike;		/* two files have the same base name */
	/* an object whose keys are the benchmarks of the rows, in their order */
	json_t *benchmarks;
	struct picture *v;
	size_t n;
	struct chart *charts;
	size_t ncharts;
};

/* Arguments for "%s%s": the label and ": " if labels name the files, else two empty texts. */
#define PLOT_OF(pic, run) \
	(pic)->ask->named ? (run)->label : "", (pic)->ask->named ? ": " : ""

#endif
