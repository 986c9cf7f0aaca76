/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a page of headings, paragraphs, lists and tables as Markdown or as HTML. Beginning a block
 * ends the previous block. The text written next belongs to the new block:
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
	PAGE_HEAD,		/* the head of a table */
	PAGE_ROW,
};

enum page_mark { PAGE_STRONG, PAGE_EMPHASIS, PAGE_CODE };

#define PAGE_COLUMNS 128
#define PAGE_KEPT 8

/* A page. Initialise it with { .to = ..., .form = ... }, and end it with page_end. */
struct page {
	FILE *to;
	enum page_form form;
	enum page_block open;
	bool begun;			/* a block has already been written */
	unsigned level;			/* level of the open heading, or depth of the open list */
	/* which columns of the table hold numbers, aligned to the right */
	bool numbers[PAGE_COLUMNS];
	size_t ncolumns, cell;	/* columns of the open table; cells written so far in its row */
	bool in_cell;
	bool marked[PAGE_CODE + 1];	/* marks that are open in the text */
	char *kept[PAGE_KEPT];		/* the latest texts given to page_keep */
	size_t nkept;
};

/* ---- in a block ---- */

/*
 * Writes a text with a format like printf's. The format has %s, printf's conversions of numbers,
 * newlines, and **strong**, *emphasis* and `code` as in Markdown. All other characters of the
 * format, and all characters of a text for %s, are written literally. Control characters in a text
 * for %s become blanks.
 */
void page_say(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a text that comes from a file or the user, as page_say does for %s. */
void page_text(struct page *p, const char *text);

/* Writes a text in the colour of a verdict: "pass", "fail" or "unclear". */
void page_verdict(struct page *p, const char *verdict, const char *text);

/* Writes a link to the heading with this anchor. In Markdown, writes only the text. */
void page_link(struct page *p, const char *anchor, const char *text);

/*
 * Takes ownership of a text and returns the text, or "" for NULL. The text is freed after PAGE_KEPT
 * further calls, or by page_end.
 */
const char *page_keep(struct page *p, char *text);

/* ---- blocks ---- */

/*
 * Begins a heading of level 1 to 3. `anchor` is its name in links, made of letters and digits;
 * NULL: no name.
 */
void page_title(struct page *p, unsigned level, const char *anchor);
#define page_heading(p, level, anchor, ...) \
	(page_title(p, level, anchor), page_say(p, __VA_ARGS__))

void page_paragraph(struct page *p);
#define page_paragraph_say(p, ...) (page_paragraph(p), page_say(p, __VA_ARGS__))

/* Begins an item of a list. Depth 2 is a list within an item. */
void page_item(struct page *p, unsigned depth);
#define page_item_say(p, depth, ...) (page_item(p, depth), page_say(p, __VA_ARGS__))

/* Begins a line that keeps its blanks. Consecutive lines are one block. */
void page_verbatim(struct page *p);
#define page_verbatim_say(p, ...) (page_verbatim(p), page_say(p, __VA_ARGS__))

/*
 * Begin a table. First write its columns, each with a heading of one line; then its rows with their
 * cells.
 */
void page_table(struct page *p);
void page_head(struct page *p, bool numbers);
#define page_column(p, numbers, ...) (page_head(p, numbers), page_say(p, __VA_ARGS__))
void page_row(struct page *p);

/*
 * Begin a cell. `value` is the number by which the table is sorted; NaN: none. A cell that
 * page_cell begins has no such number.
 */
void page_number(struct page *p, double value);
#define page_number_say(p, value, ...) (page_number(p, value), page_say(p, __VA_ARGS__))
void page_cell(struct page *p);
#define page_cell_say(p, ...) (page_cell(p), page_say(p, __VA_ARGS__))

/* Inserts the text of another page of the same form, or any HTML. */
void page_include(struct page *p, const char *text);

/* Ends the page: ends the open block, and frees the texts of page_keep. */
void page_end(struct page *p);

#endif
