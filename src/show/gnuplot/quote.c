/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/quote.h"

#include "show/chart/lines.h"

/* Room for a doubled last character and the end "...'". */
#define ROOM 12

/*
 * Adds the first n characters of a text to a quoted text. Doubles each '. If `format`, also doubles
 * each %.
 */
static void add_quoted(struct text *to, const char *text, size_t n, bool format)
{
	for (; *text && n-- && to->n + ROOM < sizeof(to->s); text = utf8_next(text)) {
		size_t len = utf8_length(text);

		if (*text == '\'' || (*text == '%' && format))
			text_add(to, "%c", *text);
		text_add(to, "%.*s", len ? (int)len : 1, len ? text : "?");
	}
}

struct text quoted(const char *text, size_t width)
{
	size_t n = utf8_width(text), most = n <= width ? n : width > 3 ? width - 3 : 0;
	struct text to = text_from("'");

	add_quoted(&to, text, most, false);
	text_add(&to, n > most ? "...'" : "'");
	return to;
}

struct text quoted_format(const char *format, const char *text)
{
	struct text to = text_from("'%s", format);

	add_quoted(&to, text, utf8_width(text), true);
	text_add(&to, "'");
	return to;
}

bool quote_keeps_all(const char *text)
{
	const char *at = text;

	while (*at && utf8_length(at))
		at = utf8_next(at);
	return !*at && 2 * (size_t)(at - text) + ROOM < sizeof(((struct text *)0)->s);
}
