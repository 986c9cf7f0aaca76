/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of headings, paragraphs, lists and tables, written as Markdown or as HTML. What begins a
 * block ends the one before; what is written then is in it:
 *
 *	page_item(p, 1);
 *	page_say(p, "%zu ranks on ", n);
 *	page_text(p, host);
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

#define PAGE_COLUMNS 128

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
};

/* The argument `at` is a format of printf, those behind it are its values. */
#define PAGE_FORMAT(at) __attribute__((format(printf, at, at + 1)))

/* ---- blocks ---- */

/*
 * Level 1 to 3; `anchor`, NULL for none: by which links find it, letters and digits. Begins with a
 * text of one line, as page_text says it.
 */
void page_heading(struct page *p, unsigned level, const char *anchor, const char *fmt, ...)
	PAGE_FORMAT(4);

void page_paragraph(struct page *p);

/* A paragraph that begins with what page_say says. */
void page_paragraph_say(struct page *p, const char *fmt, ...) PAGE_FORMAT(2);

/* An item of a list, or, with depth 2, of a list in an item. */
void page_item(struct page *p, unsigned depth);

/* The same, that begins with what page_say says. */
void page_item_say(struct page *p, unsigned depth, const char *fmt, ...) PAGE_FORMAT(3);

/* A line whose blanks stay; those that follow one another are one block. */
void page_verbatim(struct page *p);

/* A table: its columns first, each with its heading of one line; then rows and their cells. */
void page_table(struct page *p);
void page_column(struct page *p, bool numbers, const char *fmt, ...) PAGE_FORMAT(3);
void page_row(struct page *p);
void page_cell(struct page *p);

/* A cell that is sorted by this number; NaN: by none. */
void page_number(struct page *p, double value);

/* A text that another page of this form has become, or in HTML any. */
void page_include(struct page *p, const char *text);

/* Ends the last block. */
void page_end(struct page *p);

/* ---- in a block ---- */

/* A text of a file or user, in which nothing is special; controls become blanks. */
void page_text(struct page *p, const char *text);

/* netbench's own words, and numbers; as page_text, but lines may end within. */
void page_say(struct page *p, const char *fmt, ...) PAGE_FORMAT(2);

void page_strong(struct page *p, const char *text);

/* The same for a verdict, in its colour: "pass", "fail" or "unclear". */
void page_verdict(struct page *p, const char *verdict, const char *text);
void page_emphasis(struct page *p, const char *text);
void page_code(struct page *p, const char *text);

/* A link to the heading with this anchor; in Markdown the text alone. */
void page_link(struct page *p, const char *anchor, const char *text);

#endif
