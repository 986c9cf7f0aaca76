/* SPDX-License-Identifier: Apache-2.0 */
#include "options/types.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int take_flag(const struct opt *opt, const char *of, const char *text, void *to)
{
	(void)opt;
	(void)of;
	(void)text;
	*(bool *)to = true;
	return ST_OK;
}

static int take_number(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);

	return number_take(&n, text, to);
}

static int take_text(const struct opt *opt, const char *of, const char *text, void *to)
{
	(void)opt;
	(void)of;
	*(const char **)to = text;
	return ST_OK;
}

static int take_texts(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);
	struct texts *list = to;
	const char **v = list_grow(list->v, list->n, sizeof(*v));

	if (!v)
		return number_refuse(&n, text, text, V_MEMORY);
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

static int take_numbers(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);
	struct numbers list = { .n = 0 };
	struct text wrong = { .n = 0 };
	const char *at = text;
	enum verdict v = scan_list(&at, number_suffixes(&n), n.min, n.max, &list);
	int len = (int)strcspn(at, ",");

	if (!v) {
		release_numbers(to);
		*(struct numbers *)to = list;
		return ST_OK;
	}
	if (v == V_RANGE && memchr(at, ':', (size_t)len))
		text_add(&wrong, "%" PRIu64, list.v[list.n - 1]);
	else
		text_add(&wrong, "%.*s", len, at);
	release_numbers(&list);
	return number_refuse(&n, wrong.s, text, v);
}

/* Finds the choice that the first len characters of item name. */
static int find_choice(const struct number *n, const char *const *choices, const char *item,
		       size_t len, const char *text, uint64_t *index)
{
	struct text value = { .n = 0 }, t;

	for (size_t i = 0; choices[i]; i++) {
		if (strlen(choices[i]) != len || memcmp(choices[i], item, len) != 0)
			continue;
		*index = i;
		return ST_OK;
	}
	text_add(&value, "%.*s", (int)len, item);
	t = number_fault(n, value.s, text);
	text_add(&t, "is not one of: ");
	text_names(&t, choices);
	return error_usage("%s", t.s);
}

static int take_choice(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);

	return find_choice(&n, opt->choices, text, strlen(text), text, to);
}

static int take_choices(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);
	struct numbers list = { .n = 0 };
	const char *at = text;
	uint64_t index;
	int err;

	for (;; at++) {
		size_t len = strcspn(at, ",");

		err = find_choice(&n, opt->choices, at, len, text, &index);
		if (!err && numbers_push(&list, index))
			err = number_refuse(&n, text, text, V_MEMORY);
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
	bool word = opt->word && value == OPT_AUTO_SECONDS;
	json_t *json = word ? json_string(opt->word) : json_real(value);

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

#define ONE_NUMBER(member, how_to_dump, what)                                                      \
	{ .size = sizeof(member), .take = take_number, .dump = (how_to_dump), .number = true,      \
	  .type = (what) }
#define NUMBERS(what)                                                                              \
	{ .size = sizeof(struct numbers), .take = take_numbers, .dump = dump_numbers,              \
	  .release = release_numbers, .number = true, .list = true, .type = (what) }

static const struct opt_kind kinds[] = {
	[OPT_FLAG] = { .size = sizeof(bool), .take = take_flag, .dump = dump_flag },
	[OPT_UINT] = ONE_NUMBER(uint64_t, dump_whole, NUMBER_WHOLE),
	[OPT_REAL] = ONE_NUMBER(double, dump_real, NUMBER_REAL),
	[OPT_SIZE] = ONE_NUMBER(uint64_t, dump_whole, NUMBER_SIZE),
	[OPT_SECONDS] = ONE_NUMBER(double, dump_real, NUMBER_SECONDS),
	[OPT_CHOICE] = { .size = sizeof(uint64_t), .take = take_choice, .dump = dump_choice },
	[OPT_TEXT] = { .size = sizeof(const char *), .take = take_text, .dump = dump_text },
	[OPT_UINTS] = NUMBERS(NUMBER_WHOLE),
	[OPT_SIZES] = NUMBERS(NUMBER_SIZE),
	[OPT_CHOICES] = { .size = sizeof(struct numbers), .take = take_choices,
			  .dump = dump_choices, .release = release_numbers },
	[OPT_TEXTS] = { .size = sizeof(struct texts), .take = take_texts, .dump = dump_texts,
			.release = release_texts },
};

const struct opt_kind *opt_kind(const struct opt *opt)
{
	return &kinds[opt->type];
}

struct number opt_number(const struct opt *opt, const char *of)
{
	const struct opt_kind *k = opt_kind(opt);

	return (struct number){ k->type, k->list, of, "--", opt->name, opt->min, opt->max,
				opt->word, 1 };
}

void *opt_member(const struct opt_table *table, const struct opt *opt)
{
	return (char *)table->values + opt->at;
}

json_t *opts_dump(const struct opt_table *tables, size_t ntables)
{
	json_t *object = json_object();

	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			json_object_set_new(object, o->name,
					    opt_kind(o)->dump(o, opt_member(&tables[t], o)));
	return object;
}
