/* SPDX-License-Identifier: Apache-2.0 */
#include "host/wording.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"

/*
 * Facts whose names in results differ from the names that people use. Names of facts about a link
 * are without "link.N.".
 */
static const struct fact_word {
	const char *name, *text, *unit;
} fact_words[] = {
	{ "mtu_B", "MTU", "" }, { "speed_Mbps", "link rate", " Mbit/s" },
	{ "rate", "link rate", "" }, { "pcie_speed", "PCIe speed", "" },
	{ "pcie_width", "PCIe width", "" }, { "pcie_speed_max", "best PCIe speed", "" },
	{ "pcie_width_max", "best PCIe width", "" }, { "numa_node", "NUMA node", "" },
	{ "numa_distance", "NUMA distance from rank to interface", "" },
	{ "name", "interface", "" }, { "host.kernel", "kernel", "" },
	{ "kernel.version", "kernel build", "" }, { "host.libc", "C library", "" },
	{ "host.os", "system", "" }, { "cpu.governor", "governor", "" },
	{ "cpu.model", "CPU", "" }, { "cpu.cores", "cores", "" }, { "cpu.turbo", "turbo", "" },
	{ "memory.total_GiB", "memory", " GiB" }, { "backend.library", "library", "" },
	{ "backend.library_file", "library file", "" },
	{ "netbench.version", "netbench", "" }, { "netbench.commit", "netbench's commit", "" },
};

const char *wording_part(const char *path, int *link)
{
	char *end;

	*link = -1;
	if (strncmp(path, "link.", 5) != 0)
		return path;
	*link = (int)strtol(path + 5, &end, 10);
	return *end == '.' ? end + 1 : path;
}

/* Returns the row of fact_words for a part of a path, or NULL. */
static const struct fact_word *find_fact_word(const char *part)
{
	for (const struct fact_word *w = fact_words; w < fact_words + LENGTH(fact_words); w++)
		if (!strcmp(w->name, part))
			return w;
	return NULL;
}

const char *wording_unit(const char *path)
{
	int link;
	const struct fact_word *w = find_fact_word(wording_part(path, &link));

	return w ? w->unit : "";
}

const char *wording_link(const json_t *machine, int link)
{
	const json_t *links = json_object_get(machine, "links");
	const char *name = json_string_value(json_array_get(links, (size_t)link));

	return name ? name : "link";
}

void wording_name(FILE *to, const json_t *machine, const char *path)
{
	const json_t *links = json_object_get(machine, "links");
	int link;
	const char *part = wording_part(path, &link);
	const struct fact_word *w = find_fact_word(part);
	const char *text = w ? w->text : part;

	if (!strncmp(text, "sysctl.", 7))
		text += 7;
	fputs(text, to);
	if (link >= 0 && json_array_size(links) > 1 && strcmp(part, "name") != 0)
		fprintf(to, " of %s", wording_link(machine, link));
}

void wording_value(FILE *to, const json_t *v, const char *unit)
{
	if (json_is_string(v))
		fprintf(to, "%s%s", json_string_value(v), unit);
	else if (json_is_integer(v))
		fprintf(to, "%lld%s", (long long)json_integer_value(v), unit);
	else if (json_is_real(v))
		fprintf(to, "%s%s", plain(json_real_value(v), 6).s, unit);
	else
		fputs(json_is_true(v) ? "yes" : json_is_false(v) ? "no" : "unknown", to);
}

void wording_difference(FILE *to, const json_t *machine, const char *path, json_t *const values[2],
			const char *is, const char *others)
{
	const char *unit = wording_unit(path);

	wording_name(to, machine, path);
	fputs(is, to);
	wording_value(to, values[0], unit);
	fputs(others, to);
	wording_value(to, values[1], unit);
}
