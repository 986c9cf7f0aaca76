/* SPDX-License-Identifier: Apache-2.0 */
/* Sections on each run: the command, how it ended, its warnings, how to repeat it, and its file. */
#include "cmd/report/run.h"

#include <sodium.h>
#include <string.h>

#include "base/file.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/document.h"
#include "show/page/facts.h"
#include "show/page/html.h"

static const struct fact origin[] = {
	{ "definition", "definition", "" }, { "date", "environment.time.start", "" },
	{ "version of netbench", "environment.netbench.version", "" },
};

#define ANCHOR "result-%zu"

void report_link(struct page *to, size_t number)
{
	char text[48], anchor[32];

	snprintf(text, sizeof(text), "Result %zu", number);
	snprintf(anchor, sizeof(anchor), ANCHOR, number);
	page_link(to, anchor, text);
}

void report_results(struct page *to, const struct report *r)
{
	/* a status, its meaning, and its consequence for the numbers */
	static const char *const known[][3] = {
		{ "complete", "", "" },
		{ "incomplete", "the run had not ended yet", ", points are missing" },
		{ "interrupted", "the run was interrupted", ", points are missing" },
		{ "failed", "the run failed", "; do not trust its numbers" },
		{ NULL, "not known to be complete", "" },
	};
	char anchor[32];

	for (size_t i = 0; i < r->n; i++) {
		const json_t *doc = r->docs[i].json, *rows = document_rows(doc);
		const struct command *cmd = command_find(document_command(doc));
		const char *status = document_status(doc), *const *is = known[0];
		size_t k, nleft_out = 0, nwarnings = json_array_size(document_warnings(doc));
		json_t *row;

		snprintf(anchor, sizeof(anchor), ANCHOR, i + 1);
		page_heading(to, 3, anchor, "Result %zu", i + 1);
		page_item_say(to, 1, "command: %s%s%s", document_command(doc), cmd ? ", " : "",
			      cmd ? cmd->summary : "");
		page_item_say(to, 1, "file: %s", r->docs[i].path);
		put_facts(to, doc, origin, LENGTH(origin));
		if (result_is_computed(doc))
			page_item_say(to, 1, "**computed, not measured**");
		if (result_is_emulated(doc))
			page_item_say(to, 1, "**times of an emulator, not of a network**");
		while (is[0] && strcmp(is[0], status) != 0)
			is += LENGTH(known[0]);
		page_item_say(to, 1, "status: %s", *status ? status : "not recorded");
		if (*is[1])
			page_say(to, ": **%s**%s", is[1], is[2]);
		json_array_foreach(rows, k, row)
			nleft_out += *row_text(row, COL_NOTE) && !*row_text(row, COL_STOP) &&
				     !row_is_gap(row);
		page_item_say(to, 1, "points: %zu", json_array_size(rows));
		if (nleft_out)
			page_say(to, "; %zu of them could not be measured: their notes have the "
				     "reason", nleft_out);
		page_item_say(to, 1, nwarnings ? "warnings: %zu, see below" : "warnings: none",
			      nwarnings);
	}
}

void report_warnings(struct page *to, const json_t *doc)
{
	json_t *warnings = document_warnings(doc), *item;
	size_t i;

	if (!json_array_size(warnings))
		page_paragraph_say(to, "None.");
	json_array_foreach(warnings, i, item)
		page_item_say(to, 1, "%s", value_text(to, item, ""));
}

void report_command(struct page *to, const json_t *doc)
{
	const char *line = result_text(doc, "environment.netbench.command_line"), *name,
		   *before = "Options in force, including defaults (times in s): ";
	json_t *options = document_options(doc), *v;

	if (*line)
		page_verbatim_say(to, "%s", line);
	else
		page_paragraph_say(to, "The command line is not recorded.");
	page_paragraph(to);
	json_object_foreach(options, name, v) {
		/* skip options that are unset or automatic, and options about output */
		if (command_is_output(name) || !strcmp(name, "dry-run") ||
		    !strcmp(name, "samples") || !strcmp(result_text(options, name), "auto") ||
		    json_is_null(v) || json_is_false(v) ||
		    (json_is_array(v) && !json_array_size(v)))
			continue;
		page_say(to, "%s%s", before, name);
		if (!json_is_true(v))
			page_say(to, " %s", value_text(to, v, ""));
		before = "; ";
	}
	page_text(to, *before == ';' ? "." : "Options in force: none recorded.");
}

/* ---- the files ---- */

/* Bytes reserved for the end of a page, and for the sentence about each file (without its name). */
#define REST 600

void report_data(struct page *to, const struct report *r)
{
	size_t nrest = REST;

	for (size_t i = 0; i < r->n; i++)
		nrest += REST + 6 * strlen(r->docs[i].path);
	page_paragraph_say(to, "The files as they were read; click a link to save one.");
	for (size_t i = 0; i < r->n; i++) {
		const struct document *d = &r->docs[i];
		unsigned char digest[crypto_hash_sha256_BYTES];
		char hex[2 * sizeof(digest) + 1];
		bool linked;

		page_item_say(to, 1, "Result %zu, ", i + 1);
		linked = html_file(to, file_base_name(d->path), d->bytes, d->nbytes, nrest);
		crypto_hash_sha256(digest, (const unsigned char *)d->bytes, d->nbytes);
		sodium_bin2hex(hex, sizeof(hex), digest, sizeof(digest));
		page_say(to, ": %zu B, SHA-256 `%s`", d->nbytes, hex);
		if (!linked)
			page_say(to, "; not in this page, which would have more than %d MB",
				 HTML_MOST / 1000000);
	}
}
