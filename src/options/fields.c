/* SPDX-License-Identifier: Apache-2.0 */
/* "name=value,..." texts. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "options/types.h"

/* What parse_fields was asked for. */
struct record {
	const char *what;
	const struct field *fields;
	double unit_s;
	void *values;
	uint64_t seen;		/* bit i: fields[i] was given */
};

static const char *field_name(size_t i, void *arg)
{
	const struct field *fields = arg;

	return fields[i].name;
}

static int refuse_field(const struct record *r, const char *name)
{
	const char *near = nearest(name, field_name, (void *)r->fields);
	struct line l = { .n = 0 };

	line_add(&l, "%s: unknown field ", r->what);
	line_quote(&l, "", name);
	if (near)
		line_add(&l, ", did you mean '%s'?", near);
	else
		line_add(&l, ", known are: ");
	for (size_t i = 0; !near && r->fields[i].name; i++)
		line_add(&l, "%s%s", i ? ", " : "", r->fields[i].name);
	return error_usage("%s", l.s);
}

static int take_field(const struct record *r, const struct field *f, const char *value)
{
	bool any = f->min == 0 && f->max == 0;
	const struct opt opt = {
		.name = f->name,
		.type = f->type,
		.min = f->min,
		.max = any ? -1 : f->max, /* below min: no upper bound */
	};
	const struct ask ask = { &opt, r->what, "", r->unit_s };

	return opt_kind(&opt)->take(&ask, value, (char *)r->values + f->at);
}

/* Cuts the pair in two. */
static int take_pair(struct record *r, char *pair)
{
	char *value = strchr(pair, '=');
	struct line l = { .n = 0 };
	size_t i = 0;

	if (!value) {
		line_quote(&l, "", pair);
		return error_usage("%s: %s is not of the form name=value", r->what, l.s);
	}
	*value++ = '\0';
	while (r->fields[i].name && strcmp(r->fields[i].name, pair) != 0)
		i++;
	if (!r->fields[i].name)
		return refuse_field(r, pair);
	if (r->seen & UINT64_C(1) << i)
		return error_usage("%s: field '%s' is given twice", r->what, pair);
	r->seen |= UINT64_C(1) << i;
	return take_field(r, &r->fields[i], value);
}

int parse_fields(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values)
{
	struct record r = { what, fields, unit_s, values, 0 };
	char *copy = strdup(text), *rest = copy, *pair;
	int err = copy ? ST_OK : error_report("out of memory");

	while (!err && *text && (pair = strsep(&rest, ",")))
		err = take_pair(&r, pair);
	for (size_t i = 0; !err && fields[i].name; i++) {
		if (fields[i].required && !(r.seen & UINT64_C(1) << i))
			err = error_usage("%s: field '%s' is missing", what, fields[i].name);
	}
	free(copy);
	return err;
}
