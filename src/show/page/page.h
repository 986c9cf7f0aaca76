/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of headings, paragraphs, lists and tables, written as Markdown or as HTML. The beginning
 * of a block ends the block before it, and the following text belongs to the new block:
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
	bool begun;			/* a block came before */
	unsigned level;			/* of the heading, or depth of the list */
	bool numbers[PAGE_COLUMNS];	/* columns of numbers, aligned to the right */
	size_t ncolumns, cell;		/* columns of the table, and cells of the row */
	bool in_cell;
	bool marked[PAGE_CODE + 1];	/* marks that are open */
	char *kept[PAGE_KEPT];		/* the last texts that page_keep took */
	size_t nkept;
};

/* ---- in a block ---- */

/*
 * Writes netbench's own words. The format has %s and printf's conversions of numbers, newlines,
 * and **strong**, *emphasis* and `code` as in Markdown. All other characters stand for themselves,
 * also in the text for %s; its control characters become blanks.
 */
void page_say(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a text of a file or user, as page_say does for %s. */
void page_text(struct page *p, const char *text);

/* Writes the text in the colour of a verdict: "pass", "fail" or "unclear". */
void page_verdict(struct page *p, const char *verdict, const char *text);

/* A link to the heading with this anchor; in Markdown the text alone. */
void page_link(struct page *p, const char *anchor, const char *text);

/* Takes a text and frees it after PAGE_KEPT more, or at page_end. Returns it; "" for NULL. */
const char *page_keep(struct page *p, char *text);

/* ---- blocks ---- */

/* A heading of level 1 to 3. `anchor`: its name for links, letters and digits; NULL for none. */
void page_title(struct page *p, unsigned level, const char *anchor);
#define page_heading(p, level, anchor, ...) \
	(page_title(p, level, anchor), page_say(p, __VA_ARGS__))

void page_paragraph(struct page *p);
#define page_paragraph_say(p, ...) (page_paragraph(p), page_say(p, __VA_ARGS__))

/* An item of a list, or, with depth 2, of a list in an item. */
void page_item(struct page *p, unsigned depth);
#define page_item_say(p, depth, ...) (page_item(p, depth), page_say(p, __VA_ARGS__))

/* A line that keeps its blanks. Consecutive lines are one block. */
void page_verbatim(struct page *p);
#define page_verbatim_say(p, ...) (page_verbatim(p), page_say(p, __VA_ARGS__))

/* A table: first its columns, each with a heading of one line; then rows with their cells. */
void page_table(struct page *p);
void page_head(struct page *p, bool numbers);
#define page_column(p, numbers, ...) (page_head(p, numbers), page_say(p, __VA_ARGS__))
void page_row(struct page *p);

/* A cell with a number for sorting, or NaN; page_cell is a cell without one. */
void page_number(struct page *p, double value);
#define page_number_say(p, value, ...) (page_number(p, value), page_say(p, __VA_ARGS__))
void page_cell(struct page *p);
#define page_cell_say(p, ...) (page_cell(p), page_say(p, __VA_ARGS__))

/* Inserts the text of another page of the same form, or any HTML. */
void page_include(struct page *p, const char *text);

/* Ends the last block. */
void page_end(struct page *p);

#endif
