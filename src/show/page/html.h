/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a page: its head and end, style and script, and links that save files. */
#ifndef NETBENCH_SHOW_PAGE_HTML_H
#define NETBENCH_SHOW_PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "show/page/page.h"

/* Files go into a page only while it stays below this size. */
#define HTML_MOST 5000000

/* Write the text before the blocks of a page, and after them. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

/*
 * Writes a link that saves a file, JSON or CSV. Writes the name alone and returns false if the page
 * with the file and `nrest` more bytes would exceed HTML_MOST.
 */
bool html_file(struct page *p, const char *name, const char *bytes, size_t n, size_t nrest);

#endif
