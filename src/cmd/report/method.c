/* SPDX-License-Identifier: Apache-2.0 */
/* How a result was measured: communication, method, caches, other users. */
#include "cmd/report/method.h"

#include <string.h>

#include "base/sort.h"
#include "base/values.h"
#include "cmd/report/columns.h"
#include "result/document.h"
#include "show/page/facts.h"

void report_communication(struct page *to, const json_t *doc)
{
	static const char *const named[] = { "name", NULL };
	static const char *const backend_named[] = { "name", "job", NULL };
	const json_t *env = document_environment(doc);
	json_t *backend = json_object_get(env, "backend"), *job = json_object_get(env, "job"),
	       *counters = result_at(doc, "summary.counters");

	if (!backend) {
		page_paragraph_say(to, "None: nothing was sent.");
		return;
	}
	put_fact(to, "backend", json_object_get(backend, "name"), "");
	put_members(to, 2, backend, backend_named);
	put_fact(to, "job, that is how the ranks came about", result_at(job, "name"), "");
	put_members(to, 2, job, named);
	if (counters)
		put_list(to, "counted during the run, all ranks together", counters);
}

static const struct fact clock_facts[] = {
	{ "timer", "timer.name", "" }, { "its resolution", "timer.resolution_s", "s" },
	{ "time to read it", "timer.overhead_s", "s" },
	{ "the time of a repetition is the", "timer.summary_over_ranks", "" },
	{ "repetitions start together by", "sync.scheme", "" },
	{ "chosen because", "sync.chosen", "" },
};

/* The smallest and the largest number of a column. */
static void put_range(struct page *to, const char *label, const json_t *rows, const char *name)
{
	json_t *row, *v, *least = NULL, *most = NULL;
	size_t i;

	json_array_foreach(rows, i, row) {
		v = json_object_get(row, name);
		if (!json_is_number(v))
			continue;
		if (!least || json_number_value(v) < json_number_value(least))
			least = v;
		if (!most || json_number_value(v) > json_number_value(most))
			most = v;
	}
	if (!most)
		return;
	put_fact(to, label, least, "");
	if (json_number_value(most) > json_number_value(least)) {
		page_say(to, " to ");
		put_value(to, most, "");
	}
}

static double sum_of(const json_t *rows, const char *name)
{
	double sum = 0;
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		sum += json_number_value(json_object_get(row, name));
	return sum;
}

/* How many points have each of a column's texts. */
static void put_counts(struct page *to, const char *label, const json_t *rows, const char *name)
{
	json_t *counts = rows_by_text(rows, name);

	json_object_del(counts, "");
	if (json_object_size(counts))
		put_fact(to, label, counts, "");
	json_decref(counts);
}

static void put_rule(struct page *to, const json_t *doc)
{
	const json_t *options = document_options(doc);
	json_t *visits = json_object_get(options, "visits");

	put_fact(to, "warm-up rounds before the repetitions of each point",
		json_object_get(options, "warmup"), "");
	page_item_say(to, 1, "a point ends as the 95 %% confidence interval of its median time "
			     "is within ");
	put_value(to, json_object_get(options, "ci"), "");
	page_say(to, " %% on either side, after ");
	put_value(to, json_object_get(options, "repetitions"), "");
	page_say(to, " repetitions, or after ");
	put_value(to, json_object_get(options, "point-time"), "s");
	page_say(to, ", whichever comes first, but %s",
		 result_has(doc, "ci_method") ? "by the interval not before 20 repetitions, and by "
						"the time not before 6"
					      : "not before 5 repetitions");
	if (json_integer_value(visits) > 1)
		put_fact(to, "visits of each point, in random order", visits, "");
	if (json_number_value(json_object_get(options, "time-limit")) > 0)
		put_fact(to, "time limit of the run", json_object_get(options, "time-limit"), "s");
}

void report_method(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc),
		     *rows = document_rows(doc);
	json_t *error = result_at(doc, "summary.clock_error_s"),
	       *closing = result_at(doc, "summary.clock_closing_error_s"),
	       *carried = result_at(doc, "environment.backend.content");

	put_fact(to, "definition", json_object_get(doc, "definition"), "");
	if (!json_object_get(env, "backend")) {
		page_item_say(to, 1, "by formula; the definitions at the end have it");
		return;
	}
	put_facts(to, env, clock_facts, LENGTH(clock_facts));
	if (error)
		put_fact(to, "largest error of the clocks at the start", error, "s");
	if (closing)
		put_fact(to, "by which clocks had strayed at the end", closing, "s");
	if (result_is_computed(doc)) {
		page_item_say(to, 1, "repetitions: one of each point, as in virtual time each is "
				     "like the other");
	} else {
		put_rule(to, doc);
	}
	put_counts(to, "what ended the points, and how many of them", rows, "stop");
	put_range(to, "repetitions of a point", rows, "repetitions");
	put_range(to, "iterations of a repetition", rows, "loops");
	if (sum_of(rows, "late") > 0) {
		page_item_say(to, 1, "repetitions in which a rank started late: %.0f",
			      sum_of(rows, "late"));
	}
	page_item_say(to, 1, "every repetition counts; medians with nonparametric intervals");
	if (!result_is_computed(doc))
		put_counts(to, "how intervals came about, and at how many points", rows,
			   "ci_method");
	put_fact(to, "verification", document_option(doc, "verify"), "");
	page_say(to, "; %.0f messages compared, %.0f wrong", sum_of(rows, "checked"),
		 sum_of(rows, "errors"));
	if (carried)
		put_fact(to, "of the content is carried", carried, "");
}

/* The message sizes of a document, each once. Returns how many. */
static size_t sizes_of(const json_t *doc, double *sizes, size_t room)
{
	json_t *row, *size;
	size_t i, k, n = 0;

	json_array_foreach(document_rows(doc), i, row) {
		size = row_cell(row, COL_SIZE);
		for (k = 0; k < n && order_doubles(sizes[k], json_number_value(size)); k++)
			;
		if (json_is_number(size) && n < room && k == n)
			sizes[n++] = json_number_value(size);
	}
	return n;
}

static void put_cache(struct page *to, const char *name, json_t *size, const double *sizes,
		      size_t n)
{
	double largest = -1;
	char level[16];
	size_t fit = 0;

	for (size_t i = 0; i < n; i++)
		if (sizes[i] <= json_number_value(size)) {
			largest = sizes[i] > largest ? sizes[i] : largest;
			fit++;
		}
	snprintf(level, sizeof(level), "L%.*s", (int)strcspn(name + 1, "_"), name + 1);
	page_row(to);
	page_cell(to);
	page_text(to, level);
	page_number(to, json_number_value(size));
	put_value(to, size, "B");
	page_cell(to);
	if (!fit)
		page_say(to, "none");
	else
		page_say(to, "%s, to %.0f B (%zu of %zu)", fit == n ? "all" : "the smaller ones",
			 largest, fit, n);
}

void report_caching(struct page *to, const json_t *doc)
{
	json_t *caches = result_at(doc, "environment.cpu.caches"), *size;
	double sizes[256];
	size_t n = sizes_of(doc, sizes, LENGTH(sizes));
	const char *name;

	if (result_is_computed(doc)) {
		page_paragraph_say(to, "None: the model has no caches.");
		return;
	}
	if (!json_object_size(caches)) {
		page_paragraph_say(to, "The sizes of the caches are not known.");
		return;
	}
	page_table(to);
	page_column(to, false, "cache of CPU 0");
	page_column(to, true, "size");
	page_column(to, false, "messages that fit by their size");
	json_object_foreach(caches, name, size)
		if (json_is_number(size) && strcmp(name, "l1i_B") != 0)
			put_cache(to, name, size, sizes, n);
}

static const struct fact load[] = {
	{ "load average over 1 minute, at the start", "load.average_1min", "" },
	{ "over 5 minutes", "load.average_5min", "" },
	{ "over 15 minutes", "load.average_15min", "" },
	{ "tasks ready to run at the start, netbench among them", "load.running", "" },
};

void report_others(struct page *to, const json_t *doc)
{
	const json_t *others = result_at(doc, "summary.cpu_others_cores");

	if (result_is_computed(doc)) {
		page_paragraph_say(to, "None: virtual time passes for nobody else.");
		return;
	}
	put_facts(to, document_environment(doc), load, LENGTH(load));
	put_fact(to, "the run took", result_at(doc, "summary.elapsed_s"), "s");
	page_item(to, 1);
	if (!json_is_number(others) || json_number_value(others) < 0)
		page_say(to, "cores that others used during the run: not known");
	else
		page_say(to, "cores that others used during the run, the hypervisor (steal) among "
			     "them: %.2f", json_number_value(others));
	page_item_say(to, 1, "these are of the host of rank 0; users of the network between "
			     "hosts are not seen");
}
