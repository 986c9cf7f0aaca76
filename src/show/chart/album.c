/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups result files into pictures. Decides how many pictures there are, and which files each
 * picture shows.
 */
#include "show/chart/album.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "show/chart/compose.h"
#include "show/chart/heading.h"
#include "show/chart/heat/heat.h"
#include "show/chart/lines.h"
#include "show/chart/axes.h"
#include "show/chart/select.h"
#include "show/chart/traces.h"

/*
 * Adds to `names` the benchmarks of a file's rows that --where selects. Returns true if the file
 * has more than one benchmark.
 */
static bool list_benchmarks(json_t *names, const struct picture *all, const struct plot_run *run)
{
	/*
	 * check measures only one or two points per benchmark, except for its ring, which has all
	 * sizes
	 */
	bool few = !strcmp(document_command(run->doc), "check") && !all->ask->nwhere;
	bool several = false;
	const char *last = "";
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(run->doc), i, row) {
		const char *name = row_text(row, COL_BENCHMARK);

		if (!*name || !select_accepts(all, run, row) || (few && strcmp(name, "beff") != 0))
			continue;
		several |= *last && strcmp(last, name) != 0;
		last = name;
		json_object_set_new(names, name, json_null());
	}
	return several;
}

/*
 * Lists the files of a picture. Files with selected rows come first. If no file has selected rows,
 * all files count as drawn.
 */
static void choose_files(struct picture *pic, const struct album *a)
{
	size_t n = 0, k;
	json_t *row;

	pic->nfiles = a->nfiles;
	pic->runs = memory_new(a->nfiles, sizeof(*pic->runs));
	/* the second half of the loop adds the files without rows */
	for (size_t i = 0; i < 2 * a->nfiles; i++) {
		const struct plot_run *file = &a->files[i % a->nfiles];
		struct plot_run *run = &pic->runs[n];
		bool has_rows = false;

		json_array_foreach(document_rows(file->doc), k, row)
			has_rows = has_rows || select_accepts(pic, file, row);
		if (has_rows != (i < a->nfiles))
			continue;
		pic->nruns += i < a->nfiles;
		n++;
		*run = *file;
		if (i < a->nfiles)
			continue;
		if (!json_array_size(document_rows(run->doc)))
			traces_set_reason(run, "it has no rows");
		else if (pic->benchmark)
			traces_set_reason(run, "no row belongs to %s%s%s",
					  select_command_prefix(pic->benchmark),
					  pic->benchmark, pic->ask->nwhere
					  ? " and meets '--where' and '--sizes'" : "");
		else
			traces_set_reason(run, "no row meets '--where' and '--sizes'");
	}
	pic->nruns = pic->nruns ? pic->nruns : a->nfiles;
}

static void free_picture(struct picture *pic)
{
	for (size_t i = 0; i < pic->ntraces; i++) {
		free(pic->traces[i].fit.v);
		free(pic->traces[i].curve.v);
		free(pic->traces[i].p);
	}
	free(pic->traces);
	lines_free(&pic->caption);
	heat_free(pic->heat);
	free(pic->rules);
	json_decref(pic->x.names);
	free(pic->runs);
}

/*
 * Drops pictures without points. Gives one warning for all pictures that are empty for the same
 * reason.
 */
static void drop_empty(struct album *a)
{
	json_t *empty = json_object(), *names; /* `empty` maps each reason to names of benchmarks */
	const char *why;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		struct picture *pic = &a->v[i];
		struct text list = { .n = 0 };

		if (pic->ntraces) {
			a->v[n++] = *pic;
			continue;
		}
		names = json_object_get(empty, pic->runs[0].why);
		if (names)
			text_add(&list, "%s, ", json_string_value(names));
		text_quote(&list, "", pic->benchmark);
		json_object_set_new_nocheck(empty, pic->runs[0].why, json_string_nocheck(list.s));
		free_picture(pic);
	}
	json_object_foreach(empty, why, names)
		error_warn("no picture of benchmark %s: %s", json_string_value(names), why);
	json_decref(empty);
	a->n = n;
	for (size_t i = 0; i < n; i++) {
		a->v[i].number = i + 1;
		a->v[i].of = n;
	}
}

/* Returns the reason why no picture shows a file; NULL if a picture shows it. */
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

/*
 * Drops pictures without points, and warns of files that no picture shows. Returns ST_OK or
 * ST_USAGE (reported).
 */
static int check_pictures(struct album *a)
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

/*
 * Makes a picture: selects its files, columns and rows, and makes its series or its heat map.
 * Returns ST_OK or another ST_*.
 */
static int make_picture(struct picture *pic, const struct album *a, bool heat)
{
	int err;

	choose_files(pic, a);
	if (heat)
		return heat_make(pic);
	err = select_columns(pic);
	if (err)
		return err;
	for (size_t i = 0; i < pic->nruns && pic->ask->named; i++)
		pic->runs[i].legend = heading_legend(pic, &pic->runs[i]);
	return traces_make(pic);
}

/*
 * Makes a picture for each benchmark if a file has several benchmarks, else a single picture.
 * Returns ST_OK or another ST_*.
 */
static int make_pictures(struct album *a, const struct chart_request *ask, bool heat)
{
	bool several = false, side_by_side = ask->x && !strcmp(ask->x, "benchmark");
	struct picture all = { .ask = ask };
	size_t n = 0, nnames;
	const char *name;
	json_t *none;
	int err = ST_OK;

	a->benchmarks = json_object();
	for (size_t i = 0; i < a->nfiles && !heat; i++)
		several |= list_benchmarks(a->benchmarks, &all, &a->files[i]);
	nnames = json_object_size(a->benchmarks);
	a->n = several && !side_by_side ? nnames : 1;
	a->v = memory_new(a->n, sizeof(*a->v));
	for (size_t i = 0; i < a->n; i++)
		a->v[i] = (struct picture){ .ask = ask, .number = 1, .of = 1,
					    .x.linear = ask->linear_x, .y.linear = ask->linear_y };
	if (nnames == a->n && !side_by_side)
		json_object_foreach(a->benchmarks, name, none)
			a->v[n++].benchmark = name;
	for (size_t i = 0; i < a->n && !err; i++)
		err = make_picture(&a->v[i], a, heat);
	return err;
}

int album_make(struct album *a, const struct chart_request *ask)
{
	bool heat = heat_is_wanted(a, ask);
	int err = select_check_where(a, ask);

	for (size_t i = 0; i < a->nfiles; i++)
		heading_find_facts(&a->files[i]);
	if (!err)
		err = make_pictures(a, ask, heat);
	if (!err && !heat)
		err = check_pictures(a);
	if (!err && !heat)
		err = axes_check_lines(a, ask);
	return err ? err : compose_charts(a, ask);
}

void album_add(struct album *a, const char *path, json_t *doc)
{
	a->files = memory_grow(a->files, a->nfiles, sizeof(*a->files));
	a->files[a->nfiles] = (struct plot_run){ .path = path, .doc = doc, .reps_min = NAN,
						 .reps_max = NAN };
	for (size_t i = 0; i < a->nfiles; i++)
		a->alike |= !strcmp(file_base_name(a->files[i].path), file_base_name(path));
	a->nfiles++;
	for (size_t i = 0; i < a->nfiles; i++)
		a->files[i].label = a->alike ? a->files[i].path : file_base_name(a->files[i].path);
}

void album_free(struct album *a)
{
	compose_free(a);
	for (size_t i = 0; i < a->n; i++)
		free_picture(&a->v[i]);
	for (size_t i = 0; i < a->nfiles; i++) {
		free(a->files[i].facts);
		json_decref(a->files[i].doc);
	}
	json_decref(a->benchmarks);
	free(a->v);
	free(a->files);
}
