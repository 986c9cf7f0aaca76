/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/heat/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "show/chart/lines.h"

/* Characters of a label at most. */
#define NAME_MOST 14

/* True if all names end in this, and each has more. */
static bool all_end_in(const struct heat *h, const char *suffix)
{
	size_t len = strlen(suffix);

	for (size_t i = 0; i < h->n; i++) {
		size_t n = strlen(h->names[i]);

		if (n <= len || strcmp(h->names[i] + n - len, suffix) != 0)
			return false;
	}
	return true;
}

/* The domain that all names have in common, with its dot; "" if there is none. */
static const char *common_domain(const struct heat *h)
{
	const char *dot = h->n > 1 ? strchr(h->names[0], '.') : NULL;

	while (dot && !all_end_in(h, dot))
		dot = strchr(dot + 1, '.');
	return dot ? dot : "";
}

/* The last characters of a name, which tell hosts of a cluster apart; for free(). */
static char *end_of(const char *name, size_t len)
{
	char *text = strndup(name, len), *end = NULL;
	size_t width = text ? utf8_width(text) : 0, skipped = 0;

	if (!text || width <= NAME_MOST)
		return text;
	for (const char *at = text; *at; at++) {
		skipped += ((unsigned char)*at & 0xc0) != 0x80;		/* a character begins */
		if (skipped <= width - (NAME_MOST - 3))
			continue;
		if (asprintf(&end, "...%s", at) < 0)
			end = NULL;
		break;
	}
	free(text);
	return end;
}

int names_shorten(struct heat *h)
{
	h->domain = common_domain(h);
	h->labels = calloc(h->n + 1, sizeof(*h->labels));
	for (size_t i = 0; i < h->n && h->labels; i++) {
		h->labels[i] = end_of(h->names[i], strlen(h->names[i]) - strlen(h->domain));
		if (!h->labels[i])
			return error_report("no memory for names of hosts");
	}
	return h->labels ? ST_OK : error_report("no memory for names of hosts");
}

const char *names_of(const struct heat *h, size_t row)
{
	return h->labels[row * h->per];
}
