/* SPDX-License-Identifier: Apache-2.0 */
/* The command plot: draws pictures of results with gnuplot. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "options/files.h"
#include "result/columns.h"
#include "result/out.h"
#include "result/reader.h"
#include "show/chart/album.h"
#include "show/chart/heat/heat.h"
#include "show/chart/ranks.h"
#include "show/gnuplot/quote.h"
#include "show/gnuplot/run.h"
#include "show/gnuplot/script.h"

struct plot_options {
	const char *output, *x, *column, *size, *x_range, *y_range;
	double timeout;
	uint64_t rate_unit, linear, kind, order, tile;
	const char *title;
	struct texts where, labels, lines;
	struct numbers sizes;
	bool term, script, separate, overwrite;
};

#define AT(member) offsetof(struct plot_options, member)

static const char *const kind_names[] = { "points", "cdf", "histogram", "time", NULL };

/* Names of the sets of linear axes. The index is a mask: bit 0 for x, bit 1 for y. */
static const char *const linear_names[] = { "none", "x", "y", "xy", NULL };

static const char *const order_names[] = { "name", "effect", "cluster", NULL };
static const char *const tile_names[] = { "worst", "median", NULL };

static const struct opt options[] = {
	{ 'o', "output", "file", OPT_TEXT, AT(output),
	  .file = OPT_WRITTEN,
	  .help = "draw into this file: .svg, .png or .pdf" },
	{ 0, "term", NULL, OPT_FLAG, AT(term),
	  .help = "draw with characters on standard output; this is the default without "
		  "'--output'" },
	{ 0, "column", "name", OPT_TEXT, AT(column),
	  .help = "the column to draw, or summary.NAME; default: the command's main column" },
	{ 0, "kind", "kind", OPT_CHOICE, AT(kind), .def = "points", .choices = kind_names,
	  .help = "what to draw: points (the values of rows), or from samples (see '--samples') "
		  "cdf (their distribution), histogram, or time (in order of repetition)" },
	{ 0, "x", "name", OPT_TEXT, AT(x),
	  .help = "the column of the x axis, or the ranks or time of whole results; default: the "
		  "column that was swept" },
	{ 0, "where", "name=value,...", OPT_TEXTS, AT(where),
	  .help = "only rows whose column has one of these values; may be given several times" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .min = 0, .max = 1 << 30,
	  .help = "only rows of these message sizes: 0,64,4k or 1k:64k:*2" },
	{ 0, "title", "text", OPT_TEXT, AT(title),
	  .help = "title of the picture, instead of the default one" },
	{ 0, "label", "text", OPT_TEXTS, AT(labels),
	  .help = "name of a file in the picture; give it once for each file, in order" },
	{ 0, "rate-unit", "unit", OPT_CHOICE, AT(rate_unit), .def = "byte",
	  .choices = rate_unit_names, .help = "bandwidths: byte (B/s) or bit (bit/s)" },
	{ 0, "linear", "axes", OPT_CHOICE, AT(linear), .def = "none", .choices = linear_names,
	  .help = "axes that are always linear; the others are logarithmic if that suits their "
		  "values" },
	{ 0, "x-range", "A:B", OPT_TEXT, AT(x_range),
	  .help = "range of the x axis, such as 8:1MiB; either end may be left out" },
	{ 0, "y-range", "A:B", OPT_TEXT, AT(y_range),
	  .help = "range of the y axis, such as 1us:1ms" },
	{ 0, "line", "value", OPT_TEXTS, AT(lines),
	  .help = "draw a line at this value of y, with or without a label: 100Gbit/s, "
		  "12GB/s=link; may be given several times" },
	{ 0, "order", "order", OPT_CHOICE, AT(order), .def = "name", .choices = order_names,
	  .help = "order of hosts in the heat map of a result of map: by name; effect: the "
		  "slowest first; cluster: similar hosts side by side" },
	{ 0, "tile", "what", OPT_CHOICE, AT(tile), .def = "worst", .choices = tile_names,
	  .help = "value of a cell of a heat map that several pairs share: their worst or their "
		  "median" },
	{ 0, "size", "WxH", OPT_TEXT, AT(size),
	  .help = "width and height, in pixels (1/96 inch in .pdf) or characters" },
	{ 0, "separate", NULL, OPT_FLAG, AT(separate),
	  .help = "draw each benchmark of a result into its own file; in .pdf onto its own page" },
	{ 0, "timeout", "time", OPT_SECONDS, AT(timeout), .def = "60s",
	  .help = "time limit of gnuplot; 0: no limit" },
	{ 0, "script", NULL, OPT_FLAG, AT(script),
	  .help = "print the script for gnuplot, with its data, instead of running gnuplot" },
	OUT_OVERWRITE_OPTION(AT(overwrite)),
	{ 0 },
};

/*
 * The formats of files and their suffixes. If `pages`, a file of the format can hold several
 * pictures.
 */
static const struct {
	const char *suffix, *terminal;
	bool pages;
} formats[] = { { ".svg", "svg", false }, { ".png", "pngcairo", false },
		{ ".pdf", "pdfcairo", true } };

/* Smallest width and height of --size, in pixels and in characters. */
static const unsigned least_pixels[2] = { 200, 150 }, least_characters[2] = { 40, 12 };

/* ---- canvas ---- */

/* Parses a size such as "960x600". Returns ST_OK or ST_USAGE (reported). */
static int parse_canvas_size(const char *size, struct canvas *c)
{
	const unsigned *min = c->text ? least_characters : least_pixels;
	const char *at = size;
	uint64_t w, h;

	if (scan_whole(&at, false, &w) || *at++ != 'x' || scan_whole(&at, false, &h) || *at)
		return error_usage("size '%s' is not WxH, such as 960x600", size);
	if (w < min[0] || h < min[1] || w > CANVAS_MOST || h > CANVAS_MOST)
		return error_usage("size '%s' is not between %ux%u and %ux%u", size, min[0],
				   min[1], CANVAS_MOST, CANVAS_MOST);
	c->width = (unsigned)w;
	c->height = (unsigned)h;
	c->fixed = true;
	c->scale = fmax(0.75, fmin(c->width / 960.0, c->height / 540.0));
	return ST_OK;
}

static int choose_canvas(const struct settings *st, struct canvas *c)
{
	const struct plot_options *o = st->own;
	const char *suffix = o->output ? strrchr(o->output, '.') : NULL;
	int err = settings_exclude(st, "term", "output");
	struct winsize w;

	if (err)
		return err;
	*c = (struct canvas){ .terminal = "dumb", .text = true, .pages = true,
			      .scale = 1, .prefix = "",
			      .width = CANVAS_COLUMNS, .height = CANVAS_ROWS };
	if (o->output) {
		*c = (struct canvas){ .width = CANVAS_WIDTH, .height = CANVAS_HEIGHT, .scale = 1,
				      .prefix = "" };
	} else if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= least_characters[0] &&
		   w.ws_row > least_characters[1]) {
		c->width = w.ws_col;
		c->height = w.ws_row - 1u;	/* the last line is for the prompt */
	}
	for (size_t i = 0; i < LENGTH(formats) && suffix; i++) {
		if (strcmp(formats[i].suffix, suffix) != 0)
			continue;
		c->terminal = formats[i].terminal;
		c->pages = formats[i].pages;
	}
	if (!c->terminal)
		return error_usage("no format for output file '%s': must end in .svg, .png or .pdf",
				   o->output);
	if (o->output && o->script && !quote_keeps_all(o->output))
		return error_usage(
			"the name of output file '%s' cannot be written into a script",
			o->output);
	return o->size ? parse_canvas_size(o->size, c) : ST_OK;
}

/* ---- files ---- */

/*
 * Returns whether the files are sorted, by bytes or by letters. If so, a shell may have expanded a
 * pattern to them.
 */
static bool may_be_shell_expanded(const struct album *a)
{
	bool bytes = true, letters = true;

	for (size_t i = 1; i < a->nfiles; i++) {
		bytes &= strcmp(a->files[i - 1].path, a->files[i].path) <= 0;
		letters &= strcasecmp(a->files[i - 1].path, a->files[i].path) <= 0;
	}
	return bytes || letters;
}

static int compare_names(const void *a, const void *b)
{
	const struct plot_run *p = a, *q = b;

	return strverscmp(p->path, q->path);
}

static int read_files(const struct plot_options *o, struct album *a, int n, char **paths)
{
	json_t *doc;

	for (int i = 0; i < n; i++) {
		int err = result_read(paths[i], &doc);
		if (err)
			return err;
		album_add(a, paths[i], doc);
	}
	for (size_t i = 0; i < o->labels.n; i++)
		a->files[i].label = o->labels.v[i];
	if (!o->labels.n && may_be_shell_expanded(a))	/* natural order: node2 before node10 */
		qsort(a->files, a->nfiles, sizeof(*a->files), compare_names);
	return ST_OK;
}

/* ---- drawing ---- */

/* A sheet: consecutive charts that gnuplot draws in one run. */
struct sheet {
	struct chart *first;
	size_t n;
	char *path;		/* path of the sheet's file; NULL: standard output */
	char *drawn;
	size_t drawn_len;
};

/*
 * Sets the path of a sheet's file: "out.svg", or "out-1.3.svg" if each chart has its own file.
 * Refuses a file that plot reads, and an existing file that must not be replaced. Returns ST_OK or
 * an error (reported).
 */
static int name_sheet(struct sheet *s, const struct plot_options *o, bool whole, char **paths,
		      int npaths)
{
	static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	const char *suffix = o->output ? strrchr(o->output, '.') : "";
	const char *benchmark = whole ? "" : s->first->benchmark;
	int err = ST_OK;

	if (!o->output)
		return ST_OK;
	if (benchmark[strspn(benchmark, usual)])
		return error_usage("benchmark '%s' cannot be part of a file's name: draw into .pdf",
				   benchmark);
	if (asprintf(&s->path, "%.*s%s%s%s", (int)(suffix - o->output), o->output,
		     whole ? "" : "-", benchmark, suffix) < 0)
		s->path = memory_or_exit(NULL);
	if (!whole)
		err = files_check_written("output", s->path, paths, npaths);
	return err || o->script ? err : out_check_file(s->path, out_advice(o->overwrite));
}

/* Writes the picture of a sheet to its file, or prints it. Returns ST_OK or an error (reported). */
static int write_sheet(const struct sheet *s, bool overwrite)
{
	size_t i = 0;

	if (s->path)
		return out_write_file(s->path, s->drawn, s->drawn_len, out_advice(overwrite));
	/* an empty line replaces gnuplot's form feed between pictures */
	while (i < s->drawn_len && (s->drawn[i] == '\f' || s->drawn[i] == '\n'))
		i++;
	for (; i < s->drawn_len; i++)
		putchar(s->drawn[i] == '\f' ? '\n' : s->drawn[i]);
	return ST_OK;
}

/*
 * Writes the script of a sheet. Then has gnuplot draw it or, with --script, prints the script.
 * Returns ST_OK or an error (reported).
 */
static int draw_sheet(struct sheet *s, const struct plot_options *o, struct canvas c)
{
	size_t len;
	char *script;
	int err = script_write(s->first, s->n, &c, o->script ? s->path : NULL, &script, &len);

	if (err)
		return err;
	if (o->script)
		fwrite(script, 1, len, stdout);
	else
		err = gnuplot_run(script, len, &c, o->timeout, &s->drawn, &s->drawn_len);
	free(script);
	return err;
}

/*
 * Draws all charts on one sheet, or, if the format has no pages, one sheet for each chart. Returns
 * ST_OK or an error (reported).
 */
static int draw_sheets(const struct plot_options *o, const struct album *a, const struct canvas *c,
		char **paths, int npaths)
{
	size_t n = c->pages ? 1 : a->ncharts;
	struct sheet *sheets = memory_new(n, sizeof(*sheets));
	int err = ST_OK;

	for (size_t i = 0; i < n && !err; i++) {
		sheets[i].first = &a->charts[i];
		sheets[i].n = a->ncharts / n;
		err = name_sheet(&sheets[i], o, n == 1, paths, npaths);
	}
	for (size_t i = 0; i < n && !err; i++)
		err = draw_sheet(&sheets[i], o, *c);
	/* files are written only if all sheets could be drawn */
	for (size_t i = 0; i < n && !err && !o->script; i++) {
		err = write_sheet(&sheets[i], o->overwrite);
		if (n > 1 && !err)
			puts(sheets[i].path);
	}
	for (size_t i = 0; i < n; i++) {
		free(sheets[i].path);
		free(sheets[i].drawn);
	}
	free(sheets);
	return err;
}

/*
 * Collects the conditions of --where and a condition for --sizes in `where`. Sets *sizes to the
 * text of the condition for --sizes, which the caller frees.
 */
static void collect_conditions(const struct plot_options *o, struct texts *where, char **sizes)
{
	static const char longest[] = "18446744073709551615,";
	char *at = *sizes = memory_new(sizeof("size_B=") + o->sizes.n * sizeof(longest), 1);

	where->v = memory_new(o->where.n + 1, sizeof(*where->v));
	for (; where->n < o->where.n; where->n++)
		where->v[where->n] = o->where.v[where->n];
	at += sprintf(at, "size_B=");
	for (size_t i = 0; i < o->sizes.n; i++)
		at += sprintf(at, "%s%" PRIu64, i ? "," : "", o->sizes.v[i]);
	if (o->sizes.n)
		where->v[where->n++] = *sizes;
}

/* ---- the request ---- */

/*
 * Returns whether an option only affects the output of results. Results can be joined even if they
 * differ in such an option.
 */
static bool affects_only_output(const char *option)
{
	for (const struct opt *o = output_options; o->name; o++)
		if (!strcmp(o->name, option))
			return true;
	return false;
}

/*
 * Rejects options of heat maps for other pictures, and --line for heat maps. Returns ST_OK or
 * ST_USAGE (reported).
 */
static int check_heat_options(const struct settings *st, bool heat)
{
	static const char *const own[] = { "order", "tile" };

	for (size_t i = 0; i < LENGTH(own) && !heat; i++)
		if (settings_given(st, own[i]))
			return error_usage("'--%s' applies only to heat maps, which show results "
					   "of map", own[i]);
	if (heat && settings_given(st, "line"))
		return error_usage("option '--line' does not apply to heat maps: they have no y "
				   "axis for values");
	return ST_OK;
}

static int check_options(const struct plot_options *o, int n)
{
	if (!n)
		return error_usage("no result file given");
	if (o->labels.n && o->labels.n != (size_t)n)
		return error_usage("option '--label' is given %zu times for %d file%s",
				   o->labels.n, n, n == 1 ? "" : "s");
	if (o->kind && (o->x || ranks_is_summary(o->column)))
		return error_usage("'--kind %s' draws samples, not columns: leave out '--%s'",
				   kind_names[o->kind], o->x ? "x" : "column");
	return ST_OK;
}

/* Returns the largest number of cells per row of a heat map that fits on the canvas. */
static size_t most_heat_cells(const struct canvas *c)
{
	unsigned beside = c->text ? 12 : 150, width = c->width - (c->text ? 16 : 0);
	unsigned height = c->fixed ? c->height > beside ? c->height - beside : 1 : 512;

	width = width < height ? width : height;
	return width < 512 ? width : 512;
}

static int run_plot(const struct settings *st, int n, char **paths)
{
	const struct plot_options *o = st->own;
	struct album album = { .nfiles = 0 };
	struct canvas c = { .text = false };
	struct texts where = { .n = 0 };
	const char *over = ranks_join_column(o->x);
	struct chart_request ask;
	char *sizes = NULL;
	int err = check_options(o, n);

	if (!err)
		err = choose_canvas(st, &c);
	if (!err)
		err = read_files(o, &album, n, paths);
	over = ranks_is_summary(o->column) && !over ? "ranks" : over;
	if (!err && over)
		err = ranks_join(&album, over, o->column, o->labels.n, affects_only_output);
	collect_conditions(o, &where, &sizes);
	ask = (struct chart_request){
		.heading = o->title, .kind = (enum plot_kind)o->kind, .x = o->x,
		.column = o->column ? column_new_name(o->column) : NULL, .x_range = o->x_range,
		.y_range = o->y_range,
		.linear_x = o->linear & 1, .linear_y = o->linear & 2, .lines = o->lines.v,
		.nlines = o->lines.n, .rates = (enum rate_unit)o->rate_unit,
		.order = (enum plot_order)o->order, .tile = (enum plot_tile)o->tile,
		.where = where.v, .nwhere = where.n, .named = album.nfiles > 1 || o->labels.n,
		.labelled = o->labels.n > 0, .cells_most = most_heat_cells(&c), .text = c.text,
		.apart = c.text || o->separate, .summary_of = command_summary,
	};
	if (!err)
		err = check_heat_options(st, heat_is_wanted(&album, &ask));
	if (!err)
		err = album_make(&album, &ask);
	if (!err)
		err = draw_sheets(o, &album, &c, paths, n);
	album_free(&album);
	free(where.v);
	free(sizes);
	return err;
}

const struct command cmd_plot = {
	.name = "plot",
	.summary = "pictures of results, drawn by gnuplot",
	.operands = "file ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct plot_options),
	.run = run_plot,
};
