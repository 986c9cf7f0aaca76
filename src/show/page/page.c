/* SPDX-License-Identifier: Apache-2.0 */
#include "show/page/page.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"

/* Writes the Markdown or the HTML text, depending on the form of the page. */
static void put_by_form(struct page *p, const char *markdown, const char *html)
{
	fputs(p->form == PAGE_HTML ? html : markdown, p->to);
}

/* ---- text ---- */

/*
 * Returns true if Markdown would treat a character as markup. An underscore within a word is plain
 * text.
 */
static bool is_markup(const char *text, size_t i)
{
	if (text[i] == '_')
		return !i || !isalnum((unsigned char)text[i - 1]) ||
		       !isalnum((unsigned char)text[i + 1]);
	return strchr("\\|*`<[]", text[i]) != NULL;
}

/*
 * Writes the first n bytes of a text. In HTML U+FFFE and U+FFFF become '?', because XML excludes
 * them. If a text is not UTF-8, all its bytes outside ASCII become '?'.
 */
static void put_text(struct page *p, const char *text, size_t n, bool has_lines)
{
	static const char *const special[0x80] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};
	/* NULL if the text is not valid UTF-8 */
	json_t *utf8 = p->form == PAGE_HTML ? json_string(text) : NULL;
	bool ascii = p->form == PAGE_HTML && !utf8;

	json_decref(utf8);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' || c == 0x7f) && !(c == '\n' && has_lines)) {
			putc(' ', p->to);
		} else if (p->form == PAGE_MARKDOWN) {
			if (p->open != PAGE_VERBATIM && !p->marked[PAGE_CODE] && is_markup(text, i))
				putc('\\', p->to);
			putc(c, p->to);
		} else if (ascii && c > 0x7f) {
			putc('?', p->to);
		} else if (!strncmp(text + i, "\xef\xbf\xbe", 3) ||
			   !strncmp(text + i, "\xef\xbf\xbf", 3)) {
			putc('?', p->to);
			i += 2;
		} else if (c < LENGTH(special) && special[c]) {
			fputs(special[c], p->to);
		} else {
			putc(c, p->to);
		}
	}
}

void page_text(struct page *p, const char *text)
{
	put_text(p, text, strlen(text), false);
}

/* Writes the next argument with the printf conversion at `fmt`. Returns the rest of the format. */
static const char *put_conversion(struct page *p, const char *fmt, va_list *args)
{
	size_t n = 2 + strcspn(fmt + 1, "%sfdu");
	char spec[16], text[400] = "%";	/* `text` has room for any double */
	bool is_long = fmt[n - 2] == 'l';

	snprintf(spec, sizeof(spec), "%.*s", (int)n, fmt);
	if (fmt[n - 1] == 'f')
		snprintf(text, sizeof(text), spec, va_arg(*args, double));
	else if (fmt[n - 2] == 'z')
		snprintf(text, sizeof(text), spec, va_arg(*args, size_t));
	else if (is_long && fmt[n - 3] == 'l')
		snprintf(text, sizeof(text), spec, va_arg(*args, long long));
	else if (is_long)
		snprintf(text, sizeof(text), spec, va_arg(*args, long));
	else if (fmt[n - 1] != 's' && fmt[n - 1] != '%')
		snprintf(text, sizeof(text), spec, va_arg(*args, int));
	page_text(p, fmt[n - 1] == 's' ? va_arg(*args, const char *) : text);
	return fmt + n;
}

/*
 * Begins or ends the strong text, emphasis or code whose mark is at `fmt`. Returns the rest of the
 * format.
 */
static const char *put_mark(struct page *p, const char *fmt)
{
	static const struct {
		const char *mark, *begin, *end;
	} marks[] = {
		{ "**", "<strong>", "</strong>" }, { "*", "<em>", "</em>" },
		{ "`", "<code>", "</code>" },
	};
	size_t i = 0;

	while (strncmp(fmt, marks[i].mark, strlen(marks[i].mark)) != 0)
		i++;
	put_by_form(p, marks[i].mark, p->marked[i] ? marks[i].end : marks[i].begin);
	p->marked[i] = !p->marked[i];
	return fmt + strlen(marks[i].mark);
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	while (*fmt) {
		size_t n = strcspn(fmt, "%*`");

		put_text(p, fmt, n, true);
		fmt += n;
		if (*fmt)
			fmt = *fmt == '%' ? put_conversion(p, fmt, &args) : put_mark(p, fmt);
	}
	va_end(args);
}

/* Writes a text between two HTML tags or two Markdown marks. */
static void put_enclosed(struct page *p, const char *mark, const char *open, const char *close,
			 const char *text)
{
	put_by_form(p, mark, open);
	page_text(p, text);
	put_by_form(p, mark, close);
}

void page_verdict(struct page *p, const char *verdict, const char *text)
{
	char open[48];

	snprintf(open, sizeof(open), "<strong class=\"%s\">", verdict);
	put_enclosed(p, "**", open, "</strong>", text);
}

void page_link(struct page *p, const char *anchor, const char *text)
{
	char open[64];

	snprintf(open, sizeof(open), "<a href=\"#%s\">", anchor);
	put_enclosed(p, "", open, "</a>", text);
}

const char *page_keep(struct page *p, char *text)
{
	char **place = &p->kept[p->nkept++ % PAGE_KEPT];

	free(*place);
	*place = text;
	return text ? text : "";
}

/* ---- blocks ---- */

/* Ends all lists deeper than `depth`. */
static void close_lists(struct page *p, unsigned depth)
{
	for (; p->level > depth; p->level--)
		put_by_form(p, "", "</li>\n</ul>\n");
}

static void close_cell(struct page *p)
{
	if (p->in_cell)
		put_by_form(p, " |", p->open == PAGE_HEAD ? "</th>" : "</td>");
	p->in_cell = false;
}

static void close_row(struct page *p)
{
	bool head = p->open == PAGE_HEAD;

	close_cell(p);
	put_by_form(p, head ? "\n|" : "\n", head ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
	if (p->form == PAGE_HTML || !head)
		return;
	for (size_t i = 0; i < p->ncolumns; i++)
		fputs(p->numbers[i] ? "---:|" : "---|", p->to);
	putc('\n', p->to);
}

static void end_block(struct page *p)
{
	static const char *const ends[] = {
		[PAGE_NOTHING] = "", [PAGE_HEADING] = "</h", [PAGE_PARAGRAPH] = "</p>\n",
		[PAGE_ITEM] = "", [PAGE_VERBATIM] = "</pre>\n",
		[PAGE_HEAD] = "</tbody></table></div>\n", [PAGE_ROW] = "</tbody></table></div>\n",
	};
	bool table = p->open == PAGE_HEAD || p->open == PAGE_ROW;

	if (table)
		close_row(p);
	if (p->open == PAGE_ITEM)
		close_lists(p, 0);
	put_by_form(p, table || p->open == PAGE_NOTHING ? "" : "\n", ends[p->open]);
	if (p->form == PAGE_HTML && p->open == PAGE_HEADING)
		fprintf(p->to, "%u>\n", p->level);
	p->open = PAGE_NOTHING;
	p->level = 0;
}

void page_end(struct page *p)
{
	end_block(p);
	for (size_t i = 0; i < PAGE_KEPT; i++)
		page_keep(p, NULL);
}

static void begin_block(struct page *p, enum page_block block, const char *markdown,
			const char *html)
{
	end_block(p);
	if (p->begun)
		put_by_form(p, "\n", "");
	p->open = block;
	p->begun = true;
	put_by_form(p, markdown, html);
}

void page_include(struct page *p, const char *text)
{
	begin_block(p, PAGE_NOTHING, text, text);
}

void page_title(struct page *p, unsigned level, const char *anchor)
{
	static const char *const marks[] = { "", "# ", "## ", "### " };

	begin_block(p, PAGE_HEADING, marks[level], "");
	p->level = level;
	if (p->form == PAGE_HTML)
		fprintf(p->to, anchor ? "<h%u id=\"%s\">" : "<h%u>", level, anchor);
}

void page_paragraph(struct page *p)
{
	begin_block(p, PAGE_PARAGRAPH, "", "<p>");
}

void page_item(struct page *p, unsigned depth)
{
	if (p->open == PAGE_ITEM)
		put_by_form(p, "\n", "");
	else
		begin_block(p, PAGE_ITEM, "", "");
	close_lists(p, depth);
	put_by_form(p, depth > 1 ? "  * " : "* ", p->level == depth ? "</li>\n<li>" : "");
	for (; p->level < depth; p->level++)
		put_by_form(p, "", "\n<ul>\n<li>");
}

void page_verbatim(struct page *p)
{
	if (p->open == PAGE_VERBATIM)
		put_by_form(p, "\n      ", "\n");
	else
		begin_block(p, PAGE_VERBATIM, "      ", "<pre>");
}

void page_table(struct page *p)
{
	begin_block(p, PAGE_HEAD, "|", "<div class=\"table\"><table>\n<thead>\n<tr>");
	p->ncolumns = 0;
}

void page_head(struct page *p, bool numbers)
{
	close_cell(p);
	p->in_cell = true;
	if (p->ncolumns < PAGE_COLUMNS)
		p->numbers[p->ncolumns++] = numbers;
	put_by_form(p, " ", numbers ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
}

void page_row(struct page *p)
{
	close_row(p);
	p->open = PAGE_ROW;
	p->cell = 0;
	put_by_form(p, "|", "<tr>");
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
	put_by_form(p, " ", number ? "<td class=\"n\"" : "<td");
	if (p->form == PAGE_HTML && isfinite(value))
		fprintf(p->to, " data-v=\"%.17g\"", value);
	put_by_form(p, "", ">");
}
