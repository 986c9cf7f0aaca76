/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/lines.h"
#include "base/values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = *s < 0x80 ? 1 : *s < 0xc2 || *s > 0xf4 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	unsigned c = len == 1 ? *s : *s & (0xffu >> (len + 1));

	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) ||
	    (c & 0xfffe) == 0xfffe || c > 0x10ffff)
		return 0;
	return (len == 3 && c < 0x800) || (len == 4 && c < 0x10000) ? 0 : len;
}

const char *utf8_next(const char *text)
{
	size_t len = utf8_length(text);

	return text + (len ? len : 1);
}

size_t utf8_width(const char *text)
{
	size_t n = 0;

	for (; *text; text = utf8_next(text))
		n++;
	return n;
}

/*
 * Appends a text and takes ownership of it. If `text` is NULL, memory is short and the program
 * ends.
 */
static void push_line(struct text_lines *lines, char *text, enum line_kind kind)
{
	lines->v = memory_grow(lines->v, lines->n, sizeof(*lines->v));
	lines->v[lines->n++] = (struct text_line){ memory_or_exit(text), kind };
}

void lines_add(struct text_lines *lines, enum line_kind kind, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	push_line(lines, text, kind);
}

void lines_free(struct text_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		free(lines->v[i].text);
	free(lines->v);
	*lines = (struct text_lines){ 0 };
}

void lines_wrap(struct text_lines *lines, size_t width)
{
	struct text_lines broken = { 0 };

	for (size_t i = 0; i < lines->n; i++) {
		const char *from = lines->v[i].text;

		do {
			const char *at = from, *word = NULL;

			for (size_t k = 0; k < width && *at; k++) {
				if (*at == ' ' && k)
					word = at;
				at = utf8_next(at);
			}
			if (*at && *at != ' ' && word)	/* break between words */
				at = word;
			push_line(&broken, strndup(from, (size_t)(at - from)), lines->v[i].kind);
			from = at + strspn(at, " ");
		} while (*from);
	}
	lines_free(lines);
	*lines = broken;
}
