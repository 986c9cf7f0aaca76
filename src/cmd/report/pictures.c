/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures that a page begins with: results of the same command and columns are in one. */
#include "cmd/report/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/report/map.h"
#include "result/document.h"
#include "show/chart/album.h"

/* Where faults of drawing go: a page without pictures says why. */
static struct page_figure *drawn;

static void keep_why(const char *text, int status)
{
	(void)status;
	snprintf(drawn->why, sizeof(drawn->why), "%s", text);
}

static bool are_alike(const struct document *a, const struct document *b)
{
	return !report_is_map(a->json) &&
	       !strcmp(document_command(a->json), document_command(b->json)) &&
	       json_equal(document_columns(a->json), document_columns(b->json));
}

/* Finds which results stand in one picture. */
static int group(struct report *r)
{
	r->figures = calloc(r->n, sizeof(*r->figures));
	if (!r->figures)
		return error_report("no memory for pictures");
	for (size_t i = 0; i < r->n; i++) {
		size_t first = 0;

		while (first < i && !are_alike(&r->docs[first], &r->docs[i]))
			first++;
		r->docs[i].figure = first < i ? r->docs[first].figure : r->nfigures++;
	}
	return ST_OK;
}

static int draw(const struct report *r, size_t number)
{
	struct page_figure *f = drawn = &r->figures[number];
	struct album a = { .nfiles = 0 };
	int err = ST_OK;

	for (size_t i = 0; i < r->n && !err; i++)
		if (r->docs[i].figure == number)
			err = album_add(&a, r->docs[i].path, json_incref(r->docs[i].json));
	if (err)
		return err;
	error_route(keep_why);
	err = svg_draw(&a, r->rates, command_summary, number + 1, &f->svg, &f->n);
	error_route(NULL);
	return err;
}

int report_draw(struct report *r)
{
	bool warned = false;
	int err = group(r);

	if (err)
		return err;
	for (size_t i = 0; i < r->nfigures; i++) {
		err = draw(r, i);
		if (err == ST_UNAVAILABLE && !warned)
			error_warn("the report has no pictures: %s", r->figures[i].why);
		warned |= err == ST_UNAVAILABLE;
	}
	return ST_OK;
}

void report_free_figures(struct report *r)
{
	for (size_t i = 0; i < r->nfigures; i++)
		svg_free(r->figures[i].svg, r->figures[i].n);
	free(r->figures);
}

/* The first result of a figure. */
static const struct document *first_of(const struct report *r, size_t number)
{
	const struct document *d = r->docs;

	while (d->figure != number)
		d++;
	return d;
}

/* "Results 1, 2, latency" */
static void put_heading(struct page *to, const struct report *r, size_t number)
{
	struct text of = { .n = 0 };
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->docs[i].figure == number)
			text_add(&of, "%s%zu", n++ ? ", " : "", i + 1);
	page_heading(to, 3, NULL, "Result%s %s, %s", n > 1 ? "s" : "", of.s,
		     document_command(first_of(r, number)->json));
}

void report_pictures(struct page *to, const struct report *r)
{
	for (size_t i = 0; i < r->nfigures; i++) {
		const struct page_figure *f = &r->figures[i];
		bool map = report_is_map(first_of(r, i)->json);

		put_heading(to, r, i);
		for (size_t k = 0; k < f->n; k++) {
			page_include(to, map ? "<figure class=\"map\">\n" : "<figure>\n");
			page_include(to, f->svg[k].text);
			page_include(to, "</figure>\n");
		}
		if (*f->why)
			page_paragraph_say(to, "No picture: %s", f->why);
	}
}
