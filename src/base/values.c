/* SPDX-License-Identifier: Apache-2.0 */
#include "base/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool in_range(double value, double min, double max)
{
	if (min == 0 && max == 0)
		return true;
	return value >= min && (max < min || value <= max);
}

enum scan_fault scan_whole(const char **at, bool suffixes, uint64_t *value)
{
	bool negative = **at == '-', huge = false;
	const char *s = *at + negative;
	unsigned int shift;
	uint64_t v = 0;

	if (!isdigit((unsigned char)*s))
		return V_NONE;
	for (; isdigit((unsigned char)*s); s++) {
		huge |= __builtin_mul_overflow(v, UINT64_C(10), &v);
		huge |= __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
	}
	shift = !suffixes ? 0 : *s == 'k' || *s == 'K' ? 10 : *s == 'M' ? 20 : *s == 'G' ? 30 : 0;
	if (shift) {
		huge |= __builtin_mul_overflow(v, UINT64_C(1) << shift, &v);
		s++;
	}
	*at = s;
	*value = v;
	if (negative)
		return V_NEGATIVE;
	return huge ? V_HUGE : V_OK;
}

/* Reads a decimal number at *at. *at moves past the number. */
static enum scan_fault scan_decimal(const char **at, double *value)
{
	const char *digits = *at + (**at == '-');
	char *end;

	if (!isdigit((unsigned char)digits[*digits == '.']))
		return V_NONE;
	if (*digits == '0' && tolower((unsigned char)digits[1]) == 'x')
		return V_NONE;
	*value = strtod(*at, &end);
	*at = end;
	return isfinite(*value) ? V_OK : V_HUGE;
}

enum scan_fault scan_real(const char *text, double *value)
{
	enum scan_fault v = scan_decimal(&text, value);

	return *text ? V_NONE : v;
}

enum scan_fault scan_seconds(const char *text, double unit_s, double *value)
{
	/* divide: 5 / 1e6 is the double nearest to 5 us, but 5 * 1e-6 is not */
	const struct { const char *name; double times, over; } units[] = {
		{ "", unit_s, 1 }, { "s", 1, 1 },   { "ms", 1, 1e3 },  { "us", 1, 1e6 },
		{ "ns", 1, 1e9 },  { "m", 60, 1 },  { "h", 3600, 1 },
	};
	enum scan_fault v = scan_decimal(&text, value);

	for (size_t i = 0; v != V_NONE && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		if (signbit(*value))
			return V_NEGATIVE;
		*value = *value * units[i].times / units[i].over;
		return isfinite(*value) ? V_OK : V_HUGE;
	}
	return V_NONE;
}

/* The capacity is always the smallest power of two that is at least n, so it is not stored. */
void *list_grow(void *v, size_t n, size_t size)
{
	if (n & (n - 1))
		return v;
	return reallocarray(v, n ? 2 * n : 1, size);
}

void *memory_or_exit(void *p)
{
	if (p)
		return p;
	error_route(NULL);
	exit(error_report("no memory to process the results"));
}

void *memory_new(size_t n, size_t size)
{
	return memory_or_exit(calloc(n ? n : 1, size));
}

void *memory_grow(void *v, size_t n, size_t size)
{
	return memory_or_exit(list_grow(v, n, size));
}

enum scan_fault numbers_push(struct numbers *list, uint64_t value)
{
	uint64_t *v = list_grow(list->v, list->n, sizeof(*v));

	if (!v)
		return V_MEMORY;
	list->v = v;
	list->v[list->n++] = value;
	return V_OK;
}

/*
 * Appends the numbers from `value` to `last`. If `mul` is true, each is `by` times the previous
 * one; otherwise each is `by` more.
 */
static enum scan_fault push_range(struct numbers *list, uint64_t value, uint64_t last, bool mul,
			       uint64_t by)
{
	size_t n = 0;
	bool over;

	if (last <= value || by == 0 || (mul && (by == 1 || value == 0)))
		return V_FALLS;
	do {
		enum scan_fault v = ++n > RANGE_MAX ? V_LONG : numbers_push(list, value);

		if (v)
			return v;
		over = mul ? __builtin_mul_overflow(value, by, &value)
			   : __builtin_add_overflow(value, by, &value);
	} while (!over && value <= last);
	return V_OK;
}

/*
 * Reads "a", "a:b", "a:b:+d" or "a:b:*f" up to the next comma or the end. After V_OK, *at points at
 * that comma or the end.
 */
static enum scan_fault scan_element(const char **at, bool suffixes, struct numbers *list)
{
	uint64_t first, last, by = 1;
	char op = '+';
	enum scan_fault v = scan_whole(at, suffixes, &first);

	if (**at && !strchr(",:", **at))
		return V_NONE;
	if (v)
		return v;
	if (**at != ':')
		return numbers_push(list, first);
	++*at;
	v = scan_whole(at, suffixes, &last);
	if (!v && **at == ':') {
		op = *++*at;
		if (op != '+' && op != '*')
			return V_NONE;
		++*at;
		v = scan_whole(at, suffixes && op == '+', &by);
	}
	if (v)
		return v;
	return **at && **at != ',' ? V_NONE : push_range(list, first, last, op == '*', by);
}

enum scan_fault scan_list(const char **at, bool suffixes, double min, double max,
		       struct numbers *list)
{
	for (;; ++*at) {
		const char *element = *at;
		size_t i = list->n;
		enum scan_fault v = scan_element(at, suffixes, list);

		while (!v && i < list->n && in_range((double)list->v[i], min, max))
			i++;
		if (!v && i < list->n) {
			v = V_RANGE;
			list->n = i + 1;
		}
		if (v)
			*at = element;
		if (v || !**at)
			return v;
	}
}

bool parse_size(const char *text, uint64_t *bytes)
{
	uint64_t value;

	if (scan_whole(&text, true, &value) || *text)
		return false;
	*bytes = value;
	return true;
}

bool parse_seconds(const char *text, double *seconds)
{
	double value;

	if (scan_seconds(text, 1, &value))
		return false;
	*seconds = value;
	return true;
}
