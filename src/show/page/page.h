/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of headings, paragraphs, lists and tables, written as Markdown or as HTML. What begins a
 * block ends the one before; what is written then is in it:
 *
 *	page_item_say(p, 1, "**%zu** ranks on %s", n, host);
 *	page_paragraph(p);
 */
#ifndef NETBENCH_SHOW_PAGE_PAGE_H
#define NETBENCH_SHOW_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum page_form { PAGE_MARKDOWN, PAGE_HTML };

enum page_block {
	PAGE_NOTHING,
	PAGE_HEADING,
	PAGE_PARAGRAPH,
	PAGE_ITEM,
	PAGE_VERBATIM,
	PAGE_HEAD,		/* a table's head */
	PAGE_ROW,
};

enum page_mark { PAGE_STRONG, PAGE_EMPHASIS, PAGE_CODE };

#define PAGE_COLUMNS 128
#define PAGE_KEPT 8

/* A page; begin with { .to = ..., .form = ... }, end with page_end. */
struct page {
	FILE *to;
	enum page_form form;
	enum page_block open;
	bool begun;			/* there is a block before */
	unsigned level;			/* of the heading, or depth of the list */
	bool numbers[PAGE_COLUMNS];	/* columns of the table, numbers to the right */
	size_t ncolumns, cell;		/* these, and cells of the row */
	bool in_cell;
	bool marked[PAGE_CODE + 1];	/* marks that are open */
	char *kept[PAGE_KEPT];		/* the last texts of page_keep */
	size_t nkept;
};

/* ---- in a block ---- */

/*
 * netbench's own words, a format of printf with %s and the usual conversions of numbers. Lines may
 * end within the words. In them **strong**, *emphasis* and `code` are marks as in Markdown; all
 * else, and what %s brings, is text in which nothing is special. Controls in it become blanks.
 */
void page_say(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same of a text of a file or user alone. */
void page_text(struct page *p, const char *text);

/* The text in the colour of a verdict: "pass", "fail" or "unclear". */
void page_verdict(struct page *p, const char *verdict, const char *text);

/* A link to the heading with this anchor; in Markdown the text alone. */
void page_link(struct page *p, const char *anchor, const char *text);

/* Keeps a text, for free(), until PAGE_KEPT more are kept or the page ends. Returns it, or "". */
const char *page_keep(struct page *p, char *text);

/* ---- blocks ---- */

/* Level 1 to 3; `anchor`, NULL for none: by which links find it, letters and digits. */
void page_title(struct page *p, unsigned level, const char *anchor);
#define page_heading(p, level, anchor, ...) \
	(page_title(p, level, anchor), page_say(p, __VA_ARGS__))

void page_paragraph(struct page *p);
#define page_paragraph_say(p, ...) (page_paragraph(p), page_say(p, __VA_ARGS__))

/* An item of a list, or, with depth 2, of a list in an item. */
void page_item(struct page *p, unsigned depth);
#define page_item_say(p, depth, ...) (page_item(p, depth), page_say(p, __VA_ARGS__))

/* A line whose blanks stay; those that follow one another are one block. */
void page_verbatim(struct page *p);
#define page_verbatim_say(p, ...) (page_verbatim(p), page_say(p, __VA_ARGS__))

/* A table: its columns first, each with its heading of one line; then rows and their cells. */
void page_table(struct page *p);
void page_head(struct page *p, bool numbers);
#define page_column(p, numbers, ...) (page_head(p, numbers), page_say(p, __VA_ARGS__))
void page_row(struct page *p);

/* A cell that is sorted by this number; NaN: by none. */
void page_number(struct page *p, double value);
#define page_number_say(p, value, ...) (page_number(p, value), page_say(p, __VA_ARGS__))
void page_cell(struct page *p);
#define page_cell_say(p, ...) (page_cell(p), page_say(p, __VA_ARGS__))

/* A text that another page of this form has become, or in HTML any. */
void page_include(struct page *p, const char *text);

/* Ends the last block. */
void page_end(struct page *p);

#endif
