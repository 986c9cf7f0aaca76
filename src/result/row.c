/* SPDX-License-Identifier: Apache-2.0 */
#include "result/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value val_real(double r)
{
	return isfinite(r) ? (struct value){ .kind = VAL_REAL, .r = r } : (struct value){ 0 };
}

struct value val_uint(uint64_t u)
{
	return (struct value){ .kind = VAL_UINT, .u = u };
}

struct value val_text(const char *t)
{
	return (struct value){ .kind = t ? VAL_TEXT : VAL_NONE, .t = t };
}

/* Rounds first and then chooses the prefix, so that 999.95 M becomes 1.000 G, not 1000 M. */
char *format_si(char *buf, size_t len, double value, const char *unit)
{
	static const char prefixes[] = "afpnum\0kMGTPE";
	char digits[32];
	char *e;
	int power, group, rest;

	if (isnan(value))
		return strcpy(buf, "-");
	snprintf(digits, sizeof(digits), "%.3e", value);
	e = strchr(digits, 'e');
	power = e ? atoi(e + 1) : 0;
	group = (power + 300 * 3) / 3 - 300;
	rest = power - 3 * group;
	if (value == 0 || !e || group < -6 || group > 6) {
		snprintf(buf, len, "%.4g%s%s", value == 0 ? 0 : value, *unit ? " " : "", unit);
		return buf;
	}
	snprintf(e, 4, "e%d", rest);
	snprintf(buf, len, "%.*f%s%.1s%s", 3 - rest, strtod(digits, NULL),
		 group || *unit ? " " : "", &prefixes[group + 6], unit);
	return buf;
}

bool parse_si(const char *text, const char *unit, double *value)
{
	static const char prefixes[] = "numkMGT";
	static const double factors[] = { 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12 };
	const char *prefix;
	char *end;

	*value = strtod(text, &end);
	if (end == text || !isfinite(*value))
		return false;
	end += strspn(end, " ");
	prefix = *end && strcmp(end, unit) != 0 ? strchr(prefixes, *end) : NULL;
	if (prefix && strncmp(end, "msg", 3) != 0) {	/* the m of msg/s is not a prefix */
		*value *= factors[prefix - prefixes];
		end++;
	}
	if (!*end || !strcmp(end, unit))
		return true;
	if (!strcmp(unit, "B/s") && !strcmp(end, "bit/s"))
		*value /= 8;
	else if (!strcmp(unit, "bit/s") && !strcmp(end, "B/s"))
		*value *= 8;
	else
		return false;
	return true;
}

const char *const rate_unit_names[] = { "byte", "bit", NULL };

double rate_factor(enum rate_unit rates, const char **unit)
{
	if (rates == RATE_BYTE || strcmp(*unit, "B/s") != 0)
		return 1;
	*unit = "bit/s";
	return 8;
}

char *format_rate(char *buf, size_t len, double value, const char *unit, enum rate_unit rates)
{
	double factor = rate_factor(rates, &unit);

	return format_si(buf, len, factor * value, unit);
}

char *rate_head(char *buf, size_t len, const char *head, enum rate_unit rates)
{
	const char *bytes = rates == RATE_BYTE ? NULL : strstr(head, "B/s");
	int before = bytes ? (int)(bytes - head) : 0;

	snprintf(buf, len, "%.*s%s%s", before, head, bytes ? "bit/s" : "",
		 bytes ? bytes + strlen("B/s") : head);
	return buf;
}
