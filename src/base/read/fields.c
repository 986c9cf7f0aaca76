/* SPDX-License-Identifier: Apache-2.0 */
#include "base/read/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

/* Returns the name of field i of the list `arg`. For suggest(). */
static const char *field_name(size_t i, void *arg)
{
	return ((const struct field *)arg)[i].name;
}

/* Reports an unknown field. Suggests a known name that is similar, or lists all known names. */
static int report_unknown_field(const char *what, const struct field *fields, const char *name)
{
	const char *near = suggest(name, field_name, (void *)fields);
	struct text t = { .n = 0 };

	text_add(&t, "%s: unknown field ", what);
	text_quote(&t, "", name);
	text_add(&t, near ? ", did you mean '%s'?" : ", known are: ", near);
	for (size_t i = 0; !near && fields[i].name; i++)
		text_add(&t, "%s%s", i ? ", " : "", fields[i].name);
	return error_usage("%s", t.s);
}

/*
 * Returns the field whose name precedes '=' in `pair`. If there is none, returns the last entry of
 * `fields`, which has no name.
 */
static const struct field *find_field(const struct field *fields, const char *pair)
{
	size_t len = strcspn(pair, "=");

	while (fields->name &&
	       (strlen(fields->name) != len || memcmp(fields->name, pair, len) != 0))
		fields++;
	return fields;
}

/*
 * Cuts the first pair "name=value" off *rest and returns it. The pair of a list extends up to the
 * next "name=".
 */
static char *cut_first_pair(const struct field *fields, char **rest)
{
	char *pair = *rest, *end = pair + strcspn(pair, ",");
	bool list = find_field(fields, pair)->list;

	while (list && *end && end[1 + strcspn(end + 1, ",=")] != '=')
		end += 1 + strcspn(end + 1, ",");
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return pair;
}

/*
 * Stores the value of a pair "name=value", and replaces its '=' by '\0'. If bit i of *seen is set,
 * fields[i] was already given.
 */
static int store_pair(const char *what, const struct field *fields, char *pair, double unit_s,
		      void *values, uint64_t *seen)
{
	const struct field *f = find_field(fields, pair);
	char *value = strchr(pair, '='), *to = (char *)values + f->at;
	/* a field without bounds gets max < min: no upper limit */
	const struct number n = { .type = f->type, .list = f->list, .of = what, .dashes = "",
				  .name = f->name, .min = f->min, .unit_s = unit_s,
				  .max = f->min == 0 && f->max == 0 ? -1 : f->max };
	struct text t = { .n = 0 };
	uint64_t bit;

	if (!value) {
		text_quote(&t, "", pair);
		return error_usage("%s: %s is not of the form name=value", what, t.s);
	}
	*value++ = '\0';
	if (!f->name)
		return report_unknown_field(what, fields, pair);
	bit = UINT64_C(1) << (f - fields);
	if (*seen & bit)
		return error_usage("%s: field '%s' is given twice", what, pair);
	*seen |= bit;
	return f->list ? number_parse_list(&n, value, (struct numbers *)to)
		       : number_parse(&n, value, to);
}

int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values)
{
	char *copy = strdup(text), *rest = *text ? copy : NULL;
	int err = copy ? ST_OK : error_report("out of memory");
	uint64_t seen = 0;

	while (!err && rest)
		err = store_pair(what, fields, cut_first_pair(fields, &rest), unit_s, values,
				 &seen);
	for (size_t i = 0; !err && fields[i].name; i++)
		if (fields[i].required && !(seen & UINT64_C(1) << i))
			err = error_usage("%s: field '%s' is missing", what, fields[i].name);
	free(copy);
	return err;
}
