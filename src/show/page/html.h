/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the frame of an HTML page: its head and end, its style and script, and links that save
 * embedded files.
 */
#ifndef NETBENCH_SHOW_PAGE_HTML_H
#define NETBENCH_SHOW_PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "show/page/page.h"

/* A file is embedded in a page only if the page stays below this size, in bytes. */
#define HTML_MOST 5000000

/* Write the parts of a page before its blocks and after them. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

/*
 * Writes a link that saves an embedded file, JSON or CSV. If the page with this file and `nrest`
 * further bytes would exceed HTML_MOST, writes only the name and returns false.
 */
bool html_file(struct page *p, const char *name, const char *bytes, size_t n, size_t nrest);

#endif
