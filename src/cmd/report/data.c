/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a report, in its page. */
#include "cmd/report/data.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "show/page/html.h"

/* A page's end, and what it says of a file, without its name. */
#define REST 600

/* A link that saves the file. False if that would make the page too large. */
static bool put_link(struct page *to, const struct document *d, size_t nrest)
{
	long begun = ftell(to->to);
	size_t len = sodium_base64_ENCODED_LEN(d->nbytes, sodium_base64_VARIANT_ORIGINAL);
	char first = d->bytes[file_mark(d->bytes, d->nbytes)];
	char *text = NULL;

	if (begun >= 0 && (size_t)begun + len + nrest < HTML_MOST)
		text = html_base64(d->bytes, d->nbytes);
	if (!text)
		return false;
	fputs("<a download=\"", to->to);
	page_text(to, file_base_name(d->path));
	fprintf(to->to, "\" href=\"data:%s;base64,%s\">",
		first == '#' ? "text/csv" : "application/json", text);
	page_text(to, file_base_name(d->path));
	fputs("</a>", to->to);
	free(text);
	return true;
}

void report_data(struct page *to, const struct report *r)
{
	size_t nrest = REST;

	for (size_t i = 0; i < r->n; i++)
		nrest += REST + 6 * strlen(r->docs[i].path);
	page_paragraph_say(to, "The files as they were read; a link saves one.");
	for (size_t i = 0; i < r->n; i++) {
		const struct document *d = &r->docs[i];
		unsigned char digest[crypto_hash_sha256_BYTES];
		char hex[2 * sizeof(digest) + 1];
		bool linked;

		page_item_say(to, 1, "Result %zu, ", i + 1);
		linked = put_link(to, d, nrest);
		if (!linked)
			page_text(to, file_base_name(d->path));
		crypto_hash_sha256(digest, (const unsigned char *)d->bytes, d->nbytes);
		sodium_bin2hex(hex, sizeof(hex), digest, sizeof(digest));
		page_say(to, ": %zu B, SHA-256 `%s`", d->nbytes, hex);
		if (!linked)
			page_say(to, "; not in this page, which would have more than %d MB",
				 HTML_MOST / 1000000);
	}
}
