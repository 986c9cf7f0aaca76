/* SPDX-License-Identifier: Apache-2.0 */
/* Under which circumstances a result came about: what the note wants to be discussed besides the numbers. */
#include <string.h>

#include "cmd/report.h"

/* A line of a list: where its value lies in the environment. */
struct fact {
	const char *label, *path, *unit;
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void put_facts(FILE *to, const json_t *env, const struct fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		md_fact(to, facts[i].label, doc_at(env, facts[i].path), facts[i].unit);
}

/* ---- platform ---- */

static const struct fact machine[] = {
	{ "CPU", "cpu.model", "" },
	{ "cores that the run was given", "cpu.cores", "" },
	{ "hardware threads that it was given", "cpu.threads", "" },
	{ "CPUs that it was given", "cpu.allowed_cpus", "" },
	{ "CPUs online", "cpu.online_cpus", "" },
	{ "NUMA nodes", "cpu.numa_nodes", "" },
	{ "largest clock rate, MHz", "cpu.mhz_max", "" },
	{ "caches", "cpu.caches", "" },
	{ "memory", "memory.total_B", "B" },
	{ "pages", "memory.page_B", "B" },
	{ "virtualisation", "host.virtualization", "" },
};

/* The ranks of one host. */
struct crowd {
	const char *host;
	size_t n, npinned;
};

static struct crowd count_crowd(const json_t *ranks, const char *host)
{
	struct crowd c = { .host = host };
	json_t *rank;
	size_t i;

	json_array_foreach(ranks, i, rank) {
		if (strcmp(doc_text(rank, "host"), host) != 0)
			continue;
		c.n++;
		c.npinned += json_is_integer(json_object_get(rank, "core"));
	}
	return c;
}

static bool is_first_of_host(const json_t *ranks, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(doc_text(json_array_get(ranks, k), "host"), doc_text(json_array_get(ranks, i), "host")))
			return false;
	return true;
}

/* A member of each rank of a host, the first of them. */
static void put_list(FILE *to, const json_t *ranks, const char *host, const char *key)
{
	size_t i, n = 0;
	json_t *rank;

	json_array_foreach(ranks, i, rank) {
		if (strcmp(doc_text(rank, "host"), host) != 0)
			continue;
		if (n == 64) {
			fputs(" ...", to);
			break;
		}
		putc(' ', to);
		md_value(to, json_object_get(rank, key), "");
		n++;
	}
}

static void put_crowd(FILE *to, const json_t *ranks, const struct crowd *c)
{
	fputs("  * ", to);
	md_text(to, c->host);
	fprintf(to, ": %zu rank%s,", c->n, c->n == 1 ? "" : "s");
	put_list(to, ranks, c->host, "rank");
	if (c->npinned == c->n) {
		fputs(", each pinned to a core; CPUs in their order:", to);
		put_list(to, ranks, c->host, "cpu");
	} else if (c->npinned) {
		fprintf(to, ", of which %zu pinned to a core", c->npinned);
	} else {
		fputs(", not pinned", to);
	}
	fputs("; NUMA nodes:", to);
	put_list(to, ranks, c->host, "numa");
	putc('\n', to);
}

static void put_ranks(FILE *to, const json_t *env)
{
	const json_t *ranks = json_object_get(env, "ranks");
	size_t i, nhosts = 0;
	json_t *rank;

	md_fact(to, "ranks", json_object_get(env, "nranks"), "");
	json_array_foreach(ranks, i, rank)
		nhosts += is_first_of_host(ranks, i);
	fprintf(to, "* hosts: %zu\n", nhosts);
	json_array_foreach(ranks, i, rank) {
		struct crowd c = count_crowd(ranks, doc_text(rank, "host"));

		if (is_first_of_host(ranks, i))
			put_crowd(to, ranks, &c);
	}
	if (nhosts > 1) {
		fputs("\nWhat follows is of ", to);
		md_text(to, doc_text(env, "host.name"));
		fputs(", where rank 0 is; the record does not describe the other hosts.\n\n", to);
	}
}

/* "eth0: state up, mtu 1500 B, ..." for each. */
static void put_devices(FILE *to, const char *label, const json_t *devices)
{
	static const char *const named[] = { "name", NULL };
	json_t *device;
	size_t i;

	if (!json_array_size(devices)) {
		fprintf(to, "* %s: %s\n", label, !devices ? "not recorded" : json_is_null(devices) ? "unknown" : "none");
		return;
	}
	fprintf(to, "* %s:\n", label);
	json_array_foreach(devices, i, device) {
		fputs("  * ", to);
		md_text(to, doc_text(device, "name"));
		putc('\n', to);
		md_members(to, "    ", device, named);
	}
}

static void put_model(FILE *to, const json_t *env)
{
	json_t *board = json_object_get(env, "board");

	if (!board) {
		fputs("Simulated: the ranks and the network exist in virtual time alone, on one processor of the machine that "
		      "computed it.\nNothing of that machine enters into the numbers.\n\n", to);
		md_fact(to, "ranks", json_object_get(env, "nranks"), "");
		md_fact(to, "network", doc_at(env, "backend.method"), "");
		return;
	}
	fputs("Computed by formula; nothing was run.\n\n* board:\n", to);
	md_members(to, "  ", board, NULL);
}

void report_platform(FILE *to, const json_t *doc)
{
	const json_t *env = json_object_get(doc, "environment");

	if (doc_computed(doc)) {
		put_model(to, env);
		return;
	}
	put_ranks(to, env);
	put_facts(to, env, machine, LENGTH(machine));
	put_devices(to, "network devices", doc_at(env, "network.devices"));
	put_devices(to, "InfiniBand and RoCE devices", doc_at(env, "network.infiniband"));
	fputs("* messages are carried by backend ", to);
	md_text(to, doc_text(env, "backend.name"));
	fputs(": ", to);
	md_value(to, doc_at(env, "backend.method"), "");
	putc('\n', to);
}

/* ---- language ---- */

/* What a build type of meson hands to the compiler. */
static const char *flags_of(const char *build_type)
{
	static const struct {
		const char *type, *flags;
	} known[] = {
		{ "release", "-O3" },	{ "debugoptimized", "-O2 -g" }, { "debug", "-O0 -g" },
		{ "minsize", "-Os -g" }, { "plain", "none" },
	};

	for (size_t i = 0; i < LENGTH(known); i++)
		if (!strcmp(known[i].type, build_type))
			return known[i].flags;
	return "unknown";
}

void report_language(FILE *to, const json_t *doc)
{
	const json_t *env = json_object_get(doc, "environment");
	const char *more = doc_text(env, "netbench.c_flags");

	fputs("* language: C11\n", to);
	md_fact(to, "compiler", doc_at(env, "netbench.compiler"), "");
	fputs("* build type: ", to);
	md_value(to, doc_at(env, "netbench.build_type"), "");
	fprintf(to, ", which is %s; other flags: ", flags_of(doc_text(env, "netbench.build_type")));
	md_text(to, *more ? more : "none");
	putc('\n', to);
	md_fact(to, "C library", doc_at(env, "host.libc"), "");
}

/* ---- operating system ---- */

static const struct fact kernel[] = {
	{ "operating system", "host.os", "" },
	{ "kernel", "host.kernel", "" },
	{ "its build", "kernel.version", "" },
	{ "of its command line, what bears on performance", "kernel.parameters", "" },
	{ "isolated CPUs", "kernel.isolated_cpus", "" },
	{ "CPUs without a timer tick", "kernel.nohz_full_cpus", "" },
	{ "mitigations of faults of the CPU", "kernel.mitigations", "" },
	{ "hardware threads share cores", "cpu.smt", "" },
	{ "frequency driver", "cpu.driver", "" },
	{ "frequency governor", "cpu.governor", "" },
	{ "turbo", "cpu.turbo", "" },
	{ "idle driver", "cpu.idle_driver", "" },
	{ "idle governor", "cpu.idle_governor", "" },
	{ "transparent huge pages", "memory.transparent_hugepage", "" },
	{ "the same for shared memory", "memory.shmem_hugepage", "" },
	{ "clock source", "clock.source", "" },
	{ "limit of locked memory", "limits.memlock_B", "B" },
	{ "limit of a stack", "limits.stack_B", "B" },
	{ "limit of open files", "limits.open_files", "" },
};

static void put_sysctls(FILE *to, json_t *sysctls)
{
	const char *name, *between = "";
	json_t *v;

	if (!json_object_size(sysctls)) {
		fputs("* sysctls: not recorded\n", to);
		return;
	}
	fputs("\n| sysctl | value |\n|---|---|\n", to);
	json_object_foreach(sysctls, name, v) {
		if (json_is_null(v))
			continue;
		fputs("| ", to);
		md_text(to, name);
		fputs(" | ", to);
		md_value(to, v, "");
		fputs(" |\n", to);
	}
	json_object_foreach(sysctls, name, v) {
		if (!json_is_null(v))
			continue;
		fputs(*between ? between : "\nNot there: ", to);
		md_text(to, name);
		between = ", ";
	}
	fputs(*between ? ".\n" : "", to);
}

void report_system(FILE *to, const json_t *doc)
{
	const json_t *env = json_object_get(doc, "environment");

	if (doc_computed(doc)) {
		fputs("None that enters into the numbers: they are computed.\n", to);
		return;
	}
	put_facts(to, env, kernel, LENGTH(kernel));
	put_sysctls(to, json_object_get(env, "sysctl"));
}

/* ---- communication ---- */

void report_communication(FILE *to, const json_t *doc)
{
	static const char *const named[] = { "name", NULL }, *const backend_named[] = { "name", "job", NULL };
	const json_t *env = json_object_get(doc, "environment");
	json_t *backend = json_object_get(env, "backend"), *job = json_object_get(env, "job"),
	       *counters = doc_at(doc, "summary.counters");

	if (!backend) {
		fputs("None: nothing was sent.\n", to);
		return;
	}
	md_fact(to, "backend", json_object_get(backend, "name"), "");
	md_members(to, "  ", backend, backend_named);
	md_fact(to, "job, that is how the ranks came about", doc_at(job, "name"), "");
	md_members(to, "  ", job, named);
	if (json_object_size(counters)) {
		fputs("* counted during the run, all ranks together:\n", to);
		md_members(to, "  ", counters, NULL);
	}
}

/* ---- measuring method ---- */

static const struct fact clock_facts[] = {
	{ "timer", "timer.name", "" },
	{ "its resolution", "timer.resolution_s", "s" },
	{ "time to read it", "timer.overhead_s", "s" },
	{ "the time of a repetition is the", "timer.summary_over_ranks", "" },
	{ "repetitions start together by", "sync.scheme", "" },
	{ "chosen because", "sync.chosen", "" },
};

/* The smallest and the largest number of a column. */
static void put_range(FILE *to, const char *label, const json_t *rows, const char *name)
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
	fprintf(to, "* %s: ", label);
	md_value(to, least, "");
	if (json_number_value(most) > json_number_value(least)) {
		fputs(" to ", to);
		md_value(to, most, "");
	}
	putc('\n', to);
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

/* What ended the points, and how many of them. */
static void put_stops(FILE *to, const json_t *rows)
{
	json_t *counts = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *stop = doc_text(row, "stop");

		if (*stop)
			json_object_set_new(counts, stop,
					    json_integer(json_integer_value(json_object_get(counts, stop)) + 1));
	}
	if (json_object_size(counts))
		md_fact(to, "what ended the points, and how many of them", counts, "");
	json_decref(counts);
}

static void put_rule(FILE *to, const json_t *options)
{
	fputs("* warm-up rounds before the repetitions of each point: ", to);
	md_value(to, json_object_get(options, "warmup"), "");
	fputs("\n* a point ends as the 95 % confidence interval of its median time is within ", to);
	md_value(to, json_object_get(options, "ci"), "");
	fputs(" % on either side, after ", to);
	md_value(to, json_object_get(options, "repetitions"), "");
	fputs(" repetitions, or after ", to);
	md_value(to, json_object_get(options, "point-time"), "s");
	fputs(", whichever comes first, but not before 5 repetitions\n", to);
	if (json_number_value(json_object_get(options, "time-limit")) > 0)
		md_fact(to, "time limit of the run", json_object_get(options, "time-limit"), "s");
}

static void put_verification(FILE *to, const json_t *doc)
{
	const json_t *rows = json_object_get(doc, "rows");
	json_t *carried = doc_at(doc, "environment.backend.content");

	fputs("* verification, outside the timed part: ", to);
	md_value(to, doc_at(doc, "options.check"), "");
	fprintf(to, "; %.0f messages compared, %.0f wrong\n", sum_of(rows, "checked"), sum_of(rows, "errors"));
	if (carried)
		md_fact(to, "of the content is carried", carried, "");
}

void report_method(FILE *to, const json_t *doc)
{
	const json_t *env = json_object_get(doc, "environment"), *rows = json_object_get(doc, "rows");
	json_t *error = doc_at(doc, "summary.clock_error_s"), *closing = doc_at(doc, "summary.clock_closing_error_s");

	md_fact(to, "definition", json_object_get(doc, "definition"), "");
	if (!json_object_get(env, "backend")) {
		fputs("* by formula; the definitions at the end have it\n", to);
		return;
	}
	put_facts(to, env, clock_facts, LENGTH(clock_facts));
	if (error)
		md_fact(to, "largest error of the clocks at the start", error, "s");
	if (closing)
		md_fact(to, "by which clocks had strayed at the end", closing, "s");
	if (doc_computed(doc))
		fputs("* repetitions: one of each point, as in virtual time each is like the other\n", to);
	else
		put_rule(to, json_object_get(doc, "options"));
	put_stops(to, rows);
	put_range(to, "repetitions of a point", rows, "repetitions");
	put_range(to, "iterations of a repetition", rows, "loops");
	if (sum_of(rows, "late") > 0)
		fprintf(to, "* repetitions in which a rank started late: %.0f\n", sum_of(rows, "late"));
	fputs("* every repetition counts; medians with nonparametric intervals\n", to);
	put_verification(to, doc);
}

/* ---- caching ---- */

static bool is_listed(const double *list, size_t n, double value)
{
	for (size_t i = 0; i < n; i++)
		if (!(list[i] < value) && !(list[i] > value))
			return true;
	return false;
}

/* The message sizes of a document, each once. Returns how many. */
static size_t sizes_of(const json_t *doc, double *sizes, size_t room)
{
	json_t *row, *size;
	size_t i, n = 0;

	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		size = json_object_get(row, "size_B");
		if (json_is_number(size) && n < room && !is_listed(sizes, n, json_number_value(size)))
			sizes[n++] = json_number_value(size);
	}
	return n;
}

static void put_cache(FILE *to, const char *name, json_t *size, const double *sizes, size_t n)
{
	double largest = -1;
	size_t fit = 0;

	for (size_t i = 0; i < n; i++)
		if (sizes[i] <= json_number_value(size)) {
			largest = sizes[i] > largest ? sizes[i] : largest;
			fit++;
		}
	fprintf(to, "| L%.*s | ", (int)strcspn(name + 1, "_"), name + 1);
	md_value(to, size, "B");
	if (!fit)
		fputs(" | none |\n", to);
	else
		fprintf(to, " | %s, to %.0f B (%zu of %zu) |\n", fit == n ? "all" : "the smaller ones", largest, fit, n);
}

static void put_caches(FILE *to, const json_t *doc)
{
	json_t *caches = doc_at(doc, "environment.cpu.caches"), *size;
	double sizes[256];
	size_t n = sizes_of(doc, sizes, LENGTH(sizes));
	const char *name;

	if (!json_object_size(caches)) {
		fputs("\nThe sizes of the caches are not known.\n", to);
		return;
	}
	fputs("\n| cache of CPU 0 | size | messages that fit by their size |\n|---|---:|---|\n", to);
	json_object_foreach(caches, name, size)
		if (json_is_number(size) && strcmp(name, "l1i_B") != 0)
			put_cache(to, name, size, sizes, n);
}

void report_caching(FILE *to, const json_t *doc)
{
	if (doc_computed(doc)) {
		fputs("None: the model has no caches.\n", to);
		return;
	}
	fputs("Each message is sent from, and received into, the same buffers in every iteration and repetition: as a rule one\n"
	      "for each partner and direction, and the messages of a window share one. Nothing evicts them in between. The content\n"
	      "is written and checked by the processors of the same ranks, before and after the timed part; in the farms (2.1 to\n"
	      "2.3) every packet is read within it. So messages that fit into a cache, together with the others of their\n"
	      "iteration, come from there and not from memory; an application that sends fresh data can be slower. On backend shm\n"
	      "the caches that ranks share carry the messages themselves. Message sizes of this run beside the caches:\n", to);
	put_caches(to, doc);
}

/* ---- others ---- */

static const struct fact load[] = {
	{ "load average over 1 minute, at the start", "load.average_1min", "" },
	{ "over 5 minutes", "load.average_5min", "" },
	{ "over 15 minutes", "load.average_15min", "" },
	{ "tasks ready to run at the start, netbench among them", "load.running", "" },
};

void report_others(FILE *to, const json_t *doc)
{
	const json_t *others = doc_at(doc, "summary.cpu_others_cores");

	if (doc_computed(doc)) {
		fputs("None: virtual time passes for nobody else.\n", to);
		return;
	}
	put_facts(to, json_object_get(doc, "environment"), load, LENGTH(load));
	md_fact(to, "the run took", doc_at(doc, "summary.elapsed_s"), "s");
	if (!json_is_number(others) || json_number_value(others) < 0)
		fputs("* cores that others used during the run: not known\n", to);
	else
		fprintf(to, "* cores that others used during the run, the hypervisor (steal) among them: %.2f\n",
			json_number_value(others));
	fputs("* these are of the host of rank 0; users of the network between hosts are not seen\n", to);
}
