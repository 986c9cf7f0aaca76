/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands above a picture: what is drawn over what, and where it was measured. What all files
 * have in common is there once; the legend and a line for each file have what differs.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/heat/heat.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/plot.h"
#include "result/document.h"
#include "result/reader.h"

/* Facts that are short, and go into the legend where they differ. */
static const enum plot_fact short_facts[] = { FACT_COMMAND, FACT_BACKEND, FACT_HOSTS };

/* The order of facts in a line. */
static const enum plot_fact all_facts[] = { FACT_COMMAND, FACT_BACKEND, FACT_METHOD, FACT_HOSTS,
					    FACT_DEFINITION };

/* ---- the facts of a file ---- */

/* What was computed and how: a network in virtual time, the board or parameters of a model. */
static void put_method(FILE *to, const json_t *doc)
{
	static const char *const models[] = { "board", "logp", "loggp", "rdma", "like", "fit" };
	const char *method = result_text(doc, "environment.backend.method");
	bool computed = result_is_computed(doc);
	const char *before = "";

	if (!strcmp(document_command(doc), "compare")) {
		plot_put_compared(to, doc);
		return;
	}
	if (*method && computed)
		fprintf(to, "%s", method);
	before = *method && computed ? ", " : "";
	for (size_t i = 0; i < LENGTH(models) && !result_at(doc, "environment.backend"); i++) {
		const char *value = result_text(document_options(doc), models[i]);

		if (!*value)
			continue;
		fprintf(to, "%s%s %s", before, models[i], value);
		before = ", ";
	}
	fprintf(to, "%s", computed ? before : "");
	fputs(computed ? "computed" : "", to);
	if (result_is_emulated(doc))
		fprintf(to, "%semulated", *before || computed ? ", " : "");
}

/* The host of rank 0, and how many more there are. */
static void put_hosts(FILE *to, const json_t *doc)
{
	const char *host = result_text(doc, "environment.host.name");
	json_t *rank, *hosts = json_object();
	size_t i;

	json_array_foreach(result_at(doc, "environment.ranks"), i, rank)
		json_object_set_new(hosts, result_text(rank, "host"), json_true());
	json_object_del(hosts, "");
	if (*host)
		fprintf(to, "host %s", host);
	if (json_object_size(hosts) > 1 && !result_is_computed(doc))
		fprintf(to, " and %zu more", json_object_size(hosts) - 1);
	json_decref(hosts);
}

static void put_fact(FILE *to, const json_t *doc, enum plot_fact fact)
{
	const char *backend = result_text(doc, "environment.backend.name");

	switch (fact) {
	case FACT_COMMAND:
		fputs(document_command(doc), to);
		break;
	case FACT_BACKEND:
		fprintf(to, "%s%s", *backend ? "backend " : "", backend);
		break;
	case FACT_METHOD:
		put_method(to, doc);
		break;
	case FACT_HOSTS:
		put_hosts(to, doc);
		break;
	default:
		fputs(document_definition(doc), to);
	}
}

int plot_find_facts(struct plot_run *run)
{
	for (size_t i = 0; i < NFACTS; i++) {
		size_t len;
		FILE *to = open_memstream(&run->facts[i], &len);

		if (to)
			put_fact(to, run->doc, i);
		run->facts[i] = to ? text_close(to, &run->facts[i]) : NULL;
		if (!run->facts[i])
			return error_report("no memory for what '%s' is", run->path);
	}
	return ST_OK;
}

void plot_free_facts(struct plot_run *run)
{
	for (size_t i = 0; i < NFACTS; i++)
		free(run->facts[i]);
}

/* True if all files of the picture agree in it. */
static bool is_common(const struct picture *pic, enum plot_fact fact)
{
	for (size_t i = 1; i < pic->nruns; i++)
		if (strcmp(pic->runs[i].facts[fact], pic->runs[0].facts[fact]) != 0)
			return false;
	return true;
}

/* ---- the legend ---- */

static bool is_in_legend(const struct picture *pic, enum plot_fact fact)
{
	for (size_t i = 0; i < LENGTH(short_facts) && !pic->labelled; i++)
		if (short_facts[i] == fact)
			return true;
	return false;
}

char *plot_legend(const struct picture *pic, const struct plot_run *run)
{
	const char *before = ": ";
	char *text = NULL, words[128];
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	fputs(run->label, to);
	for (size_t i = 0; i < LENGTH(all_facts); i++) {
		enum plot_fact fact = all_facts[i];

		if (!is_in_legend(pic, fact) || is_common(pic, fact) || !*run->facts[fact])
			continue;
		fprintf(to, "%s%s", before, run->facts[fact]);
		before = ", ";
	}
	if (!pic->kind && strcmp(run->y, pic->y.column) != 0)
		fprintf(to, ", %s", plot_words(words, sizeof(words), run->y));
	return text_close(to, &text);
}

/* ---- the lines above ---- */

/* "atlas-1.4 pairs (4 of 10)", by the summary of that command if there is one. */
static void name_benchmark(char *buf, size_t len, const struct picture *pic)
{
	const struct command *c;
	const char *what;
	char name[80], number[64] = "";

	snprintf(name, sizeof(name), "%s%s", plot_family(pic->benchmark), pic->benchmark);
	c = command_find(name);
	what = c ? c->summary : "";
	if (pic->of > 1 && !pic->panel)
		snprintf(number, sizeof(number), " (%zu of %zu)", pic->number, pic->of);
	snprintf(buf, len, "%s%s%.*s%s", name, *what ? " " : "", (int)strcspn(what, ":"), what,
		 number);
}

/* "atlas-all on sim: 10 benchmarks" */
static void add_page_head(struct picture *pic)
{
	const char *backend = pic->runs[0].facts[FACT_BACKEND], *blank = strchr(backend, ' ');
	bool one_backend = blank && is_common(pic, FACT_BACKEND);

	if (pic->heading)
		plot_add(&pic->title, LINE_HEAD, "%s", pic->heading);
	else
		plot_add(&pic->title, LINE_HEAD, "%s%s%s: %zu benchmarks",
			 is_common(pic, FACT_COMMAND) ? pic->runs[0].facts[FACT_COMMAND] : "atlas",
			 one_backend ? " on " : "", one_backend ? blank + 1 : "", pic->of);
}

/* "latency on shm: half round trip over message size" */
static void add_head(struct picture *pic)
{
	const char *backend = pic->runs[0].facts[FACT_BACKEND], *blank = strchr(backend, ' ');
	bool one_backend = blank && is_common(pic, FACT_BACKEND);
	char y[128], x[128], who[160] = "", what[280];

	if (pic->heading)
		plot_add(&pic->title, LINE_HEAD, "%s", pic->heading);
	if (pic->heading && pic->of == 1)
		return;
	if (plot_is_ratio(pic)) {
		plot_add_ratio_head(pic);
		return;
	}
	if (pic->benchmark)
		name_benchmark(who, sizeof(who), pic);
	else if (is_common(pic, FACT_COMMAND))
		snprintf(who, sizeof(who), "%s", pic->runs[0].facts[FACT_COMMAND]);
	if (pic->heat)
		heat_head(what, sizeof(what), pic);
	else if (pic->kind)
		plot_name_samples(what, sizeof(what), pic);
	else
		snprintf(what, sizeof(what), "%s over %s",
			 plot_words(y, sizeof(y), pic->y.column),
			 plot_words(x, sizeof(x), pic->x.column));
	plot_add(&pic->title, pic->heading ? LINE_PLAIN : LINE_HEAD, "%s%s%s%s%s", who,
		 one_backend && *who ? " on " : "", one_backend && *who ? blank + 1 : "",
		 *who ? ": " : "", what);
}

/* Characters of a time before its hour. */
#define DAY strlen("2026-11-22T")

/* "2026-11-22T10:00:00Z to 11:00:00Z" */
static void put_dates(FILE *to, const struct picture *pic)
{
	const char *first = "", *last = "";
	bool unknown = false;

	for (size_t i = 0; i < pic->nruns; i++) {
		const char *start = result_text(pic->runs[i].doc, "environment.time.start");

		unknown |= !*start;
		if (*start && (!*first || strcmp(start, first) < 0))
			first = start;
		if (strcmp(start, last) > 0)
			last = start;
	}
	fputs(first, to);
	if (strcmp(first, last) != 0)
		fprintf(to, " to %s", last + (strncmp(first, last, DAY) ? 0 : DAY));
	if (unknown)
		fprintf(to, "%sdate not recorded", *first ? ", " : "");
}

/* True if the head is of a benchmark in results of another command, as atlas-all. */
static bool names_another(const struct picture *pic)
{
	const char *command = pic->runs[0].facts[FACT_COMMAND];
	size_t len = strlen(PLOT_FAMILY);

	return pic->benchmark && (strncmp(command, PLOT_FAMILY, len) != 0 ||
				  strcmp(command + len, pic->benchmark) != 0);
}

/* What the files have in common, and when they were measured. */
static char *common_of(const struct picture *pic)
{
	char *text = NULL;
	size_t len, more = 0;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (size_t i = 0; i < LENGTH(all_facts); i++) {
		enum plot_fact fact = all_facts[i];
		bool said = fact == FACT_COMMAND && !pic->heading && !names_another(pic);

		if (!said && is_common(pic, fact) && *pic->runs[0].facts[fact])
			fprintf(to, "%s, ", pic->runs[0].facts[fact]);
	}
	put_dates(to, pic);
	for (size_t i = 0; i < pic->nruns; i++)
		more += pic->runs[i].nmore;
	if (more)
		fprintf(to, ", and %zu more file%s", more, more == 1 ? "" : "s");
	return text_close(to, &text);
}

/* "label: what differs from the other files", as far as the legend does not say it. */
static void add_differences(struct picture *pic, const struct plot_run *run)
{
	const char *before = ": ";
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (to)
		fputs(run->label, to);
	for (size_t i = 0; i < LENGTH(all_facts) && to; i++) {
		enum plot_fact fact = all_facts[i];

		if (is_common(pic, fact) || is_in_legend(pic, fact) || !*run->facts[fact])
			continue;
		fprintf(to, "%s%s", before, run->facts[fact]);
		before = ", ";
	}
	text = to ? text_close(to, &text) : NULL;
	if (*before == ',' || !text)
		plot_push(&pic->title, text, LINE_PLAIN);
	else
		free(text);
}

int plot_heading(struct picture *pic)
{
	char name[160];

	if (pic->panel) {
		name_benchmark(name, sizeof(name), pic);
		plot_add(&pic->title, LINE_HEAD, "%s", name);
		if (pic->legend_of)
			plot_add(&pic->title, LINE_PLAIN, "series as in %s", pic->legend_of);
		return pic->title.failed ? ST_FAILED : ST_OK;
	}
	if (pic->of > 1 && !pic->benchmark)
		add_page_head(pic);
	else
		add_head(pic);
	plot_push(&pic->title, common_of(pic), LINE_PLAIN);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];
		const char *status = document_status(run->doc);

		add_differences(pic, run);
		if (strcmp(status, "complete") != 0)
			plot_add(&pic->title, LINE_ALARM, "%s%s%s, %s", PLOT_OF(pic, run),
				 *status ? status : "status not recorded",
				 strcmp(status, "failed") ? "points may be missing"
							  : "these numbers are not to be trusted");
	}
	return pic->title.failed ? ST_FAILED : ST_OK;
}
