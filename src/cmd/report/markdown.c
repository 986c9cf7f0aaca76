/* SPDX-License-Identifier: Apache-2.0 */
/* Names and values of a result in Markdown. */
#include <ctype.h>
#include <string.h>

#include "cmd/report/report.h"
#include "result/row.h"
#include "base/values.h"

/* Endings of names, and their units. */
static const struct {
	const char *end, *unit;
} units[] = {
	{ "_s_per_B", "s/B" }, { "_Bps", "B/s" }, { "_msgps", "msg/s" }, { "_Mbps", "Mbit/s" },
	{ "_bps", "bit/s" }, { "_Hz", "Hz" }, { "_B", "B" }, { "_s", "s" },
};

/* Underscores within a word need no escape. */
static bool is_markup(const char *text, size_t i)
{
	if (text[i] == '_')
		return !i || !isalnum((unsigned char)text[i - 1]) ||
		       !isalnum((unsigned char)text[i + 1]);
	return strchr("\\|*`<[]", text[i]) != NULL;
}

static void md_text(FILE *to, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (is_markup(text, i))
			putc('\\', to);
		putc((unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i], to);
	}
}

void md_put(FILE *to, const char *before, const char *text, const char *after)
{
	fputs(before, to);
	md_text(to, text);
	fputs(after, to);
}

void md_put_value(FILE *to, const char *before, json_t *v, const char *unit, const char *after)
{
	fputs(before, to);
	md_value(to, v, unit);
	fputs(after, to);
}

/* Exact unless that is long: 48 KiB, 100000 B, 1.37 GiB. */
static void put_bytes(FILE *to, json_int_t n)
{
	static const char *const multiples[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	if (n >= (json_int_t)1 << 30 && n % (1 << 30)) {
		fprintf(to, "%.2f GiB", (double)n / (1 << 30));
		return;
	}
	while (n >= 1024 && !(n % 1024) && i + 1 < LENGTH(multiples)) {
		n /= 1024;
		i++;
	}
	fprintf(to, "%" JSON_INTEGER_FORMAT " %s", n, multiples[i]);
}

static void put_number(FILE *to, const json_t *v, const char *unit)
{
	char buf[64];

	if (json_is_integer(v) && !strcmp(unit, "B"))
		put_bytes(to, json_integer_value(v));
	else if (json_is_integer(v))
		fprintf(to, "%" JSON_INTEGER_FORMAT "%s%s", json_integer_value(v), *unit ? " " : "",
			unit);
	else if (*unit)
		fputs(format_si(buf, sizeof(buf), json_real_value(v), unit), to);
	else
		fprintf(to, "%.5g", json_real_value(v));
}

/* The unit that a name ends with, "" if none, and the length of the name without it. */
static const char *unit_of(const char *name, size_t *len)
{
	*len = strlen(name);
	for (size_t i = 0; i < LENGTH(units); i++) {
		size_t end = strlen(units[i].end);

		if (*len > end && !strcmp(name + *len - end, units[i].end)) {
			*len -= end;
			return units[i].unit;
		}
	}
	return "";
}

/* A name without its unit. */
static void put_label(FILE *to, const char *name, size_t len)
{
	char label[64];

	snprintf(label, sizeof(label), "%.*s", (int)len, name);
	md_text(to, label);
}

static void put_object(FILE *to, json_t *v)
{
	const char *name, *between = "";
	json_t *member;

	json_object_foreach(v, name, member) {
		size_t len;
		const char *unit = unit_of(name, &len);

		fputs(between, to);
		put_label(to, name, len);
		md_put_value(to, " ", member, unit, "");
		between = ", ";
	}
}

void md_value(FILE *to, json_t *v, const char *unit)
{
	size_t i;
	json_t *item;

	if (!v)
		fputs("not recorded", to);
	else if (json_is_string(v))
		md_text(to, json_string_value(v));
	else if (json_is_number(v))
		put_number(to, v, unit);
	else if (json_is_boolean(v))
		fputs(json_is_true(v) ? "yes" : "no", to);
	else if (json_is_object(v) && json_object_size(v))
		put_object(to, v);
	else if (json_is_array(v) && json_array_size(v))
		json_array_foreach(v, i, item) {
			fputs(i ? json_is_object(item) ? "; " : ", " : "", to);
			md_value(to, item, unit);
		}
	else
		fputs(json_is_null(v) ? "unknown" : "none", to);
}

void md_fact(FILE *to, const char *label, json_t *v, const char *unit)
{
	fprintf(to, "* %s", label);
	md_put_value(to, ": ", v, unit, "\n");
}

void md_facts(FILE *to, const json_t *of, const struct md_fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		md_fact(to, facts[i].label, result_at(of, facts[i].path), facts[i].unit);
}

void md_members(FILE *to, const char *indent, json_t *object, const char *const *skip)
{
	const char *name;
	json_t *v;

	json_object_foreach(object, name, v) {
		size_t len;
		const char *unit = unit_of(name, &len), *const *s = skip;

		while (s && *s && strcmp(*s, name) != 0)
			s++;
		if (s && *s)
			continue;
		fprintf(to, "%s* ", indent);
		put_label(to, name, len);
		md_put_value(to, ": ", v, unit, "\n");
	}
}

void md_list(FILE *to, const char *label, json_t *object)
{
	if (!json_object_size(object)) {
		md_fact(to, label, object, "");
		return;
	}
	fprintf(to, "* %s:\n", label);
	md_members(to, "  ", object, NULL);
}
