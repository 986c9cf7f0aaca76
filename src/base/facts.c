/* SPDX-License-Identifier: Apache-2.0 */
#include "base/facts.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy = json ? NULL : strdup(text);

	if (!copy)
		return json;
	for (char *c = copy; *c; c++)
		if (!isascii((unsigned char)*c))
			*c = '?';
	json = json_string(copy);
	free(copy);
	return json;
}

void fact_text(struct facts *f, const char *key, const char *text)
{
	if (f->object)
		json_object_set_new(f->object, key, text ? json_string(text) : json_null());
	else
		fprintf(f->to, "  %-10s %s\n", key, text ? text : "unknown");
}

void fact_format(struct facts *f, const char *key, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fact_text(f, key, text);
}

void fact_int(struct facts *f, const char *key, long long value)
{
	if (f->object)
		json_object_set_new(f->object, key, json_integer(value));
	else
		fprintf(f->to, "  %-10s %lld\n", key, value);
}

void fact_real(struct facts *f, const char *key, double value)
{
	if (!isfinite(value))
		fact_text(f, key, NULL);
	else if (f->object)
		json_object_set_new(f->object, key, json_real(value));
	else
		fprintf(f->to, "  %-10s %.10g\n", key, value);
}
