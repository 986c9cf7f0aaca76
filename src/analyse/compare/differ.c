/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/compare/differ.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"

#define PATH_LEN 256
#define VALUE_LEN 80 /* length of the longest list, as text, that is shown in full */

/*
 * Members that are not compared. Some differ between any two runs, or are measurements. Others
 * state why something was chosen, where results go, or how ranks connect. The rest repeat other
 * members.
 */
static const char *const incidental[] = {
	"run", "time", "load", "netbench.command_line", "timer.*_s", "timer.sync",
	"sync.clock_error_s", "*.chosen", "backend.job", "backend.*_address", "backend.*_s",
	"backend.beside",
	"ranks.*.pid", "ranks.*.cpu", "ranks.*.core", "options.dry-run", "options.samples",
	"options.listen", "options.join", "options.rank", "options.secret-file",
	"options.join-timeout", "options.backend", "options.job", "options.stall",
	"options.format", "options.output", "options.rate-unit", "options.csv-header",
	"options.wide", "options.overwrite", "options.quiet", "options.verbose",
};

bool member_is_incidental(const char *path)
{
	for (size_t i = 0; i < LENGTH(incidental); i++)
		if (!fnmatch(incidental[i], path, 0))
			return true;
	return false;
}

/* Compares a member of a and b if both have it. `name` is its key or its index. */
static void compare_member(json_t *found, const char *path, const char *name, json_t *a, json_t *b)
{
	char longer[PATH_LEN];

	snprintf(longer, sizeof(longer), "%s%s%s", path, *path ? "." : "", name);
	if (a && b && !member_is_incidental(longer))
		members_differ(found, longer, a, b);
}

void members_differ(json_t *found, const char *path, json_t *a, json_t *b)
{
	char number[24];
	const char *name;
	json_t *member;
	size_t i;

	if (json_is_object(a) && json_is_object(b)) {
		json_object_foreach(a, name, member)
			compare_member(found, path, name, member, json_object_get(b, name));
	} else if (json_is_object(json_array_get(a, 0)) && /* lists of equally many objects */
		   json_array_size(a) == json_array_size(b)) {
		json_array_foreach(a, i, member) {
			snprintf(number, sizeof(number), "%zu", i);
			compare_member(found, path, number, member, json_array_get(b, i));
		}
	} else if (!json_equal(a, b)) {
		json_object_set_new(found, path, json_pack("[O, O]", a, b));
	}
}

/* Writes a value for people, such as '6.1.112' in quotes. */
static void put_value(FILE *to, const json_t *v)
{
	char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII |
					   JSON_REAL_PRECISION(15));
	size_t len = text ? strlen(text) : 0;

	if (json_is_null(v))
		fputs("unknown", to);
	else if (json_is_string(v) && len >= 2)
		fprintf(to, "'%.*s'", (int)len - 2, text + 1);
	else
		fprintf(to, "%.*s%s", VALUE_LEN, text ? text : "", len > VALUE_LEN ? "..." : "");
	free(text);
}

void put_difference(FILE *to, const char *name, const json_t *pair, const char *between)
{
	fprintf(to, "%s ", name);
	put_value(to, json_array_get(pair, 0));
	fputs(between, to);
	put_value(to, json_array_get(pair, 1));
}
