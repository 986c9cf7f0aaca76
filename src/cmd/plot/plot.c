/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of results, drawn by gnuplot. */
#include "cmd/plot/plot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "base/error.h"
#include "result/out.h"
#include "result/reader.h"
#include "base/values.h"

struct plot_options {
	const char *output, *x, *column, *size;
	double timeout;
	uint64_t rate_unit;
	struct texts where, titles;
	bool term, script;
};

#define AT(member) offsetof(struct plot_options, member)

static const struct opt options[] = {
	{ 'o', "output", "file", OPT_TEXT, AT(output),
	  .file = OPT_WRITTEN,
	  .help = "draw into this file: .svg, .png or .pdf" },
	{ 0, "term", NULL, OPT_FLAG, AT(term),
	  .help = "draw with characters, on standard output; that is done without a file, too" },
	{ 0, "column", "name", OPT_TEXT, AT(column),
	  .help = "what is drawn; without it what suits the command" },
	{ 0, "x", "name", OPT_TEXT, AT(x),
	  .help = "the column that it is drawn over; without it what was swept" },
	{ 0, "where", "name=value,...", OPT_TEXTS, AT(where),
	  .help = "only rows whose column has one of these values; may be given several times" },
	{ 0, "title", "text", OPT_TEXTS, AT(titles),
	  .help = "what a file is called in the picture instead of its name; once for each file, "
		  "in their order" },
	{ 0, "rate-unit", "unit", OPT_CHOICE, AT(rate_unit), .def = "byte",
	  .choices = rate_unit_names, .help = "bandwidths: byte (B/s) or bit (bit/s)" },
	{ 0, "size", "WxH", OPT_TEXT, AT(size),
	  .help = "width and height, in pixels (1/96 inch in .pdf) or characters" },
	{ 0, "timeout", "time", OPT_SECONDS, AT(timeout), .def = "60s",
	  .help = "how long gnuplot may take; 0: no limit" },
	{ 0, "script", NULL, OPT_FLAG, AT(script),
	  .help = "print the script for gnuplot, with its data, and run nothing" },
	{ 0 },
};

/* Formats by suffix. */
static const struct {
	const char *suffix, *terminal;
} formats[] = { { ".svg", "svg" }, { ".png", "pngcairo" }, { ".pdf", "pdfcairo" } };

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
	return ST_OK;
}

static int choose_format(const struct plot_options *o, struct canvas *c)
{
	const char *suffix = strrchr(o->output, '.');

	for (size_t i = 0; i < LENGTH(formats) && suffix; i++)
		if (!strcmp(formats[i].suffix, suffix))
			c->terminal = formats[i].terminal;
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

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Labels files by --title, or by their names, with directories if two names are equal. */
static void name_runs(const struct plot_options *o, struct picture *pic)
{
	bool alike = false;

	for (size_t i = 0; i < pic->nruns; i++)
		for (size_t k = 0; k < i; k++)
			alike |=
				!strcmp(base_name(pic->runs[i].path), base_name(pic->runs[k].path));
	for (size_t i = 0; i < pic->nruns; i++) {
		struct plot_run *run = &pic->runs[i];

		run->label = o->titles.n ? o->titles.v[i]
			     : alike	 ? run->path
					 : base_name(run->path);
	}
}

/* ---- drawing ---- */

static int write_file(const char *path, const char *picture, size_t len)
{
	struct out o;
	int err = out_open_file(&o, path);

	err = err ? err : out_begin(&o);
	if (!err) {
		out_add(&o, picture, len);
		err = out_commit(&o, o.len);
	}
	if (!err)
		return out_close(&o, true);
	out_discard(&o);
	return err;
}

static int draw(const struct plot_options *o, const char *script, size_t len,
		const struct canvas *c)
{
	char *picture = NULL;
	size_t n = 0;
	int err = plot_gnuplot(script, len, c, o->timeout, &picture, &n);

	if (!err && o->output) {
		err = write_file(o->output, picture, n);
	} else if (!err) {	/* without gnuplot's form feed and empty line */
		size_t skip = n && *picture == '\f' ? 1 : 0;

		skip += skip && n > 1 && picture[1] == '\n';
		fwrite(picture + skip, 1, n - skip, stdout);
	}
	free(picture);
	return err;
}

static int write_script(const struct plot_options *o, struct picture *pic, struct canvas *c)
{
	char *script = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&script, &len);
	int err;

	if (!to)
		return error_report("no memory for a script");
	err = plot_script(to, pic, c, o->script ? o->output : NULL);
	if (fclose(to) && !err)
		err = error_report("no memory for a script");
	if (!err && o->script)
		fwrite(script, 1, len, stdout);
	else if (!err)
		err = draw(o, script, len, c);
	free(script);
	return err;
}

static void free_picture(struct picture *pic)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		free(pic->traces[i].label);
		free(pic->traces[i].pieces);
		free(pic->traces[i].p);
	}
	for (size_t i = 0; i < pic->nruns && pic->runs; i++)
		json_decref(pic->runs[i].doc);
	plot_free_lines(&pic->title);
	plot_free_lines(&pic->caption);
	free(pic->x.names);
	free(pic->traces);
	free(pic->runs);
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct plot_options *o = st->own;
	struct picture pic = { .nruns = (size_t)n, .named = n > 1 || o->titles.n,
			       .where = o->where.v, .nwhere = o->where.n,
			       .rates = (enum rate_unit)o->rate_unit };
	struct canvas c = { 0 };
	int err;

	if (!n)
		return error_usage("no result file given");
	if (o->titles.n && o->titles.n != pic.nruns)
		return error_usage("option '--title' is given %zu times for %d file%s",
				   o->titles.n, n, n == 1 ? "" : "s");
	err = choose_canvas(st, &c);
	if (err)
		return err;
	pic.runs = calloc(pic.nruns, sizeof(*pic.runs));
	err = pic.runs ? ST_OK : error_report("no memory for %d results", n);
	for (int i = 0; i < n && !err; i++) {
		pic.runs[i] = (struct plot_run){ .path = paths[i], .reps_min = __builtin_nan(""),
						 .reps_max = __builtin_nan("") };
		err = result_read(paths[i], &pic.runs[i].doc);
	}
	if (!err)
		name_runs(o, &pic);
	err = err ? err : plot_check_where(&pic);
	err = err ? err : plot_select(&pic, o->x, o->column);
	err = err ? err : plot_traces(&pic);
	err = err ? err : write_script(o, &pic, &c);
	free_picture(&pic);
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
