/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands above a picture: what is drawn over what, and where it was measured. What all files
 * have in common is there once; the legend and a line for each file have what differs.
 */
#include "show/chart/heading.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/reader.h"
#include "show/chart/heat/heat.h"
#include "show/chart/heat/words.h"
#include "show/chart/lines.h"
#include "show/chart/ratios.h"
#include "show/chart/samples.h"
#include "show/chart/select.h"
#include "show/chart/words.h"

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

	if (!strcmp(result_text(doc, "command"), "compare")) {
		ratios_put_compared(to, doc);
		return;
	}
	if (*method && computed)
		fprintf(to, "%s", method);
	before = *method && computed ? ", " : "";
	for (size_t i = 0; i < LENGTH(models) && !result_at(doc, "environment.backend"); i++) {
		const char *value = result_text(json_object_get(doc, "options"), models[i]);

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
		fputs(result_text(doc, "command"), to);
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
		fputs(result_text(doc, "definition"), to);
	}
}

int heading_find_facts(struct plot_run *run)
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

void heading_free_facts(struct plot_run *run)
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
	for (size_t i = 0; i < LENGTH(short_facts) && !pic->ask->labelled; i++)
		if (short_facts[i] == fact)
			return true;
	return false;
}

char *heading_legend(const struct picture *pic, const struct plot_run *run)
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
	if (!pic->ask->kind && strcmp(run->y, pic->y.column) != 0)
		fprintf(to, ", %s", words_of(words, sizeof(words), run->y));
	return text_close(to, &text);
}

/* ---- the lines above ---- */

void heading_benchmark(char *buf, size_t len, const struct picture *pic, bool numbered)
{
	const char *what;
	char name[80], number[64] = "";

	snprintf(name, sizeof(name), "%s%s", select_family(pic->benchmark), pic->benchmark);
	what = pic->ask->summary_of(name);
	what = what ? what : "";
	if (numbered && pic->of > 1)
		snprintf(number, sizeof(number), " (%zu of %zu)", pic->number, pic->of);
	snprintf(buf, len, "%s%s%.*s%s", name, *what ? " " : "", (int)strcspn(what, ":"), what,
		 number);
}

/* "sim" if all files are of that backend, else "". */
static const char *common_backend(const struct picture *pic)
{
	const char *blank = strchr(pic->runs[0].facts[FACT_BACKEND], ' ');

	return blank && is_common(pic, FACT_BACKEND) ? blank + 1 : "";
}

/* "atlas-all on sim: 10 benchmarks" */
static void add_page_head(struct text_lines *to, const struct picture *pic, size_t n)
{
	const char *backend = common_backend(pic);

	if (pic->ask->heading)
		lines_add(to, LINE_HEAD, "%s", pic->ask->heading);
	else
		lines_add(to, LINE_HEAD, "%s%s%s: %zu benchmarks",
			  is_common(pic, FACT_COMMAND) ? pic->runs[0].facts[FACT_COMMAND] : "atlas",
			  *backend ? " on " : "", backend, n);
}

/* "half round trip over message size" */
static void name_drawn(char *buf, size_t len, const struct picture *pic)
{
	char y[128], x[128];

	if (pic->heat)
		heat_head(buf, len, pic);
	else if (pic->ask->kind)
		samples_title(buf, len, pic);
	else
		snprintf(buf, len, "%s over %s", words_of(y, sizeof(y), pic->y.column),
			 words_of(x, sizeof(x), pic->x.column));
}

/* "latency on shm: half round trip over message size" */
static void add_head(struct text_lines *to, const struct picture *pic)
{
	const char *backend = common_backend(pic), *heading = pic->ask->heading;
	char who[160] = "", what[280];

	if (heading)
		lines_add(to, LINE_HEAD, "%s", heading);
	if (heading && pic->of == 1)
		return;
	if (ratios_are_drawn(pic)) {
		ratios_head(to, pic);
		return;
	}
	if (pic->benchmark)
		heading_benchmark(who, sizeof(who), pic, true);
	else if (is_common(pic, FACT_COMMAND))
		snprintf(who, sizeof(who), "%s", pic->runs[0].facts[FACT_COMMAND]);
	name_drawn(what, sizeof(what), pic);
	lines_add(to, heading ? LINE_PLAIN : LINE_HEAD, "%s%s%s%s%s", who,
		  *backend && *who ? " on " : "", *who ? backend : "", *who ? ": " : "", what);
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
static char *common_of(const struct picture *pic, bool paged)
{
	char *text = NULL;
	size_t len, more = 0;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (size_t i = 0; i < LENGTH(all_facts); i++) {
		enum plot_fact fact = all_facts[i];
		bool said = fact == FACT_COMMAND && !pic->ask->heading &&
			    (paged || !names_another(pic));

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
static void add_differences(struct text_lines *lines, const struct picture *pic,
			    const struct plot_run *run)
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
		lines_push(lines, text, LINE_PLAIN);
	else
		free(text);
}

int heading_write(struct text_lines *to, const struct picture *pics, size_t n)
{
	/* of several pictures all have all files, those without rows behind the others */
	const struct picture *pic = &pics[0];

	for (size_t i = 1; i < n; i++)
		pic = pics[i].nruns > pic->nruns ? &pics[i] : pic;
	if (n > 1)
		add_page_head(to, pic, n);
	else
		add_head(to, pic);
	lines_push(to, common_of(pic, n > 1), LINE_PLAIN);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];
		const char *status = result_text(run->doc, "status");

		add_differences(to, pic, run);
		if (strcmp(status, "complete") != 0)
			lines_add(to, LINE_ALARM, "%s%s%s, %s", PLOT_OF(pic, run),
				  *status ? status : "status not recorded",
				  strcmp(status, "failed") ? "points may be missing"
							   : "these numbers are not to be trusted");
	}
	return to->failed ? ST_FAILED : ST_OK;
}
