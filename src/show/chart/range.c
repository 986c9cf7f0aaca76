/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of the axes as a user gives them: "8:1MiB", "1us:1ms", ":10GB/s". */
#include "show/chart/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "show/chart/ratios.h"

/* The factor of a prefix at the beginning of a text, which moves behind it. */
static double prefix_of(const char **text)
{
	static const char prefixes[] = "numkMGT";
	static const double factors[] = { 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12 };
	const char *at = **text ? strchr(prefixes, **text) : NULL;

	/* "m" before "sg" is of "msg/s" */
	if (!at || !strncmp(*text, "msg", 3))
		return 1;
	++*text;
	return factors[at - prefixes];
}

/* A number with prefix and unit, either of which may be left out: "10G", "10 GB/s". */
static bool read_si(const char *text, const char *unit, double *value)
{
	char *end;
	const char *at;

	*value = strtod(text, &end);
	if (end == text || !isfinite(*value))
		return false;
	at = end + strspn(end, " ");
	*value *= prefix_of(&at);
	return !*at || !strcmp(at, unit);
}

/* "1MiB" or "1M" */
static bool read_bytes(const char *text, double *value)
{
	size_t len = strlen(text);
	char plain[32];
	uint64_t bytes;

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

static bool read_end(const char *text, const char *unit, double *value)
{
	if (!strcmp(unit, "B"))
		return read_bytes(text, value);
	if (!strcmp(unit, "s") && parse_seconds(text, value))
		return true;
	return read_si(text, unit, value);
}

int range_choose(struct axis *a, const char *option, const char *text)
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
	from = strndup(text, (size_t)(colon - text));
	if (!from)
		return error_report("no memory for a range");
	good = (!*from || read_end(from, unit, &a->from)) &&
	       (!colon[1] || read_end(colon + 1, unit, &a->to));
	free(from);
	if (!good)
		return error_usage("value '%s' of '--%s' is not a range of '%s'%s%s", text, option,
				   a->column, *unit ? ", which is in " : "", unit);
	if (a->from >= a->to)
		return error_usage("range '%s' of '--%s' is empty", text, option);
	return ST_OK;
}

bool range_excludes(const struct axis *a, double value)
{
	return value < a->from || value > a->to;
}

/* ---- lines ---- */

/* A value in the unit of an axis; of bandwidths also in the other one. */
static bool read_line(const char *text, const char *unit, double *value)
{
	static const struct {
		const char *unit, *other;
		double factor;
	} rates[] = { { "B/s", "bit/s", 1.0 / 8 }, { "bit/s", "B/s", 8 } };

	if (read_end(text, unit, value))
		return true;
	for (size_t i = 0; i < LENGTH(rates); i++) {
		if (strcmp(rates[i].unit, unit) != 0 || !read_si(text, rates[i].other, value))
			continue;
		*value *= rates[i].factor;
		return true;
	}
	return false;
}

/* "100Gbit/s=of the link": the value, for free(), and behind it the label, which may be missing. */
static char *split(const char *text, const char **label)
{
	const char *equals = strchr(text, '=');

	*label = equals && equals[1] ? equals + 1 : text;
	return strndup(text, equals ? (size_t)(equals - text) : strlen(text));
}

int range_lines(struct picture *pic)
{
	pic->rules = calloc(pic->ask->nlines + 2, sizeof(*pic->rules));
	if (!pic->rules)
		return error_report("no memory for %zu lines", pic->ask->nlines);
	for (size_t i = 0; i < pic->ask->nlines; i++) {
		struct rule *rule = &pic->rules[pic->nrules];
		char *value = split(pic->ask->lines[i], &rule->label);

		if (!value)
			return error_report("no memory for a line");
		pic->nrules += read_line(value, pic->y.unit, &rule->at);
		free(value);
	}
	if (ratios_are_drawn(pic))
		pic->rules[pic->nrules++] = (struct rule){ 1, NULL };
	return ST_OK;
}

static bool has_line(const struct picture *pic, const char *text)
{
	const char *label;

	free(split(text, &label));
	for (size_t i = 0; i < pic->nrules; i++)
		if (pic->rules[i].label == label)
			return true;
	return false;
}

int range_check_lines(const struct album *a, const struct chart_request *ask)
{
	for (size_t i = 0; i < ask->nlines; i++) {
		const struct axis *y = &a->v[0].y;
		size_t k = 0;

		while (k < a->n && !has_line(&a->v[k], ask->lines[i]))
			k++;
		if (k == a->n)
			return error_usage("line '%s' of '--line' is no value of '%s'%s%s",
					   ask->lines[i], y->column,
					   *y->unit ? ", which is in " : "", y->unit);
	}
	return ST_OK;
}
