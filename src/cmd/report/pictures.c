/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures at the top of a page. Results of the same command with the same columns share a
 * picture.
 */
#include "cmd/report/pictures.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/report/map.h"
#include "result/document.h"
#include "show/chart/album.h"
#include "show/history/picture.h"
#include "show/svg.h"

/* The error that drawing reported. The page shows it instead of the picture. */
static char why[ERROR_TEXT];

static void store_error(const char *text, int status)
{
	snprintf(why, sizeof(why), "%s", text);
}

/* Returns whether two results share a picture. */
static bool share_picture(const struct document *a, const struct document *b)
{
	return a == b || (!report_is_map(a->json) && strcmp(document_command(a->json), "history") &&
			  !strcmp(document_command(a->json), document_command(b->json)) &&
			  json_equal(document_columns(a->json), document_columns(b->json)));
}

/* Draws the results of an album, and frees the album. Returns like svg_draw. */
static int draw_album(struct album *a, const struct report *r, size_t number, char ***svg,
		      size_t *n)
{
	struct curves curves = { .n = 0 };
	int err;

	curves_read(&curves, a->files[0].doc);
	if (curves.n) {
		*svg = memory_new(1, sizeof(**svg));
		err = trend_draw(&curves, text_from("r%zu-1-", number).s, *svg);
		*n = !err;
		album_free(a);
	} else {
		err = svg_draw(a, r->rates, command_summary, number, svg, n);
	}
	curves_free(&curves);
	return err;
}

void report_pictures(struct page *to, const struct report *r)
{
	const struct document *end = r->docs + r->n;
	bool warned = false;
	size_t number = 0;

	for (const struct document *d = r->docs, *first; d < end; d++) {
		struct album a = { .nfiles = 0 };
		struct text of = { .n = 0 };
		char **svg = NULL;
		size_t n = 0;
		int err;

		for (first = r->docs; !share_picture(first, d); first++)
			;
		if (first < d)
			continue;
		for (const struct document *e = d; e < end; e++) {
			if (!share_picture(d, e))
				continue;
			text_add(&of, "%s%zu", of.n ? ", " : "", (size_t)(e - r->docs) + 1);
			album_add(&a, e->path, json_incref(e->json));
		}
		page_heading(to, 3, NULL, "Result%s %s, %s", strchr(of.s, ',') ? "s" : "", of.s,
			     document_command(d->json));
		*why = '\0';
		error_route(store_error);
		err = draw_album(&a, r, ++number, &svg, &n);
		error_route(NULL);
		for (size_t i = 0; i < n; i++) {
			page_include(to, report_is_map(d->json) ? "<figure class=\"map\">\n"
								: "<figure>\n");
			page_include(to, svg[i]);
			page_include(to, "</figure>\n");
		}
		svg_free(svg, n);
		if (*why)
			page_paragraph_say(to, "No picture: %s", why);
		if (err == ST_UNAVAILABLE && !warned)
			error_warn("the report has no pictures: %s", why);
		warned |= err == ST_UNAVAILABLE;
	}
}
