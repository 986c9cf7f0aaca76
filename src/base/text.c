/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_MAX = 120 };	/* largest number of characters of a user's text in a message */
enum { DECIMALS_MOST = 9 };	/* largest number of decimals of a number in a sentence */

/* Appends formatted text, and cuts what does not fit. */
static void add_formatted(struct text *t, const char *fmt, va_list args)
{
	int more = vsnprintf(t->s + t->n, sizeof(t->s) - t->n, fmt, args);

	if (more > 0)
		t->n += (size_t)more;
	if (t->n > sizeof(t->s) - 1)
		t->n = sizeof(t->s) - 1;
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_formatted(t, fmt, args);
	va_end(args);
}

struct text text_from(const char *fmt, ...)
{
	struct text t = { .n = 0 };
	va_list args;

	va_start(args, fmt);
	add_formatted(&t, fmt, args);
	va_end(args);
	return t;
}

void text_quote(struct text *t, const char *before, const char *user)
{
	text_add(t, "'%s", before);
	for (size_t i = 0; user[i] && i < QUOTED_MAX; i++)
		text_add(t, "%c", iscntrl((unsigned char)user[i]) ? '?' : user[i]);
	text_add(t, strlen(user) > QUOTED_MAX ? "...'" : "'");
}

void text_add_names(struct text *t, const char *const *names)
{
	for (size_t i = 0; names[i]; i++)
		text_add(t, "%s%s", i ? ", " : "", names[i]);
}

void text_wrap(FILE *to, const char *text, int indent, int width)
{
	int column = indent;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t word = strcspn(text, " ");
		int len;

		/* a number and its unit form one word, as in "95.1 MB/s" */
		if (strspn(text, "[~0123456789.") == word && text[word])
			word += 1 + strcspn(text + word + 1, " ");
		len = (int)word;
		if (column > indent && column + 1 + len > width) {
			fprintf(to, "\n%*s", indent, "");
			column = indent;
		}
		column += fprintf(to, "%s%.*s", column > indent ? " " : "", len, text);
		text += len;
	}
	putc('\n', to);
}

struct numeral plain(double value, int digits)
{
	struct numeral p;
	char rounded[40], *end;
	int decimals;

	if (!isfinite(value) || fabs(value) >= PLAIN_MOST) {
		snprintf(p.s, sizeof(p.s), isfinite(value) ? "more than %.0f" : "%g",
			 isfinite(value) ? copysign(PLAIN_MOST, value) : value);
		return p;
	}
	snprintf(rounded, sizeof(rounded), "%.*e", digits - 1, value);
	decimals = digits - 1 - atoi(strchr(rounded, 'e') + 1);
	decimals = decimals < 0 ? 0 : decimals > DECIMALS_MOST ? DECIMALS_MOST : decimals;
	snprintf(p.s, sizeof(p.s), "%.*f", decimals, strtod(rounded, NULL));
	end = p.s + strlen(p.s);
	while (decimals && end[-1] == '0')
		end--;
	end[decimals && end[-1] == '.' ? -1 : 0] = '\0';
	if (!strcmp(p.s, "-0"))
		strcpy(p.s, "0");
	return p;
}

char *text_close(FILE *to, char **text)
{
	if (fclose(to)) {
		free(*text);
		*text = NULL;
	}
	return *text;
}
