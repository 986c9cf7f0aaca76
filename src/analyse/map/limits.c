/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/limits.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

bool limit_read(struct map_limit *to, const char *text)
{
	static const char *const kinds[] = { "host", "host_send", "host_receive", "pair",
					     "direction", "group", "unsteady", "unreachable" };
	size_t kind = strcspn(text, ":"), len = strlen(text);
	const char *effect = text + kind + 1;
	char percent[256];

	*to = (struct map_limit){ NULL, NAN, NAN, "" };
	snprintf(to->text, sizeof(to->text), "%s", text);
	for (size_t k = 0; k < LENGTH(kinds); k++)
		if (strlen(kinds[k]) == kind && !strncmp(kinds[k], text, kind))
			to->kind = kinds[k];
	if (!to->kind || !text[kind])
		return to->kind;
	if (!*effect || isdigit((unsigned char)text[len - 1]))
		return false;		/* it has no unit */
	if (text[len - 1] != '%')
		return parse_seconds(effect, &to->seconds);
	snprintf(percent, sizeof(percent), "%.*s", (int)strlen(effect) - 1, effect);
	if (strlen(effect) > sizeof(percent) || scan_real(percent, &to->relative) != V_OK)
		return false;
	to->relative /= 100;
	return to->relative >= 0 && to->relative < 1;
}

bool limit_is_any(const struct map_limit *limit)
{
	return isnan(limit->relative) && isnan(limit->seconds);
}

bool limit_forbids(const struct map_limit *limit, const char *kind, double effect, double adds_s)
{
	if (strcmp(kind, limit->kind) != 0 &&
	    (strcmp(limit->kind, "host") != 0 || strncmp(kind, "host_", 5) != 0) &&
	    (strcmp(limit->kind, "pair") != 0 || strcmp(kind, "direction") != 0))
		return false;
	if (limit_is_any(limit) || !strcmp(kind, "unreachable"))
		return true;
	return isnan(adds_s) ? effect >= limit->relative : adds_s >= limit->seconds;
}
