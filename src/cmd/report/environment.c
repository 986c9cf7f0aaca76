/* SPDX-License-Identifier: Apache-2.0 */
/* Where a result was measured: the machine, the compiler, the operating system. */
#include "cmd/report/environment.h"

#include <string.h>

#include "base/values.h"
#include "result/document.h"
#include "show/page/facts.h"

static const struct fact machine[] = {
	{ "host of rank 0, which is described here", "host.name", "" },
	{ "CPU", "cpu.model", "" }, { "cores that the run was given", "cpu.cores", "" },
	{ "hardware threads that it was given", "cpu.threads", "" },
	{ "CPUs that it was given", "cpu.allowed_cpus", "" },
	{ "CPUs online", "cpu.online_cpus", "" }, { "NUMA nodes", "cpu.numa_nodes", "" },
	{ "largest clock rate, MHz", "cpu.mhz_max", "" }, { "caches", "cpu.caches", "" },
	{ "memory", "memory.total_B", "B" }, { "pages", "memory.page_B", "B" },
	{ "virtualisation", "host.virtualization", "" },
};

/* "eth0: state up, mtu 1500 B, ..." for each. */
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
		page_paragraph_say(to, "Simulated: the ranks and the network exist in virtual "
				       "time alone, on one processor of the machine that "
				       "computed it.\nNothing of that machine enters into the "
				       "numbers.");
		put_fact(to, "network", result_at(env, "backend.method"), "");
	} else {
		put_facts(to, env, machine, LENGTH(machine));
		put_devices(to, "network devices", result_at(env, "network.devices"));
		put_devices(to, "InfiniBand and RoCE devices",
			    result_at(env, "network.infiniband"));
	}
}

/* The ranks of each host, the first host first: an object of lists. New. */
static json_t *ranks_by_host(const json_t *ranks)
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

/* The numbers under `key` of a host's ranks, in their order: " 0-3 8-11". */
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

static void put_host(struct page *to, const char *host, const json_t *ranks)
{
	size_t i, n = json_array_size(ranks), npinned = 0;
	json_t *rank;

	json_array_foreach(ranks, i, rank)
		npinned += json_is_integer(json_object_get(rank, "core"));
	page_item_say(to, 2, "%s: %zu rank%s,", host, n, n == 1 ? "" : "s");
	put_numbers(to, ranks, "rank");
	if (npinned == n) {
		page_say(to, ", each pinned to a core, on CPUs");
		put_numbers(to, ranks, "cpu");
	} else if (npinned) {
		page_say(to, ", of which %zu pinned to a core", npinned);
	} else {
		page_say(to, ", not pinned");
	}
	page_say(to, ", NUMA nodes");
	put_numbers(to, ranks, "numa");
}

void report_placement(struct page *to, const json_t *doc)
{
	const json_t *env = document_environment(doc), *ranks = json_object_get(env, "ranks");
	json_t *hosts, *of_host;
	const char *host;

	if (!ranks) {
		page_paragraph_say(to, "There are none: it is a formula.");
		return;
	}
	put_fact(to, "ranks", json_object_get(env, "nranks"), "");
	if (result_is_computed(doc))
		return;
	hosts = ranks_by_host(ranks);
	page_item_say(to, 1, "hosts: %zu", json_object_size(hosts));
	json_object_foreach(hosts, host, of_host)
		put_host(to, host, of_host);
	json_decref(hosts);
	page_item_say(to, 1, "messages are carried by backend %s: %s",
		      result_text(env, "backend.name"),
		      value_text(to, result_at(env, "backend.method"), ""));
}

void report_language(struct page *to, const json_t *doc)
{
	/* meson's build types, and the compiler's flags */
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
	{ "of its command line, what bears on performance", "kernel.parameters", "" },
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
		page_paragraph_say(to, "None that enters into the numbers: they are computed.");
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
		page_say(to, "%s%s", *between ? between : "Not there: ", name);
		between = ", ";
	}
	if (*between)
		page_say(to, ".");
}
