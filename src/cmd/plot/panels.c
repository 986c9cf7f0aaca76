/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small multiples: the pictures of several benchmarks side by side on one page, with one title and
 * one caption. Pictures of the same quantity have the same axis of y.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"

/* The page without --size is so wide; what letters are scaled by; the least width of a panel. */
#define PAGE_WIDTH 1280
#define PAGE_HEIGHT 900
#define PANEL_WIDTH 240

/* Pixels of a panel's height for which tics are chosen; lines between its axes. */
#define PANEL_HEIGHT 300
static const double lines_usual = 12, lines_least = 6;

/* ---- the caption of the page ---- */

/* A line of captions, and the pictures that have it. */
struct remark {
	const struct text_line *line;
	struct text of;
	size_t n;
};

static bool is_same(const struct text_line *a, const struct text_line *b)
{
	return a->kind == b->kind && !strcmp(a->text, b->text);
}

static struct remark *remark_of(struct remark *v, size_t *n, const struct text_line *line)
{
	for (size_t i = 0; i < *n; i++)
		if (is_same(v[i].line, line))
			return &v[i];
	v[*n] = (struct remark){ .line = line };
	return &v[(*n)++];
}

/* Each line of the captions once, after the benchmarks that it is about, unless it is about all. */
static int join_captions(struct picture *whole, const struct album *a)
{
	size_t most = 1, n = 0;
	struct remark *v;

	for (size_t i = 0; i < a->n; i++)
		most += a->v[i].caption.n;
	v = calloc(most, sizeof(*v));
	if (!v)
		return error_report("no memory for a caption");
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < a->v[i].caption.n; k++) {
			struct remark *r = remark_of(v, &n, &a->v[i].caption.v[k]);

			text_add(&r->of, "%s%s", r->of.n ? ", " : "", a->v[i].benchmark);
			r->n++;
		}
	}
	for (size_t i = 0; i < n; i++)
		plot_add(&whole->caption, v[i].line->kind, "%s%s%s", v[i].n < a->n ? v[i].of.s : "",
			 v[i].n < a->n ? ": " : "", v[i].line->text);
	free(v);
	for (size_t i = 0; i < a->n; i++)
		plot_free_lines(&a->v[i].caption);
	return whole->caption.failed ? ST_FAILED : ST_OK;
}

/* ---- axes ---- */

/* Gives pictures of one quantity on one kind of scale the range of all of them. */
static void share_axes(struct album *a)
{
	for (size_t i = 0; i < a->n; i++) {
		struct axis *y = &a->v[i].y;
		double lo = y->lo, hi = y->hi;

		for (size_t k = 0; k < a->n; k++) {
			const struct axis *other = &a->v[k].y;

			if (strcmp(other->column, y->column) != 0 || other->log != y->log)
				continue;
			lo = fmin(lo, other->lo);
			hi = fmax(hi, other->hi);
		}
		y->from = isnan(y->from) ? lo : y->from;
		y->to = isnan(y->to) ? hi : y->to;
	}
}

/* ---- legends ---- */

static bool has_same_series(const struct picture *p, const struct picture *q)
{
	bool same = p->ntraces == q->ntraces;

	for (size_t i = 0; i < p->ntraces && same; i++)
		same = !strcmp(p->traces[i].label, q->traces[i].label);
	return same;
}

/* A picture with the same series as one before it refers to the legend of that one. */
static void share_legends(struct album *a)
{
	for (size_t i = 1; i < a->n; i++)
		for (size_t k = 0; k < i && !a->v[i].legend_of; k++)
			if (plot_has_legend(&a->v[i]) && !a->v[k].legend_of &&
			    has_same_series(&a->v[i], &a->v[k]))
				a->v[i].legend_of = a->v[k].benchmark;
}

/* ---- places ---- */

/* About as many columns as rows, but no more than have room for the legends. */
static size_t columns_of(const struct album *a, const struct canvas *page)
{
	double shape = page->fixed ? (double)page->width / page->height : 1;
	double least = PANEL_WIDTH * page->scale;
	size_t n = (size_t)ceil(sqrt((double)a->n * shape)), most;

	for (size_t i = 0; i < a->n; i++)
		least = fmax(least, plot_legend_width(&a->v[i], page));
	most = (size_t)(page->width / least);
	n = n < a->n ? n : a->n;
	return n < most ? n : most ? most : 1;
}

static struct canvas page_of(const struct canvas *c)
{
	struct canvas page = *c;

	page.width = c->fixed ? c->width : PAGE_WIDTH;
	page.scale = c->fixed ? fmax(0.6, fmin(c->width / (double)PAGE_WIDTH,
					       c->height / (double)PAGE_HEIGHT))
			      : 1;
	return page;
}

/* Gives the panels of each row the height of the highest, and what there is more to all rows. */
static void place(struct plot_panels *p, const struct album *a, double header, double more)
{
	size_t nrows = (a->n + p->columns - 1) / p->columns;
	double top = header;

	for (size_t row = 0; row < nrows; row++) {
		size_t first = row * p->columns, last = fmin(first + p->columns, a->n);
		unsigned height = 0;

		for (size_t i = first; i < last; i++)
			height = p->at[i].height > height ? p->at[i].height : height;
		height += (unsigned)(more / nrows);
		for (size_t i = first; i < last; i++) {
			p->at[i].height = height;
			p->at[i].top = (unsigned)top;
			p->at[i].left = (unsigned)(i - first) * p->at[i].width;
		}
		top += height;
	}
	p->page.height = p->page.fixed ? p->page.height : (unsigned)top;
}

/* The height that rows of panels need. */
static double rows_height(const struct plot_panels *p, const struct album *a)
{
	double sum = 0, highest = 0;

	for (size_t i = 0; i < a->n; i++) {
		highest = fmax(i % p->columns ? highest : 0, p->at[i].height);
		sum += i % p->columns == p->columns - 1 || i + 1 == a->n ? highest : 0;
	}
	return sum;
}

/* The page's title above, its caption below the panels; for both and the edges 1.5 lines more. */
static int make_room(struct plot_panels *p, const struct album *a)
{
	struct layout l;
	double line, rows = rows_height(p, a), more, lacking;
	int err = plot_break_texts(&p->whole, &p->page);

	if (err)
		return err;
	plot_layout(&l, &p->whole, &p->page);
	line = l.line;
	lacking = ((double)(p->whole.title.n + p->whole.caption.n) + 1.5) + rows / line -
		  p->page.height / line;
	if (p->page.fixed)
		plot_shorten_caption(&p->whole, &p->page, lacking);
	more = p->page.height - rows -
	       line * ((double)(p->whole.title.n + p->whole.caption.n) + 1.5);
	if (p->page.fixed && more < 0)
		return error_usage("no room in %ux%u for %zu panels with their text: see '--size', "
				   "'--where' and '--separate'", p->page.width, p->page.height,
				   a->n);
	place(p, a, line * ((double)p->whole.title.n + 0.7), p->page.fixed ? more : 0);
	if (!p->page.fixed)
		p->page.height += (unsigned)(line * ((double)p->whole.caption.n + 0.8));
	if (p->page.height > PLOT_SIZE_MAX)
		return error_usage("no room for %zu panels: see '--where'", a->n);
	for (size_t i = 0; i < a->n; i++)
		p->at[i].page_height = p->page.height;
	return ST_OK;
}

/* Scales the axes of all panels, and takes their captions. */
static int lay_out(struct plot_panels *p, struct album *a)
{
	int err = ST_OK;

	for (size_t i = 0; i < a->n; i++)
		plot_axes(&a->v[i], &p->at[i]);
	share_axes(a);
	share_legends(a);
	for (size_t i = 0; i < a->n && !err; i++) {
		plot_axes(&a->v[i], &p->at[i]);
		err = plot_texts(&a->v[i], &p->at[i]);
	}
	err = err ? err : plot_heading(&p->whole);
	err = err ? err : join_captions(&p->whole, a);
	for (size_t i = 0; i < a->n && !err; i++) {
		p->at[i].height = 0;
		err = plot_make_room(&a->v[i], &p->at[i]);
	}
	return err ? err : make_room(p, a);
}

int plot_panels(struct plot_panels *p, struct album *a, const struct picture *common,
		const struct canvas *c)
{
	*p = (struct plot_panels){ .whole = *common, .page = page_of(c) };
	p->whole.of = a->n;
	p->columns = columns_of(a, &p->page);
	p->at = calloc(a->n, sizeof(*p->at));
	if (!p->at)
		return error_report("no memory for %zu panels", a->n);
	for (size_t i = 0; i < a->n; i++) {
		a->v[i].panel = true;
		p->at[i] = p->page;
		p->at[i].fixed = false;
		p->at[i].page_width = p->page.width;
		p->at[i].width = p->page.width / (unsigned)p->columns;
		p->at[i].height = (unsigned)(PANEL_HEIGHT * p->page.scale);
		p->at[i].lines = p->page.fixed ? lines_least : lines_usual;
	}
	return lay_out(p, a);
}

void plot_panels_free(struct plot_panels *p)
{
	plot_free_lines(&p->whole.title);
	plot_free_lines(&p->whole.caption);
	free(p->at);
}

int plot_panels_script(FILE *to, const struct plot_panels *p, const struct picture *pics, size_t n)
{
	int err = ST_OK;

	fputs("set multiplot\n", to);
	for (size_t i = 0; i < n && !err; i++) {
		fputs("reset\n", to);
		if (!i)		/* labels come with a plot, wherever on the page they are */
			plot_put_texts(to, &p->whole, &p->page);
		err = plot_script(to, &pics[i], &p->at[i]);
	}
	fputs("unset multiplot\n", to);
	return err;
}
