/* SPDX-License-Identifier: Apache-2.0 */
/* Writes names and values of a result into a page. */
#include "show/page/facts.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "show/units.h"

#define GIB (1 << 30)

/* Endings of names and the unit that each stands for. */
static const struct {
	const char *end, *unit;
} units[] = {
	{ "_s_per_B", "s/B" }, { "_Bps", "B/s" }, { "_msgps", "msg/s" }, { "_Mbps", "Mbit/s" },
	{ "_bps", "bit/s" }, { "_Hz", "Hz" }, { "_B", "B" }, { "_s", "s" },
};

/*
 * Writes a number. Bytes are exact below 1 GiB (48 KiB), and rounded to two decimals above (1.37
 * GiB).
 */
static void write_number(FILE *to, const json_t *v, const char *unit, enum rate_unit rates)
{
	json_int_t n = json_integer_value(v);
	char buf[64];

	if (rates == RATE_BIT && !strcmp(unit, "B/s"))
		fputs(format_rate(buf, sizeof(buf), json_number_value(v), unit, rates), to);
	else if (json_is_integer(v) && !strcmp(unit, "B") && n >= GIB && n % GIB)
		fprintf(to, "%.2f GiB", (double)n / GIB);
	else if (json_is_integer(v) && !strcmp(unit, "B"))
		fputs(in_bytes((double)n).s, to);
	else if (json_is_integer(v))
		fprintf(to, "%" JSON_INTEGER_FORMAT "%s%s", n, *unit ? " " : "", unit);
	else
		fputs(*unit ? format_si(buf, sizeof(buf), json_real_value(v), unit)
			    : plain(json_real_value(v), 5).s, to);
}

/* Splits a name into label and unit. The unit is "" if the name has none of the endings above. */
static struct label {
	char s[64];
	const char *unit;
} split_label(const char *name)
{
	struct label l = { .unit = "" };
	size_t len = strlen(name);

	for (size_t i = 0; i < LENGTH(units); i++) {
		size_t end = strlen(units[i].end);

		if (len > end && !strcmp(name + len - end, units[i].end)) {
			len -= end;
			l.unit = units[i].unit;
			break;
		}
	}
	snprintf(l.s, sizeof(l.s), "%.*s", (int)len, name);
	return l;
}

static void write_value(FILE *to, const json_t *v, const char *unit, enum rate_unit rates)
{
	const char *name, *between = "";
	json_t *member;
	size_t i;

	if (json_is_string(v))
		fputs(json_string_value(v), to);
	else if (json_is_number(v))
		write_number(to, v, unit, rates);
	else if (json_is_boolean(v))
		fputs(json_is_true(v) ? "yes" : "no", to);
	else if (!json_object_size(v) && !json_array_size(v))
		fputs(!v ? "not recorded" : json_is_null(v) ? "unknown" : "none", to);
	json_object_foreach((json_t *)(uintptr_t)v, name, member) {
		struct label l = split_label(name);

		fprintf(to, "%s%s ", between, l.s);
		write_value(to, member, l.unit, rates);
		between = ", ";
	}
	json_array_foreach(v, i, member) {
		fputs(!i ? "" : json_is_object(member) ? "; " : ", ", to);
		write_value(to, member, unit, rates);
	}
}

static const char *format_value(struct page *to, const json_t *v, const char *unit,
				enum rate_unit rates)
{
	char *text = NULL;
	FILE *stream = text_open(&text);

	write_value(stream, v, unit, rates);
	return page_keep(to, memory_or_exit(text_close(stream, &text)));
}

const char *value_text(struct page *to, const json_t *v, const char *unit)
{
	return format_value(to, v, unit, RATE_BYTE);
}

bool put_interval(struct page *to, double lo, double hi, const char *unit, enum rate_unit rates)
{
	char from[64], until[64];

	if (isnan(lo) || isnan(hi))
		return false;
	page_say(to, " (95 %% interval %s to %s)", format_rate(from, sizeof(from), lo, unit, rates),
		 format_rate(until, sizeof(until), hi, unit, rates));
	return true;
}

void put_fact(struct page *to, const char *label, const json_t *v, const char *unit)
{
	page_item_say(to, 1, "%s: %s", label, value_text(to, v, unit));
}

void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_fact(to, facts[i].label, result_at(of, facts[i].path), facts[i].unit);
}

void put_members(struct page *to, unsigned depth, json_t *object, enum rate_unit rates)
{
	const char *name;
	json_t *v;

	json_object_foreach(object, name, v) {
		struct label l = split_label(name);

		page_item_say(to, depth, "%s: %s", l.s, format_value(to, v, l.unit, rates));
	}
}

void put_list(struct page *to, const char *label, json_t *object)
{
	if (!json_object_size(object)) {
		put_fact(to, label, object, "");
		return;
	}
	page_item_say(to, 1, "%s:", label);
	put_members(to, 2, object, RATE_BYTE);
}
