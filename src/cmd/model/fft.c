/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FFT: what its layouts spend on communication and computing under LogP, and which columns of the
 * butterfly are remote, as text and in SVG.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "base/error.h"
#include "model/fft.h"
#include "model/logp.h"

/* Points in a picture. */
#define PICTURE_MOST 1024

enum picture { PICTURE_NONE, PICTURE_TEXT, PICTURE_SVG };

struct fft_report {
	const struct settings *st;
	const struct model_options *o;
	struct logp p;
	struct numbers processors;
	bool seconds;
	double butterfly;	/* NaN: not known */
};

const char model_fft_no_hybrid[] = "n/a: one remap is not enough, n/P < P";

int model_check_fft(uint64_t n, uint64_t P)
{
	if (n & (n - 1))
		return error_usage("value '%llu' of '--fft' is not a power of two",
				   (unsigned long long)n);
	if (P & (P - 1))
		return error_usage(
			"'--fft' needs a number of processors that is a power of two, not P=%llu",
			(unsigned long long)P);
	if (P > n)
		return error_usage("'--fft' needs at least as many points as processors: "
				   "%llu points, P=%llu", (unsigned long long)n,
				   (unsigned long long)P);
	return ST_OK;
}

int model_parse_butterfly(const struct settings *st, bool seconds, double *t)
{
	const struct model_options *o = st->own;

	*t = seconds ? NAN : 1;
	return o->butterfly ? model_parse_time("butterfly", o->butterfly, seconds, t) : ST_OK;
}

/* ---- times ---- */

static void fill_layout(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	static const char *const remarks[2][2] = {
		/* by whether it is a bound, and the fastest */
		{ "", "fastest" },
		{ "lower bound: g <= 2o", "fastest, lower bound: g <= 2o" },
	};
	const struct fft_report *r = arg;
	struct logp p = r->p;
	enum fft_layout layout = i % FFT_LAYOUTS;
	bool hybrid = layout == FFT_HYBRID, best;
	uint64_t butterflies;
	struct logp_fft f;
	double time, computing;

	p.P = (uint32_t)r->processors.v[i / FFT_LAYOUTS];
	f = logp_fft(&p, (double)r->o->fft);
	time = hybrid ? f.hybrid : f.block;
	best = time <= (f.hybrid < f.block ? f.hybrid : f.block);
	butterflies = fft_butterflies(r->o->fft, p.P);
	computing = (double)butterflies * r->butterfly;
	row_set(row, rec, COL_LAYOUT, val_text(fft_layouts[layout]));
	row_set(row, rec, COL_RANKS, val_uint(p.P));
	row_set(row, rec, model_timed(COL_MODEL_TIME, r->seconds), val_real(time));
	row_set(row, rec, model_timed(COL_LECTURE, r->seconds),
		val_real(hybrid ? f.hybrid_lecture : f.block_lecture));
	row_set(row, rec, model_timed(COL_COMPUTING, r->seconds), val_real(computing));
	row_set(row, rec, model_timed(COL_TOTAL, r->seconds), val_real(time + computing));
	row_set(row, rec, COL_BUTTERFLIES, val_uint(butterflies));
	if (!hybrid || isfinite(f.remaps))
		row_set(row, rec, COL_REMAPS, val_uint(hybrid ? (uint64_t)f.remaps : 0));
	row_set(row, rec, COL_REMARK,
		val_text(isnan(time) ? model_fft_no_hybrid : remarks[f.lower_bound][best]));
}

/* The fastest layout, if P is one number. */
static void conclude(struct record *rec, const struct fft_report *r, char *footer, size_t len)
{
	struct logp_fft f = logp_fft(&r->p, (double)r->o->fft);
	const char *winner = f.hybrid < f.block ? "hybrid" : "block or cyclic";
	char t[2][32];

	if (!r->p.P)
		return;
	model_format_time(t[0], sizeof(t[0]), f.block, r->seconds);
	model_format_time(t[1], sizeof(t[1]), f.hybrid, r->seconds);
	snprintf(footer, len,
		 "\nfastest: %s   (communication: block and cyclic %s, hybrid %s)", winner, t[0],
		 isnan(f.hybrid) ? "n/a" : t[1]);
	rec->footer = footer;
	rec->summary = json_pack("{s:s}", "fastest_layout", winner);
}

static int report_times(const struct fft_report *r, char *title)
{
	const enum column_id cols[] = { COL_LAYOUT, COL_RANKS,
					model_timed(COL_MODEL_TIME, r->seconds),
					model_timed(COL_LECTURE, r->seconds),
					model_timed(COL_COMPUTING, r->seconds),
					model_timed(COL_TOTAL, r->seconds), COL_BUTTERFLIES,
					COL_REMAPS, COL_REMARK };
	const char *const heads[LENGTH(cols)] = { [1] = "P", [2] = "communication" };
	const enum column_id spare[] = { COL_REMARK, COL_REMAPS, COL_BUTTERFLIES };
	struct record rec = MODEL_RECORD("model.logp-fft.v1", title, cols);
	char footer[256];

	rec.heads = heads;
	MODEL_SPARE(&rec, spare);
	rec.environment = model_logp_environment(&r->p, r->seconds);
	conclude(&rec, r, footer, sizeof(footer));
	return model_write(r->st, &rec, FFT_LAYOUTS * r->processors.n, fill_layout, r);
}

static int report_fft(const struct settings *st)
{
	struct fft_report r = { .st = st, .o = st->own };
	int err = model_parse_logp(st, &r.p, &r.processors, &r.seconds, true);
	char title[256], of[64];

	for (size_t i = 0; i < r.processors.n && !err; i++)
		err = model_check_fft(r.o->fft, r.processors.v[i]);
	err = err ? err : model_parse_butterfly(st, r.seconds, &r.butterfly);
	if (!err) {
		snprintf(of, sizeof(of), ", FFT of %llu points", (unsigned long long)r.o->fft);
		model_logp_title(title, sizeof(title), &r.p, r.seconds, of);
		err = r.o->picture ? model_fft_picture(st, r.p.P, title)
				   : report_times(&r, title);
	}
	free(r.processors.v);
	return err;
}

/* ---- pictures ---- */

/* A layout of a picture. */
struct panel {
	enum fft_layout layout;
	uint64_t n, P;
	struct fft_step steps[FFT_STEPS_MOST];
	size_t nsteps;		/* 0: there is no such layout */
};

static const char *kind_of(const struct panel *p, const struct fft_step *s)
{
	return !s->distance ? "remap" : fft_is_remote(s, p->n, p->P) ? "remote" : "local";
}

/* "block: 2 of 4 columns are remote" */
static void name_panel(char *buf, size_t len, const struct panel *p)
{
	size_t remote = 0, remaps = 0;

	for (size_t i = 0; i < p->nsteps; i++) {
		remaps += !p->steps[i].distance;
		remote += p->steps[i].distance && fft_is_remote(&p->steps[i], p->n, p->P);
	}
	if (!p->nsteps)
		snprintf(buf, len, "%s: n/a, one remap is not enough", fft_layouts[p->layout]);
	else
		snprintf(buf, len, "%s: %zu of %zu columns are remote%s", fft_layouts[p->layout],
			 remote, p->nsteps - remaps, remaps ? ", 1 remap" : "");
}

/* Digits of the largest of n numbers from 0 on. */
static int digits(uint64_t n)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)n - 1);
}

/* ---- text ---- */

/* A row: its processor in each column, and between two whose data the step needs. */
static void put_row(const struct panel *p, uint64_t row)
{
	int node = digits(p->P) + 1, link = node > 4 ? node : 4;
	char name[24];

	printf("row %-*llu", digits(p->n), (unsigned long long)row);
	for (size_t i = 0; i <= p->nsteps; i++) {
		const struct fft_step *s = &p->steps[i ? i - 1 : 0];
		uint64_t owner = fft_owner(s, i > 0, p->n, p->P, row);
		uint64_t source = fft_source(s, p->n, p->P, row);

		snprintf(name, sizeof(name), "p%llu", (unsigned long long)source);
		if (i && source != owner)
			printf(" =%s%.*s>", name, link - (int)strlen(name), "====================");
		else if (i)
			printf(" %.*s", link + 2, "----------------------");
		snprintf(name, sizeof(name), "p%llu", (unsigned long long)owner);
		printf(" %-*s", i < p->nsteps ? node : 0, name);
	}
	putchar('\n');
}

static void put_text(const struct panel *p)
{
	int node = digits(p->P) + 1, link = node > 4 ? node : 4;
	char name[128];

	name_panel(name, sizeof(name), p);
	printf("\n%s\n", name);
	if (!p->nsteps)
		return;
	printf("%*s", 4 + digits(p->n) + 1 + node, "");
	for (size_t i = 0; i < p->nsteps; i++)
		printf(" %-*s", i + 1 < p->nsteps ? link + 3 + node : 0, kind_of(p, &p->steps[i]));
	putchar('\n');
	for (uint64_t row = 0; row < p->n; row++)
		put_row(p, row);
}

static void put_texts(const struct panel *panels, const char *title)
{
	model_put_title(title);
	printf("p0: a row of processor 0; =p1=>: needs data of processor 1; ---: needs none\n");
	for (int i = 0; i < FFT_LAYOUTS; i++)
		put_text(&panels[i]);
}

/* ---- SVG ---- */

#define LEFT 60
#define TOP 110
#define COLUMN 64
#define LINE 22
#define RADIUS 9

static const char *const colours[] = {
	"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
};

static double width_of(const struct panel *p)
{
	return LEFT + fmax((double)p->nsteps * COLUMN, 300);
}

/* Where column i is in a picture in which the panel begins at x. */
static double at_x(double x, size_t i)
{
	return x + LEFT + (double)i * COLUMN;
}

static double at_y(uint64_t row)
{
	return TOP + (double)row * LINE;
}

static void put_edge(const struct panel *p, double x, size_t i, uint64_t from, uint64_t to)
{
	const struct fft_step *s = &p->steps[i];
	bool remote = fft_owner(s, 0, p->n, p->P, from) != fft_owner(s, 1, p->n, p->P, to);

	printf("<line class=\"%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\"/>\n",
	       remote ? "remote" : "local", at_x(x, i), at_y(from), at_x(x, i + 1), at_y(to));
}

static void put_node(const struct panel *p, double x, size_t i, uint64_t row)
{
	uint64_t owner = fft_owner(&p->steps[i ? i - 1 : 0], i > 0, p->n, p->P, row);

	printf("<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%d\" fill=\"%s\"/>\n", at_x(x, i), at_y(row),
	       RADIUS, colours[owner % LENGTH(colours)]);
	printf("<text class=\"node\" x=\"%.0f\" y=\"%.0f\">%llu</text>\n", at_x(x, i),
	       at_y(row) + 3, (unsigned long long)owner);
}

static void put_panel(const struct panel *p, double x)
{
	char name[128];

	name_panel(name, sizeof(name), p);
	printf("<g id=\"%s\">\n<text x=\"%.0f\" y=\"%d\">%s</text>\n", fft_layouts[p->layout],
	       x + LEFT - RADIUS, TOP - 46, name);
	for (size_t i = 0; i < p->nsteps; i++)
		printf("<text class=\"head %s\" x=\"%.0f\" y=\"%d\">%s</text>\n",
		       strcmp(kind_of(p, &p->steps[i]), "local") ? "far" : "near",
		       at_x(x, i) + COLUMN / 2, TOP - 22, kind_of(p, &p->steps[i]));
	for (size_t i = 0; i < p->nsteps; i++)
		for (uint64_t row = 0; row < p->n; row++) {
			put_edge(p, x, i, row, row);
			if (p->steps[i].distance)
				put_edge(p, x, i, row ^ p->steps[i].distance, row);
		}
	for (size_t i = 0; p->nsteps && i <= p->nsteps; i++)
		for (uint64_t row = 0; row < p->n; row++)
			put_node(p, x, i, row);
	for (uint64_t row = 0; p->nsteps && row < p->n; row++)
		printf("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%llu</text>\n",
		       at_x(x, 0) - RADIUS - 6, at_y(row) + 4, (unsigned long long)row);
	printf("</g>\n");
}

/* Layouts side by side; in each a row has its number and in each column a circle. */
static void put_svg(const struct panel *panels, const char *title)
{
	const char *style = "text{font:12px sans-serif}.node{font-size:9px;text-anchor:middle}"
			    ".head{text-anchor:middle}.far{fill:#cc3311}.near{fill:#777}"
			    ".local{stroke:#bbb}.remote{stroke:#cc3311;stroke-width:1.5}";
	double x = 0, width = 20;

	for (int i = 0; i < FFT_LAYOUTS; i++)
		width += width_of(&panels[i]);
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
	       "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	       width, at_y(panels[0].n) + 10, style);
	printf("<text x=\"10\" y=\"18\">%s (computed)</text>\n<text x=\"10\" y=\"36\">circles: "
	       "the processor that has a row; red: data of another processor</text>\n", title);
	for (int i = 0; i < FFT_LAYOUTS; i++) {
		put_panel(&panels[i], x);
		x += width_of(&panels[i]);
	}
	printf("</svg>\n");
}

int model_fft_picture(const struct settings *st, uint64_t P, const char *title)
{
	static const char *const idle[] = { "butterfly", "sizes", "max-size", "min-size" };
	const struct model_options *o = st->own;
	struct panel panels[FFT_LAYOUTS];
	int err = model_check_picture(st);

	for (size_t i = 0; i < LENGTH(idle) && !err; i++)
		err = settings_exclude(st, "picture", idle[i]);
	if (err)
		return err;
	if (!P)
		return error_usage("'--picture' is of one FFT: give 'P' one value");
	if (o->fft > PICTURE_MOST)
		return error_usage("'--fft' of %llu points is too large for a picture: at most %d",
				   (unsigned long long)o->fft, PICTURE_MOST);
	for (enum fft_layout layout = 0; layout < FFT_LAYOUTS; layout++) {
		panels[layout] = (struct panel){ .layout = layout, .n = o->fft, .P = P };
		panels[layout].nsteps = fft_steps(layout, o->fft, P, panels[layout].steps);
	}
	(o->picture == PICTURE_TEXT ? put_texts : put_svg)(panels, title);
	return ST_OK;
}

const struct mode model_logp_fft = {
	.by = { "logp", .with = "fft", .bit = MODEL_LOGP_FFT }, .run = report_fft,
};
