/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the blocks of a page: how it looks and prints, and what sorts its tables. */
#ifndef NETBENCH_SHOW_PAGE_HTML_H
#define NETBENCH_SHOW_PAGE_HTML_H

#include <stddef.h>
#include <stdio.h>

/* A page is no larger than this, unless it is that without the files. */
#define HTML_MOST 5000000

/* What comes before the blocks of a page, and after them. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

/* Bytes in base64, for free(); NULL without memory. */
char *html_base64(const void *bytes, size_t n);

#endif
