/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/quote.h"

#include "show/chart/lines.h"

/* Writes the first characters of a text as they stand within quotes, these signs twice. */
static void put(FILE *to, const char *text, size_t n, bool format)
{
	for (; *text && n--; text = utf8_next(text)) {
		size_t len = utf8_length(text);

		if (*text == '\'' || (*text == '%' && format))
			putc(*text, to);
		if (len)
			fwrite(text, 1, len, to);
		else
			putc('?', to);
	}
}

void quote_put(FILE *to, const char *text, size_t width)
{
	size_t n = utf8_width(text), most = n <= width ? n : width > 3 ? width - 3 : 0;

	putc('\'', to);
	put(to, text, most, false);
	fputs(n > most ? "...'" : "'", to);
}

void quote_format(FILE *to, const char *format, const char *text)
{
	fprintf(to, "'%s", format);
	put(to, text, utf8_width(text), true);
	putc('\'', to);
}

bool quote_is_whole(const char *text)
{
	while (*text && utf8_length(text))
		text = utf8_next(text);
	return !*text;
}
