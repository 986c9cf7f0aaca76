/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the frame of an HTML page. page.css is its style, for the screen and for print. page.js
 * sorts a table after a click or Enter on the head of a column: numbers first, then texts. Pictures
 * have a white background. The dark style inverts pictures but keeps hues. It does not change heat
 * maps, because their caption says that dark is slow.
 */
#include "show/page/html.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/values.h"
#include "page_files.h"

/* Encodes bytes in base64. The caller frees the text. */
static char *encode_base64(const void *bytes, size_t n)
{
	size_t len = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
	char *text = memory_new(len, 1);

	sodium_bin2base64(text, len, bytes, n, sodium_base64_VARIANT_ORIGINAL);
	return text;
}

/*
 * The content security policy forbids loading anything and running any other script, even one in a
 * result file.
 */
void html_begin(FILE *to, const char *title)
{
	struct page head = { .to = to, .form = PAGE_HTML };
	unsigned char digest[crypto_hash_sha256_BYTES];
	char *text;

	crypto_hash_sha256(digest, (const unsigned char *)PAGE_SCRIPT, strlen(PAGE_SCRIPT));
	text = encode_base64(digest, sizeof(digest));
	fprintf(to, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		"<head>\n<meta charset=\"utf-8\" />\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; img-src data:; script-src 'sha256-%s'\" />\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
		"<title>", text);
	free(text);
	page_text(&head, title);
	fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", PAGE_STYLE);
}

void html_end(FILE *to)
{
	fprintf(to, "<script>%s</script>\n</body>\n</html>\n", PAGE_SCRIPT);
}

bool html_file(struct page *p, const char *name, const char *bytes, size_t n, size_t nrest)
{
	long begun = ftell(p->to);
	size_t len = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
	char *text = NULL;
	bool linked;

	if (begun >= 0 && (size_t)begun + len + nrest < HTML_MOST)
		text = encode_base64(bytes, n);
	if (text) {
		fputs("<a download=\"", p->to);
		page_text(p, name);
		fprintf(p->to, "\" href=\"data:%s;base64,%s\">",
			bytes[byte_order_mark_length(bytes, n)] == '#' ? "text/csv" :
									   "application/json",
			text);
	}
	page_text(p, name);
	fputs(text ? "</a>" : "", p->to);
	linked = text != NULL;
	free(text);
	return linked;
}
