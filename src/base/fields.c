/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

/* What fields_parse was asked for. */
struct reading {
	const char *what;
	const struct field *fields;
	double unit_s;
	void *values;
	uint64_t seen;		/* bit i: fields[i] was given */
};

static const char *field_name(size_t i, void *arg)
{
	return ((const struct field *)arg)[i].name;
}

static int refuse_field(const struct reading *r, const char *name)
{
	const char *near = suggest(name, field_name, (void *)r->fields);
	struct text t = { .n = 0 };

	text_add(&t, "%s: unknown field ", r->what);
	text_quote(&t, "", name);
	text_add(&t, near ? ", did you mean '%s'?" : ", known are: ", near);
	for (size_t i = 0; !near && r->fields[i].name; i++)
		text_add(&t, "%s%s", i ? ", " : "", r->fields[i].name);
	return error_usage("%s", t.s);
}

/* Cuts the pair in two. */
static int take_pair(struct reading *r, char *pair)
{
	char *value = strchr(pair, '=');
	const struct field *f = r->fields;
	struct text t = { .n = 0 };
	struct number n;
	uint64_t bit;

	if (!value) {
		text_quote(&t, "", pair);
		return error_usage("%s: %s is not of the form name=value", r->what, t.s);
	}
	*value++ = '\0';
	while (f->name && strcmp(f->name, pair) != 0)
		f++;
	if (!f->name)
		return refuse_field(r, pair);
	bit = UINT64_C(1) << (f - r->fields);
	if (r->seen & bit)
		return error_usage("%s: field '%s' is given twice", r->what, pair);
	r->seen |= bit;
	n = (struct number){ .type = f->type, .of = r->what, .dashes = "", .name = f->name,
			     .min = f->min, .max = f->max, .unit_s = r->unit_s };
	if (f->min == 0 && f->max == 0)
		n.max = -1;	/* below min: no upper bound */
	return number_take(&n, value, (char *)r->values + f->at);
}

int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values)
{
	struct reading r = { what, fields, unit_s, values, 0 };
	char *copy = strdup(text), *rest = copy, *pair;
	int err = copy ? ST_OK : error_report("out of memory");

	while (!err && *text && (pair = strsep(&rest, ",")))
		err = take_pair(&r, pair);
	for (size_t i = 0; !err && fields[i].name; i++)
		if (fields[i].required && !(r.seen & UINT64_C(1) << i))
			err = error_usage("%s: field '%s' is missing", what, fields[i].name);
	free(copy);
	return err;
}
