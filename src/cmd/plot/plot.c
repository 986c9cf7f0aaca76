/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of results, drawn by gnuplot. */
#include "cmd/plot/plot.h"

#include "cmd/plot/heat/heat.h"

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "base/error.h"
#include "base/file.h"
#include "result/out.h"
#include "result/reader.h"
#include "base/values.h"
#include "options/files.h"

struct plot_options {
	const char *output, *x, *column, *size, *x_range, *y_range;
	double timeout;
	uint64_t rate_unit, linear, kind, order, tile;
	const char *title;
	struct texts where, labels;
	struct numbers sizes;
	bool term, script, separate, overwrite;
};

#define AT(member) offsetof(struct plot_options, member)

/* Bit 0: x, bit 1: y. */
static const char *const linear_names[] = { "none", "x", "y", "xy", NULL };

static const char *const order_names[] = { "name", "effect", "cluster", NULL };
static const char *const tile_names[] = { "worst", "median", NULL };

static const struct opt options[] = {
	{ 'o', "output", "file", OPT_TEXT, AT(output),
	  .file = OPT_WRITTEN,
	  .help = "draw into this file: .svg, .png or .pdf" },
	{ 0, "term", NULL, OPT_FLAG, AT(term),
	  .help = "draw with characters, on standard output; that is done without a file, too" },
	{ 0, "column", "name", OPT_TEXT, AT(column),
	  .help = "what is drawn, a column or summary.NAME; without it what suits the command" },
	{ 0, "kind", "kind", OPT_CHOICE, AT(kind), .def = "points", .choices = plot_kind_names,
	  .help = "points: values of rows; of what '--samples' kept cdf: distribution, histogram, "
		  "or time: repetition by repetition" },
	{ 0, "x", "name", OPT_TEXT, AT(x),
	  .help = "the column that it is drawn over, or the ranks of whole results; without "
		  "it what was swept" },
	{ 0, "where", "name=value,...", OPT_TEXTS, AT(where),
	  .help = "only rows whose column has one of these values; may be given several times" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .min = 0, .max = 1 << 30,
	  .help = "only rows of these message sizes: 0,64,4k or 1k:64k:*2" },
	{ 0, "title", "text", OPT_TEXT, AT(title),
	  .help = "title of the picture, instead of what is drawn over what" },
	{ 0, "label", "text", OPT_TEXTS, AT(labels),
	  .help = "what a file is called in the picture instead of its name; once for each file, "
		  "in their order" },
	{ 0, "rate-unit", "unit", OPT_CHOICE, AT(rate_unit), .def = "byte",
	  .choices = rate_unit_names, .help = "bandwidths: byte (B/s) or bit (bit/s)" },
	{ 0, "linear", "axes", OPT_CHOICE, AT(linear), .def = "none", .choices = linear_names,
	  .help = "axes that are linear whatever their values; others are logarithmic where that "
		  "suits" },
	{ 0, "x-range", "A:B", OPT_TEXT, AT(x_range),
	  .help = "ends of the axis of x, with units: 8:1MiB; either may be left out" },
	{ 0, "y-range", "A:B", OPT_TEXT, AT(y_range),
	  .help = "ends of the axis of y: 1us:1ms" },
	{ 0, "order", "order", OPT_CHOICE, AT(order), .def = "name", .choices = order_names,
	  .help = "hosts in the heat map of a result of map: by name; effect: the slowest first; "
		  "cluster: those alike side by side" },
	{ 0, "tile", "what", OPT_CHOICE, AT(tile), .def = "worst", .choices = tile_names,
	  .help = "what is drawn of pairs that share a cell of a heat map: the worst or the "
		  "median" },
	{ 0, "size", "WxH", OPT_TEXT, AT(size),
	  .help = "width and height, in pixels (1/96 inch in .pdf) or characters" },
	{ 0, "separate", NULL, OPT_FLAG, AT(separate),
	  .help = "draw each benchmark of a result in a file, in .pdf on a page, of its own" },
	{ 0, "timeout", "time", OPT_SECONDS, AT(timeout), .def = "60s",
	  .help = "how long gnuplot may take; 0: no limit" },
	{ 0, "script", NULL, OPT_FLAG, AT(script),
	  .help = "print the script for gnuplot, with its data, and run nothing" },
	OUT_OVERWRITE_OPTION(AT(overwrite)),
	{ 0 },
};

/* Formats by suffix; `pages`: a file has room for more than one picture. */
static const struct {
	const char *suffix, *terminal;
	bool pages;
} formats[] = { { ".svg", "svg", false }, { ".png", "pngcairo", false },
		{ ".pdf", "pdfcairo", true } };

/* The canvas without --size, whose height may grow; and the least that --size may be. */
static const unsigned usual[2] = { 960, 480 }, usual_text[2] = { 80, 32 };
static const unsigned least[2] = { 200, 150 }, least_text[2] = { 40, 12 };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- canvas ---- */

/* "960x600" */
static int parse_canvas_size(const char *size, struct canvas *c)
{
	const unsigned *min = c->text ? least_text : least;
	const char *at = size;
	uint64_t w, h;

	if (scan_whole(&at, false, &w) || *at++ != 'x' || scan_whole(&at, false, &h) || *at)
		return error_usage("size '%s' is not WxH, such as 960x600", size);
	if (w < min[0] || h < min[1] || w > PLOT_SIZE_MAX || h > PLOT_SIZE_MAX)
		return error_usage("size '%s' is not between %ux%u and %ux%u", size, min[0],
				   min[1], PLOT_SIZE_MAX, PLOT_SIZE_MAX);
	c->width = (unsigned)w;
	c->height = (unsigned)h;
	c->fixed = true;
	c->scale = fmax(0.75, fmin(c->width / 960.0, c->height / 540.0));
	return ST_OK;
}

static int choose_format(const struct plot_options *o, struct canvas *c)
{
	const char *suffix = strrchr(o->output, '.');

	for (size_t i = 0; i < LENGTH(formats) && suffix; i++) {
		if (strcmp(formats[i].suffix, suffix) != 0)
			continue;
		c->terminal = formats[i].terminal;
		c->pages = formats[i].pages;
	}
	if (!c->terminal)
		return error_usage("no format for output file '%s': must end in .svg, .png or .pdf",
				   o->output);
	if (o->script && !plot_is_printable(o->output))
		return error_usage(
			"output file '%s' has a name that cannot be written into a script",
			o->output);
	return ST_OK;
}

static int choose_canvas(const struct settings *st, struct canvas *c)
{
	const struct plot_options *o = st->own;
	int err = settings_exclude(st, "term", "output");
	struct winsize w;

	c->text = !o->output;
	c->width = c->text ? usual_text[0] : usual[0];
	c->height = c->text ? usual_text[1] : usual[1];
	if (!err && c->text) {
		c->terminal = "dumb";
		c->pages = true;
		if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= least_text[0] &&
		    w.ws_row > least_text[1]) {
			c->width = w.ws_col;
			c->height = w.ws_row - 1u;	/* a line is for the prompt */
		}
	} else if (!err) {
		err = choose_format(o, c);
	}
	return !err && o->size ? parse_canvas_size(o->size, c) : err;
}

/* ---- files ---- */

/*
 * True if the files are in the order in which a shell expands a pattern: of bytes, or of the user's
 * language.
 */
static bool is_expanded(const struct album *a)
{
	locale_t theirs = newlocale(LC_COLLATE_MASK, "", (locale_t)0);
	bool bytes = true, language = theirs != (locale_t)0;

	for (size_t i = 1; i < a->nfiles; i++) {
		const char *p = a->files[i - 1].path, *q = a->files[i].path;

		bytes &= strcmp(p, q) <= 0;
		language = language && strcoll_l(p, q, theirs) <= 0;
	}
	if (theirs)
		freelocale(theirs);
	return bytes || language;
}

static int compare_names(const void *a, const void *b)
{
	const struct plot_run *p = a, *q = b;

	return strverscmp(p->path, q->path);
}

/* Labels files by --label, or by their names, with directories if two names are equal. */
static void name_files(const struct plot_options *o, struct album *a)
{
	bool alike = false;

	for (size_t i = 0; i < a->nfiles; i++)
		for (size_t k = 0; k < i; k++)
			alike |= !strcmp(file_base_name(a->files[i].path),
					 file_base_name(a->files[k].path));
	for (size_t i = 0; i < a->nfiles; i++) {
		struct plot_run *run = &a->files[i];

		run->label = o->labels.n ? o->labels.v[i]
			     : alike	 ? run->path
					 : file_base_name(run->path);
	}
}

static int read_files(const struct plot_options *o, struct album *a, int n, char **paths)
{
	int err = ST_OK;

	a->files = calloc((size_t)n, sizeof(*a->files));
	if (!a->files)
		return error_report("no memory for %d results", n);
	for (; (int)a->nfiles < n && !err; a->nfiles++) {
		struct plot_run *run = &a->files[a->nfiles];

		*run = (struct plot_run){ .path = paths[a->nfiles],
					  .reps_min = __builtin_nan(""),
					  .reps_max = __builtin_nan("") };
		err = result_read(run->path, &run->doc);
	}
	if (err)
		return err;
	name_files(o, a);
	if (!o->labels.n && is_expanded(a))	/* node2 before node10 */
		qsort(a->files, a->nfiles, sizeof(*a->files), compare_names);
	return ST_OK;
}

/* ---- drawing ---- */

/* Pictures that gnuplot draws in one run, one after another. */
struct sheet {
	const struct picture *first;
	size_t n;
	const struct plot_panels *panels;	/* side by side; NULL: one after another */
	char *path;		/* the file; NULL: standard output */
	char *script, *drawn;
	size_t script_len, drawn_len;
};

static void free_sheet(struct sheet *s)
{
	free(s->path);
	free(s->script);
	free(s->drawn);
}

/* The file that a sheet is written to, which must be none that is read, nor another result. */
static int name_sheet(struct sheet *s, const struct plot_options *o, char **paths, int npaths)
{
	int err;

	if (!o->output)
		return ST_OK;
	if (s->n == s->first->of) {
		s->path = strdup(o->output);
		err = s->path ? ST_OK : error_report("no memory for the name of a file");
	} else {
		err = plot_file_name(&s->path, o->output, s->first);
		err = err ? err : files_check_written("output", s->path, paths, npaths);
	}
	if (!err && !o->script)
		err = out_check_file(s->path, out_instead(o->overwrite));
	return err;
}

static int write_script(struct sheet *s, const struct canvas *c, bool names_file)
{
	FILE *to = open_memstream(&s->script, &s->script_len);
	int err = ST_OK;

	if (!to)
		return error_report("no memory for a script");
	plot_terminal(to, s->panels ? &s->panels->page : c, names_file ? s->path : NULL);
	if (s->panels)
		err = plot_panels_script(to, s->panels, s->first, s->n);
	for (size_t i = 0; i < s->n && !s->panels && !err; i++) {
		fputs("reset\n", to);
		err = plot_script(to, &s->first[i], c);
	}
	if (fclose(to) && !err)
		err = error_report("no memory for a script");
	return err;
}

/* With an empty line in place of gnuplot's form feed between pictures. */
static void print_text(const struct sheet *s)
{
	size_t begin = 0;

	while (begin < s->drawn_len && (s->drawn[begin] == '\f' || s->drawn[begin] == '\n'))
		begin++;
	for (size_t i = begin; i < s->drawn_len; i++)
		putchar(s->drawn[i] == '\f' ? '\n' : s->drawn[i]);
}

/* Writes the pictures once all are drawn, and prints the names of several files. */
static int write_sheets(const struct sheet *sheets, size_t n, bool overwrite)
{
	int err = ST_OK;

	for (size_t i = 0; i < n && !err; i++) {
		if (sheets[i].path)
			err = out_write_file(sheets[i].path, sheets[i].drawn,
					     sheets[i].drawn_len, out_instead(overwrite));
		else
			print_text(&sheets[i]);
		if (n > 1 && !err)
			puts(sheets[i].path);
	}
	return err;
}

/* A sheet for all pictures, or one for each if the format has no pages. */
static int draw(const struct plot_options *o, const struct album *a, const struct canvas *c,
		const struct plot_panels *panels, char **paths, int npaths)
{
	size_t n = c->pages || panels ? 1 : a->n;
	struct sheet *sheets = calloc(n, sizeof(*sheets));
	int err = sheets ? ST_OK : error_report("no memory for %zu pictures", a->n);

	for (size_t i = 0; i < n && !err; i++) {
		struct sheet *s = &sheets[i];

		s->first = &a->v[i];
		s->n = a->n / n;
		s->panels = panels;
		err = name_sheet(s, o, paths, npaths);
		err = err ? err : write_script(s, c, o->script);
	}
	for (size_t i = 0; i < n && !err; i++) {
		struct sheet *s = &sheets[i];

		if (o->script)
			fwrite(s->script, 1, s->script_len, stdout);
		else
			err = plot_gnuplot(s->script, s->script_len, c, o->timeout, &s->drawn,
					   &s->drawn_len);
	}
	if (!err && !o->script)
		err = write_sheets(sheets, n, o->overwrite);
	for (size_t i = 0; i < n && sheets; i++)
		free_sheet(&sheets[i]);
	free(sheets);
	return err;
}

/* Conditions on rows: those of --where, and that of --sizes, which is in *sizes, for free(). */
static int add_conditions(const struct plot_options *o, struct texts *where, char **sizes)
{
	size_t len;
	FILE *to = open_memstream(sizes, &len);

	where->v = calloc(o->where.n + 1, sizeof(*where->v));
	if (to) {
		fputs("size_B=", to);
		for (size_t i = 0; i < o->sizes.n; i++)
			fprintf(to, "%s%" PRIu64, i ? "," : "", o->sizes.v[i]);
	}
	if (!to || fclose(to) || !where->v)
		return error_report("no memory for conditions");
	for (; where->n < o->where.n; where->n++)
		where->v[where->n] = o->where.v[where->n];
	if (o->sizes.n)
		where->v[where->n++] = *sizes;
	return ST_OK;
}

/* A number of the summaries is drawn over the ranks unless something else is asked for. */
static bool is_over_ranks(const struct plot_options *o)
{
	return (o->x && !strcmp(o->x, "ranks")) || plot_is_summary(o->column);
}

/* Refuses options of heat maps where none is drawn. */
static int check_heat(const struct settings *st, const struct picture *common)
{
	static const char *const own[] = { "order", "tile" };
	const struct plot_options *o = st->own;

	for (size_t i = 0; i < LENGTH(own) && !heat_suits(common, o->x); i++)
		if (settings_given(st, own[i]))
			return error_usage("'--%s' is of heat maps, as plot draws of results of "
					   "map", own[i]);
	return ST_OK;
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct plot_options *o = st->own;
	struct picture common = { .heading = o->title,
				  .labelled = o->labels.n > 0,
				  .kind = (enum plot_kind)o->kind,
				  .x_range = o->x_range, .y_range = o->y_range,
				  .x.linear = o->linear & 1, .y.linear = o->linear & 2,
				  .order = (enum plot_order)o->order,
				  .tile = (enum plot_tile)o->tile,
				  .rates = (enum rate_unit)o->rate_unit };
	struct album album = { .nfiles = 0 };
	struct plot_panels panels = { .at = NULL };
	struct canvas c = { .scale = 1 };
	struct texts where = { .n = 0 };
	char *sizes = NULL;
	bool side_by_side;
	int err;

	if (!n)
		return error_usage("no result file given");
	if (o->labels.n && o->labels.n != (size_t)n)
		return error_usage("option '--label' is given %zu times for %d file%s",
				   o->labels.n, n, n == 1 ? "" : "s");
	if (o->kind && (o->x || plot_is_summary(o->column)))
		return error_usage("'--kind %s' is of samples, not over a column: leave out '--%s'",
				   plot_kind_names[o->kind], o->x ? "x" : "column");
	err = choose_canvas(st, &c);
	err = err ? err : read_files(o, &album, n, paths);
	if (!err && is_over_ranks(o))
		err = plot_over_ranks(&album, o->column, o->labels.n);
	common.named = album.nfiles > 1 || o->labels.n;
	err = err ? err : add_conditions(o, &where, &sizes);
	common.where = where.v;
	common.nwhere = where.n;
	common.runs = album.files;
	common.nruns = album.nfiles;
	err = err ? err : check_heat(st, &common);
	err = err ? err : plot_check_where(&common);
	err = err ? err : plot_album(&album, &common, o->x, o->column);
	side_by_side = album.n > 1 && !c.text && !o->separate;
	if (!err && side_by_side)
		err = plot_panels(&panels, &album, &common, &c);
	for (size_t i = 0; i < album.n && !err && !side_by_side; i++)
		err = plot_lay_out(&album.v[i], &c);
	err = err ? err : draw(o, &album, &c, side_by_side ? &panels : NULL, paths, n);
	plot_panels_free(&panels);
	plot_album_free(&album);
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
	.run = run,
};
