/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scales and tics: sizes at powers of two, other values at 1, 2, 5 times powers of ten; 0 before a
 * break.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/sort.h"
#include "result/row.h"

/* Rows of text that a tic of y takes, and columns that one of x takes, with the space between. */
#define TIC_ROWS 3
#define TIC_COLUMNS 10

/* Pixels of a line of text and of a character. */
#define LINE_PIXELS 16
#define CHAR_PIXELS 7

char *plot_number(char *buf, size_t len, double value, const char *unit)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	char *blank, *end;
	size_t i = 0;

	if (!strcmp(unit, "B") && value >= 0 && value == floor(value)) {
		for (; i < 4 && value >= 1024 && fmod(value, 1024) == 0; i++)
			value /= 1024;
		snprintf(buf, len, "%.10g %s", value, units[i]);
		return buf;
	}
	if (!*unit || value == 0 || !strcmp(unit, "%")) {
		snprintf(buf, len, "%.6g%s%s", value, *unit ? " " : "", unit);
		return buf;
	}
	format_si(buf, len, value, unit);
	blank = strchr(buf, ' ');
	if (blank && memchr(buf, '.', (size_t)(blank - buf))) {	/* remove trailing zeros */
		for (end = blank; end[-1] == '0'; end--)
			;
		end -= end[-1] == '.';
		memmove(end, blank, strlen(blank) + 1);
	}
	return buf;
}

static void include(struct axis *a, double value, bool *has_zero)
{
	if (isnan(value))
		return;
	if (value <= 0)
		*has_zero = true;
	a->log &= value >= 0;
	if (!(a->lo <= value) && (value > 0 || !a->log))
		a->lo = value;
	if (!(a->hi >= value) && (value > 0 || !a->log))
		a->hi = value;
}

/* The range of all values, without 0 if the axis can be logarithmic. True if a value is 0. */
static bool find_range(struct axis *a, const struct picture *pic, bool is_x)
{
	bool zero = false;

	a->log = !a->linear;
	a->lo = a->hi = NAN;
	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t k = 0; k < pic->traces[i].n; k++) {
			const struct plot_point *p = &pic->traces[i].p[k];
			const double of_y[] = { p->y, p->lo, p->hi, p->p90, p->p99 };

			if (plot_is_outside(&pic->x, p->x))
				continue;
			for (size_t m = 0; m < (is_x ? 1 : sizeof(of_y) / sizeof(of_y[0])); m++)
				include(a, is_x ? p->x : of_y[m], &zero);
		}
	}
	if (!is_x && plot_is_ratio(pic)) {
		include(a, 1, &zero);
		include(a, plot_limit(pic, false), &zero);
		include(a, plot_limit(pic, true), &zero);
	}
	return zero;
}

/* The length of a logarithmic axis. */
static double span(const struct axis *a)
{
	return log(a->hi) - log(a->lo);
}

/* Some space at both ends, but at none that the user has given. */
static void widen(struct axis *a)
{
	double by;

	if (a->log) {
		by = fmax(0.05 * span(a), log(1.1));
		a->lo = fmax(a->lo * exp(-by), DBL_MIN);
		a->hi = fmin(a->hi * exp(by), DBL_MAX);
	} else {
		by = a->hi > a->lo ? 0.05 * (a->hi - a->lo) : a->hi != 0 ? 0.1 * fabs(a->hi) : 1;
		a->lo = a->lo == 0 ? 0 : a->lo - by;
		a->hi += by;
	}
	if (a->from > 0 || (!isnan(a->from) && !a->log))
		a->lo = a->from;
	if (a->to > a->lo)
		a->hi = a->to;
	else if (!strcmp(a->unit, "%") && a->hi > 100)	/* all of it */
		a->hi = 100;
	if (!(a->hi > a->lo))		/* the range begins beyond all values */
		a->hi = a->log ? 10 * a->lo : a->lo + fmax(fabs(a->lo), 1);
}

double plot_place(const struct axis *x, double value)
{
	return x->broken && value == 0 ? x->zero : value;
}

static void add_tic(struct axis *a, double at, bool labelled)
{
	struct tic *t = &a->tics[a->ntics];

	if (at < a->lo || at > a->hi || a->ntics == TICS_MAX || (a->broken && at < a->gap))
		return;
	t->at = at;
	t->text[0] = '\0';
	if (labelled)
		plot_number(t->text, sizeof(t->text), at, a->unit);
	a->ntics++;
}

/* Rounds a step up to 1, 2 or 5 times a power of ten. */
static double nice(double step)
{
	double power = pow(10, floor(log10(step)));

	return (step <= power ? 1 : step <= 2 * power ? 2 : step <= 5 * power ? 5 : 10) * power;
}

static void linear_tics(struct axis *a, unsigned most)
{
	double step = fmax(nice((a->hi - a->lo) / most), a->whole ? 1 : 0);
	double first = ceil(a->lo / step - 1e-9) + 0.0;		/* + 0.0: not -0 */

	for (double i = first; i * step <= a->hi * (1 + 1e-12) && i < first + TICS_MAX; i++)
		add_tic(a, i * step, true);
}

/* Powers of ten, with few of them also 2 and 5 times these; equal steps within a decade. */
static void decimal_tics(struct axis *a, unsigned most)
{
	double decades = span(a) / log(10);
	int first = (int)floor(log10(a->lo)), last = (int)ceil(log10(a->hi));
	int step = (int)ceil(decades / most);

	if (decades < 0.8) {
		linear_tics(a, most);
		return;
	}
	for (int e = first; e <= last; e++) {
		for (int digit = 1; digit < 10; digit++) {
			bool labelled = digit == 1 ? e % (step > 0 ? step : 1) == 0
					: (digit == 2 || digit == 5) && 3 * decades <= most;

			if (labelled || step == 1)
				add_tic(a, digit * pow(10, e), labelled);
		}
	}
}

/* The powers of two 2^0, 2^step, 2^(2 step), ... */
static void binary_tics(struct axis *a, unsigned most)
{
	static const int steps[] = { 1, 2, 5, 10, 20, 40 };
	double octaves = span(a) / log(2);
	size_t i = 0;

	while (i < 5 && octaves / steps[i] > most)
		i++;
	for (int e = 0; e < 64; e += steps[i])
		add_tic(a, exp2(e), true);
}

void plot_scale_tics(struct axis *a, unsigned most)
{
	a->ntics = 0;
	(a->log ? decimal_tics : linear_tics)(a, most);
}

/* Tics at the values, with labels where there is room. False, and no tics, if they are too many. */
static bool value_tics(struct axis *a, const struct picture *pic, unsigned most)
{
	double values[32], last = NAN;
	size_t n = 0, k;

	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t m = 0; m < pic->traces[i].n; m++) {
			double x = pic->traces[i].p[m].x;

			for (k = 0; k < n && values[k] != x; k++)
				;
			if (k == sizeof(values) / sizeof(values[0]))
				return false;
			values[k] = x;
			n += k == n;
		}
	}
	sort_doubles(values, n);
	for (k = 0; k < n; k++) {
		double share = a->log ? log(values[k] / last) / span(a)
				      : (values[k] - last) / (a->hi - a->lo);
		bool room = isnan(last) || share * most > 1;

		if (values[k] == 0 && a->log)
			continue;
		add_tic(a, values[k], room);
		last = room ? values[k] : last;
	}
	return true;
}

/* Tics with texts, as many of them as have room. */
static void name_tics(struct axis *a, unsigned ncolumns)
{
	size_t widest = 1, step, fewest = (a->nnames + TICS_MAX - 1) / TICS_MAX;

	a->lo = 0.5;
	a->hi = (double)a->nnames + 0.5;
	for (size_t i = 0; i < a->nnames; i++)
		widest = plot_width(a->names[i]) > widest ? plot_width(a->names[i]) : widest;
	widest = widest < sizeof(a->tics[0].text) ? widest : sizeof(a->tics[0].text);
	step = ((widest + 2) * a->nnames + ncolumns - 1) / ncolumns;
	step = step > fewest ? step : fewest;
	for (size_t i = 0; i < a->nnames; i += step) {
		struct tic *t = &a->tics[a->ntics++];

		t->at = (double)(i + 1);
		snprintf(t->text, sizeof(t->text), "%s", a->names[i]);
	}
}

static void scale_x(struct picture *pic, unsigned ncolumns)
{
	struct axis *x = &pic->x;
	bool bytes = !strcmp(x->unit, "B"), zero;
	unsigned most = ncolumns / TIC_COLUMNS;

	if (x->text) {
		name_tics(x, ncolumns);
		return;
	}
	zero = find_range(x, pic, true);
	x->log &= !isnan(x->lo) && (bytes || x->hi >= 8 * x->lo);
	if (!x->log)
		x->lo = zero && !(x->lo < 0) ? 0 : x->lo;
	if (isnan(x->lo))
		x->lo = 0;
	if (isnan(x->hi))
		x->hi = 0;
	if (x->log && zero && !(x->from > 0)) {	/* 0 so far to the left that its tic has room */
		double by = fmax(fmax(0.05, (double)TIC_COLUMNS / ncolumns) * span(x), log(2));

		x->broken = true;
		x->zero = x->lo * exp(-by);
		x->gap = x->lo * exp(-by / 2);
		x->lo = x->zero;
	}
	widen(x);
	if (bytes && x->log && span(x) > log(40))
		binary_tics(x, most);
	else if (pic->kind || !value_tics(x, pic, most))
		(x->log ? decimal_tics : linear_tics)(x, most);
	if (x->broken && x->ntics < TICS_MAX) {
		struct tic *t = &x->tics[x->ntics++];

		t->at = x->zero;
		plot_number(t->text, sizeof(t->text), 0, x->unit);
	}
}

static void scale_y(struct picture *pic, unsigned rows)
{
	struct axis *y = &pic->y;
	bool zero = find_range(y, pic, false);
	unsigned most = rows / TIC_ROWS > 3 ? rows / TIC_ROWS : 3;

	if (zero && y->from > 0)	/* what is 0 is left out */
		zero = false;
	/* a logarithmic scale has no 0, and does not suit shares and the like */
	if (zero || (!*y->unit && !plot_is_ratio(pic)) || isnan(y->hi))
		y->log = false;
	if (!y->log) {
		zero |= isnan(y->lo) || (y->linear && *y->unit);
		y->lo = zero && !(y->lo < 0) ? 0 : y->lo;
		y->hi = isnan(y->hi) ? 0 : y->hi;
	}
	widen(y);
	plot_scale_tics(y, most);
}

static void count_outside(struct picture *pic)
{
	pic->noutside = 0;
	for (size_t i = 0; i < pic->ntraces; i++)
		for (size_t k = 0; k < pic->traces[i].n; k++)
			pic->noutside += plot_is_outside(&pic->x, pic->traces[i].p[k].x) ||
					 plot_is_outside(&pic->y, pic->traces[i].p[k].y);
}

void plot_axes(struct picture *pic, const struct canvas *c)
{
	double column = c->text ? 1 : CHAR_PIXELS * c->scale;
	double line = c->text ? 1 : LINE_PIXELS * c->scale;
	unsigned ncolumns = (unsigned)(c->width / column);

	pic->x.ntics = pic->y.ntics = 0;
	pic->x.broken = false;
	scale_x(pic, ncolumns > 20 ? ncolumns : 20);
	scale_y(pic, (unsigned)(c->height / line));
	count_outside(pic);
}
