/* SPDX-License-Identifier: Apache-2.0 */
/* How many pictures the files make, and which files are in each. */
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/heat/heat.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

/* The benchmarks of the rows that --where selects, in the files' order. */
struct benchmarks {
	const char **v;
	size_t n;
	bool several;	/* a file has more than one */
};

static bool is_listed(const struct benchmarks *b, const char *name)
{
	for (size_t i = 0; i < b->n; i++)
		if (!strcmp(b->v[i], name))
			return true;
	return false;
}

static int list_benchmarks(struct benchmarks *b, const struct picture *all,
			   const struct plot_run *run)
{
	/* but for its ring of all sizes, check has a point or two of each */
	bool few = !strcmp(document_command(run->doc), "check") && !all->nwhere;
	const char *last = "", **grown;
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(run->doc), i, row) {
		const char *name = row_text(row, COL_BENCHMARK);

		if (!*name || !plot_takes(all, run, row))
			continue;
		if (few && strcmp(name, "beff") != 0)
			continue;
		b->several |= *last && strcmp(last, name) != 0;
		last = name;
		if (is_listed(b, name))
			continue;
		grown = list_grow(b->v, b->n, sizeof(*grown));
		if (!grown)
			return error_report("no memory for a list of benchmarks");
		b->v = grown;
		b->v[b->n++] = name;
	}
	return ST_OK;
}

static bool has_rows(const struct picture *pic, const struct plot_run *run)
{
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(run->doc), i, row)
		if (plot_takes(pic, run, row))
			return true;
	return false;
}

static void explain_absence(const struct picture *pic, struct plot_run *run)
{
	bool empty = !json_array_size(document_rows(run->doc));

	if (empty)
		plot_explain(run, "it has no rows");
	else if (pic->benchmark)
		plot_explain(run, "no row is of %s%s%s", plot_family(pic->benchmark),
			     pic->benchmark,
			     pic->nwhere ? " and meets '--where' and '--sizes'" : "");
	else
		plot_explain(run, "no row meets '--where' and '--sizes'");
}

/* Puts the files that have rows for a picture first, all if none has. */
static int choose_files(struct picture *pic, const struct album *a)
{
	size_t n = 0;

	pic->nfiles = a->nfiles;
	pic->runs = calloc(a->nfiles, sizeof(*pic->runs));
	if (!pic->runs)
		return error_report("no memory for %zu results", a->nfiles);
	for (size_t i = 0; i < a->nfiles; i++)
		if (has_rows(pic, &a->files[i]))
			pic->runs[n++] = a->files[i];
	pic->nruns = n ? n : a->nfiles;
	for (size_t i = 0; i < a->nfiles; i++) {
		if (has_rows(pic, &a->files[i]))
			continue;
		pic->runs[n] = a->files[i];
		explain_absence(pic, &pic->runs[n++]);
	}
	return ST_OK;
}

static void free_picture(struct picture *pic)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		free(pic->traces[i].label);
		free(pic->traces[i].pieces);
		free(pic->traces[i].p);
	}
	plot_free_lines(&pic->title);
	plot_free_lines(&pic->caption);
	heat_free(pic->heat);
	free(pic->x.names);
	free(pic->traces);
	free(pic->runs);
}

/* Warns of a picture without points and those that lack them for the same reason. */
static void warn_of_empty(const struct album *a, size_t first)
{
	const char *why = a->v[first].runs[0].why;
	struct text names = { .n = 0 };

	for (size_t i = 0; i < a->n; i++) {
		const struct picture *pic = &a->v[i];

		if (pic->ntraces || strcmp(pic->runs[0].why, why) != 0)
			continue;
		if (i < first)
			return;		/* said before */
		text_add(&names, "%s", names.n ? ", " : "");
		text_quote(&names, "", pic->benchmark);
	}
	error_warn("no picture of benchmark %s: %s", names.s, why);
}

/* Drops pictures without points. */
static void drop_empty(struct album *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (!a->v[i].ntraces)
			warn_of_empty(a, i);
	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].ntraces)
			a->v[n++] = a->v[i];
		else
			free_picture(&a->v[i]);
	}
	a->n = n;
	for (size_t i = 0; i < n; i++) {
		a->v[i].number = i + 1;
		a->v[i].of = n;
	}
}

/* NULL if the i-th file is drawn in some picture, else why not. */
static const char *why_not_drawn(const struct album *a, size_t file)
{
	const char *why = NULL;

	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < a->v[i].nfiles; k++) {
			const struct plot_run *run = &a->v[i].runs[k];

			if (run->doc != a->files[file].doc)
				continue;
			if (!*run->why)
				return NULL;
			why = run->why;
		}
	}
	return why;
}

static int judge(struct album *a)
{
	size_t drawn = 0;

	for (size_t i = 0; i < a->n; i++)
		drawn += a->v[i].ntraces;
	if (!drawn)
		return error_usage("nothing to draw of '%s'%s: %s", a->files[0].path,
				   a->nfiles > 1 ? ", nor of the other files" : "",
				   why_not_drawn(a, 0));
	drop_empty(a);
	for (size_t i = 0; i < a->nfiles; i++) {
		const char *why = why_not_drawn(a, i);

		if (why)
			error_warn("'%s' adds nothing to %s: %s", a->files[i].path,
				   a->n > 1 ? "any picture" : "the picture", why);
	}
	return ST_OK;
}

/* The only picture, a heat map. */
static int add_heat(struct album *a, const struct picture *common, const char *column)
{
	struct picture *pic = calloc(1, sizeof(*pic));
	int err;

	if (!pic)
		return error_report("no memory for a picture");
	a->v = pic;
	a->n = 1;
	*pic = *common;
	pic->number = pic->of = 1;
	err = choose_files(pic, a);
	return err ? err : heat_make(pic, column);
}

int plot_album(struct album *a, const struct picture *common, const char *x, const char *y)
{
	struct benchmarks b = { .n = 0 };
	bool side_by_side;
	int err = ST_OK;
	size_t n;

	for (size_t i = 0; i < a->nfiles && !err; i++)
		err = plot_find_facts(&a->files[i]);
	if (!err && heat_suits(common, x))
		return add_heat(a, common, y);
	for (size_t i = 0; i < a->nfiles && !err; i++)
		err = list_benchmarks(&b, common, &a->files[i]);
	side_by_side = x && !strcmp(x, "benchmark");
	n = b.several && !side_by_side ? b.n : 1;
	a->v = calloc(n, sizeof(*a->v));
	if (!err && !a->v)
		err = error_report("no memory for %zu pictures", n);
	while (!err && a->n < n) {
		struct picture *pic = &a->v[a->n];

		*pic = *common;
		pic->benchmark = n == b.n && !side_by_side ? b.v[a->n] : NULL;
		a->n++;
		err = choose_files(pic, a);
		err = err ? err : plot_select(pic, x, y);
		err = err ? err : plot_traces(pic);
	}
	free(b.v);
	return err ? err : judge(a);
}

void plot_album_free(struct album *a)
{
	for (size_t i = 0; i < a->n; i++)
		free_picture(&a->v[i]);
	for (size_t i = 0; i < a->nfiles; i++) {
		free(a->files[i].group);
		plot_free_facts(&a->files[i]);
		json_decref(a->files[i].doc);
	}
	free(a->v);
	free(a->files);
}

int plot_file_name(char **path, const char *output, const struct picture *pic)
{
	static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	const char *suffix = strrchr(output, '.');

	if (pic->benchmark[strspn(pic->benchmark, usual)])
		return error_usage("benchmark '%s' cannot be part of a file's name: draw into .pdf",
				   pic->benchmark);
	if (asprintf(path, "%.*s-%s%s", (int)(suffix - output), output, pic->benchmark,
		     suffix) < 0) {
		*path = NULL;
		return error_report("no memory for the name of a file");
	}
	return ST_OK;
}
