/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/row.h"
#include "show/chart/ratios.h"
#include "show/chart/words.h"
#include "show/units.h"

/* The largest value that gnuplot draws on an axis. */
#define HUGEST 1e307

/* An axis is logarithmic only if its largest value is at least this multiple of the smallest. */
#define LOG_LEAST 8

/*
 * Smallest space at the ends of an axis, as a share of the largest value. This space keeps noise
 * from looking like a trend.
 */
#define EVEN 0.1

/*
 * On a broken axis: the distance from 0 to the smallest value, as a share of the axis. The label of
 * 0 needs this room.
 */
#define BEFORE_BREAK 0.12

struct text axes_format_number(double value, const char *unit)
{
	struct text to = { .n = 0 };
	char *blank, *end;

	if (!strcmp(unit, "B") && value >= 0 && value == floor(value))
		return text_from("%s", in_bytes(value).s);
	if (!*unit || value == 0 || !strcmp(unit, "%"))
		return text_from("%.6g%s%s", value, *unit ? " " : "", unit);
	blank = strchr(format_si(to.s, sizeof(to.s), value, unit), ' ');
	if (blank && memchr(to.s, '.', (size_t)(blank - to.s))) {	/* removes trailing zeros */
		for (end = blank; end[-1] == '0'; end--)
			;
		end -= end[-1] == '.';
		memmove(end, blank, strlen(blank) + 1);
	}
	to.n = strlen(to.s);
	return to;
}

/* ---- ranges of values ---- */

static void include_value(struct axis *a, double value)
{
	if (isnan(value))
		return;
	a->has_zero |= value <= 0;
	if (value < 0)
		a->scale = SCALE_LINEAR;
	if (!(a->lo <= value) && (value > 0 || a->scale == SCALE_LINEAR))
		a->lo = value;
	if (!(a->hi >= value) && (value > 0 || a->scale == SCALE_LINEAR))
		a->hi = value;
}

/* Finds the range of all values. Ignores 0 if the axis can be logarithmic. */
static void find_range(struct axis *a, const struct picture *pic, bool is_x)
{
	a->scale = a->linear ? SCALE_LINEAR : SCALE_LOG;
	a->lo = a->hi = NAN;
	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t k = 0; k < pic->traces[i].n; k++) {
			const struct plot_point *p = &pic->traces[i].p[k];
			const double of_y[] = { p->y, p->lo, p->hi, p->p90, p->p99 };

			if (axis_excludes(&pic->x, p->x))
				continue;
			for (size_t m = 0; m < (is_x ? 1 : LENGTH(of_y)); m++)
				include_value(a, is_x ? p->x : of_y[m]);
		}
	}
}

void axes_find_ranges(struct picture *pic)
{
	struct axis *x = &pic->x, *y = &pic->y;
	bool ratio = ratios_are_drawn(pic);

	x->words = x->words.n ? x->words : words_of(x->column);
	y->words = ratio ? ratios_axis_name(pic) : y->words.n ? y->words : words_of(y->column);
	if (x->scale == SCALE_NAMES) {
		x->lo = 0.5;
		x->hi = (double)json_object_size(x->names) + 0.5;
	} else {
		find_range(x, pic, true);
		if (isnan(x->lo) || (strcmp(x->unit, "B") != 0 && x->hi < LOG_LEAST * x->lo))
			x->scale = SCALE_LINEAR;
	}
	if (y->scale == SCALE_NINES) {
		y->lo = 0;
		y->hi = 100;
		return;
	}
	find_range(y, pic, false);
	for (size_t i = 0; i < pic->nrules; i++)
		include_value(y, pic->rules[i].at);
	for (int above = 0; above < 2 && ratio; above++)
		include_value(y, ratios_fail_limit(pic, above));
	if (y->from > 0)	/* the user's range excludes 0 */
		y->has_zero = false;
	/* a logarithmic scale has no 0, and is only for values with a unit */
	if (y->has_zero || (!*y->unit && !ratio) || isnan(y->hi))
		y->scale = SCALE_LINEAR;
}

static void share_ends(struct axis *a, struct axis *b)
{
	if (strcmp(a->column, b->column) != 0 || a->scale != b->scale || a->scale == SCALE_NAMES)
		return;
	a->lo = b->lo = fmin(a->lo, b->lo);
	a->hi = b->hi = fmax(a->hi, b->hi);
	a->has_zero = b->has_zero = a->has_zero || b->has_zero;
}

void axes_share_ends(struct picture *pics, size_t n)
{
	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 1; i < n; i++) {
			for (size_t k = 0; k < i; k++) {
				share_ends(&pics[k].x, &pics[i].x);
				share_ends(&pics[k].y, &pics[i].y);
			}
		}
	}
}

/* ---- ends ---- */

/*
 * Adds space at both ends of an axis, except at an end that the user gave. On a linear axis the
 * space is at least `least` times the largest value.
 */
static void widen_ends(struct axis *a, double least)
{
	double by;

	if (a->scale == SCALE_LOG) {
		by = fmax(0.05 * log(a->hi / a->lo), log(1.1));
		a->lo = fmax(a->lo * exp(-by), 1 / HUGEST);
		a->hi = fmin(a->hi * exp(by), HUGEST);
	} else {
		by = fmax(0.05 * (a->hi - a->lo), fabs(a->hi) * least);
		by = by > 0 ? by : 1;
		a->lo = a->lo == 0 ? 0 : fmax(a->lo - by, -HUGEST);
		a->hi = fmin(a->hi + by, HUGEST);
	}
	if (a->from > 0 || (!isnan(a->from) && a->scale != SCALE_LOG))
		a->lo = a->from;
	if (a->to > a->lo)
		a->hi = a->to;
	else if (!strcmp(a->unit, "%") && a->hi > 100)	/* a share cannot exceed 100 % */
		a->hi = 100;
	if (!(a->hi > a->lo))		/* all values are below the user's range */
		a->hi = a->scale == SCALE_LOG ? 10 * a->lo : a->lo + fmax(fabs(a->lo), 1);
}

/* Begins a linear axis at 0 if `from_zero`, or if a value is 0. */
static void set_linear_ends(struct axis *a, bool from_zero)
{
	if ((a->has_zero || isnan(a->lo) || from_zero) && !(a->lo < 0))
		a->lo = 0;
	if (isnan(a->hi))
		a->hi = 0;
}

static double count_nines(double share)
{
	return -log10(1 - share / 100);
}

/* Adds a value to the axis's list of different values. Returns false if the list is full. */
static bool add_distinct_value(struct axis *a, double value)
{
	size_t k = 0;

	while (k < a->nvalues && (a->values[k] < value || a->values[k] > value))
		k++;
	if (k == AXIS_VALUES)
		return false;
	a->values[k] = value;
	a->nvalues += k == a->nvalues;
	return true;
}

void axes_complete(struct picture *pic)
{
	struct axis *x = &pic->x, *y = &pic->y;
	double by = log(x->hi / x->lo);
	bool few = !pic->ask->kind;

	x->broken = x->scale == SCALE_LOG && x->has_zero && !(x->from > 0);
	if (x->scale == SCALE_LINEAR)
		set_linear_ends(x, false);
	if (x->broken) {
		by = fmax(BEFORE_BREAK * by, log(2));
		x->zero = x->lo * exp(-by);
		x->gap = x->lo * exp(-by / 2);
		x->lo = x->zero;
	}
	if (x->scale != SCALE_NAMES)
		widen_ends(x, x->hi > x->lo ? 0 : EVEN);
	if (y->scale == SCALE_LOG && y->hi < LOG_LEAST * y->lo)
		y->scale = SCALE_LINEAR;
	if (y->scale == SCALE_LINEAR)
		set_linear_ends(y, y->linear && *y->unit);
	if (y->scale == SCALE_NINES) {
		/* a single sample among pic->most of them must stay below 100 % */
		y->hi = y->to < 100 ? count_nines(y->to) : fmax(1, log10(fmax(pic->most, 1))) + 0.3;
		y->lo = y->from > 0 && y->from < 100 ? count_nines(y->from) : 0;
	} else {
		widen_ends(y, EVEN);
	}
	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t k = 0; k < pic->traces[i].n; k++) {
			const struct plot_point *p = &pic->traces[i].p[k];

			pic->noutside += axis_excludes(x, p->x) || axis_excludes(y, p->y);
			few = few && add_distinct_value(x, p->x);
		}
	}
	if (!few)
		x->nvalues = 0;
	sort_doubles(x->values, x->nvalues);
}

double axes_coordinate(const struct axis *a, double value)
{
	if (a->scale == SCALE_NINES)
		return value < 100 ? fmin(count_nines(value), a->hi) : a->hi;
	return a->broken && value == 0 ? a->zero : value;
}

double axes_distance_share(const struct axis *a, double from, double to)
{
	return a->scale == SCALE_LOG ? log(to / from) / log(a->hi / a->lo)
				     : (to - from) / (a->hi - a->lo);
}

/* ---- options of the user ---- */

/*
 * Reads a value with this unit. Bytes can be written as "1MiB" or "1M". Returns false if the text
 * is not such a value.
 */
static bool read_axis_value(const char *text, const char *unit, double *value)
{
	size_t len = strlen(text);
	char plain[32];
	uint64_t bytes;

	if (!strcmp(unit, "s") && parse_seconds(text, value))
		return true;
	if (strcmp(unit, "B") != 0)
		return parse_si(text, unit, value);
	if (len >= sizeof(plain))
		return false;
	strcpy(plain, text);
	if (len > 1 && plain[len - 1] == 'B')
		plain[len -= 1 + (plain[len - 2] == 'i')] = '\0';
	if (!parse_size(plain, &bytes))
		return false;
	*value = (double)bytes;
	return true;
}

int axes_read_range(struct axis *a, const char *option, const char *text)
{
	const char *unit = a->unit, *colon = text ? strchr(text, ':') : NULL;
	char *from;
	bool good;

	a->from = a->to = NAN;
	if (!text)
		return ST_OK;
	if (a->scale == SCALE_NAMES)
		return error_usage("column '%s' has texts, which have no range: '--%s'", a->column,
				   option);
	if (!colon || !text[1])
		return error_usage("value '%s' of '--%s' is not A:B", text, option);
	from = memory_or_exit(strndup(text, (size_t)(colon - text)));
	good = (!*from || read_axis_value(from, unit, &a->from)) &&
	       (!colon[1] || read_axis_value(colon + 1, unit, &a->to));
	free(from);
	if (!good)
		return error_usage("value '%s' of '--%s' is not a range of '%s'%s%s", text, option,
				   a->column, *unit ? ", which is in " : "", unit);
	if (a->from >= a->to)
		return error_usage("range '%s' of '--%s' is empty", text, option);
	return ST_OK;
}

/* ---- lines ---- */

void axes_read_lines(struct picture *pic)
{
	pic->rules = memory_new(pic->ask->nlines + 1, sizeof(*pic->rules));
	for (size_t i = 0; i < pic->ask->nlines; i++) {
		const char *text = pic->ask->lines[i], *label = strchr(text, '=');
		struct rule *rule = &pic->rules[pic->nrules];
		char value[64] = "";

		strncpy(value, text, sizeof(value) - 1);
		value[strcspn(value, "=")] = '\0';
		*rule = (struct rule){ .text = text, .label = text };
		if (label && label[1])
			rule->label = label + 1;
		pic->nrules += read_axis_value(value, pic->y.unit, &rule->at);
	}
	if (ratios_are_drawn(pic))
		pic->rules[pic->nrules++] = (struct rule){ .at = 1 };
}

int axes_check_lines(const struct album *a, const struct chart_request *ask)
{
	const struct axis *y = &a->v[0].y;

	for (size_t i = 0; i < ask->nlines; i++) {
		bool fits = false;

		for (size_t k = 0; k < a->n; k++)
			for (size_t m = 0; m < a->v[k].nrules; m++)
				fits |= a->v[k].rules[m].text == ask->lines[i];
		if (!fits)
			return error_usage("value '%s' of '--line' does not fit '%s'%s%s",
					   ask->lines[i], y->column,
					   *y->unit ? ", which is in " : "", y->unit);
	}
	return ST_OK;
}
