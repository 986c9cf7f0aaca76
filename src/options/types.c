/* SPDX-License-Identifier: Apache-2.0 */
#include "options/types.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { SHOWN_MAX = 120 };	/* characters of a user's text that an error line repeats */

void line_add(struct line *l, const char *fmt, ...)
{
	va_list args;
	int more;

	va_start(args, fmt);
	more = vsnprintf(l->s + l->n, sizeof(l->s) - l->n, fmt, args);
	va_end(args);
	if (more > 0)
		l->n += (size_t)more;
	if (l->n > sizeof(l->s) - 1)
		l->n = sizeof(l->s) - 1;
}

void line_quote(struct line *l, const char *before, const char *text)
{
	line_add(l, "'%s", before);
	for (size_t i = 0; text[i] && i < SHOWN_MAX; i++)
		line_add(l, "%c", iscntrl((unsigned char)text[i]) ? '?' : text[i]);
	line_add(l, strlen(text) > SHOWN_MAX ? "...'" : "'");
}

void line_choices(struct line *l, const char *const *choices)
{
	for (size_t i = 0; choices[i]; i++)
		line_add(l, "%s%s", i ? ", " : "", choices[i]);
}

static void line_bound(struct line *l, const struct opt *opt, double value)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	const struct opt_kind *k = opt_kind(opt);
	size_t i = 0;

	for (; k->suffixes && i < 3 && value >= 1024 && fmod(value, 1024) == 0; i++)
		value /= 1024;
	line_add(l, "%.16g%s%s", value, suffixes[i], k->unit ? k->unit : "");
}

static bool has_top(const struct opt *opt)
{
	return opt->max >= opt->min && (opt->min != 0 || opt->max != 0);
}

void line_range(struct line *l, const struct opt *opt, double huge)
{
	line_bound(l, opt, opt->min);
	if (has_top(opt) && opt->max <= huge) {
		line_add(l, " to ");
		line_bound(l, opt, opt->max);
	} else {
		line_add(l, " or more");
	}
}

/* Begins "value 'x' in 'y,x' of '--name' "; `in` is the whole text that x is from. */
static struct line complaint(const struct ask *ask, const char *value, const char *in)
{
	struct line l = { .n = 0 };

	if (ask->what)
		line_add(&l, "%s: ", ask->what);
	line_add(&l, "value ");
	line_quote(&l, "", value);
	if (strcmp(value, in) != 0) {
		line_add(&l, " in ");
		line_quote(&l, "", in);
	}
	line_add(&l, " of '%s%s' ", ask->dashes, ask->opt->name);
	return l;
}

static int refuse(const struct ask *ask, const char *value, const char *in, enum verdict why)
{
	static const char *const phrases[] = {
		[V_NONE] = "is not ",
		[V_RANGE] = "is out of range: ",
		[V_HUGE] = "is too large",
		[V_FALLS] = "is a range that does not rise",
		[V_LONG] = "is a range of more than 65536 numbers",
		[V_MEMORY] = "does not fit into memory",
	};
	const struct opt *opt = ask->opt;
	const struct opt_kind *k = opt_kind(opt);
	struct line l = complaint(ask, value, in);

	if (why == V_NEGATIVE || (why == V_HUGE && has_top(opt)))
		why = V_RANGE;
	line_add(&l, "%s", phrases[why]);
	if (why == V_NONE)
		line_add(&l, "%s", strcmp(value, in) ? k->item : k->noun);
	if (why == V_RANGE)
		line_range(&l, opt, HUGE_VAL);
	if (opt->word && (why == V_NONE || why == V_RANGE))
		line_add(&l, " or '%s'", opt->word);
	return error_usage("%s", l.s);
}

static int take_flag(const struct ask *ask, const char *text, void *to)
{
	(void)ask;
	(void)text;
	*(bool *)to = true;
	return ST_OK;
}

static int take_whole(const struct ask *ask, const char *text, void *to)
{
	const struct opt *opt = ask->opt;
	const char *end = text;
	uint64_t value = 0;
	enum verdict v;

	if (opt->word && !strcmp(text, opt->word)) {
		*(uint64_t *)to = OPT_AUTO;
		return ST_OK;
	}
	v = scan_whole(&end, opt_kind(opt)->suffixes, &value);
	if (*end)
		v = V_NONE;
	else if (!v && opt->word && value == OPT_AUTO)
		v = V_HUGE;
	else if (!v && !in_range((double)value, opt->min, opt->max))
		v = V_RANGE;
	if (v)
		return refuse(ask, text, text, v);
	*(uint64_t *)to = value;
	return ST_OK;
}

static int take_double(const struct ask *ask, const char *text, enum verdict v, double value,
		       double *to)
{
	if (!v && !in_range(value, ask->opt->min, ask->opt->max))
		v = V_RANGE;
	if (v)
		return refuse(ask, text, text, v);
	*to = value;
	return ST_OK;
}

static int take_real(const struct ask *ask, const char *text, void *to)
{
	double value = 0;
	enum verdict v = scan_real(text, &value);

	return take_double(ask, text, v, value, to);
}

static int take_seconds(const struct ask *ask, const char *text, void *to)
{
	double value = 0;
	enum verdict v;

	if (ask->opt->word && !strcmp(text, ask->opt->word)) {
		*(double *)to = OPT_AUTO_SECONDS;
		return ST_OK;
	}
	v = scan_seconds(text, ask->unit_s, &value);

	return take_double(ask, text, v, value, to);
}

static int take_text(const struct ask *ask, const char *text, void *to)
{
	(void)ask;
	*(const char **)to = text;
	return ST_OK;
}

static int take_texts(const struct ask *ask, const char *text, void *to)
{
	struct texts *list = to;
	const char **v = list_grow(list->v, list->n, sizeof(*v));

	if (!v)
		return refuse(ask, text, text, V_MEMORY);
	list->v = v;
	list->v[list->n++] = text;
	return ST_OK;
}

static void release_numbers(void *at)
{
	struct numbers *list = at;

	free(list->v);
	*list = (struct numbers){ .n = 0 };
}

static void release_texts(void *at)
{
	struct texts *list = at;

	free(list->v);
	*list = (struct texts){ .n = 0 };
}

static int take_numbers(const struct ask *ask, const char *text, void *to)
{
	const struct opt *opt = ask->opt;
	struct numbers list = { .n = 0 };
	struct line wrong = { .n = 0 };
	const char *at = text;
	enum verdict v = scan_list(&at, opt_kind(opt)->suffixes, opt->min, opt->max, &list);
	int len = (int)strcspn(at, ",");

	if (!v) {
		release_numbers(to);
		*(struct numbers *)to = list;
		return ST_OK;
	}
	if (v == V_RANGE && memchr(at, ':', (size_t)len))
		line_add(&wrong, "%" PRIu64, list.v[list.n - 1]);
	else
		line_add(&wrong, "%.*s", len, at);
	release_numbers(&list);
	return refuse(ask, wrong.s, text, v);
}

/* Finds the choice that the first len characters of item name. */
static int find_choice(const struct ask *ask, const char *item, size_t len, const char *text,
		       uint64_t *index)
{
	const char *const *choices = ask->opt->choices;
	struct line value = { .n = 0 }, l;

	for (size_t i = 0; choices[i]; i++) {
		if (strlen(choices[i]) != len || memcmp(choices[i], item, len) != 0)
			continue;
		*index = i;
		return ST_OK;
	}
	line_add(&value, "%.*s", (int)len, item);
	l = complaint(ask, value.s, text);
	line_add(&l, "is not one of: ");
	line_choices(&l, choices);
	return error_usage("%s", l.s);
}

static int take_choice(const struct ask *ask, const char *text, void *to)
{
	return find_choice(ask, text, strlen(text), text, to);
}

static int take_choices(const struct ask *ask, const char *text, void *to)
{
	struct numbers list = { .n = 0 };
	const char *at = text;
	uint64_t index;
	int err;

	for (;; at++) {
		size_t len = strcspn(at, ",");

		err = find_choice(ask, at, len, text, &index);
		if (!err && numbers_push(&list, index))
			err = refuse(ask, text, text, V_MEMORY);
		at += len;
		if (err || !*at)
			break;
	}
	if (err) {
		release_numbers(&list);
		return err;
	}
	release_numbers(to);
	*(struct numbers *)to = list;
	return ST_OK;
}

static json_t *json_whole(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

/* Jansson refuses what is not UTF-8, which a file name may be. */
static json_t *json_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy;

	if (json || !(copy = strdup(text)))
		return json;
	for (char *c = copy; *c; c++) {
		if (!isascii((unsigned char)*c))
			*c = '?';
	}
	json = json_string(copy);
	free(copy);
	return json;
}

static json_t *dump_flag(const struct opt *opt, const void *from)
{
	(void)opt;
	return json_boolean(*(const bool *)from);
}

static json_t *dump_whole(const struct opt *opt, const void *from)
{
	uint64_t value = *(const uint64_t *)from;

	if (opt->word && value == OPT_AUTO)
		return json_string(opt->word);
	return json_whole(value);
}

static json_t *dump_real(const struct opt *opt, const void *from)
{
	double value = *(const double *)from;
	json_t *json = opt->word && value == OPT_AUTO_SECONDS ? json_string(opt->word) : json_real(value);

	return json ? json : json_null();
}

static json_t *dump_choice(const struct opt *opt, const void *from)
{
	return json_string(opt->choices[*(const uint64_t *)from]);
}

static json_t *dump_text(const struct opt *opt, const void *from)
{
	const char *text = *(const char *const *)from;

	(void)opt;
	return text ? json_text(text) : json_null();
}

static json_t *dump_numbers(const struct opt *opt, const void *from)
{
	const struct numbers *list = from;
	json_t *array = json_array();

	(void)opt;
	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, json_whole(list->v[i]));
	return array;
}

static json_t *dump_choices(const struct opt *opt, const void *from)
{
	const struct numbers *list = from;
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, dump_choice(opt, &list->v[i]));
	return array;
}

static json_t *dump_texts(const struct opt *opt, const void *from)
{
	const struct texts *list = from;
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, dump_text(opt, &list->v[i]));
	return array;
}

static const struct opt_kind kinds[] = {
	[OPT_FLAG] = {
		.size = sizeof(bool), .take = take_flag, .dump = dump_flag,
	},
	[OPT_UINT] = {
		.size = sizeof(uint64_t), .take = take_whole, .dump = dump_whole,
		.noun = "a whole number",
	},
	[OPT_REAL] = {
		.size = sizeof(double), .take = take_real, .dump = dump_real,
		.noun = "a number",
	},
	[OPT_SIZE] = {
		.size = sizeof(uint64_t), .take = take_whole, .dump = dump_whole,
		.noun = "a size (64, 4k, 1M, 2G)", .suffixes = true,
	},
	[OPT_SECONDS] = {
		.size = sizeof(double), .take = take_seconds, .dump = dump_real,
		.noun = "a time (2, 100ms, 5us, 3m)", .unit = " s",
	},
	[OPT_CHOICE] = {
		.size = sizeof(uint64_t), .take = take_choice, .dump = dump_choice,
	},
	[OPT_TEXT] = {
		.size = sizeof(const char *), .take = take_text, .dump = dump_text,
	},
	[OPT_UINTS] = {
		.size = sizeof(struct numbers), .take = take_numbers, .dump = dump_numbers,
		.release = release_numbers,
		.noun = "a number list (1,2,4 or 1:64:*2)", .item = "a number or a range",
	},
	[OPT_SIZES] = {
		.size = sizeof(struct numbers), .take = take_numbers, .dump = dump_numbers,
		.release = release_numbers,
		.noun = "a list of sizes (64,4k or 1k:1M:*2)", .item = "a size or a range",
		.suffixes = true,
	},
	[OPT_CHOICES] = {
		.size = sizeof(struct numbers), .take = take_choices, .dump = dump_choices,
		.release = release_numbers,
	},
	[OPT_TEXTS] = {
		.size = sizeof(struct texts), .take = take_texts, .dump = dump_texts,
		.release = release_texts,
	},
};

const struct opt_kind *opt_kind(const struct opt *opt)
{
	return &kinds[opt->type];
}
