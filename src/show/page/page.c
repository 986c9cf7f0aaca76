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

static void put_html(FILE *to, const char *text, size_t i)
{
	static const char *const special[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};
	unsigned char c = (unsigned char)text[i];

	if (c < sizeof(special) / sizeof(special[0]) && special[c])
		fputs(special[c], to);
	else
		putc(c, to);
}

/* True if a character is one of those that XML does not have, U+FFFE and U+FFFF. */
static bool is_none(const char *text)
{
	return !strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3);
}

static bool is_utf8(const char *text)
{
	json_t *v = json_string(text);	/* refuses others */

	json_decref(v);
	return v;
}

/* Text that is not UTF-8 keeps its ASCII characters, of the others each byte becomes '?'. */
static void put_text(struct page *p, const char *text, bool has_lines)
{
	bool ascii = p->form == PAGE_HTML && !is_utf8(text);

	for (size_t i = 0; text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\n' && has_lines) {
			putc('\n', p->to);
		} else if (c < ' ' || c == 0x7f) {
			putc(' ', p->to);
		} else if (p->form == PAGE_MARKDOWN && p->open == PAGE_VERBATIM) {
			putc(c, p->to);
		} else if (p->form == PAGE_MARKDOWN) {
			if (is_markup(text, i))
				putc('\\', p->to);
			putc(c, p->to);
		} else if ((ascii && c > 0x7f) || is_none(text + i)) {
			putc('?', p->to);
			i += ascii ? 0 : 2;
		} else {
			put_html(p->to, text, i);
		}
	}
}

void page_text(struct page *p, const char *text)
{
	put_text(p, text, false);
}

static void put_words(struct page *p, const char *fmt, va_list args, bool has_lines)
{
	char *text;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	put_text(p, text ? text : "", has_lines);
	free(text);
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_words(p, fmt, args, true);
	va_end(args);
}

/* A text between two tags, in Markdown between two marks. */
static void put_marked(struct page *p, const char *mark, const char *open, const char *close,
		       const char *text)
{
	fputs(p->form == PAGE_HTML ? open : mark, p->to);
	put_text(p, text, false);
	fputs(p->form == PAGE_HTML ? close : mark, p->to);
}

void page_strong(struct page *p, const char *text)
{
	put_marked(p, "**", "<strong>", "</strong>", text);
}

void page_verdict(struct page *p, const char *verdict, const char *text)
{
	char open[48];

	snprintf(open, sizeof(open), "<strong class=\"%s\">", verdict);
	put_marked(p, "**", open, "</strong>", text);
}

void page_emphasis(struct page *p, const char *text)
{
	put_marked(p, "*", "<em>", "</em>", text);
}

/* In Markdown nothing is special between backticks, which `text` must not have. */
void page_code(struct page *p, const char *text)
{
	if (p->form == PAGE_HTML)
		put_marked(p, "", "<code>", "</code>", text);
	else
		fprintf(p->to, "`%s`", text);
}

void page_link(struct page *p, const char *anchor, const char *text)
{
	char open[64];

	snprintf(open, sizeof(open), "<a href=\"#%s\">", anchor);
	put_marked(p, "", open, "</a>", text);
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

void page_end(struct page *p)
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

static void begin(struct page *p, enum page_block block)
{
	page_end(p);
	if (p->begun && p->form == PAGE_MARKDOWN)
		putc('\n', p->to);
	p->open = block;
	p->begun = true;
}

void page_include(struct page *p, const char *text)
{
	begin(p, PAGE_NOTHING);
	fputs(text, p->to);
}

void page_heading(struct page *p, unsigned level, const char *anchor, const char *fmt, ...)
{
	va_list args;

	begin(p, PAGE_HEADING);
	p->level = level;
	if (p->form == PAGE_MARKDOWN)
		fprintf(p->to, "%.*s ", (int)level, "###");
	else if (anchor)
		fprintf(p->to, "<h%u id=\"%s\">", level, anchor);
	else
		fprintf(p->to, "<h%u>", level);
	va_start(args, fmt);
	put_words(p, fmt, args, false);
	va_end(args);
}

void page_paragraph(struct page *p)
{
	begin(p, PAGE_PARAGRAPH);
	put_if_html(p, "<p>");
}

void page_paragraph_say(struct page *p, const char *fmt, ...)
{
	va_list args;

	page_paragraph(p);
	va_start(args, fmt);
	put_words(p, fmt, args, true);
	va_end(args);
}

void page_item(struct page *p, unsigned depth)
{
	if (p->open != PAGE_ITEM)
		begin(p, PAGE_ITEM);
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

void page_item_say(struct page *p, unsigned depth, const char *fmt, ...)
{
	va_list args;

	page_item(p, depth);
	va_start(args, fmt);
	put_words(p, fmt, args, true);
	va_end(args);
}

void page_verbatim(struct page *p)
{
	bool more = p->open == PAGE_VERBATIM;

	if (more)
		putc('\n', p->to);
	else
		begin(p, PAGE_VERBATIM);
	if (p->form == PAGE_MARKDOWN)
		fputs("      ", p->to);
	else if (!more)
		fputs("<pre>", p->to);
}

void page_table(struct page *p)
{
	begin(p, PAGE_HEAD);
	p->ncolumns = 0;
	fputs(p->form == PAGE_HTML ? "<div class=\"table\"><table>\n<thead>\n<tr>" : "|", p->to);
}

void page_column(struct page *p, bool numbers, const char *fmt, ...)
{
	va_list args;

	close_cell(p);
	p->in_cell = true;
	if (p->ncolumns < PAGE_COLUMNS)
		p->numbers[p->ncolumns++] = numbers;
	if (p->form == PAGE_HTML)
		fputs(numbers ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", p->to);
	else
		putc(' ', p->to);
	va_start(args, fmt);
	put_words(p, fmt, args, false);
	va_end(args);
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
