/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command report: writes the "Discussion of results" that ATLAS DAQ note 48 requires, for any
 * results of netbench, as Markdown or HTML. The summary comes first. A text that several results
 * share is written once.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/report/conditions.h"
#include "cmd/report/pictures.h"
#include "cmd/report/run.h"
#include "cmd/report/scaling.h"
#include "cmd/report/summary.h"
#include "cmd/report/tables.h"
#include "config.h"
#include "result/document.h"
#include "result/out.h"
#include "result/reader.h"
#include "result/row.h"
#include "show/page/html.h"

struct report_options {
	const char *html, *title, *site, *author, *date;
	struct texts require;
	double tolerance;
	uint64_t rate_unit;
	bool overwrite;
};

#define AT(member) offsetof(struct report_options, member)

static const struct opt options[] = {
	{ 0, "html", "file", OPT_TEXT, AT(html), .file = OPT_WRITTEN,
	  .help = "write one HTML page, with pictures and the result files in it, instead of "
		  "Markdown" },
	{ 0, "require", "what", OPT_TEXTS, AT(require),
	  .help = "fail unless this requirement is met, as in check: 'latency.half_rtt_p50_s "
		  "size=8 <= 2us', a file of such lines, or an earlier result of check; may be "
		  "given several times" },
	{ 0, "tolerance", "percent", OPT_REAL, AT(tolerance), .def = "10", .max = 1000,
	  .help = "how much worse a number may be than in an earlier result" },
	{ 0, "title", "text", OPT_TEXT, AT(title),
	  .def = "Communication benchmarks: results and their discussion",
	  .help = "the report's title" },
	{ 0, "site", "text", OPT_TEXT, AT(site), .help = "place of the measurement, shown below "
		"the title" },
	{ 0, "author", "text", OPT_TEXT, AT(author), .help = "author, shown below the title" },
	{ 0, "date", "text", OPT_TEXT, AT(date), .help = "date of the report; default: today" },
	{ 0, "rate-unit", "unit", OPT_CHOICE, AT(rate_unit),
	  .def = "byte", .choices = rate_unit_names,
	  .help = "bandwidths: byte (B/s) or bit (bit/s)" },
	OUT_OVERWRITE_OPTION(AT(overwrite)),
	{ 0 },
};

/* ---- sections ---- */

static void put_remarks(struct page *to, const struct report *r)
{
	page_paragraph_say(to, "*(The author's.)*");
}

/* Writes the text on caching that applies to all measured results. */
static void put_caching(struct page *to, const struct report *r)
{
	size_t i = 0;

	while (i < r->n && result_is_computed(r->docs[i].json))
		i++;
	if (i == r->n)
		return;
	page_paragraph_say(to, "Every iteration and repetition sends from the same buffers, and "
			       "receives into the same buffers.\nUsually there is one buffer for "
			       "each partner and direction; the farms (2.1 to 2.3) use a few in "
			       "turn.\nThe messages of a window share one. Nothing evicts the "
			       "buffers from the caches in between. The processors\nof the same "
			       "ranks write and check the content before and after the timed part; "
			       "in the farms they read every\npacket within it. So if all messages "
			       "of an iteration fit into a cache, they come from there and not "
			       "from\nmemory. An application that sends fresh data can be slower. "
			       "On backend shm the caches that ranks share\ncarry the messages "
			       "themselves.");
}

/*
 * The sections from top to bottom. A section first calls `all` for all results together, then
 * `each` for each result.
 */
static const struct section {
	const char *title, *anchor;
	void (*all)(struct page *to, const struct report *r);
	void (*each)(struct page *to, const json_t *doc);
	bool html;		/* the section appears only in HTML */
} sections[] = {
	{ "Pictures", "pictures", .all = report_pictures, .html = true },
	{ "Summary", "summary", .all = report_summary },
	{ "Results", "results", .all = report_results },
	{ "Tables", "tables", .all = report_tables },
	{ "Scaling to 100 and 1000 sources and destinations", "scaling", .all = report_scaling },
	{ "Hardware platform and configuration", "hardware", .each = report_platform },
	{ "Placement of the ranks", "placement", .each = report_placement },
	{ "Programming language and compiler", "language", .each = report_language },
	{ "Operating system and kernel tuning", "system", .each = report_system },
	{ "Communication methods", "communication", .each = report_communication },
	{ "Measuring method", "method", .each = report_method },
	{ "Caching", "caching", .all = put_caching, .each = report_caching },
	{ "Other users", "others", .each = report_others },
	{ "Warnings", "warnings", .each = report_warnings },
	{ "Commands", "commands", .each = report_command },
	{ "Remarks", "remarks", .all = put_remarks },
	{ "Definitions of the columns", "definitions", .all = report_definitions },
	{ "Raw data", "data", .all = report_data, .html = true },
};

/*
 * Writes a section for each result. Equal texts are written once, below the numbers of their
 * results: "*Results 1, 3:*".
 */
static void put_each(struct page *to, const struct section *s, const struct report *r)
{
	char **texts = memory_new(r->n, sizeof(*texts));
	size_t len;

	for (size_t i = 0; i < r->n; i++) {
		struct page of = { .to = memory_or_exit(open_memstream(&texts[i], &len)),
				   .form = to->form };

		s->each(&of, r->docs[i].json);
		page_end(&of);
		memory_or_exit(text_close(of.to, &texts[i]));
	}
	for (size_t i = 0; i < r->n; i++) {
		struct text whose = { .n = 0 };
		size_t first = 0, same = 0;

		while (strcmp(texts[first], texts[i]) != 0)
			first++;
		if (first < i)
			continue;
		for (size_t k = i; k < r->n; k++)
			if (!strcmp(texts[k], texts[i]))
				text_add(&whose, "%s%zu", same++ ? ", " : "", k + 1);
		if (r->n > 1)
			page_paragraph_say(to, "*Result%s %s:*", same == 1 ? "" : "s", whose.s);
		page_include(to, texts[i]);
	}
	for (size_t i = 0; i < r->n; i++)
		free(texts[i]);
	free(texts);
}

static void put_report(struct page *to, const struct report *r, const struct report_options *o)
{
	const char *given[][2] = {
		{ "site", o->site }, { "author", o->author }, { "date", o->date },
	};
	bool html = to->form == PAGE_HTML;

	page_heading(to, 1, NULL, "%s", o->title);
	for (size_t i = 0; i < LENGTH(given); i++)
		if (given[i][1] && *given[i][1])
			page_item_say(to, 1, "%s: %s", given[i][0], given[i][1]);
	page_paragraph_say(to, "Made by netbench %s of %zu result%s, after the \"Discussion of "
			       "results\" of ATLAS DAQ note 48.\n\"unknown\": the machine did not "
			       "report it; \"not recorded\": the file does not have it.",
			   NETBENCH_VERSION, r->n, r->n == 1 ? "" : "s");
	if (html)
		page_include(to, "<nav>");
	for (size_t i = 0; i < LENGTH(sections) && html; i++) {
		page_item(to, 1);
		page_link(to, sections[i].anchor, sections[i].title);
	}
	if (html)
		page_include(to, "</nav>\n");
	for (size_t i = 0; i < LENGTH(sections); i++) {
		const struct section *s = &sections[i];

		if (s->html && !html)
			continue;
		page_heading(to, 2, s->anchor, "%s", s->title);
		if (s->all)
			s->all(to, r);
		if (s->each)
			put_each(to, s, r);
	}
	page_end(to);
}

static int put_html(const struct report *r, const struct report_options *o, const char *instead)
{
	char *text = NULL;
	size_t len;
	struct page to = { .form = PAGE_HTML };
	int err;

	if (sodium_init() < 0)
		return error_report("cannot initialise libsodium");
	for (size_t i = 0; i < r->n; i++)
		if (report_leaves_rows_out(r->docs[i].json))
			error_warn("'%s' has %zu rows, more than a page can show: the page shows "
				   "only the least, the median and the greatest value of each part",
				   r->docs[i].path,
				   json_array_size(document_rows(r->docs[i].json)));
	to.to = memory_or_exit(open_memstream(&text, &len));
	html_begin(to.to, o->title);
	put_report(&to, r, o);
	html_end(to.to);
	memory_or_exit(text_close(to.to, &text));
	if (len > HTML_MOST)
		error_warn("'%s' has %.1f MB: a page with fewer results stays below %d MB", o->html,
			   (double)len / 1e6, HTML_MOST / 1000000);
	err = out_write_file(o->html, text, len, instead);
	free(text);
	return err;
}

/* ---- the command ---- */

/* Largest number of results that a message names. */
#define NAMED 3

/*
 * Reads the results and requirements, and judges the requirements. Returns ST_OK or an error
 * (reported). The caller frees *r in either case.
 */
static int read_all(struct report *r, const struct report_options *o, int n, char **paths)
{
	int err = ST_OK;

	r->docs = memory_new((size_t)n, sizeof(*r->docs));
	r->used = json_object();
	for (int i = 0; i < n && !err; i++) {
		struct document *d = &r->docs[r->n++];

		d->path = paths[i];
		err = result_read_bytes(d->path, &d->json, &d->bytes, &d->nbytes);
		if (!err)
			err = figures_read(&r->found, d->json);
		d->nfound = r->found.n;
	}
	for (size_t i = 0; i < o->require.n && !err; i++)
		err = requirements_read(&r->required, o->require.v[i], o->tolerance / 100);
	if (!err)
		requirements_judge(&r->required, &r->found);
	return err;
}

static int run_report(const struct settings *st, int n, char **paths)
{
	struct report_options o = *(const struct report_options *)st->own;
	struct report r = { .rates = (enum rate_unit)o.rate_unit };
	struct page to = { .to = stdout, .form = PAGE_MARKDOWN };
	struct findings found = { .n = 0 };
	struct text words = { .n = 0 };
	const char *instead = o.overwrite || !o.html ? NULL : words.s;
	time_t now = time(NULL);
	char today[32];
	struct tm tm;
	int err;

	/*
	 * The suggested command repeats the page's name. Without it, '--html' would take the first
	 * result as its value.
	 */
	text_add(&words, "write '--html page.html %s", o.html ? o.html : "");
	for (int i = 0; i < n && i < NAMED; i++)
		text_add(&words, " %s", paths[i]);
	text_add(&words, n > NAMED ? " ...'" : "'");
	err = o.html ? out_check_file(o.html, instead) : ST_OK;
	if (err)
		return err;
	if (!n)
		return error_usage("no result file given");
	strftime(today, sizeof(today), "%Y-%m-%d", localtime_r(&now, &tm));
	if (!o.date)
		o.date = today;
	err = read_all(&r, &o, n, paths);
	if (!err && o.html)
		err = put_html(&r, &o, instead);
	else if (!err)
		put_report(&to, &r, &o);
	if (!err) {
		requirements_findings(&r.required, &found);
		err = requirements_status(&found);
	}
	findings_free(&found);
	for (size_t i = 0; i < r.n; i++) {
		json_decref(r.docs[i].json);
		free(r.docs[i].bytes);
	}
	free(r.docs);
	free(r.found.at);
	free(r.required.at);
	json_decref(r.used);
	return err;
}

const struct command cmd_report = {
	.name = "report",
	.summary = "results with their discussion, after ATLAS DAQ note 48",
	.operands = "file ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct report_options),
	.run = run_report,
};
