/* SPDX-License-Identifier: Apache-2.0 */
#include "show/units.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/values.h"
#include "result/row.h"

#define WIDTH 79

struct unit_text scaled(double value, const char *unit)
{
	struct unit_text text;

	format_si(text.s, sizeof(text.s), value, unit);
	return text;
}

struct unit_text in_bytes(double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	struct unit_text text;
	size_t i = 0;

	for (; i + 1 < LENGTH(units) && bytes >= 1024 && fmod(bytes, 1024) == 0; i++)
		bytes /= 1024;
	snprintf(text.s, sizeof(text.s), "%.15g %s", bytes, units[i]);
	return text;
}

struct unit_text scaled_time(double t, bool cycles)
{
	struct unit_text text;

	if (!cycles)
		return scaled(t, "s");
	snprintf(text.s, sizeof(text.s), "%.10g", t);
	return text;
}

void put_computed(const char *title)
{
	struct text t = { .n = 0 };

	text_add(&t, "%s (computed)", title);
	text_wrap(stdout, t.s, 0, WIDTH);
}
