/* SPDX-License-Identifier: Apache-2.0 */
/* Names and values of a result. */
#include "show/page/facts.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

/* Endings of names, and their units. */
static const struct {
	const char *end, *unit;
} units[] = {
	{ "_s_per_B", "s/B" }, { "_Bps", "B/s" }, { "_msgps", "msg/s" }, { "_Mbps", "Mbit/s" },
	{ "_bps", "bit/s" }, { "_Hz", "Hz" }, { "_B", "B" }, { "_s", "s" },
};

/* Exact unless that is long: 48 KiB, 100000 B, 1.37 GiB. */
static void put_bytes(struct page *to, json_int_t n)
{
	static const char *const multiples[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	if (n >= (json_int_t)1 << 30 && n % (1 << 30)) {
		page_say(to, "%.2f GiB", (double)n / (1 << 30));
		return;
	}
	while (n >= 1024 && !(n % 1024) && i + 1 < LENGTH(multiples)) {
		n /= 1024;
		i++;
	}
	page_say(to, "%" JSON_INTEGER_FORMAT " %s", n, multiples[i]);
}

static void put_number(struct page *to, const json_t *v, const char *unit)
{
	char buf[64];

	if (json_is_integer(v) && !strcmp(unit, "B"))
		put_bytes(to, json_integer_value(v));
	else if (json_is_integer(v))
		page_say(to, "%" JSON_INTEGER_FORMAT "%s%s", json_integer_value(v),
			 *unit ? " " : "", unit);
	else if (*unit)
		page_text(to, format_si(buf, sizeof(buf), json_real_value(v), unit));
	else
		page_say(to, "%s", plain(json_real_value(v), 5).s);
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
static void put_label(struct page *to, const char *name, size_t len)
{
	char label[64];

	snprintf(label, sizeof(label), "%.*s", (int)len, name);
	page_text(to, label);
}

static void put_object(struct page *to, json_t *v)
{
	const char *name, *between = "";
	json_t *member;

	json_object_foreach(v, name, member) {
		size_t len;
		const char *unit = unit_of(name, &len);

		page_text(to, between);
		put_label(to, name, len);
		page_text(to, " ");
		put_value(to, member, unit);
		between = ", ";
	}
}

void put_value(struct page *to, json_t *v, const char *unit)
{
	size_t i;
	json_t *item;

	if (!v)
		page_text(to, "not recorded");
	else if (json_is_string(v))
		page_text(to, json_string_value(v));
	else if (json_is_number(v))
		put_number(to, v, unit);
	else if (json_is_boolean(v))
		page_text(to, json_is_true(v) ? "yes" : "no");
	else if (json_is_object(v) && json_object_size(v))
		put_object(to, v);
	else if (json_is_array(v) && json_array_size(v))
		json_array_foreach(v, i, item) {
			page_text(to, i ? json_is_object(item) ? "; " : ", " : "");
			put_value(to, item, unit);
		}
	else
		page_text(to, json_is_null(v) ? "unknown" : "none");
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

void put_fact(struct page *to, const char *label, json_t *v, const char *unit)
{
	page_item_say(to, 1, "%s: ", label);
	put_value(to, v, unit);
}

void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_fact(to, facts[i].label, result_at(of, facts[i].path), facts[i].unit);
}

void put_members(struct page *to, unsigned depth, json_t *object, const char *const *skip)
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
		page_item(to, depth);
		put_label(to, name, len);
		page_text(to, ": ");
		put_value(to, v, unit);
	}
}

void put_list(struct page *to, const char *label, json_t *object)
{
	if (!json_object_size(object)) {
		put_fact(to, label, object, "");
		return;
	}
	page_item_say(to, 1, "%s:", label);
	put_members(to, 2, object, NULL);
}
