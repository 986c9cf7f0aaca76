/* SPDX-License-Identifier: Apache-2.0 */
#include "options/types.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/facts.h"

static const struct opt_kind kinds[] = {
	[OPT_FLAG] = { .size = sizeof(bool) },
	[OPT_UINT] = { sizeof(uint64_t), true, false, NUMBER_WHOLE },
	[OPT_REAL] = { sizeof(double), true, false, NUMBER_REAL },
	[OPT_SIZE] = { sizeof(uint64_t), true, false, NUMBER_SIZE },
	[OPT_SECONDS] = { sizeof(double), true, false, NUMBER_SECONDS },
	[OPT_CHOICE] = { .size = sizeof(uint64_t) },
	[OPT_TEXT] = { .size = sizeof(const char *) },
	[OPT_UINTS] = { sizeof(struct numbers), true, true, NUMBER_WHOLE },
	[OPT_SIZES] = { sizeof(struct numbers), true, true, NUMBER_SIZE },
	[OPT_CHOICES] = { .size = sizeof(struct numbers) },
	[OPT_TEXTS] = { .size = sizeof(struct texts) },
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

/* ---- taking values ---- */

/* Frees a list of numbers and empties it. */
static void free_numbers(struct numbers *list)
{
	free(list->v);
	*list = (struct numbers){ .n = 0 };
}

/* Finds the choice that equals the first `len` characters of `item`. Sets *index to its index. */
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
	t = number_begin_message(n, value.s, text);
	text_add(&t, "is not one of: ");
	text_add_names(&t, choices);
	return error_usage("%s", t.s);
}

/* Reads a comma-separated list of choices. Stores their indices in *to. */
static int parse_choices(const struct number *n, const char *const *choices, const char *text,
			 struct numbers *to)
{
	struct numbers list = { .n = 0 };
	const char *at = text;
	uint64_t index;
	int err;

	for (;; at++) {
		size_t len = strcspn(at, ",");

		err = find_choice(n, choices, at, len, text, &index);
		if (!err && numbers_push(&list, index))
			err = number_report_fault(n, text, text, V_MEMORY);
		at += len;
		if (err || !*at)
			break;
	}
	free_numbers(err ? &list : to);
	if (!err)
		*to = list;
	return err;
}

int opt_parse_value(const struct opt *opt, const char *of, const char *text, void *to)
{
	const struct number n = opt_number(opt, of);
	struct texts *list = to;
	const char **v;

	switch (opt->type) {
	case OPT_FLAG:
		*(bool *)to = true;
		return ST_OK;
	case OPT_TEXT:
		*(const char **)to = text;
		return ST_OK;
	case OPT_TEXTS:
		v = list_grow(list->v, list->n, sizeof(*v));
		if (!v)
			return number_report_fault(&n, text, text, V_MEMORY);
		list->v = v;
		v[list->n++] = text;
		return ST_OK;
	case OPT_CHOICE:
		return find_choice(&n, opt->choices, text, strlen(text), text, to);
	case OPT_CHOICES:
		return parse_choices(&n, opt->choices, text, to);
	default:
		return n.list ? number_parse_list(&n, text, to) : number_parse(&n, text, to);
	}
}

void opt_free_list(const struct opt *opt, void *at)
{
	struct texts *texts = at;

	if (opt->type == OPT_TEXTS) {
		free(texts->v);
		*texts = (struct texts){ .n = 0 };
	} else if (opt->type == OPT_CHOICES || opt_kind(opt)->list) {
		free_numbers(at);
	}
}

/* ---- dumping values ---- */

static json_t *whole_as_json(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

static json_t *list_as_json(const struct opt *opt, const void *from)
{
	const struct texts *texts = from;
	const struct numbers *list = from;
	json_t *array;

	if (opt->word && !list->n)
		return json_string(opt->word);
	array = json_array();
	for (size_t i = 0; opt->type == OPT_TEXTS && i < texts->n; i++)
		json_array_append_new(array, json_text(texts->v[i]));
	for (size_t i = 0; opt->type != OPT_TEXTS && i < list->n; i++)
		json_array_append_new(array, opt->choices ? json_string(opt->choices[list->v[i]])
							  : whole_as_json(list->v[i]));
	return array;
}

/* Returns the value of an option as JSON. */
static json_t *value_as_json(const struct opt *opt, const void *from)
{
	const char *text;
	uint64_t whole;
	double real;
	json_t *json;

	switch (opt->type) {
	case OPT_FLAG:
		return json_boolean(*(const bool *)from);
	case OPT_CHOICE:
		return json_string(opt->choices[*(const uint64_t *)from]);
	case OPT_UINT:
	case OPT_SIZE:
		whole = *(const uint64_t *)from;
		return opt->word && whole == OPT_AUTO ? json_string(opt->word)
						      : whole_as_json(whole);
	case OPT_REAL:
	case OPT_SECONDS:
		real = *(const double *)from;
		json = opt->word && real == OPT_AUTO_SECONDS ? json_string(opt->word)
							     : json_real(real);
		return json ? json : json_null();
	case OPT_TEXT:
		text = *(const char *const *)from;
		return text ? json_text(text) : json_null();
	default:
		return list_as_json(opt, from);
	}
}

json_t *opts_as_json(const struct opt_table *tables, size_t ntables)
{
	json_t *object = json_object();

	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			json_object_set_new(object, o->name,
					    value_as_json(o, opt_member(&tables[t], o)));
	return object;
}
