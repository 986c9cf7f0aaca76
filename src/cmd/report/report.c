/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The "Discussion of results" that ATLAS DAQ note 48 asks for, for any results of netbench, as
 * Markdown. What several results have in common is written once.
 */
#include "cmd/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "config.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"

struct report_options {
	uint64_t rate_unit;
};

static const struct opt options[] = {
	{ 0, "rate-unit", "unit", OPT_CHOICE, offsetof(struct report_options, rate_unit),
	  .def = "byte", .choices = rate_unit_names,
	  .help = "bandwidths: byte (B/s) or bit (bit/s)" },
	{ 0 },
};

static const char caching[] =
	"Each message is sent from, and received into, the same buffers in every iteration and "
	"repetition: as a rule\none for each partner and direction, in the farms (2.1 to 2.3) a "
	"few in turn; the messages of a window share one.\nNothing evicts them in between. The "
	"content is written and checked by the processors of the same ranks, before\nand after the "
	"timed part; in the farms every packet is read within it. So messages that fit into a "
	"cache,\ntogether with the others of their iteration, come from there and not from memory; "
	"an application that sends\nfresh data can be slower. On backend shm the caches that ranks "
	"share carry the messages themselves.\n";

/* The note's sections about each result, in its order. */
static const struct section {
	const char *title;
	void (*write)(FILE *to, const json_t *doc);
	const char *measured;	/* holds for all measured results; may be NULL */
} sections[] = {
	{ "Hardware platform and configuration", report_platform, NULL },
	{ "Placement of the ranks", report_placement, NULL },
	{ "Programming language and compiler", report_language, NULL },
	{ "Operating system and kernel tuning", report_system, NULL },
	{ "Communication methods", report_communication, NULL },
	{ "Measuring method", report_method, NULL },
	{ "Caching", report_caching, caching },
	{ "Other users", report_others, NULL },
};

static const char *meaning_of(const char *status)
{
	static const char *const known[][2] = {
		{ "complete", "" },
		{ "incomplete", ": **the run had not come to its end**, points are missing" },
		{ "interrupted", ": **the run was interrupted**, points are missing" },
		{ "failed", ": **the run failed**; its numbers are not to be trusted" },
	};

	for (size_t i = 0; i < LENGTH(known); i++)
		if (!strcmp(known[i][0], status))
			return known[i][1];
	return ": **not known to be complete**";
}

/* The status, the points and the warnings. */
static void put_state(const json_t *doc)
{
	const char *status = result_text(doc, "status");
	const json_t *rows = json_object_get(doc, "rows"),
		     *warnings = json_object_get(doc, "warnings");
	size_t i, nleft_out = 0;
	json_t *item;

	json_array_foreach(rows, i, item)
		nleft_out += *result_text(item, "note") != '\0';
	md_put(stdout, "* status: ", *status ? status : "not recorded", meaning_of(status));
	printf("\n* points: %zu", json_array_size(rows));
	if (nleft_out)
		printf(", of which %zu could not be measured; a note says why", nleft_out);
	puts(json_array_size(warnings) ? "\n* warnings:" : "\n* warnings: none");
	json_array_foreach(warnings, i, item)
		md_put_value(stdout, "  * ", item, "", "\n");
}

/* False for options that are not set, left to netbench, or only say where results go. */
static bool is_in_force(const char *name, const json_t *v)
{
	static const char *const apart[] = { "format", "output", "quiet", "verbose", "dry-run",
					     "samples", "rate-unit" };

	for (size_t i = 0; i < LENGTH(apart); i++)
		if (!strcmp(name, apart[i]))
			return false;
	if (json_is_string(v))
		return strcmp(json_string_value(v), "auto") != 0;
	return !json_is_null(v) && !json_is_false(v) && !(json_is_array(v) && !json_array_size(v));
}

static void put_options(json_t *given)
{
	const char *name, *before = "* options in force, defaults among them (times in s): ";
	json_t *v;

	json_object_foreach(given, name, v) {
		if (!is_in_force(name, v))
			continue;
		md_put(stdout, before, name, "");
		if (!json_is_true(v))
			md_put_value(stdout, " ", v, "", "");
		before = "; ";
	}
	putchar('\n');
}

static void put_what(const struct document *d)
{
	const struct command *cmd = command_find(result_text(d->json, "command"));
	const json_t *env = json_object_get(d->json, "environment");
	const char *line = result_text(env, "netbench.command_line");

	md_put(stdout, "* command: ", result_text(d->json, "command"), cmd ? ", " : "");
	fputs(cmd ? cmd->summary : "", stdout);
	md_put(stdout, "\n* file: ", d->path, "\n");
	md_fact(stdout, "definition", json_object_get(d->json, "definition"), "");
	md_fact(stdout, "date", result_at(env, "time.start"), "");
	md_fact(stdout, "version of netbench", result_at(env, "netbench.version"), "");
	if (result_is_computed(d->json))
		puts("* **computed, not measured**");
	put_state(d->json);
	put_options(json_object_get(d->json, "options"));
	if (!*line)
		return;
	fputs("* command line:\n\n      ", stdout);	/* verbatim, as an indented block */
	for (; *line; line++)
		putchar((unsigned char)*line < ' ' ? ' ' : *line);
	putchar('\n');
}

/* A section's text about a document, for free(); NULL without memory. */
static char *text_of(const struct section *s, const json_t *doc)
{
	size_t len;
	char *text = NULL;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	s->write(to, doc);
	return text_close(to, &text);
}

/* Writes equal texts once, under the numbers of their results: "*Results 1, 3:*". */
static void put_texts(char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = 0, same = 0;

		while (strcmp(texts[first], texts[i]) != 0)
			first++;
		if (first < i)
			continue;
		for (size_t k = i; k < n; k++)
			same += !strcmp(texts[k], texts[i]);
		if (n > 1)
			printf("\n*Result%s %zu", same == 1 ? "" : "s", i + 1);
		for (size_t k = i + 1; k < n; k++)
			if (!strcmp(texts[k], texts[i]))
				printf(", %zu", k + 1);
		printf("%s\n%s", n > 1 ? ":*\n" : "", texts[i]);
	}
}

static int put_section(const struct section *s, const struct document *docs, size_t n)
{
	char **texts = calloc(n, sizeof(*texts));
	int err = texts ? ST_OK : error_report("no memory for a section");
	bool measured = false;

	for (size_t i = 0; i < n && !err; i++) {
		measured = measured || !result_is_computed(docs[i].json);
		texts[i] = text_of(s, docs[i].json);
		if (!texts[i])
			err = error_report("no memory for a section");
	}
	if (!err) {
		printf("\n## %s\n", s->title);
		if (s->measured && measured)
			printf("\n%s", s->measured);
		put_texts(texts, n);
	}
	for (size_t i = 0; i < n && texts; i++)
		free(texts[i]);
	free(texts);
	return err;
}

static int put_all(const struct document *docs, size_t n, enum rate_unit rates)
{
	json_t *used = json_object();
	int err = ST_OK;

	printf("# Communication benchmarks: results and their discussion\n\nMade by netbench %s of "
	       "%zu result%s, in the order of the \"Discussion of results\" of ATLAS DAQ note "
	       "48.\nWhat is \"unknown\" the machine did not tell; what is \"not recorded\" is not "
	       "in the file.\n\n## Results\n",
	       NETBENCH_VERSION, n, n == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++) {
		printf("\n### Result %zu\n\n", i + 1);
		put_what(&docs[i]);
	}
	for (size_t i = 0; i < LENGTH(sections) && !err; i++)
		err = put_section(&sections[i], docs, n);
	if (!err) {
		puts("\n## Scaling to 100 and 1000 sources and destinations");
		report_scaling(stdout, docs, n, rates, used);
		puts("\n## Tables");
		report_tables(stdout, docs, n, rates, used);
		puts("\n## Remarks\n\n*(The author's.)*\n\n## Definitions of the columns\n");
		report_definitions(stdout, used);
	}
	json_decref(used);
	return err;
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct report_options *o = st->own;
	struct document *docs;
	int err = ST_OK;

	if (!n)
		return error_usage("no result file given");
	docs = calloc((size_t)n, sizeof(*docs));
	if (!docs)
		return error_report("no memory for %d results", n);
	for (int i = 0; i < n && !err; i++) {
		docs[i].path = paths[i];
		err = result_read(paths[i], &docs[i].json);
	}
	if (!err)
		err = put_all(docs, (size_t)n, (enum rate_unit)o->rate_unit);
	for (int i = 0; i < n; i++)
		json_decref(docs[i].json);
	free(docs);
	return err;
}

const struct command cmd_report = {
	.name = "report",
	.summary = "results with their discussion, after ATLAS DAQ note 48",
	.operands = "file ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct report_options),
	.run = run,
};
