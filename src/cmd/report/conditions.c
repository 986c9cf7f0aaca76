/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes where a result was measured (machine, compiler, operating system) and how
 * (communication, method, caches, other users).
 */
#include "cmd/report/conditions.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"
#include "cmd/report/columns.h"
#include "result/document.h"
#include "show/page/facts.h"

/* ---- where ---- */

static const struct fact machine[] = {
	{ "host of rank 0, which is described here", "host.name", "" },
	{ "CPU", "cpu.model", "" }, { "cores allowed to the run", "cpu.cores", "" },
	{ "hardware threads allowed to it", "cpu.threads", "" },
	{ "CPUs allowed to it", "cpu.allowed_cpus", "" },
	{ "CPUs online", "cpu.online_cpus", "" }, { "NUMA nodes", "cpu.numa_nodes", "" },
	{ "largest clock rate, MHz", "cpu.mhz_max", "" }, { "caches", "cpu.caches", "" },
	{ "memory", "memory.total_B", "B" }, { "pages", "memory.page_B", "B" },
	{ "virtualisation", "host.virtualization", "" },
};

/* Writes a list of devices, such as "eth0: state up, mtu 1500 B, ...". */
static void put_devices(struct page *to, const char *label, json_t *devices)
{
	json_t *device;
	size_t i;

	if (!json_array_size(devices)) {
		put_fact(to, label, devices, "");
		return;
	}
	page_item_say(to, 1, "%s:", label);
	json_array_foreach(devices, i, device) {
		json_t *rest = json_copy(device);

		json_object_del(rest, "name");
		page_item_say(to, 2, "%s: %s", result_text(device, "name"),
			      value_text(to, rest, ""));
		json_decref(rest);
	}
}

void report_platform(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc);
	json_t *board = json_object_get(env, "board");

	if (result_is_computed(doc) && board) {
		page_paragraph_say(to, "Computed by formula; nothing was run.");
		put_list(to, "board", board);
	} else if (result_is_computed(doc)) {
		page_paragraph_say(to, "Simulated: the ranks and the network exist only in "
				       "virtual time, on one processor.\nThe numbers do not "
				       "depend on the machine that computed them.");
		put_fact(to, "network", result_at(env, "backend.method"), "");
	} else {
		put_facts(to, env, machine, LENGTH(machine));
		put_devices(to, "network devices", result_at(env, "network.devices"));
		put_devices(to, "InfiniBand and RoCE devices",
			    result_at(env, "network.infiniband"));
	}
}

/*
 * Groups ranks by host. Returns an object that has, for each host, the list of its ranks in order
 * (new reference).
 */
static json_t *group_ranks_by_host(const json_t *ranks)
{
	json_t *hosts = json_object(), *rank;
	size_t i;

	json_array_foreach(ranks, i, rank) {
		const char *host = result_text(rank, "host");

		if (!json_object_get(hosts, host))
			json_object_set_new(hosts, host, json_array());
		json_array_append(json_object_get(hosts, host), rank);
	}
	return hosts;
}

/*
 * Writes the numbers that a host's ranks have under `key`, in the order of the ranks, such as " 0-3
 * 8-11".
 */
static void put_numbers(struct page *to, const json_t *ranks, const char *key)
{
	json_int_t from = 0, last = 0;
	bool any = false;
	json_t *rank;
	size_t i;

	json_array_foreach(ranks, i, rank) {
		const json_t *v = json_object_get(rank, key);
		json_int_t number = json_integer_value(v);

		if (!json_is_integer(v) || (any && number == last))
			continue;
		if (any && number != last + 1 && last > from)
			page_say(to, "-%" JSON_INTEGER_FORMAT, last);
		if (!any || number != last + 1) {
			page_say(to, " %" JSON_INTEGER_FORMAT, number);
			from = number;
		}
		last = number;
		any = true;
	}
	if (last > from)
		page_say(to, "-%" JSON_INTEGER_FORMAT, last);
	page_text(to, any ? "" : " unknown");
}

void report_placement(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc), *ranks = json_object_get(env, "ranks");
	json_t *hosts, *on, *rank;
	const char *host;
	size_t i;

	if (!ranks) {
		page_paragraph_say(to, "There are none: the numbers come from a formula.");
		return;
	}
	put_fact(to, "ranks", json_object_get(env, "nranks"), "");
	if (result_is_computed(doc))
		return;
	hosts = group_ranks_by_host(ranks);
	page_item_say(to, 1, "hosts: %zu", json_object_size(hosts));
	json_object_foreach(hosts, host, on) {
		size_t n = json_array_size(on), npinned = 0;

		json_array_foreach(on, i, rank)
			npinned += json_is_integer(json_object_get(rank, "core"));
		page_item_say(to, 2, "%s: %zu rank%s,", host, n, n == 1 ? "" : "s");
		put_numbers(to, on, "rank");
		if (npinned == n) {
			page_say(to, ", each pinned to a core, on CPUs");
			put_numbers(to, on, "cpu");
		} else if (npinned) {
			page_say(to, ", %zu of them pinned to a core", npinned);
		} else {
			page_say(to, ", not pinned");
		}
		page_say(to, ", NUMA nodes");
		put_numbers(to, on, "numa");
	}
	json_decref(hosts);
	page_item_say(to, 1, "messages are carried by backend %s: %s",
		      result_text(env, "backend.name"),
		      value_text(to, result_at(env, "backend.method"), ""));
}

void report_language(struct page *to, const json_t *doc)
{
	/* each build type of meson, and the compiler flags for which it stands */
	static const char *const known[][2] = {
		{ "release", "-O3" }, { "debugoptimized", "-O2 -g" }, { "debug", "-O0 -g" },
		{ "minsize", "-Os -g" }, { "plain", "none" },
	};
	const json_t *netbench = result_at(document_environment(doc), "netbench");
	const char *more = result_text(netbench, "c_flags"), *flags = "unknown";

	for (size_t i = 0; i < LENGTH(known); i++)
		if (!strcmp(known[i][0], result_text(netbench, "build_type")))
			flags = known[i][1];
	page_item_say(to, 1, "language: C11");
	put_fact(to, "compiler", result_at(netbench, "compiler"), "");
	put_fact(to, "build type", result_at(netbench, "build_type"), "");
	page_say(to, ", which is %s; other flags: %s", flags, *more ? more : "none");
	put_fact(to, "C library", result_at(doc, "environment.host.libc"), "");
}

static const struct fact kernel[] = {
	{ "operating system", "host.os", "" }, { "kernel", "host.kernel", "" },
	{ "its build", "kernel.version", "" },
	{ "parameters of its command line that affect performance", "kernel.parameters", "" },
	{ "isolated CPUs", "kernel.isolated_cpus", "" },
	{ "CPUs without a timer tick", "kernel.nohz_full_cpus", "" },
	{ "hardware threads share cores", "cpu.smt", "" }, { "frequency driver", "cpu.driver", "" },
	{ "frequency governor", "cpu.governor", "" }, { "turbo", "cpu.turbo", "" },
	{ "idle driver", "cpu.idle_driver", "" }, { "idle governor", "cpu.idle_governor", "" },
	{ "transparent huge pages", "memory.transparent_hugepage", "" },
	{ "the same for shared memory", "memory.shmem_hugepage", "" },
	{ "clock source", "clock.source", "" },
	{ "limit of locked memory", "limits.memlock_B", "B" },
	{ "limit of a stack", "limits.stack_B", "B" },
	{ "limit of open files", "limits.open_files", "" },
};

void report_system(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc);
	json_t *sysctls = json_object_get(env, "sysctl"), *v;
	const char *name, *between = "";

	if (result_is_computed(doc)) {
		page_paragraph_say(to, "None that affects the numbers: they are computed.");
		return;
	}
	put_facts(to, env, kernel, LENGTH(kernel));
	put_list(to, "mitigations of faults of the CPU", result_at(env, "kernel.mitigations"));
	if (!json_object_size(sysctls)) {
		page_item_say(to, 1, "sysctls: not recorded");
		return;
	}
	page_table(to);
	page_column(to, false, "sysctl");
	page_column(to, false, "value");
	json_object_foreach(sysctls, name, v) {
		if (json_is_null(v))
			continue;
		page_row(to);
		page_cell_say(to, "%s", name);
		page_cell_say(to, "%s", value_text(to, v, ""));
	}
	json_object_foreach(sysctls, name, v) {
		if (!json_is_null(v))
			continue;
		if (!*between)
			page_paragraph(to);
		page_say(to, "%s%s", *between ? between : "These do not exist: ", name);
		between = ", ";
	}
	if (*between)
		page_say(to, ".");
}

/* ---- how ---- */

/*
 * Writes the member "name" of a part of the environment, then a list of the part's other members.
 */
static void put_named_part(struct page *to, const char *label, const json_t *env, const char *part)
{
	json_t *rest = json_copy(json_object_get(env, part));

	put_fact(to, label, result_at(rest, "name"), "");
	json_object_del(rest, "name");
	json_object_del(rest, "job");
	put_members(to, 2, rest, RATE_BYTE);
	json_decref(rest);
}

void report_communication(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc);
	json_t *counters = result_at(doc, "summary.counters");

	if (!json_object_get(env, "backend")) {
		page_paragraph_say(to, "None: nothing was sent.");
		return;
	}
	put_named_part(to, "backend", env, "backend");
	put_named_part(to, "job (how the ranks were started)", env, "job");
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

/* Writes a fact if the result has the fact (v is not NULL). */
static void put_fact_if_known(struct page *to, const char *label, const json_t *v, const char *unit)
{
	if (v)
		put_fact(to, label, v, unit);
}

/* Writes the smallest and the largest number of a column. */
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
	put_fact_if_known(to, label, least, "");
	if (json_number_value(most) > json_number_value(least))
		page_say(to, " to %s", value_text(to, most, ""));
}

/* Writes, for each text in a column, the number of points that have it. */
static void put_text_counts(struct page *to, const char *label, const json_t *rows,
			    const char *name)
{
	json_t *counts = rows_count_texts(rows, name);

	json_object_del(counts, "");
	put_fact_if_known(to, label, json_object_size(counts) ? counts : NULL, "");
	json_decref(counts);
}

static void put_stopping_rule(struct page *to, const json_t *doc)
{
	const json_t *limit = document_option(doc, "time-limit"),
		     *visits = document_option(doc, "visits");

	put_fact(to, "warm-up repetitions of each point, before those that count",
		 document_option(doc, "warmup"), "");
	page_item_say(to, 1,
		      "a point ends when the 95 %% confidence interval of its median time is "
		      "within %s %% on either side, or after %s repetitions, or after %s; %s",
		      value_text(to, document_option(doc, "ci"), ""),
		      value_text(to, document_option(doc, "repetitions"), ""),
		      value_text(to, document_option(doc, "point-time"), "s"),
		      result_has(doc, "ci_method") ? "the interval can end it after 20 "
						     "repetitions, the time after 6"
						   : "it has at least 5 repetitions");
	if (json_integer_value(visits) > 1)
		put_fact(to, "visits of each point, in random order", visits, "");
	if (json_number_value(limit) > 0)
		put_fact(to, "time limit of the run", limit, "s");
}

void report_method(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc), *rows = document_rows(doc);

	put_fact(to, "definition", json_object_get(doc, "definition"), "");
	if (!json_object_get(env, "backend")) {
		page_item_say(to, 1, "by formula; the definitions at the end contain it");
		return;
	}
	put_facts(to, env, clock_facts, LENGTH(clock_facts));
	put_fact_if_known(to, "largest error of the clocks at the start",
			  result_at(doc, "summary.clock_error_s"), "s");
	put_fact_if_known(to, "largest drift of the clocks at the end",
			  result_at(doc, "summary.clock_closing_error_s"), "s");
	if (result_is_computed(doc))
		page_item_say(to, 1, "repetitions: one of each point, since in virtual time all "
				     "are alike");
	else
		put_stopping_rule(to, doc);
	put_text_counts(to, "reasons why points ended, and numbers of points", rows, "stop");
	put_range(to, "repetitions of a point", rows, "repetitions");
	put_range(to, "iterations of a repetition", rows, "loops");
	if (rows_sum(rows, "late") > 0)
		page_item_say(to, 1, "repetitions with a rank that started late: %.0f",
			      rows_sum(rows, "late"));
	page_item_say(to, 1, "every repetition counts; medians with nonparametric intervals");
	if (!result_is_computed(doc))
		put_text_counts(to, "methods of intervals, and numbers of points", rows,
				"ci_method");
	put_fact(to, "verification", document_option(doc, "verify"), "");
	page_say(to, "; %.0f messages compared, %.0f wrong", rows_sum(rows, "checked"),
		 rows_sum(rows, "errors"));
	put_fact_if_known(to, "part of the content that is carried",
			  result_at(doc, "environment.backend.content"), "");
}

/* Stores each message size of a document once, up to `room` sizes. Returns their number. */
static size_t list_sizes(const json_t *doc, double *sizes, size_t room)
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

void report_caching(struct page *to, const json_t *doc)
{
	json_t *caches = result_at(doc, "environment.cpu.caches"), *size;
	double sizes[256];
	size_t n = list_sizes(doc, sizes, LENGTH(sizes));
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
	/* the names are like "l1d_B", the sizes in bytes */
	json_object_foreach(caches, name, size) {
		double most = json_number_value(size), largest = 0;
		char level[16];
		size_t fit = 0;

		if (!json_is_number(size) || !strcmp(name, "l1i_B"))
			continue;
		for (size_t i = 0; i < n; i++)
			if (sizes[i] <= most) {
				largest = fmax(largest, sizes[i]);
				fit++;
			}
		snprintf(level, sizeof(level), "L%.*s", (int)strcspn(name + 1, "_"), name + 1);
		page_row(to);
		page_cell_say(to, "%s", level);
		page_number_say(to, most, "%s", value_text(to, size, "B"));
		if (fit)
			page_cell_say(to, "%s, to %.0f B (%zu of %zu)",
				      fit == n ? "all" : "the smaller ones", largest, fit, n);
		else
			page_cell_say(to, "none");
	}
}

static const struct fact load[] = {
	{ "load average over 1 minute, at the start", "environment.load.average_1min", "" },
	{ "over 5 minutes", "environment.load.average_5min", "" },
	{ "over 15 minutes", "environment.load.average_15min", "" },
	{ "tasks ready to run at the start, netbench among them", "environment.load.running", "" },
	{ "the run took", "summary.elapsed_s", "s" },
};

void report_others(struct page *to, const json_t *doc)
{
	double others = result_number(document_summary(doc), "cpu_others_cores");

	if (result_is_computed(doc)) {
		page_paragraph_say(to, "None: virtual time passes only for the simulated ranks.");
		return;
	}
	put_facts(to, doc, load, LENGTH(load));
	page_item_say(to, 1, "cores that other processes used during the run");
	if (others >= 0)
		page_say(to, ", including the hypervisor (steal): %.2f", others);
	else
		page_say(to, ": not known");
	page_item_say(to, 1, "all of this concerns the host of rank 0; other users of the network "
			     "between hosts are not detected");
}
