/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the blocks of a page: how it looks and prints, and what sorts its tables. */
#ifndef NETBENCH_SHOW_PAGE_HTML_H
#define NETBENCH_SHOW_PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "show/page/page.h"

/* A page is no larger than this, unless it is that without the files. */
#define HTML_MOST 5000000

/* What comes before the blocks of a page, and after them. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

/*
 * A link that saves a file, JSON or CSV. False, and its name alone, if the page with this and
 * `nrest` bytes more would have more than HTML_MOST.
 */
bool html_file(struct page *p, const char *name, const char *bytes, size_t n, size_t nrest);

#endif
