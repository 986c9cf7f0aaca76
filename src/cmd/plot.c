/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "cmd/plot/plot.h"

/* For each picture, as for plot without --timeout. */
#define PATIENCE_S 60

static const struct canvas usual = { .terminal = "svg", .width = 960, .height = 480,
				     .scale = 1 };

const char *plot_drawn(const json_t *doc, const char *benchmark)
{
	struct picture pic = { .benchmark = *benchmark ? benchmark : NULL };

	return plot_usual_column(&pic, doc);
}

/* How names of parts begin in a picture, where they are given and where they are used. */
static const char *const names[] = { " id='", " id=\"", "xlink:href='#", "url(#" };

/* The beginning of a name that the text begins with; "" if it does not. */
static const char *name_at(const char *text)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			return names[i];
	return "";
}

/* Writes gnuplot's picture with a prefix to its names, as a page may have each but once. */
static void put_element(FILE *to, const char *at, const char *prefix)
{
	bool tag = false;

	for (; *at; at++) {
		const char *name = tag ? name_at(at) : "";

		if (*name) {
			fprintf(to, "%s%s", name, prefix);
			at += strlen(name) - 1;
		} else if (*at == '>' && !tag) {	/* gnuplot leaves it, XML has no "]]>" */
			fputs("&gt;", to);
		} else {
			putc(*at, to);
			tag = *at == '<' || (tag && *at != '>');
		}
	}
}

/* The same for free(), without XML declaration and gnuplot's title; NULL without memory. */
static char *element_of(char *drawn, const char *prefix)
{
	static const char title[] = "<title>Gnuplot</title>";
	char *at = strstr(drawn, "<svg"), *skip = strstr(drawn, title), *text = NULL;
	size_t len;
	FILE *to = at ? open_memstream(&text, &len) : NULL;

	if (!to)
		return NULL;
	if (skip)
		memset(skip, ' ', strlen(title));
	put_element(to, at, prefix);
	return text_close(to, &text);
}

static int draw(const struct picture *pic, const struct canvas *c, size_t number,
		struct plot_svg *svg)
{
	char *script = NULL, *drawn = NULL, prefix[64];
	size_t nscript, ndrawn;
	FILE *to = open_memstream(&script, &nscript);
	int err;

	if (!to)
		return error_report("no memory for a script");
	plot_terminal(to, c, NULL);
	err = plot_script(to, pic, c);
	if (fclose(to) && !err)
		err = error_report("no memory for a script");
	err = err ? err : plot_gnuplot(script, nscript, c, PATIENCE_S, &drawn, &ndrawn);
	snprintf(prefix, sizeof(prefix), "r%zu-%zu-", number, pic->number);
	if (!err) {
		svg->text = element_of(drawn, prefix);
		svg->benchmark = strdup(pic->benchmark ? pic->benchmark : "");
		err = svg->text && svg->benchmark ? ST_OK : error_report("no memory for a picture");
	}
	if (err) {
		free(svg->text);
		free(svg->benchmark);
	}
	free(script);
	free(drawn);
	return err;
}

/* An album of one file. */
static int begin(struct album *a, struct picture *common, const char *path, json_t *doc)
{
	a->files = calloc(1, sizeof(*a->files));
	if (!a->files)
		return error_report("no memory for a result");
	a->nfiles = 1;
	a->files[0] = (struct plot_run){
		.path = path, .label = file_base_name(path), .doc = json_incref(doc),
		.reps_min = NAN, .reps_max = NAN,
	};
	common->runs = a->files;
	common->nruns = 1;
	return ST_OK;
}

int plot_svg(const char *path, json_t *doc, enum rate_unit rates, size_t number,
	     struct plot_svg **svg, size_t *n)
{
	struct picture common = { .rates = rates, .room = PLOT_SVG_POINTS };
	struct album a = { .nfiles = 0 };
	struct canvas c = usual;
	int err = begin(&a, &common, path, doc);

	*n = 0;
	*svg = NULL;
	err = err ? err : plot_album(&a, &common, NULL, NULL);
	if (!err) {
		*svg = calloc(a.n, sizeof(**svg));
		err = *svg ? ST_OK : error_report("no memory for %zu pictures", a.n);
	}
	for (size_t i = 0; i < a.n && !err; i++) {
		c = usual;
		err = plot_lay_out(&a.v[i], &c);
		err = err ? err : draw(&a.v[i], &c, number, &(*svg)[i]);
		*n += !err;
	}
	plot_album_free(&a);
	return err;
}

void plot_svg_free(struct plot_svg *svg, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(svg[i].text);
		free(svg[i].benchmark);
	}
	free(svg);
}
