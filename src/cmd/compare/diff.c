/* SPDX-License-Identifier: Apache-2.0 */
/* How two runs differ besides their numbers: machine, build, placement, options. */
#include "cmd/compare/diff.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "cli/command.h"
#include "result/document.h"
#include "result/reader.h"

#define PATH_LEN 256
#define VALUE_LEN 80		/* longest text of a list in a warning */

/*
 * Not compared: what differs between any two runs, is measured, says why something was chosen,
 * where results go or how ranks connect, or is recorded elsewhere too.
 */
static const char *const incidental[] = {
	"run", "time", "load", "netbench.command_line", "timer.*_s", "timer.sync",
	"sync.clock_error_s", "*.chosen", "backend.job", "backend.*_address", "backend.*_s",
	"backend.beside",
	"ranks.*.pid", "ranks.*.cpu", "ranks.*.core", "options.dry-run", "options.samples",
	"options.listen", "options.join", "options.rank", "options.secret-file",
	"options.join-timeout", "options.backend", "options.job", "options.stall",
};

static bool is_incidental(const char *path)
{
	for (size_t i = 0; i < LENGTH(incidental); i++)
		if (!fnmatch(incidental[i], path, 0))
			return true;
	return !strncmp(path, "options.", 8) && command_is_output(path + 8);
}

static void find(json_t *found, const char *path, json_t *a, json_t *b);

/* Compares a member, named by its key or number, if both have it. */
static void find_member(json_t *found, const char *path, const char *name, json_t *a, json_t *b)
{
	char longer[PATH_LEN];

	snprintf(longer, sizeof(longer), "%s%s%s", path, *path ? "." : "", name);
	if (a && b && !is_incidental(longer))
		find(found, longer, a, b);
}

/* Compares two values down to what has no members. */
static void find(json_t *found, const char *path, json_t *a, json_t *b)
{
	char number[24];
	const char *name;
	json_t *member;
	size_t i;

	if (json_is_object(a) && json_is_object(b)) {
		json_object_foreach(a, name, member)
			find_member(found, path, name, member, json_object_get(b, name));
	} else if (json_is_object(json_array_get(a, 0)) &&	/* as many objects, such as ranks */
		   json_array_size(a) == json_array_size(b)) {
		json_array_foreach(a, i, member) {
			snprintf(number, sizeof(number), "%zu", i);
			find_member(found, path, number, member, json_array_get(b, i));
		}
	} else if (!json_equal(a, b)) {
		json_object_set_new(found, path, json_pack("[O, O]", a, b));
	}
}

static void put_value(FILE *to, const json_t *v)
{
	char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII |
					   JSON_REAL_PRECISION(15));
	size_t len = text ? strlen(text) : 0;

	if (json_is_null(v))
		fputs("unknown", to);
	else if (json_is_string(v) && len >= 2)
		fprintf(to, "'%.*s'", (int)len - 2, text + 1);
	else if (len > VALUE_LEN)
		fprintf(to, "%.*s...", VALUE_LEN, text);
	else if (text)
		fputs(text, to);
	free(text);
}

/* Ends the text of a section and appends it to the warnings. */
static void end_section(FILE *to, char **text, json_t *warnings)
{
	if (to && !fclose(to))
		json_array_append_new(warnings, json_string(*text));
	free(*text);
	*text = NULL;
}

/* A text "different host: name 'alpha', 'beta'; kernel ..." for each section of members. */
static void describe_sections(json_t *found, json_t *warnings)
{
	const char *path, *section = "";
	FILE *to = NULL;
	char *text = NULL;
	json_t *pair;
	size_t len, room;

	json_object_foreach(found, path, pair) {
		len = strcspn(path, ".");
		if (strncmp(path, section, len) != 0 || section[len] != path[len]) {
			end_section(to, &text, warnings);
			to = open_memstream(&text, &room);
			section = path;
		}
		if (!to)
			break;
		if (section == path)
			fprintf(to, "different %.*s:%s%s", (int)len, path, path[len] ? " " : "",
				path[len] ? path + len + 1 : "");
		else
			fprintf(to, "; %s", path + len + 1);
		putc(' ', to);
		put_value(to, json_array_get(pair, 0));
		fputs(", ", to);
		put_value(to, json_array_get(pair, 1));
	}
	end_section(to, &text, warnings);
}

json_t *differences(const struct two *two, json_t *warnings)
{
	json_t *found = json_object(), *env[2], *options[2], *pair;
	const char *path;
	void *next;

	for (int side = A; side <= B; side++) {
		env[side] = document_environment(two->doc[side]);
		options[side] = document_options(two->doc[side]);
	}
	find(found, "", env[A], env[B]);
	find_member(found, "", "options", options[A], options[B]);
	json_object_del(found, "ranks");	/* nranks says so, or only one side's are real */
	if (json_object_get(found, "host.name"))	/* rank 0's host: say so once */
		json_object_foreach_safe(found, next, path, pair)
			if (!fnmatch("ranks.*.host", path, 0))
				json_object_del(found, path);
	describe_sections(found, warnings);
	return found;
}
