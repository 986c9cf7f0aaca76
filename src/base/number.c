/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* What a text should have been, as a whole and as an element of a list; what follows a bound. */
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

bool number_suffixes(const struct number *n)
{
	return n->type == NUMBER_SIZE;
}

static void add_bound(struct text *t, const struct number *n, double value)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	size_t i = 0;

	for (; number_suffixes(n) && i < 3 && value >= 1024 && fmod(value, 1024) == 0; i++)
		value /= 1024;
	text_add(t, "%.16g%s%s", value, suffixes[i], types[n->type].unit);
}

static bool has_top(const struct number *n)
{
	return n->max >= n->min && (n->min != 0 || n->max != 0);
}

void number_range(struct text *t, const struct number *n, double huge)
{
	add_bound(t, n, n->min);
	if (has_top(n) && n->max <= huge) {
		text_add(t, " to ");
		add_bound(t, n, n->max);
	} else {
		text_add(t, " or more");
	}
}

struct text number_fault(const struct number *n, const char *value, const char *in)
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

int number_refuse(const struct number *n, const char *value, const char *in, enum verdict why)
{
	static const char *const phrases[] = {
		[V_NONE] = "is not ",
		[V_RANGE] = "is out of range: ",
		[V_HUGE] = "is too large",
		[V_FALLS] = "is a range that does not rise",
		[V_LONG] = "is a range of more than 65536 numbers",
		[V_MEMORY] = "does not fit into memory",
	};
	struct text t = number_fault(n, value, in);

	if (why == V_NEGATIVE || (why == V_HUGE && has_top(n)))
		why = V_RANGE;
	text_add(&t, "%s", phrases[why]);
	if (why == V_NONE)
		text_add(&t, "%s", strcmp(value, in) ? types[n->type].item
				   : n->list	     ? types[n->type].list
						     : types[n->type].noun);
	if (why == V_RANGE)
		number_range(&t, n, HUGE_VAL);
	if (n->word && (why == V_NONE || why == V_RANGE))
		text_add(&t, " or '%s'", n->word);
	return error_usage("%s", t.s);
}

static int take_whole(const struct number *n, const char *text, uint64_t *to)
{
	const char *end = text;
	uint64_t value = 0;
	enum verdict v = scan_whole(&end, number_suffixes(n), &value);

	if (*end)
		v = V_NONE;
	else if (!v && n->word && value == NUMBER_AUTO)
		v = V_HUGE;
	else if (!v && !in_range((double)value, n->min, n->max))
		v = V_RANGE;
	if (v)
		return number_refuse(n, text, text, v);
	*to = value;
	return ST_OK;
}

static int take_double(const struct number *n, const char *text, double *to)
{
	double value = 0;
	enum verdict v = n->type == NUMBER_REAL ? scan_real(text, &value)
						: scan_seconds(text, n->unit_s, &value);

	if (!v && !in_range(value, n->min, n->max))
		v = V_RANGE;
	if (v)
		return number_refuse(n, text, text, v);
	*to = value;
	return ST_OK;
}

int number_take(const struct number *n, const char *text, void *to)
{
	bool whole = n->type == NUMBER_WHOLE || n->type == NUMBER_SIZE;
	bool word = n->word && !strcmp(text, n->word);

	if (whole && word)
		*(uint64_t *)to = NUMBER_AUTO;
	else if (word && n->type == NUMBER_SECONDS)
		*(double *)to = NUMBER_AUTO_SECONDS;
	else
		return whole ? take_whole(n, text, to) : take_double(n, text, to);
	return ST_OK;
}
