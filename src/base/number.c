/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/*
 * Words for messages. `noun` names the expected value, `list` an expected list, and `item` an
 * expected element of a list. `unit` follows a bound of the range.
 */
static const struct {
	const char *noun, *list, *item, *unit;
} types[] = {
	[NUMBER_WHOLE] = { "a whole number", "a number list (1,2,4 or 1:64:*2)",
			   "a number or a range", "" },
	[NUMBER_REAL] = { .noun = "a number", .unit = "" },
	[NUMBER_SIZE] = { "a size (64, 4k, 1M, 2G)", "a list of sizes (64,4k or 1k:1M:*2)",
			  "a size or a range", "" },
	[NUMBER_SECONDS] = { .noun = "a time (2, 100ms, 5us, 3m)", .unit = " s" },
};

bool number_allows_suffix(const struct number *n)
{
	return n->type == NUMBER_SIZE;
}

/* Adds a bound of the range, as a user would type it: "64k". */
static void add_bound(struct text *t, const struct number *n, double value)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	size_t i = 0;

	for (; number_allows_suffix(n) && i < 3 && value >= 1024 && fmod(value, 1024) == 0; i++)
		value /= 1024;
	text_add(t, "%.16g%s%s", value, suffixes[i], types[n->type].unit);
}

/* Returns true if the range has an upper limit. */
static bool has_maximum(const struct number *n)
{
	return n->max >= n->min && (n->min != 0 || n->max != 0);
}

void number_add_range(struct text *t, const struct number *n, double huge)
{
	add_bound(t, n, n->min);
	if (has_maximum(n) && n->max <= huge) {
		text_add(t, " to ");
		add_bound(t, n, n->max);
	} else {
		text_add(t, " or more");
	}
}

struct text number_begin_message(const struct number *n, const char *value, const char *in)
{
	struct text t = { .n = 0 };

	if (n->of)
		text_add(&t, "%s: ", n->of);
	text_add(&t, "value ");
	text_quote(&t, "", value);
	if (strcmp(value, in) != 0) {
		text_add(&t, " in ");
		text_quote(&t, "", in);
	}
	text_add(&t, " of '%s%s' ", n->dashes, n->name);
	return t;
}

int number_report_fault(const struct number *n, const char *value, const char *in,
			enum scan_fault why)
{
	static const char *const phrases[] = {
		[V_NONE] = "is not ",
		[V_RANGE] = "is out of range: ",
		[V_HUGE] = "is too large",
		[V_FALLS] = "is a range that does not rise",
		[V_LONG] = "is a range of more than 65536 numbers",
		[V_MEMORY] = "does not fit into memory",
	};
	struct text t = number_begin_message(n, value, in);

	if (why == V_NEGATIVE || (why == V_HUGE && has_maximum(n)))
		why = V_RANGE;
	text_add(&t, "%s", phrases[why]);
	if (why == V_NONE)
		text_add(&t, "%s", strcmp(value, in) ? types[n->type].item
				   : n->list	     ? types[n->type].list
						     : types[n->type].noun);
	if (why == V_RANGE)
		number_add_range(&t, n, HUGE_VAL);
	if (n->word && (why == V_NONE || why == V_RANGE))
		text_add(&t, " or '%s'", n->word);
	return error_usage("%s", t.s);
}

int number_parse(const struct number *n, const char *text, void *to)
{
	bool whole = n->type == NUMBER_WHOLE || n->type == NUMBER_SIZE;
	bool word = n->word && n->type != NUMBER_REAL && !strcmp(text, n->word);
	uint64_t count = NUMBER_AUTO;
	double real = NUMBER_AUTO_SECONDS;
	enum scan_fault v = V_OK;
	const char *end = text;

	if (!word && whole) {
		v = scan_whole(&end, number_allows_suffix(n), &count);
		if (*end)
			v = V_NONE;
		else if (!v && n->word && count == NUMBER_AUTO)
			v = V_HUGE;	/* this number means "auto", so a user cannot give it */
	} else if (!word) {
		v = n->type == NUMBER_REAL ? scan_real(text, &real)
					   : scan_seconds(text, n->unit_s, &real);
	}
	if (!v && !word && !in_range(whole ? (double)count : real, n->min, n->max))
		v = V_RANGE;
	if (v)
		return number_report_fault(n, text, text, v);
	if (whole)
		*(uint64_t *)to = count;
	else
		*(double *)to = real;
	return ST_OK;
}

int number_parse_list(const struct number *n, const char *text, struct numbers *to)
{
	struct numbers list = { .n = 0 };
	struct text bad_item = { .n = 0 };
	const char *at = text;
	bool word = n->word && !strcmp(text, n->word);
	enum scan_fault v = word ? V_OK : scan_list(&at, number_allows_suffix(n), n->min, n->max,
						    &list);
	int len = (int)strcspn(at, ",");

	if (!v) {
		free(to->v);
		*to = list;
		return ST_OK;
	}
	if (v == V_RANGE && memchr(at, ':', (size_t)len))
		text_add(&bad_item, "%" PRIu64, list.v[list.n - 1]);
	else
		text_add(&bad_item, "%.*s", len, at);
	free(list.v);
	return number_report_fault(n, bad_item.s, text, v);
}
