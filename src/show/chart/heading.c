/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the text above a picture. It names the columns of both axes, and says where the values
 * were measured. Facts that all files share are written once. Other facts are in the legend, or in
 * a line for each file.
 */
#include "show/chart/heading.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/heat/heat.h"
#include "show/chart/heat/words.h"
#include "show/chart/lines.h"
#include "show/chart/ratios.h"
#include "show/chart/samples.h"
#include "show/chart/select.h"
#include "show/chart/words.h"

/* ---- the facts of a file ---- */

/* Adds a part to a list, separated by a comma, unless the part is empty. */
static void add_part(struct text *to, const char *part)
{
	if (*part)
		text_add(to, "%s%s", to->n ? ", " : "", part);
}

/*
 * Adds how the values were computed: in virtual time, for an FPGA board, or with the parameters of
 * a model.
 */
static void add_method(struct text *to, const json_t *doc)
{
	static const char *const models[] = { "board", "logp", "loggp", "rdma", "like", "fit" };
	bool computed = result_is_computed(doc);

	if (result_is_comparison(doc)) {
		ratios_add_compared(to, doc);
		return;
	}
	if (computed)
		add_part(to, result_text(doc, "environment.backend.method"));
	for (size_t i = 0; i < LENGTH(models) && !result_at(doc, "environment.backend"); i++) {
		const char *value = result_text(document_options(doc), models[i]);

		if (*value)
			text_add(to, "%s%s %s", to->n ? ", " : "", models[i], value);
	}
	add_part(to, computed ? "computed" : "");
	add_part(to, result_is_emulated(doc) ? "emulated" : "");
}

void heading_find_facts(struct plot_run *run)
{
	const json_t *doc = run->doc;
	const char *backend = result_text(doc, "environment.backend.name");
	const char *host = result_text(doc, "environment.host.name");
	struct text *facts = run->facts = memory_new(NFACTS, sizeof(*facts));
	size_t nhosts;

	text_add(&facts[FACT_COMMAND], "%s", document_command(doc));
	text_add(&facts[FACT_BACKEND], "%s%s", *backend ? "backend " : "", backend);
	add_method(&facts[FACT_METHOD], doc);
	/* the host of rank 0 and the number of other hosts */
	free(result_hosts(document_environment(doc), &nhosts));
	if (*host)
		text_add(&facts[FACT_HOSTS], "host %s", host);
	if (nhosts > 1 && !result_is_computed(doc))
		text_add(&facts[FACT_HOSTS], " and %zu more", nhosts - 1);
	text_add(&facts[FACT_DEFINITION], "%s", document_definition(doc));
}

/* Returns true if a fact is the same in all files of the picture. */
static bool is_common(const struct picture *pic, enum plot_fact fact)
{
	for (size_t i = 1; i < pic->nruns; i++)
		if (strcmp(pic->runs[i].facts[fact].s, pic->runs[0].facts[fact].s) != 0)
			return false;
	return true;
}

/* ---- the legend ---- */

/*
 * Adds the file's label and those facts that differ between files: "label: facts". If `legend`,
 * adds the facts that the legend shows; otherwise adds the other facts. Returns true if any fact
 * differs.
 */
static bool add_differences(struct text *to, const struct picture *pic, const struct plot_run *run,
			    bool legend)
{
	size_t n;

	text_add(to, "%s", run->label);
	n = to->n;
	for (enum plot_fact i = 0; i < NFACTS; i++) {
		bool is_short = i != FACT_METHOD && i != FACT_DEFINITION;

		if ((is_short && !pic->ask->labelled) == legend && !is_common(pic, i) &&
		    run->facts[i].n)
			text_add(to, "%s%s", to->n == n ? ": " : ", ", run->facts[i].s);
	}
	return to->n > n;
}

struct text heading_legend(const struct picture *pic, const struct plot_run *run)
{
	struct text to = { .n = 0 };

	add_differences(&to, pic, run, true);
	if (!pic->ask->kind && strcmp(run->y, pic->y.column) != 0)
		add_part(&to, words_of(run->y).s);
	return to;
}

/* ---- the lines above the picture ---- */

struct text heading_benchmark(const struct picture *pic)
{
	struct text name = text_from("%s%s", select_command_prefix(pic->benchmark), pic->benchmark);
	const char *what = pic->ask->summary_of(name.s);

	if (what)
		text_add(&name, " %.*s", (int)strcspn(what, ":"), what);
	return name;
}

/*
 * Adds the first line, such as "latency on shm: half round trip over message size". For a page of
 * `npages` pictures the line is like "atlas-all on sim: 10 benchmarks".
 */
static void add_first_line(struct text_lines *to, const struct picture *pic, size_t npages)
{
	const char *backend = strchr(pic->runs[0].facts[FACT_BACKEND].s, ' ');
	const char *heading = pic->ask->heading;
	struct text who = { .n = 0 }, what;

	if (heading)
		lines_add(to, LINE_HEAD, "%s", heading);
	if (heading && (pic->of == 1 || npages > 1))
		return;
	if (ratios_are_drawn(pic) && npages == 1) {
		ratios_add_heading(to, pic);
		return;
	}
	backend = backend && is_common(pic, FACT_BACKEND) ? backend + 1 : "";
	if (npages == 1 && pic->benchmark) {
		who = heading_benchmark(pic);
		if (pic->of > 1)
			text_add(&who, " (%zu of %zu)", pic->number, pic->of);
	} else if (is_common(pic, FACT_COMMAND)) {
		who = pic->runs[0].facts[FACT_COMMAND];
	} else if (npages > 1) {
		who = text_from("atlas");
	}
	if (npages > 1)
		what = text_from("%zu benchmarks", npages);
	else if (pic->heat)
		what = heat_heading(pic);
	else if (pic->ask->kind)
		what = samples_title(pic);
	else
		what = text_from("%s over %s", pic->y.words.s, pic->x.words.s);
	lines_add(to, heading ? LINE_PLAIN : LINE_HEAD, "%s%s%s%s%s", who.s,
		  *backend && who.n ? " on " : "", who.n ? backend : "", who.n ? ": " : "", what.s);
}

/* Number of characters before the time of day. */
#define DAY strlen("2026-11-22T")

/* Adds the facts that the files share, and when they were measured. */
static void add_common_facts(struct text_lines *lines, const struct picture *pic, bool paged)
{
	const char *command = pic->runs[0].facts[FACT_COMMAND].s;
	size_t family = strlen(PLOT_FAMILY), more = 0;
	/* the first line may name a benchmark of another command, such as atlas-all */
	bool own = !pic->benchmark || (!strncmp(command, PLOT_FAMILY, family) &&
				       !strcmp(command + family, pic->benchmark));
	bool said = !pic->ask->heading && (paged || own);
	const char *first = "", *last = "";
	bool unknown = false;
	struct text to = { .n = 0 };

	for (enum plot_fact i = said ? FACT_COMMAND + 1 : FACT_COMMAND; i < NFACTS; i++)
		if (is_common(pic, i))
			add_part(&to, pic->runs[0].facts[i].s);
	for (size_t i = 0; i < pic->nruns; i++) {
		const char *start = result_text(pic->runs[i].doc, "environment.time.start");

		more += pic->runs[i].nmore;
		unknown |= !*start;
		if (*start && (!*first || strcmp(start, first) < 0))
			first = start;
		if (strcmp(start, last) > 0)
			last = start;
	}
	/* "2026-11-22T10:00:00Z to 11:00:00Z" */
	add_part(&to, first);
	if (strcmp(first, last) != 0)
		text_add(&to, " to %s", last + (strncmp(first, last, DAY) ? 0 : DAY));
	add_part(&to, unknown ? "date not recorded" : "");
	if (more)
		text_add(&to, ", and %zu more file%s", more, more == 1 ? "" : "s");
	lines_add(lines, LINE_PLAIN, "%s", to.s);
}

void heading_write(struct text_lines *to, const struct picture *pics, size_t n)
{
	/* each picture has all files; files without rows come last and are not in nruns */
	const struct picture *pic = &pics[0];

	for (size_t i = 1; i < n; i++)
		pic = pics[i].nruns > pic->nruns ? &pics[i] : pic;
	add_first_line(to, pic, n);
	add_common_facts(to, pic, n > 1);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];
		const char *status = document_status(run->doc);
		struct text more = { .n = 0 };

		if (add_differences(&more, pic, run, false))
			lines_add(to, LINE_PLAIN, "%s", more.s);
		if (strcmp(status, "complete") != 0)
			lines_add(to, LINE_ALARM, "%s%s%s, %s", PLOT_OF(pic, run),
				  *status ? status : "status not recorded",
				  strcmp(status, "failed") ? "points may be missing"
							   : "do not trust these numbers");
	}
}
