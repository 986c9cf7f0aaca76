/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the blocks of a page: how it looks and prints, and what sorts its tables. */
#include "show/page/html.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "show/page/page.h"

/*
 * Pictures are drawn on white; in the dark they are inverted, with their hues, but for heat maps,
 * whose caption says that dark is slow.
 */
static const char style[] =
	":root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #c9ced6;\n"
	"  --shade: #f2f4f7; --link: #0b57a4; --pass: #14692b; --fail: #b3141f;\n"
	"  --unclear: #7a5200 }\n"
	"@media screen and (prefers-color-scheme: dark) {\n"
	"  :root { --ink: #e3e6ea; --paper: #15181c; --line: #454c56; --shade: #20252b;\n"
	"    --link: #8ab8f0; --pass: #6fd58a; --fail: #ff8f8a; --unclear: #e5b567 }\n"
	"  figure:not(.map) svg { filter: invert(1) hue-rotate(180deg) }\n"
	"}\n"
	"body { color: var(--ink); background: var(--paper); font: 15px/1.5 sans-serif;\n"
	"  max-width: 72rem; margin: 0 auto; padding: 1rem }\n"
	"h1, h2, h3 { line-height: 1.25; margin: 1.6em 0 0.5em }\n"
	"h1 { margin-top: 0.5em }\n"
	"h2 { border-bottom: 1px solid var(--line); padding-bottom: 0.2em }\n"
	"a { color: var(--link) }\n"
	"li, p, pre { overflow-wrap: anywhere }\n"
	"code, pre { font-family: monospace; font-size: 0.92em }\n"
	"pre { background: var(--shade); padding: 0.6em; white-space: pre-wrap }\n"
	"nav ul { columns: 18rem; padding-left: 1.2em }\n"
	"figure { margin: 1em 0 }\n"
	"figure svg { width: 100%; height: auto; max-width: 80rem }\n"
	".table { overflow-x: auto; margin: 1em 0 }\n"
	"table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
	"th, td { border: 1px solid var(--line); padding: 0.2em 0.5em; text-align: left;\n"
	"  vertical-align: top }\n"
	"th { background: var(--shade) }\n"
	"th[tabindex] { cursor: pointer }\n"
	"th[aria-sort=ascending]::after { content: ' \\25B2' }\n"
	"th[aria-sort=descending]::after { content: ' \\25BC' }\n"
	".n { text-align: right }\n"
	".pass { color: var(--pass) }\n"
	".fail { color: var(--fail) }\n"
	".unclear { color: var(--unclear) }\n"
	"@media screen { td.n, th.n { white-space: nowrap } }\n"
	"@page { size: A4; margin: 14mm }\n"
	"@media print {\n"
	"  :root { color-scheme: light }\n"
	"  body { font-size: 9.5pt; max-width: none; padding: 0 }\n"
	"  nav { display: none }\n"
	"  a { color: inherit; text-decoration: none }\n"
	"  h1, h2, h3 { break-after: avoid }\n"
	"  tr, figure, li { break-inside: avoid }\n"
	"  thead { display: table-header-group }\n"
	"  .table { overflow: visible }\n"
	"  table { width: 100%; font-size: 7.5pt }\n"
	"  th, td { padding: 0.1em 0.25em; overflow-wrap: anywhere }\n"
	"  .table:has(th:nth-child(9)) table { font-size: 6.6pt }\n"
	"  .table:has(th:nth-child(12)) table { font-size: 6pt }\n"
	"  .table:has(th:nth-child(18)) table { font-size: 4.8pt }\n"
	"}\n";

/* A click on a column's head, or Enter, sorts by it: by numbers, behind them by texts. */
static const char script[] =
	"\"use strict\";\n"
	"document.querySelectorAll(\"th\").forEach(function (head) {\n"
	"  function key(row) {\n"
	"    var cell = row.cells[head.cellIndex];\n"
	"    return cell.dataset.v ? Number(cell.dataset.v) : cell.textContent;\n"
	"  }\n"
	"  function order(a, b) {\n"
	"    var x = key(a), y = key(b), number = typeof x === \"number\";\n"
	"    if (typeof x !== typeof y) return number ? -1 : 1;\n"
	"    return number ? x - y : x.localeCompare(y);\n"
	"  }\n"
	"  function sort() {\n"
	"    var table = head.closest(\"table\"), body = table.tBodies[0];\n"
	"    var rows = Array.from(body.rows).sort(order);\n"
	"    var down = head.getAttribute(\"aria-sort\") === \"ascending\";\n"
	"    table.querySelectorAll(\"th\").forEach(function (h) {\n"
	"      h.removeAttribute(\"aria-sort\");\n"
	"    });\n"
	"    head.setAttribute(\"aria-sort\", down ? \"descending\" : \"ascending\");\n"
	"    (down ? rows.reverse() : rows).forEach(function (row) { body.appendChild(row); });\n"
	"  }\n"
	"  head.tabIndex = 0;\n"
	"  head.title = \"sort\";\n"
	"  head.addEventListener(\"click\", sort);\n"
	"  head.addEventListener(\"keydown\", function (event) {\n"
	"    if (event.key === \"Enter\") sort();\n"
	"  });\n"
	"});\n";

char *html_base64(const void *bytes, size_t n)
{
	size_t len = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
	char *text = malloc(len);

	if (text)
		sodium_bin2base64(text, len, bytes, n, sodium_base64_VARIANT_ORIGINAL);
	return text;
}

/* Nothing is fetched, and no other script runs, whatever a file says. */
static void put_policy(FILE *to)
{
	unsigned char digest[crypto_hash_sha256_BYTES];
	char *text;

	crypto_hash_sha256(digest, (const unsigned char *)script, strlen(script));
	text = html_base64(digest, sizeof(digest));
	fprintf(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; img-src data:; "
		"script-src 'sha256-%s'\" />\n", text ? text : "");
	free(text);
}

void html_begin(FILE *to, const char *title)
{
	struct page head = { .to = to, .form = PAGE_HTML };

	fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
	      "<meta charset=\"utf-8\" />\n", to);
	put_policy(to);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>",
	      to);
	page_text(&head, title);
	fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void html_end(FILE *to)
{
	fprintf(to, "<script>%s</script>\n</body>\n</html>\n", script);
}
