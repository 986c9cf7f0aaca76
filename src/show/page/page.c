/* SPDX-License-Identifier: Apache-2.0 */
#include "show/page/page.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Underscores within a word need no escape. */
static bool is_markup(const char *text, size_t i)
{
	if (text[i] == '_')
		return !i || !isalnum((unsigned char)text[i - 1]) ||
		       !isalnum((unsigned char)text[i + 1]);
	return strchr("\\|*`<[]", text[i]) != NULL;
}

static void put_html(FILE *to, unsigned char c)
{
	static const char *const special[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};

	if (c < sizeof(special) / sizeof(special[0]) && special[c])
		fputs(special[c], to);
	else
		putc(c, to);
}

static bool is_utf8(const char *text)
{
	json_t *v = json_string(text);	/* refuses others */

	json_decref(v);
	return v;
}

/*
 * The first n characters. Text that is not UTF-8 keeps its ASCII characters, of the others each
 * byte becomes '?'; so do U+FFFE and U+FFFF, which XML does not have.
 */
static void put_text(struct page *p, const char *text, size_t n, bool has_lines)
{
	bool ascii = p->form == PAGE_HTML && !is_utf8(text);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' || c == 0x7f) && !(c == '\n' && has_lines)) {
			putc(' ', p->to);
		} else if (p->form == PAGE_MARKDOWN) {
			if (p->open != PAGE_VERBATIM && !p->code && is_markup(text, i))
				putc('\\', p->to);
			putc(c, p->to);
		} else if (ascii && c > 0x7f) {
			putc('?', p->to);
		} else if (!strncmp(text + i, "\xef\xbf\xbe", 3) ||
			   !strncmp(text + i, "\xef\xbf\xbf", 3)) {
			putc('?', p->to);
			i += 2;
		} else {
			put_html(p->to, c);
		}
	}
}

void page_text(struct page *p, const char *text)
{
	put_text(p, text, strlen(text), false);
}

/* A conversion of printf and its value. Returns what follows it in the format. */
static const char *put_conversion(struct page *p, const char *fmt, va_list *args)
{
	size_t n = 2 + strcspn(fmt + 1, "%sfdu");
	char spec[16], text[400];	/* room for any double */
	bool is_long = fmt[n - 2] == 'l';

	snprintf(spec, sizeof(spec), "%.*s", (int)n, fmt);
	if (fmt[n - 1] == 's') {
		page_text(p, va_arg(*args, const char *));
		return fmt + n;
	}
	if (fmt[n - 1] == '%')
		snprintf(text, sizeof(text), "%%");
	else if (fmt[n - 1] == 'f')
		snprintf(text, sizeof(text), spec, va_arg(*args, double));
	else if (fmt[n - 2] == 'z')
		snprintf(text, sizeof(text), spec, va_arg(*args, size_t));
	else if (is_long && fmt[n - 3] == 'l')
		snprintf(text, sizeof(text), spec, va_arg(*args, long long));
	else if (is_long)
		snprintf(text, sizeof(text), spec, va_arg(*args, long));
	else
		snprintf(text, sizeof(text), spec, va_arg(*args, int));
	page_text(p, text);
	return fmt + n;
}

/* Begins or ends what is marked. */
static void put_mark(struct page *p, bool *open, const char *mark, const char *tag)
{
	if (p->form == PAGE_HTML)
		fprintf(p->to, *open ? "</%s>" : "<%s>", tag);
	else
		fputs(mark, p->to);
	*open = !*open;
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	while (*fmt) {
		size_t n = strcspn(fmt, "%*`");

		put_text(p, fmt, n, true);
		fmt += n;
		if (*fmt == '%') {
			fmt = put_conversion(p, fmt, &args);
		} else if (!strncmp(fmt, "**", 2)) {
			put_mark(p, &p->strong, "**", "strong");
			fmt += 2;
		} else if (*fmt == '*') {
			put_mark(p, &p->emphasis, "*", "em");
			fmt++;
		} else if (*fmt) {
			put_mark(p, &p->code, "`", "code");
			fmt++;
		}
	}
	va_end(args);
}

void page_verdict(struct page *p, const char *verdict, const char *text)
{
	bool html = p->form == PAGE_HTML;

	fprintf(p->to, html ? "<strong class=\"%s\">" : "**", verdict);
	page_text(p, text);
	fputs(html ? "</strong>" : "**", p->to);
}

void page_link(struct page *p, const char *anchor, const char *text)
{
	if (p->form == PAGE_HTML)
		fprintf(p->to, "<a href=\"#%s\">", anchor);
	page_text(p, text);
	if (p->form == PAGE_HTML)
		fputs("</a>", p->to);
}

const char *page_keep(struct page *p, char *text)
{
	char **place = &p->kept[p->nkept++ % PAGE_KEPT];

	free(*place);
	*place = text;
	return text ? text : "";
}

/* ---- blocks ---- */

static void put_if_html(struct page *p, const char *html)
{
	if (p->form == PAGE_HTML)
		fputs(html, p->to);
}

/* Ends the lists that are deeper than this. */
static void close_lists(struct page *p, unsigned depth)
{
	for (; p->level > depth; p->level--)
		put_if_html(p, "</li>\n</ul>\n");
}

static void close_cell(struct page *p)
{
	if (p->in_cell && p->form == PAGE_HTML)
		fputs(p->open == PAGE_HEAD ? "</th>" : "</td>", p->to);
	else if (p->in_cell)
		fputs(" |", p->to);
	p->in_cell = false;
}

static void close_row(struct page *p)
{
	close_cell(p);
	put_if_html(p, "</tr>\n");
	put_if_html(p, p->open == PAGE_HEAD ? "</thead>\n<tbody>\n" : "");
	if (p->form == PAGE_HTML)
		return;
	putc('\n', p->to);
	if (p->open != PAGE_HEAD)
		return;
	putc('|', p->to);
	for (size_t i = 0; i < p->ncolumns; i++)
		fputs(p->numbers[i] ? "---:|" : "---|", p->to);
	putc('\n', p->to);
}

static void end_block(struct page *p)
{
	static const char *const closed[] = {
		[PAGE_PARAGRAPH] = "</p>\n", [PAGE_VERBATIM] = "</pre>\n",
		[PAGE_HEAD] = "</tbody></table></div>\n", [PAGE_ROW] = "</tbody></table></div>\n",
	};
	bool table = p->open == PAGE_HEAD || p->open == PAGE_ROW;

	if (table)
		close_row(p);
	if (p->open == PAGE_ITEM)
		close_lists(p, 0);
	else if (p->form == PAGE_HTML && p->open == PAGE_HEADING)
		fprintf(p->to, "</h%u>\n", p->level);
	else if (p->open != PAGE_NOTHING)
		put_if_html(p, closed[p->open]);
	if (p->form == PAGE_MARKDOWN && p->open != PAGE_NOTHING && !table)
		putc('\n', p->to);
	p->open = PAGE_NOTHING;
	p->level = 0;
}

void page_end(struct page *p)
{
	end_block(p);
	for (size_t i = 0; i < PAGE_KEPT; i++) {
		free(p->kept[i]);
		p->kept[i] = NULL;
	}
}

static void begin_block(struct page *p, enum page_block block)
{
	end_block(p);
	if (p->begun && p->form == PAGE_MARKDOWN)
		putc('\n', p->to);
	p->open = block;
	p->begun = true;
}

void page_include(struct page *p, const char *text)
{
	begin_block(p, PAGE_NOTHING);
	fputs(text, p->to);
}

void page_title(struct page *p, unsigned level, const char *anchor)
{
	begin_block(p, PAGE_HEADING);
	p->level = level;
	if (p->form == PAGE_MARKDOWN)
		fprintf(p->to, "%.*s ", (int)level, "###");
	else if (anchor)
		fprintf(p->to, "<h%u id=\"%s\">", level, anchor);
	else
		fprintf(p->to, "<h%u>", level);
}

void page_paragraph(struct page *p)
{
	begin_block(p, PAGE_PARAGRAPH);
	put_if_html(p, "<p>");
}

void page_item(struct page *p, unsigned depth)
{
	if (p->open != PAGE_ITEM)
		begin_block(p, PAGE_ITEM);
	else if (p->form == PAGE_MARKDOWN)
		putc('\n', p->to);
	close_lists(p, depth);
	if (p->form == PAGE_MARKDOWN)
		fprintf(p->to, "%s* ", depth > 1 ? "  " : "");
	else if (p->level == depth)
		fputs("</li>\n<li>", p->to);
	for (; p->level < depth; p->level++)
		put_if_html(p, "\n<ul>\n<li>");
}

void page_verbatim(struct page *p)
{
	bool more = p->open == PAGE_VERBATIM;

	if (more)
		putc('\n', p->to);
	else
		begin_block(p, PAGE_VERBATIM);
	if (p->form == PAGE_MARKDOWN)
		fputs("      ", p->to);
	else if (!more)
		fputs("<pre>", p->to);
}

void page_table(struct page *p)
{
	begin_block(p, PAGE_HEAD);
	p->ncolumns = 0;
	fputs(p->form == PAGE_HTML ? "<div class=\"table\"><table>\n<thead>\n<tr>" : "|", p->to);
}

void page_head(struct page *p, bool numbers)
{
	close_cell(p);
	p->in_cell = true;
	if (p->ncolumns < PAGE_COLUMNS)
		p->numbers[p->ncolumns++] = numbers;
	if (p->form == PAGE_HTML)
		fputs(numbers ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", p->to);
	else
		putc(' ', p->to);
}

void page_row(struct page *p)
{
	close_row(p);
	p->open = PAGE_ROW;
	p->cell = 0;
	fputs(p->form == PAGE_HTML ? "<tr>" : "|", p->to);
}

void page_cell(struct page *p)
{
	page_number(p, NAN);
}

void page_number(struct page *p, double value)
{
	bool number = p->cell < p->ncolumns && p->numbers[p->cell];

	close_cell(p);
	p->in_cell = true;
	p->cell++;
	if (p->form == PAGE_MARKDOWN) {
		putc(' ', p->to);
		return;
	}
	fputs(number ? "<td class=\"n\"" : "<td", p->to);
	if (isfinite(value))
		fprintf(p->to, " data-v=\"%.17g\"", value);
	putc('>', p->to);
}
